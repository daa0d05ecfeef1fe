// How programs that know the original find the API from a page.

package rest

import (
	"almanac/internal/pages"
	"almanac/store"
)

// discover says where programs find the list that a page shows, and the record that it is
// of, if it is of one.
func (r *request) discover(f *pages.Frame) {
	for _, of := range pageSubjects {
		slug := r.page[of.name]
		if slug == "" {
			continue
		}
		f.Record = r.api("/" + of.kind.String() + "/" + r.in.Text(of.parameter))
		if f.API = f.Record; of.kind == store.Categories || of.kind == store.Tags {
			f.API = r.api("/events/?" + of.parameter + "=" + storedSlug(slug))
		}
		return
	}
	if r.isFeatured() {
		f.API = r.api("/events/?featured=1")
	}
}

// discovery returns the header fields by which they find it.
func (r *request) discovery(root string) map[string]string {
	return map[string]string{"X-TEC-API-VERSION": "v1", "X-TEC-API-ROOT": root, "X-TEC-API-ORIGIN": r.site.Origin}
}
