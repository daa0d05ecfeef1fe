// Package intake takes records of other calendars, of exports and of seeds into a store. Package
// files makes records of the files of other programs, and package seed reads seeds: all have the
// form of lists. A reader makes a draft of each and knows no store, an importer finds the record
// that it is here and settles it, and package write makes the record.
//
// A Batch of records is applied in a transaction, or in the steps of a Run, a transaction each.
// The State carries references from one batch to the next; the caller keeps it, so a server that
// applies batches remembers nothing:
//
//	var state intake.State
//	var pages files.Pages
//	err := files.Reader{}.Read(file, "events.json", func(item intake.Item) error {
//		return s.Update(account, func(tx *store.Tx) error {
//			result, err := intake.Batch{Items: []intake.Item{item}, State: state}.Apply(tx, o)
//			report.Merge(result.Report)
//			state = result.State
//			return err
//		})
//	}, pages.Add)
//
// # Rules
//
// Events, venues and organizers are identified by their global_id and its lineage, with or without
// port; two ports are two sites. An unknown record is created. A known record is updated, unless
// it changed here after the time of change in the file; then the event and all records inside it
// are ignored. So a second import of a file changes nothing, and a newer file updates. A record
// without global_id is identified by its name, an event also by its start and its slug. So are the
// records of an export of this program, whose values are stored unchanged. Terms are identified by
// their slugs; of a known term, only an empty description or parent is filled. Images are
// identified by their addresses.
//
// Titles and names are decoded to plain text. Descriptions and excerpts are HTML that is not
// sanitized: only administrators may import everything. Other accounts need the rights to each
// record that they need in requests, and their HTML is sanitized in the same way. UTC times of
// events are ignored: they follow from local time and zone.
//
// Events of a series of a site form a series here. The first imported event creates it; it has the
// rule that the site shows, and generates no events. Events whose addresses are dates of one
// series form a series too, with these dates and no rule.
//
// A record that cannot be taken becomes a Refusal in the Report and changes nothing; the import
// goes on. A venue or organizer inside an event is refused alone.
package intake

import (
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/store"
)

// An Item is a record of a file.
type Item struct {
	Kind     string          `json:"kind"`             // plural as in lists: "events"; "" if unknown
	File     string          `json:"file"`             // name for reports
	Position int             `json:"position"`         // among the records of the file, from 1
	Line     int             `json:"line,omitempty"`   // of its first byte, from 1; 0 if lines have no meaning
	Record   json.RawMessage `json:"record,omitempty"` // the object, unchanged
	Form     string          `json:"form,omitempty"`   // "calendar", or "" for the form of lists
	Reject   string          `json:"reject,omitempty"` // reason why the reader found it unusable
	Author   string          `json:"author,omitempty"` // login of the author of a new record; "" is Options.Account

	// Row marks a record of a table: missing members leave the stored values unchanged, embedded
	// records are only created, and without a global id the name identifies the record, and for
	// events also the start.
	Row bool `json:"row,omitempty"`

	// OtherVenue says that an earlier row of the table has the name and the start of this one at
	// another venue: only an event at its own venue is the same.
	OtherVenue bool `json:"other_venue,omitempty"`

	// Whole marks a record with all that its site stores. Other lists leave out what the API hides.
	Whole bool `json:"whole,omitempty"`

	// Names has the names of members in the file, such as columns, by member or by path as
	// venue.city; nil if the file has those of the record.
	Names map[string]string `json:"-"`

	// Value replaces Record in seeds.
	Value *jsonio.Value `json:"-"`

	// Exact marks a record of an export, whose values are stored unchanged: not cleaned, decoded
	// or moved. Missing members get defaults.
	Exact bool `json:"exact,omitempty"`

	// Of a source that is read again and again. The Result then says what the item became.
	As   string `json:"as,omitempty"`   // Keep, Once or Overwrite; "" is the later version
	Base *Taken `json:"base,omitempty"` // result of the last reading, or nil
	Gone bool   `json:"gone,omitempty"` // the source lacks the record of Base; Record has its global id
}

// Options configure an import.
type Options struct {
	Site    *caltime.Zone  // default zone of dates and events; nil is UTC
	Zones   *caltime.Zones // cache of zones; nil caches them for one batch
	Now     time.Time      // default of times in records, UTC
	Account int64          // author of other new records
	Home    string         // own host of global ids, with or without port; "" for none
	More    bool           // a seed adds to the records that are there

	Language string // of the site, a tag of BCP 47, for slugs of names; "" is that of the store's settings

	By    account.Account                            // asked for rights to each record; the zero Account has all
	Named func(login string) (account.Account, bool) // accounts for Item.Author; nil knows none
}

// A Batch is a list of records to apply together. It is also the body of a request.
type Batch struct {
	Items  []Item `json:"items"`
	State  State  `json:"state"`            // result of the previous batch; zero for the first
	Strict bool   `json:"strict,omitempty"` // a refusal fails the batch
}

// A Result is the outcome of a Batch. It is also the body of an answer.
type Result struct {
	Report Report `json:"report"`
	State  State  `json:"state"` // for the next batch

	Taken []*Taken `json:"taken,omitempty"` // for each item with As; nil for a refused one
}

// A State connects the batches of an import: a record may reference a parent in another file. Its
// size grows with the number of categories, and of events that wait for a parent.
type State struct {
	Categories map[string]int64   `json:"categories,omitempty"` // ids by address at the source
	Children   map[string][]int64 `json:"children,omitempty"`   // categories that wait for a parent, by address of the parent
	Occasions  map[string][]int64 `json:"occasions,omitempty"`  // events that wait for a parent, by global id of the parent
	Exported   map[string]int64   `json:"exported,omitempty"`   // ids of records of exports, by file, kind and id there
}

// ErrRefused is the error of a strict Batch with a refusal. The Result then has nothing but the
// refusal.
var ErrRefused = errors.New("a record cannot be taken, and strict was asked for")

// Apply applies the records of the batch in order, in one transaction, which hashes passwords
// while other writers wait. It changes b.State. The report is true after the commit of tx.
func (b Batch) Apply(tx *store.Tx, o Options) (Result, error) {
	r := b.Run(o)
	r.whole = true
	r.im.sealed = nil
	err := r.Step(tx)
	return r.Result(), err
}
