// The records and the indexes over them, as one value that commits, staged
// transactions and recovery change in the same way.

package store

import (
	"cmp"
	"slices"
	"strings"

	"almanac/order"
)

// index holds records by id and everything that finds them otherwise. Every
// part is a function of the records alone, and holds nothing empty: no slug "",
// no list without an event, no count of 0. Check makes it again from the
// records and compares.
type index struct {
	records [kinds]map[int64]Record
	slugs   [kinds]map[string]int64
	names   [kinds]map[string][]int64 // by nameKey, ids ascending; venues, organizers and terms
	origins [kinds]map[string]int64   // by global id elsewhere
	images  map[string]int64          // by address

	posts     [kinds][2]*order.List[Record]        // venues and organizers, newest first: published ones, and the others
	counts    [kinds]map[int64]int                 // published events of a category or tag
	own       [kinds]map[int64]*order.List[Record] // those others, by author
	pictured  map[picture]int                      // how often each image is shown to whom
	scheduled *order.List[Record]                  // posts that wait for their date, by it

	shelves *[shelves]*Shelf // nil in what is staged, and while a store is opened
}

// The shelves that events are on.
const (
	listed   = iota // published and not hidden
	unlisted        // of every other status and not hidden
	hidden          // in no list
	shelves
)

func newIndex() *index {
	x := &index{images: map[string]int64{}, pictured: map[picture]int{}, scheduled: order.NewList(byDate)}
	for k := range kinds {
		x.records[k] = map[int64]Record{}
		x.slugs[k] = map[string]int64{}
		x.names[k] = map[string][]int64{}
		x.origins[k] = map[string]int64{}
		x.posts[k] = [2]*order.List[Record]{order.NewList(byNewest), order.NewList(byNewest)}
		x.own[k] = map[int64]*order.List[Record]{}
		x.counts[k] = map[int64]int{}
	}
	return x
}

// emptied gives an index with nothing in it, in the memory of this one unless
// that has grown large.
func (x *index) emptied() *index {
	const large = 1024
	for k := range kinds {
		if len(x.records[k]) > large {
			return newIndex()
		}
	}
	clear(x.images)
	clear(x.pictured)
	if x.scheduled.Len() > 0 {
		x.scheduled = order.NewList(byDate)
	}
	for k := range kinds {
		clear(x.records[k])
		clear(x.slugs[k])
		clear(x.names[k])
		clear(x.origins[k])
		clear(x.counts[k])
		clear(x.own[k])
		for i := range x.posts[k] {
			if x.posts[k][i].Len() > 0 {
				x.posts[k][i] = order.NewList(byNewest)
			}
		}
	}
	return x
}

// byStart is the order of event listings: start, then publication, then id
// (section 4.2 of the specification leaves ties open).
func byStart(a, b *Event) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
}

// byNewest is the order of venue and organizer listings.
func byNewest(a, b Record) int {
	return cmp.Or(postOf(b).Date.Compare(postOf(a).Date), cmp.Compare(b.Key(), a.Key()))
}

// byDate is the order in which scheduled posts are published.
func byDate(a, b Record) int {
	return cmp.Or(postOf(a).Date.Compare(postOf(b).Date), cmp.Compare(a.Key(), b.Key()))
}

// postOf gives what events, venues and organizers have in common, or nil.
func postOf(r Record) *Post {
	switch r := r.(type) {
	case *Event:
		return &r.Post
	case *Venue:
		return &r.Post
	case *Organizer:
		return &r.Post
	}
	return nil
}

// nameKey is how names are compared when a record is looked for by its name.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// nameOf gives the name of a record that can be looked for by it.
func nameOf(r Record) (string, bool) {
	switch r := r.(type) {
	case *Venue:
		return r.Name, true
	case *Organizer:
		return r.Name, true
	case *Term:
		return r.Name, true
	}
	return "", false
}

// slugOf gives the slug of a record, or "".
func slugOf(r Record) string {
	if t, ok := r.(*Term); ok {
		return t.Slug
	}
	if p := postOf(r); p != nil {
		return p.Slug
	}
	return ""
}

