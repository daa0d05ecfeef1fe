// Publishing what was scheduled.

package write

import (
	"time"

	"almanac/store"
)

// PublishDue publishes the scheduled records whose date is not after now. The
// rest of them stays as it is, their dates too.
func PublishDue(tx *store.Tx, now time.Time) error {
	for _, r := range tx.Due(now) {
		var next store.Record
		switch r := r.(type) {
		case *store.Event:
			e := *r
			e.Status, next = store.Publish, &e
		case *store.Venue:
			v := *r
			v.Status, next = store.Publish, &v
		case *store.Organizer:
			o := *r
			o.Status, next = store.Publish, &o
		}
		if err := tx.Put(next); err != nil {
			return err
		}
	}
	return nil
}
