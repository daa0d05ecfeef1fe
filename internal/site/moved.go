// Former addresses of pages, which redirect to the present ones.

package site

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/store"
)

// A redirectTarget says that the slug in the address of a page is a former slug of a record.
type redirectTarget struct{ parameter, from, to string }

func (m *redirectTarget) Error() string {
	return m.from + " is called " + m.to + " now"
}

// called returns the record of a kind that has a slug, else the latest that had it before, among
// the records that the caller may know of. So the slugs of hidden records are free, as far as the
// caller can tell.
func (p *page) called(
	v *store.View,
	k store.Kind,
	slug string,
	may func(store.Record) bool,
) (record store.Record, now string) {
	record = v.BySlug(k, slug)
	if record != nil && may(record) {
		return record, slug
	}
	for _, record = range slices.Backward(v.ByFormer(k, slug)) {
		if may(record) {
			return record, store.SlugOf(record)
		}
	}
	return nil, ""
}

// refused answers a request for an unknown page: a former slug redirects to the present one, with
// the rest of the address as it is.
func (p *page) refused(err error) (*respond.Response, error) {
	m, ok := err.(*redirectTarget)
	if !ok {
		return nil, err
	}
	path := strings.TrimSuffix(p.HTTP.URL.Path[len(p.Base.Prefix):], "/") + "/"
	query := p.HTTP.URL.RawQuery
	if i := strings.LastIndex(path, "/"+m.from+"/"); i >= 0 {
		before := url.URL{Path: path[:i+1]}
		behind := url.URL{Path: path[i+1+len(m.from):]}
		path = before.EscapedPath() + m.to + behind.EscapedPath()
	} else {
		values, _ := url.ParseQuery(query) // unreadable parts count as absent
		values.Set(m.parameter, m.to)
		query = values.Encode()
	}
	if query != "" {
		path += "?" + query
	}
	return p.LeadTo(p.Site.Origin + p.Base.Prefix + path)
}

// numbered returns the event that ?p= means, or nil: the event with that id at the site that it
// was imported from, if the caller finds exactly one, else the event with that id here. An event
// whose only address is its id here takes precedence.
func (p *page) numbered(v *store.View, id int64) *store.Event {
	own := v.Event(id)
	if own != nil && own.Status != store.Publish && p.mayFind(own) {
		return own
	}
	var came *store.Event
	for _, record := range v.ByNumber(id) {
		if e := record.(*store.Event); p.mayFind(e) || e.WasPublic() {
			if came != nil {
				return own
			}
			came = e
		}
	}
	return cmp.Or(came, own)
}

// shortLink returns a short address that leads to an event, or "".
func (p *page) shortLink(v *store.View, e *store.Event) string {
	for _, global := range append([]string{"?id=" + strconv.Itoa(int(e.ID))}, e.Origins...) {
		_, id, _ := strings.Cut(global, "?id=")
		if p.numbered(v, api.ParseID(id)) == e {
			return p.Site.Origin + p.Base.Prefix + "/?p=" + id
		}
	}
	return ""
}
