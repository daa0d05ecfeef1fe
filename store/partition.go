// Partitions: events by time, and by what they carry.

package store

import (
	"almanac/store/eventindex"
	"almanac/store/sharing"
	"almanac/store/textindex"
)

// A partition holds the events that the same lists may show, as rows of a timeline:
// by start, then publication, then id (section 4.2 of the specification leaves
// ties open).
type partition struct {
	by       *sharing.Mark // of the index it belongs to
	timeline *eventindex.Timeline
	events   sharing.Array[*Event] // by row; nil for one that is not used
	unused   sharing.Array[eventindex.Row]
	// by venue, organizer, tag, category or one above it, parent event, series, and author of what is unpublished
	linked [kinds + 1]sharing.Tree[*postingList]
	flags  [flags]*postingList
	words  *textindex.Index            // nil where nobody searches, and until it is made
	missed map[eventindex.Row]struct{} // rows whose texts changed while the words are made; else nil
}

func newPartition(by *sharing.Mark) *partition {
	s := &partition{by: by}
	s.timeline = eventindex.NewTimeline(by, s.tie)
	for f := range flags {
		s.flags[f] = &postingList{mark: by}
	}
	return s
}

// fork returns a partition of the same events to another index, as index.fork does.
func (s *partition) fork(by *sharing.Mark) *partition {
	f := *s
	f.by, f.timeline = by, s.timeline.Fork(by, f.tie)
	if s.words != nil {
		f.words = s.words.Fork()
	}
	return &f
}

// tie is the order of rows that start at the same time.
func (s *partition) tie(a, b eventindex.Row) int { return ByStart(s.events.At(a), s.events.At(b)) }

// linkedTo returns the events of a venue, an organizer, a tag, a category, a series or
// (kind Events) a parent event, by time. To a category belong the events of those below it.
func (s *partition) linkedTo(k Kind, id int64) *eventindex.List[eventindex.Row] {
	if list := s.linked[k].Get(id); list != nil {
		return &list.rows
	}
	return nil
}

// An indexedEvent is an event with what its place in a partition depends on beside itself.
type indexedEvent struct {
	*Event
	above   []int64 // its categories and all above them, each once
	located bool    // a published venue of it has coordinates
}

// texts returns what an event is searched in.
func (e *Event) texts() []string { return []string{e.Title, e.Excerpt, e.Description} }

// links calls f, once each, for everything that the event is listed under.
func (c *indexedEvent) links(f func(Kind, int64)) {
	c.Event.links(func(k Kind, id int64) {
		if k != Categories {
			f(k, id)
		}
	})
	for _, id := range c.above {
		f(Categories, id)
	}
	if c.Status != Publish {
		f(authors, c.Author)
	}
}

// has reports whether the event has a flag.
func (c *indexedEvent) has(f Flag) bool {
	switch f {
	case Featured:
		return c.Event.Featured
	case Ticketed:
		return c.Event.Ticketed
	case Located:
		return c.located
	case Recurring:
		return c.Recurrence != nil
	default:
		return c.Password != ""
	}
}

// signature makes the signature of the event.
func (c *indexedEvent) signature() eventindex.Signature {
	var signature eventindex.Signature
	for f := range flags {
		if c.has(f) {
			signature |= signatureOfFlag(f)
		}
	}
	c.links(func(k Kind, id int64) { signature |= signatureOfLink(k, id) })
	return signature
}

// add puts an event in the partition.
func (s *partition) add(c indexedEvent) {
	r := s.newRow()
	s.place(r, c)
	s.reword(r, nil, c.Event)
}

// newRow returns a row that is not used.
func (s *partition) newRow() eventindex.Row {
	if n := s.unused.Len(); n > 0 {
		r := s.unused.At(uint32(n - 1))
		s.unused.Cut(n - 1)
		return r
	}
	s.events.Append(s.by, nil)
	return eventindex.Row(s.events.Len() - 1)
}

// remove takes an event out of the partition.
func (s *partition) remove(c indexedEvent) {
	r := s.row(c.Event)
	s.reword(r, c.Event, nil)
	s.displace(r, c)
	s.unused.Append(s.by, r)
}

// replace puts an event in the place of one that is in the partition. It keeps its
// row, so that only the words that differ are touched.
func (s *partition) replace(old, next indexedEvent) {
	r := s.row(old.Event)
	s.displace(r, old)
	s.place(r, next)
	s.reword(r, old.Event, next.Event)
}

// row returns the row of an event in the partition.
func (s *partition) row(e *Event) eventindex.Row {
	r, ok := s.timeline.Search(int64(e.Start), func(r eventindex.Row) int { return ByStart(s.events.At(r), e) })
	if !ok {
		panic("store: an event is not in its partition")
	}
	return r
}

// place returns a row its event, and enters it everywhere but in the words.
func (s *partition) place(r eventindex.Row, c indexedEvent) {
	s.events.Set(s.by, r, c.Event)
	s.timeline.Add(r, int64(c.Start), int64(c.End), c.signature())
	s.addPostings(r, c)
}

// displace undoes place.
func (s *partition) displace(r eventindex.Row, c indexedEvent) {
	s.removePostings(r, c)
	s.timeline.Remove(r)
	s.events.Set(s.by, r, nil)
}
