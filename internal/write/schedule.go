package write

import (
	"errors"
	"time"

	"almanac/store"
)

// PublishDue publishes the scheduled records whose date is not after now, in transactions of
// account 0 between which others write. Nothing else about them changes, not even dates.
func PublishDue(s *store.Store, now time.Time) error {
	for {
		more := false
		err := s.Update(0, func(tx *store.Tx) error {
			err := publishSome(tx, now)
			if more = errors.Is(err, ErrMore); more {
				return nil
			}
			return err
		})
		if err != nil || !more {
			return err
		}
	}
}

// publishSome is PublishDue for one transaction. The error may be ErrMore.
func publishSome(tx *store.Tx, now time.Time) error {
	var work part
	for _, r := range tx.Due(now) {
		next, p := CopyOf(r)
		p.Status = store.Publish
		if err := work.put(tx, next); err != nil {
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
