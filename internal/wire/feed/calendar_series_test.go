package feed_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/render"
	series "almanac/internal/write"
	"almanac/store"
)

// A seriesCase is a series with events of it that are shown.
type seriesCase struct {
	*store.Series
	shown []*store.Event
}

// newSeries makes a series with all its events before its horizon, as package write does.
func newSeries(
	t *testing.T,
	id int64,
	like store.Event,
	rule string,
	horizon store.Wall,
) *seriesCase {
	t.Helper()
	c := &seriesCase{
		Series: &store.Series{
			Meta: store.Meta{
				ID: id,
			},
			Event:   like,
			Rule:    rule,
			Horizon: horizon,
		},
	}
	c.make(t)
	return c
}

// make makes the events anew.
func (c *seriesCase) make(t *testing.T) {
	t.Helper()
	zones := &caltime.Zones{}
	set, err := series.Editor{Zones: zones}.Expand(c.Series)
	if err != nil {
		t.Fatal(err)
	}
	zone, _ := zones.Load(c.Event.Timezone)
	clock := func(w store.Wall) store.Wall { return store.WallOf(zone.Wall(zone.Instant(w.Time()))) }
	c.shown = nil
	for at := range set.All() {
		date := store.WallOf(at)
		if c.Horizon != 0 && date >= c.Horizon {
			break
		}
		e := c.Event
		e.ID = c.ID + 1 + int64(len(c.shown))
		e.Slug = fmt.Sprintf("%s-%s", c.Event.Slug, date.Time().Format(time.DateOnly))
		e.Start = date
		e.End = clock(date + c.Event.End - c.Event.Start)
		e.Recurrence = &store.Recurrence{Series: c.ID, Start: date}
		c.shown = append(c.shown, &e)
	}
}

// change replaces an event that is shown.
func (c *seriesCase) change(i int, f func(*store.Event)) {
	e := *c.shown[i]
	place := *e.Recurrence
	e.Recurrence = &place
	f(&e)
	c.shown[i] = &e
}

// remove leaves out an event that is shown, and its date from the series.
func (c *seriesCase) remove(i int) {
	c.EXDates = append(c.EXDates, c.shown[i].Recurrence.Start)
	slices.Sort(c.EXDates)
	c.shown = slices.Delete(c.shown, i, i+1)
}

// choir is the template of most series here.
func choir(start, end, zone string) store.Event {
	e := store.Event{
		Post:        post(0, store.Publish, "choir"),
		Title:       "Choir",
		Start:       local(start),
		End:         local(end),
		Timezone:    zone,
		ShowMap:     true,
		ShowMapLink: true,
		Venues:      []int64{10},
	}
	e.Modified = date("2026-03-03 08:30:00")
	return e
}

