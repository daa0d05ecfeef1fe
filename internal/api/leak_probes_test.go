// Questions about hidden records: for every parameter of every route the values that could reveal
// something.

package api_test

import (
	"fmt"
	"slices"
	"strings"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/site"
	"almanac/internal/tools/sample"
	"almanac/store/record"
)

// probes returns the values of a parameter that are asked for in a world. A value
// may bring other parameters along, behind an ampersand. Values of bodies are
// JSON.
type probes func(w *leakWorld) []string

// values is probes that are the same in every world.
func values(list ...string) probes { return func(*leakWorld) []string { return list } }

// ids is probes that are ids.
func ids(pick func(w *leakWorld) []int64) probes {
	return func(w *leakWorld) (list []string) {
		for _, id := range pick(w) {
			list = append(list, fmt.Sprint(id))
		}
		return list
	}
}

// Everything that is hidden in a world, and kinds of it.
var (
	hiddenEvent     = ids(func(w *leakWorld) []int64 { return []int64{w.event} })
	hiddenVenue     = ids(func(w *leakWorld) []int64 { return []int64{w.venue} })
	hiddenOrganizer = ids(func(w *leakWorld) []int64 { return []int64{w.organizer} })
	hiddenImage     = ids(func(w *leakWorld) []int64 { return []int64{w.image, w.picture} })
	hiddenCategory  = func(w *leakWorld) []string {
		return []string{fmt.Sprint(w.category), hiddenTerms + "category", "music"}
	}
	hiddenTag     = func(w *leakWorld) []string { return []string{fmt.Sprint(w.tag), hiddenTerms + "tag", "free"} }
	hiddenRecords = ids(func(w *leakWorld) []int64 {
		return []int64{w.event, w.venue, w.organizer, w.image, w.picture, w.series, w.exception}
	})
	publicEvents = ids(
		func(w *leakWorld) []int64 { return []int64{w.concert, w.child, max(w.carrier, w.concert), w.weekly} },
	)
	hiddenAndConcert = func(w *leakWorld) []string { return []string{fmt.Sprint(w.concert, ",", w.event)} }
)

// both joins probes.
func both(
	a, b probes,
) probes {
	return func(w *leakWorld) []string { return append(a(w), b(w)...) }
}

// Values of kinds of parameters.
var (
	pages     = values("1", "2", "999")
	perPages  = values("1", "2", "50")
	days      = values("2031-07-07", "2031-07-08", "2026-11-01", "2026-11-02", "2028-11-01")
	everySort = values(
		"start_date",
		"end_date",
		"date",
		"modified",
		"title",
		"id",
		"slug",
		"name",
		"count",
		"description",
		"parent",
		"include",
	)
	orders    = values("asc", "desc")
	yesAndNo  = values("true", "false")
	statusAny = values(
		"publish",
		"future",
		"draft",
		"pending",
		"private",
		"trash",
		"any",
		"any,trash",
		"auto-draft",
		"inherit",
	)
	searches = values(
		"zq",
		"zqeventstitle",
		"zqeventsdescription",
		"zqeventsexcerpt",
		`"zqeventstitle"`,
		"-zqeventstitle",
		"concert -zq",
		"zqvenuesname",
		"zqvenuesaddress",
		"zqvenuescity",
		"zqvenuesphone",
		"zqorganizersname",
		"zqorganizersemail",
		"zqorganizerswebsite",
		"xqcategory",
		"xqtag",
		"hall",
		"07:07",
		"zqpicturetitle",
	)
	passwords = values("secret", "wrong")
)

// tells marks parameters whose values can tell nothing about other records, and
// says why.
func tells(string) probes { return nil }

var (
	ownText = tells("a text of the record that is written, which nothing else is found by")
	ownFlag = tells("a flag of the record that is written")
	ownDate = tells("a date of the record that is written")
)

