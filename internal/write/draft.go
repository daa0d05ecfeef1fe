// Drafts: the states that records are to get.

package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/cost"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A Draft is the state that a record is to get: the members that were sent, as a request has them,
// and of a file what requests cannot say. Members that were not sent stay.
type Draft struct {
	params.Values
	File *File // nil: it is of a request
}

// A File has what a file says of a record beside the members of requests. Names are decoded, and
// links are ids.
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

	Origins      []string           // all that the record is to have
	Former       []string           // former slugs, which are added
	CustomFields store.CustomFields // those of a store are all, others are added

	// Of events. Missing ones stay.
	Timezone      string      // "" in a new event: that of the site
	AllDay        *bool       // start and end are those of the days then
	Start, End    *store.Wall // required in a new event
	Cost          *cost.Cost
	CostText      string    // as the form shows the cost
	Currency      cost.Cost // symbol, code and position alone, which a table has beside the cost
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

// pageOf returns the address of the page of an event, the default of its website.
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

// fileTimes is writeTimes for the draft of a file, whose end must not be before the start. Times of
// a store stay as they are, also those that the zone skips.
func (ed Editor) fileTimes(d Draft, e *store.Event) error {
	f := d.File
	zone := ed.Site
	if name := cmp.Or(f.Timezone, e.Timezone); name != "" {
		var err error
		if zone, err = ed.Zones.Load(name); err != nil {
			return err
		}
	}
	if e.Timezone = cmp.Or(f.Timezone, e.Timezone, zone.Name()); !f.Stored {
		e.Timezone = zone.Name()
	}
	if f.AllDay != nil {
		e.AllDay = *f.AllDay
	}
	for _, at := range []struct {
		name string
		sent *store.Wall
		to   *store.Wall
	}{{"start_date", f.Start, &e.Start}, {"end_date", f.End, &e.End}} {
		switch {
		case at.sent == nil && e.ID == 0:
			return fmt.Errorf("has no %s", at.name)
		case at.sent == nil:
		case f.Stored:
			*at.to = *at.sent
		default:
			*at.to = localTime(zone, *at.sent)
		}
	}
	if e.End < e.Start {
		return invalid(
			"end_date",
			fmt.Sprintf("ends at %s, before it starts at %s", e.End, e.Start),
		)
	}
	return nil
}

// fileCost is writeCost for the draft of a file. A form may show less than the store has: a table
// the ends of a list, and the currency beside them; a calendar what people read.
func (d Draft) fileCost(e *store.Event) {
	f := d.File
	if f.Cost == nil {
		return
	}
	c := *f.Cost
	isCurrency := c.Code == "" || c.Code == e.Cost.Code
	switch {
	case f.Form == Calendar && isCurrency && e.Cost.IsWritten(f.CostText):
		c = e.Cost
	case f.Form == Table:
		if e.Cost.InTable() == f.CostText {
			c = e.Cost
		}
		c.Symbol = cmp.Or(f.Currency.Symbol, c.Symbol)
		c.Code = f.Currency.Code
		c.Position = cmp.Or(f.Currency.Position, c.Position)
	}
	e.Cost = c
}

// writeFile sets the common members that only files have, and the status with its dates, which a
// file may say in full; old is nil for a new record.
func (ed Editor) writeFile(d Draft, p, old *store.Post) error {
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
	return f.writeFields(p)
}

// writeFields sets the custom fields. A field that the file lacks stays, because a site shows only
// a part of its fields; an export has all. An export of WordPress has keys alone, so that a known
// label stays.
func (f *File) writeFields(p *store.Post) (err error) {
	var next store.CustomFields
	if !f.Stored {
		next = slices.Clone(p.CustomFields)
	}
	for _, field := range f.CustomFields {
		for _, known := range next {
			if known.Key == field.Key && field.Label == field.Key && !f.Stored {
				field.Label = known.Label
			}
		}
		if next, err = next.Add(field); err != nil {
			return invalid("custom_fields", "custom_fields: "+err.Error()+".")
		}
	}
	p.CustomFields = next
	return nil
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
