// Package record has the records of the catalogue: plain structs, the same in memory, in the log
// and in snapshots. The table beside each struct has the fields in their order on disk.
//
// A Change is the content of a line of the log. DecodeLine reads it, and WriteSnapshot and
// ReadSnapshot turn the records of a state into the files of a snapshot and back. Package store
// has rules for records beside each other, indexes, and transactions.
package record

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// A Status is the publication status of an event, a venue or an organizer
// (section 3 of the specification).
type Status string

const (
	Publish Status = "publish" // seen by everybody
	Future  Status = "future"  // becomes Publish when its date arrives
	Draft   Status = "draft"
	Pending Status = "pending" // waits for somebody who may publish
	Private Status = "private" // published, to its author and to editors
	Trash   Status = "trash"   // deleted, and can be restored
)

// Unpublished reports whether records of a status were never published, so that
// they may be without a date of publication.
func (s Status) Unpublished() bool { return s == Draft || s == Pending }

// A Record is an *Event, *Venue, *Organizer, *Term, *Image, *Series or *Account.
//
// Records are immutable once committed: Update replaces them. Callers may keep
// what a View gave them; they must not change it.
type Record interface {
	Kind() Kind
	Key() int64 // its id; 0 before it was put
	meta() *Meta
}

// Meta has the members of every record.
type Meta struct {
	ID  int64  `json:"id"`
	Rev uint64 `json:"rev"` // sequence number of the transaction that wrote it

	More more `json:"more,omitempty"` // members that a later version gave it; Put keeps them
}

// more is an object of optional members that this version does not know, as JSON.
type more string

// MarshalJSON returns the object.
func (m more) MarshalJSON() ([]byte, error) { return []byte(m), nil }

// UnmarshalJSON keeps the object.
func (m *more) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return errors.New("more is not an object")
	}
	*m = more(text)
	return nil
}

// Key returns the id.
func (m *Meta) Key() int64 { return m.ID }

func (m *Meta) meta() *Meta { return m }

// MetaOf returns the members that every record has.
func MetaOf(r Record) *Meta { return r.meta() }

// Post has the members that events, venues and organizers have in common.
type Post struct {
	Meta
	Author      int64     `json:"author"` // account id
	Status      Status    `json:"status"`
	Date        time.Time `json:"date"`                  // publication, UTC
	Undated     bool      `json:"undated,omitempty"`     // unpublished without a date: publication sets it
	LocalDate   bool      `json:"local_date,omitempty"`  // unpublished and given a date without UTC: shown without UTC
	WasDraft    bool      `json:"was_draft,omitempty"`   // in the trash, and unpublished when it came there
	Modified    time.Time `json:"modified,omitzero"`     // last change, UTC; zero for an unpublished record that never changed
	Slug        string    `json:"slug,omitempty"`        // unique in its kind, or ""
	Former      []string  `json:"former,omitempty"`      // slugs of earlier published versions, newest first; Put keeps them
	Description string    `json:"description,omitempty"` // HTML as sent
	Excerpt     string    `json:"excerpt,omitempty"`     // HTML as sent
	Image       int64     `json:"image,omitempty"`       // id of an Image, or 0
	Origins     []string  `json:"origins,omitempty"`     // the Page elsewhere, then global ids, nearest first; unique in the kind

	CustomFields CustomFields `json:"-"` // in More on disk
}

// PostFields are the fields of a Post on disk, without Meta.
var PostFields = []Field[Post]{
	{"author", "", 0, func(p *Post) any { return &p.Author }},
	{"status", "", 0, func(p *Post) any { return &p.Status }},
	{"date", "", 0, func(p *Post) any { return &p.Date }},
	{"undated", "date", 0, func(p *Post) any { return &p.Undated }},
	{"local_date", "date", 0, func(p *Post) any { return &p.LocalDate }},
	{"was_draft", "status", 0, func(p *Post) any { return &p.WasDraft }},
	{"modified", "-", 0, func(p *Post) any { return &p.Modified }},
	{"slug", "", 0, func(p *Post) any { return &p.Slug }},
	{"former", "-", 0, func(p *Post) any { return &p.Former }},
	{"description", "", 0, func(p *Post) any { return &p.Description }},
	{"excerpt", "", 0, func(p *Post) any { return &p.Excerpt }},
	{"image", "", 0, func(p *Post) any { return &p.Image }},
	{"origins", "-", 0, func(p *Post) any { return &p.Origins }},
	{"custom_fields", "", Optional, func(p *Post) any { return &p.CustomFields }},
}

