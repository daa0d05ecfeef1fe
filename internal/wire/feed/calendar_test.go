package feed_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/render"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// golden compares a document whose lines end in CRLF with a file in which they end as in
// other files.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	text := strings.ReplaceAll(string(got), "\r\n", "\n")
	if *update {
		if err := os.WriteFile("testdata/"+name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// calendarOf writes events, each as one of no series.
func calendarOf(r *render.Renderer, events []*store.Event) []byte {
	b := feed.Calendar.Head(nil, page())
	var zones []*caltime.Zone
	from := events[0].Start
	to := events[0].End
	for _, e := range events {
		zones = append(zones, feed.ZoneOf(r, e))
		from = min(from, e.Start)
		to = max(to, e.End)
	}
	b = feed.AppendZones(b, zones, from.Time().AddDate(0, 0, -1), to.Time().AddDate(0, 0, 1))
	for _, e := range events {
		b = feed.Calendar.Event(b, r, e)
	}
	return append(b, feed.Calendar.Tail...)
}

// Beside the events of the town there are some in zones that have more than one name.
func TestCalendar(t *testing.T) {
	w, events := town()
	draft := post(6, store.Pending, "cet")
	private := post(7, store.Private, "private")
	draft.Modified = draft.Date.Add(90 * time.Second)
	events = append(events,
		&store.Event{
			Post:        draft,
			Title:       "A draft in CET, which has no summer time here",
			Timezone:    "CET",
			NoWebsite:   true,
			Start:       local("2026-07-01 10:00:00"),
			End:         local("2026-07-01 11:00:00"),
			ShowMap:     true,
			ShowMapLink: true,
		},
		&store.Event{
			Post:        private,
			Title:       "Private; in a zone whose name has a colon",
			Timezone:    "+02:00",
			Start:       local("2026-07-01 10:00:00"),
			End:         local("2026-07-01 11:00:00"),
			ShowMap:     true,
			ShowMapLink: true,
		},
		&store.Event{
			Post:        post(8, store.Publish, "twice"),
			Title:       "In an hour that comes twice",
			Timezone:    "Europe/Paris",
			Start:       local("2026-10-25 02:30:00"),
			End:         local("2026-10-25 04:00:00"),
			ShowMap:     true,
			ShowMapLink: true,
		})
	golden(t, "calendar.ics", calendarOf(w.stranger(), events))
}

func TestCalendarOfNothing(t *testing.T) {
	got := string(feed.Calendar.Head(nil, &feed.List{Name: "x"})) + feed.Calendar.Tail
	for _, line := range strings.Split(got, "\r\n") {
		if strings.HasPrefix(line, "SOURCE") || strings.HasPrefix(line, "URL") ||
			strings.HasPrefix(line, "LAST") {
			t.Errorf("says %q", line)
		}
	}
	if !strings.HasPrefix(got, "BEGIN:VCALENDAR\r\n") ||
		!strings.HasSuffix(got, "\r\nEND:VCALENDAR\r\n") {
		t.Error(got)
	}
}

// Each change of a record makes the sequence grow, as far as there are numbers for it.
func TestSequence(t *testing.T) {
	w, events := town()
	r := w.stranger()
	e := events[1]
	for modified, want := range map[time.Time]string{
		{}:                           "0",
		e.Date:                       "0",
		e.Date.Add(-time.Hour):       "0",
		e.Date.Add(90 * time.Second): "90",
		e.Date.AddDate(100, 0, 0):    "2147483647",
	} {
		next := *e
		next.Modified = modified
		if got := string(feed.Calendar.Event(nil, r, &next)); !strings.Contains(
			got,
			"\r\nSEQUENCE:"+want+"\r\n",
		) {
			t.Errorf("changed at %v: want %s in\n%s", modified, want, got)
		}
	}
}

// Where clocks were some seconds off a minute, which readers drop, moments are in UTC.
func TestOddSeconds(t *testing.T) {
	w, _ := town()
	for _, tt := range []struct{ start, zone, want string }{
		{"1971-06-01 12:00:00", "Africa/Monrovia",
			"DTSTART:19710601T124430Z\r\nDTEND:19710601T134430Z\r\nX-ALMANAC-TIMEZONE:Africa/Monrovia\r\n"},
		{"1973-06-01 12:00:00", "Africa/Monrovia", "DTSTART;TZID=Africa/Monrovia:19730601T120000\r\n"},
		{"1800-01-01 12:00:00", "America/New_York", "DTSTART:18000101T165602Z\r\n"},
	} {
		e := &store.Event{
			Post:     post(6, store.Publish, "odd"),
			Start:    local(tt.start),
			End:      local(tt.start) + 3600,
			Timezone: tt.zone,
		}
		if got := string(calendarOf(w.stranger(), []*store.Event{e})); !strings.Contains(
			got,
			"\r\n"+tt.want,
		) {
			t.Errorf("%s in %s: want %q in\n%s", tt.start, tt.zone, tt.want, got)
		}
	}
}

func BenchmarkCalendarEvent(b *testing.B) {
	w, _ := town()
	e := &store.Event{
		Post:     post(123, store.Publish, "summer-fair-in-the-park"),
		Title:    "Summer fair in the park",
		Timezone: "Europe/Berlin",
		Start:    local("2031-05-10 14:00:00"),
		End:      local("2031-05-10 18:00:00"),
		Cost: store.Cost{
			Entries: []string{"10"},
		},
		ShowMap:     true,
		ShowMapLink: true,
		Venues:      []int64{10},
		Organizers:  []int64{20},
		Categories:  []int64{40},
		Tags:        []int64{50},
	}
	e.Description = "Music, food and games for all ages. It's free for children, and there is a tent if it rains.\n\n" +
		"Bring a blanket. The gates open at two."
	r := w.stranger()
	out := []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		out = feed.Calendar.Event(out[:0], r, e)
	}
	b.SetBytes(int64(len(out)))
}