// links calls f, once each, for every record that an event is listed under.
func (e *Event) links(f func(Kind, int64)) {
	each := func(k Kind, ids []int64) {
		for i, id := range ids {
			if !slices.Contains(ids[:i], id) {
				f(k, id)
			}
		}
	}
	each(Categories, e.Categories)
	each(Tags, e.Tags)
	each(Venues, e.Venues)
	each(Organizers, e.Organizers)
	if e.Parent != 0 {
		f(Events, e.Parent)
	}
}

// put stores a record, in the place of the one with its id.
func (x *index) put(r Record) {
	k, id := r.Kind(), r.Key()
	old := x.records[k][id]
	settle := func() {}
	if old != nil {
		if x.shelves != nil {
			settle = x.unsettle(old, r)
		}
		x.leave(old)
	}
	x.records[k][id] = r
	x.enter(r)
	settle()
	if next, ok := r.(*Event); ok && x.shelves != nil {
		was, _ := old.(*Event)
		x.reshelve(was, next)
	}
}

// remove forgets a record, if it is there.
func (x *index) remove(k Kind, id int64) {
	old := x.records[k][id]
	if old == nil {
		return
	}
	x.leave(old)
	delete(x.records[k], id)
	if was, ok := old.(*Event); ok && x.shelves != nil {
		x.reshelve(was, nil)
	}
}

// enter adds a record to the indexes.
func (x *index) enter(r Record) {
	k, id := r.Kind(), r.Key()
	if slug := slugOf(r); slug != "" {
		x.slugs[k][slug] = id
	}
	if name, ok := nameOf(r); ok {
		key := nameKey(name)
		at, _ := slices.BinarySearch(x.names[k][key], id)
		x.names[k][key] = slices.Insert(x.names[k][key], at, id)
	}
	if p := postOf(r); p != nil {
		for _, global := range p.Origins {
			x.origins[k][global] = id
		}
		if p.Status == Future {
			x.scheduled.Insert(r)
		}
		x.picture(r, +1)
	}
	switch r := r.(type) {
	case *Image:
		x.images[r.URL] = id
	case *Venue, *Organizer:
		x.postsOf(r).Insert(r)
		x.enterOwn(r)
	case *Event:
		x.count(r, +1)
	}
}

// leave takes a record out of the indexes: enter undone.
func (x *index) leave(r Record) {
	k, id := r.Kind(), r.Key()
	if slug := slugOf(r); x.slugs[k][slug] == id {
		delete(x.slugs[k], slug)
	}
	if name, ok := nameOf(r); ok {
		key := nameKey(name)
		ids := slices.DeleteFunc(x.names[k][key], func(other int64) bool { return other == id })
		if x.names[k][key] = ids; len(ids) == 0 {
			delete(x.names[k], key)
		}
	}
	if p := postOf(r); p != nil {
		for _, global := range p.Origins {
			if x.origins[k][global] == id {
				delete(x.origins[k], global)
			}
		}
		if p.Status == Future {
			x.scheduled.Remove(r)
		}
		x.picture(r, -1)
	}
	switch r := r.(type) {
	case *Image:
		if x.images[r.URL] == id {
			delete(x.images, r.URL)
		}
	case *Venue, *Organizer:
		x.postsOf(r).Remove(r)
		x.leaveOwn(r)
	case *Event:
		x.count(r, -1)
	}
}

// postsOf gives the list that a venue or an organizer is in.
func (x *index) postsOf(r Record) *order.List[Record] {
	if postOf(r).Status == Publish {
		return x.posts[r.Kind()][0]
	}
	return x.posts[r.Kind()][1]
}

// count counts an event for its terms, when it is published.
func (x *index) count(e *Event, by int) {
	if e.Status != Publish {
		return
	}
	e.links(func(k Kind, id int64) {
		if !k.isTerm() {
			return
		}
		if x.counts[k][id] += by; x.counts[k][id] == 0 {
			delete(x.counts[k], id)
		}
	})
}

// apply does to the index what a transaction did.
func (x *index) apply(c *Change) {
	c.each(x.put)
	for _, r := range c.Removed {
		x.remove(r.Kind, r.ID)
	}
}
