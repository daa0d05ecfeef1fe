// Members that events, venues and organizers share.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/people/access"
	"almanac/internal/text/jsonio"
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
	return p.Slug != "" && p.Slug == r.text("slug") && p.Date.Equal(im.stamp(r, "date").At)
}

// startOf returns the local start of the event of a row.
func (rd *reader) startOf(r *record) (start store.Wall) {
	if rd.exact && start.UnmarshalText([]byte(r.text("start_date"))) == nil {
		return start
	}
	zone, _ := rd.Zones.Load(
		cmp.Or(r.text("timezone"), rd.Site.Name()),
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
		is = modified.Said &&
			old.Modified.Truncate(time.Second).After(modified.At) && // files have whole seconds
			(im.isAhead(modified.At) || !im.isAhead(old.Modified))
	}
	im.older = im.older || is && !r.embedded
	return is
}

// linked returns the id of a venue or organizer of an event r. A venue or organizer object is
// imported with the event; if it is refused, the id is 0.
func (im *importer) linked(r *record, k store.Kind, v *jsonio.Value) (id int64, err error) {
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
