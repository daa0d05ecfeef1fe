// Venues and organizers.

package pages

import "html/template"

// A Place is a venue or an organizer, with what is there.
type Place struct {
	Name        string
	Href        string
	Address     []string // its lines
	Phone       string
	Email       string
	Website     *Link
	Map         string // address of a map, or ""
	Description template.HTML
	Image       *Image // on its own page
	Picture     *Link  // there, to one that is elsewhere
	List        *List  // on its own page
}
