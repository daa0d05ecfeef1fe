// Drafts of events, venues and organizers.

package intake

import (
	"fmt"
	"slices"

	"almanac/internal/write"
	"almanac/store"
	stored "almanac/store/record"
)

// A draft is a write.Draft that is being read from a record.
type draft struct {
	*record
	kind    store.Kind
	members map[string]any // values of checked requests
	file    write.File
}

// A reader reads records of items, and knows no store.
type reader struct {
	Options
	item  Item // being read
	exact bool // Item.Exact of it
	seed  bool
}

// draft reads the members that events, venues and organizers share, but those that depend on the
// stored record, which settle adds.
func (rd *reader) draft(r *record, k store.Kind) *draft {
	d := &draft{record: r, kind: k, members: map[string]any{}}
	f := &d.file
	f.Stored = rd.exact
	f.Seed = rd.seed
	switch {
	case rd.item.Form == CalendarForm:
		f.Form = write.Calendar
	case r.partial:
		f.Form = write.Table
	}
	return d
}

// readPost reads the members that events, venues and organizers share. Other members come first,
// since dates of a seed may be relative to the start.
func (rd *reader) readPost(d *draft) {
	f := &d.file
	d.readStatus()
	f.Date = rd.stamp(d.record, "date")
	f.Modified = rd.stamp(d.record, "modified")
	f.Slug = rd.wantedSlug(d.record)
	f.Verbatim = rd.exact && d.has("slug") &&
		(rd.seed || rd.item.Kind == store.AllSeries.String())
	// Events have every member; venues and organizers leave empty ones out.
	isWhole := d.kind != store.Events && !d.partial
	if isWhole || d.has("description") {
		d.members["description"] = d.text("description")
	}
	if isWhole || d.has("excerpt") {
		f.Excerpt = new(d.text("excerpt"))
	}
	for _, slug := range d.texts("former_slugs") {
		switch {
		case rd.isNative():
			f.Former = append(f.Former, slug)
		case rd.item.Whole && asStored(slug) != f.Slug:
			f.Former = append(f.Former, asStored(slug))
		}
	}
	if rd.isNative() {
		f.Flags = map[string]bool{}
		for _, name := range []string{"undated", "local_date", "was_draft"} {
			if d.has(name) {
				f.Flags[name] = d.flag(name)
			}
		}
	}
	rd.readFields(d)
}

var statuses = []store.Status{
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
}

func (d *draft) readStatus() {
	if !d.has("status") {
		return
	}
	status := store.Status(d.text("status"))
	if !slices.Contains(statuses, status) {
		d.fail(d.inField("status", "", fmt.Errorf(
			"has the status %q; publish, future, draft, pending, private and trash can be taken",
			status,
		)))
	}
	d.members["status"] = string(status)
}

// readPlain reads the texts and flags that are members as they are, among them the website. If the
// record is whole, a missing text is empty.
func readPlain[T any](d *draft, fields []stored.Field[T], isWhole bool) {
	for _, f := range stored.PlainFields(fields, "", "") {
		switch isFlag := f.IsFlag(); {
		case isFlag && d.has(f.Name):
			d.members[f.Name] = d.flag(f.Name)
		case !isFlag && (isWhole || d.has(f.Name)):
			d.members[f.Name] = d.text(f.Name)
		}
	}
}
