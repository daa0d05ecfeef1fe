// How programs that know the original find the API from a page.

package site

import (
	"almanac/internal/api"
	"almanac/internal/pages"
	"almanac/store"
)

// discover says where programs find the list that a page shows, and the record that it is
// of, if it is of one.
func (p *page) discover(f *pages.Frame) {
	for _, of := range pageSubjects {
		slug := *of.slug(&p.address)
		if slug == "" {
			continue
		}
		f.Record = p.URL("/" + of.kind.String() + "/" + p.In.Text(of.parameter))
		if f.API = f.Record; of.kind == store.Categories || of.kind == store.Tags {
			f.API = p.URL("/events/?" + of.parameter + "=" + api.StoredSlug(slug))
		}
		return
	}
	switch {
	case p.isFeatured():
		f.API = p.URL("/events/?featured=1")
	case p.Free:
		f.API = p.URL("/events/?free=1")
	case dayWords[p.View] != "":
		f.API = p.URL("/events/?when=" + dayWords[p.View])
	}
}
