// Scheduled records: published when the clock passes their date.

package rest

import (
	"almanac/internal/write"
	"almanac/store"
)

// publishDue publishes what was scheduled for a time that has come. Every
// request asks first, so that none sees a record too early or too late by the
// server's clock, whatever moves that clock; a goroutine with a timer would.
// When it cannot be stored the records stay scheduled. What a request sees that
// brings a time of its own is for the exchange to say.
func (r *request) publishDue() error {
	now := r.now
	if r.exchange != nil && r.exchange.moved {
		now = r.clock.Now()
	}
	if r.store.Due(now) {
		err := r.store.Update(0, func(tx *store.Tx) error { return write.PublishDue(tx, now) })
		if err != nil {
			r.World.log.Warn("scheduled records could not be published", "err", err)
		}
	}
	if now != r.now {
		return r.exchange.lookAhead(r)
	}
	return nil
}