func TestSeries(t *testing.T) {
	tuesdays := choir("2026-11-03 19:00:00", "2026-11-03 21:00:00", "Europe/Berlin")
	tests := []struct {
		name string
		make func() *seriesCase
		want string // lines that tell it from others, in order; | between them
	}{
		{
			"as it is",
			func() *seriesCase { return newSeries(t, 100, tuesdays, "FREQ=WEEKLY;COUNT=4", 0) },
			"UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261103T190000|RRULE:FREQ=WEEKLY;COUNT=4",
		},
		{"one that was removed, one that was added", func() *seriesCase {
			c := newSeries(t, 100, tuesdays, "FREQ=WEEKLY;COUNT=4", 0)
			c.RDates = []store.Wall{local("2026-11-07 10:00:00")}
			c.make(t)
			c.remove(3)
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261103T190000|RRULE:FREQ=WEEKLY;COUNT=4|" +
			"RDATE;TZID=Europe/Berlin:20261107T100000|EXDATE;TZID=Europe/Berlin:20261117T190000"},
		{"one that was moved, one that was renamed", func() *seriesCase {
			c := newSeries(t, 100, tuesdays, "FREQ=WEEKLY;COUNT=4", 0)
			c.change(1, func(e *store.Event) {
				e.Start = e.Start + 3600
				e.End = e.End + 3600
			})
			c.change(2, func(e *store.Event) {
				e.Title = "Concert"
				e.Modified = date("2026-03-04 00:00:00")
			})
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261103T190000|RRULE:FREQ=WEEKLY;COUNT=4|" +
			"UID:termine.example.org?id=100|RECURRENCE-ID;TZID=Europe/Berlin:20261110T190000|DTSTART;TZID=Europe/Berlin:20261110T200000|" +
			"UID:termine.example.org?id=100|RECURRENCE-ID;TZID=Europe/Berlin:20261117T190000|DTSTART;TZID=Europe/Berlin:20261117T190000"},
		{"the head is cut", func() *seriesCase {
			c := newSeries(t, 100, tuesdays, "FREQ=WEEKLY;COUNT=4", 0)
			c.shown = c.shown[1:]
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261110T190000|RRULE:FREQ=WEEKLY;UNTIL=20261124T180000Z"},
		{"the tail is cut", func() *seriesCase {
			c := newSeries(t, 100, tuesdays, "FREQ=WEEKLY", local("2028-12-01 00:00:00"))
			c.shown = c.shown[:3]
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261103T190000|RRULE:FREQ=WEEKLY;UNTIL=20261117T180000Z"},
		{"without an end", func() *seriesCase {
			c := newSeries(
				t,
				100,
				tuesdays,
				"FREQ=WEEKLY;INTERVAL=2",
				local("2028-12-01 00:00:00"),
			)
			c.EXDates = []store.Wall{local("2029-01-09 19:00:00"), local("2030-12-31 19:00:00")}
			c.RDates = []store.Wall{local("2029-02-01 19:00:00")}
			c.shown = c.shown[2:]
			c.remove(len(c.shown) - 1)
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261201T190000|RRULE:FREQ=WEEKLY;INTERVAL=2|" +
			"RDATE;TZID=Europe/Berlin:20290201T190000|EXDATE;TZID=Europe/Berlin:20281128T190000,20290109T190000"},
		{"few of many", func() *seriesCase {
			c := newSeries(t, 100, tuesdays, "FREQ=WEEKLY;COUNT=50", 0)
			c.shown = []*store.Event{c.shown[40], c.shown[3]}
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20261124T190000|RDATE;TZID=Europe/Berlin:20261124T190000,20270810T190000"},
		{"dates alone, of whole days", func() *seriesCase {
			e := choir("2026-11-03 00:00:00", "2026-11-04 23:59:59", "Europe/Berlin")
			e.AllDay = true
			c := newSeries(t, 100, e, "", 0)
			c.RDates = []store.Wall{local("2026-12-03 00:00:00"), local("2027-12-03 00:00:00")}
			c.make(t)
			return c
		}, "UID:termine.example.org?id=100|DTSTART;VALUE=DATE:20261103|RDATE;VALUE=DATE:20261103,20261203,20271203"},
		{"whole days", func() *seriesCase {
			e := choir("2026-11-03 00:00:00", "2026-11-03 23:59:59", "Pacific/Auckland")
			e.AllDay = true
			c := newSeries(t, 100, e, "FREQ=DAILY;UNTIL=20261112", 0)
			c.remove(2)
			c.shown = c.shown[1:]
			c.change(3, func(e *store.Event) { e.Title = "Rest" })
			return c
		}, "UID:termine.example.org?id=100|DTSTART;VALUE=DATE:20261104|RRULE:FREQ=DAILY;UNTIL=20261112|EXDATE;VALUE=DATE:20261105|" +
			"UID:termine.example.org?id=100|RECURRENCE-ID;VALUE=DATE:20261108|DTSTART;VALUE=DATE:20261108"},
		{"whole days of which a stranger is not told", func() *seriesCase {
			e := choir("2026-11-03 00:00:00", "2026-11-03 23:59:59", "Pacific/Auckland")
			e.AllDay = true
			e.Password = "sealed"
			return newSeries(t, 100, e, "FREQ=DAILY;UNTIL=20261112", 0)
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Pacific/Auckland:20261103T000000|RRULE:FREQ=DAILY;UNTIL=20261112T105959Z"},
		{"in UTC", func() *seriesCase {
			e := choir("2026-11-03 19:00:00", "2026-11-03 19:00:00", "UTC")
			e.Origins = []string{"https://near.example?id=5", "uid@first.example"}
			c := newSeries(t, 100, e, "FREQ=DAILY;COUNT=5", 0)
			c.remove(1)
			return c
		}, "UID:uid@first.example|DTSTART:20261103T190000Z|RRULE:FREQ=DAILY;COUNT=5|EXDATE:20261104T190000Z"},
		{"in an hour that is skipped, and over one that comes twice", func() *seriesCase {
			e := choir("2027-03-27 02:30:00", "2027-03-27 02:45:00", "Europe/Berlin")
			c := newSeries(t, 100, e, "FREQ=DAILY;COUNT=3", 0)
			night := choir("2026-10-24 22:00:00", "2026-10-25 06:00:00", "Europe/Berlin")
			c.shown = append(c.shown, newSeries(t, 200, night, "FREQ=DAILY;COUNT=2", 0).shown...)
			return c
		}, "UID:termine.example.org?id=100|DTSTART;TZID=Europe/Berlin:20270327T023000|RRULE:FREQ=DAILY;COUNT=3|" +
			"UID:termine.example.org?id=100|RECURRENCE-ID;TZID=Europe/Berlin:20270328T023000|DTSTART;TZID=Europe/Berlin:20270328T033000|" +
			"UID:termine.example.org?id=200|DTSTART;TZID=Europe/Berlin:20261024T220000|RRULE:FREQ=DAILY;COUNT=2|" +
			"UID:termine.example.org?id=200|RECURRENCE-ID;TZID=Europe/Berlin:20261024T220000|DTSTART;TZID=Europe/Berlin:20261024T220000"},
	}
	for _, test := range tests {
		w, _ := town()
		r := w.stranger()
		var got []string
		c := test.make()
		for start := 0; start < len(c.shown); { // of two series in one case
			end := start
			id := c.shown[start].Recurrence.Series
			for end < len(c.shown) && c.shown[end].Recurrence.Series == id {
				end++
			}
			s := *c.Series
			if s.ID != id {
				s.ID, s.Event, s.Rule = id, *c.shown[start], "FREQ=DAILY;COUNT=2"
				s.Event.Recurrence = nil
				s.Event.End = s.Event.Start + 8*3600
			}
			text := string(feed.AppendSeries(nil, r, &s, c.shown[start:end]))
			for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
				for _, name := range []string{"UID", "DTSTART", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE"} {
					if strings.HasPrefix(line, name) &&
						strings.ContainsAny(line[len(name):][:1], ":;") {
						got = append(got, line)
					}
				}
			}
			start = end
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestSeriesOf(t *testing.T) {
	w, events := town()
	w.series[92] = &store.Series{
		Meta: store.Meta{
			ID: 92,
		},
		Event: store.Event{
			Post: post(0, store.Trash, ""),
		},
	}
	all := *w.stranger()
	all.Readable = func(*store.Post) bool { return true }
	got := ""
	for series := int64(89); series < 93; series++ {
		e := *events[0]
		e.Recurrence = &store.Recurrence{Series: series}
		got += fmt.Sprint(
			series,
			feed.SeriesOf(w.stranger(), &e) != nil,
			feed.SeriesOf(&all, &e) != nil,
			" ",
		)
	}
	e := *events[0]
	e.Recurrence = nil
	got += fmt.Sprint(feed.SeriesOf(&all, &e) != nil)
	if want := "89 false false 90 true true 91 false true 92 false false false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// rules are those of random series.
var rules = []string{
	"FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
	"FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1SU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYMONTHDAY=31",
	"FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30", "FREQ=HOURLY;INTERVAL=7", "",
}

// randomSeries makes a series, with some events removed, added, moved, changed and hidden.
func randomSeries(t *testing.T, rng *rand.Rand, id int64) *seriesCase {
	pick := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	zone := pick(
		"Europe/Berlin",
		"America/New_York",
		"Australia/Lord_Howe",
		"UTC",
		"+02:00",
		"CET",
		"Africa/Casablanca",
		"Asia/Tokyo",
	)
	start := local("2026-01-01 00:00:00") + store.Wall(rng.IntN(400)*86400+rng.IntN(48)*1800)
	like := choir("2026-01-01 00:00:00", "2026-01-01 00:00:00", zone)
	zones := caltime.Zones{}
	z, _ := zones.Load(zone)
	like.Start = store.WallOf(z.Wall(z.Instant(start.Time())))
	like.End = like.Start + store.Wall(rng.IntN(20)*1800)
	if like.AllDay = rng.IntN(4) == 0; like.AllDay {
		like.Start = store.WallOf(caltime.StartOfDay(like.Start.Time()))
		like.End = store.WallOf(
			caltime.EndOfDay((like.Start + store.Wall(rng.IntN(3)*86400)).Time()),
		)
	}
	if rng.IntN(8) == 0 {
		like.Password = "sealed"
	}
	rule := pick(rules...)
	if like.AllDay && (strings.Contains(rule, "HOUR") || strings.Contains(rule, "MINUTE")) {
		rule = "FREQ=DAILY"
	}
	horizon := store.Wall(0)
	switch {
	case rule == "":
	case rng.IntN(3) == 0:
		rule += fmt.Sprintf(";COUNT=%d", 2+rng.IntN(60))
	case rng.IntN(2) == 0:
		until := like.Start.Time().AddDate(0, 0, rng.IntN(500))
		if rule += ";UNTIL=" + until.Format("20060102"); !like.AllDay {
			rule += "T" + until.Format("150405") + "Z"
		}
	default:
		horizon = like.Start + store.Wall(86400*(1+rng.IntN(500)))
	}
	if rule != "" {
		parsed, err := rrule.ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		rule = parsed.String()
	}
	c := newSeries(t, id, like, rule, horizon)
	set, err := series.Editor{Zones: &zones}.Expand(c.Series)
	if err != nil {
		t.Fatal(err)
	}
	if rule != "" && !set.Fits() && rng.IntN(3) > 0 { // as most do
		for at := range set.From(c.Event.Start.Time().AddDate(0, 0, 2)) {
			c.Event.End += store.WallOf(at) - c.Event.Start
			c.Event.Start = store.WallOf(at)
			break
		}
	}
	for range rng.IntN(4) {
		c.RDates = append(c.RDates, c.Event.Start+store.Wall(rng.IntN(300)*86400))
	}
	for range rng.IntN(3) {
		c.EXDates = append(c.EXDates, c.Event.Start+store.Wall(rng.IntN(300)*86400))
	}
	slices.Sort(c.RDates)
	slices.Sort(c.EXDates)
	c.EXDates = slices.Compact(c.EXDates)
	c.make(t)
	for range rng.IntN(6) {
		if len(c.shown) < 2 {
			break
		}
		switch i := rng.IntN(len(c.shown)); rng.IntN(5) {
		case 0:
			c.remove(i)
		case 1: // hidden from the caller
			c.shown = slices.Delete(c.shown, i, i+1)
		case 2:
			c.change(i, func(e *store.Event) {
				by := store.Wall(rng.IntN(100_000)/1800) * 1800
				e.Start = e.Start + by
				e.End = e.End + by
				if e.AllDay {
					e.Start, e.End = store.WallOf(
						caltime.StartOfDay(e.Start.Time()),
					), store.WallOf(
						caltime.EndOfDay(e.End.Time()),
					)
				}
			})
		case 3:
			c.change(i, func(e *store.Event) { e.Title = "Changed" })
		case 4:
			c.change(i, func(e *store.Event) { e.End += 86400 })
		}
	}
	if n := len(c.shown); n > 1 && rng.IntN(2) == 0 { // a window
		from := rng.IntN(n)
		c.shown = c.shown[from : from+1+rng.IntN(n-from)]
	}
	rng.Shuffle(len(c.shown), func(i, j int) { c.shown[i], c.shown[j] = c.shown[j], c.shown[i] })
	return c
}

// until returns up to when what is written of the series is to be what is shown.
func (c *seriesCase) until() store.Wall {
	until := c.Horizon
	for _, e := range c.shown {
		until = max(until, e.Recurrence.Start+1)
	}
	if c.Horizon == 0 {
		until = 1 << 50
	}
	return until
}

// occurrences are the times and titles of the shown events, in order.
func occurrences(r *render.Renderer, events []*store.Event) (all []string) {
	for _, e := range events {
		zone := r.Zone(e)
		inside := e
		inside, _ = r.Inside(e)
		from := zone.Instant(e.Start.Time()).UTC()
		to := zone.Instant(e.End.Time()).UTC()
		if inside.AllDay {
			from = e.Start.Time()
			to = e.End.Time().Add(time.Second)
		}
		if to.Before(from) {
			to = from
		}
		all = append(all, from.Format(time.DateTime)+" "+to.Format(time.DateTime)+" "+e.Title)
	}
	slices.Sort(all)
	return all
}

// A vevent has the properties that a reader needs to expand a series.
type vevent struct{ set, start, end, duration, recurrence, title string }

func vevents(text string) (all []vevent) {
	var v vevent
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		name := line[:max(strings.IndexAny(line, ":;"), 0)]
		switch name {
		case "BEGIN":
			v = vevent{}
		case "DTSTART":
			v.set = v.set + line + "\r\n"
			v.start = line
		case "RRULE", "RDATE", "EXDATE":
			v.set += line + "\r\n"
		case "DTEND":
			v.end = line
		case "DURATION":
			v.duration = line[len("DURATION:PT") : len(line)-1]
		case "RECURRENCE-ID":
			v.recurrence = line
		case "SUMMARY":
			v.title = line[len("SUMMARY:"):]
		case "END":
			all = append(all, v)
		}
	}
	return all
}

// expand returns the occurrences of a series in a calendar before a moment of its clock.
func expand(t *testing.T, text string, before store.Wall) (all []string) {
	t.Helper()
	zones := func(name string) (*time.Location, error) {
		z, err := caltime.LoadZone(strings.Trim(name, `"`))
		if err != nil {
			return nil, err
		}
		return z.Location(), nil
	}
	times := func(lines string) *rrule.Set {
		set, err := rrule.ParseSet(lines, zones)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		return set
	}
	one := func(line string) time.Time {
		_, rest, _ := strings.Cut(line, line[:strings.IndexAny(line, ":;")])
		for at := range times("DTSTART" + rest).All() {
			return at
		}
		panic("none")
	}
	events := vevents(text)
	master := events[0]
	if master.recurrence != "" {
		t.Fatalf("no master in\n%s", text)
	}
	own := map[int64]vevent{}
	for _, v := range events[1:] {
		own[one(v.recurrence).Unix()] = v
	}
	say := func(from, to time.Time, title string) {
		all = append(
			all,
			from.UTC().Format(time.DateTime)+" "+to.UTC().Format(time.DateTime)+" "+title,
		)
	}
	end := func(v vevent) time.Time {
		switch {
		case v.duration != "":
			length, _ := time.ParseDuration(v.duration + "s")
			return one(v.start).Add(length)
		case v.end == "":
			return one(v.start)
		}
		return one(v.end)
	}
	length := end(master).Sub(one(master.start))
	for at := range times(master.set).All() {
		if store.WallOf(at) >= before {
			break
		}
		if v, ok := own[at.Unix()]; ok {
			say(one(v.start), end(v), v.title)
			delete(own, at.Unix())
			continue
		}
		say(at, at.Add(length), master.title)
	}
	if len(own) > 0 {
		t.Errorf("changed dates that the rule does not give: %v in\n%s", own, text)
	}
	slices.Sort(all)
	return all
}

// The series in a calendar expands to the shown events, after any removals, additions, moves,
// changes and filters.
func TestSeriesModel(t *testing.T) {
	ruled := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 17))
		c := randomSeries(t, rng, 100)
		w, _ := town()
		r := w.stranger()
		if len(c.shown) == 0 {
			if text := feed.AppendSeries(nil, r, c.Series, nil); len(text) > 0 {
				t.Errorf("a series without shown events: %s", text)
			}
			continue
		}
		text := string(feed.AppendSeries(nil, r, c.Series, c.shown))
		if strings.Contains(text, "\r\nRRULE") {
			ruled++
		}
		if diff := cmp.Diff(occurrences(r, c.shown), expand(t, text, c.until())); diff != "" {
			t.Fatalf(
				"series %d, %s from %s in %s to %s (-shown +written):\n%s\n%s",
				seed,
				c.Rule,
				c.Event.Start,
				c.Event.Timezone,
				c.Horizon,
				diff,
				text,
			)
		}
	}
	if ruled < 700 {
		t.Errorf("only %d were written with a rule", ruled)
	}
}
