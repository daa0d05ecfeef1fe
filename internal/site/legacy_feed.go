// Legacy feeds: the addresses of calendars and feeds that The Events Calendar has beside its API.
// Existing subscriptions go on when a calendar moves here.

package site

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/params"
)

// legacyRSS is the list of events as readers of feeds know it from the addresses of pages.
const legacyRSS = "events.legacy-rss"

// The operations at the addresses of pages where a request asks for a calendar or a feed in the
// place of the page. They have no lists of their own: they ask for those of the API.
var (
	legacyCalendar = legacyFeed(api.Feeds.Calendar)
	legacyNews     = legacyFeed(api.NewFeed(legacyRSS, params.EventFeed, &feed.LegacyRSS))
	legacyAtom     = legacyFeed(api.Feeds.Atom)
	legacyEvent    = legacyFeed(api.Feeds.Event)
	noFeed         = &api.Op{
		Name:   "events.legacy-none",
		Params: params.None,
		Serve:  api.NoRoute.Serve,
	}
)

// feed returns the operation of a calendar or a feed.
func (a *address) feed() *api.Op {
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
	op := api.NewAlias(of, func(r *api.Call) (_ *respond.Response, err error) {
		p := newPage(r)
		var query map[string]any
		if p.Single {
			var id int64
			id, err = p.eventID()
			r.Path = map[string]string{"id": strconv.Itoa(int(id))}
		} else {
			query, err = p.listQuery(of)
		}
		if err != nil {
			return p.refused(err)
		}
		path := r.HTTP.URL.EscapedPath()
		if p.path.Foreign { // readers know the feed by our address
			path = strings.ToLower(r.Base.Prefix) + p.ourPath()
		}
		address := r.Site.Origin + path
		if !strings.HasSuffix(address, "/") {
			address += "/"
		}
		r.Alias = r.WithQuery(address)
		r.In = params.Given(query, r.Path)
		return nil, nil
	})
	if of == api.Feeds.Calendar || of == api.Feeds.Event {
		return op
	}
	serve := op.Serve
	op.Serve = func(r *api.Call) (*respond.Response, error) { // programs that know the original look for its API in feeds
		answer, err := serve(r)
		if err != nil || answer.Header["Location"] != "" {
			return answer, err
		}
		f := pages.Frame{API: r.URL("/")}
		newPage(r).discover(&f)
		found := *answer // which may be remembered
		found.Header = r.Discovery(f.API)
		maps.Copy(found.Header, answer.Header)
		return &found, nil
	}
	return op
}
