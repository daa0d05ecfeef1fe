// Pages of errors.

package site

import (
	"net/http"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/pages"
)

// refuse returns the page that says what an error of the API says to programs.
func refuse(r *api.Call, e *api.Error) (*respond.Response, error) {
	key := "site.failed"
	note := "site.error-note"
	status := e.Status // errors are shared: none is changed
	switch {
	case e.Status == http.StatusGone:
		key = "site.gone"
		note = ""
	case e.Code == "rest_read_only":
		key = "desk.read-only"
		note = ""
	case e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable:
		key = "site.busy"
	case e.Status == http.StatusRequestEntityTooLarge:
		key = "site.too-long"
		note = ""
	case e.Status == http.StatusRequestURITooLong:
		key = "site.not-found"
		note = ""
	case e.Status < http.StatusInternalServerError:
		key = "site.not-found"
		note = ""
		status = http.StatusNotFound // a page tells nobody what there is
	}
	p := &page{Call: r} // its links lead to all events
	all := p.lift(address{})
	f := p.frame(p.text(key))
	f.Hidden = true
	f.Views = p.views("")
	f.Search = &pages.Search{Action: string(all.Href)}
	list := &pages.List{Outline: pages.Outline{
		Heading: f.Title,
		Offers: []pages.Link{*all,
			{Text: p.text("site.past"), Href: p.link(address{View: "past"})}},
	}}
	if note != "" {
		list.Empty = p.text(note)
	}
	answer, err := p.pageResponse(f, list, "")
	if err == nil {
		answer.Status = status
		for name, value := range e.Header() {
			answer.Header[name] = value
		}
	}
	return answer, err
}
