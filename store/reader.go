// Looking records up: the part that views and transactions share, and views of one consistent
// state.

package store

import (
	"crypto/sha256"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/store/record"
)

// A Reader looks records up. View and Tx are Readers; in a Tx it sees what the
// transaction has written so far. It must not be used after the function that
// received it has returned; the records it gave may be kept.
type Reader struct {
	base *index
	over *index               // staged records above base; nil in a View
	gone map[Removal]struct{} // staged removals; over lacks these records
	now  time.Time
}

// Now returns the time of the view or transaction, UTC.
func (r *Reader) Now() time.Time { return r.now }

// Get returns the record of a kind with an id, or nil.
func (r *Reader) Get(k Kind, id int64) Record {
	if r.over != nil {
		if rec := r.over.records[k][id]; rec != nil {
			return rec
		}
		if _, ok := r.gone[Removal{Kind: k, ID: id}]; ok {
			return nil
		}
	}
	return r.base.records[k][id]
}

// Event returns the event with an id, or nil.
func (r *Reader) Event(id int64) *Event { e, _ := r.Get(Events, id).(*Event); return e }

// Venue returns the venue with an id, or nil.
func (r *Reader) Venue(id int64) *Venue { v, _ := r.Get(Venues, id).(*Venue); return v }

// Organizer returns the organizer with an id, or nil.
func (r *Reader) Organizer(
	id int64,
) *Organizer {
	o, _ := r.Get(Organizers, id).(*Organizer)
	return o
}

// Term returns the category or tag with an id, or nil.
func (r *Reader) Term(
	taxonomy Kind,
	id int64,
) *Term {
	t, _ := r.Get(taxonomy, id).(*Term)
	return t
}

// Image returns the image with an id, or nil.
func (r *Reader) Image(id int64) *Image { i, _ := r.Get(Images, id).(*Image); return i }

// BySlug returns the record of a kind with a slug, or nil. Slugs are compared as
// they are stored: in lower case.
func (r *Reader) BySlug(k Kind, slug string) Record {
	return r.by(k, func(x *index) int64 { return x.slugs[k][slug] })
}

