// Package params holds the parameters of every operation as tables, one row a
// parameter, and turns requests into checked values.
//
// The rows are the single source: validation, coercion and defaults, the
// description of the API and the index of its routes all read them. Nothing
// about a parameter is said again elsewhere.
//
//	in, err := params.Read(source)            // gather: body, query, path
//	values, err := table.Check(in, env)       // all complaints at once
//	title := values.Text("title")
//
// Whether a value is well formed, and whether what it names exists, is decided
// here; whether the caller may use it now is not.
package params

import (
	"fmt"
	"slices"
	"time"

	"almanac/internal/text/caltime"
)

// A Kind says which forms of a value a parameter takes and what they become.
type Kind uint8

// The kinds, with the Go type of their values.
const (
	Any         Kind = iota // anything; not read
	Page                    // int64 above 0
	Months                  // int64 from 1 to monthsMost
	ID                      // int64: an existing Of
	Digits                  // int64: in a path an id that is looked up later, else an existing Of or 0
	Bool                    // bool: true, false, 1, 0 and their texts
	Truthy                  // bool: a word for yes, else no
	LenientBool             // bool: a word for yes, else no; neither empty nor "0"
	Text                    // string, neither empty nor "0"
	Optional                // string, may be empty
	Choice                  // string: one of Enum
	Choices                 // []string: some of Enum
	Slug                    // string: the slug of an Of
	Date                    // string: a date that can be read
	URL                     // string: an address with a scheme, or ""
	Status                  // string: one publication status
	Statuses                // []string: statuses
	Zone                    // *caltime.Zone, nil for the site's
	Image                   // ImageRef
	Cost                    // any; package cost understands it
	Number                  // float64
	Latitude                // float64: degrees from -90 to 90
	Longitude               // float64: degrees from -180 to 180
	Include                 // []int64 above 0, known or not; nil for an empty list, as in all that filter
	IDs                     // []int64: existing ids of Of
	IDsOrNone               // []int64: as IDs; 0 alone for the word none
	TermIDs                 // []int64: term ids; slugs pass and match nothing
	Terms                   // []int64: terms by id, slug or name, each existing
	TermRefs                // []TermRef: terms by id, slug or name, made when missing
	Links                   // []link: venues or organizers by id or as objects
	Password                // string; null and "" remove it
	Recurring               // *Recurrence: how events come again; null for no more
)

// An Entity is the kind of record that an id, slug or name refers to.
type Entity uint8

// The entities.
const (
	Nothing Entity = iota
	Account
	Event
	Venue
	Organizer
	Category
	Tag
	Picture
	Series
)

// String returns the name of an entity for people.
func (t Entity) String() string {
	return [...]string{"record", "account", "event", "venue", "organizer", "category", "tag", "image", "series"}[t]
}

// null is the default of parameters that say that they have none.
type null struct{}

// MarshalJSON returns null.
func (null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Null is a default of null: shown, and worth nothing.
var Null = null{}

// A Row is one parameter of one operation.
type Row struct {
	Name     string
	Kind     Kind
	Of       Entity
	Path     bool // given by the path of the route
	Required bool
	Default  any           // nil for none; Null is shown as null
	Dynamic  func(Env) any // a default by time or settings; for a Date a time.Time
	Type     string        // JSON type that is documented; "" for any
	Format   string        // format that is documented
	Items    string        // JSON type of the items that is documented
	Web      bool          // of a URL: the scheme is http or https
	Empty    bool          // may be empty: a cleared Text, a Date never, degrees not sent
	Own      bool          // not in the specification: our own addition
	Unlisted bool          // not in the index, whose arguments programs compare with known ones
	Echo     echo          // how links between the pages of a list repeat it
	Enum     []string      // the values that are documented
	Doc      string        // key of the description
}

// A Table is the parameters of one operation, in the order of the
// specification.
type Table []Row

// Env is the environment of checks and defaults beside the request.
type Env struct {
	Now       time.Time     // UTC
	Site      *caltime.Zone // the site's zone
	PerPage   int
	Namespace string // of the base address
	Zones     *caltime.Zones
	Known     known
	Items     int // how many a list may have; 0 is any number

	// Read is told of every row whose value is asked for; nil tells nobody. Tests
	// find rows with it that no code reads.
	Read func(*Row)

	// Statuses says why the caller may not ask a list for statuses, or ""; nil
	// refuses nobody.
	Statuses func([]string) string
}

// known tells whether the record of a parameter exists. The path of a route names records of any
// status, since clients are told that one is not for them; other parameters name only records that
// the caller may see.
type known interface {
	Has(entity Entity, id int64, path bool) bool
	// Find finds a term by slug or name, and a post by slug. For a Picture it reports
	// whether one may be named by its address, which may be new, and gives no id.
	Find(entity Entity, text string, path bool) (id int64, ok bool)
}

// Row returns the row of a name.
func (t Table) Row(name string) (*Row, bool) {
	if i := t.place(name); i >= 0 {
		return &t[i], true
	}
	return nil, false
}

// place returns the place of the row of a name, -1 for none.
func (t Table) place(name string) int {
	for i := range t {
		if t[i].Name == name {
			return i
		}
	}
	return -1
}

// Value returns the default that is in force, or nil. A date is a text, as if it
// had been sent.
func (r *Row) Value(env Env) any {
	standard := r.standard(&env)
	if reading, ok := standard.(time.Time); ok {
		return reading.Format(caltime.Layout)
	}
	return standard
}

// standard is Value, with a date as the table gives it: it need not be read.
func (r *Row) standard(env *Env) any {
	if r.Dynamic != nil {
		return r.Dynamic(*env)
	}
	return r.Default
}

// join makes one table of several. It panics when two rows have one name: a mistake of ours, found
// at start.
func join(tables ...Table) Table {
	all := slices.Concat(tables...)
	for i, r := range all {
		if all.place(r.Name) < i {
			panic(fmt.Sprintf("params: two rows named %q", r.Name))
		}
	}
	return all
}

// without returns the table without a row.
func (t Table) without(name string) Table {
	return slices.DeleteFunc(slices.Clone(t), func(r Row) bool { return r.Name == name })
}

// optional returns the table of an update: nothing is required, and some texts may be emptied.
func (t Table) optional(empty ...string) Table {
	rows := slices.Clone(t)
	for i := range rows {
		rows[i].Required = false
		for _, name := range empty {
			rows[i].Empty = rows[i].Empty || rows[i].Name == name
		}
	}
	return rows
}
