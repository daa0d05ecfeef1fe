// Sites that named the addresses of their pages otherwise.

package api

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
)

// slugsOf returns the words that the site has chosen.
func slugsOf(o Options) render.Slugs {
	s := render.Slugs{Event: o.EventBase, Events: o.EventsBase}
	if s == (render.Slugs{Event: "event", Events: "events"}) {
		return render.Slugs{} // which costs nothing
	}
	return s
}

// pathOf returns the path of a route below a base address, as the site writes it.
func (s *Server) pathOf(
	b *front.Base,
	rt *route,
) string {
	return b.Path(s.Slugs.Page(rt.pattern))
}

// PageAt returns the address of a page of the path, in the language of the request.
func (r *Call) PageAt(path string) string {
	return r.Site.Origin + r.Base.Prefix + r.Slugs.Page(path)
}

// renamed leads from the address of a page as we write it to where the site has it: links that
// were made before the site chose its words go on.
var renamed = Unlisted(&Op{
	Name:   "page.renamed",
	Params: params.None,
	Serve:  ServeRenamed,
	checks: withoutBody,
})

// ServeRenamed leads from an address as almanac writes it to that of the site, if these differ.
func ServeRenamed(r *Call) (*respond.Response, error) {
	path := strings.TrimSuffix(r.HTTP.URL.Path[len(r.Base.Prefix):], "/") + "/"
	embed := ""
	if below, ok := strings.CutPrefix(path, EmbedPath+"/"); ok {
		path = "/" + below
		embed = EmbedPath
	}
	if _, ok := r.Slugs.Meant(path); ok {
		return nil, ErrNoRoute
	}
	to := url.URL{Path: embed + r.Slugs.Page(path), RawQuery: r.HTTP.URL.RawQuery}
	return r.LeadTo(r.Site.Origin + r.Base.Prefix + to.RequestURI())
}

// slugForm is the form of a first segment that needs no escaping and no folding.
var slugForm = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// checkSlugs checks the first segments that the site has chosen. Errors name the flag.
func (s *Server) checkSlugs(also string) error {
	taken := append([]string{"featured", "free", "page", "feed", "ical"}, render.Views...)
	first := func(path string) string {
		return strings.Split(path+"/", "/")[1]
	}
	for _, rt := range s.routes {
		if word := first(rt.pattern); word != "event" && word != "events" {
			taken = append(taken, word)
		}
	}
	taken = append(taken, first(also))
	if event, _ := s.Slugs.Meant(s.Slugs.Page("/events")); event != "/events" {
		return fmt.Errorf(
			"-event-base and -events-base are both %q: give them different words",
			first(s.Slugs.Page("/events")),
		)
	}
	for _, of := range [...]struct{ flag, word, ours string }{
		{"-event-base", s.Slugs.Event, "event"}, {"-events-base", s.Slugs.Events, "events"}} {
		_, isTag := i18n.Match(of.word)
		switch {
		case of.word == of.ours || s.Slugs == (render.Slugs{}):
		case !slugForm.MatchString(of.word):
			return fmt.Errorf(
				"%s %q: must be one word of the letters a to z, digits and hyphens between them, such as termin",
				of.flag,
				of.word,
			)
		case isTag:
			return fmt.Errorf(
				"%s %q: is the tag of a language, whose pages are there; choose another word",
				of.flag,
				of.word,
			)
		case slices.Contains(taken, of.word):
			return fmt.Errorf(
				"%s %q: something else has this address, or stands in addresses by this word; choose another",
				of.flag,
				of.word,
			)
		}
	}
	return nil
}

// EmbedPath is the path before that of a page which is shown in a frame.
const EmbedPath = "/embed"

// LeadTo leads to the address that a page has: a form is sent there again.
func (r *Call) LeadTo(address string) (*respond.Response, error) {
	status := http.StatusMovedPermanently
	if r.HTTP.Method == http.MethodPost {
		status = http.StatusPermanentRedirect
	}
	body, err := jsonio.Marshal(map[string]string{"url": address})
	return &respond.Response{
		Status: status,
		Body: respond.Text(
			body),

		Header: map[string]string{
			"Location": address,
		},
	}, err
}
