// The form that records must have on disk and in indexes.

package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// MaxID is the largest id: the largest number that every reader of JSON takes for a whole number.
const MaxID = 1<<53 - 1

// CheckForm refuses a record that has no form on disk or that the indexes
// cannot hold: it would take the transactions beside it along.
func CheckForm(r Record) error {
	if r.Key() < 0 || r.Key() > MaxID {
		return fmt.Errorf("the id %d is not from 1 to %d", r.Key(), int64(MaxID))
	}
	if p := PostOf(r); p != nil && !(hasForm(p.Date) && hasForm(p.Modified)) {
		return errors.New("a date is not in the years 0 to 9999")
	}
	switch r := r.(type) {
	case *Event:
		return r.checkForm()
	case *Series:
		return r.checkForm()
	case *Venue:
		if g := r.Geo; g != nil && !(math.Abs(g.Lat) <= 90 && math.Abs(g.Lng) <= 180) {
			return fmt.Errorf("%v, %v is not on the globe", g.Lat, g.Lng)
		}
	case *Account:
		return r.checkForm()
	case *Image:
		return r.checkForm()
	case *Term:
		if !r.Taxonomy.IsTerm() {
			return fmt.Errorf("a term is one of categories or tags, not of %s", r.Taxonomy)
		}
	}
	return nil
}

func (e *Event) checkForm() error {
	switch r := e.Recurrence; {
	case !e.Start.hasForm() || !e.End.hasForm() || !e.PreviousStart.hasForm() || r != nil && !r.Start.hasForm():
		return errors.New("a wall clock is not in the years 0 to 9999")
	case e.End < e.Start:
		return fmt.Errorf("it ends at %v, before it starts at %v", e.End, e.Start)
	case r != nil && !isAscending(r.Changed):
		return fmt.Errorf("the changed members %q are not ascending", r.Changed)
	}
	return nil
}

func (s *Series) checkForm() error {
	for _, walls := range [][]Wall{s.RDates, s.EXDates, {s.Horizon}} {
		if !isAscending(walls) {
			return errors.New("the dates of a series are not ascending")
		}
		if slices.ContainsFunc(walls, func(w Wall) bool { return !w.hasForm() }) {
			return errors.New("a wall clock is not in the years 0 to 9999")
		}
	}
	if e := &s.Event; e.ID != 0 || e.Rev != 0 || e.Recurrence != nil {
		return errors.New("what events are made of is stored as one of them")
	}
	return s.Event.checkForm()
}

// isAscending reports whether a list is in order, with nothing in it twice.
func isAscending[T cmp.Ordered](list []T) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1] >= list[i] {
			return false
		}
	}
	return true
}

// hasForm reports whether a time can be written in RFC 3339.
func hasForm(t time.Time) bool { y := t.UTC().Year(); return 0 <= y && y <= 9999 }
