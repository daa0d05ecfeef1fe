package api_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/feed"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// documentOf asks for a document as a role and returns the answer with its body.
func documentOf(
	t *testing.T,
	c *sample.Calendar,
	role account.Role,
	path string,
	headers ...string,
) (*http.Response, string) {
	t.Helper()
	return c.Page(t, http.MethodGet, role, v1+strings.ReplaceAll(path, " ", "%20"), headers...)
}

// Every document of a list has the events that the list has, for everybody.
func TestDocumentsOfLists(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	for _, query := range []string{
		"", "categories={Music}", "search=a", "status=any", "featured=true", "orderby=title", "order=desc", "include={One},{Two}",
		"starts_after=2031-04-10&ends_before=2031-04-12", "password=pw",
	} {
		for _, role := range sample.Everybody {
			whole := "starts_after=2000-01-01&per_page=50&" + query
			_, list := c.Get(t, role, "/events?"+whole)
			if list["events"] == nil {
				continue // it is refused to that one
			}
			want := sample.Names(list)
			for extension, f := range map[string]feed.Format{
				".ics":       feed.Calendar,
				".csv":       feed.CSV,
				".rss":       feed.RSS,
				".atom":      feed.Atom,
				".feed.json": feed.JSON,
			} {
				resp, body := documentOf(t, c, role, "/events"+extension+"?"+whole)
				got := sample.Titles(t, extension, body)
				want := slices.Clone(want)
				if !f.Whole && !strings.Contains(query, "orderby") {
					slices.Sort(want)
					slices.Sort(got)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s?%s as %q (-list, +document):\n%s", extension, query, role, diff)
				}
				if got := resp.Header.Get("Content-Type"); got != f.Media {
					t.Errorf("%s: the type is %q, want %q", extension, got, f.Media)
				}
			}
		}
	}
}

