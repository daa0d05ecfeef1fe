// Series as clients read them.

package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A caller who may read an event like those of a series may read the series, and finds it in the
// list.
func TestSeriesAreForThoseWhoMayReadThem(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for title, p := range map[string]store.Post{
		"Open": {
			Status: store.Publish,
		},
		"Sketch": {
			Status: store.Draft,
			Author: sample.ContributorID,
		},
		"Board": {
			Status: store.Private,
		},
		"Later": {
			Status: store.Future,
			Date:   sample.Evening.AddDate(1, 0, 0),
		},
		"Over": {
			Status: store.Trash,
		},
	} {
		if p.Author == 0 {
			p.Author = sample.EditorID
		}
		c.AddSeries(t, store.Event{Post: p, Title: title})
	}
	for role, want := range map[account.Role][]string{
		"":                  {"Open"},
		account.Subscriber:  {"Open"},
		account.Author:      {"Open"},
		account.Contributor: {"Open", "Sketch"},
		account.Editor:      {"Open", "Sketch", "Board", "Later"},
	} {
		_, body := c.Get(t, role, "/series?include={Open},{Sketch},{Board},{Later},{Over}")
		found := map[string]bool{}
		for _, item := range body["series"].([]any) {
			found[item.(map[string]any)["title"].(string)] = true
		}
		for title := range c.IDs {
			may := strings.Contains(fmt.Sprint(want), title)
			status, one := c.Get(t, role, "/series/{"+title+"}")
			if found[title] != may || (status == http.StatusOK) != may ||
				!may && one["code"] != "series-not-accessible" {
				t.Errorf(
					"%s as %q: listed %t, read %d %v; want %t",
					title,
					role,
					found[title],
					status,
					one["code"],
					may,
				)
			}
			_, event := c.Get(t, role, "/events/by-slug/"+strings.ToLower(title)+"-2031-05-13")
			if _, shown := event["recurrence"]; shown != may {
				t.Errorf("%s as %q: its event shows the series: %t", title, role, shown)
			}
		}
		if total := body["total"].(float64); int(total) != len(want) {
			t.Errorf("as %q: total %v, want %d", role, total, len(want))
		}
	}
}

// The pages of the list lead to each other.
func TestSeriesPages(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	want := [][]string{{"One", "Two"}, {"Three", "Four"}, {"Five"}}
	for _, title := range slices.Concat(want...) {
		c.AddSeries(t, store.Event{Title: title, Post: store.Post{Status: store.Publish}})
	}
	pages, last := follow(t, c, "", c.URL+v1+"/series?per_page=2&password=x", "next_rest_url")
	back, _ := follow(t, c, "", last, "previous_rest_url")
	slices.Reverse(back)
	if diff := cmp.Diff([][][]string{want, want}, [][][]string{pages, back}); diff != "" {
		t.Errorf("forward and back (-want +got):\n%s", diff)
	}
	if status, body := c.Get(t, "", "/series?page=9"); status != http.StatusNotFound ||
		body["code"] != "series-archive-page-not-found" {
		t.Errorf("a page behind the last: %d %v", status, body)
	}
	if got := c.List(t, "", "/series?include={Two},{Five},99"); got != "Two, Five" {
		t.Errorf("include: %s", got)
	}
}

