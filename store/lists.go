// Lists of events: under which keys an event is found, and what moves it. Beside them are counts
// of events by what they are linked to, and lists of the records of each author, so that
// unpublished ones do not cost a look at those of other authors.

package store

import (
	"cmp"
	"slices"

	"almanac/store/record"
	"almanac/store/search"
)

// A Flag is a property that an event has or not.
type Flag uint8

// The flags.
const (
	Featured  Flag = iota
	Ticketed       // it has tickets
	Located        // a published venue of it has coordinates
	Protected      // it has a password
	Recurring      // it is of a series
	Free           // its lowest price is nothing, and it has no password
	Lasting        // it takes longer than a week
	flags
)

// Kinds of keys beside those of records: the author of an unpublished event, and the
// flags that an event has, or lacks.
const (
	keyAuthor = uint8(kinds) + iota
	keyWith
	keyWithout
)

// makeLists makes the indexes of names, and the lists of the events, which are quickest to fill in
// their order.
func (x *index) makeLists() {
	x.makeNamed()
	x.lists = &[lists]*search.Index[*Event]{
		listed:   search.New(ByStart, true),
		unlisted: search.New(ByStart, true),
		hidden:   search.New(ByStart, false),
	}
	var events [lists][]*Event
	for _, r := range x.records[Events] {
		e := r.(*Event)
		events[listNumber(e)] = append(events[listNumber(e)], e)
	}
	for list, of := range events {
		slices.SortFunc(of, ByStart)
		x.lists[list].Fill(func(yield func(*search.Entry[*Event]) bool) {
			for _, e := range of {
				if !yield(x.entry(e)) {
					return
				}
			}
		})
	}
}

// listNumber returns the number of the list that an event is on.
func listNumber(e *Event) int {
	switch {
	case e.HideFromListings:
		return hidden
	case e.Status == Publish:
		return listed
	default:
		return unlisted
	}
}

// entry returns an event with all that queries find it by. A part of that is in other records:
// its venues tell whether it has a place, and its categories to which others they belong.
func (x *index) entry(e *Event) *search.Entry[*Event] {
	entry := &search.Entry[*Event]{
		Item:  e,
		Start: int64(e.Start),
		End:   int64(e.End),
		Texts: []string{e.Title, e.Excerpt, e.Description},
		Keys:  make([]search.Key, 0, 16),
	}
	entry.Keys = x.categoryKeys(entry.Keys, e)
	record.LinksOf(e, func(k Kind, id int64) {
		if k != Categories {
			entry.Keys = append(entry.Keys, search.Key{Kind: uint8(k), ID: id})
		}
	})
	if e.Status != Publish {
		entry.Keys = append(entry.Keys, search.Key{Kind: keyAuthor, ID: e.Author})
	}
	for f, has := range [flags]bool{
		Featured:  e.Featured,
		Ticketed:  e.Ticketed,
		Located:   x.located(e),
		Protected: e.Password != "",
		Recurring: e.Recurrence != nil,
		Free:      e.Password == "" && e.Cost.IsFree(),
		Lasting:   e.TakesWeeks(),
	} {
		if has || f != int(Lasting) { // no query asks for short events
			entry.Keys = append(entry.Keys, flagKey(Flag(f), has))
		}
	}
	return entry
}

// flagKey returns the key of events that have a flag, or lack it.
func flagKey(f Flag, has bool) search.Key {
	if has {
		return search.Key{Kind: keyWith, ID: int64(f)}
	}
	return search.Key{Kind: keyWithout, ID: int64(f)}
}

