// Members that events, venues and organizers share.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/jsonin"
	"almanac/internal/markup"
	"almanac/store"
)

// find returns the record with the global id of r or one of its lineage, or nil.
func (im *importer) find(k store.Kind, r *record) store.Record {
	for _, global := range r.globalIDs() {
		if found := im.byGlobal(k, global, r.globalIDs()...); found != nil {
			return found
		}
	}
	if im.seed && r.embedded {
		return im.findPlanted(k, r)
	}
	if e := im.instance(r); k == store.Events && e != nil {
		return e
	}
	if im.seed || im.item.Form == CalendarForm {
		return nil
	}
	if own := im.tx.Get(k, r.integer("id")); im.exact && own != nil &&
		im.isCopy(r, store.PostOf(own)) {
		return own
	}
	if _, own := im.own(r.ownID()); im.item.Row && k == store.Events && !own || r.ownID() == "" {
		return im.findNamed(k, r)
	}
	return nil
}

// Numbered is the prefix of origins that are numbers of events in a table.
const Numbered = "table:"

// isOther refuses a row with the number of a stored event, but another name and start: tables of
// different authors use the same numbers.
func (im *importer) isOther(r *record, e *store.Event) error {
	if !strings.HasPrefix(r.ownID(), Numbered) || e.Title == im.name(r, "title") ||
		e.Start == im.startOf(r) {
		return nil
	}
	return fmt.Errorf(
		"has the EVENT ID of %q at %s, and neither its name nor its start: is it another event?",
		e.Title,
		e.Start,
	)
}

// isCopy reports whether the stored record with the id of r, which is of an export of this store,
// is the same record.
func (im *importer) isCopy(r *record, p *store.Post) bool {
	return p.Slug != "" && p.Slug == r.text("slug") && p.Date.Equal(im.stamp(r, "date").at)
}

// startOf returns the local start of the event of a row.
func (im *importer) startOf(r *record) (start store.Wall) {
	if im.exact && start.UnmarshalText([]byte(r.text("start_date"))) == nil {
		return start
	}
	zone, _ := im.Zones.Load(
		cmp.Or(r.text("timezone"), im.Site.Name()),
	) // a row with an unknown zone is refused
	return store.WallOf(zone.Wall(zone.Instant(r.localTime("start_date"))))
}

// newer reports whether the stored record holds, because it changed after r or by the rule of a
// source.
func (im *importer) newer(old *store.Post, r *record) (is bool) {
	switch modified := im.stamp(r, "modified"); {
	case im.item.As == Overwrite:
	case im.item.As == Once:
		is = true
	case im.item.Base != nil && !r.embedded:
		is = im.item.Base.isChanged(old)
	case im.item.As == Keep && old.Status == store.Trash && !r.embedded:
		is = true
	default:
		is = modified.said &&
			old.Modified.Truncate(time.Second).After(modified.at) // files have whole seconds
	}
	im.older = im.older || is && !r.embedded
	return is
}

// post sets the common part of a record from r. name is the record's title. A stored record
// already has an id.
func (im *importer) post(r *record, k store.Kind, p *store.Post, name string) error {
	if p.ID == 0 {
		author, err := im.author()
		if err != nil {
			return err
		}
		p.Status = store.Publish
		p.Author = author
		if im.seed && r.has("author") {
			p.Author = r.integer("author")
		}
	} else if im.item.As == Overwrite {
		p.Author = im.Account // another author could change every version that the source brings
	}
	if r.has("status") {
		if p.Status = store.Status(r.text("status")); !slices.Contains(statuses, p.Status) {
			return r.inField(
				"status",
				"",
				fmt.Errorf(
					"has the status %q; publish, future, draft, pending, private and trash can be taken",
					p.Status,
				),
			)
		}
	}
	if im.item.As != "" && !r.has("status") && p.Status == store.Trash { // the source has it again
		p.Status = store.Publish
		p.Slug = ""
	}
	before := p.Modified
	im.dates(r, p)
	switch ahead := p.Date.After(im.Now); {
	case im.exact: // the server publishes it later
	case p.Status == store.Future && !ahead:
		p.Status = store.Publish // its date passed since the file was saved
	case im.seed && p.Status == store.Publish && ahead:
		p.Status = store.Future // as for requests
	}
	for _, global := range im.claims(r) {
		own := im.ours(k, global, r.globalIDs()) != nil ||
			im.item.Form == CalendarForm && im.ours(store.AllSeries, global, nil) != nil
		other := im.tx.ByOrigin(k, global)
		known := slices.ContainsFunc(
			p.Origins,
			func(known string) bool { return sameGlobal(known, global) },
		)
		if !own && !known && (other == nil || other.Key() == p.ID) {
			p.Origins = append(slices.Clip(p.Origins), global)
		}
	}

	page := im.page(r)
	if id, own := im.own(r.ownID()); k == store.Events && page != "" && len(p.Origins) > 0 &&
		p.Page() == "" &&
		!(own && id == p.ID) &&
		im.tx.ByOrigin(k, page) == nil {
		p.Origins = append([]string{page}, p.Origins...)
	}

	// Events have every member; venues and organizers leave empty ones out.
	whole := k != store.Events && !r.partial
	description := im.withUploads(r, r.text("description"))
	excerpt := im.withUploads(r, r.text("excerpt"))
	calendar := im.item.Form == CalendarForm
	if (whole || r.has("description")) &&
		!(r.partial && description == markup.Content(p.Description)) &&
		!(calendar && same(description, markup.TypedContent(p.Description))) {
		p.Description = description
	}
	if (whole || r.has("excerpt")) && !(r.partial && excerpt == markup.Excerpt(p.Excerpt)) &&
		!(calendar && same(excerpt, markup.TypedExcerpt(p.Excerpt))) {
		p.Excerpt = excerpt
	}
	if whole || r.has("image") {
		id, err := im.image(r, p.ID != 0 && p.Modified.After(before))
		if err != nil {
			return r.inField("image", "", err)
		}
		p.Image = id
	}
	im.postSlug(r, k, p, name)
	im.former(r, &p.Former)
	return im.customFields(r, &p.CustomFields)
}

