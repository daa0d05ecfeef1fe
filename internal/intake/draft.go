// Drafts of events, venues and organizers.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/params"
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

// tables have the members of requests that make records.
var tables = map[store.Kind]params.Table{
	store.Events:     params.EventCreate,
	store.Venues:     params.VenueCreate,
	store.Organizers: params.OrganizerCreate,
}

// whole returns what package write takes.
func (im *importer) whole(d *draft) write.Draft {
	env := params.Env{Now: im.Now, Site: im.Site, Zones: im.Zones}
	return write.Draft{Values: tables[d.kind].Values(d.members, env), File: &d.file}
}

// draft returns the draft of a record without members.
func (im *importer) draft(r *record, k store.Kind) *draft {
	d := &draft{record: r, kind: k, members: map[string]any{}}
	d.file.Stored = im.exact
	d.file.Seed = im.seed
	switch {
	case im.item.Form == CalendarForm:
		d.file.Form = write.Calendar
	case r.partial:
		d.file.Form = write.Table
	}
	return d
}

// readPost reads the members that events, venues and organizers share. p is the stored post, or
// that of a new record, and name its name.
func (im *importer) readPost(d *draft, p *store.Post, name string) error {
	r := d.record
	f := &d.file
	if err := im.readAuthor(d, p); err != nil {
		return err
	}
	if err := d.readStatus(im.item.As != "" && p.Status == store.Trash); err != nil {
		return err
	}
	f.Date = im.stamp(r, "date")
	f.Modified = im.stamp(r, "modified")
	f.Origins = im.origins(r, d.kind, p)
	if err := im.readTexts(d, p); err != nil {
		return err
	}
	im.readSlug(d, p, name)
	if im.isNative() {
		f.Former = r.texts("former_slugs")
		f.Flags = map[string]bool{}
		for _, name := range []string{"undated", "local_date", "was_draft"} {
			if r.has(name) {
				f.Flags[name] = r.flag(name)
			}
		}
	}
	f.CustomFields = p.CustomFields
	return im.customFields(r, &f.CustomFields)
}

// readAuthor reads the author. A stored record keeps it, unless the source overwrites the record:
// another author could change every version that the source brings.
func (im *importer) readAuthor(d *draft, p *store.Post) (err error) {
	switch {
	case p.ID == 0 && im.seed && d.has("author"):
		d.file.Author = d.integer("author")
	case p.ID == 0:
		d.file.Author, err = im.author()
	case im.item.As == Overwrite:
		d.file.Author = im.Account
	}
	return err
}

var statuses = []store.Status{
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
}

// readStatus reads the status. isBack says that a source has a record of the trash again.
func (d *draft) readStatus(isBack bool) error {
	status := store.Status(d.text("status"))
	switch {
	case !d.has("status") && isBack:
		status = store.Publish
	case !d.has("status"):
		return nil
	case !slices.Contains(statuses, status):
		return d.inField("status", "", fmt.Errorf(
			"has the status %q; publish, future, draft, pending, private and trash can be taken",
			status,
		))
	}
	d.members["status"] = string(status)
	return nil
}

// origins returns the origins of a record: those that it has, and those of r that are of no other
// record.
func (im *importer) origins(r *record, k store.Kind, p *store.Post) []string {
	all := p.Origins
	for _, global := range im.claims(r) {
		own := im.ours(k, global, r.globalIDs()) != nil ||
			im.item.Form == CalendarForm && im.ours(store.AllSeries, global, nil) != nil
		other := im.tx.ByOrigin(k, global)
		isKnown := slices.ContainsFunc(
			all,
			func(known string) bool { return sameGlobal(known, global) },
		)
		if !own && !isKnown && (other == nil || other.Key() == p.ID) {
			all = append(slices.Clip(all), global)
		}
	}
	page := im.page(r)
	if id, own := im.own(r.ownID()); k == store.Events && page != "" && len(all) > 0 &&
		(&store.Post{Origins: all}).Page() == "" &&
		!(own && id == p.ID) &&
		im.tx.ByOrigin(k, page) == nil {
		all = append([]string{page}, all...)
	}
	return all
}

// readTexts reads the description, the excerpt and the image. Events have every member; venues and
// organizers leave empty ones out.
func (im *importer) readTexts(d *draft, p *store.Post) error {
	isWhole := d.kind != store.Events && !d.partial
	if isWhole || d.has("description") {
		d.members["description"] = im.withUploads(d.record, d.text("description"))
	}
	if isWhole || d.has("excerpt") {
		d.file.Excerpt = new(im.withUploads(d.record, d.text("excerpt")))
	}
	if !isWhole && !d.has("image") {
		return nil
	}
	modified := d.file.Modified.At
	id, err := im.image(d.record, p.ID != 0 && modified.After(p.Modified.Truncate(time.Second)))
	if err != nil {
		return d.inField("image", "", err)
	}
	d.members["image"] = params.ImageRef{ID: id}
	return nil
}

// readSlug reads the slug. An event that is a date of a series has it from its address.
func (im *importer) readSlug(d *draft, p *store.Post, name string) {
	f := &d.file
	f.Verbatim = im.exact && d.has("slug") &&
		(im.seed || im.item.Kind == store.AllSeries.String())
	f.Slug = im.wantedSlug(d.record)
	date := im.dateOfSeries(d.record)
	switch {
	case f.Verbatim:
	case date != nil && d.kind == store.Events:
		if f.Slug = date.slug; strings.HasPrefix(p.Slug, date.slug+"-") {
			f.Slug = "" // another record had it, and may have moved since
		}
	case f.Slug == "" && im.seed && !store.Status(d.text("status")).Unpublished():
		f.Slug = im.editor().NameSlug(im.tx, d.kind, name, d.integer("id"))
	}
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

// editor returns a writer with the rights of the caller.
func (im *importer) editor() write.Editor {
	caller := im.By
	if !im.isLimited() {
		caller = account.Account{ID: im.Account, Role: account.Administrator}
	}
	return write.Editor{
		Caller:   caller,
		Now:      im.Now,
		Site:     im.Site,
		Zones:    im.Zones,
		Language: cmp.Or(im.Language, im.tx.Settings().Language),
	}
}

// inMember returns an error of package write as one about a member of the record.
func (r *record) inMember(err error) error {
	var invalid *params.Invalid
	if !errors.As(err, &invalid) {
		return err
	}
	c := invalid.Complaints[0]
	return r.inField(c.Name, "", errors.New(strings.TrimSuffix(c.Reason, ".")))
}
