package api_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// An event tells its state: in the API, in data for search engines, in lists with a filter, on
// pages and in feeds.
func TestStates(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	id := c.Add(&store.Event{
		Title: "Choir",
		Start: sample.Local(t, "2031-05-10 20:00:00"),
		End:   sample.Local(t, "2031-05-10 22:00:00"),
		Post:  store.Post{Slug: "choir", Description: "Songs"},
	})
	steps := []struct {
		name, send    string
		refused       string // parameter
		state, reason string
		previous, ld  string
		filter        string // of event_status that finds it
		page          []string
		not           string
		calendar      string
		title         string
	}{
		{
			"cancelled",
			`{"event_status":"canceled","event_status_reason":" The <b>singer</b>\nis ill. "}`,
			"",
			"canceled",
			"The singer is ill.",
			"",
			"EventCancelled",
			"canceled,postponed",
			[]string{
				`<h1><span class="state">Cancelled</span> <bdi class="struck">Choir</bdi></h1>`,
				`<div class="reason" role="status"><p><bdi>The singer is ill.</bdi></p></div>`,
				`<p class="date struck"><time`,
				`<summary>Remove from your calendar</summary>`,
			},
			"action=TEMPLATE",
			"STATUS:CANCELLED|SUMMARY:Cancelled: Choir|X-ALMANAC-SUMMARY:Choir|X-ALMANAC-EVENT-STATUS-REASON:The singer is ill.|" +
				`COMMENT:The singer is ill.|DESCRIPTION:The singer is ill.\n\nSongs|STYLED-DESCRIPTION;`,
			"Cancelled: Choir",
		},
		{"a new state empties the reason", `{"event_status":"postponed"}`, "",
			"postponed", "", "", "EventPostponed", "postponed",
			[]string{
				`<h1><span class="state">Postponed</span> <bdi class="struck">Choir</bdi></h1>`,
				`<p class="date struck"><time`,
				`<p>No new date is known yet.</p>`,
				`<summary>Update in your calendar</summary>`,
			}, "singer",
			"STATUS:TENTATIVE|SUMMARY:Postponed: Choir|X-ALMANAC-SUMMARY:Choir|X-ALMANAC-EVENT-STATUS:postponed", "Postponed: Choir"},
		{
			"an unknown state",
			`{"event_status":"cancelled"}`,
			"event_status",
			"",
			"",
			"",
			"",
			"",
			nil,
			"",
			"",
			"",
		},
		{
			"a long reason",
			`{"event_status_reason":"` + strings.Repeat("é", 501) + `"}`,
			"event_status_reason",
			"",
			"",
			"",
			"",
			"",
			nil,
			"",
			"",
			"",
		},
		{
			"no new start",
			`{"rescheduled":true}`,
			"rescheduled",
			"",
			"",
			"",
			"",
			"",
			nil,
			"",
			"",
			"",
		},
		{
			"the same start",
			`{"rescheduled":true,"start_date":"2031-05-10 20:00"}`,
			"rescheduled",
			"",
			"",
			"",
			"",
			"",
			nil,
			"",
			"",
			"",
		},
		{
			"a new date",
			`{"rescheduled":true,"start_date":"2031-06-10 20:00","event_status_reason":"Storm"}`,
			"",
			"scheduled",
			"Storm",
			"2031-05-10 20:00:00",
			"EventRescheduled",
			"scheduled",
			[]string{
				`<h1><span class="state">New date</span> <bdi>Choir</bdi></h1>`,
				`<p>Previously: Saturday, May&nbsp;10`,
				`<bdi>Storm</bdi>`,
				`<summary>Add to your calendar</summary>`,
				"action=TEMPLATE",
			},
			"struck",
			"STATUS:CONFIRMED|SUMMARY:New date: Choir|X-ALMANAC-SUMMARY:Choir|X-ALMANAC-EVENT-STATUS-REASON:Storm|" +
				`X-ALMANAC-PREVIOUS-START:2031-05-10 20:00:00|COMMENT:Storm|DESCRIPTION:Storm\n\nSongs|STYLED-DESCRIPTION;`,
			"New date: Choir",
		},
		{
			"the same start without a word keeps the date before",
			`{"start_date":"2031-06-10 20:00","end_date":"2031-06-10 22:00"}`,
			"",
			"scheduled",
			"Storm",
			"2031-05-10 20:00:00",
			"EventRescheduled",
			"scheduled",
			nil,
			"",
			"",
			"New date: Choir",
		},
		{
			"another start without a word is no longer the one after it",
			`{"start_date":"2031-06-10 21:00","end_date":"2031-06-10 22:00","event_status_reason":""}`,
			"",
			"scheduled",
			"",
			"",
			"EventScheduled",
			"scheduled",
			nil,
			"Previously",
			"",
			"Choir",
		},
		{
			"a new date again",
			`{"rescheduled":true,"start_date":"2031-07-10 20:00","event_status_reason":"Storm"}`,
			"",
			"scheduled",
			"Storm",
			"2031-06-10 21:00:00",
			"EventRescheduled",
			"scheduled",
			[]string{`<p>Previously: Tuesday, June&nbsp;10`},
			"struck",
			"",
			"New date: Choir",
		},
		{"taken back", `{"rescheduled":false,"event_status_reason":""}`, "",
			"scheduled", "", "", "EventScheduled", "scheduled", []string{`<h1><bdi>Choir</bdi></h1>`}, `class="state"`,
			"STATUS:CONFIRMED|SUMMARY:Choir|DESCRIPTION:Songs|STYLED-DESCRIPTION;", "Choir"},
	}
	c.IDs["Choir"] = id
	text := func(path string) string {
		_, body := apitest.Text(t, c.Client(), http.MethodGet, c.URL+path, "")
		return strings.ReplaceAll(string(body), "\r\n", "|")
	}
	for _, tt := range steps {
		status, answer := apitest.Do(
			t,
			c.As(account.Administrator),
			http.MethodPatch,
			fmt.Sprint(c.URL, v1, "/events/", id),
			tt.send,
		)
		if tt.refused != "" {
			if got := sample.Complaint(answer); status != http.StatusBadRequest ||
				got != "rest_invalid_param "+tt.refused {
				t.Errorf("%s: %d %s", tt.name, status, got)
			}
			continue
		}
		_, e := c.Get(t, "", "/events/{Choir}")
		str := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
		got := []string{
			str(e, "event_status"),
			str(e, "event_status_reason"),
			str(e, "previous_start_date"),
			strings.TrimPrefix(
				str(e["json_ld"].(map[string]any), "eventStatus"),
				"https://schema.org/",
			),
		}
		if diff := cmp.Diff([]string{tt.state, tt.reason, tt.previous, tt.ld}, got); diff != "" ||
			status != http.StatusOK {
			t.Errorf("%s: %d %s", tt.name, status, diff)
		}
		if _, is := e["json_ld"].(map[string]any)["previousStartDate"]; is != (tt.ld == "EventRescheduled") {
			t.Errorf("%s: previousStartDate %t", tt.name, is)
		}
		for _, state := range []string{"scheduled", "canceled", "postponed"} {
			found := strings.Contains(
				c.List(t, "", "/events?start_date=2031-05-01&event_status="+state+"&search=Choir"),
				"Choir",
			)
			if want := tt.state == state; found != want {
				t.Errorf("%s: event_status=%s finds it: %t", tt.name, state, found)
			}
		}
		if got := c.List(t, "", "/events?start_date=2031-05-01&search=Choir&event_status="+tt.filter); got != "Choir" {
			t.Errorf("%s: event_status=%s finds %s", tt.name, tt.filter, got)
		}
		page := text("/event/choir/")
		for _, want := range tt.page {
			if !strings.Contains(strings.ReplaceAll(page, "\u00a0", "&nbsp;"), want) {
				t.Errorf("%s: no %s in %s", tt.name, want, page)
			}
		}
		if tt.not != "" && strings.Contains(page, tt.not) {
			t.Errorf("%s: %s in %s", tt.name, tt.not, page)
		}
		for _, path := range []string{v1 + "/events.ics?start_date=2031-05-01&", v1 + "/events/" + fmt.Sprint(id) + ".ics?"} {
			if calendar := text(path); !strings.Contains(calendar, tt.calendar) {
				t.Errorf("%s: no %s in %s", tt.name, tt.calendar, calendar)
			}
			plain := text(path + "status_prefix=false")
			if !strings.Contains(plain, "|SUMMARY:Choir|") ||
				strings.Contains(plain, "X-ALMANAC-SUMMARY") {
				t.Errorf("%s: %s", tt.name, plain)
			}
		}
		for _, path := range []string{"/events.rss", "/events.atom", "/events.feed.json"} {
			feed := html.UnescapeString(text(v1 + path + "?start_date=2031-05-01&search=Choir"))
			feed = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(feed)
			if reason := "<p>" + tt.reason + "</p>"; strings.Contains(
				feed,
				reason,
			) != (tt.reason != "") {
				t.Errorf("%s: %s: reason %q in %s", tt.name, path, reason, feed)
			}
		}
		for path, form := range map[string]string{
			"/events.rss":       "<title>%s</title>",
			"/events.atom":      "<title>%s</title>",
			"/events.feed.json": `"title":"%s"`,
		} {
			for query, title := range map[string]string{
				"":                     tt.title,
				"&status_prefix=false": "Choir",
			} {
				if feed := text(v1 + path + "?start_date=2031-05-01&search=Choir" + query); !strings.Contains(
					feed,
					fmt.Sprintf(form, title),
				) {
					t.Errorf("%s: %s%s: no title %s in %s", tt.name, path, query, title, feed)
				}
			}
		}
		if table := text(v1 + "/events.csv?start_date=2031-05-01&search=Choir"); !strings.Contains(
			table,
			","+tt.state+","+tt.reason,
		) {
			t.Errorf("%s: %s", tt.name, table)
		}
	}
	if status, answer := apitest.Do(t, c.As(account.Administrator), http.MethodPost, c.URL+v1+"/events",
		`{"title":"x","start_date":"2031-01-01","end_date":"2031-01-02","rescheduled":true}`); status != http.StatusBadRequest {
		t.Errorf("a new event has no start before: %d %v", status, answer)
	}
}

