// The dates of series.

package write

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/store"
)

// Limits of the generated events of a series. A series that ends within mostAhead events has all
// of them at once, and no horizon.
const (
	monthsAhead = 25      // one more than needed, so that the horizon moves once a month
	mostAhead   = 1000    // events within monthsAhead
	mostAtOnce  = 5000    // events per request, past ones included
	mostWalked  = 100_000 // dates of a rule with COUNT up to a day of its exceptions
	yearsLooked = 30      // search range of a dense rule: weekdays and leap days repeat after 28 years
)

// An Expansion is the recurrence set of a series. Its dates are local times in the zone of the
// series.
type Expansion struct {
	rrule.Set
	Local  *caltime.Zone // of the series
	allDay bool
}

// Expand returns the dates of a series. Dates of whole days have no zone.
func (ed Editor) Expand(s *store.Series) (*Expansion, error) {
	zone, err := ed.Zones.Load(s.Event.Timezone)
	if err != nil {
		return nil, err
	}
	x := &Expansion{Local: zone, allDay: s.Event.AllDay}
	form := rrule.Date
	if !x.allDay {
		form = rrule.Local
		x.Zone = zone.Location()
	}
	x.Start = rrule.DateTime{Seconds: int64(s.Event.Start), Form: form}
	if s.Rule != "" {
		if x.Rule, err = rrule.ParseRule(s.Rule); err != nil {
			return nil, err
		}
	}
	for _, w := range s.RDates {
		x.RDates = append(x.RDates, rrule.DateTime{Seconds: int64(w), Form: form})
	}
	for _, w := range s.EXDates {
		x.ExDates = append(x.ExDates, rrule.DateTime{Seconds: int64(w), Form: form})
	}
	return x, nil
}

// location returns the zone of the dates.
func (x *Expansion) location() *time.Location { return cmp.Or(x.Zone, time.UTC) }

// Moment returns the instant of a date in the set.
func (x *Expansion) Moment(w store.Wall) time.Time {
	if x.allDay {
		return w.Time()
	}
	return x.Local.Instant(w.Time())
}

func (x *Expansion) Has(w store.Wall) bool {
	at := x.Moment(w)
	return x.Count(at, at.Add(time.Second), 1) > 0
}

// localTime returns the local time w, moved forward if the zone skips it.
func localTime(zone *caltime.Zone, w store.Wall) store.Wall {
	return store.WallOf(zone.Wall(zone.Instant(w.Time())))
}

func startOfDay(w store.Wall) store.Wall { return store.WallOf(caltime.StartOfDay(w.Time())) }

// ends reports whether the set has at most mostAhead dates from a time on, because it ends.
func (x *Expansion) ends(from time.Time) bool {
	if r := x.Rule; r != nil && r.Count == 0 && r.Until.Form == 0 {
		return false
	}
	return x.Count(from, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), mostAhead+1) <= mostAhead
}

// reading returns the local time in the rule for a date: the time of the start if the zone skipped
// it on this day, else the date.
func (x *Expansion) reading(w store.Wall) store.Wall {
	start := store.Wall(x.Start.Seconds)
	if asked := startOfDay(w) + start - startOfDay(start); asked < w && !x.allDay &&
		localTime(x.Local, asked) == w {
		return asked
	}
	return w
}

// horizon returns the local time up to which events are generated.
func (ed Editor) horizon(zone *caltime.Zone) store.Wall {
	return startOfDay(store.WallOf(zone.Wall(ed.Now.AddDate(0, monthsAhead, 0))))
}

