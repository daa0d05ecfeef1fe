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

// plansMost is how many plans a request may have. One that needs more meets a series that others
// change all the time, and computes in its transaction.
const plansMost = 4

// An Unplanned is the error of a transaction that needs the dates of a series.
type Unplanned struct {
	editor Editor
	series store.Series
	least  store.Wall
	key    string
}

// Error says that the dates are missing.
func (*Unplanned) Error() string { return "the dates of a series are not there yet" }

// Plan computes the dates for the Plans of the editor. It returns the least number of bytes that
// the transaction will write, 0 if that is unknown.
func (u *Unplanned) Plan() (bytes int64) {
	s := u.series
	dates, err := u.editor.datesOf(&s, u.least)
	plans := u.editor.Plans
	if plans.made == nil {
		plans.made = map[string]planned{}
	}
	plans.made[u.key] = planned{dates, s.Horizon, err}
	if s.ID != 0 || err != nil { // events that stay are not written
		return 0
	}
	const least = 250 // bytes of an event without texts
	e := &s.Event
	texts := len(e.Title) + len(e.Description) + len(e.Excerpt) + len(e.Website)
	return int64(2*texts + least*len(dates)) // the series and its first event have the texts
}

// plan returns the dates of the events of a series in order, and sets its horizon, which is not
// before least. It refuses recurrences that are surely mistakes. With Plans, the error may be an
// Unplanned.
func (ed Editor) plan(s *store.Series, least store.Wall) ([]store.Wall, error) {
	if ed.Plans == nil {
		return ed.datesOf(s, least)
	}
	e := &s.Event
	key := fmt.Sprint(least, e.Start, e.Timezone, e.AllDay, s.Rule, s.RDates, s.EXDates)
	p, found := ed.Plans.made[key]
	switch {
	case found:
		s.Horizon = p.horizon
		return p.dates, p.err
	case len(ed.Plans.made) == plansMost:
		return ed.datesOf(s, least)
	}
	return nil, &Unplanned{ed, *s, least, key}
}
