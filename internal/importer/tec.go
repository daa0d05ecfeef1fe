// Package importer takes over calendars in the form in which The Events Calendar's
// API lists them: the bodies of its /events, /venues, /organizers, /categories
// and /tags, as saved from a site or as this server gives them.
//
// Read finds the records of a file, one after the other, without holding the
// file in memory. A Batch of them is applied inside a transaction of a store;
// what has to be remembered from one batch to the next is the State, which the
// caller carries along, so that batches may go to a server that remembers
// nothing:
//
//	var state importer.State
//	var pages importer.Pages
//	err := importer.Read(file, "events.json", func(item importer.Item) error {
//		return s.Update(account, func(tx *store.Tx) error {
//			result, err := importer.Batch{Items: []importer.Item{item}, State: state}.Apply(tx, o)
//			report.Merge(result.Report)
//			state = result.State
//			return err
//		})
//	}, pages.Add)
//
// Pages counts what was read of each list, and says what its site has more.
//
// # What becomes of a record
//
// Events, venues and organizers are known by their global_id and those of its
// lineage, whether the hosts in these have a port or not; two ports are two
// sites. One that is not known is made; one that is known is brought up to
// date, unless it was changed here after the file says it was changed there.
// Of an event that is newer here nothing is taken, nor of what is inside it. So
// importing a file twice changes nothing, and importing a newer one updates.
// A record without global_id is always new, unless it is of a table. Terms are known by their slugs and
// are left as they are, but for an empty description or parent; images are
// known by their addresses.
//
// Titles and names are taken as the text that people see, descriptions and
// excerpts as HTML, which nobody cleans: only administrators may import. UTC
// times of events are never taken: they follow from wall clock and zone.
//
// Events of a series that a site shows are of one here. It is made of the first of them
// that comes, has the rule that the site shows, and makes no events by itself. So are events
// whose addresses are those of dates of one series; it has these dates and no rule.
//
// A record that cannot be taken is a Refusal in the Report and leaves nothing
// behind; those beside it are taken. A venue or organizer inside an event that
// cannot be taken is refused alone.
//
// A Seed fills an empty store with the records of a seed, which may be written by
// hand.
package importer

import (
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/jsonin"
	"almanac/store"
)

// An Item is a record on its way from a file to a store.
type Item struct {
	Kind     string          `json:"kind"`             // "events", "venues", "organizers", "categories" or "tags"; "" when it cannot be told
	File     string          `json:"file"`             // where it comes from, for reports
	Position int             `json:"position"`         // among the records of the file, from 1
	Line     int             `json:"line,omitempty"`   // on which it begins, from 1; 0 where lines say nothing
	Record   json.RawMessage `json:"record,omitempty"` // the object as it was read
	Form     string          `json:"form,omitempty"`   // of the record: "calendar", or "" for that of lists
	Reject   string          `json:"reject,omitempty"` // why it cannot be taken, when that was found on the way

	// Row is for tables: what the record does not say stays as it is, what is inside it is
	// only made, and without a global id it is known by its name, and an event by its
	// start, too.
	Row bool `json:"row,omitempty"`

	// Value is for seeds: the record, instead of Record.
	Value *jsonin.Value `json:"-"`

	// Exact is for seeds: what the record says is taken as it is, and nothing
	// cleaned, decoded or moved. What it does not say is filled in as always.
	Exact bool `json:"-"`
}

// Options says how records are taken.
type Options struct {
	Site    *caltime.Zone  // zone of dates without UTC, and of events that name none; nil is UTC
	Zones   *caltime.Zones // keeps the zones that were loaded; nil keeps them for one batch
	Now     time.Time      // stands for dates that a record does not give, UTC
	Account int64          // the author of new records
	Home    string         // global ids "HOME?id=N", with the port of HOME or without one, are this store's own ids; "" for none
}

// A Batch is records that are applied together. It is also what a server is
// sent.
type Batch struct {
	Items  []Item `json:"items"`
	State  State  `json:"state"`            // of the batch before; the zero State for the first
	Strict bool   `json:"strict,omitempty"` // one refusal fails the batch
}

// A Result is what became of a Batch. It is also what a server answers.
type Result struct {
	Report Report `json:"report"`
	State  State  `json:"state"` // for the next batch
}

// A State is what a batch leaves to the next of the same import: it lets a
// record lead to a parent that another file holds. It grows with the number of
// categories and of events that wait for a parent.
type State struct {
	Categories map[string]int64   `json:"categories,omitempty"` // ids by their addresses at the source
	Children   map[string][]int64 `json:"children,omitempty"`   // categories that wait for a parent, by its address
	Occasions  map[string][]int64 `json:"occasions,omitempty"`  // events that wait for a parent, by its global id
}

// ErrRefused is the error of a strict Batch with a record that cannot be taken.
// The Result that comes with it reports nothing but the refusal.
var ErrRefused = errors.New("a record cannot be taken, and strict was asked for")

// Apply takes the records of the batch, in their order, into a transaction. It
// changes the State that it was given. The report is true once the transaction
// has been committed.
func (b Batch) Apply(tx *store.Tx, o Options) (Result, error) {
	im := newImporter(tx, o, b.State)
	for _, item := range b.Items {
		im.take(item)
		if b.Strict && len(im.report.Refusals) > 0 {
			return Result{Report: Report{Refusals: im.report.Refusals}, State: b.State}, ErrRefused
		}
	}
	return Result{im.report, im.state}, im.gather()
}
