// Legacy feeds: the addresses of calendars and feeds that The Events Calendar has beside its API. Existing
// subscriptions go on when a calendar moves here.

package rest

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/caltime"
	"almanac/internal/feed"
	"almanac/internal/front"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// LegacyFeed answers at the addresses of pages where a request asks for a calendar or a feed in the place of
// the page. It has no list of its own: it translates the request into the parameters of an operation on events.
// Any operation with the flag page shares its address with it.
var LegacyFeed = &Op{Name: "subscription", Params: params.None, serve: subscribe, page: true, unlisted: true}

// legacyRSS is the list of events as readers of feeds know it from these addresses.
var legacyRSS = feedOp("events.legacy-rss", params.EventList, &feed.LegacyRSS)

// pageAddresses are the addresses of pages as we write them, below a base address and without a slash at the end.
// The groups have the names of the parameters that say the same in a query; date, number, tribe_series and day are
// in none. Of the path of a category the last slug counts, and the words of views are none, unless nothing else is left.
var pageAddresses = regexp.MustCompile(`^(?:/event/(?P<tribe_events>[^/]+)(?:/(?P<date>\d{4}-\d\d-\d\d)(?:/(?P<number>\d{1,4}))?)?` +
	`|(?:/event/(?P<tribe_series>[^/]+)/all` +
	`|(?:/venue/(?P<tribe_venue>[^/]+)|/organizer/(?P<tribe_organizer>[^/]+)` +
	`|/events/category(?:/[^/]+)*?/(?P<tribe_events_cat>[^/]+)|(?:/events)?/tag/(?P<tag>[^/]+)|/events|)` +
	`(?:/(?P<eventDisplay>list|month|week|day|today|past|photo|map|summary))?(?:/(?P<day>\d{4}-\d\d(?:-\d\d)?))?` +
	`(?P<featured>/featured)?)(?:/page/(?P<page>\d+))?)` +
	`(?:/(?P<ical>ical)|/(?P<feed>feed(?:/(?:feed|rdf|rss2?|atom))?))?$`)

// pageParameters are the parameters that count in queries of these addresses. The first ones ask for something
// by being there, even if they are empty.
var pageParameters = []string{"ical", "outlook-ical", "feed", "tribe_events", "p", "event_ids",
	"tribe_venue", "tribe_organizer", "tribe_events_cat", "tag", "featured", "eventDisplay", "tribe-bar-date", "tribe-bar-search",
	"categories", "tags", "venue", "organizer"}

const byPresence = 6

// pageAddress returns what a request for the address of a page says, by the names of
// parameters; nil if it is for no such address. The query counts before the path.
func (s *Server) pageAddress(b *front.Base, hr *http.Request) map[string]string {
	path := strings.TrimPrefix(strings.TrimPrefix(hr.URL.Path, strings.ToLower(b.Prefix)), embedPath)
	path, ok := s.slugs.Meant(strings.TrimSuffix(path, "/"))
	found := pageAddresses.FindStringSubmatch(path)
	if !ok || found == nil || int64(len(hr.URL.RawQuery)) > most(int64(s.bounds.Query)) {
		return nil
	}
	asked := map[string]string{}
	for i, name := range pageAddresses.SubexpNames() {
		if name != "" && found[i] != "" {
			asked[name] = found[i]
		}
	}
	switch day, view := asked["day"], asked["eventDisplay"]; {
	case slices.Contains([]string{"photo", "map", "summary"}, view): // which the paid edition has
		asked["eventDisplay"], asked["view"] = "list", view
	case day != "" && view == "":
		asked["eventDisplay"] = map[bool]string{true: "month", false: "day"}[len(day) == len("2031-05")]
	}
	in, _ := params.Read(params.Source{Method: http.MethodGet, Query: hr.URL.RawQuery}) // nothing can be wrong without a body
	for i, name := range pageParameters {
		if text := in.Text(name); text != "" || i < byPresence && in.Sent(name) {
			asked[name] = text
		}
	}
	if n := in.Text("paged"); strings.Trim(n, "0") != "" && strings.Trim(n, "0123456789") == "" {
		asked["page"] = n
	}
	if text := in.Text("s"); text != "" && in.Text("post_type") == "tribe_events" {
		asked["tribe-bar-search"] = text
	}
	if has(asked, "feed") && found[0] == "" && in.Text("post_type") != "tribe_events" {
		delete(asked, "feed") // it is the feed of a blog
	}
	return asked
}

// subscribed is pageAddress of a request for a calendar or a feed, and nil of another request.
func (s *Server) subscribed(b *front.Base, hr *http.Request) map[string]string {
	if !mayName(hr, "ical") && !mayName(hr, "feed") {
		return nil
	}
	asked := s.pageAddress(b, hr)
	if !has(asked, "ical") && !has(asked, "outlook-ical") && !has(asked, "feed") {
		return nil
	}
	return asked
}

