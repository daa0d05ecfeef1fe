package write

import (
	"time"

	"almanac/store"
)

// PublishDue publishes the scheduled records whose date is not after now. Nothing else about them
// changes, not even dates.
func PublishDue(tx *store.Tx, now time.Time) error {
	for _, r := range tx.Due(now) {
		next, p := CopyOf(r)
		p.Status = store.Publish
		if err := tx.Put(next); err != nil {
			return err
		}
	}
	return nil
}

// CopyOf returns a copy of an event, venue, organizer or series, and its common part; nil for
// other records.
func CopyOf(r store.Record) (store.Record, *store.Post) {
	switch r := r.(type) {
	case *store.Event:
		e := *r
		return &e, &e.Post
	case *store.Venue:
		v := *r
		return &v, &v.Post
	case *store.Organizer:
		o := *r
		return &o, &o.Post
	case *store.Series:
		s := *r
		return &s, &s.Event.Post
	}
	return nil, nil
}
