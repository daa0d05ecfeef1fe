// What is due by the clock: scheduled records, published when it passes their date, and the
// horizons of series.

package rest

import (
	"almanac/internal/write"
	"almanac/store"
)

// PublishDue publishes what was scheduled for a time that has come. Every
// request asks first, so that none sees a record too early or too late by the
// server's clock, whatever moves that clock; a goroutine with a timer would.
// When it cannot be stored the records stay scheduled. Series get the events that have
// come within their horizon.
func (t *Tenant) PublishDue() {
	if !t.Store.Due(t.Due) {
		return
	}
	if err := t.Store.Update(0, func(tx *store.Tx) error { return write.PublishDue(tx, t.Due) }); err != nil {
		t.Log.Warn("scheduled records could not be published", "err", err)
	}
	if err := write.MoveHorizons(t.Store, t.Due); err != nil {
		t.Log.Warn("events of a series could not be made", "err", err)
	}
}
