// Records that are known by their names. Thousands may share one, so each is found by an index.

package intake

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/text/markup"
	"almanac/internal/write"
	"almanac/store"
)

// A namesake is a name with what else records without an id are known by.
type namesake struct {
	kind  store.Kind
	name  string
	start store.Wall // of events and series
	bare  bool       // in importer.passed: records without an id alone
}

// findNamed returns the record with the name of r, and for events and series its start, or nil. A
// record with another id does not match an event with ids.
func (im *importer) findNamed(k store.Kind, r *record) store.Record {
	key := namesake{kind: k, name: im.name(r, Table[k][1].Name)}
	if k == store.Events || k == store.AllSeries {
		key.start = im.startOf(r)
	}
	fits := im.fits(k, r)
	switch {
	case im.item.Row && k == store.Events:
		return im.findRow(key, r, fits)
	case im.item.Row || r.embedded:
		return im.first(im.namesakes(key, 0), fits)
	}
	const numbers = 64 // up to which markup.FreeSlug gives the lowest one
	if wanted := im.wantedSlug(r); wanted != "" && k != store.AllSeries {
		for n := 1; n <= numbers; n++ {
			slug := wanted
			if n > 1 {
				slug = markup.Suffix(wanted, n)
			}
			if found := im.tx.BySlug(k, slug); found != nil && key.names(found) && fits(found) {
				return found
			}
		}
		if im.tx.BySlug(k, markup.Suffix(wanted, numbers)) == nil {
			return nil
		}
	}
	im.pass(key, func(found store.Record) bool {
		_, matched := im.report.Records[key.kind][found.Key()]
		return matched
	})
	return im.first(im.namesakes(key, im.passed[key]), fits)
}

// findRow returns the event of a row, or nil: the one at the venue of the row, or else any one,
// unless an earlier row of the table has the same name and start.
func (im *importer) findRow(
	key namesake,
	r *record,
	fits func(store.Record) bool,
) store.Record {
	place := im.placeOfRow(r)
	isHere := fits
	if im.item.OtherVenue {
		isHere = func(found store.Record) bool { return fits(found) && placeOf(found) == place }
	}
	found := im.atPlace(key, place)
	switch {
	case found != nil && fits(found):
		return found
	case im.item.OtherVenue && r.text("status") != string(store.Trash): // which atPlace passes over
		return nil
	case r.ownID() == "":
		return im.first(im.namesakes(key, 0), isHere)
	}
	bare := key
	bare.bare = true
	im.pass(bare, func(found store.Record) bool { return len(store.PostOf(found).Origins) > 0 })
	return im.first(im.namesakes(key, im.passed[bare]), isHere)
}

// placeOfRow returns the place of the event of a row, as placeOf: "" without a venue. A venue that
// is new is no place of an event.
func (im *importer) placeOfRow(r *record) string {
	for _, v := range r.Member("venue").Items() {
		inner, err := parse(v)
		if err != nil {
			break
		}
		inner.embedded = true
		if found := im.find(store.Venues, inner); found != nil {
			return strconv.FormatInt(found.Key(), 10)
		}
		return "new"
	}
	return ""
}

// first returns the first of some records that fits, or nil.
func (im *importer) first(some iter.Seq[store.Record], fits func(store.Record) bool) store.Record {
	for found := range some {
		im.looked++
		if fits(found) {
			return found
		}
	}
	return nil
}

// namesakes yields the stored records with a name, whose ids are higher than one.
func (im *importer) namesakes(key namesake, id int64) iter.Seq[store.Record] {
	if key.kind == store.Events || key.kind == store.AllSeries {
		return im.tx.TitledAfter(key.kind, key.name, key.start, id)
	}
	return im.tx.ByNameAfter(key.kind, key.name, id)
}

// names reports whether a stored record has the name.
func (key namesake) names(r store.Record) bool {
	switch r := r.(type) {
	case *store.Event:
		return r.Title == key.name && r.Start == key.start
	case *store.Series:
		return r.Event.Title == key.name && r.Event.Start == key.start
	}
	return nameKey(*Members(r)[1].Field.(*string)) == nameKey(key.name)
}