// Shortened returns the published event, of no series, whose slug begins with a text; nil if there
// is none, or more than one.
func (v *View) Shortened(slug string) (found *Event) {
	for whole, id := range v.base.slugs[Events] {
		e := v.Event(id)
		if !strings.HasPrefix(whole, slug) || e.Status != Publish || e.Recurrence != nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// ByOrigin returns the event, venue or organizer that is known elsewhere by a
// global id, or nil.
func (r *Reader) ByOrigin(k Kind, global string) Record {
	return r.by(k, func(x *index) int64 { return x.origins[k][global] })
}

// ByURL returns the image with an address, or nil: an upload at each address, on any host, that
// ends with its directory and a file, and at the addresses that it was taken from.
func (r *Reader) ByURL(url string) *Image {
	i := r.byAddress(url)
	if directory := record.MediaDirectory(url); i == nil && directory != "" {
		return r.byAddress(MediaPath + directory)
	}
	return i
}

func (r *Reader) byAddress(address string) *Image {
	i, _ := r.by(Images, func(x *index) int64 { return x.images[address] }).(*Image)
	return i
}

// by asks what is staged, then the base, whose answer counts unless the record
// was changed since.
func (r *Reader) by(k Kind, find func(*index) int64) Record {
	if r.over != nil {
		if id := find(r.over); id != 0 {
			return r.over.records[k][id]
		}
	}
	if id := find(r.base); id != 0 && !r.staged(k, id) {
		return r.base.records[k][id]
	}
	return nil
}

// staged reports whether a record of the base was changed or removed above it.
func (r *Reader) staged(k Kind, id int64) bool {
	if r.over == nil {
		return false
	}
	_, gone := r.gone[Removal{Kind: k, ID: id}]
	return gone || r.over.records[k][id] != nil
}

// ByName yields the venues, organizers or terms with a name, whatever its
// letter case, oldest id first. The loop must not write.
func (r *Reader) ByName(k Kind, name string) iter.Seq[Record] { return r.ByNameAfter(k, name, 0) }

// ByNameAfter is ByName without the records whose ids are not higher than one.
func (r *Reader) ByNameAfter(k Kind, name string, id int64) iter.Seq[Record] {
	return r.all(k, id, func(x *index) []int64 { return x.names[k][nameKey(name)] })
}

// ByNumber returns the events that had an id at a site that they came from, oldest id here first.
func (r *Reader) ByNumber(id int64) []Record {
	return slices.Collect(
		r.all(
			Events,
			0,
			func(x *index) []int64 { return x.names[Events][strconv.FormatInt(id, 10)] },
		),
	)
}

// ByFormer returns the records of a kind that had a slug before, oldest id first, also if
// another record has it now.
func (r *Reader) ByFormer(k Kind, slug string) []Record {
	return slices.Collect(r.all(k, 0, func(x *index) []int64 { return x.former[k][slug] }))
}

// all is by for several records, oldest id first, from behind an id.
func (r *Reader) all(k Kind, behind int64, find func(*index) []int64) iter.Seq[Record] {
	from := func(x *index) []int64 {
		ids := find(x)
		at, _ := slices.BinarySearch(ids, behind+1)
		return ids[at:]
	}
	return func(yield func(Record) bool) {
		base := from(r.base)
		over := []int64(nil)
		if r.over != nil {
			over = from(r.over)
		}
		for len(base)+len(over) > 0 {
			from := r.base
			ids := &base
			if len(base) == 0 || len(over) > 0 && over[0] <= base[0] {
				from = r.over
				ids = &over
			}
			id := (*ids)[0]
			*ids = (*ids)[1:]
			if (from == r.over || !r.staged(k, id)) && !yield(from.records[k][id]) {
				return
			}
		}
	}
}

// EventsOf returns all events, whatever their status, that are linked to a
// venue, an organizer, a category, a tag, a series or (kind Events) a parent event, by
// start. The slice is the caller's.
func (r *Reader) EventsOf(k Kind, id int64) []*Event {
	return r.events(r.base.linked(k, id), func(e *Event) bool { return isLinked(e, k, id) })
}

// SomeOf returns some of the events of EventsOf, all if there are not more than most, in no order.
// They cost less than all.
func (r *Reader) SomeOf(k Kind, id int64, most int) (some []*Event) {
	for e := range r.each(r.base.linked(k, id), func(e *Event) bool { return isLinked(e, k, id) }) {
		if len(some) == most {
			break
		}
		some = append(some, e)
	}
	return some
}

// isLinked reports whether an event is listed under a record.
func isLinked(e *Event, k Kind, id int64) bool {
	switch k {
	case Categories:
		return slices.Contains(e.Categories, id)
	case Tags:
		return slices.Contains(e.Tags, id)
	case Venues:
		return slices.Contains(e.Venues, id)
	case Organizers:
		return slices.Contains(e.Organizers, id)
	case Events:
		return e.Parent != 0 && e.Parent == id
	case AllSeries:
		return e.Recurrence != nil && e.Recurrence.Series == id
	}
	return false
}

// events returns the events of the base, and those staged above it, that meet a condition, by
// start.
func (r *Reader) events(base iter.Seq[*Event], meets func(*Event) bool) []*Event {
	return slices.SortedFunc(r.each(base, meets), ByStart)
}

// each yields those events in no order.
func (r *Reader) each(base iter.Seq[*Event], meets func(*Event) bool) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for e := range base {
			if !r.staged(Events, e.ID) && meets(e) && !yield(e) {
				return
			}
		}
		if r.over == nil {
			return
		}
		for _, rec := range r.over.records[Events] {
			if e := rec.(*Event); meets(e) && !yield(e) {
				return
			}
		}
	}
}

// TitledAfter yields the events or series, whatever their status, with a title and a start by
// their own clocks, and a higher id than one, oldest id first. The loop must not write.
func (r *Reader) TitledAfter(k Kind, title string, start Wall, id int64) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for rec := range r.all(k, id, func(x *index) []int64 { return x.names[k][titleKey(title, start)] }) {
			if e := record.EventOf(rec); e.Title == title && e.Start == start && !yield(rec) {
				return
			}
		}
	}
}

