// Records that are known by their names. Thousands may share one, so each is found by an index.

package intake

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"almanac/internal/markup"
	"almanac/store"
)

// A namesake is a name with what else records without an id are known by.
type namesake struct {
	kind  store.Kind
	name  string
	start store.Wall // of events and series
}

// findNamed returns the record with the name of r, and for events and series its start, or nil. A
// record with another id does not match an event with ids.
func (im *importer) findNamed(k store.Kind, r *record) store.Record {
	key := namesake{kind: k, name: im.name(r, Table[k][1].Name)}
	if k == store.Events || k == store.AllSeries {
		key.start = im.startOf(r)
	}
	fits := im.fits(k, r)
	if im.item.Row || r.embedded {
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
	im.passMatched(key)
	return im.first(im.namesakes(key, im.passed[key]), fits)
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

// passMatched notes up to which id items of this import became the records with a name. No other
// item becomes one of them.
func (im *importer) passMatched(key namesake) {
	before := im.passed[key]
	passed := before
	for found := range im.namesakes(key, before) {
		im.looked++
		if _, matched := im.report.Records[key.kind][found.Key()]; !matched {
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
	isDraft := wanted == "" && im.exact && date.said && !date.never
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
			return !matched && p.Date.Equal(date.at)
		}
		return !matched && (wanted == "" || p.Slug == wanted || isNumbered(p.Slug, wanted))
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
	key := namesake{kind: k, name: nameKey(name)}
	for range 2 { // again after an entry that is true no longer
		at := im.places[key]
		if at == nil {
			at = map[string]int64{}
			for found := range im.tx.ByName(k, name) {
				im.looked++
				enterPlace(at, found)
			}
			im.places[key] = at
		}
		found := im.tx.Get(k, at[place])
		if found == nil && at[place] == 0 ||
			found != nil && key.names(found) && placeOf(found) == place && !isTrash(found) {
			return found
		}
		delete(im.places, key)
	}
	return nil
}

// enterPlace adds a stored venue or organizer to those of its name, by place.
func enterPlace(at map[string]int64, r store.Record) {
	if place := placeOf(r); at[place] == 0 && !isTrash(r) {
		at[place] = r.Key()
	}
}

// nameKey is the form of a name in which the store finds it.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func isTrash(r store.Record) bool { return store.PostOf(r).Status == store.Trash }

// placeOf returns what tells venues and organizers of a name apart in calendars: the parts of the
// address in their form, or the e-mail address in lower case.
func placeOf(r store.Record) string {
	v, ok := r.(*store.Venue)
	if !ok {
		return strings.ToLower(r.(*store.Organizer).Email)
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
