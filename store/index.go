// The records and the indexes over them, as one value that commits, staged
// transactions and recovery change in the same way.

package store

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"almanac/store/record"
	"almanac/store/search"
)

// index holds records by id and everything that finds them otherwise. Every
// part is a function of the records alone, and holds nothing empty: no slug "",
// no list without a record, no count of 0. Check makes it again from the
// records and compares.
type index struct {
	records [kinds]map[int64]Record
	slugs   [kinds]map[string]int64
	former  [kinds]map[string][]int64 // by a slug that records had, ids ascending
	names   [kinds]map[string][]int64 // ids ascending: by nameKey, or by titleKey and of events by numberIn
	origins [kinds]map[string]int64   // by global id elsewhere
	images  map[string]int64          // by address

	children map[int64][]int64 // terms by the one directly above them, ids ascending

	posts     [kinds][2][]Record        // venues and organizers, newest first: published, then unpublished
	counts    [kinds]map[int64]int      // published events of a category or tag
	own       [kinds]map[int64][]Record // unpublished venues and organizers by author, newest first
	pictured  map[int64]map[int64]int   // uses of an image that a viewer sees, by both ids
	seen      seen
	scheduled []Record              // posts that wait for their date, by it
	instances map[instanceKey]int64 // events of series that are not in the trash
	horizons  []Record              // series that grow, by horizon
	unshown   []Record              // series that are not published, by id
	zones     map[string]int        // numbers of events, by their zones
	sticky    int                   // number of events

	uploads []Record // images with files here, newest first

	lists *[lists]*search.Index[*Event] // nil in what is staged
	named *named                        // nil in what is staged
}

// named finds categories, tags, venues and organizers by their names.
type named [kinds]*search.Index[Record]

// namedKinds are the kinds of records that are found by their names.
var namedKinds = []Kind{Venues, Organizers, Categories, Tags}

// byID is an order of records.
func byID(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) }

// namedEntry returns a record with its name, nil for none.
func namedEntry(r Record) *search.Entry[Record] {
	if r == nil {
		return nil
	}
	name, _ := record.NameOf(r)
	return &search.Entry[Record]{Item: r, Texts: []string{name}}
}

// makeNamed makes the indexes of names.
func (x *index) makeNamed() {
	x.named = &named{}
	for _, k := range namedKinds {
		records := slices.SortedFunc(maps.Values(x.records[k]), byID)
		x.named[k] = search.New(byID, true)
		x.named[k].Fill(func(yield func(*search.Entry[Record]) bool) {
			for _, r := range records {
				if !yield(namedEntry(r)) {
					return
				}
			}
		})
	}
}

// rename replaces a record by another one in the index of names; nil is no record.
func (x *index) rename(k Kind, old, next Record) {
	switch {
	case x.named == nil || x.named[k] == nil:
	case next == nil:
		x.named[k].Remove(namedEntry(old))
	default:
		x.named[k].Insert(namedEntry(old), namedEntry(next))
	}
}

// The lists that events are on.
const (
	listed   = iota // published and not hidden
	unlisted        // of every other status and not hidden
	hidden          // in no answer to a query
	lists
)

// newIndex returns an empty index without lists.
func newIndex() *index {
	x := &index{images: map[string]int64{}, children: map[int64][]int64{}, zones: map[string]int{}}
	x.pictured = map[int64]map[int64]int{}
	x.instances = map[instanceKey]int64{}
	for k := range kinds {
		x.records[k] = map[int64]Record{}
		x.slugs[k] = map[string]int64{}
		x.former[k] = map[string][]int64{}
		x.names[k] = map[string][]int64{}
		x.origins[k] = map[string]int64{}
		x.counts[k] = map[int64]int{}
		x.own[k] = map[int64][]Record{}
	}
	return x
}

// ByStart is the order of event listings: start, then publication, then id
// (section 4.2 of the specification leaves ties open).
func ByStart(a, b *Event) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
}

// byNewest is the order of venue and organizer listings.
func byNewest(a, b Record) int {
	return cmp.Or(PostOf(b).Date.Compare(PostOf(a).Date), cmp.Compare(b.Key(), a.Key()))
}

// byDate is the order in which scheduled posts are published.
func byDate(a, b Record) int {
	return cmp.Or(PostOf(a).Date.Compare(PostOf(b).Date), cmp.Compare(a.Key(), b.Key()))
}

// nameKey is how names are compared when a record is looked for by its name.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// titleKey is how events and series are looked for by their title and start: a hash, since titles
// are long, behind a letter, since numbers are keys too.
func titleKey(title string, start Wall) string {
	var h maphash.Hash
	h.SetSeed(titleSeed)
	h.WriteString(title)
	return string(binary.BigEndian.AppendUint64([]byte{'t'}, h.Sum64()+uint64(start)))
}

var titleSeed = maphash.MakeSeed()

// numberIn returns the id in a global id, which is HOST?id=ID.
func numberIn(global string) (number string, ok bool) {
	_, number, ok = strings.Cut(global, "?id=")
	return number, ok
}

// get returns the record of a kind with an id, or nil.
func (x *index) get(k Kind, id int64) Record { return x.records[k][id] }

// put stores a record, in the place of the one with its id.
func (x *index) put(r Record) {
	k := r.Kind()
	id := r.Key()
	old := x.records[k][id]
	afterChange := func() {}
	if old != nil {
		if x.lists != nil {
			afterChange = x.beforeChange(old, r)
		}
		x.leave(old)
	}
	x.records[k][id] = r
	x.enter(r)
	x.rename(k, old, r)
	afterChange()
	if next, ok := r.(*Event); ok {
		x.count(next, +1)
		if x.lists != nil {
			was, _ := old.(*Event)
			x.moveEvent(was, next)
		}
	}
}

