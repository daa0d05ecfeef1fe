package rrule

// This file computes the times of day that a rule allows.

import (
	"slices"
	"sort"
)

// A clock is the times of a day made of each hour with each minute with each
// second. Its lists are in order and not empty.
type clock struct{ hours, minutes, seconds []int }

var (
	zero    = []int{0}
	upTo24  = count(24)
	upTo60  = count(60)
	oneTime = clock{zero, zero, zero}
)

func count(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// newClocks returns the times at which a period of a rule may begin, and the times
// within a period, counted from its beginning. A period of a day and longer has
// the times of each of its days, and begins at midnight.
func newClocks(r *Rule, start DateTime) (begins, within clock) {
	s := int(secondOfDay(start.Seconds))
	or := func(list []int, otherwise ...int) []int {
		if len(list) == 0 ||
			start.Form == Date { // section 3.3.10: to be ignored for dates without a time
			return otherwise
		}
		return list
	}
	seconds := slices.Clone(r.BySecond)
	for i := range seconds {
		seconds[i] = min(seconds[i], 59)
	}
	seconds = slices.Compact(seconds)
	switch r.Freq {
	case Secondly:
		return clock{
			or(r.ByHour, upTo24...),
			or(r.ByMinute, upTo60...),
			or(seconds, upTo60...),
		}, oneTime
	case Minutely:
		return clock{
				or(r.ByHour, upTo24...),
				or(r.ByMinute, upTo60...),
				zero,
			}, clock{
				zero,
				zero,
				or(seconds, s%60),
			}
	case Hourly:
		return clock{
				or(r.ByHour, upTo24...),
				zero,
				zero,
			}, clock{
				zero,
				or(r.ByMinute, s/60%60),
				or(seconds, s%60),
			}
	}
	return oneTime, clock{or(r.ByHour, s/3600), or(r.ByMinute, s/60%60), or(seconds, s%60)}
}

func (c clock) len() int { return len(c.hours) * len(c.minutes) * len(c.seconds) }

// at returns the time of a position, in seconds.
func (c clock) at(i int) int64 {
	m := len(c.minutes)
	s := len(c.seconds)
	return int64(c.hours[i/(m*s)]*3600 + c.minutes[i/s%m]*60 + c.seconds[i%s])
}

// from returns the first time that is not before t, in seconds, if there is one.
func (c clock) from(t int64) (int64, bool) {
	i := sort.Search(c.len(), func(i int) bool { return c.at(i) >= t })
	if i == c.len() {
		return 0, false
	}
	return c.at(i), true
}
