// How programs that know the original find the API from a page.

package rest

import (
	"almanac/internal/pages"
	"almanac/store"
)

// discover says where programs find the list that a page shows, and the record that it is
// of, if it is of one.
func (p *page) discover(f *pages.Frame) {
	for _, of := range pageSubjects {
		slug := *of.slug(&p.Address)
		if slug == "" {
			continue
		}
		f.Record = p.api("/" + of.kind.String() + "/" + p.in.Text(of.parameter))
		if f.API = f.Record; of.kind == store.Categories || of.kind == store.Tags {
			f.API = p.api("/events/?" + of.parameter + "=" + storedSlug(slug))
		}
		return
	}
	if p.isFeatured() {
		f.API = p.api("/events/?featured=1")
	}
}

// discovery returns the header fields by which they find it.
func (r *request) discovery(root string) map[string]string {
	return map[string]string{"X-TEC-API-VERSION": "v1", "X-TEC-API-ROOT": root, "X-TEC-API-ORIGIN": r.site.Origin}
}
