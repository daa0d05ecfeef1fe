package rrule

// This file computes the dates of a set.

import (
	"iter"
	"math"
	"slices"
	"time"
)

// From yields the dates of the set at or after t, in order, each once. A set
// without an end has dates until the year 9999, so the caller must break. A set
// that fails Check has no dates.
//
// Dates are in the zone of the set. In a set without a zone, dates of the forms
// Date and Local are yielded as if their zone were UTC, and t is compared with these.
func (s *Set) From(t time.Time) iter.Seq[time.Time] { return s.dates(t.Unix(), math.MaxInt64) }

// Between yields the dates at or after from and before another time. It never
// searches beyond that time.
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

// Repeats reports whether the rule, without its COUNT and UNTIL, gives any date after
// the start. FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 never gives one.
func (s *Set) Repeats() bool {
	if s.Rule == nil || s.Check() != nil {
		return false
	}
	r := *s.Rule
	r.Count = 0
	for range newScan(&r, s.Start, lastLocal).readings(s.Start.Seconds) {
		return true
	}
	return false
}

// Fits reports whether the rule itself gives the start. The start is the first date
// of the set in any case.
func (s *Set) Fits() bool {
	if s.Rule == nil || s.Check() != nil {
		return false
	}
	w := newScan(s.Rule, s.Start, s.Start.Seconds)
	if k, ok := w.find(0); !ok || k != 0 {
		return false
	}
	return slices.ContainsFunc(count(w.len()), func(i int) bool { return w.at(i) == w.start })
}

// dates is Between in Unix time.
func (s *Set) dates(from, before int64) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		if s.Check() != nil {
			return
		}
		added, removed := s.addedAndRemoved()
		last := int64(math.MinInt64) // the date before, to drop duplicates
		pass := func(t time.Time) bool {
			unix := t.Unix()
			again := unix == last
			last = unix
			if again || unix < from || unix >= before || removed[At(t, UTC)] ||
				removed[At(t, Date)] {
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

// addedAndRemoved returns the start and the RDATEs, in order, and the EXDATEs in the
// forms UTC and Date.
func (s *Set) addedAndRemoved() (added []time.Time, removed map[DateTime]bool) {
	added = []time.Time{s.Start.In(s.zone())}
	for _, d := range s.RDates {
		if d.Form == Date { // at the time of the start
			d = DateTime{d.Seconds + secondOfDay(s.Start.Seconds), s.Start.Form}
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

// ruled yields the moments after the start that the rule gives, in order. A moment
// comes twice if two readings of the clock are the same moment.
func (s *Set) ruled(from, before int64) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		if s.Rule == nil {
			return
		}
		zone := s.zone()
		until := min(before-1, lastLocal)
		if s.Rule.Until.Form != 0 {
			until = min(until, s.Rule.Until.In(zone).Unix())
		}
		from := max(from, s.Start.In(zone).Unix()+1)
		if from > until {
			return
		}
		// A skipped reading becomes a later moment, which can follow the moments of
		// later readings. Moments are buffered until their order is certain.
		var buffered []time.Time
		flush := func() bool {
			slices.SortFunc(buffered, time.Time.Compare)
			for _, t := range buffered {
				if t.Unix() > until || t.Unix() >= from && !yield(t) {
					return false
				}
			}
			buffered = buffered[:0]
			return true
		}
		hold := int64(math.MinInt64) // the order of moments is certain from this reading on
		w := newScan(s.Rule, s.Start, until+2*day)
		for reading := range w.readings(firstReading(from, zone)) {
			t := moment(reading, zone)
			buffered = append(buffered, t)
			if skipped := At(t, Local).Seconds - reading; skipped > 0 {
				hold = max(hold, reading+2*skipped)
			}
			if reading >= hold && !flush() {
				return
			}
		}
		flush()
	}
}

// firstReading returns the first reading whose moment can be at or after a given
// moment. Shortly after the clock went forward this is a skipped reading.
func firstReading(unix int64, zone *time.Location) int64 {
	t := time.Unix(unix, 0).In(zone)
	reading := At(t, Local).Seconds
	begin, _ := t.ZoneBounds()
	if begin.IsZero() {
		return reading
	}
	change := reading - unix - (At(begin.Add(-1), Local).Seconds - begin.Unix() + 1)
	if unix-begin.Unix() < change {
		return reading - change
	}
	return reading
}
