package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// listed returns an event as a site lists it, with its address and members beside what every event
// has.
func listed(id int, page, title, start, members string) string {
	return fmt.Sprintf(
		`{"id":%d,"global_id":"old.example?id=%[1]d","title":%q,"slug":"s%[1]d","status":"publish","timezone":"UTC",
		"start_date":%[3]q,"end_date":%[3]q,"modified_utc":"2026-01-01 00:00:00","url":"https://old.example%[4]s"%[5]s}`,
		id,
		title,
		start,
		page,
		members,
	)
}

// moveIn imports events through the front door.
func moveIn(t *testing.T, c *sample.Calendar, events ...string) {
	t.Helper()
	var items []string
	for i, e := range events {
		items = append(
			items,
			fmt.Sprintf(`{"kind":"events","file":"f","position":%d,"record":%s}`, i+1, e),
		)
	}
	status, answer := apitest.Do(
		t,
		c.As(account.Administrator),
		"POST",
		c.URL+"/_almanac/import",
		`{"items":[`+strings.Join(items, ",")+`]}`,
	)
	if report, _ := answer["report"].(map[string]any); status != http.StatusOK ||
		report["refusals"] != nil {
		t.Fatalf("%d %v", status, answer)
	}
}

// After an import every address of a site with dates of series answers as it did there, an event
// is listed once for all its dates, and readers of feeds know what they have read.
func TestMovedIn(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Title: "Native",
		Post: store.Post{
			Slug: "jazz",
		},
		Start: sample.Local(t, "2027-01-01 10:00:00"),
		End:   sample.Local(t, "2027-01-01 11:00:00"),
	})
	pages := []string{
		"/event/jazz/2026-12-01/",
		"/event/jazz/2026-12-04/",
		"/event/jazz/2026-12-04/2/",
		"/event/jazz/2025-01-01/",
		"/event/s77/",
	}
	document := []string{
		listed(
			10000001,
			pages[0],
			"Jazz",
			"2026-12-01 19:00:00",
			"",
		), listed(10000002, pages[1], "Jazz", "2026-12-04 19:00:00", ""),
		listed(10000003, pages[2], "Late jazz", "2026-12-04 22:00:00", `,"cost":"$5"`),
		listed(
			10000004,
			pages[3],
			"Jazz",
			"2025-01-01 19:00:00",
			"",
		), listed(77, pages[4], "Fair", "2026-12-24 10:00:00", ""),
	}
	moveIn(t, c, document...)
	before := c.Store.State()
	moveIn(t, c, document...)
	if c.Store.State() != before {
		t.Error("imported again it changes something")
	}
	h := sample.Site(t, c, api.Options{})
	for i, page := range pages {
		for _, base := range []string{"", "/de", "/ja", "/wp-json/"} {
			if base == "/wp-json/" {
				base = ""
				page = "/index.php/" + page
			}
			for _, form := range []string{"", "?ical=1"} {
				got := known(t, h, base+page+form)
				if strings.HasPrefix(got, "/") {
					got = known(t, h, got)
				}
				want := map[string]string{
					"":        "",
					"?ical=1": ".ics ",
				}[form] + []string{"Jazz", "Jazz", "Late jazz", "Jazz", "Fair"}[i]
				if got != want {
					t.Errorf("%s: %s, want %s", base+page+form, got, want)
				}
			}
		}
	}
	for address, want := range map[string]string{
		"/event/jazz/all/":                "Jazz",
		"/event/jazz/all/?ical=1":         ".ics Jazz, Late jazz",
		"/event/jazz/":                    "Native",
		"/?p=10000003":                    "/event/jazz-2026-12-04-2/",
		"/?p=77":                          "/event/s77/",
		"/?p=10000003&ical=1":             ".ics Late jazz",
		"/de/?p=77":                       "/de/event/s77/",
		"/embed/event/jazz/2026-12-04/2/": "Late jazz",
	} {
		if got := known(t, h, address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	list := apitest.Serve(
		h,
		http.MethodGet,
		"http://example.com"+v1+"/events?starts_after=2020-01-01&first_of_series=true",
		"",
	)
	var once struct{ Events []struct{ Title string } }
	if err := json.Unmarshal(list.Body.Bytes(), &once); err != nil ||
		fmt.Sprint(once.Events) != "[{Jazz} {Fair} {Native}]" {
		t.Errorf("each once: %v, %v", once.Events, err)
	}
	var guids []string
	guid := regexp.MustCompile(`<guid isPermaLink="false">([^<]*)`)
	feed := askFor(h, "/events/feed/").Body.String()
	for _, found := range guid.FindAllStringSubmatch(feed, -1) {
		guids = append(guids, found[1])
	}
	want := "https://old.example" + pages[0] + " https://old.example" + pages[1] + " https://old.example" + pages[2] +
		" https://old.example" + pages[4] + " example.com?id=1"
	if got := strings.Join(guids, " "); got != want {
		t.Errorf("the feed that readers are subscribed to has\n%s, want\n%s", got, want)
	}
	if body := askFor(h, v1+"/events.rss?starts_after=2020-01-01").Body.String(); strings.Contains(
		body,
		"https://old.example",
	) ||
		!strings.Contains(body, `<guid isPermaLink="false">old.example?id=77<`) {
		t.Errorf("our own feed: %s", body)
	}
	if body := apitest.Serve(h, http.MethodGet, "http://example.com"+v1+"/events/by-slug/s77", "").Body.String(); strings.Contains(
		body,
		"https://old.example",
	) ||
		!strings.Contains(body, `"global_id_lineage":["example.com?id=`) {
		t.Errorf("the record has the old address: %s", body)
	}
}

// A number in ?p= is the id that an event had at its site, where that is clear, and else its id
// here; the short address that a page gives leads to it.
func TestNumbers(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for i := range 4 { // which get the ids 1 to 4
		c.Add(&store.Event{
			Title: fmt.Sprint("own ", i+1),
			Start: sample.Local(t, "2027-01-01 10:00:00"),
			End:   sample.Local(t, "2027-01-01 11:00:00"),
			Post: store.Post{
				Slug:   fmt.Sprint("own-", i+1),
				Status: []store.Status{store.Publish, store.Publish, store.Publish, store.Draft}[i],
			},
		})
	}
	at := "2027-02-01 10:00:00"
	moveIn(
		t, c,
		listed(1, "/event/a/", "came as 1", at, ""),
		listed(2, "/event/b/", "came as 2", at, `,"status":"private"`),
		listed(4, "/event/d/", "came as 4", at, ""),
		listed(3, "/event/c/", "came as 3", at, ""),
		strings.ReplaceAll(
			listed(3, "/event/c/", "also 3", at, `,"slug":"t3"`),
			"old.example",
			"other.example",
		),
		listed(900, "/event/e/", "came as 900", at, ""),
	)
	h := sample.Site(t, c, api.Options{})
	ask := func(address string, headers ...string) string {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+address,
			"",
			append([]string{"Accept", "text/html"}, headers...)...)
		if to := rec.Header().Get("Location"); to != "" {
			return strings.TrimPrefix(to, "http://example.com")
		}
		return rec.Result().Status[:3]
	}
	for address, want := range map[string]string{
		"/?p=1":                        "/event/s1/",
		"/?p=2":                        "/event/own-2/",
		"/?p=3":                        "/event/own-3/",
		"/?p=4":                        "/event/s4/",
		"/?p=900":                      "/event/s900/",
		"/?p=901":                      "404",
		"/?post_type=tribe_events&p=1": "/event/s1/",
		"/?p=0001":                     "/event/s1/",
	} {
		if got := ask(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	for address, want := range map[string]string{
		"/?p=2": "/event/s2/",
		"/?p=4": "200",
	} { // the draft has no other address
		if got := ask(address, "Authorization", "Bearer secret"); got != want &&
			!strings.HasPrefix(got, "/?p") {
			t.Errorf("the administrator, %s: %s, want %s", address, got, want)
		}
	}
	short := regexp.MustCompile(`<http://example\.com([^>]*)>; rel=shortlink`)
	for _, slug := range []string{"own-1", "own-2", "own-3", "s1", "s4", "s3", "t3", "s900"} {
		page := url.URL{Path: "/event/" + slug + "/"}
		found := short.FindStringSubmatch(
			strings.Join(askFor(h, page.Path).Header()["Link"], ", "),
		)
		switch {
		case slug == "own-1" && found != nil:
			t.Errorf(
				"%s has the short address %s, at which another event was",
				page.Path,
				found[1],
			)
		case slug != "own-1" && (found == nil || ask(found[1]) != page.Path):
			t.Errorf("%s has the short address %v", page.Path, found)
		}
	}
}

// The slug that all dates of a series had at the old site names the next of them, else the last
// one: clients keep their addresses. What they remember of it does not outlive the date.
func TestSlugOfSeries(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const slug = "daily-live-music-at-pioneer-park-2"
	var document []string
	for i, day := range []string{"2026-11-30", "2026-12-08", "2026-12-09", "2026-12-10"} {
		one := listed(
			10000964+i,
			"/event/"+slug+"/"+day+"/",
			"Daily Live Music",
			day+" 12:00:00",
			"",
		)
		document = append(
			document,
			strings.Replace(one, fmt.Sprintf(`"s%d"`, 10000964+i), `"`+slug+`"`, 1),
		)
	}
	moveIn(t, c, document...)
	h := sample.Site(t, c, api.Options{Shared: time.Hour})
	ask := func(path string, pairs ...string) *httptest.ResponseRecorder {
		return apitest.Serve(h, http.MethodGet, "http://example.com"+v1+path, "", pairs...)
	}
	starts := regexp.MustCompile(`"start_date":"([0-9-]+)`)
	tags := map[string]string{}
	for _, test := range []struct{ now, next, listed string }{
		{"2026-12-01 12:00:00", "2026-12-08", "2026-12-08"},
		{"2026-12-08 11:59:59", "2026-12-08", "2026-12-08"},
		{"2026-12-08 12:00:01", "2026-12-09", "2026-12-09"},
		{"2026-12-09 13:00:00", "2026-12-10", "2026-12-10"},
		{"2027-03-01 12:00:00", "2026-12-10", ""}, // a list is of coming events, unless it has a date
	} {
		at, err := time.ParseInLocation(time.DateTime, test.now, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		c.Clock.Set(at)
		for path, want := range map[string]string{
			"/events/by-slug/" + slug:                    test.next,
			"/events/by-slug/" + strings.ToUpper(slug):   test.next,
			"/events?slug=" + slug:                       test.listed,
			"/events?start_date=2026-01-01&slug=" + slug: test.next,
		} {
			for range 3 { // the second answer is remembered, the third one would come from there
				got := ask(path, "If-None-Match", tags[path])
				day := ""
				if got.Code == http.StatusNotModified {
					got = ask(path)
				} else if tags[path] != "" && got.Header().Get("ETag") == tags[path] {
					t.Errorf("%s at %s: another answer has the tag %s", path, test.now, tags[path])
				}
				if m := starts.FindStringSubmatch(got.Body.String()); m != nil {
					day = m[1]
				}
				if day != want {
					t.Errorf(
						"%s at %s: %d with the date %q, want %q",
						path,
						test.now,
						got.Code,
						day,
						want,
					)
				}
				tags[path] = got.Header().Get("ETag")
			}
		}
	}
	if got := ask("/events/by-slug/" + slug + ".ics"); !strings.Contains(
		got.Body.String(),
		"DTSTART;TZID=Etc/UTC:20261210T120000",
	) &&
		!strings.Contains(got.Body.String(), "DTSTART:20261210T120000Z") {
		t.Error(got.Code, got.Body)
	}
	if got := ask("/events/by-slug/" + slug + "-3"); got.Code != http.StatusNotFound &&
		got.Code != http.StatusBadRequest {
		t.Error("an unknown slug:", got.Code, got.Body)
	}
	status, _ := apitest.Do(
		t,
		c.As(account.Administrator),
		"DELETE",
		c.URL+v1+"/events/by-slug/"+slug,
		"",
	)
	if status < 400 {
		t.Error("a delete names one event, not one of a series:", status)
	}
}