// lists are the parameters of lists, which may be joined.
var lists = map[string]map[string]probes{
	"events": {
		"page": pages, "per_page": perPages, "start_date": days, "end_date": days, "starts_before": days, "starts_after": days,
		"ends_before": days, "ends_after": days,
		"strict_dates": yesAndNo, "search": searches, "categories": hiddenCategory, "tags": hiddenTag,
		"venue":     both(hiddenVenue, values("999999")),
		"organizer": hiddenOrganizer, "featured": yesAndNo, "status": statusAny, "geoloc": yesAndNo,
		"geoloc_lat": values(
			"12.345678&geoloc_lng=98.765432",
			"12.3&geoloc_lng=98.7&geoloc_radius=50",
			"0&geoloc_lng=0&geoloc_radius=20040",
		),
		"geoloc_lng": values("98.765432&geoloc_lat=12.345678"),
		"geoloc_radius": values(
			"1&geoloc_lng=98.765432&geoloc_lat=12.345678",
			"20040&geoloc_lng=98.765432&geoloc_lat=12.345678",
		),
		"include": both(
			both(hiddenRecords, hiddenAndConcert),
			publicEvents,
		), "post_parent": both(hiddenEvent, publicEvents),
		"ticketed": yesAndNo,
		"order":    orders, "orderby": everySort, "modified_after": days, "modified_before": days,
		"slug": values(hiddenSlug("events"), "concert", "closed"), "password": passwords,
		"series": both(
			ids(func(w *leakWorld) []int64 { return []int64{w.series, w.weekly} }),
			values("none"),
		),
		"first_of_series": yesAndNo, "expand": yesAndNo, "free": yesAndNo, "status_prefix": yesAndNo,
		"when": values("today", "tomorrow", "weekend", "week", "month", "month&free=true"),
		"event_status": values(
			"scheduled",
			"canceled",
			"postponed",
		), "months": values("1", "59", "61"),
		"search_names": values(
			"true&search=zq",
			"true&search=zqvenuesname",
			"true&search=zqorganizersname+-zq",
			"false&search=zq",
		),
	},
	"series": {
		"page":     pages,
		"per_page": perPages,
		"password": passwords,
		"include": both(
			hiddenRecords,
			ids(func(w *leakWorld) []int64 { return []int64{w.weekly, w.series} }),
		),
	},
	"venues":     linkedList,
	"organizers": linkedList,
	"categories": join(termList, map[string]probes{
		"parent": ids(func(w *leakWorld) []int64 { return []int64{w.music, w.category} }),
	}),
	"tags":  termList,
	"media": {"page": pages, "per_page": perPages, "search": searches},
}

var linkedList = map[string]probes{
	"page":               pages,
	"per_page":           perPages,
	"search":             searches,
	"event":              both(hiddenEvent, publicEvents),
	"has_events":         yesAndNo,
	"only_with_upcoming": yesAndNo,
	"status":             statusAny,
	"include":            hiddenRecords,
	"exclude":            hiddenRecords,
	"order":              orders,
	"orderby":            everySort,
}

var termList = map[string]probes{
	"page":       pages,
	"per_page":   perPages,
	"search":     searches,
	"exclude":    both(hiddenCategory, hiddenTag),
	"include":    both(hiddenCategory, hiddenTag),
	"order":      orders,
	"orderby":    everySort,
	"hide_empty": yesAndNo,
	"post":       both(hiddenEvent, publicEvents),
	"event":      both(hiddenEvent, publicEvents),
	"slug":       values(hiddenTerms+"category", hiddenTerms+"tag", "music"),
}

// join makes one map of several.
func join(maps ...map[string]probes) map[string]probes {
	all := map[string]probes{}
	for _, m := range maps {
		for name, p := range m {
			all[name] = p
		}
	}
	return all
}

// plainProbes returns the probes of the plain fields of a table.
func plainProbes[T any](fields []record.Field[T]) map[string]probes {
	all := map[string]probes{}
	for _, f := range record.PlainFields(fields, "", "") {
		if all[f.Member()] = ownText; f.IsFlag() {
			all[f.Member()] = ownFlag
		}
	}
	return all
}

