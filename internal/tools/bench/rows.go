// The rows of requests: many different ones of each sort, the same in every run.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A row is requests that are measured together. Names in braces in their address stand for values.
type row struct {
	name        string
	modes       string // by their letters
	connections int
	uri         string // without it, events are created
	field       string // of the header; If-None-Match gets the tag of the answer
}

// A mode is how servers serve.
type mode struct {
	letter, name string
	flags        []string
}

// Creates come last, since they change the calendar.
var modes = []mode{
	{"g", ", again", nil},
	{"w", ", anew", []string{"-explain"}},
	{"W", ", anew", []string{"-explain"}}, // also with more than largest events
	{"n", ", nothing kept", []string{"-cache-mb", "0"}},
	{"c", "", nil},
}

// largest is the number of events up to which all rows are measured.
const largest = 100_000

const (
	eventsPath = "/cal/events/v1/events"
	lists      = eventsPath + "?start_date={from}&end_date={to}"
)

var rows = []row{
	{"pages of lists", "gwn", 32, lists + "&page={page}", ""},
	{"pages of lists, gzip", "gw", 32, lists + "&page={page}", "Accept-Encoding: gzip"},
	{"pages of lists, 304", "g", 32, lists + "&page={page}", "If-None-Match: "},
	{"event by id", "gn", 32, eventsPath + "/{id}", ""},
	{"event by slug", "g", 32, eventsPath + "/by-slug/{slug}", ""},
	{"category and dates", "w", 32, lists + "&categories={category}", ""},
	{"venue and dates", "w", 32, lists + "&venue={venue}", ""},
	{
		"category, tag, featured",
		"W",
		32,
		eventsPath + "?categories={category}&tags={tag}&featured=true&page={page}",
		"",
	},
	{
		"category, organizer, ticketed",
		"W",
		32,
		eventsPath + "?categories={category}&organizer={organizer}&ticketed=true&page={page}",
		"",
	},
	{
		"top category, featured, ticketed",
		"W",
		32,
		eventsPath + "?categories={top}&featured=true&ticketed=true&page={page}",
		"",
	},
	{"first_of_series and dates", "w", 32, lists + "&first_of_series=true&page={page}", ""},
	{"search one word", "w", 1, eventsPath + "?search={word}", ""},
	{"search two letters", "w", 1, eventsPath + "?search={letters}", ""},
	{"search two words", "w", 1, eventsPath + "?search={word}+{word}", ""},
	{"list page", "gw", 32, "/events/page/{site page}/", ""},
	{"busy month page", "gw", 32, "/events/month/{month}/", ""},
	{"month page of a category", "gw", 32, "/events/category/{seldom}/month/{month}/", ""},
	{
		"calendar of 10,000 events",
		"gwn",
		2,
		eventsPath + ".ics?start_date=2030-01-01&end_date={ten thousand}",
		"",
	},
	{"create, 1 writer", "c", 1, "", ""},
	{"create, 64 writers", "c", 64, "", ""},
}

// message makes a request; fields are further lines of its header. The host is the same on every
// port, and so are links in answers.
func message(method, uri, body string, status int, fields ...string) request {
	head := method + " " + uri + " HTTP/1.1\r\nHost: calendar.example.org\r\n"
	for _, field := range fields {
		head += field + "\r\n"
	}
	return request{[]byte(head + "\r\n" + body), uri, status}
}

func get(uri string, fields ...string) request {
	return message("GET", uri, "", http.StatusOK, fields...)
}

// create makes a request that creates an event, each time with another title. more is further
// members.
func create(day int, more string, fields ...string) request {
	body := fmt.Sprintf(
		`{"title":"Concert %s","start_date":"%s 18:00:00","end_date":"%[2]s 20:00:00"%s}`,
		numberMark,
		date(day),
		more,
	)
	fields = append(
		fields,
		"Content-Type: application/json",
		fmt.Sprint("Content-Length: ", len(body)),
	)
	return message("POST", eventsPath, body, http.StatusCreated, fields...)
}

