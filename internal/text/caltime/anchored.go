// The values of relative dates at a moment.

package caltime

import (
	"errors"
	"fmt"
	"time"
)

// errNoStart refuses what is relative to nothing.
var errNoStart = errors.New("@start is for the other dates of an event that has a start_date")

// resolve finds what is meant.
func (r Relative) resolve(a anchored) (Moment, error) {
	zone := r.Zone
	if a.zone != nil {
		zone = a.zone
	}
	instant, local, exact, err := r.find(a, zone)
	if err != nil {
		return Moment{}, err
	}
	local = local.AddDate(0, 0, int(a.steps.days))
	if a.clock >= 0 {
		local = StartOfDay(local).Add(a.clock)
	}
	if !inRange(local) {
		return Moment{}, errOutsideYears
	}
	// A moment in the second pass of an hour that is repeated stays there, unless
	// its wall clock was moved.
	if !exact || a.clock >= 0 || a.steps.days != 0 {
		instant = zone.Instant(local)
	}
	if a.steps.seconds != 0 {
		instant = time.Unix(instant.Unix()+a.steps.seconds, 0).UTC()
		local = zone.Wall(instant)
	}
	if !inRange(local) || !inRange(instant) {
		return Moment{}, errOutsideYears
	}
	return Moment{
		Wall:     local,
		Instant:  instant,
		Explicit: a.zone != nil,
		HasTime: a.clock >= 0 || a.steps.seconds != 0 || a.anchor.kind == atNow ||
			a.anchor.kind == atStart ||
			a.anchor.kind == atChange,
	}, nil
}

var errOutsideYears = errors.New("it lies outside the years 1 to 9999")

// find finds the anchor, with the steps of years and months. Of a moment that
// these have not moved the instant is exact.
func (r Relative) find(a anchored, zone *Zone) (instant, local time.Time, exact bool, err error) {
	today := StartOfDay(zone.Wall(r.Now))
	monthsOn := int(12*a.steps.years + a.steps.months)
	switch a.anchor.kind {
	case atNow:
		instant = time.Unix(r.Now.Unix(), 0).UTC()
	case atStart:
		if instant = r.Start; instant.IsZero() {
			return instant, local, false, errNoStart
		}
	case atChange:
		if instant, err = a.anchor.change(r.Now, zone); err != nil {
			return instant, local, false, err
		}
	case inPeriod:
		return instant, a.anchor.inPeriod(
			today,
			int(a.steps.years),
			int(a.steps.months),
		), false, nil
	case onDate:
		return instant, addMonths(a.anchor.onDate(today), monthsOn), false, nil
	case onWeekday:
		m := meaning{weekday: a.anchor.weekday, direction: a.anchor.direction}
		return instant, addMonths(
			today.AddDate(0, 0, m.daysTo(today.Weekday())),
			monthsOn,
		), false, nil
	default:
		return instant, addMonths(today.AddDate(0, 0, a.anchor.day), monthsOn), false, nil
	}
	return instant, addMonths(zone.Wall(instant), monthsOn), monthsOn == 0, nil
}

// addMonths goes n months on. A day that the month there does not have is its
// last one.
func addMonths(local time.Time, n int) time.Time {
	if n == 0 {
		return local
	}
	first := time.Date(local.Year(), local.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	day := min(local.Day(), daysIn(first.Year(), first.Month()))
	return first.AddDate(0, 0, day-1).Add(local.Sub(StartOfDay(local)))
}

// onDate returns the day of a month that is meant. 29 February is looked for in
// leap years, which are up to eight years apart.
func (a *anchor) onDate(today time.Time) time.Time {
	step := 1
	if a.direction < 0 {
		step = -1
	}
	for year := today.Year(); ; year += step {
		if a.day > daysIn(year, a.month) {
			continue
		}
		day := time.Date(year, a.month, a.day, 0, 0, 0, 0, time.UTC)
		if c := day.Compare(today); c == a.direction || a.direction == 0 && c > 0 {
			return day
		}
	}
}

// inPeriod returns the day of the period of today, moved by years and months.
func (a *anchor) inPeriod(today time.Time, yearsOn, monthsOn int) time.Time {
	midnight := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	switch a.period {
	case week:
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return addMonths(a.dayFrom(monday, monday.AddDate(0, 0, 6)), 12*yearsOn+monthsOn)
	case year:
		y := today.Year() + yearsOn
		return addMonths(a.dayFrom(midnight(y, 1, 1), midnight(y, 12, 31)), monthsOn)
	}
	of := func(year int, m time.Month) time.Time { return a.dayFrom(midnight(year, m, 1), midnight(year, m+1, 0)) }
	y := today.Year()
	m := today.Month()
	if a.month != 0 {
		if m = a.month; of(y, m).Before(today) {
			y++
		}
	}
	return of(y+yearsOn, m+time.Month(monthsOn))
}

// dayFrom returns the day of the anchor in a range of days.
func (a *anchor) dayFrom(first, last time.Time) time.Time {
	switch {
	case a.anyDay && a.place == 0:
		return last
	case a.anyDay:
		return first.AddDate(0, 0, a.place-1)
	case a.place == 0:
		return last.AddDate(0, 0, -(int(last.Weekday()-a.weekday)+7)%7)
	}
	return first.AddDate(0, 0, (int(a.weekday-first.Weekday())+7)%7+7*(a.place-1))
}

// changeReach is how far a change is looked for: further back than the first zone of all.
const changeReach = 200 * 366 * 24 * time.Hour

// change returns the moment of the change of clocks that is meant.
func (a *anchor) change(now time.Time, zone *Zone) (found time.Time, err error) {
	from := now.Add(-changeReach)
	to := now.Add(changeReach)
	for _, c := range zone.Changes(from, to) {
		by := c.After - c.Before
		if by == 0 || a.fold != (by < 0) || c.At.Before(from) {
			continue
		}
		moment := c.At
		if a.fold {
			moment = moment.Add(time.Duration(by) * time.Second)
		}
		if later := moment.After(now); later == (a.direction > 0) {
			if found = moment; later {
				break
			}
		}
	}
	if found.IsZero() {
		what := "forward"
		if a.fold {
			what = "back"
		}
		err = fmt.Errorf(
			"clocks in %s are not put %s within 200 years; name a zone where they are, such as America/New_York",
			zone.Name(),
			what,
		)
	}
	return found, err
}
