// Searches in the names of venues, organizers, categories and tags.

package filters

import (
	"slices"
	"strings"

	"almanac/internal/markup"
	"almanac/store"
)

// Names has, for each word of a search, the records whose names contain it.
type names struct {
	state *store.State // that they were looked up in
	of    map[string][]store.Links
}

// namedKinds are the kinds of records by whose names events are found. An event of a category is
// in those above, too.
var namedKinds = []store.Kind{store.Venues, store.Organizers, store.Categories, store.Tags}

// lookUp looks the words of the search up in names that the viewer may read.
func (f *Events) lookUp(v *store.View) {
	if !f.Names || f.Search.Empty() || f.byName != nil && f.byName.state == v.State() {
		return
	}
	f.byName = &names{v.State(), map[string][]store.Links{}}
	f.readNames(v, slices.Concat(f.Search.with, f.Search.without)...)
}

// readNames looks texts up, in one pass.
func (f *Events) readNames(v *store.View, texts ...string) {
	for _, k := range namedKinds {
		found := map[string]map[int64]bool{}
		for _, text := range texts {
			found[text] = map[int64]bool{}
		}
		for r := range v.Each(k) {
			name := f.nameOf(r)
			for text, ids := range found {
				if strings.Contains(name, text) {
					ids[r.Key()] = true
				}
			}
		}
		for text, ids := range found {
			f.byName.of[text] = append(f.byName.of[text], linksOf(v, k, ids))
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
	l := store.Links{Kind: k}
	for id := range ids {
		l.IDs = append(l.IDs, id)
	}
	if k == store.Categories && len(ids) > 0 {
		for r := range v.Each(k) {
			isBelow := false
			for up := range store.Above(r.(*store.Term), v.Get) {
				isBelow = isBelow || ids[up.ID]
			}
			if isBelow && !ids[r.Key()] {
				l.IDs = append(l.IDs, r.Key())
			}
		}
	}
	slices.Sort(l.IDs)
	return l
}

// withName returns the records whose names contain a word, or a part of one that the index asks
// for.
func (f *Events) withName(v *store.View, text string) []store.Links {
	if _, known := f.byName.of[text]; !known {
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
