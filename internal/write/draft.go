// Drafts: the states that records are to get.

package write

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/cost"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// A Draft is the state that a record is to get: the members that were sent, as a request has them,
// and of a file what requests cannot say. Members that were not sent stay.
type Draft struct {
	params.Values
	File *File // nil: it is of a request
}

// A File has what a file says of a record beside the members of requests. All of it is final: names
// are decoded, zones loaded, and links are ids.
type File struct {
	Form     Form
	Stored   bool // values are those of a store: nothing is cleaned, scheduled or derived
	Seed     bool // a published record with a date ahead is scheduled, as for requests
	Verbatim bool // the slug is taken even if another record has it

	Author   int64           // 0 keeps the author
	Date     Stamp           // of publication
	Modified Stamp           // default: of a new record Date
	Flags    map[string]bool // undated, local_date and was_draft, if the file has them
	Slug     string          // in its stored form; "" asks for none
	Page     string          // address at the source, which is no website
	Excerpt  *string

	Origins      []string // all that the record is to have
	Former       []string // former slugs, which are added
	CustomFields store.CustomFields

	// Of events.
	Timezone      string
	AllDay        bool
	Start, End    store.Wall
	Cost          *cost.Cost
	PreviousStart *store.Wall
	Password      *string // in its stored form
}

// A Form is how a file shows records. A value that a form shows of the stored one changes nothing:
// the file may say less than the store.
type Form int

const (
	List     Form = iota // all members, as in the API
	Table                // texts as pages show them, terms by their names
	Calendar             // plain texts, terms by their names
)

// A Stamp is the time at which a record was published or changed.
type Stamp struct {
	Said  bool      // the file has it
	Never bool      // the file says that there is no such time
	At    time.Time // UTC; if Never, the local substitute
}

// isStored reports whether the draft has values of a store.
func (d Draft) isStored() bool { return d.File != nil && d.File.Stored }

// namesTerms reports whether terms are known by their names alone.
func (d Draft) namesTerms() bool { return d.File != nil && d.File.Form != List }

// A look is how the forms show a kind of text.
type look struct{ table, calendar, read func(stored string) string }

var (
	titles   = look{same, markup.Visible, markup.Visible}
	contents = look{markup.Content, markup.TypedContent, same}
	excerpts = look{markup.Excerpt, markup.TypedExcerpt, same}
)

func same(text string) string { return text }

// shows reports whether a text of a draft is what its form shows of the stored one.
func (d Draft) shows(text, stored string, as look) bool {
	switch {
	case d.File == nil || d.File.Form == List:
		return false
	case d.File.Form == Table:
		return text == as.table(stored)
	}
	return strings.TrimSpace(as.read(text)) == strings.TrimSpace(as.calendar(stored))
}

// pageOf returns the address of an event's page, which is its website if it has no other one.
func (ed Editor) pageOf(d Draft, e *store.Event) string {
	if d.File == nil {
		return ed.Page(&e.Post)
	}
	return PlainURL.Replace(d.File.Page)
}

// forgetsWebsite reports whether an event whose website was sent empty shows none, not its page. A
// table has no cell for that.
func (d Draft) forgetsWebsite(e *store.Event) bool {
	switch {
	case d.File == nil:
		return e.ID != 0
	case d.File.Form == Table:
		return e.NoWebsite
	}
	return true
}

// writePassword sets the stored form of a password; an empty one opens the event.
func (ed Editor) writePassword(d Draft, e *store.Event) {
	switch {
	case d.File != nil && d.File.Password != nil:
		e.Password = *d.File.Password
	case d.File != nil || !wasSent(d.Values, "password"):
	case d.Text("password") == "":
		e.Password = ""
	default:
		e.Password = ed.Sealed
	}
}

// writeFile sets the common members that only files have, and the status with its dates, which a
// file may say in full; old is nil for a new record.
func (ed Editor) writeFile(d Draft, p, old *store.Post) {
	f := d.File
	if f.Author != 0 {
		p.Author = f.Author
	}
	if d.Has("status") || old == nil {
		p.Status = ed.status(d.Values)
	}
	f.writeDates(p, old, ed.Now)
	if !f.Stored { // the server publishes these later
		ed.schedule(p, f.Seed)
	}
	if f.Excerpt != nil && !d.shows(*f.Excerpt, p.Excerpt, excerpts) {
		p.Excerpt = ed.html(*f.Excerpt)
	}
	p.Origins = f.Origins
	AddFormer(&p.Former, f.Former)
	p.CustomFields = f.CustomFields
}

// AddFormer adds former slugs of a file to those of a record.
func AddFormer(slugs *[]string, more []string) {
	for _, slug := range more {
		if !slices.Contains(*slugs, slug) {
			*slugs = append(slices.Clip(*slugs), slug)
		}
	}
}

// writeDates sets the times of publication and change. The default of publication is now.
func (f *File) writeDates(p, old *store.Post, now time.Time) {
	isExact := f.Stored && f.Date.Said && !f.Date.Never
	if !f.Date.At.IsZero() || isExact {
		p.Date = f.Date.At
	}
	if p.Date.IsZero() && !isExact {
		p.Date = now.UTC().Truncate(time.Second)
	}
	if f.Date.Said || old == nil {
		p.Undated = p.Status.Unpublished() && (f.Date.Never || !f.Date.Said)
	}
	for name, flag := range map[string]*bool{
		"undated":    &p.Undated,
		"local_date": &p.LocalDate,
		"was_draft":  &p.WasDraft,
	} {
		if said, ok := f.Flags[name]; ok {
			*flag = said
		}
	}
	switch {
	case f.Modified.Never && (p.Status.Unpublished() || f.Stored):
		p.Modified = time.Time{}
	case f.Modified.Said && !f.Modified.At.IsZero():
		if !f.Modified.At.Equal(p.Modified.Truncate(time.Second)) {
			p.Modified = f.Modified.At
		}
	case old == nil && !p.Status.Unpublished():
		p.Modified = p.Date
	}
}