// datesOf computes what plan returns.
func (ed Editor) datesOf(s *store.Series, least store.Wall) (dates []store.Wall, err error) {
	x, err := ed.Expand(s)
	if err != nil {
		return nil, err
	}
	if err := x.Check(); err != nil {
		return nil, refused("%v.", err)
	}
	if x.Rule != nil && !x.Repeats() {
		return nil, refused(
			"the rule %s never gives a date after the start, %s; right would be one that does, such as %s.",
			s.Rule,
			s.Event.Start,
			suggestion(s),
		)
	}
	from := x.Moment(s.Event.Start)
	if from.Before(ed.Now) {
		from = ed.Now
	}
	if x.Rule != nil && x.Rule.Count > mostAtOnce &&
		x.Count(time.Time{}, from, mostAtOnce+1) > mostAtOnce { // dense counts from the start
		return nil, x.tooMany(s, time.Time{}, fmt.Sprintf("%d events at once", mostAtOnce))
	}
	if dense := x.dense(from); !dense.IsZero() {
		return nil, x.tooMany(
			s,
			dense,
			fmt.Sprintf("%d events within %d months", mostAhead, monthsAhead),
		)
	}
	horizon := max(ed.horizon(x.Local), least)
	if x.ends(from) {
		horizon = math.MaxInt64
	}
	for t := range x.All() {
		w := store.WallOf(t)
		if w >= horizon && dates != nil {
			s.Horizon = max(horizon, dates[len(dates)-1]+1)
			return dates, nil
		}
		if len(dates) == mostAtOnce {
			return nil, x.tooMany(s, time.Time{}, fmt.Sprintf("%d events at once", mostAtOnce))
		}
		dates = append(dates, w)
	}
	if s.Horizon = 0; dates == nil {
		return nil, refused("it leaves no event; right would be fewer exdates.")
	}
	return dates, nil
}

// dense returns the first of more than mostAhead dates within monthsAhead, not before a time, or
// the zero time. A rule may have few dates for years, and a thousand on a leap day.
func (x *Expansion) dense(from time.Time) time.Time {
	end := from.AddDate(0, monthsAhead, 0)
	if r := x.Rule; r != nil &&
		(r.Freq < rrule.Daily || len(r.ByHour)+len(r.ByMinute)+len(r.BySecond) > 1) {
		end = from.AddDate(yearsLooked, 0, 0)
	}
	var last [mostAhead]time.Time
	n := 0
	for t := range x.Between(from, end) {
		if first := &last[n%mostAhead]; n >= mostAhead &&
			t.Before(first.AddDate(0, monthsAhead, 0)) {
			return *first
		} else {
			*first = t
		}
		n++
	}
	return time.Time{}
}

// tooMany returns the error about a set with too many dates.
func (x *Expansion) tooMany(s *store.Series, from time.Time, most string) error {
	var first []string
	for t := range x.From(from) {
		if first = append(first, store.WallOf(t).String()); len(first) == 3 {
			break
		}
	}
	return refused(
		"it gives more than %s; the first are %s. Right would be a rule with fewer dates, such as %s, "+
			"or one that ends sooner, by UNTIL or COUNT.",
		most,
		strings.Join(first, ", "),
		suggestion(s),
	)
}

// suggestion returns a rule that is valid for every series.
func suggestion(s *store.Series) string {
	return "FREQ=WEEKLY;BYDAY=" + rrule.WeekdayOf(s.Event.Start.Time()).String()
}

// refused returns an error about the recurrence.
func refused(format string, args ...any) error {
	return invalid("recurrence", "recurrence: "+fmt.Sprintf(format, args...))
}