// Feeds say what pages do of an event that is off or has a new date: its old date is struck behind
// the word for its state, also where the title has no such word, and what is known stands above.
func TestStatesInBodiesOfFeeds(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	start := sample.Local(t, "2031-05-10 20:00:00")
	before := sample.Local(t, "2031-05-03 20:00:00")
	day := sample.Local(t, "2031-05-10 00:00:00")
	for _, e := range []*store.Event{
		{Title: "Timed", Start: start, End: start},
		{Title: "Off", Start: start, End: start, State: store.Canceled, StateReason: "The <singer> is ill."},
		{Title: "Open", Start: start, End: start, State: store.Postponed},
		{Title: "Moved", Start: start, End: start, PreviousStart: before, StateReason: "Storm"},
		{Title: "Days", AllDay: true, Start: day, End: day + 86_399, PreviousStart: day - 7*86_400},
		{Title: "Short", Start: start, End: start, State: store.Postponed, Post: store.Post{Excerpt: "Songs"}},
	} {
		e.Timezone = "UTC"
		c.Add(e)
	}
	const (
		off     = "<p>The &lt;singer&gt; is ill.</p>\n<p>Cancelled: <s>2031-05-10 20:00 UTC</s></p>"
		open    = "<p>No new date is known yet.</p>\n<p>Postponed: <s>2031-05-10 20:00 UTC</s></p>"
		geplant = "<p>Ein neuer Termin steht noch nicht fest.</p>\n<p>Verschoben: <s>2031-05-10 20:00 UTC</s></p>"
		moved   = "<p>Previously: 2031-05-03 20:00</p>\n<p>Storm</p>\n<p>New date: 2031-05-10 20:00 UTC</p>"
		days    = "<p>Previously: 2031-05-03</p>\n<p>New date: 2031-05-10</p>"
	)
	for _, format := range []string{".rss", ".atom", ".feed.json"} {
		for _, tt := range []struct{ base, title, query, want string }{
			{"", "Timed", "", "<p>2031-05-10 20:00 UTC</p>"},
			{"", "Off", "", off},
			{"", "Off", "&status_prefix=false", off},
			{"", "Open", "", open},
			{"/de", "Open", "", geplant},
			{"", "Moved", "", moved},
			{"", "Days", "", days},
			{"", "Short", "", "<p>No new date is known yet.</p>\n<p>Postponed: "},
		} {
			address := c.URL + tt.base + v1 + "/events" + format + "?start_date=2031-05-01&search=" + tt.title + tt.query
			_, body := apitest.Text(t, c.Client(), http.MethodGet, address, "")
			text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\n`, "\n").Replace(string(body))
			if !strings.HasSuffix(format, "json") {
				text = html.UnescapeString(text)
			}
			if !strings.Contains(text, tt.want) {
				t.Errorf("%s%s of %s: no %s in %s", tt.base, format, tt.title, tt.want, text)
			}
			if tt.title == "Short" && format == ".rss" &&
				!strings.Contains(text, "<description><p>No new date is known yet.</p>\n<p>Songs</p>") {
				t.Errorf("the excerpt hides what is known: %s", text)
			}
		}
	}
	_, page := apitest.Text(t, c.Client(), http.MethodGet, c.URL+"/event/days/", "")
	if want := "<p>Previously: Saturday, May 3, 2031</p>"; !strings.Contains(strings.ReplaceAll(string(page), "\u00a0", " "), want) {
		t.Errorf("no %s in %s", want, page)
	}
}

// One date of a series is cancelled, or all are: a date with a state of its own keeps it. A
// password hides the reason, and not the state.
func TestStatesOfSeries(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	_, events := c.AddSeries(t, store.Event{
		Post: store.Post{
			Status: store.Publish,
			Author: sample.EditorID,
		},
		Title: "Choir",
	})
	patch := func(i int, body string) (int, map[string]any) {
		return apitest.Do(
			t,
			c.As(account.Administrator),
			http.MethodPatch,
			fmt.Sprint(c.URL, v1, "/events/", events[i].ID),
			body,
		)
	}
	want := func(what string, states ...string) {
		t.Helper()
		var got []string
		for _, e := range events {
			_, shown := apitest.Do(
				t,
				c.Client(),
				http.MethodGet,
				fmt.Sprint(c.URL, v1, "/events/", e.ID),
				"",
			)
			got = append(
				got,
				strings.TrimSuffix(
					fmt.Sprint(shown["event_status"], " ", shown["event_status_reason"]),
					" <nil>",
				),
			)
		}
		if diff := cmp.Diff(states, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	patch(1, `{"event_status":"postponed","event_status_reason":"Strike"}`)
	want("one", "scheduled", "postponed Strike", "scheduled")
	patch(0, `{"event_status":"canceled","event_status_reason":"Flood","scope":"all"}`)
	want("all", "canceled Flood", "postponed Strike", "canceled Flood")
	patch(2, `{"event_status":"scheduled","scope":"all"}`)
	want("all again", "scheduled", "postponed Strike", "scheduled")
	status, answer := patch(
		0,
		`{"rescheduled":true,"start_date":"2031-05-06 20:00","scope":"all"}`,
	)
	if got := sample.Complaint(answer); status != http.StatusBadRequest ||
		got != "rest_invalid_param rescheduled" {
		t.Errorf("a new date of all: %d %s", status, got)
	}
	patch(0, `{"rescheduled":true,"start_date":"2031-05-06 20:00","event_status_reason":"Late"}`)
	want("a new date of one", "scheduled Late", "postponed Strike", "scheduled")
	patch(1, `{"rescheduled":true,"start_date":"2031-05-14 20:00"}`)
	want("a postponed date is scheduled", "scheduled Late", "scheduled", "scheduled")

	patch(2, `{"event_status":"canceled","event_status_reason":"zqreason","password":"secret"}`)
	for _, path := range []string{"/events", "/events.ics", "/events.csv", "/events.rss", "/events.atom", "/events.feed.json"} {
		_, text := apitest.Text(
			t,
			c.Client(),
			http.MethodGet,
			c.URL+v1+path+"?start_date=2031-05-01",
			"",
		)
		if strings.Contains(string(text), "zqreason") ||
			!strings.Contains(strings.ToLower(string(text)), "cance") {
			t.Errorf("%s: %s", path, text)
		}
	}
	_, page := apitest.Text(t, c.Client(), http.MethodGet, c.URL+"/event/choir-2031-05-20/", "")
	if strings.Contains(string(page), "zqreason") ||
		!strings.Contains(string(page), `<span class="state">Cancelled</span>`) {
		t.Errorf("%s", page)
	}
}
