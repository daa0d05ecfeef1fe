// Scheduled records: published when the clock passes their date.

package rest

import (
	"time"

	"almanac/edit"
	"almanac/store"
)

// publishDue publishes what was scheduled for a time that has come. Every
// request asks first, so that none sees a record too early or too late by the
// server's clock, whatever moves that clock; a goroutine with a timer would.
// When it cannot be stored the records stay scheduled.
func (s *Server) publishDue(now time.Time) {
	if !s.store.Due(now) {
		return
	}
	err := s.store.Update(0, func(tx *store.Tx) error { return edit.PublishDue(tx, now) })
	if err != nil {
		s.log.Warn("scheduled records could not be published", "err", err)
	}
}
