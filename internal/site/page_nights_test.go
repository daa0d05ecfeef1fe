// Days of pages: nights, zones, and events that stand first.

package site_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	gocmp "github.com/google/go-cmp/cmp"
)

// standing finds the days of a list or a month, and the events that stand on them.
var standing = regexp.MustCompile(
	`<time datetime="(\d{4}-\d\d-\d\d)"><span (?:class="weekday" )?aria-hidden|<bdi>(\w+)</bdi>`,
)

// standings returns the events of a page behind their days, as "2026-11-20 Party". A page without
// a heading is of a day.
func standings(body, day string) (all []string) {
	for _, found := range standing.FindAllStringSubmatch(body, -1) {
		if found[1] != "" {
			day = found[1]
			continue
		}
		all = append(all, day+" "+found[2])
	}
	return all
}

// A night stands on its first day alone, in every view, and is among the coming events until it is
// over; then it is past.
func TestPageNights(t *testing.T) {
	t.Parallel()
	c := sample.New(t) // in New York
	for _, e := range [][3]string{
		{"Party", "2026-11-21 22:00:00", "2026-11-22 00:30:00"}, {"Ball", "2026-11-21 20:00:00", "2026-11-22 06:00:00"},
		{"Watch", "2026-11-21 18:00:00", "2026-11-22 06:00:00"}, // 12 hours
		{"Dawn", "2026-11-21 23:00:00", "2026-11-22 06:01:00"}, {"Sunday", "2026-11-22 10:00:00", "2026-11-22 11:00:00"},
	} {
		c.Add(&store.Event{Title: e[0], Start: sample.Local(t, e[1]), End: sample.Local(t, e[2])})
	}
	h := sample.Site(t, c, api.Options{DayEnds: 6 * time.Hour})
	every := sample.Site(t, c, api.Options{})
	const saturday, sunday = "2026-11-21 ", "2026-11-22 "
	for _, tt := range []struct {
		h         http.Handler
		now, path string
		want      []string
	}{
		{h, "2026-11-21 12:00:00", "/events/", []string{saturday + "Watch", saturday + "Ball", saturday + "Party", saturday + "Dawn",
			sunday + "Sunday"}},
		{h, "2026-11-21 12:00:00", "/events/2026-11-22/", []string{sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{every, "2026-11-21 12:00:00", "/events/2026-11-22/", []string{sunday + "Watch", sunday + "Ball", sunday + "Party", sunday + "Dawn",
			sunday + "Sunday"}},
		{h, "2026-11-21 12:00:00", "/events/2026-11-21/", []string{saturday + "Watch", saturday + "Ball", saturday + "Party",
			saturday + "Dawn"}},
		{h, "2026-11-21 12:00:00", "/events/week/2026-11-22/", []string{sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{h, "2026-11-21 12:00:00", "/events/tomorrow/", []string{sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{h, "2026-11-22 00:30:00", "/events/", []string{saturday + "Ball", saturday + "Party", sunday + "Watch", sunday + "Dawn",
			sunday + "Sunday"}},
		{h, "2026-11-22 00:30:00", "/events/today/", []string{sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{h, "2026-11-22 00:30:00", "/events/past/", nil},
		{h, "2026-11-22 00:31:00", "/events/", []string{saturday + "Ball", sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{h, "2026-11-22 00:31:00", "/events/past/", []string{saturday + "Party"}},
		{h, "2026-11-22 06:01:00", "/events/", []string{sunday + "Watch", sunday + "Dawn", sunday + "Sunday"}},
		{h, "2026-11-22 06:01:00", "/events/past/", []string{saturday + "Party", saturday + "Ball"}},
		{every, "2026-11-22 06:01:00", "/events/past/", nil},
	} {
		at, err := time.Parse(time.DateTime, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		c.Clock.Set(at.Add(5 * time.Hour))
		day := "2026-11-22"
		if strings.Contains(tt.path, "2026-11-21") {
			day = "2026-11-21"
		}
		for range 3 { // as it is made, and as it is remembered
			if diff := gocmp.Diff(tt.want, standings(look(t, tt.h, tt.path), day)); diff != "" {
				t.Errorf("%s at %s (-want, +got):\n%s", tt.path, tt.now, diff)
			}
		}
	}
	titles := func(query string) (all []string) { // of a list of the API
		body := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+v1+"/events?"+query,
			"",
		).Body.String()
		for _, found := range regexp.MustCompile(`"title":"(\w+)","description"`).FindAllStringSubmatch(body, -1) {
			all = append(all, found[1])
		}
		return all
	}
	if diff := gocmp.Diff([]string{"Watch", "Ball", "Party", "Dawn", "Sunday"}, titles("when=today")); diff != "" {
		t.Errorf("the API on Sunday (-want, +got):\n%s", diff)
	}
}

// An event of another zone stands on the day of the site, with its own clock where that has the
// same date. It is over when its moment has come. A list that begins behind it does not have it,
// and what is over is never of tomorrow.
func TestPageZonesOfEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t) // in New York, at 19:00 on Friday
	for _, e := range [][4]string{
		{"Breakfast", "Asia/Tokyo", "2026-11-21 07:00:00", "2026-11-21 08:30:00"}, // 17:00 to 18:30 on Friday
		{"Lunch", "Asia/Tokyo", "2026-11-21 11:00:00", "2026-11-21 12:00:00"},     // 21:00 to 22:00 on Friday
		{"Dinner", "Asia/Tokyo", "2026-11-21 21:00:00", "2026-11-21 22:00:00"},    // 7:00 to 8:00 on Saturday
		{"Coffee", "Europe/Paris", "2026-11-21 16:00:00", "2026-11-21 17:00:00"},  // 10:00 to 11:00 on Saturday
		{"Breaking", "Europe/Paris", "2026-11-20 09:00:00", "2026-11-20 10:00:00"},
	} {
		c.Add(&store.Event{
			Title:    e[0],
			Timezone: e[1],
			Start:    sample.Local(t, e[2]),
			End:      sample.Local(t, e[3]),
		})
	}
	c.Add(&store.Event{
		Title:    "Holiday",
		Timezone: "Asia/Tokyo",
		AllDay:   true,
		Start:    sample.Local(t, "2026-11-21 00:00:00"),
		End:      sample.Local(t, "2026-11-21 23:59:59"),
	})
	h := sample.Site(t, c, api.Options{})
	const friday, saturday = "2026-11-20 ", "2026-11-21 "
	for path, want := range map[string][]string{
		"/events/": {friday + "Breaking", friday + "Breakfast", friday + "Lunch", saturday + "Holiday", saturday + "Dinner",
			saturday + "Coffee"},
		"/events/week/": {friday + "Breaking", friday + "Breakfast", friday + "Lunch", saturday + "Holiday", saturday + "Dinner",
			saturday + "Coffee"},
		"/events/past/": nil,
	} {
		if diff := gocmp.Diff(want, standings(look(t, h, path), "")); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", path, diff)
		}
	}
	for title, want := range map[string][2]string{
		"Breakfast": {"5:00 – 6:30 PM", "5:00 PM"},
		"Dinner":    {"9:00 – 10:00 PM Tokyo time", "7:00 AM"},
		"Coffee":    {"4:00 – 5:00 PM Paris time", "10:00 AM"},
		"Holiday":   {"All day", "All day"},
	} {
		if got := textOf(look(t, h, "/events/"), `<bdi>`+title+`</bdi></a></h3>\n<p class="when">.*?</p>`); got != title+" "+want[0] {
			t.Errorf("in the list: %q, want %q", got, want[0])
		}
		cell := `<li[^>]*><span class="when">[^<]*</span> <a href="[^"]*"><bdi>` + title + `</bdi>`
		if got := textOf(look(t, h, "/events/month/"), cell); got != want[1]+" "+title {
			t.Errorf("in the month: %q, want %q", got, want[1])
		}
	}
	c.Clock.Set(sample.Evening.Add(5 * time.Hour)) // midnight
	if diff := gocmp.Diff([]string{saturday + "Holiday", saturday + "Dinner", saturday + "Coffee"},
		standings(look(t, h, "/events/"), "")); diff != "" {
		t.Errorf("on the next day (-want, +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{friday + "Lunch", friday + "Breakfast", friday + "Breaking"},
		standings(look(t, h, "/events/past/"), "")); diff != "" {
		t.Errorf("past on the next day (-want, +got):\n%s", diff)
	}
	over := func(name string) bool { return strings.Contains(look(t, h, "/event/"+name+"/"), "This event is over.") }
	if !over("lunch") || over("dinner") {
		t.Errorf("lunch is over: %v, and dinner: %v", over("lunch"), over("dinner"))
	}
}

// An event that is kept at the top is the first of its day in lists and months, on whichever page
// of a list that day is. One with a password is not, as that would tell what is inside.
func TestPageStickyEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for i, title := range []string{"Early", "Noon", "Late", "Locked", "Other"} {
		e := &store.Event{
			Title:  title,
			Start:  sample.Local(t, fmt.Sprintf("2026-11-21 %02d:00:00", 9+i)),
			Sticky: i > 1,
		}
		if title == "Locked" {
			e.Password = "secret"
		}
		if title == "Other" {
			e.Start += 86_400
		}
		e.End = e.Start + 3600
		c.Add(e)
	}
	h := sample.Site(t, c, api.Options{PerPage: 2})
	const saturday, sunday = "2026-11-21 ", "2026-11-22 "
	all := []string{
		saturday + "Late",
		saturday + "Early",
		saturday + "Noon",
		saturday + "Locked",
		sunday + "Other",
	}
	var listed []string
	for _, path := range []string{"/events/", "/events/page/2/", "/events/page/3/"} {
		listed = append(listed, standings(look(t, h, path), "")...)
	}
	c.Clock.Advance(7 * 24 * time.Hour)
	past := standings(look(t, sample.Site(t, c, api.Options{}), "/events/past/"), "")
	for name, of := range map[string][2][]string{
		"list": {all, listed}, "month": {all, standings(look(t, h, "/events/month/"), "")},
		"day":  {all[:4], standings(look(t, h, "/events/2026-11-21/"), "2026-11-21")},
		"past": {{all[4], all[0], all[3], all[2], all[1]}, past},
	} {
		if diff := gocmp.Diff(of[0], of[1]); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", name, diff)
		}
	}
}

// What goes on for weeks stands apart from the days, also where events of today are before it.
func TestPageStickyBesideOngoing(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Title: "Exhibition",
		Start: sample.Local(t, "2026-11-02 10:00:00"),
		End:   sample.Local(t, "2026-12-20 18:00:00"),
	})
	for _, title := range []string{"One", "Two", "Three"} {
		c.Add(&store.Event{
			Title:  title,
			Sticky: true,
			Start:  sample.Local(t, "2026-11-20 20:00:00"),
			End:    sample.Local(t, "2026-11-20 21:00:00"),
		})
	}
	h := sample.Site(t, c, api.Options{PerPage: 2})
	got := append(
		standings(look(t, h, "/events/"), "now"),
		standings(look(t, h, "/events/page/2/"), "")...)
	want := []string{
		"now Exhibition",
		"2026-11-20 One",
		"2026-11-20 Two",
		"2026-11-20 Three",
		"2026-12-20 Exhibition",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// A month counts no night of the day before it. An event is over by its moment, in the hour too
// that clocks show twice.
func TestPageNightsBetween(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	hall := c.Add(&store.Venue{Name: "Hall"})
	c.Add(&store.Event{
		Title:  "Ghosts",
		Venues: []int64{hall},
		Start:  sample.Local(t, "2026-11-01 00:30:00"),
		End:    sample.Local(t, "2026-11-01 01:15:00"),
	})
	c.Add(&store.Event{
		Title:  "Eve",
		Venues: []int64{hall},
		Start:  sample.Local(t, "2026-11-30 23:00:00"),
		End:    sample.Local(t, "2026-12-01 01:00:00"),
	})
	h := sample.Site(t, c, api.Options{DayEnds: 6 * time.Hour})
	for month, want := range map[string]string{"2026-11": "2 events", "2026-12": "0 events"} {
		if body := look(t, h, "/events/month/"+month+"/"); !strings.Contains(
			body,
			" · "+want+`">`,
		) {
			t.Errorf("%s has not %s: %s", month, want, textOf(body, `<head>.*</head>`))
		}
	}
	for _, tt := range []struct {
		utc  string
		over bool
	}{{"05:10", false}, {"05:20", true}, {"06:05", true}} { // 1:10, 1:20, and 1:05 again
		at, err := time.Parse(time.RFC3339, "2026-11-01T"+tt.utc+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		c.Clock.Set(at)
		if over := strings.Contains(look(t, h, "/event/ghosts/"), "This event is over."); over != tt.over {
			t.Errorf("at %s it is over: %v", tt.utc, over)
		}
		if beside := strings.Contains(look(t, h, "/event/eve/"), "Ghosts"); beside == tt.over {
			t.Errorf("at %s the page of another event leads there: %v", tt.utc, beside)
		}
	}
}

// A modelEvent is an event as a plain model of days has it: two moments, or two dates.
type modelEvent struct {
	title       string
	number      int
	start, end  time.Time // in the zone of the site; of whole days as if they were of this zone
	first, last time.Time // days at the site, as their midnights in UTC
	ended       time.Time // moment
	sticky      bool
}

// dateOf returns the day that a clock shows, as its midnight in UTC.
func dateOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// wallOf returns what a clock shows, in UTC.
func wallOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// on reports whether the event is on some days.
func (e *modelEvent) on(first, after time.Time) bool {
	return e.first.Before(after) && !e.last.Before(first)
}

// modelOf makes a random event of two years from 2031 on, and its model at a site. There is none
// if a clock shows a reading of it twice.
func modelOf(
	rng *rand.Rand,
	i int,
	zones []*time.Location,
	site *time.Location,
) (*store.Event, *modelEvent) {
	zone := site
	if rng.IntN(2) == 0 {
		zone = zones[rng.IntN(len(zones))]
	}
	start := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC).
		Add(time.Duration(rng.IntN(2*365*24*4)) * 15 * time.Minute).
		In(zone)
	if rng.IntN(3) == 0 { // in the evening
		start = time.Date(start.Year(), start.Month(), start.Day(), 19+rng.IntN(5), 0, 0, 0, zone)
	}
	end := start.Add(time.Duration(rng.IntN(4*13)) * 15 * time.Minute)
	switch rng.IntN(12) {
	case 0:
		end = start.Add(time.Duration(rng.IntN(100)) * time.Hour)
	case 1:
		end = start
	case 2: // at a midnight
		end = time.Date(start.Year(), start.Month(), start.Day()+1+rng.IntN(3), 0, 0, 0, 0, zone)
	}
	stored := &store.Event{
		Title:    fmt.Sprintf("e%d", i),
		Timezone: zone.String(),
		Sticky:   rng.IntN(8) == 0,
	}
	m := &modelEvent{title: stored.Title, number: i, sticky: stored.Sticky}
	if rng.IntN(8) == 0 {
		stored.AllDay = true
		start = time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, zone)
		end = time.Date(end.Year(), end.Month(), end.Day(), 23, 59, 59, 0, zone)
	}
	stored.Start = store.WallOf(wallOf(start))
	stored.End = store.WallOf(wallOf(end))
	named, err := caltime.LoadZone(zone.String())
	isPlain := err == nil && named.Instant(wallOf(start)).Equal(start) &&
		named.Instant(wallOf(end)).Equal(end)
	if !isPlain || stored.End < stored.Start {
		return nil, nil
	}
	m.ended = end
	if m.start, m.end = start.In(site), end.In(site); stored.AllDay {
		m.start = wallOf(start)
		m.end = wallOf(end)
	}
	m.first, m.last = dateOf(m.start), dateOf(m.end)
	if m.end.After(m.start) && wallOf(m.end).Equal(m.last) {
		m.last = m.last.AddDate(0, 0, -1)
	}
	if !stored.AllDay && m.last.Equal(m.first.AddDate(0, 0, 1)) &&
		wallOf(m.end).Sub(m.last) <= 6*time.Hour &&
		wallOf(m.end).Sub(wallOf(m.start)) < 12*time.Hour {
		m.last = m.first
	}
	return stored, m
}

// Pages agree with a plain model of days: two moments of an event, seen from the site, say where
// it stands, and its end whether it is past. The order of a day is that of the moments, behind
// events that stand first.
func TestPageDaysOfModel(t *testing.T) {
	t.Parallel()
	var zones []*time.Location
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "America/St_Johns",
		"Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	for number, site := range zones {
		t.Run(site.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(31, uint64(number)))
			server := almanactest.Start(t, almanactest.Options{Now: sample.Evening, Zone: site.String()})
			var events []*modelEvent
			var stored []any
			for i := range 700 {
				if e, m := modelOf(rng, i, zones, site); e != nil {
					events = append(events, m)
					stored = append(stored, e)
				}
			}
			server.Seed(stored...)
			accounts, err := account.Memory()
			if err != nil {
				t.Fatal(err)
			}
			zone, err := caltime.LoadZone(site.String())
			if err != nil {
				t.Fatal(err)
			}
			h, err := api.New(api.Options{
				Store:      server.Store,
				Accounts:   accounts,
				Clock:      server.Clock,
				Site:       zone,
				Pages:      true,
				NoLimits:   true,
				PerPage:    40,
				MaxPerPage: 500,
				DayEnds:    6 * time.Hour,
			}, almanactest.Routes)
			if err != nil {
				t.Fatal(err)
			}
			for range 12 {
				now := time.Date(2031, 1, 20, 0, 0, 0, 0, site).
					Add(time.Duration(rng.IntN(650*24*60)) * time.Minute)
				if rng.IntN(2) == 0 { // in the night
					now = time.Date(
						now.Year(),
						now.Month(),
						now.Day(),
						rng.IntN(7),
						rng.IntN(60),
						0,
						0,
						site,
					)
				}
				server.Clock.Set(now)
				checkDays(t, h, now, events)
			}
		})
	}
}

// checkDays compares the pages at a moment with a model.
func checkDays(t *testing.T, h http.Handler, now time.Time, events []*modelEvent) {
	t.Helper()
	const day = 24 * time.Hour
	today := dateOf(now)
	isPast := func(e *modelEvent) bool { return e.last.Before(today) && e.ended.Before(now) }
	// inOrder returns the events that a test selects behind the days on which they stand, in the
	// order of a list.
	inOrder := func(from time.Time, latestFirst bool, selects func(*modelEvent) bool) (all []string) {
		standsOn := func(e *modelEvent) time.Time {
			if e.first.Before(from) && !e.last.Before(from) {
				return from
			}
			return e.first
		}
		var chosen []*modelEvent
		for _, e := range events {
			if selects(e) {
				chosen = append(chosen, e)
			}
		}
		slices.SortStableFunc(chosen, func(a, b *modelEvent) int {
			byDay := standsOn(a).Compare(standsOn(b))
			byStart := cmp.Or(wallOf(a.start).Compare(wallOf(b.start)), a.number-b.number)
			if latestFirst {
				byDay = -byDay
				byStart = -byStart
			}
			first := 0
			if a.sticky != b.sticky {
				first = map[bool]int{true: -1, false: 1}[a.sticky]
			}
			return cmp.Or(byDay, first, byStart)
		})
		for _, e := range chosen {
			all = append(all, standsOn(e).Format(time.DateOnly)+" "+e.title)
		}
		return all
	}
	compare := func(path string, want, got []string) {
		t.Helper()
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("%s at %s (-want, +got):\n%s", path, now, diff)
		}
	}
	// pages returns the events of all pages of a list.
	pages := func(path string) (all []string) {
		for n := 1; ; n++ {
			rec := apitest.Serve(
				h,
				http.MethodGet,
				fmt.Sprintf("http://example.com%spage/%d/", path, n),
				"",
				"Accept",
				"text/html",
			)
			if rec.Code != http.StatusOK {
				return all
			}
			all = append(all, standings(rec.Body.String(), "")...)
		}
	}
	compare(
		"/events/",
		inOrder(today, false, func(e *modelEvent) bool { return !isPast(e) }),
		pages("/events/"),
	)
	compare("/events/past/", inOrder(time.Time{}, true, isPast), pages("/events/past/"))
	week := today.AddDate(0, 0, -int(today.Weekday()))
	weekend := today.AddDate(0, 0, 6-int(today.Weekday()))
	if today.Weekday() == time.Sunday {
		weekend = today.AddDate(0, 0, -1)
	}
	for _, tt := range []struct {
		view         string
		first, after time.Time
	}{
		{"today", today, today.Add(day)}, {"tomorrow", today.Add(day), today.Add(2 * day)}, {"this-week", week, week.Add(7 * day)},
		{"this-weekend", weekend, weekend.Add(2 * day)}, {today.Add(9 * day).Format(time.DateOnly), today.Add(9 * day), today.Add(10 * day)},
	} {
		path := "/events/" + tt.view + "/"
		want := inOrder(
			tt.first,
			false,
			func(e *modelEvent) bool { return e.on(tt.first, tt.after) },
		)
		compare(path, want, standings(look(t, h, path), tt.first.Format(time.DateOnly)))
	}
	month := today.AddDate(0, 0, 1-today.Day())
	for path, days := range map[string][2]time.Time{
		"/events/month/": {month, month.AddDate(0, 1, 0)},
		"/events/week/":  {week, week.Add(7 * day)},
	} {
		var want []string
		for on := days[0]; on.Before(days[1]); on = on.Add(day) {
			want = append(
				want,
				inOrder(on, false, func(e *modelEvent) bool { return e.on(on, on.Add(day)) })...)
		}
		got := standings(look(t, h, path), "")
		slices.Sort(want) // bars stand above other events
		slices.Sort(got)
		compare(path, want, got)
	}
}