// mayName reports whether an address may name a format: most do not, which is seen at once.
func mayName(hr *http.Request, format string) bool {
	query := hr.URL.RawQuery
	return strings.Contains(hr.URL.Path, "/"+format) || strings.Contains(query, format) || strings.Contains(query, "%")
}

func has(asked map[string]string, name string) bool { _, ok := asked[name]; return ok }

// subscribe answers with a calendar or a feed.
func subscribe(r *request) (*respond.Response, error) {
	asked := r.subscribed(r.base, r.http)
	op := Feeds.Calendar
	if !has(asked, "ical") && !has(asked, "outlook-ical") {
		switch strings.TrimPrefix(asked["feed"], "feed/") {
		case "", "feed", "rdf", "rss", "rss2":
			op = legacyRSS
		case "atom":
			op = Feeds.Atom
		default:
			return nil, errNoRoute
		}
	}
	slash := "/"
	if strings.HasSuffix(r.http.URL.Path, slash) {
		slash = ""
	}
	address := r.withQuery(r.site.Origin + r.http.URL.EscapedPath() + slash)
	if has(asked, "tribe_events") || has(asked, "p") {
		if op != Feeds.Calendar {
			return nil, errNoRoute // the original has the comments on the event there
		}
		id, err := r.subscribedEvent(asked)
		if err != nil {
			return r.refused(err)
		}
		return r.answerAs(Feeds.Event, address, map[string]string{"id": itoa(int(id))}, nil)
	}
	query, err := r.listQuery(op, asked)
	if err != nil {
		return r.refused(err)
	}
	answer, err := r.answerAs(op, address, nil, query)
	if err != nil || op == Feeds.Calendar {
		return answer, err
	}
	var f pages.Frame
	r.page, f.API = asked, r.api("/")
	r.discover(&f)
	found := *answer // which may be remembered
	found.Header = r.discovery(f.API)
	maps.Copy(found.Header, answer.Header)
	return &found, nil
}

// answerAs answers as another operation does that is asked at its own address. From here
// on the request is that one.
func (r *request) answerAs(op *Op, address string, path map[string]string, query map[string]any) (*respond.Response, error) {
	r.op, r.address, r.path, r.in = op, address, path, params.Given(query, path)
	if op.own { // it was looked for
		return op.serve(r)
	}
	hr, u := *r.http, *r.http.URL
	u.RawQuery, hr.URL, r.http = r.in.Encode(), &u, &hr
	if answer := r.cachedResponse(); answer != nil {
		return answer, nil
	}
	return op.serve(r)
}

// subscribedEvent returns the id of the event that is asked for. The error tells subscribers of a withdrawn
// event that it is withdrawn.
func (r *request) subscribedEvent(asked map[string]string) (id int64, err error) {
	err = r.store.View(func(v *store.View) error {
		var e *store.Event
		switch slug := storedSlug(asked["tribe_events"]); {
		case asked["date"] != "":
			e = r.eventOfDate(v, slug, asked["date"], asked["number"])
		case slug != "":
			record, now := r.called(v, store.Events, slug, func(record store.Record) bool { return r.mayFind(record.(*store.Event)) })
			if record != nil && now != slug {
				return &redirectTarget{"tribe_events", asked["tribe_events"], now}
			}
			if e, _ = record.(*store.Event); e == nil {
				e = withdrawn(v, slug)
			}
			if e == nil && r.http.Method != http.MethodPost && len(r.seriesNamed(v, slug)) > 0 {
				return &redirectTarget{"tribe_events", asked["tribe_events"], asked["tribe_events"] + "/all"}
			}
		case strings.Trim(asked["p"], "0123456789") == "":
			e = r.numbered(v, parseID(asked["p"]))
		}
		switch {
		case e != nil && e.WasPublic():
			return errWithdrawn
		case e == nil || !r.mayFind(e):
			return errNoEventHere
		}
		id = e.ID
		return nil
	})
	return id, err
}

// withdrawn returns an event in the trash that everybody found by a slug until it came there, or nil.
func withdrawn(v *store.View, slug string) *store.Event {
	for _, record := range v.ByFormer(store.Events, slug) {
		if e := record.(*store.Event); e.WasPublic() {
			return e
		}
	}
	return nil
}

// mayFind reports whether the caller may read an event that is not in the trash.
func (r *request) mayFind(e *store.Event) bool { return e.Status != store.Trash && r.mayRead(&e.Post) }