// Members of bodies, of records that are made or changed.
var (
	postBody = map[string]probes{
		"author":      tells("the id of an account"),
		"date":        ownDate,
		"date_utc":    ownDate,
		"description": ownText,
		"status":      values(`"draft"`, `"publish"`),
		"image":       both(hiddenImage, values(`"https://zqimage.example/zqimage.png"`)),
	}
	eventBody = join(postBody, plainProbes(record.EventFields), map[string]probes{
		"title": values(
			`"zqeventstitle"`,
		), "slug": values(`"zqeventsslug"`), "excerpt": ownText, "timezone": tells("a zone"), "all_day": ownFlag,
		"start_date": values(
			`"2031-07-07 07:07:07"`,
		), "end_date": values(`"2031-07-07 08:07:07"`), "cost": ownText, "website": ownText,
		"categories": func(w *leakWorld) []string { return []string{fmt.Sprint(w.category), `"xqcategory"`} },
		"tags":       func(w *leakWorld) []string { return []string{fmt.Sprint(w.tag), `"xqtag"`} },
		"venue":      both(both(hiddenVenue, hiddenEvent), values(`{"venue":"zqvenuesname"}`)),
		"organizer": both(
			both(hiddenOrganizer, hiddenVenue),
			values(`[{"organizer":"zqorganizersname"}]`),
		),
		"post_parent": both(
			hiddenEvent,
			values(`"zqeventsslug"`),
		), "password": tells("a password of the record that is written"),
		"event_status": ownFlag, "event_status_reason": ownText, "rescheduled": ownFlag,
		"recurrence": tells(
			"dates of the record that is written",
		), "scope": values(`"this"`, `"all"`),
	})
	venueBody = join(postBody, plainProbes(record.VenueFields), map[string]probes{
		"venue": values(`"zqvenuesname"`), "geo_lat": ownText, "geo_lng": ownText,
	})
	organizerBody = join(postBody, plainProbes(record.OrganizerFields), map[string]probes{
		"organizer": values(`"zqorganizersname"`),
	})
	termBody = map[string]probes{
		"name":        values(`"xqcategory"`, `"xqtag"`),
		"description": ownText,
		"slug":        values(`"xqcategory"`, `"xqtag"`),
		"parent":      ids(func(w *leakWorld) []int64 { return []int64{w.category} }),
	}
	bodyProbes = map[string]map[string]probes{
		"events":     eventBody,
		"venues":     venueBody,
		"organizers": organizerBody,
		"categories": termBody,
		"tags":       {"name": termBody["name"], "description": ownText, "slug": termBody["slug"]},
		"media": {
			"title":   ownText,
			"alt":     ownText,
			"caption": ownText,
			"focus_x": ownText,
			"focus_y": ownText,
		},
	}
)

// least has the members that a body needs.
var least = map[string]string{
	"events":     `"title":"New","start_date":"2031-01-01","end_date":"2031-01-01"`,
	"venues":     `"venue":"New"`,
	"organizers": `"organizer":"New"`,
	"categories": `"name":"New"`,
	"tags":       `"name":"New"`,
}

// paths are the values of the variables of a route, by kind.
var paths = map[string]probes{
	"id":   both(hiddenRecords, publicEvents),
	"slug": values("zqeventsslug", "zqvenuesslug", "zqorganizersslug", "concert", "closed"),
}

// A leakRoute is a route with an operation as the matrix asks it.
type leakRoute struct {
	method, kind, variable string            // "GET", "events", "id"
	extension              string            // end of the path behind the variable: ".ics"
	probes                 map[string]probes // by parameter; of the query in reads, of the body in writes
}

// subscribing is the kind of legacy feeds at the addresses of pages, onPages the kind of the
// pages, and secretFeeds that of the secret feeds of the account that asks.
const subscribing, onPages, secretFeeds = "subscriptions", "pages", "secret feeds"