// categoryKeys appends the keys of the categories of an event, and of those above them, to no
// keys: each once, in order.
func (x *index) categoryKeys(keys []search.Key, e *Event) []search.Key {
	for _, id := range e.Categories {
		keys = append(keys, search.Key{Kind: uint8(Categories), ID: id})
		if term, ok := x.records[Categories][id].(*Term); ok {
			for up := range Above(term, x.get) {
				keys = append(keys, search.Key{Kind: uint8(Categories), ID: up.ID})
			}
		}
	}
	slices.SortFunc(keys, func(a, b search.Key) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(keys)
}

// located reports whether lists know where one of the venues of an event is.
func (x *index) located(e *Event) bool {
	return slices.ContainsFunc(e.Venues, func(id int64) bool {
		venue, ok := x.records[Venues][id].(*Venue)
		return ok && isLocated(venue)
	})
}

// isLocated reports whether lists know the place of the venue. An unpublished venue has none,
// since queries for places would reveal it.
func isLocated(v *Venue) bool { return v.Geo != nil && v.Status == Publish }

// moveEvent replaces the entry of old by one of next; nil is no event.
func (x *index) moveEvent(old, next *Event) {
	switch {
	case old == nil:
		x.lists[listNumber(next)].Insert(nil, x.entry(next))
	case next == nil:
		x.lists[listNumber(old)].Remove(x.entry(old))
	case listNumber(old) == listNumber(next):
		x.lists[listNumber(old)].Insert(x.entry(old), x.entry(next))
	default:
		x.lists[listNumber(old)].Remove(x.entry(old))
		x.lists[listNumber(next)].Insert(nil, x.entry(next))
	}
}

// beforeChange prepares the lists for a record that is about to change, and returns
// what is to be done afterwards: the entries of events depend on their venues and
// categories, and an entry is found by its value of the time of its insertion.
func (x *index) beforeChange(old, next Record) (afterChange func()) {
	switch next := next.(type) {
	case *Venue:
		if was, ok := old.(*Venue); ok && isLocated(was) != isLocated(next) {
			return x.reenter(Venues, next.ID, func(e *Event) []search.Key { return []search.Key{flagKey(Located, x.located(e))} })
		}
	case *Term:
		if was, ok := old.(*Term); ok && was.Parent != next.Parent {
			return x.reenter(next.Taxonomy, next.ID, func(e *Event) []search.Key { return x.categoryKeys(nil, e) })
		}
	}
	return func() {}
}

// reenter notes the keys that the events of a venue or a category have by it, and returns a
// function that replaces them by their new values.
func (x *index) reenter(k Kind, id int64, keys func(*Event) []search.Key) (after func()) {
	var moves [lists][]search.Move[*Event]
	for e := range x.linked(k, id) {
		n := listNumber(e)
		moves[n] = append(moves[n], search.Move[*Event]{Item: e, From: keys(e)})
	}
	return func() {
		for n, of := range moves {
			for i := range of {
				of[i].To = keys(of[i].Item)
			}
			x.lists[n].Rekey(of)
		}
	}
}

// count counts a published event for its venues, organizers and terms.
func (x *index) count(e *Event, more int) {
	if e.Status != Publish {
		return
	}
	record.LinksOf(e, func(k Kind, id int64) {
		if k == Events || k == AllSeries {
			return
		}
		if n := x.counts[k][id] + more; n != 0 {
			x.counts[k][id] = n
		} else {
			delete(x.counts[k], id)
		}
	})
}

// countDays counts an event for what tells whether the order of ByStart is that of the days of a
// site.
func (x *index) countDays(e *Event, more int) {
	if e.Sticky {
		x.sticky += more
	}
	if x.zones[e.Timezone] += more; x.zones[e.Timezone] == 0 {
		delete(x.zones, e.Timezone)
	}
}

// HasElsewhere reports whether an event, of any status, is in another zone.
func (v *View) HasElsewhere(zone string) bool {
	return v.base.zones[zone] < len(v.base.records[Events])
}

// HasSticky reports whether an event, of any status, is Sticky.
func (v *View) HasSticky() bool { return v.base.sticky > 0 }

// picture counts a post for its image, for everybody (viewer 0) if the post is
// published and has no password, else for the account of the post.
func (x *index) picture(r Record, by int) {
	p := PostOf(r)
	if _, isSeries := r.(*Series); isSeries || p.Image == 0 {
		return // series are shown by their events
	}
	viewer := p.Author
	if e, ok := r.(*Event); p.Status == Publish && !(ok && e.Password != "") {
		viewer = 0
	}
	shown := x.pictured[p.Image]
	if shown == nil {
		shown = map[int64]int{}
		x.pictured[p.Image] = shown
	}
	if shown[viewer] += by; shown[viewer] == 0 {
		delete(shown, viewer)
	}
	if len(shown) == 0 {
		delete(x.pictured, p.Image)
	}
}

// enterOwn adds a venue or an organizer that is not published to the list of its
// author, and leaveOwn takes it out.
func (x *index) enterOwn(r Record) {
	if p := PostOf(r); p.Status != Publish {
		own := x.own[r.Kind()][p.Author]
		enterRecord(&own, r, byNewest)
		x.own[r.Kind()][p.Author] = own
	}
}

func (x *index) leaveOwn(r Record) {
	p := PostOf(r)
	if p.Status == Publish {
		return
	}
	own := x.own[r.Kind()][p.Author]
	leaveRecord(&own, r, byNewest)
	if x.own[r.Kind()][p.Author] = slices.Clip(own); len(own) == 0 {
		delete(x.own[r.Kind()], p.Author)
	}
}

// Own returns the venues or organizers of an account that are not published, newest
// first. The slice is the store's, and valid as long as the View.
func (v *View) Own(k Kind, account int64) []Record { return v.base.own[k][account] }

// Pictured reports whether an image is shown to an account: in a published
// record, or in one of its own. A link that a staged change removes still counts.
func (r *Reader) Pictured(image, account int64) bool {
	for _, x := range []*index{r.base, r.over} {
		if x != nil && (x.pictured[image][0] > 0 || x.pictured[image][account] > 0) {
			return true
		}
	}
	return false
}
