// Finding the records of a file.

package seed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/importer"
	"almanac/store"
)

// A record is a record of a file.
type record struct {
	object
	of    store.Kind
	path  string // in the file, as events[2]
	exact bool
	id    int64    // its own, or the one that it was given
	name  string   // by which others refer to it, or ""
	texts []change // to the text, before it is planted
}

// listed reports whether the record is one that a site has shown, with all the
// members that it shows: not written by hand, and not exported.
func listed(k store.Kind, o object) bool {
	if k == store.Categories || k == store.Tags {
		return !o.member("taxonomy").isNothing()
	}
	return !o.member("global_id").isNothing()
}

// kinds are the lists that a seed may have, in the order in which an export has
// them.
var kinds = []store.Kind{store.Images, store.Categories, store.Tags, store.Venues, store.Organizers, store.Events}

// kindOf returns the kind that a list is named by.
func kindOf(name string) (store.Kind, bool) {
	for _, k := range kinds {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// envelope are the members that saved lists have beside their records.
var envelope = []string{"rest_url", "next_rest_url", "previous_rest_url", "total", "total_pages"}

// errForm says what a file may be.
var errForm = errors.New(`must be an object with lists of records, {"events":[…],"venues":[…],…}, a list of records, or one record`)

// find finds the records of the file.
func (p *planter) find() {
	empty := true
	for v, err := range p.file.values() {
		empty = false
		switch {
		case err != nil:
			p.report(v, "", err)
		case v.kind() == '[':
			p.bare(v)
		case v.kind() == '{':
			if o := v.object(); isRecord(o) {
				p.shaped("", o)
			} else {
				p.document(o)
			}
		default:
			p.report(v, "", errForm)
		}
	}
	if empty {
		p.report(value{}, "", errors.New("is empty"))
	}
}

// isRecord tells a record from an object with lists of records, which an event
// has too.
func isRecord(o object) bool {
	for _, m := range o.members {
		switch m.name {
		case "id", "global_id", "title", "start_date", "venue", "organizer", "name", "slug", nameMember:
			return true
		}
	}
	return false
}

// bare takes a list of records that tell their kinds themselves.
func (p *planter) bare(list value) {
	for i, v := range list.items() {
		p.shaped(fmt.Sprintf("[%d]", i), v.object())
	}
}

// shaped takes a record that tells its kind by its members.
func (p *planter) shaped(path string, o object) {
	has := func(name string) bool { return !o.member(name).isNothing() }
	taxonomy, _ := o.member("taxonomy").text()
	k := store.Events
	switch {
	case has("title") || has("start_date"):
	case has("venue"):
		k = store.Venues
	case has("organizer"):
		k = store.Organizers
	case has("name") && strings.HasSuffix(taxonomy, "_cat"):
		k = store.Categories
	case has("name") && strings.HasSuffix(taxonomy, "_tag"):
		k = store.Tags
	default:
		p.report(o.value, path,
			errors.New("is not to be told for an event, a venue, an organizer, a category or a tag; put it into a list that says so, "+
				"as {\"tags\":[…]}"))
		return
	}
	p.take(k, path, o, false)
}

// document takes an object with lists of records.
func (p *planter) document(o object) {
	exact := false
	if m := o.member("exact"); m.kind() == 't' {
		exact = true
	} else if m.kind() != 0 && m.kind() != 'f' {
		p.report(m.value, "exact", errors.New("must be true or false"))
	}
	for _, m := range o.members {
		k, ok := kindOf(m.name)
		switch {
		case m.name == "exact", m.name == commentMember, slices.Contains(envelope, m.name):
		case !ok:
			p.report(value{at: m.at}, step(m.name),
				fmt.Errorf("is no list of a seed; there are events, venues, organizers, categories, tags and images%s",
					suggestion(m.name, []string{"events", "venues", "organizers", "categories", "tags", "images", "exact"})))
		case m.kind() != '[':
			p.report(m.value, m.name, errors.New("must be a list of records"))
		default:
			for i, item := range m.items() {
				p.take(k, fmt.Sprintf("%s[%d]", m.name, i), item.object(), exact)
			}
		}
	}
}

// take takes a record.
func (p *planter) take(k store.Kind, path string, o object, exact bool) {
	if o.kind() != '{' {
		p.report(o.value, path, fmt.Errorf("must be a record, which is an object, not %.40s", o.raw))
		return
	}
	if reason := importer.Unfit(o.raw); reason != "" {
		p.report(o.value, path, errors.New(reason))
		return
	}
	p.records = append(p.records, &record{object: o, of: k, path: path, exact: exact, id: o.member("id").integer()})
}
