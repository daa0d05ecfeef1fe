// Sites that named the addresses of their pages otherwise.

package rest

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/front"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
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
func (s *Server) pathOf(b *front.Base, rt *route) string { return b.Path(s.slugs.Page(rt.pattern)) }

// pageAt returns the address of a page of the path, in the language of the request.
func (r *request) pageAt(path string) string {
	return r.site.Origin + r.base.Prefix + r.slugs.Page(path)
}

// renamed leads from the address of a page as we write it to where the site has it: links that
// were made before the site chose its words go on.
var renamed = &Op{Name: "page.renamed", Params: params.None, serve: serveRenamed, unlisted: true, noBody: true}

func serveRenamed(r *request) (*respond.Response, error) {
	path, embed := strings.TrimSuffix(r.http.URL.Path[len(r.base.Prefix):], "/")+"/", ""
	if below, ok := strings.CutPrefix(path, embedPath+"/"); ok {
		path, embed = "/"+below, embedPath
	}
	if _, ok := r.slugs.Meant(path); ok {
		return nil, errNoRoute
	}
	to := url.URL{Path: embed + r.slugs.Page(path), RawQuery: r.http.URL.RawQuery}
	return r.leadTo(r.site.Origin + r.base.Prefix + to.RequestURI())
}

// slugForm is the form of a first segment that needs no escaping and no folding.
var slugForm = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// checkSlugs checks the first segments that the site has chosen. Errors name the flag.
func (s *Server) checkSlugs(also string) error {
	taken := append([]string{"featured", "page", "feed", "ical"}, views...)
	first := func(path string) string { return strings.Split(path+"/", "/")[1] }
	for _, rt := range s.routes {
		if word := first(rt.pattern); word != "event" && word != "events" {
			taken = append(taken, word)
		}
	}
	taken = append(taken, first(also))
	if event, _ := s.slugs.Meant(s.slugs.Page("/events")); event != "/events" {
		return fmt.Errorf("-event-base and -events-base are both %q: give them different words", first(s.slugs.Page("/events")))
	}
	for _, of := range [...]struct{ flag, word, ours string }{
		{"-event-base", s.slugs.Event, "event"}, {"-events-base", s.slugs.Events, "events"}} {
		_, isTag := i18n.Match(of.word)
		switch {
		case of.word == of.ours || s.slugs == (render.Slugs{}):
		case !slugForm.MatchString(of.word):
			return fmt.Errorf("%s %q: must be one word of the letters a to z, digits and hyphens between them, such as termin", of.flag, of.word)
		case isTag:
			return fmt.Errorf("%s %q: is the tag of a language, whose pages are there; choose another word", of.flag, of.word)
		case slices.Contains(taken, of.word):
			return fmt.Errorf("%s %q: something else has this address, or stands in addresses by this word; choose another", of.flag, of.word)
		}
	}
	return nil
}
