// Changes of transactions: the unit of the log and of recovery, the Kinds of records in them, and
// wall clocks, dates and times without a zone.

package record

import (
	"fmt"
	"slices"
	"time"
)

// A Change holds the records that a transaction wrote and the ids it removed. A line of the log
// has one, a snapshot is their sum, and commits and recovery apply it to the indexes in the same
// way.
type Change struct {
	Events     []*Event     `json:"events,omitempty"`
	Venues     []*Venue     `json:"venues,omitempty"`
	Organizers []*Organizer `json:"organizers,omitempty"`
	Categories []*Term      `json:"categories,omitempty"`
	Tags       []*Term      `json:"tags,omitempty"`
	Images     []*Image     `json:"images,omitempty"`
	Series     []*Series    `json:"series,omitempty"`
	Accounts   []*Account   `json:"accounts,omitempty"`
	Identity   string       `json:"identity,omitempty"` // that the calendar gets; then there is nothing else
	Settings   *Settings    `json:"settings,omitempty"` // of the site, whole
	Removed    []Removal    `json:"removed,omitempty"`
}

// A Removal names a record that is gone for good.
type Removal struct {
	Kind Kind  `json:"kind"`
	ID   int64 `json:"id"`
}

// Empty reports whether the change holds nothing.
func (c *Change) Empty() bool {
	records := len(
		c.Events,
	) + len(
		c.Venues,
	) + len(
		c.Organizers,
	) + len(
		c.Categories,
	) + len(
		c.Tags,
	) + len(
		c.Images,
	)
	return records+len(c.Series)+len(c.Accounts)+len(c.Removed)+len(c.Identity) == 0 &&
		c.Settings == nil
}

// Add appends a record to its list.
func (c *Change) Add(r Record) {
	switch r := r.(type) {
	case *Event:
		c.Events = append(c.Events, r)
	case *Venue:
		c.Venues = append(c.Venues, r)
	case *Organizer:
		c.Organizers = append(c.Organizers, r)
	case *Term:
		if r.Taxonomy == Categories {
			c.Categories = append(c.Categories, r)
		} else {
			c.Tags = append(c.Tags, r)
		}
	case *Image:
		c.Images = append(c.Images, r)
	case *Series:
		c.Series = append(c.Series, r)
	case *Account:
		c.Accounts = append(c.Accounts, r)
	}
}

// Each calls f with every record of the change, links first: accounts, images, terms,
// venues, organizers, series, events. It also tells terms their taxonomy, which the
// files say by place only.
func (c *Change) Each(f func(Record)) {
	for _, r := range c.Categories {
		r.Taxonomy = Categories
	}
	for _, r := range c.Tags {
		r.Taxonomy = Tags
	}
	each(c.Accounts, f)
	each(c.Images, f)
	each(c.Categories, f)
	each(c.Tags, f)
	each(c.Venues, f)
	each(c.Organizers, f)
	each(c.Series, f)
	each(c.Events, f)
}

func each[R Record](list []R, f func(Record)) {
	for _, r := range list {
		f(r)
	}
}

// A Kind names one of the collections of the store.
type Kind uint8

// The Kinds. Events, venues, organizers, images and series share one sequence of
// ids; categories and tags share another. Accounts come with their numbers, and are no records of
// the catalogue: no list and no answer has them.
const (
	Events Kind = iota
	Venues
	Organizers
	Categories
	Tags
	Images
	AllSeries // kind of Series
	Accounts
	Kinds // how many there are
)

var kindNames = [Kinds]string{
	"events",
	"venues",
	"organizers",
	"categories",
	"tags",
	"images",
	"series",
	"accounts",
}

// String returns the name that files use, such as "events".
func (k Kind) String() string {
	if k < Kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// MarshalText returns the name of the kind, for the log.
func (k Kind) MarshalText() ([]byte, error) {
	if k >= Kinds {
		return nil, fmt.Errorf("there is no %s", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown kind %q", text)
	}
	*k = Kind(i)
	return nil
}

// IsTerm reports whether records of the kind are terms, which have a sequence
// of ids of their own.
func (k Kind) IsTerm() bool { return k == Categories || k == Tags }

// Wall is a date and time as a clock on the wall shows it, without a zone: the
// seconds from 1970-01-01 00:00:00 on that same clock. Walls of one zone
// compare as integers. Records hold only walls of the years 0 to 9999, which have
// a form on disk and on the wire.
type Wall int64

const wallLayout = "2006-01-02 15:04:05"

// The walls that have a form.
const (
	firstWall Wall = -62_167_219_200 // 0000-01-01 00:00:00
	lastWall  Wall = 253_402_300_799 // 9999-12-31 23:59:59
)

// WallOf returns what a clock in t's own location shows at t.
func WallOf(t time.Time) Wall {
	_, offset := t.Zone()
	return Wall(t.Unix() + int64(offset))
}

// Time returns the reading as a time in UTC. It is not an instant: the zone has
// to be applied to it.
func (w Wall) Time() time.Time { return time.Unix(int64(w), 0).UTC() }

// String returns the form of the wire, 2006-01-02 15:04:05.
func (w Wall) String() string { return w.Time().Format(wallLayout) }

// hasForm reports whether the wall can be written down and read again.
func (w Wall) hasForm() bool { return firstWall <= w && w <= lastWall }

// MarshalText returns the form of String.
func (w Wall) MarshalText() ([]byte, error) {
	if !w.hasForm() {
		return nil, fmt.Errorf("wall clock %d: not in the years 0 to 9999", int64(w))
	}
	return w.Time().AppendFormat(nil, wallLayout), nil
}

// UnmarshalText reads the form of String, and no other, so that MarshalText returns the same
// bytes.
func (w *Wall) UnmarshalText(text []byte) error {
	t, err := time.Parse(wallLayout, string(text))
	// The package reads fractions and single digits that are not in the layout.
	if err != nil || t.Format(wallLayout) != string(text) {
		return fmt.Errorf("wall clock %q: not of the form %s", text, wallLayout)
	}
	*w = WallOf(t)
	return nil
}
