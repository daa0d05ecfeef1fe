// Legacy feeds: the addresses of calendars and feeds that The Events Calendar has beside its API. Existing
// subscriptions go on when a calendar moves here.

package site

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
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
	legacyCalendar = legacyFeed(api.Feeds.Calendar)
	legacyNews     = legacyFeed(api.NewFeed(legacyRSS, params.EventList, &feed.LegacyRSS))
	legacyAtom     = legacyFeed(api.Feeds.Atom)
	legacyEvent    = legacyFeed(api.Feeds.Event)
	noFeed         = &api.Op{Name: "events.legacy-none", Params: params.None, Serve: api.NoRoute.Serve}
)

// feed returns the operation of a calendar or a feed.
func (a *Address) feed() *api.Op {
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
func legacyFeed(of *api.Op) *api.Op {
	return api.NewAlias(of, func(r *api.Call) (*respond.Response, error) {
		p := newPage(r)
		var query map[string]any
		if p.Single {
			id, err := p.eventID()
			if err != nil {
				return p.refused(err)
			}
			r.Path = map[string]string{"id": strconv.Itoa(int(id))}
		} else {
			var err error
			if query, err = p.listQuery(of); err != nil {
				return p.refused(err)
			}
		}
		slash := "/"
		if strings.HasSuffix(r.HTTP.URL.Path, slash) {
			slash = ""
		}
		r.Alias, r.In = r.WithQuery(r.Site.Origin+r.HTTP.URL.EscapedPath()+slash), params.Given(query, r.Path)
		answer, err := r.CachedResponse(), error(nil)
		if answer == nil {
			answer, err = of.Serve(r)
		}
		if err != nil || of.IsWhole() || p.Single {
			return answer, err
		}
		var f pages.Frame
		f.API = r.URL("/")
		p.discover(&f)
		found := *answer // which may be remembered
		found.Header = r.Discovery(f.API)
		maps.Copy(found.Header, answer.Header)
		return &found, nil
	})
}
