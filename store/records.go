// The records and their parts, under the names by which callers of the store know them.

package store

import (
	"time"

	"almanac/store/record"
)

// The types of records, and of parts of them. Package record explains them.
type (
	Record       = record.Record
	Meta         = record.Meta
	Post         = record.Post
	Event        = record.Event
	Cost         = record.Cost
	Series       = record.Series
	Recurrence   = record.Recurrence
	Proposal     = record.Proposal
	Parts        = record.Parts
	Venue        = record.Venue
	Geo          = record.Geo
	CustomField  = record.CustomField
	CustomFields = record.CustomFields
	Organizer    = record.Organizer
	Term         = record.Term
	Image        = record.Image
	ImageSize    = record.ImageSize
	Account      = record.Account
	Settings     = record.Settings
	Secret       = record.Secret
	SignIn       = record.SignIn
	Link         = record.Link
	Change       = record.Change
	Removal      = record.Removal
	Kind         = record.Kind
	Status       = record.Status
	Wall         = record.Wall
)

// MediaPath begins the addresses of uploads, which are stored without a host, SentName is their
// file as it was sent, and Thumbnail the name of their square size.
const (
	MediaPath = record.MediaPath
	SentName  = record.SentName
	Thumbnail = record.Thumbnail
)

// The kinds of records.
const (
	Events     = record.Events
	Venues     = record.Venues
	Organizers = record.Organizers
	Categories = record.Categories
	Tags       = record.Tags
	Images     = record.Images
	AllSeries  = record.AllSeries
	Accounts   = record.Accounts
	kinds      = record.Kinds
)

// The statuses of events, venues and organizers.
const (
	Publish = record.Publish
	Future  = record.Future
	Draft   = record.Draft
	Pending = record.Pending
	Private = record.Private
	Trash   = record.Trash
)

// The states of events beside "".
const (
	Canceled  = record.Canceled
	Postponed = record.Postponed
)

// ByTaken is in the line that takes the accounts of an older directory into the store.
const ByTaken = record.ByTaken

// WallOf returns what a clock in t's own location shows at t.
func WallOf(t time.Time) Wall { return record.WallOf(t) }

// PostOf returns what events, venues and organizers have in common, of a series that
// of the event it is made of; else nil.
func PostOf(r Record) *Post { return record.PostOf(r) }

// MediaDirectory returns the directory of an upload, here or elsewhere, in the address of one of
// its files, or "".
func MediaDirectory(address string) string { return record.MediaDirectory(address) }

// SlugOf returns the slug that a record is found by, or "".
func SlugOf(r Record) string { return record.SlugOf(r) }
