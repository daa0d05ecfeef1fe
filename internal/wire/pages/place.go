// Venues and organizers.

package pages

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/text/markup"
	"almanac/store"
)

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
	Picture     *Link  // on its own page: link to a picture on another host
	List        *List  // on its own page
}

// Dial returns the number that a telephone dials (RFC 3966, section 5.1): without spaces, and up
// to a word as in "12 ext. 5".
func (p Place) Dial() string {
	number, _, _ := strings.Cut(p.Phone, "(0)") // which is dialled in the country alone
	if rest := p.Phone[len(number):]; strings.HasPrefix(number, "+") {
		number += strings.TrimPrefix(rest, "(0)")
	} else {
		number = p.Phone
	}
	if i := strings.IndexFunc(number, unicode.IsLetter); i >= 0 {
		number = number[:i]
	}
	return strings.Map(func(r rune) rune {
		if r == '+' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, number)
}

// website returns a link to a site, named by its host, or nil.
func website(address string) *Link {
	u, err := url.Parse(address)
	if address == "" || err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return &Link{Text: strings.TrimPrefix(u.Host, "www."), Href: template.URL(address)}
}

// Venue returns a venue.
func (m *Maker) Venue(v *store.Venue) Place {
	p := Place{
		Name:        title(v.Name),
		Href:        m.page(m.VenuePage(&v.Post)),
		Phone:       v.Phone,
		Website:     website(v.Website),
		Description: m.Text(markup.PageContent(v.Description)),
	}
	city := strings.Join(strings.Fields(v.City+" "+v.StateProvince+" "+v.Zip), " ")
	for _, line := range []string{v.Address, city, v.Country} {
		if line != "" {
			p.Address = append(p.Address, line)
		}
	}
	if v.ShowMapLink {
		p.Map = mapOf(v, p.Address)
	}
	return p
}

// mapOf returns the address of a map of a venue, "" if the venue has neither coordinates nor an
// address.
func mapOf(v *store.Venue, address []string) string {
	const maps = "https://www.openstreetmap.org/"
	switch {
	case v.Geo != nil:
		lat := strconv.FormatFloat(v.Geo.Lat, 'f', -1, 64)
		lng := strconv.FormatFloat(v.Geo.Lng, 'f', -1, 64)
		return maps + "?mlat=" + lat + "&mlon=" + lng + "#map=17/" + lat + "/" + lng
	case v.Address != "" || v.City != "":
		return maps + "search?query=" + url.QueryEscape(strings.Join(address, ", "))
	}
	return ""
}

// Organizer returns an organizer.
func (m *Maker) Organizer(o *store.Organizer) Place {
	return Place{
		Name:        title(o.Name),
		Href:        m.page(m.OrganizerPage(&o.Post)),
		Phone:       o.Phone,
		Email:       o.Email,
		Website:     website(o.Website),
		Description: m.Text(markup.PageContent(o.Description)),
	}
}