// listQuery returns the parameters that ask an operation of the API for a list.
func (r *request) listQuery(op *Op, asked map[string]string) (query map[string]any, err error) {
	query = map[string]any{}
	if page := asked["page"]; page != "" && !op.isWhole() {
		query["page"] = page
	}
	err = r.store.View(func(v *store.View) error {
		if slug := asked["tribe_series"]; slug != "" {
			named, ids := r.seriesNamed(v, storedSlug(slug)), ""
			if len(named) == 0 {
				return errNoEventHere
			}
			for _, s := range named {
				ids += "," + itoa(int(s.ID))
			}
			query["series"], asked["archive"], asked["day"] = ids[1:], "/event/"+slug+"/all/", "1000-01-01" // before all of its dates
		}
		for _, of := range pageSubjects {
			if slug := asked[of.name]; slug != "" {
				record, now := r.called(v, of.kind, storedSlug(slug), func(record store.Record) bool {
					return !isTrash(record) && access.MayName(r.caller, record)
				})
				switch {
				case record != nil && now != storedSlug(slug):
					return &redirectTarget{of.name, slug, now}
				case record == nil:
					return &Error{Status: http.StatusNotFound, Code: "rest_no_route", Message: fmt.Sprintf("There is nothing with the name %.60q "+
						"among the %s.", slug, of.kind)}
				}
				if t, ok := record.(*store.Term); ok && of.kind == store.Categories {
					asked["archive"] = render.CategoryPath(v, t)
				}
				query[of.parameter] = itoa(int(record.Key()))
			} else if id := asked[of.parameter]; id != "" && strings.Trim(id, "0123456789") == "" {
				query[of.parameter] = id
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if ids, ok := asked["event_ids"]; ok {
		for id := range strings.SplitSeq(ids, ",") {
			if strings.Trim(id, "0123456789") != "" || parseID(id) < 1 {
				return nil, invalid("event_ids", "event_ids must be ids of events, as event_ids[]=130.")
			}
		}
		query["include"] = ids
		if op == pageList {
			query["orderby"] = "start_date"
			return query, nil // whenever they are
		}
	}
	if text := asked["tribe-bar-search"]; text != "" {
		query["search"] = text
	}
	if slices.Contains([]string{"/featured", "1", "true"}, asked["featured"]) {
		query["featured"] = "true"
	}
	return query, r.setWindow(query, op, asked)
}

// setWindow sets the dates of a query: of days, so that the same is asked until the day
// ends. Without any, a calendar begins a year ago, as those of the API; unlike these it has
// no end, since the original's have none.
func (r *request) setWindow(query map[string]any, op *Op, asked map[string]string) error {
	day, dated := caltime.StartOfDay(r.zone.Wall(r.now)), false
	for _, name := range []string{"day", "tribe-bar-date"} {
		if text := asked[name]; text != "" {
			var ok bool
			if day, ok = parseDay(text); !ok && name == "day" {
				return errNoRoute
			} else if !ok {
				return invalid(name, name+" must be a day such as 2031-05-10, or a month such as 2031-05.")
			}
			dated = true
		}
	}
	bound := func(name string, local time.Time, seconds time.Duration) {
		query[name] = r.zone.Instant(local).Add(seconds * time.Second).Format(caltime.Layout)
		query["strict_dates"] = "true"
	}
	order, until := "asc", time.Time{}
	switch asked["eventDisplay"] {
	case "past":
		bound("ends_before", day, 0)
		order = "desc"
	case "month":
		day = day.AddDate(0, 0, 1-day.Day())
		until = day.AddDate(0, 1, 0)
	case "week":
		day = r.language.Locale().Week().Start(day)
		until = day.AddDate(0, 0, 7)
	case "day", "today":
		until = day.AddDate(0, 0, 1)
	}
	if !until.IsZero() {
		bound("starts_before", until, 0)
	}
	if !dated && until.IsZero() && op.isWhole() {
		day = day.AddDate(-1, 0, 0) // subscribers keep the events of the past months
	}
	if order == "asc" {
		bound("ends_after", day, -1) // an event that ends at its midnight is on it
	}
	// At /tag/ the original has the events among other posts, newest publication first, as our feeds are.
	if !op.isWhole() && (op != legacyRSS || !strings.HasPrefix(r.http.URL.Path[len(r.base.Prefix):], "/tag/")) {
		query["orderby"], query["order"] = "start_date", order
	}
	return nil
}

// parseDay reads a day, or a month as its first day, and reports whether it is one. The
// years leave room for a day before and a month behind.
func parseDay(text string) (time.Time, bool) {
	layout := "2006-01"
	switch len(text) {
	case 0:
		return time.Time{}, false // nearly always
	case len(time.DateOnly):
		layout = time.DateOnly
	}
	day, err := time.Parse(layout, text)
	return day, err == nil && day.Year() >= 1000 && day.Year() < 9999
}
