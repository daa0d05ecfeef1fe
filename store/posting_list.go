// Posting lists: the events of a partition that have something in common.

package store

import (
	"almanac/store/eventindex"
	"almanac/store/sharing"
)

// A postingList is the events of a partition that have something in common, as a list
// by time, and also as a bitmap when they are many.
type postingList struct {
	mark *sharing.Mark
	rows eventindex.List[eventindex.Row]
	bits eventindex.BitmapID // 0: too few to have one
}

// A posting list gets a bitmap when it holds one of bitmapFrom events of its partition, and
// bitmapAtLeast of them: from there on joining bitmaps takes less time than looking at
// what it holds. A bitmap takes a bit for each event of the partition, so that with eight
// links to an event all bitmaps take 256 bytes of memory for it at the very most. It
// loses it when it holds four times fewer.
const (
	bitmapFrom    = 256
	bitmapAtLeast = 4096
)

// addPostings enters a row in the posting lists.
func (s *partition) addPostings(r eventindex.Row, c indexedEvent) {
	c.links(func(k Kind, id int64) {
		s.enter(s.posting(k, id), r)
	})
	for f := range flags {
		if c.has(f) {
			s.enter(s.flag(f), r)
		}
	}
}

// removePostings takes a row out of the posting lists.
func (s *partition) removePostings(r eventindex.Row, c indexedEvent) {
	c.links(func(k Kind, id int64) {
		p := s.posting(k, id)
		if s.leave(p, r); p.rows.Len() == 0 {
			s.linked[k].Delete(s.by, id)
		}
	})
	for f := range flags {
		if c.has(f) {
			s.leave(s.flag(f), r)
		}
	}
}

// posting list returns the posting list of a link, to be changed.
func (s *partition) posting(k Kind, id int64) *postingList {
	p := s.linked[k].Get(id)
	if p == nil || p.mark != s.by {
		p = p.copy(s.by)
		s.linked[k].Put(s.by, id, p)
	}
	return p
}

// flag returns the posting list of a flag, to be changed.
func (s *partition) flag(f Flag) *postingList {
	if s.flags[f].mark != s.by {
		s.flags[f] = s.flags[f].copy(s.by)
	}
	return s.flags[f]
}

// copy returns a posting list that shares what this one holds.
func (p *postingList) copy(by *sharing.Mark) *postingList {
	if p == nil {
		return &postingList{mark: by}
	}
	return &postingList{by, p.rows, p.bits}
}

// enter adds a row to a posting list.
func (s *partition) enter(p *postingList, r eventindex.Row) {
	p.rows.Insert(s.by, r, s.timeline.Compare)
	if p.bits != 0 {
		s.timeline.Enter(p.bits, r)
		return
	}
	s.addBitmap(p)
}

// addBitmap makes a posting list a bitmap when it has become that long.
func (s *partition) addBitmap(p *postingList) {
	if n := p.rows.Len(); n >= bitmapAtLeast && n >= s.timeline.Len()/bitmapFrom {
		p.bits = s.timeline.Register()
		for r := range p.rows.All() {
			s.timeline.Enter(p.bits, r)
		}
	}
}

// leave takes a row out of a posting list.
func (s *partition) leave(p *postingList, r eventindex.Row) {
	p.rows.Remove(s.by, r, s.timeline.Compare)
	if p.bits == 0 {
		return
	}
	s.timeline.Leave(p.bits, r)
	if n := p.rows.Len(); n < bitmapAtLeast/4 || n < s.timeline.Len()/bitmapFrom/4 {
		s.timeline.Unregister(p.bits)
		p.bits = 0
	}
}
