// Pages of errors.

package rest

import (
	"net/http"

	"almanac/internal/pages"
	"almanac/internal/respond"
)

// errorPage returns the page that says what an error of the API says to programs.
func (r *request) errorPage(e *Error) (*respond.Response, error) {
	key, note := "site.failed", "site.error-note"
	switch {
	case e.Status == http.StatusGone:
		key, note = "site.gone", ""
	case e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable:
		key = "site.busy"
	case e.Status == http.StatusRequestURITooLong:
		key, note = "site.not-found", ""
	case e.Status < http.StatusInternalServerError:
		key, note, e.Status = "site.not-found", "", http.StatusNotFound // a page tells nobody what there is
	}
	r.page = nil // links lead to all events
	all := r.lift("")
	r.address = string(all.Href)
	f := r.frame(r.texts().Text(key))
	f.Hidden, f.Views, f.Search = true, r.views(""), &pages.Search{Action: r.address}
	shown := &pages.List{Outline: pages.Outline{Heading: f.Title, Offers: []pages.Link{*all,
		{Text: r.texts().Text("site.past"), Href: r.viewLink("/events/", "past/", 1)}}}}
	if note != "" {
		shown.Empty = r.texts().Text(note)
	}
	answer, err := r.pageResponse(f, shown, list{})
	if err == nil {
		answer.Status = e.Status
		for name, value := range e.header() {
			answer.Header[name] = value
		}
	}
	return answer, err
}
