// Searches in the names of venues, organizers, categories and tags.

package filters

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/text/markup"
	"almanac/store"
)

// Names has, for each word of a search, the records whose names contain it.
type names struct {
	state *store.State // that they were looked up in
	of    map[string][]store.Links
	found int  // records in of
	wide  bool // there are too many
}

// namesMost is how many records all texts of a search find by their names; with more it is
// refused. They are looked up while writers wait.
const namesMost = 200_000

// namedKinds are the kinds of records by whose names events are found. An event of a category is
// in those above, too.
var namedKinds = []store.Kind{store.Venues, store.Organizers, store.Categories, store.Tags}

// lookUp looks the words of the search up in names that the viewer may read.
func (f *Events) lookUp(v *store.View) {
	if !f.Names || f.Search.Empty() || f.byName != nil && f.byName.state == v.State() {
		return
	}
	f.byName = &names{state: v.State(), of: map[string][]store.Links{}}
	f.readNames(v, slices.Concat(f.Search.with, f.Search.without)...)
}

// isWide reports whether the search finds too many names.
func (f *Events) isWide() bool { return f.byName != nil && f.byName.wide }

// readNames looks texts up.
func (f *Events) readNames(v *store.View, texts ...string) {
	for _, text := range texts {
		f.byName.of[text] = nil
		for _, k := range namedKinds {
			may, ok := v.Named(k, text, namesMost-f.byName.found)
			if !ok {
				f.byName.wide = true
				return
			}
			ids := map[int64]bool{}
			for _, r := range may {
				if strings.Contains(f.nameOf(r), text) {
					ids[r.Key()] = true
				}
			}
			l := linksOf(v, k, ids)
			f.byName.found += max(len(may), len(l.IDs))
			f.byName.of[text] = append(f.byName.of[text], l)
		}
	}
}

// nameOf returns the name of a record, folded; "" if the viewer does not see it.
func (f *Events) nameOf(r store.Record) string {
	if p := store.PostOf(r); p != nil && (p.Status == store.Trash || !f.Viewer.Sees(p)) {
		return ""
	}
	switch r := r.(type) {
	case *store.Venue:
		return markup.Fold(r.Name)
	case *store.Organizer:
		return markup.Fold(r.Name)
	}
	return markup.Fold(r.(*store.Term).Name)
}

// linksOf returns records, in order, with the categories below them.
func linksOf(v *store.View, k store.Kind, ids map[int64]bool) store.Links {
	l := store.Links{Kind: k, IDs: slices.Collect(maps.Keys(ids))}
	if k == store.Categories {
		for at := 0; at < len(l.IDs) && len(l.IDs) <= namesMost; at++ {
			for _, below := range v.Children(k, l.IDs[at]) {
				if id := below.Key(); !ids[id] {
					ids[id] = true
					l.IDs = append(l.IDs, id)
				}
			}
		}
	}
	slices.Sort(l.IDs)
	return l
}

// withName returns the records whose names contain a word, or a part of one that the index asks
// for.
func (f *Events) withName(v *store.View, text string) []store.Links {
	if _, known := f.byName.of[text]; !known && !f.byName.wide {
		f.readNames(v, text)
	}
	return f.byName.of[text]
}

// has reports whether an event is linked to a record whose name contains a word.
func (n *names) has(word string, e *store.Event) bool {
	if n == nil {
		return false
	}
	for _, l := range n.of[word] {
		linked := map[store.Kind][]int64{
			store.Venues:     e.Venues,
			store.Organizers: e.Organizers,
			store.Categories: e.Categories,
			store.Tags:       e.Tags,
		}[l.Kind]
		if slices.ContainsFunc(
			linked,
			func(id int64) bool { _, is := slices.BinarySearch(l.IDs, id); return is },
		) {
			return true
		}
	}
	return false
}
