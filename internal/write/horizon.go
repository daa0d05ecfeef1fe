package write

import (
	"errors"
	"time"

	"almanac/internal/text/caltime"
	"almanac/store"
)

// MoveHorizons generates the events that all series need up to their new horizons, in a
// transaction of account 0 for each series. It joins the errors and continues with the next
// series.
func MoveHorizons(s *store.Store, now time.Time) error {
	var due []*store.Series
	err := s.View(func(v *store.View) error {
		due = v.DueSeries(now)
		return nil
	})
	ed := Editor{Now: now, Zones: new(caltime.Zones)}
	for _, series := range due {
		err = errors.Join(
			err,
			s.Update(0, func(tx *store.Tx) error { return ed.moveHorizon(tx, series.ID) }),
		)
	}
	return err
}

// moveHorizon generates the events of a series up to its new horizon, if the horizon did not move
// since. It generates at most mostAtOnce events; the next call continues. A series with more than
// mostAhead dates ahead, which requests cannot create, gets no more events.
func (ed Editor) moveHorizon(tx *store.Tx, id int64) error {
	s := *tx.Series(id)
	x, err := ed.Expand(&s)
	if err != nil {
		return err
	}
	from := s.Horizon
	to := ed.horizon(x.Local)
	if from == 0 || s.Event.Status == store.Trash || from >= to {
		return nil
	}
	r := &revision{Editor: ed, tx: tx, series: &s}
	var dates []store.Wall
	s.Horizon = 0
	if x.Count(ed.Now, x.Moment(to), mostAhead+1) > mostAhead {
		return tx.Put(&s)
	}
	for t := range x.From(x.Moment(from)) {
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
