// The records and the indexes over them, as one value that commits, staged
// transactions and recovery change in the same way, and that forks share.

package store

import (
	"cmp"
	"slices"
	"strings"

	"almanac/store/eventindex"
	"almanac/store/sharing"
)

// index holds records by id and everything that finds them otherwise. Every
// part is a function of the records alone, and holds nothing empty: no slug "",
// no list without an event, no count of 0. Check makes it again from the
// records and compares.
//
// All of it is made of pieces that several indexes may have in common, by the
// rule of package sharing: an index changes no piece but those with its own mark, and
// copies the others when it comes to change them. What is in a slice inside a map
// is replaced, never changed.
type index struct {
	by *sharing.Mark // nil where nothing changes any more

	records [kinds]sharing.Tree[Record] // by id
	slugs   [kinds]sharing.Map[int64]
	former  [kinds]sharing.Map[[]int64] // by a slug that records had, ids ascending
	names   [kinds]sharing.Map[[]int64] // by nameKey, ids ascending; venues, organizers and terms; events by numberIn
	origins [kinds]sharing.Map[int64]   // by global id elsewhere
	images  sharing.Map[int64]          // by address

	posts     [kinds][2]eventindex.List[Record] // venues and organizers, newest first: published ones, and the others
	counts    [kinds]sharing.Tree[int]          // published events of a category or tag
	own       [kinds]sharing.Tree[*authored]    // those others, by author
	pictured  sharing.Tree[[]showing]           // to whom each image is shown, by its id
	seen      seen
	steps     Steps
	scheduled eventindex.List[Record] // posts that wait for their date, by it
	instances sharing.Map[int64]      // events of series that are not in the trash, by instanceKey
	horizons  eventindex.List[Record] // series of which more is to be made, by horizon
	unshown   eventindex.List[Record] // series that are not published, by id

	partitions *[partitions]*partition // nil in what is staged, and while a store is opened
}

// The partitions that events are on.
const (
	listed   = iota // published and not hidden
	unlisted        // of every other status and not hidden
	hidden          // in no list
	partitions
)

func newIndex() *index { return &index{by: sharing.NewMark()} }

// fork returns an index of the same records to the holder of another mark. This
// one must not be changed any more, as by what it is shared with: whoever goes on
// with it goes on with another fork of it. No more is copied than the first pages
// of everything, a few kilobytes.
func (x *index) fork(by *sharing.Mark) *index {
	f := *x
	f.by, f.partitions = by, new([partitions]*partition)
	for i, part := range x.partitions {
		f.partitions[i] = part.fork(by)
	}
	return &f
}

// clear empties an index without partitions, and keeps some memory for what comes.
func (x *index) clear() {
	x.images.Clear(x.by)
	x.pictured.Clear(x.by)
	x.instances.Clear(x.by)
	x.scheduled, x.horizons, x.unshown = eventindex.List[Record]{}, eventindex.List[Record]{}, eventindex.List[Record]{}
	for k := range kinds {
		x.records[k].Clear(x.by)
		x.slugs[k].Clear(x.by)
		x.former[k].Clear(x.by)
		x.names[k].Clear(x.by)
		x.origins[k].Clear(x.by)
		x.counts[k].Clear(x.by)
		x.own[k].Clear(x.by)
		x.posts[k] = [2]eventindex.List[Record]{}
	}
}

