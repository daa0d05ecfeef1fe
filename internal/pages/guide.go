package pages

import "html/template"

// A Guide shows code for other sites, to copy.
type Guide struct {
	Heading string
	Note    string
	Codes   []Code
}

// A Code is HTML for another site, and the address of the page that it shows.
type Code struct {
	Heading string
	Text    string
	Example template.URL
}

// A QR is a code that leads a telephone to an address.
type QR struct {
	Side int    // in modules
	Path string // SVG path of the dark modules
}
