// Moving the horizons of series.

package write

import (
	"errors"
	"time"

	"almanac/internal/caltime"
	"almanac/store"
)

// MoveHorizons makes the events of all series that have come within their horizons, in a
// transaction for each series, of account 0. What cannot be made does not keep it from the
// others.
func MoveHorizons(s *store.Store, now time.Time) error {
	var due []*store.Series
	err := s.View(func(v *store.View) error {
		due = v.DueSeries(now)
		return nil
	})
	ed := Editor{Now: now, Zones: new(caltime.Zones)}
	for _, series := range due {
		err = errors.Join(err, s.Update(0, func(tx *store.Tx) error { return ed.moveHorizon(tx, series.ID) }))
	}
	return err
}

// moveHorizon makes the events of one series that have come within its horizon, and moves
// the horizon: unless somebody else has done that. No more than mostAtOnce events are made;
// what is left is made the next time. A series that has come to ask for more than mostAhead
// ahead, as one that a request makes does not, gets no more events.
func (ed Editor) moveHorizon(tx *store.Tx, id int64) error {
	s := *tx.Series(id)
	x, err := ed.expansionOf(&s)
	if err != nil {
		return err
	}
	from, to := s.Horizon, ed.horizon(x.zone)
	if from == 0 || s.Event.Status == store.Trash || from >= to {
		return nil
	}
	r := &revision{Editor: ed, tx: tx, series: &s}
	var dates []store.Wall
	s.Horizon = 0
	if x.Count(ed.Now, x.moment(to), mostAhead+1) > mostAhead {
		return tx.Put(&s)
	}
	for t := range x.From(x.moment(from)) {
		date := store.WallOf(t)
		if date >= to || len(dates) == mostAtOnce {
			s.Horizon = min(date, to)
			break
		}
		dates = append(dates, date)
	}
	if err := tx.Put(&s); err != nil {
		return err
	}
	for _, date := range dates {
		if tx.Instance(id, date) != nil {
			continue
		}
		if err := r.put(&instance{date: date}); err != nil {
			return err
		}
	}
	return nil
}
