// What pages say in the place of an error.

package rest

import (
	"net/http"

	"almanac/internal/pages"
	"almanac/internal/respond"
)

// errorPage returns the page that says what an error of the API says to programs.
func (r *request) errorPage(e *Error) (*respond.Response, error) {
	key := "site.failed"
	switch {
	case e.Status == http.StatusGone:
		key = "site.gone"
	case e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable:
		key = "site.busy"
	case e.Status == http.StatusRequestURITooLong:
		key = "site.not-found"
	case e.Status < http.StatusInternalServerError:
		key, e.Status = "site.not-found", http.StatusNotFound // a page tells nobody what there is
	}
	r.address = r.site.Origin + r.base.Prefix + "/events/"
	f := r.frame(r.texts().Text(key))
	f.Hidden, f.Views = true, r.views("")
	answer, err := r.pageResponse(f, &pages.List{Outline: pages.Outline{Heading: f.Title, Empty: r.texts().Text("site.error-note"),
		Offers: []pages.Link{*r.lift("")}}}, list{})
	if err == nil {
		answer.Status = e.Status
		for name, value := range e.header() {
			answer.Header[name] = value
		}
	}
	return answer, err
}