// same reports whether two texts differ in white space at their ends alone.
func same(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

var statuses = []store.Status{
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
}

// dates sets the times of publication and change. The default of publication is now.
func (im *importer) dates(r *record, p *store.Post) {
	date := im.stamp(r, "date")
	exact := im.exact && date.said && !date.never
	if !date.at.IsZero() || exact {
		p.Date = date.at
	}
	if p.Date.IsZero() && !exact {
		p.Date = im.Now.UTC().Truncate(time.Second)
	}
	if date.said || p.ID == 0 {
		p.Undated = p.Status.Unpublished() && (date.never || !date.said)
	}
	if im.isNative() {
		r.setFlag(&p.Undated, "undated")
		r.setFlag(&p.LocalDate, "local_date")
		r.setFlag(&p.WasDraft, "was_draft")
	}
	switch modified := im.stamp(r, "modified"); {
	case modified.never && (p.Status.Unpublished() || im.exact):
		p.Modified = time.Time{}
	case modified.said && !modified.at.IsZero():
		if !modified.at.Equal(p.Modified.Truncate(time.Second)) {
			p.Modified = modified.at
		}
	case p.ID == 0 && !p.Status.Unpublished():
		p.Modified = p.Date
	}
}

// postSlug sets the slug: that of r, or one made of the name or the id. An unpublished event needs
// none.
func (im *importer) postSlug(r *record, k store.Kind, p *store.Post, name string) {
	if im.exact && r.has("slug") && (im.seed || im.item.Kind == store.AllSeries.String()) {
		p.Slug = r.text("slug")
		return
	}
	wanted := im.wantedSlug(r)
	if d := im.dateOfSeries(r); d != nil && k == store.Events {
		if wanted = d.slug; strings.HasPrefix(p.Slug, wanted+"-") {
			return // another record had it, and may have moved since
		}
	}
	if wanted == "" {
		if p.Slug != "" || k == store.Events && p.Status.Unpublished() {
			return
		}
		id := int64(0)
		if im.seed {
			id = r.integer("id")
		}
		wanted = im.editor().NameSlug(im.tx, k, name, id)
	}
	p.Slug = im.slug(k, p.ID, p.Slug, wanted)
}

// former adds the previous slugs in a record of a seed or an export.
func (im *importer) former(r *record, slugs *[]string) {
	if !im.isNative() {
		return
	}
	for _, slug := range r.texts("former_slugs") {
		if !slices.Contains(*slugs, slug) {
			*slugs = append(slices.Clip(*slugs), slug)
		}
	}
}

// linked returns the id of a venue or organizer of an event r. A venue or organizer object is
// imported with the event; if it is refused, the id is 0.
func (im *importer) linked(r *record, k store.Kind, v *jsonin.Value) (id int64, err error) {
	if v.IsEmpty() {
		return 0, nil
	}
	if inner, err := parse(v); err == nil {
		if len(inner.Members()) == 0 {
			return 0, nil
		}
		inner.embedded = true
		err = im.tx.Try(func() (err error) {
			id, err = im.put(k, inner)
			return err
		})
		switch {
		case err == nil:
			return id, nil
		case !im.seed:
			im.refuse(k.String(), inner, err)
			return 0, nil
		case errors.Is(err, errProtected):
			return 0, nil // the list hid it from its reader too
		}
		return 0, err
	}
	id, err = strconv.ParseInt(strings.Trim(string(v.Raw), `"`), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("must be an object or a list of objects, not %.40s", v.Raw)
	}
	if found := im.byID(r, k, id); found != nil &&
		(!im.isLimited() || access.MayName(im.By, found)) {
		return found.Key(), nil
	}
	return 0, fmt.Errorf("there is no %d among the %s", id, k)
}

// byID returns the record with an id at the source of r, or nil.
func (im *importer) byID(r *record, k store.Kind, id int64) store.Record {
	if r.has("global_id") {
		return im.byGlobal(k, r.globalID(id))
	}
	if im.isNative() {
		return im.local(k, id)
	}
	return nil
}