// Due returns the scheduled events, venues and organizers whose date is not after
// a moment, by date.
func (r *Reader) Due(now time.Time) []Record {
	var due []Record
	take := func(scheduled []Record) {
		for _, rec := range scheduled {
			if PostOf(rec).Date.After(now) {
				return
			}
			due = append(due, rec)
		}
	}
	take(r.base.scheduled)
	if r.over != nil {
		due = slices.DeleteFunc(
			due,
			func(rec Record) bool { return r.staged(rec.Kind(), rec.Key()) },
		)
		take(r.over.scheduled)
		slices.SortFunc(due, byDate)
	}
	return due
}

// Count returns the number of published events of a category, a tag, a venue or an organizer.
func (r *Reader) Count(k Kind, id int64) int {
	n := r.base.counts[k][id]
	if r.over == nil {
		return n
	}
	n += r.over.counts[k][id]
	replaced := func(event int64) {
		if old, ok := r.base.records[Events][event].(*Event); ok && old.Status == Publish &&
			isLinked(old, k, id) {
			n--
		}
	}
	for event := range r.over.records[Events] {
		replaced(event)
	}
	for key := range r.gone {
		if key.Kind == Events {
			replaced(key.ID)
		}
	}
	return n
}

// Each yields all records of a kind, in no order. The loop must not write.
func (r *Reader) Each(k Kind) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for id, rec := range r.base.records[k] {
			if !r.staged(k, id) && !yield(rec) {
				return
			}
		}
		if r.over == nil {
			return
		}
		for _, rec := range r.over.records[k] {
			if !yield(rec) {
				return
			}
		}
	}
}

// A View is the state of the store at one moment. The lists it returns are valid
// until the function that received it returns.
type View struct {
	Reader
	state *State
}

// View calls f with the current state and returns its error. Nothing is
// committed while f runs, so f works in memory only and waits for nobody;
// writing to a client, for one, is left to the caller. f must not call View or
// Update: a waiting writer would turn that into a deadlock.
func (s *Store) View(f func(*View) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return f(&View{Reader: Reader{base: s.index, now: s.now().UTC()}, state: s.state.Load()})
}

// Seq returns the sequence number of the last transaction, 0 before the first.
func (v *View) Seq() uint64 { return v.state.at.Seq }

// Head returns the hash that stands for everything that was ever committed: equal
// heads mean equal states. It is zero before the first transaction.
func (v *View) Head() [sha256.Size]byte { return v.state.at.Head }

// State returns the state of the store.
func (v *View) State() *State { return v.state }

// Linked yields all events of a venue or an organizer: first published, then unpublished,
// then hidden events, each group with the latest event first.
func (v *View) Linked(k Kind, id int64) iter.Seq[*Event] { return v.base.linked(k, id) }

// Posts returns the published or the unpublished venues or organizers, newest first.
// The slice is the store's, and valid as long as the View.
func (v *View) Posts(k Kind, published bool) []Record {
	if published {
		return v.base.posts[k][0]
	}
	return v.base.posts[k][1]
}

// Named returns the venues, organizers, categories or tags whose names may contain a folded text,
// in no order; false if those are more than most.
func (v *View) Named(k Kind, text string, most int) (records []Record, ok bool) {
	return v.base.named[k].Holding(text, most)
}

// Some returns the venues, organizers, categories or tags, in no order, or as many as most: about
// those that have been there for longest. The slice is the caller's, and stays as it is when the
// View ends.
func (v *View) Some(k Kind, most int) []Record { return v.base.named[k].Some(most) }

// Used yields the categories or tags that published events carry, in no order, with the number of
// these.
func (v *View) Used(taxonomy Kind) iter.Seq2[int64, int] { return maps.All(v.base.counts[taxonomy]) }

// UsedLen returns how many categories or tags published events carry.
func (v *View) UsedLen(taxonomy Kind) int { return len(v.base.counts[taxonomy]) }

// Len returns the number of records of a kind.
func (r *Reader) Len(k Kind) int {
	n := len(r.base.records[k])
	if r.over == nil {
		return n
	}
	for id := range r.over.records[k] {
		if r.base.records[k][id] == nil {
			n++
		}
	}
	for key := range r.gone {
		if key.Kind == k && r.base.records[k][key.ID] != nil {
			n--
		}
	}
	return n
}
