// Time zones (section 3.6.5 of RFC 5545), made from those of package caltime.

package ical

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/caltime"
)

// TimeZone writes the VTIMEZONE of a zone. It is right for all moments from one to another,
// and for all that come after where the zone changes twice a year by rules, as nearly
// all do that change.
func (w *Writer) TimeZone(z *caltime.Zone, from, to time.Time) {
	const seen = 28 // years, in which every date has been every weekday
	changes := z.Changes(from, to.AddDate(seen, 0, 0))
	n, _ := slices.BinarySearchFunc(
		changes,
		to,
		func(c caltime.Change, t time.Time) int { return cmp.Or(c.At.Compare(t), -1) },
	)
	single := changes[:n]
	rules := []string(nil)
	goesOn := changes[len(changes)-1].At.After(to.AddDate(seen-1, 0, 0))
	if k, found := yearly(changes); goesOn && k < n && found != nil {
		single = changes[:k]
		rules = found
	}
	w.Begin("VTIMEZONE")
	w.Line("TZID").Text(z.Name())
	for _, c := range single {
		if c.At.IsZero() { // as it always was
			c.At = time.Date(max(min(from.Year()-1, 1970), 1), 1, 1, 0, 0, -c.Before, 0, time.UTC)
		}
		w.observance(c, "")
	}
	for i, rule := range rules {
		w.observance(changes[len(single)+i], rule)
	}
	w.End("VTIMEZONE")
}

// observance writes from when on clocks show what they do, and by which rule they come
// back to that.
func (w *Writer) observance(c caltime.Change, rule string) {
	kind := "STANDARD"
	if c.Summer {
		kind = "DAYLIGHT"
	}
	w.Begin(kind)
	w.Line("DTSTART").Local(onset(c))
	if rule != "" {
		w.Line("RRULE").Raw(rule)
	}
	w.Line("TZOFFSETFROM").Raw(offset(c.Before))
	w.Line("TZOFFSETTO").Raw(offset(c.After))
	w.Line("TZNAME").Text(c.Abbr)
	w.End(kind)
}

// onset returns what clocks show that have not been put forward or back.
func onset(
	c caltime.Change,
) time.Time {
	return c.At.UTC().Add(time.Duration(c.Before) * time.Second)
}

func offset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign = '-'
		seconds = -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}

// yearly returns from which change on the rules of two changes a year are those of all
// that follow, and the rules; none if there are no such.
//
// Each of the two is on one weekday in seven days of one month, and so once a year.
// These have all been seen, so that a year to come has no other.
func yearly(changes []caltime.Change) (k int, rules []string) {
	first := [2]int{31, 31}
	last := [2]int{}
	for k = len(changes); k > 0; k-- {
		c := changes[k-1]
		i := (len(changes) - k) % 2
		if c.At.IsZero() || k+1 < len(changes) && !yearBefore(c, changes[k+1]) {
			break
		}
		day := onset(c).Day()
		low := min(first[i], day)
		high := max(last[i], day)
		if high-low > 6 {
			break
		}
		first[i], last[i] = low, high
	}
	if first[0]+6 != last[0] || first[1]+6 != last[1] {
		return 0, nil
	}
	for j := k; j < k+2; j++ {
		i := (len(changes) - j - 1) % 2
		rules = append(rules, yearRule(onset(changes[j]), first[i], last[i]))
	}
	return k, rules
}

// yearBefore reports whether a change is another one a year before, but for the day.
func yearBefore(a, b caltime.Change) bool {
	s := onset(a)
	t := onset(b)
	a.At = time.Time{}
	b.At = time.Time{}
	return a == b && s.Year() == t.Year()-1 && s.Month() == t.Month() &&
		s.Weekday() == t.Weekday() &&
		s.Sub(caltime.StartOfDay(s)) ==
			t.Sub(caltime.StartOfDay(t))
}

// yearRule returns the rule of the weekday of a time between two days of its month.
func yearRule(t time.Time, first, last int) string {
	month := t.Month()
	day := strings.ToUpper(t.Weekday().String()[:2])
	rule := "FREQ=YEARLY;BYMONTH=" + strconv.Itoa(int(month))
	switch {
	case last%7 == 0:
		return rule + ";BYDAY=" + strconv.Itoa(last/7) + day
	case month != time.February && last == time.Date(t.Year(), month+1, 0, 0, 0, 0, 0, time.UTC).Day():
		return rule + ";BYDAY=-1" + day
	}
	rule += ";BYMONTHDAY="
	for d := first; d < last; d++ {
		rule += strconv.Itoa(d) + ","
	}
	return rule + strconv.Itoa(last) + ";BYDAY=" + day
}
