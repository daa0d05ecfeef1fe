// Sites that named the addresses of their pages otherwise.

package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

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

// pageRedirect leads from the address of a page as we write it to where the site has it: links
// that were made before the site chose its words go on.
var pageRedirect = Unlisted(&Op{
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

// Words returns the words that stand for ours in the addresses of pages below a base address: those
// of its language, and where that is the site's, those of the site too.
func (s *Server) Words(b *front.Base) render.Words {
	if b.Language.Tag == s.language {
		return s.words
	}
	return render.WordsIn(b.Language.Tag)
}

// inWords returns the patterns of a route whose first segment has other words.
func (s *Server) inWords(b *front.Base, pattern string) (patterns []string) {
	first := firstOf(pattern)
	if first != "venue" && first != "organizer" {
		return nil
	}
	for _, word := range s.Words(b)[first] {
		path := "/" + word
		if ours, _ := s.Slugs.Meant(path); ours == path { // else the site has chosen it for events
			patterns = append(patterns, path+strings.TrimPrefix(pattern, "/"+first))
		}
	}
	return patterns
}

// firstOf returns the first segment of a path.
func firstOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

// checkSlugs checks the first segments that the site has chosen. Errors name the flag.
func (s *Server) checkSlugs(also string) error {
	taken := s.takenWords(also)
	if event, _ := s.Slugs.Meant(s.Slugs.Page("/events")); event != "/events" {
		return fmt.Errorf(
			"-event-base and -events-base are both %q: give them different words",
			firstOf(s.Slugs.Page("/events")),
		)
	}
	for _, of := range [...]struct{ flag, word, ours string }{
		{"-event-base", s.Slugs.Event, "event"}, {"-events-base", s.Slugs.Events, "events"}} {
		_, isTag := i18n.Match(of.word)
		switch {
		case of.word == of.ours || s.Slugs == (render.Slugs{}):
		case !isFirst(of.word):
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

// takenWords returns the words that no first segment can be.
func (s *Server) takenWords(also string) []string {
	taken := append([]string{"featured", "free", "page", "feed", "ical"}, render.Views...)
	taken = append(taken, firstOf(also))
	for _, rt := range s.routes {
		if word := firstOf(rt.pattern); word != "event" && word != "events" {
			taken = append(taken, word)
		}
	}
	return taken
}

// isFirst reports whether a text can be a first segment, which needs no escaping and no folding.
func isFirst(text string) bool {
	return isSegment(text) && !strings.ContainsFunc(text, func(r rune) bool { return r > 'z' })
}

// isSegment reports whether a text can be a segment in any script: without capitals, and with
// single hyphens between its parts.
func isSegment(text string) bool {
	isOther := func(r rune) bool {
		return !unicode.In(r, unicode.Ll, unicode.Lo, unicode.M, unicode.N)
	}
	for part := range strings.SplitSeq(text, "-") {
		if part == "" || strings.ContainsFunc(part, isOther) {
			return false
		}
	}
	return true
}

// checkWords checks the words that the site has for others of ours.
func (s *Server) checkWords(o Options) error {
	taken := append(
		s.takenWords(o.Also),
		"suggest",
		firstOf(s.Slugs.Page("/event")),
		firstOf(s.Slugs.Page("/events")),
	)
	taken = append(taken, render.Translatable...)
	of := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(o.Words)) {
		if !slices.Contains(render.Translatable, key) {
			return fmt.Errorf(
				"-address-word %s=…: must begin with one of %s",
				key,
				strings.Join(render.Translatable, ", "),
			)
		}
		for _, word := range o.Words[key] {
			_, isTag := i18n.Match(word)
			other := of[word]
			problem := ""
			switch {
			case !isSegment(word) || !strings.ContainsFunc(word, unicode.IsLetter):
				problem = "must be one word as addresses show it, of small letters, digits and hyphens between them, such as spielort"
			case isTag:
				problem = "is the tag of a language, whose pages are there; choose another word"
			case slices.Contains(taken, word):
				problem = "something else has this address, or stands in addresses by this word; choose another"
			case other != "" && !(other == "day" && key == "today"): // a date tells these apart
				problem = "is the word for " + other + " already; choose another"
			}
			if problem != "" {
				return fmt.Errorf("-address-word %s=%s: %s", key, word, problem)
			}
			of[word] = key
		}
	}
	return nil
}
