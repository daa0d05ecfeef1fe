// The dates of a set.

package rrule

import (
	"iter"
	"math"
	"slices"
	"time"
)

// From yields the dates of the set that are at t or after it, in order, each once.
// A set without an end has dates until the year 9999, so the caller stops when it
// has what it needs. The set of a mistake, which Check tells, has no dates.
//
// A date is in the zone of the set. One without a zone, of the form Date or Local, is
// what a clock anywhere shows, as a time in UTC, and t is read in the same way.
func (s *Set) From(t time.Time) iter.Seq[time.Time] { return s.dates(t.Unix(), math.MaxInt64) }

// Between yields the dates from one time on and before another. It costs no search
// beyond.
func (s *Set) Between(from, before time.Time) iter.Seq[time.Time] {
	return s.dates(from.Unix(), before.Unix())
}

// All yields all dates of the set.
func (s *Set) All() iter.Seq[time.Time] { return s.dates(math.MinInt64, math.MaxInt64) }

// Count returns how many dates Between yields, or most if there are more.
func (s *Set) Count(from, before time.Time, most int) int {
	n := 0
	for range s.Between(from, before) {
		if n == most {
			break
		}
		n++
	}
	return n
}

// Repeats reports whether the rule, whatever its end, gives any date after the start. FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30
// never does.
func (s *Set) Repeats() bool {
	if s.Rule == nil || s.Check() != nil {
		return false
	}
	r := *s.Rule
	r.Count = 0
	for range newWalk(&r, s.Start, lastWall).readings(s.Start.Wall) {
		return true
	}
	return false
}

// Fits reports whether the rule gives the start, which is the first date of the set
// whether it does or not.
func (s *Set) Fits() bool {
	if s.Rule == nil || s.Check() != nil {
		return false
	}
	w := newWalk(s.Rule, s.Start, s.Start.Wall)
	if k, ok := w.find(0); !ok || k != 0 {
		return false
	}
	return slices.ContainsFunc(count(w.len()), func(i int) bool { return w.at(i) == w.start })
}

// dates yields the dates from a moment on and before another, in Unix time.
func (s *Set) dates(from, before int64) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		if s.Check() != nil {
			return
		}
		added, removed := s.beside()
		last := int64(math.MinInt64) // the date before, which is no date again
		pass := func(t time.Time) bool {
			unix := t.Unix()
			again := unix == last
			last = unix
			if again || unix < from || unix >= before || removed[At(t, UTC)] || removed[At(t, Date)] {
				return true
			}
			return yield(t)
		}
		for t := range s.ruled(from, before) {
			for len(added) > 0 && !added[0].After(t) {
				if !pass(added[0]) {
					return
				}
				added = added[1:]
			}
			if !pass(t) {
				return
			}
		}
		for _, t := range added {
			if !pass(t) {
				return
			}
		}
	}
}

// beside returns the dates that are there without the rule, in order, and those
// that are not, as moments in UTC and as dates.
func (s *Set) beside() (added []time.Time, removed map[DateTime]bool) {
	added = []time.Time{s.Start.In(s.zone())}
	for _, d := range s.RDates {
		if d.Form == Date { // at the time of the start
			d = DateTime{d.Wall + secondOfDay(s.Start.Wall), s.Start.Form}
		}
		added = append(added, d.In(s.zone()))
	}
	slices.SortFunc(added, time.Time.Compare)
	removed = map[DateTime]bool{}
	for _, d := range s.ExDates {
		if d.Form != Date {
			d = At(d.In(s.zone()), UTC)
		}
		removed[d] = true
	}
	return added, removed
}

// ruled yields the moments after the start that the rule gives, in order; one
// moment twice, if two readings are one moment.
func (s *Set) ruled(from, before int64) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		if s.Rule == nil {
			return
		}
		zone, until := s.zone(), min(before-1, lastWall)
		if s.Rule.Until.Form != 0 {
			until = min(until, s.Rule.Until.In(zone).Unix())
		}
		from := max(from, s.Start.In(zone).Unix()+1)
		if from > until {
			return
		}
		var held []time.Time // readings that the clock skips are moments that it shows otherwise: they change places
		flush := func() bool {
			slices.SortFunc(held, time.Time.Compare)
			for _, t := range held {
				if t.Unix() > until || t.Unix() >= from && !yield(t) {
					return false
				}
			}
			held = held[:0]
			return true
		}
		hold := int64(math.MinInt64) // the reading until which moments may change places
		w := newWalk(s.Rule, s.Start, until+2*day)
		for reading := range w.readings(firstReading(from, zone)) {
			t := moment(reading, zone)
			held = append(held, t)
			if skipped := At(t, Local).Wall - reading; skipped > 0 {
				hold = max(hold, reading+2*skipped)
			}
			if reading >= hold && !flush() {
				return
			}
		}
		flush()
	}
}

// firstReading returns the reading to begin with for the dates from a moment on: what
// a clock shows then, or what it skipped before, if that becomes what it shows.
func firstReading(unix int64, zone *time.Location) int64 {
	t := time.Unix(unix, 0).In(zone)
	reading := At(t, Local).Wall
	begin, _ := t.ZoneBounds()
	if begin.IsZero() {
		return reading
	}
	change := reading - unix - (At(begin.Add(-1), Local).Wall - begin.Unix() + 1)
	if unix-begin.Unix() < change {
		return reading - change
	}
	return reading
}
