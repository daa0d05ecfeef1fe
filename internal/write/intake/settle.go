// Drafts beside the stored records, on which some members depend.

package intake

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// settle adds the members of a draft that depend on the store. p is the stored post, or that of a
// new record.
func (im *importer) settle(d *draft, p *store.Post, name string) error {
	f := &d.file
	if im.item.As != "" && p.Status == store.Trash && !d.has("status") { // the source has it again
		d.members["status"] = string(store.Publish)
	}
	if err := im.settleAuthor(d, p); err != nil {
		return err
	}
	f.Origins = im.origins(d.record, d.kind, p)
	if text, ok := d.members["description"].(string); ok {
		d.members["description"] = im.withUploads(d.record, text)
	}
	if f.Excerpt != nil {
		f.Excerpt = new(im.withUploads(d.record, *f.Excerpt))
	}
	if d.has("image") || d.kind != store.Events && !d.partial {
		isNewer := p.ID != 0 && f.Modified.At.After(p.Modified)
		id, err := im.image(d.record, isNewer)
		if err != nil {
			return d.inField("image", "", err)
		}
		d.members["image"] = params.ImageRef{ID: id}
	}
	im.settleSlug(d, p, name)
	return nil
}

// settleAuthor sets the author of a new record. A stored one keeps it, unless the source overwrites
// the record: another author could change every version that the source brings.
func (im *importer) settleAuthor(d *draft, p *store.Post) (err error) {
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

// settleSlug sets the slug of an event that is a date of a series, which its address has, and of a
// record of a seed without one.
func (im *importer) settleSlug(d *draft, p *store.Post, name string) {
	f := &d.file
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

// tables have the members of requests that make records.
var tables = map[store.Kind]params.Table{
	store.Events:     params.EventCreate,
	store.Venues:     params.VenueCreate,
	store.Organizers: params.OrganizerCreate,
}

// whole returns the draft for package write.
func (im *importer) whole(d *draft) write.Draft {
	env := params.Env{Now: im.Now, Site: im.Site, Zones: im.Zones}
	return write.Draft{Values: tables[d.kind].Values(d.members, env), File: &d.file}
}