// linked is create with links to the venues and categories that are used most.
func (c *calendar) linked(rng *rand.Rand, token string, day int, more string) request {
	more += fmt.Sprintf(
		`,"venue":%d,"categories":[%d]`,
		c.Venues[rng.IntN(8)],
		c.Categories[rng.IntN(8)],
	)
	return create(day, more, "Authorization: Bearer "+token)
}

// days is how many the generated years have.
const days = 3 * 365

// date returns one of the days of the generated years.
func date(day int) string {
	return time.Date(2030, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

var braces = regexp.MustCompile(`\{[^}]*\}`)

// requests makes n requests, or fewer if some are equal, which may depend on answers of the server.
func (r row) requests(c *calendar, s *server, n int) (all []request) {
	rng := rand.New(rand.NewPCG(uint64(c.n), 7))
	from := 0
	known := map[string]bool{}
	id := func(ids []int64) string { return fmt.Sprint(ids[rng.IntN(min(len(ids), 50))]) }
	word := func() string { // from common to rare ones, as many of each order of magnitude
		ranks := []int{1, 10, 100, 1000, len(c.Words)}
		order := rng.IntN(len(ranks) - 1)
		return c.Words[ranks[order]+rng.IntN(ranks[order+1]-ranks[order])]
	}
	values := map[string]func() string{
		"{from}":         func() string { from = rng.IntN(days - 300); return date(from) },
		"{to}":           func() string { return date(from + 1 + rng.IntN(300)) },
		"{ten thousand}": func() string { return date(min(days, 1+days*10_000/c.n)) },
		"{month}":        func() string { return date(rng.IntN(days))[:len("2006-01")] },
		"{category}":     func() string { return id(c.Categories) },
		"{top}":          func() string { return id(c.Categories[:5]) },
		"{tag}":          func() string { return id(c.Tags) },
		"{venue}":        func() string { return id(c.Venues) },
		"{organizer}":    func() string { return id(c.Organizers) },
		"{word}":         word,
		"{letters}":      func() string { return word()[:2] },
		"{site page}":    func() string { return fmt.Sprint(1 + rng.IntN(1+c.n/25)) },
		// Few events have such a category, as in most calendars.
		"{seldom}": func() string { return c.Words[500+len(c.Categories)*3/4+rng.IntN(len(c.Categories)/4)] },
	}
	var events []event
	if strings.Contains(r.uri, "{id}") || strings.Contains(r.uri, "{slug}") {
		events = s.events()
	}
	for i := range n {
		if r.uri == "" {
			all = append(all, c.linked(rng, s.Token, rng.IntN(days), ""))
			continue
		}
		status := http.StatusOK
		field := r.field
		uri := braces.ReplaceAllStringFunc(r.uri, func(name string) string {
			if value := values[name]; value != nil {
				return value()
			}
			return name
		})
		if len(events) > 0 {
			e := events[i%len(events)]
			uri = strings.NewReplacer("{id}", fmt.Sprint(e.ID), "{slug}", e.Slug).Replace(uri)
		}
		if first := strings.Replace(uri, "{page}", "1", 1); first != uri { // the first, the middle or the last full page
			total, _ := strconv.Atoi(s.ask(get(first)).Header.Get("X-Tec-Total"))
			last := max(1, total/10)
			uri = strings.Replace(
				uri,
				"{page}",
				fmt.Sprint([]int{1, max(1, last/2), last}[i%3]),
				1,
			)
		}
		if known[uri] {
			continue
		}
		known[uri] = true
		if strings.HasPrefix(field, "If-None-Match") {
			field = field + s.ask(get(uri)).Header.Get("Etag")
			status = http.StatusNotModified
		}
		all = append(all, message("GET", uri, "", status, cmp.Or(field, "Accept: */*")))
	}
	return all
}

// An event is found in lists and asked for alone.
type event struct {
	ID                int64
	Slug, Description string
}

// events returns some events that need no password.
func (s *server) events() []event {
	var all []event
	for month := range 6 {
		var page struct{ Events []event }
		body := s.ask(
			get(fmt.Sprintf("%s?start_date=%s&per_page=50", eventsPath, date(150*month))),
		).Body
		s.err = cmp.Or(s.err, json.Unmarshal(body, &page))
		all = append(all, page.Events...)
	}
	return slices.DeleteFunc(all, func(e event) bool { return e.Description == "" })
}