// secretQuestions returns the questions of secret feeds: each filter in turns of the formats. An
// anonymous caller asks with a secret that nobody has. Parameters in the address change nothing.
func secretQuestions(w *leakWorld) (all []question) {
	formats := []string{".ics", ".csv", ".rss", ".atom", ".feed.json"}
	for i, filter := range leakFilters {
		for j, format := range formats {
			if !sample.Long && (i+j)%2 == 1 {
				continue
			}
			q := question{method: "GET", path: feedPlace + fmt.Sprint(i) + format, sent: filter}
			if j == i%len(formats) {
				q.query = fmt.Sprint("password=secret&status=any&include=", w.event)
			}
			if all = append(all, q); i == 0 {
				q.method = "HEAD"
				all = append(all, q)
			}
		}
	}
	return all
}

// feedPlace stands before the number of a filter for the address of a secret feed.
const feedPlace = "/feeds/filter-"

// subscriptions returns the questions of the addresses of pages. Their lists are asked in all ways
// through the API: here a few of each address show that they ask the same.
func subscriptions(w *leakWorld) (all []question) {
	for _, q := range []question{
		{
			path:  "/events",
			query: "ical=1",
		}, {
			path:  "/",
			query: "ical=1&post_type=tribe_events&eventDisplay=past",
		},
		{path: "/events/2031-07", query: "ical=1&status=any"}, {path: "/events/feed"},
		{path: "/events/feed/atom", query: "tag=xqtag", sent: "xqtag"},
		{path: "/events/category/music/featured", query: "ical=1"},
		{
			path:  "/events/category/xqcategory",
			query: "outlook-ical=1",
			sent:  "xqcategory",
		}, {
			path: "/tag/xqtag/feed",
			sent: "xqtag",
		},
		{
			path:  "/events",
			query: "ical=1&tribe-bar-search=zqeventstitle&password=secret",
			sent:  "zqeventstitle",
		},
		{
			path:  "/events",
			query: fmt.Sprint("ical=1&event_ids[]=", w.event, "&event_ids[]=", w.concert),
		},
		{
			path:  "/venue/zqvenuesslug",
			query: "ical=1",
			sent:  "zqvenuesslug",
		}, {
			path:  "/venue/hall",
			query: "ical=1",
		},
		{path: "/organizer/zqorganizersslug", query: "ical=1", sent: "zqorganizersslug"},
		{
			path:  "/event/zqeventsslug",
			query: "ical=1",
			sent:  "zqeventsslug",
			hides: "path",
		}, {
			path: "/event/closed/ical",
		},
		{
			path: "/event/concert/ical",
		}, {
			path:  "/",
			query: fmt.Sprint("ical=1&p=", w.event),
			hides: "path",
		},
		{
			path:  "/",
			query: fmt.Sprint("ical=1&p=", w.venue),
		}, {
			path:  "/event/zqseriesslug/2031-07-07",
			query: "ical=1",
			sent:  "zqseriesslug",
		},
		{path: "/event/weekly/2031-07-13", query: "ical=1"},
		{path: "/series/zqseriesslug", query: "ical=1", sent: "zqseriesslug"},
		{path: "/series/zqseriesslug/ical", sent: "zqseriesslug"},
		{path: "/series/weekly", query: "ical=1"},
		{
			path: "/events/list/ical",
		}, {
			path:  "/events/past",
			query: "ical=1",
		}, {
			path: "/events/today/ical",
		}, {
			path: "/events/featured/feed",
		},
		{
			path: "/events/tomorrow/ical",
		}, {
			path: "/events/this-weekend/free/feed",
		}, {
			path:  "/events/this-week",
			query: "ical=1",
		},
		{path: "/events/free/ical"},
		{
			path: "/events/month/2031-07/ical",
		}, {
			path:  "/events/week/2031-07-07",
			query: "feed=rss2",
		},
		{path: "/events/tag/xqtag/feed", sent: "xqtag"},
	} {
		q.method = "GET"
		all = append(all, q)
	}
	return all
}

