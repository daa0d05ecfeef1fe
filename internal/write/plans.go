// Plans: the dates of series that are computed while no transaction runs.

package write

import (
	"fmt"

	"almanac/store"
)

// Plans are the dates of the series of one request. A rule may have its few dates in thousands of
// years, and other writers do not wait for these to be found: a transaction that needs dates fails
// with an Unplanned, and is run again when its dates are there. The zero value is ready.
type Plans struct{ made map[string]planned }

type planned struct {
	dates   []store.Wall
	horizon store.Wall
	err     error
}

// plansMost is how many computations a request may have. One that needs more meets a series that
// others change all the time, and computes in its transaction.
const plansMost = 8

// An Unplanned is the error of a transaction that needs dates of a series.
type Unplanned struct {
	plans   *Plans
	key     string
	compute func() planned
}

// Error says that the dates are missing.
func (*Unplanned) Error() string { return "the dates of a series are not there yet" }

// Plan computes the dates for the Plans of the editor.
func (u *Unplanned) Plan() {
	if u.plans.made == nil {
		u.plans.made = map[string]planned{}
	}
	u.plans.made[u.key] = u.compute()
}

// get returns what was computed for a key, an Unplanned if that is missing.
func (p *Plans) get(key string, compute func() planned) (planned, error) {
	found := planned{}
	ok := false
	if p != nil {
		found, ok = p.made[key]
	}
	switch {
	case ok:
		return found, found.err
	case p == nil || len(p.made) == plansMost:
		found = compute()
		return found, found.err
	}
	return planned{}, &Unplanned{p, key, compute}
}

// keyOf names what the dates of a series depend on, for a purpose.
func keyOf(s *store.Series, purpose ...any) string {
	e := &s.Event
	return fmt.Sprint(purpose, e.Start, e.Timezone, e.AllDay, s.Rule, s.RDates, s.EXDates)
}

// plan returns the dates of the events of a series in order, and sets its horizon, which is not
// before least. It refuses recurrences that are surely mistakes. With Plans, the error may be an
// Unplanned.
func (ed Editor) plan(s *store.Series, least store.Wall) ([]store.Wall, error) {
	next := *s
	p, err := ed.Plans.get(keyOf(s, "events from", least), func() planned {
		dates, err := ed.datesOf(&next, least)
		return planned{dates, next.Horizon, err}
	})
	if err == nil {
		s.Horizon = p.horizon
	}
	return p.dates, err
}

// onDays returns the dates of a series, and of its set, on some days in order. With Plans, the
// error may be an Unplanned.
func (ed Editor) onDays(x *Expansion, s *store.Series, days []store.Wall) ([]store.Wall, error) {
	if len(days) == 0 {
		return nil, nil
	}
	next := *s
	p, err := ed.Plans.get(keyOf(s, "on days", days), func() planned {
		dates, err := x.on(&next, days)
		return planned{dates: dates, err: err}
	})
	return p.dates, err
}
