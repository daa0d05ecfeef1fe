package rrule

// This file expands a rule into readings: local times in seconds, without a zone.

import (
	"iter"
	"slices"
	"sort"
	"time"
)

// cycle is 400 years in seconds, after which the calendar repeats.
const cycle = 146_097 * day

// cycles has the periods of a cycle.
var cycles = map[Frequency]int{Daily: 146_097, Weekly: 20_871, Monthly: 4_800, Yearly: 400}

// units has the lengths of periods: in months if a period is a month or longer, otherwise in
// seconds.
var units = map[Frequency]int64{
	Secondly: 1,
	Minutely: 60,
	Hourly:   3600,
	Daily:    day,
	Weekly:   7 * day,
	Monthly:  1,
	Yearly:   12,
}

// A scan visits the periods of a rule. Period 0 contains the start. It holds one
// period at a time.
type scan struct {
	rule           *Rule
	start, end     int64 // readings; end is the last
	days           dayFilter
	begins, within clock
	step           int64 // from period to period, in the unit of units
	origin         int64 // beginning of period 0: a reading, or a month since year 0

	bases     []int64        // readings to which the times of within are added
	positions []int          // indexes of the dates that BYSETPOS selects
	barren    map[int64]bool // first beginnings in a day, in seconds, that give no date
	looks     int            // cost of the search: days and beginnings examined
}

func newScan(rule *Rule, start DateTime, end int64) *scan {
	r := rule.canonical()
	t := start.reading()
	w := &scan{
		rule:   r,
		start:  start.Seconds,
		end:    min(end, lastLocal),
		days:   newDayFilter(r, t),
		barren: map[int64]bool{},
	}
	w.begins, w.within = newClocks(r, start)
	w.step = units[r.Freq] * int64(r.Interval)
	switch r.Freq {
	case Yearly:
		w.origin = int64(t.Year()) * 12
	case Monthly:
		w.origin = monthOf(t)
	case Weekly:
		w.origin = start.Seconds - secondOfDay(
			start.Seconds,
		) - int64(
			(WeekdayOf(t)-r.WeekStart+7)%7,
		)*day
	default:
		w.origin = start.Seconds - secondOfDay(start.Seconds)%units[r.Freq]
	}
	return w
}

func monthOf(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }

// period returns the number of the last period that begins at or before a reading.
func (w *scan) period(reading int64) int64 {
	if w.rule.Freq >= Monthly {
		return floorDiv(monthOf(time.Unix(reading, 0).UTC())-w.origin, w.step)
	}
	return floorDiv(reading-w.origin, w.step)
}

// readings yields the readings of the rule after the start and at or after from, in order.
func (w *scan) readings(from int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		counted := w.rule.Count > 0
		left := w.rule.Count - 1
		k := max(w.period(from), 0)
		if counted {
			k, left = w.count(k, left)
		}
		for k, ok := w.find(k); ok && (!counted || left > 0); k, ok = w.find(k + 1) {
			n := w.len()
			i := sort.Search(n, func(i int) bool { return w.at(i) > w.start })
			if counted {
				n = min(n, i+left)
				left -= n - i
			}
			i = max(i, sort.Search(n, func(i int) bool { return w.at(i) >= from }))
			for ; i < n; i++ {
				if !yield(w.at(i)) {
					return
				}
			}
		}
	}
}

// count returns the period from which dates have to be counted, and how many dates of
// COUNT are left there. This is period k if all periods have the same number of dates,
// otherwise period 0.
func (w *scan) count(k int64, left int) (int64, int) {
	r := w.rule
	equal := w.days.empty()
	switch {
	case r.Freq < Daily:
		equal = equal && int64(w.begins.len())*units[r.Freq] == day
	case r.Freq == Weekly:
		equal = len(r.ByMonth) == 0
	case r.Freq > Weekly:
		equal = false
	}
	if k < 2 || !equal || !w.fill(0) {
		return 0, left
	}
	n := w.len()
	first := n - sort.Search(n, func(i int) bool { return w.at(i) > w.start })
	if int64(left-first)/int64(n) < k-1 {
		return 0, 0
	}
	return k, left - first - int(k-1)*n
}