// An event that is published on its own says nothing of a series that is not, and
// what is kept of an event that says something is made anew when the series changes.
func TestSeriesShownByEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	id, events := c.AddSeries(t, store.Event{
		Title: "Choir",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	rule := func(role account.Role) any {
		_, body := c.Get(t, role, fmt.Sprint("/events/", events[1].ID))
		recurrence, _ := body["recurrence"].(map[string]any)
		return recurrence["rule"]
	}
	change := func(f func(*store.Series)) {
		err := c.Store.Update(1, func(tx *store.Tx) error {
			next := *tx.Series(id)
			f(&next)
			return tx.Put(&next)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if got := rule(""); got != "FREQ=WEEKLY;COUNT=3" {
			t.Errorf("the rule is %v", got)
		}
	}
	change(func(s *store.Series) { s.Rule = "FREQ=DAILY;COUNT=3" })
	if got := rule(""); got != "FREQ=DAILY;COUNT=3" {
		t.Errorf("after the rule was changed it is %v", got)
	}
	change(func(s *store.Series) { s.Event.Status = store.Draft })
	if everybodys, editors := rule(""), rule(account.Editor); everybodys != nil ||
		editors != "FREQ=DAILY;COUNT=3" {
		t.Errorf("of a draft everybody sees %v, editors %v", everybodys, editors)
	}
}

// A series counts the events that lists show to the caller; the next one is the one with the next
// start.
func TestSeriesCountsWhatListsShow(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	_, events := c.AddSeries(t, store.Event{
		Title: "Choir",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	err := c.Store.Update(1, func(tx *store.Tx) error {
		exception := *tx.Event(events[0].ID)
		exception.Status = store.Private
		return tx.Put(&exception)
	})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for _, tt := range []struct {
		as    account.Role
		now   string
		total float64
		next  *store.Event
	}{
		{"", "2031-05-01 00:00:00", 2, events[1]}, {account.Editor, "2031-05-01 00:00:00", 3, events[0]},
		{"", "2031-05-13 16:59:59", 2, events[1]}, {"", "2031-05-13 17:00:00", 2, events[1]}, // seven o'clock in Paris
		{"", "2031-05-13 17:00:01", 2, events[2]}, {"", "2031-06-01 00:00:00", 2, nil},
	} {
		c.Clock.Set(sample.Local(t, tt.now).Time())
		resp, err := c.As(tt.as).Get(c.URL + v1 + c.Fill(t, "/series/{Choir}"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		tags[resp.Header.Get("ETag")] = true
		_, body := c.Get(t, tt.as, "/series/{Choir}")
		want := any(nil)
		if tt.next != nil {
			want = map[string]any{"id": float64(tt.next.ID), "start_date": tt.next.Start.String()}
		}
		if diff := cmp.Diff([]any{tt.total, want}, []any{body["total"], body["next"]}); diff != "" {
			t.Errorf("as %q at %s (-want +got):\n%s", tt.as, tt.now, diff)
		}
	}
	if len(tags) != 4 { // all callers but editors see the same
		t.Errorf("%d entity tags, want 4", len(tags))
	}
}

// Every language has words for rules.
func TestSeriesInWords(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	seen := map[string]string{}
	for _, l := range i18n.Languages() {
		_, body := apitest.Do(
			t,
			c.As(""),
			http.MethodGet,
			c.URL+"/"+l.Tag+v1+c.Fill(t, "/series/{Choir}"),
			"",
		)
		text, _ := body["text"].(string)
		if other := seen[text]; text == "" || other != "" {
			t.Errorf("%s says %q, as %q does", l.Tag, text, other)
		}
		seen[text] = l.Tag
	}
	if seen["every week on Tuesday, 3 times"] != "en" {
		t.Errorf("English is not among %v", seen)
	}
}

// The addresses of the paid edition of the original lead to the events.
func TestEventOfDate(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	c.AddSeries(t, store.Event{
		Title: "Sketch",
		Post: store.Post{
			Status: store.Draft,
			Author: sample.EditorID,
		},
	})
	c.Add(&store.Event{Post: store.Post{Slug: "single-2031-05-06"}, Title: "Single"})
	_, changed := c.AddSeries(t, store.Event{
		Title: "Moved",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	_, hidden := c.AddSeries(t, store.Event{
		Title: "Hidden",
		Post: store.Post{
			Status: store.Draft,
			Author: sample.EditorID,
		},
	})
	err := c.Store.Update(1, func(tx *store.Tx) error {
		published := *tx.Event(hidden[0].ID)
		published.Status = store.Publish
		if err := tx.Put(&published); err != nil {
			return err
		}
		e := *tx.Event(changed[1].ID)
		e.Start = e.Start + 86_400
		e.End = e.End + 86_400
		return tx.Put(&e)
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/event/choir/2031-05-13/": "/event/choir-2031-05-13/", "/event/choir/2031-05-13": "/event/choir-2031-05-13/",
		"/fr/event/CHOIR/2031-05-20/": "/fr/event/choir-2031-05-20/", "/event/choir/2031-05-14": "404", "/event/choir/2031-02-30": "404",
		"/event/choir": "/event/choir/all/", "/event/sketch": "404",
		"/event/choir/13": "404", "/event/sketch/2031-05-13": "404", "/event/single/2031-05-06": "404",
		"/event/moved/2031-05-13": "/event/moved-2031-05-13/", "/event/moved/2031-05-14": "/event/moved-2031-05-13/",
		"/event/hidden/2031-05-06": "404",
	} {
		client := *c.As("")
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		resp, err := client.Get(c.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		got := fmt.Sprint(resp.StatusCode)
		if resp.StatusCode == http.StatusMovedPermanently {
			got = strings.TrimPrefix(resp.Header.Get("Location"), c.URL)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// Lists of the events of series, of single events, and of each series once.
func TestSeriesFilters(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	c.AddSeries(t, store.Event{
		Title: "Yoga",
		Post: store.Post{
			Status: store.Publish,
		},
		Featured: true,
	})
	c.AddSeries(t, store.Event{
		Title: "Sketch",
		Post: store.Post{
			Status: store.Draft,
			Author: sample.ContributorID,
		},
	})
	c.AddSeries(t, store.Event{
		Title: "Over",
		Post: store.Post{
			Status: store.Trash,
			Author: sample.ContributorID,
		},
	})
	c.Add(&store.Event{
		Title: "Fair",
		Start: sample.Local(t, "2031-05-10 12:00:00"),
		End:   sample.Local(t, "2031-05-10 13:00:00"),
	})
	play(t, c, "/events?starts_after=2000-01-01&", []listing{
		{
			"",
			"series={Choir}",
			"Choir, Choir, Choir",
		}, {"", "series={Choir},{Yoga}", "Choir, Yoga, Choir, Yoga, Choir, Yoga"},
		{
			"",
			"series[]={Yoga}",
			"Yoga, Yoga, Yoga",
		}, {"", "series=none", "Fair"}, {"", "series={Choir}&featured=true", ""},
		{
			"",
			"series={Sketch}",
			"rest_invalid_param series",
		}, {account.Contributor, "series={Sketch}", "Sketch, Sketch, Sketch"},
		{
			"",
			"series={Over}",
			"rest_invalid_param series",
		}, {"", "series={Fair}", "rest_invalid_param series"},
		{"", "series={Over},{Choir}", "rest_invalid_param series"},
		{
			"",
			"first_of_series=true",
			"Choir, Yoga, Fair",
		}, {"", "first_of_series=true&order=desc", "Fair, Yoga, Choir"},
		{"", "first_of_series=true&series={Yoga}", "Yoga"},
		{
			"",
			"first_of_series=false&series={Yoga}",
			"Yoga, Yoga, Yoga",
		}, {"", "first_of_series=true&search=choir", "Choir"},
		{account.Contributor, "first_of_series=true", "Choir, Yoga, Sketch, Fair"},
	})
	play(
		t, c,
		"/events?",
		append(
			refusals("series", "", "0", "99", "None", "none,1", "1;2"),
			listing{"", "first_of_series=maybe",
				"rest_invalid_param first_of_series"},
		),
	)
	play(
		t, c,
		"/events?end_date=2032-01-01&start_date=2031-05-08&",
		[]listing{{"", "first_of_series=1", "Fair, Choir, Yoga"}},
	)
	for _, query := range []string{"series={Choir}", "series=none", "first_of_series=true", "series={Choir},{Yoga}&first_of_series=1"} {
		pages, last := follow(
			t, c,
			"",
			c.URL+v1+c.Fill(t, "/events?starts_after=2000-01-01&per_page=1&"+query),
			"next_rest_url",
		)
		_, whole := c.Get(t, "", "/events?starts_after=2000-01-01&"+query)
		back, _ := follow(t, c, "", last, "previous_rest_url")
		slices.Reverse(back)
		if diff := cmp.Diff([]any{sample.Names(whole), pages}, []any{slices.Concat(pages...), back}); diff != "" {
			t.Errorf("%s: the pages do not lead to each other (-want +got):\n%s", query, diff)
		}
	}
}

// A change of a series asks for the right to each of its events, is refused as a whole,
// and goes by the state of the event that it names. Its answer has the tag of a read.
func TestSeriesWrites(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const body = `{"title":"Choir","start_date":"2027-05-04 19:00","end_date":"2027-05-04 21:00","recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}`
	status, made := apitest.Do(t, c.As(account.Author), http.MethodPost, c.URL+v1+"/events", body)
	recurrence, _ := made["recurrence"].(map[string]any)
	events, _ := recurrence["made"].([]any)
	if status != http.StatusCreated || len(events) != 3 {
		t.Fatalf("created: %d %v", status, made)
	}
	at := func(i int, query string) string {
		return fmt.Sprintf("%s%s/events/%v%s", c.URL, v1, events[i], query)
	}
	err := c.Store.Update(1, func(tx *store.Tx) error {
		others := *tx.Event(int64(events[2].(float64)))
		others.Author = sample.EditorID
		return tx.Put(&others)
	})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Store.State()
	for _, try := range []struct {
		method, query, body string
		event, want         int
	}{
		{"PATCH", "?scope=all", `{"title":"Mine"}`, 0, 403}, {"PATCH", "?scope=following", `{"title":"Mine"}`, 1, 403},
		{"DELETE", "?scope=all", "", 0, 403}, {"DELETE", "?scope=following", "", 1, 403}, {"PATCH", "", `{"title":"Mine"}`, 2, 403},
		{"PATCH", "?scope=none", `{"title":"Mine"}`, 0, 400}, {"PATCH", "", `{"recurrence":{"rule":"FREQ=DAILY;COUNT=2"}}`, 0, 400},
		{"PATCH", "?scope=all", `{"recurrence":"RRULE:FREQ=HOURLY"}`, 0, 400}, {"PATCH", "?scope=all", `{"recurrence":[]}`, 0, 400},
	} {
		if got, answer := apitest.Do(t, c.As(account.Author), try.method, at(try.event, try.query), try.body); got != try.want {
			t.Errorf(
				"%s %s %s: %d, want %d: %v",
				try.method,
				try.query,
				try.body,
				got,
				try.want,
				answer["message"],
			)
		} else if named := strings.Contains(fmt.Sprint(answer["message"]), "scope"); try.want == 403 && named != (try.query != "") {
			t.Errorf("%s %s: the message is %v", try.method, try.query, answer["message"])
		}
	}
	if c.Store.State() != before {
		t.Error("what was refused has changed something")
	}
	patch := func(tag string) *http.Response {
		req, err := http.NewRequest(
			http.MethodPatch,
			at(0, "?scope=all"),
			strings.NewReader(`{"title":"Chamber choir"}`),
		)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("If-Match", tag)
		resp, err := c.As(account.Editor).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	tag := func() string {
		resp, err := c.As("").Get(at(0, ""))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return strings.Replace(resp.Header.Get("ETag"), "-gzip", "", 1)
	}
	if got := patch(`"other"`).StatusCode; got != http.StatusPreconditionFailed {
		t.Errorf("with another tag: %d", got)
	}
	resp := patch(tag())
	if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") != tag() {
		t.Errorf(
			"with the tag: %d, and the tag %s, want that of a read, %s",
			resp.StatusCode,
			resp.Header.Get("ETag"),
			tag(),
		)
	}
}

// The right to an event is no right to its series: scope=all and scope=following also ask for the
// right to the series, which makes events and may be somebody else's.
func TestScopeAsksForSeries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	change(s, "weekly", func(w *store.Series) { w.Event.Author = 2 }) // its only event stays ada's
	ask := func(token, method, path, body string) *httptest.ResponseRecorder {
		return apitest.Serve(
			s.keeping,
			method,
			"http://example.com"+s.named(path),
			body,
			"Authorization",
			apitest.Bearer(token),
			"Content-Type",
			"application/json",
		)
	}
	before := s.store.Seq()
	for _, path := range []string{v1 + "/events/{weekly-first}", v1 + "/events/by-slug/weekly-first"} {
		for _, scope := range []string{"all", "following"} {
			for method, body := range map[string]string{
				"PATCH":  `{"title":"Mine","scope":"` + scope + `"}`,
				"PUT":    `{"recurrence":{"rule":"FREQ=DAILY;COUNT=3"},"scope":"` + scope + `"}`,
				"POST":   `{"recurrence":null,"scope":"` + scope + `"}`,
				"DELETE": `{"scope":"` + scope + `"}`,
			} {
				rec := ask("ada", method, path, body)
				if rec.Code != http.StatusForbidden ||
					!strings.Contains(rec.Body.String(), "Send scope=this") {
					t.Errorf("%s %s %s: %d %s", method, path, body, rec.Code, rec.Body)
				}
			}
		}
	}
	if s.store.Seq() != before {
		t.Error("something was written")
	}
	if rec := ask("ada", "PATCH", v1+"/events/{weekly-first}", `{"title":"Mine"}`); rec.Code != http.StatusOK {
		t.Errorf("the event alone: %d %s", rec.Code, rec.Body)
	}
	if rec := ask("editor", "PATCH", v1+"/events/{weekly-first}", `{"title":"Ours","scope":"all"}`); rec.Code != http.StatusOK {
		t.Errorf("all of them by who may: %d %s", rec.Code, rec.Body)
	}
}

// A long list with the first event of each series has an entity tag.
func TestFirstsHaveTags(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	const may = 1_937_073_600 // of 2031
	for range 400 {
		c.Add(&store.Event{Title: "Concert", Start: may, End: may})
	}
	for _, path := range []string{"/events", "/events.csv", "/events.rss"} {
		path = "http://example.com" + v1 + path + "?per_page=50&first_of_series=true&start_date=2031-01-01&end_date=2032-01-01"
		tag := apitest.Serve(h, http.MethodGet, path, "").Header().Get("ETag")
		if again := apitest.Serve(h, http.MethodGet, path, "", "If-None-Match", tag); tag == "" ||
			again.Code != http.StatusNotModified {
			t.Errorf("%s: tag %q, then %d", path, tag, again.Code)
		}
	}
}
