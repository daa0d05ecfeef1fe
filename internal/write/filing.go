// Storing the records of files: equal ones are not written, and the caller needs the rights of a
// request.

package write

import (
	"slices"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// An Outcome is the result for a draft that was taken.
type Outcome string

// A record with several outcomes has the first of these.
const (
	Created   Outcome = "created"
	Updated   Outcome = "updated"
	Unchanged Outcome = "unchanged" // was equal, or is newer here
)

// Rank returns the place of an outcome among those of one record, of which the first counts.
func (o Outcome) Rank() int { return slices.Index([]Outcome{Created, Updated, Unchanged}, o) }

// Store stores a record that was made of a draft of a file, unless it is equal to the stored one.
// If the file has no time of change, that of a changed record is the present. The error may be
// ErrForbidden.
func (ed Editor) Store(
	tx *store.Tx,
	next store.Record,
	isNew, isDated bool,
) (Outcome, error) {
	ed.clean(next)
	forbidden := ed.mayStore(tx, next)
	post := store.PostOf(next)
	outcome := Created
	if !isNew {
		if Same(tx.Get(next.Kind(), next.Key()), next) {
			return Unchanged, nil
		}
		outcome = Updated
		if post != nil && !isDated {
			post.Modified = ed.Now
		}
	}
	if forbidden != nil {
		return "", forbidden
	}
	return outcome, tx.Put(next)
}

// clean removes markup from the currency of an event, unless the caller may import everything.
func (ed Editor) clean(next store.Record) {
	if e, ok := next.(*store.Event); ok && !ed.Caller.May(account.Import) {
		e.Symbol = markup.StripTags(e.Symbol)
		e.Code = markup.StripTags(e.Code)
		e.Position = markup.StripTags(e.Position)
	}
}

// mayStore returns ErrForbidden if the caller may not change a stored record to its next state. An
// event of a series is for accounts that may import everything.
func (ed Editor) mayStore(tx *store.Tx, next store.Record) error {
	was := store.PostOf(tx.Get(next.Kind(), next.Key()))
	if was == nil || ed.Caller.May(account.Import) {
		return nil
	}
	e, _ := tx.Get(next.Kind(), next.Key()).(*store.Event)
	isTrashed := store.PostOf(next).Status == store.Trash
	if !access.MayEdit(ed.Caller, was) || isTrashed && !access.MayDelete(ed.Caller, was) ||
		e != nil && e.Recurrence != nil {
		return ErrForbidden
	}
	return nil
}

// SetParent makes one event the parent of another, 0 of none, and reports whether that is a change.
func (ed Editor) SetParent(tx *store.Tx, child, parent int64) (bool, error) {
	old := tx.Event(child)
	if old == nil || old.Parent == parent {
		return false, nil
	}
	next := *old
	next.Parent = parent
	return true, tx.Put(&next)
}

// SetTermParent puts a category below another one.
func (ed Editor) SetTermParent(tx *store.Tx, child, parent int64) error {
	next := *tx.Term(store.Categories, child)
	next.Parent = parent
	return tx.Put(&next)
}

// SetSeriesParent sets the parent of the events that a series is to have.
func (ed Editor) SetSeriesParent(tx *store.Tx, series, parent int64) error {
	next := *tx.Series(series)
	next.Event.Parent = parent
	return tx.Put(&next)
}

// SetSlug gives a stored event a slug, unless it has it.
func (ed Editor) SetSlug(tx *store.Tx, e *store.Event, wanted string) error {
	if e.Slug == wanted {
		return nil
	}
	next := *e
	next.Slug = OwnSlug(tx, store.Events, wanted, e.Slug, e.ID)
	return tx.Put(&next)
}

// SetPlace makes a stored event the instance of a series at a date, nil of none, and nothing else.
func (ed Editor) SetPlace(tx *store.Tx, e *store.Event, place *store.Recurrence) error {
	return tx.Put(Placed(e, place))
}

// StoreSeries stores a series without making its events, which Join adds.
func (ed Editor) StoreSeries(tx *store.Tx, s *store.Series) error { return tx.Put(s) }

// Discard moves a stored event to the trash, out of its series, and keeps its time of change: the
// file that it is from has it no longer.
func (ed Editor) Discard(tx *store.Tx, e *store.Event) error {
	next := Placed(e, nil)
	next.Status = store.Trash
	next.Slug = ""
	return tx.Put(next)
}

// RepeatFiled is Repeat for an event of a file, which keeps its time of change. Unless isNamed, its
// slug becomes like those of the other events.
func (ed Editor) RepeatFiled(
	tx *store.Tx,
	e *store.Event,
	rec *params.Recurrence,
	isNamed bool,
) error {
	first, _, err := ed.Repeat(tx, e, rec)
	if err != nil {
		return err
	}
	next := *first
	next.Modified = e.Modified
	if !isNamed && e.Slug != "" {
		next.Slug = FreeSlug(tx, store.Events, dated(e.Slug, e.Start), e.ID)
	}
	return tx.Put(&next)
}

// Follow stores that a part of a series goes on with another.
func (ed Editor) Follow(tx *store.Tx, earlier, later int64) error {
	before := *tx.Series(earlier)
	if before.Event.Parts.Later != later {
		before.Event.Parts.Later = later
		if err := tx.Put(&before); err != nil {
			return err
		}
	}
	after := *tx.Series(later)
	if after.Event.Parts.Earlier == earlier {
		return nil
	}
	after.Event.Parts.Earlier = earlier
	return tx.Put(&after)
}