// A list that is longer than what is taken from one state of the store is whole, also
// when many of its events begin at the same time, and when others are written while
// it is sent.
func TestLongDocument(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	start := sample.Local(t, "2031-05-06 19:00:00")
	var want []string
	err := c.Store.Update(1, func(tx *store.Tx) error {
		for i := range 400 {
			e := &store.Event{
				Title: fmt.Sprintf("E%03d", i),
				Post: store.Post{
					Status: store.Publish,
					Date:   sample.Evening,
				},
				Start:    start + store.Wall(i/300),
				End:      start + 1000,
				Timezone: "UTC",
			}
			want = append(want, e.Title)
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	documentOf(t, c, "", "/events") // hosts are known from their second request on
	for _, path := range []string{"/events.csv?starts_after=2000-01-01", "/events.csv?starts_after=2000-01-01&order=desc",
		"/events.csv?starts_after=2000-01-01&search=e"} {
		for turn := range 3 { // made, made and remembered, remembered
			_, body := documentOf(t, c, "", path)
			got := sample.Titles(t, ".csv", body)
			if strings.Contains(path, "desc") {
				slices.Reverse(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, turn %d (-want, +got):\n%s", path, turn, diff)
			}
		}
	}

	write := func() {
		err := c.Store.Update(1, func(tx *store.Tx) error {
			for i := range 4 * 128 { // more than are taken at a time, and before those that begin when they do
				e := &store.Event{
					Title: "new",
					Post: store.Post{
						Status: store.Publish,
						Date:   sample.Evening.AddDate(0, 0, -1),
					},
					Start:    start + store.Wall(i%2),
					End:      start + 1000,
					Timezone: "UTC",
				}
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	server, err := api.New(api.Options{
		Store:    c.Store,
		Accounts: accounts,
		Clock:    c.Clock,
		NoLimits: true,
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	end := meanwhile(write)
	w := apitest.Serve(
		server,
		http.MethodGet,
		"http://example.com"+v1+"/events.csv?starts_after=2000-01-01",
		"",
	)
	end()
	got := sample.Titles(t, ".csv", w.Body.String())
	if diff := cmp.Diff(want, slices.DeleteFunc(got, func(title string) bool { return title == "new" })); diff != "" {
		t.Errorf("while others are written (-want, +got):\n%s", diff)
	}
}

// A document is asked for by its address or by Accept, and answered like all else:
// with a tag, compressed, and by HEAD.
func TestDocumentManners(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	whole, body := documentOf(t, c, "", "/events.ics?starts_after=2000-01-01")
	if !strings.HasPrefix(body, "BEGIN:VCALENDAR\r\n") ||
		!strings.HasSuffix(body, "END:VCALENDAR\r\n") {
		t.Fatalf("no calendar: %s", body)
	}
	for _, tt := range []struct{ path, accept, want string }{
		{"/events", "text/calendar", feed.Calendar.Media}, {"/events", "text/calendar, */*;q=0.1", feed.Calendar.Media},
		{"/events", "Application/RSS+xml;q=0.9, text/html", feed.RSS.Media}, {"/events", "application/feed+json", feed.JSON.Media},
		{"/events", "text/csv", feed.CSV.Media}, {"/events", "application/atom+xml", feed.Atom.Media},
		{"/events", "*/*, text/calendar", "application/json; charset=UTF-8"}, {"/events", "text/html", "application/json; charset=UTF-8"},
		{"/events", "text/calendar;q=0, application/json", "application/json; charset=UTF-8"},
		{"/events/{One}", "text/calendar", feed.Calendar.Media}, {"/events/by-slug/one", "text/calendar", feed.Calendar.Media},
		{"/events/{One}", "text/csv", "application/json; charset=UTF-8"}, {"/venues", "text/calendar", "application/json; charset=UTF-8"},
		{"/events/{One}.ics", "*/*", feed.Calendar.Media}, {"/events/by-slug/one.ics/", "*/*", feed.Calendar.Media},
		{"/events.ics/", "application/json", feed.Calendar.Media},
		{"/events/{One}.csv", "*/*", "application/json; charset=UTF-8"}, {"/venues.ics", "*/*", "application/json; charset=UTF-8"},
	} {
		resp, _ := documentOf(t, c, "", tt.path, "Accept", tt.accept)
		if got := resp.Header.Get("Content-Type"); got != tt.want {
			t.Errorf("%s, Accept: %s: %q, want %q", tt.path, tt.accept, got, tt.want)
		}
		if negotiated := strings.HasSuffix(resp.Header.Get("Vary"), ", Accept"); negotiated != strings.HasPrefix(
			tt.path,
			"/events",
		) &&
			resp.StatusCode == http.StatusOK {
			t.Errorf("%s: Vary is %q", tt.path, resp.Header.Get("Vary"))
		}
	}
	tag := whole.Header.Get("ETag")
	if resp, _ := documentOf(t, c, "", "/events.ics?starts_after=2000-01-01", "If-None-Match", tag); tag == "" ||
		resp.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with the tag %s: %d, want 304", tag, resp.StatusCode)
	}
	for range 3 {
		resp, packed := documentOf(
			t, c,
			"",
			"/events.ics?starts_after=2000-01-01",
			"Accept-Encoding",
			"gzip",
		)
		z, err := gzip.NewReader(strings.NewReader(packed))
		if err != nil || resp.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%v, %v", err, resp.Header)
		}
		plain, err := io.ReadAll(z)
		if diff := cmp.Diff(body, string(plain)); diff != "" || err != nil {
			t.Errorf("compressed: %v (-plain, +got):\n%s", err, diff)
		}
	}
	resp, err := c.As("").Head(c.URL + v1 + "/events.ics?starts_after=2000-01-01")
	if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") != tag {
		t.Errorf("HEAD: %v, %v", resp, err)
	}
	resp.Body.Close()
	if got, want := whole.Header.Get("Content-Disposition"), `attachment; filename="events.ics"`; got != want {
		t.Errorf("Content-Disposition is %q, want %q", got, want)
	}
	if _, single := documentOf(t, c, "", "/events/{One}.ics"); !slices.Equal(
		sample.Titles(t, ".ics", single),
		[]string{"One"},
	) {
		t.Errorf("a calendar of one event: %s", single)
	}
	c.Add(&store.Event{Title: "Later"})
	if resp, _ := documentOf(t, c, "", "/events.ics?starts_after=2000-01-01", "If-None-Match", tag); resp.StatusCode != http.StatusOK {
		t.Errorf("after a write, with the tag of before: %d, want 200", resp.StatusCode)
	}
}

// A series is one event with its rule in a calendar; with expand=true, and for callers who may not
// read the series, its events stand alone. The filter of the request selects its dates.
func TestSeriesInCalendars(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	_, choir := c.AddSeries(t, store.Event{
		Title: "Choir",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	_, hidden := c.AddSeries(t, store.Event{
		Title: "Sketch",
		Post: store.Post{
			Status: store.Draft,
			Author: sample.EditorID,
		},
	})
	err := c.Store.Update(1, func(tx *store.Tx) error {
		changed := *tx.Event(choir[1].ID)
		changed.Start = changed.Start + 3600
		changed.End = changed.End + 3600
		changed.Timezone = "America/Chicago"
		published := *tx.Event(hidden[0].ID)
		published.Status = store.Publish
		if err := tx.Put(&changed); err != nil {
			return err
		}
		return tx.Put(&published)
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(TZID|DTSTART|RRULE|RDATE|EXDATE|RECURRENCE-ID|SUMMARY)\b.*`)
	for _, tt := range []struct {
		role  account.Role
		query string
		want  []string
	}{
		{"", "", []string{"TZID:America/Chicago", "TZID:Europe/Paris",
			"DTSTART;TZID=Europe/Paris:20310506T190000", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Choir",
			"RECURRENCE-ID;TZID=Europe/Paris:20310513T190000", "DTSTART;TZID=America/Chicago:20310513T200000", "SUMMARY:Choir",
			"DTSTART;TZID=Europe/Paris:20310506T190000", "SUMMARY:Sketch"}},
		{"", "expand=true", []string{"TZID:America/Chicago", "TZID:Europe/Paris",
			"DTSTART;TZID=Europe/Paris:20310506T190000", "SUMMARY:Choir", "DTSTART;TZID=Europe/Paris:20310506T190000", "SUMMARY:Sketch",
			"DTSTART;TZID=America/Chicago:20310513T200000", "SUMMARY:Choir", "DTSTART;TZID=Europe/Paris:20310520T190000", "SUMMARY:Choir"}},
		{"", "first_of_series=true&search=choir", []string{"TZID:Europe/Paris", "DTSTART;TZID=Europe/Paris:20310506T190000", "SUMMARY:Choir"}},
		{account.Editor, "search=sketch&status=any", []string{"TZID:Europe/Paris",
			"DTSTART;TZID=Europe/Paris:20310506T190000", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Sketch",
			"RECURRENCE-ID;TZID=Europe/Paris:20310506T190000", "DTSTART;TZID=Europe/Paris:20310506T190000", "SUMMARY:Sketch"}}, // it is published
	} {
		_, body := documentOf(t, c, tt.role, "/events.ics?starts_after=2031-05-01&"+tt.query)
		var got []string
		for _, line := range lines.FindAllString(body, -1) {
			if line = strings.TrimSpace(line); !regexp.MustCompile(`^DTSTART:|^RRULE:FREQ=YEARLY`).
				MatchString(line) { // of zones
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q %s (-want, +got):\n%s", tt.role, tt.query, diff)
		}
	}
}

// A calendar has the zones that its times are in, each once, and no others: neither those of days
// nor of hours that clocks show twice, which are written in UTC.
func TestZonesOfDocuments(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.SeedFile("@torture")
	named := regexp.MustCompile(`(?m)^TZID:(.*)\r$`)
	used := regexp.MustCompile(`;TZID=("[^"]*"|[^:;]+)`)
	for _, query := range []string{
		"", "?starts_after=0001-01-01", "?starts_after=0001-01-01&expand=true", "?search=twice", "?search=twice&expand=true",
	} {
		for range 3 { // made, made and remembered, remembered
			_, body := documentOf(t, c, account.Administrator, "/events.ics"+query)
			body = strings.ReplaceAll(body, "\r\n ", "")
			var zones, times []string
			for _, match := range named.FindAllStringSubmatch(body, -1) {
				zones = append(zones, match[1])
			}
			for _, match := range used.FindAllStringSubmatch(body, -1) {
				times = append(times, strings.Trim(match[1], `"`))
			}
			slices.Sort(zones)
			slices.Sort(times)
			if diff := cmp.Diff(slices.Compact(times), zones); diff != "" || len(times) == 0 {
				t.Errorf("%s (-zones of times, +zones):\n%s", query, diff)
			}
		}
	}
}

// The first events of series are those of the whole list, however far a document has come.
func TestFirstOfSeriesInDocuments(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	c.Add(&store.Event{
		Title: "Between",
		Start: sample.Local(t, "2031-05-07 19:00:00"),
		End:   sample.Local(t, "2031-05-07 20:00:00"),
	})
	for _, extension := range []string{".ics", ".csv"} {
		_, body := documentOf(
			t, c,
			"",
			"/events"+extension+"?starts_after=2031-05-01&first_of_series=true",
		)
		if diff := cmp.Diff([]string{"Choir", "Between"}, sample.Titles(t, extension, body)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", extension, diff)
		}
	}
}
