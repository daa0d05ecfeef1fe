// Legacy feeds: the addresses of calendars and feeds that The Events Calendar has beside its API. Existing
// subscriptions go on when a calendar moves here.

package rest

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/feed"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// legacyRSS is the list of events as readers of feeds know it from the addresses of pages.
const legacyRSS = "events.legacy-rss"

// The operations at the addresses of pages where a request asks for a calendar or a feed in the place of the page. They
// have no lists of their own: they ask for those of the API.
var (
	legacyCalendar = legacyFeed(Feeds.Calendar)
	legacyNews     = legacyFeed(feedOp(legacyRSS, params.EventList, &feed.LegacyRSS))
	legacyAtom     = legacyFeed(Feeds.Atom)
	legacyEvent    = legacyFeed(Feeds.Event)
	noFeed         = &Op{Name: "events.legacy-none", Params: params.None, serve: noRoute.serve}
)

// feed returns the operation of a calendar or a feed.
func (a *Address) feed() *Op {
	name, isFeed := strings.CutPrefix(a.Format, "feed")
	switch {
	case !isFeed && a.Single:
		return legacyEvent
	case !isFeed:
		return legacyCalendar
	case a.Single: // the original has the comments on the event there
	case name == "/atom":
		return legacyAtom
	case name == "" || slices.Contains(formats, name[1:]):
		return legacyNews
	}
	return noFeed
}

// legacyFeed makes the operation that answers as another one does, at the address of a page.
func legacyFeed(of *Op) *Op {
	op := *of
	op.late, op.negotiated = true, false
	op.serve = func(r *request) (*respond.Response, error) {
		p := newPage(r)
		var query map[string]any
		if p.Single {
			id, err := p.eventID()
			if err != nil {
				return p.refused(err)
			}
			r.path = map[string]string{"id": itoa(int(id))}
		} else {
			var err error
			if query, err = p.listQuery(of); err != nil {
				return p.refused(err)
			}
		}
		slash := "/"
		if strings.HasSuffix(r.http.URL.Path, slash) {
			slash = ""
		}
		r.address, r.in = r.withQuery(r.site.Origin+r.http.URL.EscapedPath()+slash), params.Given(query, r.path)
		answer, err := r.cachedResponse(), error(nil)
		if answer == nil {
			answer, err = of.serve(r)
		}
		if err != nil || of.format == &feed.Calendar {
			return answer, err
		}
		var f pages.Frame
		f.API = r.api("/")
		p.discover(&f)
		found := *answer // which may be remembered
		found.Header = r.discovery(f.API)
		maps.Copy(found.Header, answer.Header)
		return &found, nil
	}
	return &op
}