// pass notes up to which id no further item becomes one of the records with a name, because they
// are done: items of this import became them, for example.
func (im *importer) pass(key namesake, isDone func(store.Record) bool) {
	before := im.passed[key]
	passed := before
	for found := range im.namesakes(key, before) {
		im.looked++
		if !isDone(found) {
			break
		}
		passed = found.Key()
	}
	if passed > before {
		im.passed[key] = passed
		im.tx.OnUndo(func() { im.passed[key] = before })
	}
}

// fits returns a function that reports whether a stored record with the name of r may be r.
// Records of one list that share a name differ in their slugs; without slugs, they match in the
// order of their ids.
func (im *importer) fits(k store.Kind, r *record) func(store.Record) bool {
	isTrash := r.text("status") == string(store.Trash)
	wanted := im.wantedSlug(r)
	date := im.stamp(r, "date")
	isDraft := wanted == "" && im.exact && date.Said && !date.Never
	return func(found store.Record) bool {
		p := store.PostOf(found)
		_, matched := im.report.Records[k][p.ID]
		switch {
		case k == store.AllSeries:
			return !matched && found.(*store.Series).Rule == r.text("rule")
		case p.Status == store.Trash && !isTrash,
			k == store.Events && r.ownID() != "" && len(p.Origins) > 0:
			return false
		case im.item.Row || r.embedded:
			return true
		case isDraft:
			return !matched && p.Date.Equal(date.At)
		}
		return !matched && (wanted == "" || p.Slug == wanted || write.IsNumbered(p.Slug, wanted))
	}
}

// alike returns the stored venue or organizer with the name, and the address or e-mail address,
// that a calendar gives, or nil. It applies to records without other members.
func (im *importer) alike(k store.Kind, r *record) store.Record {
	if im.item.Form != CalendarForm || r.has("global_id") {
		return nil
	}
	name := im.name(r, Table[k][1].Name)
	place := r.text("address")
	if k == store.Organizers {
		place = strings.ToLower(r.text("email"))
	}
	return im.atPlace(namesake{kind: k, name: nameKey(name)}, place)
}

// atPlace returns the first stored record with a name at a place, as placeOf, or nil.
func (im *importer) atPlace(key namesake, place string) store.Record {
	for range 2 { // again after an entry that is true no longer
		at := im.places[key]
		if at == nil {
			at = map[string]int64{}
			for found := range im.namesakes(key, 0) {
				im.looked++
				enterPlace(at, found)
			}
			im.places[key] = at
		}
		found := im.tx.Get(key.kind, at[place])
		if found == nil && at[place] == 0 ||
			found != nil && key.names(found) && placeOf(found) == place && !isTrash(found) {
			return found
		}
		delete(im.places, key)
	}
	return nil
}

// enter adds a record that was stored to those of its name.
func (im *importer) enter(r store.Record) {
	key := namesake{kind: r.Kind()}
	switch r := r.(type) {
	case *store.Venue, *store.Organizer:
		key.name = nameKey(*Members(r)[1].Field.(*string))
	case *store.Event:
		key.name = r.Title
		key.start = r.Start
	}
	if at := im.places[key]; at != nil {
		enterPlace(at, r)
	}
}

// enterPlace adds a stored record to those of its name, by place.
func enterPlace(at map[string]int64, r store.Record) {
	if place := placeOf(r); at[place] == 0 && !isTrash(r) {
		at[place] = r.Key()
	}
}

// nameKey is the form of a name in which the store finds it.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func isTrash(r store.Record) bool { return store.PostOf(r).Status == store.Trash }

// placeOf returns what tells records of a name apart: of an event the id of its first venue, of an
// organizer the e-mail address in lower case, and of a venue the parts of the address in the form
// of calendars.
func placeOf(r store.Record) string {
	var v *store.Venue
	switch r := r.(type) {
	case *store.Event:
		if len(r.Venues) == 0 {
			return ""
		}
		return strconv.FormatInt(r.Venues[0], 10)
	case *store.Organizer:
		return strings.ToLower(r.Email)
	case *store.Venue:
		v = r
	}
	parts := []string{
		v.Address,
		v.City,
		cmp.Or(v.StateProvince, v.State, v.Province),
		v.Zip,
		v.Country,
	}
	return strings.Join(
		slices.DeleteFunc(parts, func(part string) bool { return part == "" }),
		", ",
	)
}
