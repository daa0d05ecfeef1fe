// Package write makes records of drafts: it creates, changes and deletes them, and nothing else
// stores one. Status, slug, dates and links follow the rules of The Events Calendar where clients
// rely on them, with one difference: an update changes only the members that were sent.
//
// An Editor works inside a transaction that the caller has opened:
//
//	err := s.Update(caller.ID, func(tx *store.Tx) error {
//		return editor.Event(tx, write.Draft{Values: values}, &event, old)
//	})
//
// If a function returns an error, the caller must abandon the transaction. An error about a
// member is a *params.Invalid; all other errors are in write.go.
//
// draft.go says what a draft of a request and of a file may have, and filing.go stores the records
// of files. post.go has the common members of events, venues and organizers; event.go, linked.go
// and term.go have their own. Of series, scope.go has the operations, members.go the members of
// events, instance.go the template, expand.go the dates, series.go the storage, change.go the
// changes, split.go the division, and horizon.go the generation of later events. merge.go merges
// two records, and restore.go restores a revision. region.go compares names of countries and
// states, and schedule.go publishes scheduled records.
package write

import (
	"errors"
	"fmt"
	"time"

	"almanac/i18n/cldr"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
	"almanac/store"
)

// An Editor writes on behalf of one caller at one instant.
type Editor struct {
	Caller   account.Account
	Now      time.Time // UTC
	Site     *caltime.Zone
	Zones    *caltime.Zones
	Currency cldr.Currency            // of a cost that carries none
	Language string                   // of the site, a tag of BCP 47, for slugs
	Page     func(*store.Post) string // returns the address of an event's page, its default website
	Sealed   string                   // stored hash of the password that the request has
	Plans    *Plans                   // nil: dates of series are computed in the transaction
	Proposal *store.Proposal          // new value of an event; nil keeps the present one
	Hold     *store.Hold              // of a change in several transactions; see ErrMore
	Afford   func(bytes int64) error  // refuses a change that adds at least so much to the log; nil takes all
}

// Errors that are not about the form of one parameter.
var (
	ErrForbidden = errors.New("the account has no right to this part of the change")
	ErrTwoVenues = errors.New("an event has one venue: send one")
	ErrTermSlug  = errors.New("another term has this slug")
	ErrBlank     = errors.New("has neither title nor description nor excerpt")
)

// A BlankName is the error of a venue or an organizer whose name is missing or has only spaces.
type BlankName struct{ Kind string } // "venue" or "organizer"

func (e *BlankName) Error() string {
	return fmt.Sprintf(
		"the %s cannot be made: it needs a name that holds more than spaces",
		e.Kind,
	)
}

// A TermExists is the error of a new term with the name and parent of an existing one.
type TermExists struct{ ID int64 }

func (e *TermExists) Error() string {
	return fmt.Sprintf("a term with this name and parent is there already: %d", e.ID)
}

// invalid returns an error about one parameter.
func invalid(name, reason string) error {
	return &params.Invalid{Complaints: []params.Complaint{{Name: name, Reason: reason}}}
}