// Describe sets the rule, the dates and the exceptions that were sent, and the name of a series
// that has none. It stores nothing.
func (ed Editor) Describe(s *store.Series, rec *params.Recurrence) error {
	ed.nameSeries(s)
	x, err := ed.Expand(s)
	if err != nil {
		return err
	}
	switch {
	case rec.NoRule:
		s.Rule = ""
	case rec.Rule != nil:
		s.Rule = x.canonical(rec.Rule)
	}
	if rec.RDates != nil {
		s.RDates = nil
		for _, d := range rec.RDates {
			s.RDates = append(s.RDates, x.date(d))
		}
		s.RDates = inOrder(s.RDates)
	}
	if rec.ExDates == nil {
		return nil
	}
	s.EXDates = nil
	if x, err = ed.Expand(s); err != nil { // all dates, so that an exception that is a day finds its time
		return err
	}
	var days []store.Wall
	var dates []store.Wall
	for _, d := range rec.ExDates {
		if d.Form == rrule.Date && !x.allDay {
			days = append(days, store.Wall(d.Seconds))
		}
		dates = append(dates, x.date(d))
	}
	found, err := ed.onDays(x, s, inOrder(days))
	if err != nil {
		return err
	}
	s.EXDates = inOrder(append(dates, found...))
	return nil
}

// on returns the dates of the set on some days, which are in order. A rule with a COUNT is walked
// through once, since each of its dates is counted from the start.
func (x *Expansion) on(s *store.Series, days []store.Wall) (found []store.Wall, err error) {
	take := func(t time.Time) error {
		if len(found) == mostAtOnce {
			return refused(
				"exdates take away more than %d events; right would be a rule with fewer dates, such as %s.",
				mostAtOnce,
				suggestion(s),
			)
		}
		found = append(found, store.WallOf(t))
		return nil
	}
	if x.Rule == nil || x.Rule.Count == 0 {
		for _, day := range days {
			for t := range x.Between(x.Local.Instant(day.Time()), x.Local.Instant(day.Time().AddDate(0, 0, 1))) {
				if err := take(t); err != nil {
					return nil, err
				}
			}
		}
		return found, nil
	}
	walked := 0
	for t := range x.All() {
		day := startOfDay(store.WallOf(t))
		if day > days[len(days)-1] {
			break
		}
		if walked++; walked > mostWalked {
			return nil, refused(
				"exdates name a day after more than %d dates; right would be its times, such as %s.",
				mostWalked,
				days[len(days)-1]+s.Event.Start-startOfDay(s.Event.Start),
			)
		}
		if _, is := slices.BinarySearch(days, day); is {
			if err := take(t); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// canonical returns a rule in its canonical form for the set.
func (x *Expansion) canonical(rule *rrule.Rule) string {
	next := *rule
	next.Until = x.until(rule.Until)
	return next.String()
}

// date returns the date of the set for a DateTime of a client.
func (x *Expansion) date(d rrule.DateTime) store.Wall {
	w := x.clock(d)
	start := store.Wall(x.Start.Seconds)
	switch {
	case x.allDay:
		return startOfDay(w)
	case d.Form == rrule.Date:
		w += start - startOfDay(start)
	}
	return localTime(x.Local, w)
}

// until returns the end of a rule in the form of the set: a day for whole days, else an instant. A
// day lasts to its end.
func (x *Expansion) until(d rrule.DateTime) rrule.DateTime {
	switch {
	case d.Form == 0 || d.Form == rrule.UTC && !x.allDay:
		return d
	case x.allDay:
		return rrule.DateTime{Seconds: int64(startOfDay(x.clock(d))), Form: rrule.Date}
	case d.Form == rrule.Date:
		d.Seconds = int64(store.WallOf(caltime.EndOfDay(store.Wall(d.Seconds).Time())))
	}
	return rrule.At(x.Local.Instant(store.Wall(d.Seconds).Time()), rrule.UTC)
}

// clock returns the local time of a DateTime in the zone of the set.
func (x *Expansion) clock(d rrule.DateTime) store.Wall {
	w := store.Wall(d.Seconds)
	if d.Form == rrule.UTC {
		return store.WallOf(x.Local.Wall(w.Time()))
	}
	return w
}

// inOrder returns dates sorted and unique, without zero values.
func inOrder(dates []store.Wall) []store.Wall {
	slices.Sort(dates)
	return slices.DeleteFunc(slices.Compact(dates), func(w store.Wall) bool {
		year := w.Time().Year()
		return year < 0 || year > 9999
	})
}