// find makes the first period from number k on that has dates the current one,
// and returns its number. It returns false if there is none before the end.
func (w *scan) find(k int64) (int64, bool) {
	if w.rule.Freq < Daily {
		return w.findShort(k)
	}
	for range cycles[w.rule.Freq] {
		if w.rule.Freq >= Monthly && w.origin+k*w.step > monthOf(time.Unix(w.end, 0).UTC()) ||
			w.rule.Freq < Monthly && w.origin+k*w.step > w.end {
			return 0, false
		}
		if w.fill(k) {
			return k, true
		}
		k++
	}
	return 0, false
}

// findShort is find for periods shorter than a day. It remembers first beginnings in a
// day that give no date, and so examines such days once.
func (w *scan) findShort(k int64) (int64, bool) {
	first := w.origin + k*w.step
	entered := int64(-1)
	for {
		w.looks++
		begin := w.origin + k*w.step
		if begin > w.end || (begin-first > cycle && cycle%w.step == 0) {
			return 0, false
		}
		second := secondOfDay(begin)
		midnight := begin - second
		if second < w.step { // the first beginning of the day, which determines the rest
			entered = second
		}
		next := midnight + day
		if !w.barren[entered] && w.days.match(midnight/day) {
			allowed, ok := w.begins.from(second)
			switch {
			case ok && allowed == second:
				return k, w.fill(k)
			case ok:
				next = midnight + allowed
			}
			if k = ceilDiv(next-w.origin, w.step); w.origin+k*w.step >= midnight+day &&
				entered >= 0 {
				w.barren[entered] = true
			}
			continue
		}
		k = ceilDiv(next-w.origin, w.step)
	}
}

// fill makes period k the current one and reports whether it has dates.
func (w *scan) fill(k int64) bool {
	w.bases = w.bases[:0]
	begin := w.origin + k*w.step
	first := floorDiv(begin, day)
	last := floorDiv(begin, day)
	switch w.rule.Freq {
	case Secondly, Minutely, Hourly:
		w.bases = append(w.bases, begin)
		last = first - 1
	case Weekly:
		last += 6
	case Monthly, Yearly:
		first = dayOfMonth(begin)
		last = dayOfMonth(begin+units[w.rule.Freq]) - 1
	}
	for d := first; d <= last; d++ {
		w.looks++
		if w.days.match(d) {
			w.bases = append(w.bases, d*day)
		}
	}
	w.positions = w.positions[:0]
	n := len(w.bases) * w.within.len()
	for _, p := range w.rule.BySetPos {
		if p < 0 {
			p += n + 1
		}
		if 1 <= p && p <= n {
			w.positions = append(w.positions, p-1)
		}
	}
	slices.Sort(w.positions)
	w.positions = slices.Compact(w.positions)
	return w.len() > 0
}

func (w *scan) len() int {
	if len(w.rule.BySetPos) > 0 {
		return len(w.positions)
	}
	return len(w.bases) * w.within.len()
}

func (w *scan) at(i int) int64 {
	if len(w.rule.BySetPos) > 0 {
		i = w.positions[i]
	}
	return w.bases[i/w.within.len()] + w.within.at(i%w.within.len())
}

// dayOfMonth returns the number of the first day of a month, which is counted from
// January of the year 0.
func dayOfMonth(month int64) int64 {
	return floorDiv(
		time.Date(int(month/12), time.Month(month%12+1), 1, 0, 0, 0, 0, time.UTC).Unix(),
		day,
	)
}

func floorDiv(a, b int64) int64 { return (a - ((a%b)+b)%b) / b }

func ceilDiv(a, b int64) int64 { return floorDiv(a+b-1, b) }
