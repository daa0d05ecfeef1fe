// Package write turns checked parameters into records: what a create makes, what
// an update changes, what a delete leaves. Status, slug, dates and links follow
// the rules of the original where clients know them, with one difference: an
// update changes what is sent and nothing else.
//
// Everything happens inside one transaction of the store, which the caller
// opened; an error means that nothing of it may be kept. Errors that say what
// was wrong with a parameter are *params.Invalid; the others are below.
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

// An Editor writes for one caller at one time.
type Editor struct {
	Caller   account.Account
	Now      time.Time // UTC
	Site     *caltime.Zone
	Zones    *caltime.Zones
	Currency string                   // with which costs are shown
	Page     func(*store.Post) string // address of the page of an event, shown when it has no website
	Hash     func(text string) string // what is stored of a password that was sent
}

// Errors that are not about the form of a parameter.
var (
	ErrForbidden = errors.New("the account has no right to this part of the change")
	ErrTwoVenues = errors.New("an event has one venue: send one")
	ErrTermSlug  = errors.New("another term has this slug")
)

// A BlankName says that a venue or organizer cannot be made: its name holds
// nothing but spaces, or there is none.
type BlankName struct{ Kind string } // "venue" or "organizer"

func (e *BlankName) Error() string {
	return fmt.Sprintf("the %s cannot be made: it needs a name that holds more than spaces", e.Kind)
}

// A TermExists says that a term with this name and parent is there already.
type TermExists struct{ ID int64 }

func (e *TermExists) Error() string {
	return fmt.Sprintf("a term with this name and parent is there already: %d", e.ID)
}

// invalid refuses one parameter.
func invalid(name, reason string) error {
	return &params.Invalid{Complaints: []params.Complaint{{Name: name, Reason: reason}}}
}