// Page returns the address of the page that the record had where it comes from, "" for none. It is
// the first of its origins; the last of these is its UID, whatever its form.
func (p *Post) Page() string {
	if len(p.Origins) > 1 && strings.Contains(p.Origins[0], "://") {
		return p.Origins[0]
	}
	return ""
}

// trashedMark stands in the slug of a record in the trash behind the slug that it had.
const trashedMark = "__trashed"

// WasPublic reports whether a record in the trash was published before: then its slug of that
// time is a former slug.
func (p *Post) WasPublic() bool {
	had := strings.LastIndex(p.Slug, trashedMark)
	return p.Status == Trash && had >= 0 && slices.Contains(p.Former, p.Slug[:had])
}

// PostOf returns what events, venues and organizers have in common, of a series that
// of the event it is made of; else nil.
func PostOf(r Record) *Post {
	switch r := r.(type) {
	case *Event:
		return &r.Post
	case *Venue:
		return &r.Post
	case *Organizer:
		return &r.Post
	case *Series:
		return &r.Event.Post
	}
	return nil
}

// A Field is a field of a record, or of a part of a record.
type Field[T any] struct {
	Name string // on disk, as its tag in the struct says too
	API  string // member in the API; "" is Name, "-" is no member
	Use  use
	At   func(*T) any // returns a pointer to the value
}

// use has properties of a field.
type use uint8

const (
	word     use = 1 << iota // a text that many records share
	Plain                    // stored and shown as it is sent: it has no rule of its own
	Optional                 // of a Post or an event, in More on disk: older versions keep it
)

// Member returns the name of the member that has the field in requests and answers, "-" without
// one.
func (f *Field[T]) Member() string { return cmp.Or(f.API, f.Name) }

// Upper returns the name in capital letters, with a text between its words: as a column, or a line
// of a calendar.
func (f *Field[T]) Upper(between string) string {
	return strings.ToUpper(strings.ReplaceAll(f.Name, "_", between))
}

// IsFlag reports whether the values are true and false.
func (f *Field[T]) IsFlag() bool {
	_, is := f.At(new(T)).(*bool)
	return is
}

// PlainFields returns the plain fields of a table from a member up to another, which is excluded;
// "" is the end.
func PlainFields[T any](fields []Field[T], from, to string) (plain []Field[T]) {
	for _, f := range fields {
		if f.Member() == to {
			break
		}
		if f.Use&Plain != 0 && (len(plain) > 0 || f.Member() == from || from == "") {
			plain = append(plain, f)
		}
	}
	return plain
}

// Same reports whether two records have the same value.
func (f *Field[T]) Same(a, b *T) bool { return f.take(a, b, false) }

// Copy sets a field to the value of another record. Records share slices, which are replaced and
// never changed.
func (f *Field[T]) Copy(to, from *T) { f.take(to, from, true) }

// take reports whether two records have the same value, and may copy it.
func (f *Field[T]) take(to, from *T, set bool) (same bool) {
	value := f.At(from)
	switch p := f.At(to).(type) {
	case *string:
		return take(p, value, set)
	case *bool:
		return take(p, value, set)
	case *int64:
		return take(p, value, set)
	case *Status:
		return take(p, value, set)
	case *Wall:
		return take(p, value, set)
	case *time.Time:
		same = p.Equal(*value.(*time.Time))
		return take(p, value, set) || same
	case *[]int64:
		return takeList(p, value, set)
	case *[]string:
		return takeList(p, value, set)
	case *CustomFields:
		return takeList((*[]CustomField)(p), (*[]CustomField)(value.(*CustomFields)), set)
	}
	panic("store: values of the field " + f.Name + " cannot be compared")
}

func take[V comparable](to *V, value any, set bool) (same bool) {
	from := *value.(*V)
	if same = *to == from; set {
		*to = from
	}
	return same
}

func takeList[V comparable](to *[]V, value any, set bool) (same bool) {
	from := *value.(*[]V)
	if same = slices.Equal(*to, from); set {
		*to = from
	}
	return same
}
