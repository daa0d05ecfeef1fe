// Lists of the events of today, of a weekend, of a week: by the clock of the site and the customs
// of its region.

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A custom is the week of a region: the first day, and the days of the weekend.
type custom struct {
	region  string
	first   time.Weekday
	weekend []time.Weekday
}

var customs = []custom{
	{"GB", time.Monday, []time.Weekday{time.Saturday, time.Sunday}},
	{"US", time.Sunday, []time.Weekday{time.Saturday, time.Sunday}},
	{"EG", time.Saturday, []time.Weekday{time.Friday, time.Saturday}},
	{"MV", time.Friday, []time.Weekday{time.Saturday, time.Sunday}},
	{"IN", time.Sunday, []time.Weekday{time.Sunday}},
	{"AF", time.Saturday, []time.Weekday{time.Thursday, time.Friday}},
}

// has says whether a day is one of the days that a word means on another, found by walking from
// day to day.
func (c custom) has(word string, today, day time.Time) bool {
	next := func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) }
	isWeekend := func(t time.Time) bool { return slices.Contains(c.weekend, t.Weekday()) }
	switch word {
	case "today":
		return day.Equal(today)
	case "tomorrow":
		return next(day, -1).Equal(today)
	case "month":
		return day.Format("2006-01") == today.Format("2006-01")
	case "week": // no week begins between the two
		for t := range 7 {
			if next(today, -t).Weekday() == c.first {
				return !day.Before(next(today, -t)) && day.Before(next(today, 7-t))
			}
		}
	case "weekend":
		from := today
		for !isWeekend(from) {
			from = next(from, 1)
		}
		for isWeekend(next(from, -1)) {
			from = next(from, -1)
		}
		for ; isWeekend(from); from = next(from, 1) {
			if day.Equal(from) {
				return true
			}
		}
	}
	return false
}

// Words for days are whole days of the site's zone, in every zone and week, also where a clock
// changes at midnight. Events are on them by their own clocks, as in the cells of a month.
func TestWhen(t *testing.T) {
	t.Parallel()
	c := almanactest.Start(t, almanactest.Options{})
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var events []*store.Event
	var records []any
	for i := range 2*365 + 100 { // each day begins an event, of four kinds
		midnight := store.WallOf(from.AddDate(0, 0, i-30))
		for _, e := range [][2]store.Wall{{20 * 3600, 24 * 3600}, {0, 0}, {23*3600 + 3599, 26 * 3600}, {0, 3*24*3600 - 1}}[i%4 : i%4+1] {
			zone := []string{"UTC", "Pacific/Auckland", "America/New_York"}[i%3]
			events = append(events, &store.Event{
				Title:    fmt.Sprint(i),
				Timezone: zone,
				Start:    midnight + e[0],
				End:      midnight + e[1],
			})
			records = append(records, events[len(events)-1])
		}
	}
	c.Seed(records...)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	clock := caltime.Frozen(from)
	for i, zone := range []string{"UTC", "Europe/London", "America/New_York", "America/Santiago", "Pacific/Chatham", "Africa/Cairo"} {
		site, err := caltime.LoadZone(zone)
		if err != nil {
			t.Fatal(err)
		}
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for j, c2 := range customs {
			language, _ := i18n.English().In(c2.region)
			h, err := api.New(api.Options{
				Store:      c.Store,
				Accounts:   accounts,
				Clock:      clock,
				NoLimits:   true,
				Site:       site,
				Language:   language,
				MaxPerPage: 200,
			}, almanactest.Routes)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 2 * 365 { // each day in one zone and custom, those of changed clocks in each custom of the zone
				midnight := time.Date(2026, 1, 1+n, 0, 0, 0, 0, location)
				_, offset := midnight.Zone()
				if _, later := midnight.AddDate(0, 0, 1).Zone(); offset == later && n%36 != 6*i+j {
					continue
				}
				now := midnight.Add(time.Duration(n%3-1) * 30 * time.Minute)
				clock.Set(now)
				year, month, day := now.In(location).Date()
				today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
				for _, word := range []string{"today", "tomorrow", "weekend", "week", "month"} {
					var want, got []string
					for _, e := range events[max(0, n-10) : n+70] {
						for on := e.Start.Time().Truncate(24 * time.Hour); !on.After(e.End.Time()); on = on.AddDate(0, 0, 1) {
							ended := e.End.Time().Equal(on) && e.Start.Time().Before(on)
							if !ended && c2.has(word, today, on) {
								want = append(want, e.Title)
								break
							}
						}
					}
					var list struct{ Events []struct{ Title string } }
					rec := apitest.Serve(
						h,
						http.MethodGet,
						"http://example.com"+v1+"/events?per_page=200&when="+word,
						"",
					)
					if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil {
						t.Fatalf("%v in %s", err, rec.Body)
					}
					for _, e := range list.Events {
						got = append(got, e.Title)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf(
							"%s on %s at %v by %s (-want +got):\n%s",
							word,
							today.Weekday(),
							now.In(location),
							c2.region,
							diff,
						)
					}
				}
			}
		}
	}
}

// A word takes the place of dates, and goes with all other filters. A protected event is free to
// callers who see its cost.
func TestWhenAndFree(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	monday := sample.Local(t, "2026-11-23 19:00:00") // the clock shows a Friday
	for i, e := range []store.Event{
		{Title: "Friday", Start: monday - 3*86400, Cost: store.Cost{Entries: []string{"0", "10"}}},
		{
			Title: "Saturday",
			Start: monday - 2*86400,
		}, {
			Title:    "Locked",
			Start:    monday - 86400,
			Password: "pw",
		},
		{Title: "Sunday", Start: monday - 86400 + 1, Cost: store.Cost{Entries: []string{"Free"}}},
		{Title: "Monday", Start: monday, Cost: store.Cost{Entries: []string{"5"}}},
	} {
		if e.End = e.Start + 3600; e.Password != "" {
			e.Cost.Entries = []string{"0"}
		}
		e.ID = int64(100 + i)
		c.Add(&e)
	}
	play(t, c, "/events?", []listing{
		{
			"",
			"when=weekend",
			"Saturday, Locked, Sunday",
		}, {"", "when=weekend&free=true", "Sunday"}, {"", "when=today", "Friday"},
		{
			"",
			"when=month&free=1",
			"Friday, Sunday",
		}, {"", "when=month&free=false", "Saturday, Locked, Monday"},
		{
			"",
			"when=tomorrow&search=saturday",
			"Saturday",
		}, {account.Editor, "when=weekend&free=true", "Sunday"},
		{account.Editor, "when=weekend&free=true&context=edit", "Locked, Sunday"},
		{
			account.Subscriber,
			"when=weekend&free=true&password=pw",
			"Locked, Sunday",
		}, {"", "when=week&include={Monday}", ""},
		{"", "when=weekend&strict_dates=true&order=desc", "Sunday, Locked, Saturday"},
		{
			"",
			"when=now",
			"rest_invalid_param when",
		}, {"", "when=today,week", "rest_invalid_param when"},
		{"", "free=x", "rest_invalid_param free"},
		{
			"",
			"when=today&start_date=2026-11-20",
			"rest_invalid_param when",
		}, {"", "when=today&end_date=2026-11-20", "rest_invalid_param when"},
		{
			"",
			"when=today&starts_before=today",
			"rest_invalid_param when",
		}, {"", "when=today&starts_after=today", "rest_invalid_param when"},
		{
			"",
			"when=today&ends_before=today",
			"rest_invalid_param when",
		}, {"", "when=today&ends_after=today", "rest_invalid_param when"},
	})
}
