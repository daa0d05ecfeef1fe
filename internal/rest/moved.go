// Addresses of pages that records had before: they lead to those that they have now.

package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/jsonout"
	"almanac/internal/respond"
	"almanac/store"
)

// A moved says that the slug in the address of a page is one that a record had before.
type moved struct{ parameter, from, to string }

func (m *moved) Error() string { return m.from + " is called " + m.to + " now" }

// called returns the record of a kind that a slug means among those that the caller may
// know of: the one that has it, else the latest that had it before. So to whoever may
// not know of a record, its slugs are those of others, or nobody's.
func (r *request) called(v *store.View, k store.Kind, slug string, may func(store.Record) bool) (record store.Record, now string) {
	if record = v.BySlug(k, slug); record != nil && may(record) {
		return record, slug
	}
	for _, record = range slices.Backward(v.ByFormer(k, slug)) {
		if may(record) {
			if t, ok := record.(*store.Term); ok {
				return record, t.Slug
			}
			return record, store.PostOf(record).Slug
		}
	}
	return nil, ""
}

// refused answers a request for a page that is not there: who asks for it by an earlier
// slug is led to it, with the rest of the address as it is.
func (r *request) refused(err error) (*respond.Response, error) {
	m, ok := err.(*moved)
	if !ok {
		return nil, err
	}
	path := strings.TrimSuffix(r.http.URL.Path[len(r.base.Prefix):], "/") + "/"
	query := r.http.URL.RawQuery
	if i := strings.LastIndex(path, "/"+m.from+"/"); i >= 0 {
		before, behind := url.URL{Path: path[:i+1]}, url.URL{Path: path[i+1+len(m.from):]}
		path = before.EscapedPath() + m.to + behind.EscapedPath()
	} else {
		values, _ := url.ParseQuery(query) // what cannot be read says nothing
		values.Set(m.parameter, m.to)
		query = values.Encode()
	}
	if query != "" {
		path += "?" + query
	}
	return r.leadTo(r.site.Origin + r.base.Prefix + path)
}

// leadTo leads to the address that a page has: a form is sent there again.
func (r *request) leadTo(address string) (*respond.Response, error) {
	status := http.StatusMovedPermanently
	if r.http.Method == http.MethodPost {
		status = http.StatusPermanentRedirect
	}
	body, err := jsonout.Marshal(map[string]string{"url": address})
	return &respond.Response{Status: status, Body: respond.Body{Text: body},
		Header: map[string]string{"Location": address}}, err
}

// numbered returns the event that ?p= means, or nil: the one that had the id at the site that it came from,
// if the caller finds one there and no other, else the one that has the id here. One that has no address but
// by its id here goes before.
func (r *request) numbered(v *store.View, id int64) *store.Event {
	own := v.Event(id)
	if own != nil && own.Status != store.Publish && r.mayFind(own) {
		return own
	}
	var came *store.Event
	for _, record := range v.ByNumber(id) {
		if e := record.(*store.Event); r.mayFind(e) || e.WasPublic() {
			if came != nil {
				return own
			}
			came = e
		}
	}
	return cmp.Or(came, own)
}

// shortLink returns a short address that leads to an event, or "".
func (r *request) shortLink(v *store.View, e *store.Event) string {
	for _, global := range append([]string{"?id=" + itoa(int(e.ID))}, e.Origins...) {
		_, id, _ := strings.Cut(global, "?id=")
		if r.numbered(v, parseID(id)) == e {
			return r.site.Origin + r.base.Prefix + "/?p=" + id
		}
	}
	return ""
}