// remove forgets a record, if it is there.
func (x *index) remove(k Kind, id int64) {
	old := x.records[k][id]
	if old == nil {
		return
	}
	x.leave(old)
	x.rename(k, old, nil)
	delete(x.records[k], id)
	if was, ok := old.(*Event); ok && x.lists != nil {
		x.moveEvent(was, nil)
	}
}

// enter adds a record to the indexes, but for the counts of terms and the lists of events.
func (x *index) enter(r Record) {
	k := r.Kind()
	id := r.Key()
	if slug := SlugOf(r); slug != "" {
		x.slugs[k][slug] = id
	}
	for _, slug := range record.FormerOf(r) {
		enterID(x.former[k], slug, id)
	}
	if name, ok := record.NameOf(r); ok {
		enterID(x.names[k], nameKey(name), id)
	}
	if p := PostOf(r); p != nil {
		for _, global := range p.Origins {
			x.origins[k][global] = id
			if number, ok := numberIn(global); ok && k == Events {
				enterID(x.names[k], number, id)
			}
		}
		if p.Status == Future {
			enterRecord(&x.scheduled, r, byDate)
		}
		x.picture(r, +1)
	}
	switch r := r.(type) {
	case *Image:
		for _, address := range r.Addresses() {
			x.images[address] = id
		}
		if r.Directory != "" {
			enterRecord(&x.uploads, r, byUpload)
		}
	case *Term:
		if r.Parent != 0 {
			enterID(x.children, r.Parent, id)
		}
	case *Venue, *Organizer:
		enterRecord(x.postsOf(r), r, byNewest)
		x.enterOwn(r)
	case *Event:
		enterID(x.names[k], titleKey(r.Title, r.Start), id)
		x.countDays(r, +1)
		if key := instanceOf(r); key != (instanceKey{}) {
			x.instances[key] = id
		}
	case *Series:
		enterID(x.names[k], titleKey(r.Event.Title, r.Event.Start), id)
		if grows(r) {
			enterRecord(&x.horizons, r, byHorizon)
		}
		if r.Event.Status != Publish {
			enterRecord(&x.unshown, r, byKey)
		}
	}
}

// leave takes a record out of the indexes, and of the counts: enter undone.
func (x *index) leave(r Record) {
	k := r.Kind()
	id := r.Key()
	if slug := SlugOf(r); x.slugs[k][slug] == id {
		delete(x.slugs[k], slug)
	}
	for _, slug := range record.FormerOf(r) {
		leaveID(x.former[k], slug, id)
	}
	if name, ok := record.NameOf(r); ok {
		leaveID(x.names[k], nameKey(name), id)
	}
	if p := PostOf(r); p != nil {
		for _, global := range p.Origins {
			if x.origins[k][global] == id {
				delete(x.origins[k], global)
			}
			if number, ok := numberIn(global); ok && k == Events {
				leaveID(x.names[k], number, id)
			}
		}
		if p.Status == Future {
			leaveRecord(&x.scheduled, r, byDate)
		}
		x.picture(r, -1)
	}
	switch r := r.(type) {
	case *Image:
		for _, address := range r.Addresses() {
			if x.images[address] == id {
				delete(x.images, address)
			}
		}
		if r.Directory != "" {
			leaveRecord(&x.uploads, r, byUpload)
		}
	case *Term:
		leaveID(x.children, r.Parent, id)
	case *Venue, *Organizer:
		leaveRecord(x.postsOf(r), r, byNewest)
		x.leaveOwn(r)
	case *Event:
		leaveID(x.names[k], titleKey(r.Title, r.Start), id)
		x.count(r, -1)
		x.countDays(r, -1)
		if key := instanceOf(r); x.instances[key] == id {
			delete(x.instances, key)
		}
	case *Series:
		leaveID(x.names[k], titleKey(r.Event.Title, r.Event.Start), id)
		if grows(r) {
			leaveRecord(&x.horizons, r, byHorizon)
		}
		if r.Event.Status != Publish {
			leaveRecord(&x.unshown, r, byKey)
		}
	}
}

// enterID adds an id to those of a key, and leaveID takes it out.
func enterID[K comparable](of map[K][]int64, key K, id int64) {
	at, _ := slices.BinarySearch(of[key], id)
	of[key] = slices.Insert(of[key], at, id)
}

func leaveID[K comparable](of map[K][]int64, key K, id int64) {
	if at, found := slices.BinarySearch(of[key], id); found {
		of[key] = slices.Delete(of[key], at, at+1)
	}
	if len(of[key]) == 0 {
		delete(of, key)
	}
}

// enterRecord adds a record to a list in an order, and leaveRecord takes it out.
func enterRecord(list *[]Record, r Record, order func(a, b Record) int) {
	at, _ := slices.BinarySearchFunc(*list, r, order)
	*list = slices.Insert(*list, at, r)
}

func leaveRecord(list *[]Record, r Record, order func(a, b Record) int) {
	if at, found := slices.BinarySearchFunc(*list, r, order); found {
		*list = slices.Delete(*list, at, at+1)
	}
}

// postsOf returns the list that a venue or an organizer is in.
func (x *index) postsOf(r Record) *[]Record {
	if PostOf(r).Status == Publish {
		return &x.posts[r.Kind()][0]
	}
	return &x.posts[r.Kind()][1]
}

// apply does to the index what a transaction did.
func (x *index) apply(c *Change) {
	c.Each(x.put)
	for _, r := range c.Removed {
		x.remove(r.Kind, r.ID)
	}
}

// all returns the records of every kind, in no order.
func (x *index) all() (all [kinds][]Record) {
	for k := range kinds {
		all[k] = slices.AppendSeq(make([]Record, 0, len(x.records[k])), maps.Values(x.records[k]))
	}
	return all
}
