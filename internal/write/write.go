// Package write turns checked parameters into records: what a create makes, what
// an update changes, what a delete leaves. Status, slug, dates and links follow
// the rules of The Events Calendar where clients rely on them, with one
// difference: an update changes the members that were sent and nothing else.
//
// An Editor works inside a transaction that the caller has opened:
//
//	err := s.Update(caller.ID, func(tx *store.Tx) error {
//		return editor.Event(tx, values, &event, old)
//	})
//
// If a function returns an error, the caller must abandon the transaction. An
// error about a parameter is a *params.Invalid; all other errors are in write.go.
//
// post.go has what events, venues and organizers share: author, dates, status,
// slug and image. event.go, linked.go and term.go have one kind of record each,
// scope.go has what is done to events that may come again. members.go says what the
// members of events are, instance.go what the events of a series are made of, expand.go
// which dates it has; series.go stores a series with its events, change.go changes all of
// them, split.go splits a series, and horizon.go makes what the clock has come to.
// region.go compares the names of countries and states, and schedule.go publishes
// records whose time has come.
package write

import (
	"errors"
	"fmt"
	"time"

	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/params"
	"almanac/store"
)

// An Editor writes on behalf of one caller at one moment.
type Editor struct {
	Caller   account.Account
	Now      time.Time // UTC
	Site     *caltime.Zone
	Zones    *caltime.Zones
	Currency string                   // the symbol with which costs without one are shown
	Page     func(*store.Post) string // returns the address of an event's page, which answers show when it has no website
	Hash     func(text string) string // returns what the store keeps of a password
}

// Errors that are not about the form of one parameter.
var (
	ErrForbidden = errors.New("the account has no right to this part of the change")
	ErrTwoVenues = errors.New("an event has one venue: send one")
	ErrTermSlug  = errors.New("another term has this slug")
)

// A BlankName is the error of a venue or an organizer that cannot be made because
// it has no name, or a name that holds nothing but spaces.
type BlankName struct{ Kind string } // "venue" or "organizer"

func (e *BlankName) Error() string {
	return fmt.Sprintf("the %s cannot be made: it needs a name that holds more than spaces", e.Kind)
}

// A TermExists is the error of a new term that has the name and the parent of
// an existing one.
type TermExists struct{ ID int64 }

func (e *TermExists) Error() string {
	return fmt.Sprintf("a term with this name and parent is there already: %d", e.ID)
}

// invalid returns the error that refuses one parameter.
func invalid(name, reason string) error {
	return &params.Invalid{Complaints: []params.Complaint{{Name: name, Reason: reason}}}
}