// leakRoutes returns every route of records, with every parameter of its table. missing has the
// parameters without an entry here, which tells the values that could reveal something, and the
// entries without a parameter.
func leakRoutes() (routes []leakRoute, missing []string) {
	used := map[string]bool{}
	almanactest.Routes(func(pattern string, op *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		for kind, asked := range map[string][]question{
			subscribing: subscriptions(&leakWorld{}),
			onPages:     pageQuestions(&leakWorld{}),
		} {
			fixed, _, _ := strings.Cut(path, "{")
			isPage := !strings.HasPrefix(path, v1) && !strings.HasPrefix(path, "/_almanac") &&
				!strings.HasPrefix(path, "/docs") &&
				!strings.HasPrefix(path, "/feeds") &&
				!strings.HasPrefix(path, "/desk") && // desk: TestHidden
				!strings.HasPrefix(path, "/events/suggest") // desk: TestProposal
			if isPage && (op == site.Page || kind == onPages) &&
				!slices.ContainsFunc(
					asked,
					func(q question) bool { return strings.HasPrefix(q.path, fixed) },
				) {
				missing = append(missing, kind+" "+path)
			}
		}
		below, ok := strings.CutPrefix(path, v1+"/")
		parts := strings.Split(below, "/")
		extension := ""
		if len(parts) > 2 && parts[1] == "{id}" {
			parts, extension = parts[:2], "/"+strings.Join(parts[2:], "/")
		}
		last := &parts[len(parts)-1]
		if i := strings.IndexByte(*last, '.'); i > 0 {
			*last, extension = (*last)[:i], (*last)[i:]
		}
		kind := parts[0]
		if !ok || lists[kind] == nil {
			return // tells nothing of any record: the index, the description, what only administrators may do
		}
		variable := strings.Trim(*last, "{}")
		if len(parts) == 1 {
			variable = ""
		}
		for method := range strings.SplitSeq(methods, ",") {
			r := leakRoute{method, kind, variable, extension, map[string]probes{}}
			table := bodyProbes[kind]
			switch {
			case extension == "/revisions":
				table = map[string]probes{"page": pages, "per_page": perPages}
			case extension == "/merge":
				table = map[string]probes{
					"into": both(
						hiddenRecords,
						ids(func(w *leakWorld) []int64 { return []int64{w.category, w.tag} }),
					),
				}
			case strings.HasSuffix(extension, "/restore"):
				table = nil
			case method == "GET" && variable == "":
				table = lists[kind]
			case method == "GET" || method == "DELETE":
				table = map[string]probes{
					"password":      passwords,
					"scope":         values("all"),
					"status_prefix": yesAndNo,
				}
			}
			for _, row := range op.Params {
				p, ok := table[row.Name]
				if extension == "" || extension[0] == '.' {
					used[fmt.Sprint(kind, " ", method == "GET", " ", row.Name)] = true
				}
				switch {
				case row.Path:
				case !ok:
					missing = append(missing, fmt.Sprintf("%s %s: %s", method, path, row.Name))
				case p != nil:
					r.probes[row.Name] = p
				}
			}
			routes = append(routes, r)
		}
	})
	routes = append(routes, leakRoute{
		method: "GET",
		kind:   subscribing,
	}, leakRoute{
		method: "GET",
		kind:   onPages,
	},
		leakRoute{method: "GET", kind: secretFeeds})
	for reads, tables := range map[bool]map[string]map[string]probes{
		true:  lists,
		false: bodyProbes,
	} {
		for kind, table := range tables {
			for name := range table {
				if !used[fmt.Sprint(kind, " ", reads, " ", name)] {
					missing = append(missing, fmt.Sprintf("%s has no parameter %s", kind, name))
				}
			}
		}
	}
	return routes, missing
}