// ByStart is the order of event listings: start, then publication, then id
// (section 4.2 of the specification leaves ties open).
func ByStart(a, b *Event) int {
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

// PostOf returns what events, venues and organizers have in common, of a series that
// of the event it is made of; else nil.
func PostOf(r Record) *Post { return postOf(r) }

func postOf(r Record) *Post {
	switch r := r.(type) {
	case *Event:
		return &r.Post
	case *Venue:
		return &r.Post
	case *Organizer:
		return &r.Post
	case *Series:
		return &r.Event.Post
	}
	return nil
}

// nameKey is how names are compared when a record is looked for by its name.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// nameOf returns the name of a record that can be looked for by it.
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

// numberIn returns the id in a global id, which is HOST?id=ID.
func numberIn(global string) (number string, ok bool) {
	_, number, ok = strings.Cut(global, "?id=")
	return number, ok
}

// SlugOf returns the slug that a record is found by, or "".
func SlugOf(r Record) string {
	switch r := r.(type) {
	case *Term:
		return r.Slug
	case *Series:
		return "" // what those of its events are made of
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
	if e.Recurrence != nil {
		f(AllSeries, e.Recurrence.Series)
	}
}

// put stores a record, in the place of the one with its id.
func (x *index) put(r Record) {
	k, id := r.Kind(), r.Key()
	old := x.records[k].Get(id)
	afterChange := func() {}
	if old != nil {
		if x.partitions != nil {
			afterChange = x.beforeChange(old, r)
		}
		x.leave(old)
	}
	x.records[k].Put(x.by, id, r)
	x.enter(r)
	afterChange()
	if next, ok := r.(*Event); ok {
		x.count(next, +1)
		if x.partitions != nil {
			was, _ := old.(*Event)
			x.moveEvent(was, next)
		}
	}
}

// remove forgets a record, if it is there.
func (x *index) remove(k Kind, id int64) {
	old := x.records[k].Get(id)
	if old == nil {
		return
	}
	x.leave(old)
	x.records[k].Delete(x.by, id)
	if was, ok := old.(*Event); ok && x.partitions != nil {
		x.moveEvent(was, nil)
	}
}

// enter adds a record to the indexes, but for the counts of terms.
func (x *index) enter(r Record) {
	k, id := r.Kind(), r.Key()
	if slug := SlugOf(r); slug != "" {
		x.slugs[k].Put(x.by, slug, id)
	}
	for _, slug := range formerOf(r) {
		x.enterID(&x.former[k], slug, id)
	}
	if name, ok := nameOf(r); ok {
		x.enterID(&x.names[k], nameKey(name), id)
	}
	if p := postOf(r); p != nil {
		for _, global := range p.Origins {
			x.origins[k].Put(x.by, global, id)
			if number, ok := numberIn(global); ok && k == Events {
				x.enterID(&x.names[k], number, id)
			}
		}
		if p.Status == Future {
			x.scheduled.Insert(x.by, r, byDate)
		}
		x.picture(r, +1)
	}
	switch r := r.(type) {
	case *Image:
		x.images.Put(x.by, r.URL, id)
	case *Venue, *Organizer:
		x.postsOf(r).Insert(x.by, r, byNewest)
		x.enterOwn(r)
	case *Event:
		if key := instanceKey(r); key != "" {
			x.instances.Put(x.by, key, id)
		}
	case *Series:
		if r.grows() {
			x.horizons.Insert(x.by, r, byHorizon)
		}
		if r.Event.Status != Publish {
			x.unshown.Insert(x.by, r, byKey)
		}
	}
}

// leave takes a record out of the indexes, and of the counts: enter undone.
func (x *index) leave(r Record) {
	k, id := r.Kind(), r.Key()
	if slug := SlugOf(r); x.slugs[k].Get(slug) == id {
		x.slugs[k].Delete(x.by, slug)
	}
	for _, slug := range formerOf(r) {
		x.leaveID(&x.former[k], slug, id)
	}
	if name, ok := nameOf(r); ok {
		x.leaveID(&x.names[k], nameKey(name), id)
	}
	if p := postOf(r); p != nil {
		for _, global := range p.Origins {
			if x.origins[k].Get(global) == id {
				x.origins[k].Delete(x.by, global)
			}
			if number, ok := numberIn(global); ok && k == Events {
				x.leaveID(&x.names[k], number, id)
			}
		}
		if p.Status == Future {
			x.scheduled.Remove(x.by, r, byDate)
		}
		x.picture(r, -1)
	}
	switch r := r.(type) {
	case *Image:
		if x.images.Get(r.URL) == id {
			x.images.Delete(x.by, r.URL)
		}
	case *Venue, *Organizer:
		x.postsOf(r).Remove(x.by, r, byNewest)
		x.leaveOwn(r)
	case *Event:
		x.count(r, -1)
		if key := instanceKey(r); key != "" && x.instances.Get(key) == id {
			x.instances.Delete(x.by, key)
		}
	case *Series:
		if r.grows() {
			x.horizons.Remove(x.by, r, byHorizon)
		}
		if r.Event.Status != Publish {
			x.unshown.Remove(x.by, r, byKey)
		}
	}
}

// enterID adds an id to those of a key, and leaveID takes it out.
func (x *index) enterID(of *sharing.Map[[]int64], key string, id int64) {
	ids := of.Get(key)
	at, _ := slices.BinarySearch(ids, id)
	of.Put(x.by, key, slices.Concat(ids[:at], []int64{id}, ids[at:]))
}

func (x *index) leaveID(of *sharing.Map[[]int64], key string, id int64) {
	ids := slices.DeleteFunc(slices.Clone(of.Get(key)), func(other int64) bool { return other == id })
	if len(ids) > 0 {
		of.Put(x.by, key, ids)
	} else {
		of.Delete(x.by, key)
	}
}

// postsOf returns the list that a venue or an organizer is in.
func (x *index) postsOf(r Record) *eventindex.List[Record] {
	if postOf(r).Status == Publish {
		return &x.posts[r.Kind()][0]
	}
	return &x.posts[r.Kind()][1]
}

// apply does to the index what a transaction did.
func (x *index) apply(c *Change) {
	c.each(x.put)
	for _, r := range c.Removed {
		x.remove(r.Kind, r.ID)
	}
}
