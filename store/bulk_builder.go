// Filling an empty partition with very many events: appending, in order of time, to
// all that is kept in that order.

package store

import (
	"cmp"
	"slices"
	"sync"

	"almanac/store/eventindex"
	"almanac/store/sharing"
)

// A sortKey is the place of an event among others, to be sorted.
type sortKey struct {
	start, end Wall
	date       int64 // of publication, in seconds of Unix
	at         int   // where the event was before
}

// A bulkBuilder knows under what events are to be found. It looks at each event once,
// in the order in which they lie in memory: together they are far more than a
// processor has near it.
type bulkBuilder struct {
	index      *index
	signatures []eventindex.Signature      // as the events
	counts     []int                       // of events, by number of posting list; flags are the first
	names      []Removal                   // of the posting lists behind the flags
	linked     [kinds + 1]map[int64]uint32 // their numbers
	numbers    []uint32                    // of the posting lists of all events
	starts     []int                       // where in numbers those of an event start; one more, for the end
	lineages   map[int64]lineage           // by category
}

// A lineage is a category and all above it.
type lineage struct {
	numbers   []uint32 // of their posting lists
	signature eventindex.Signature
}

// fill puts events in an empty partition, but for their words: row i is the i-th in
// order.
func (s *partition) fill(x *index, events []*Event) {
	n := len(events)
	var keys []sortKey
	var done sync.WaitGroup
	done.Go(func() {
		keys = sortKeysOf(events)
		byRow := make([]*Event, n)
		for r, key := range keys {
			byRow[r] = events[key.at]
		}
		s.events = sharing.ArrayOf(s.by, byRow)
	})
	f := bulkBuilder{
		index: x, signatures: make([]eventindex.Signature, 0, n), counts: make([]int, flags), numbers: make([]uint32, 0, 8*n),
		starts:   make([]int, 1, n+1),
		lineages: map[int64]lineage{},
	}
	for k := range f.linked {
		f.linked[k] = map[int64]uint32{}
	}
	for _, e := range events {
		f.note(e)
	}
	done.Wait()

	starts, ends, signatures := make([]int64, n), make([]int64, n), make([]eventindex.Signature, n)
	for r, key := range keys {
		starts[r], ends[r], signatures[r] = int64(key.start), int64(key.end), f.signatures[key.at]
	}
	done.Go(func() { s.timeline.Fill(starts, ends, signatures) })
	postings := make([][]eventindex.Row, len(f.counts))
	for number, count := range f.counts {
		postings[number] = make([]eventindex.Row, 0, count)
	}
	for r, key := range keys {
		for _, number := range f.numbers[f.starts[key.at]:f.starts[key.at+1]] {
			postings[number] = append(postings[number], eventindex.Row(r))
		}
	}
	done.Wait()
	for number, rows := range postings {
		p := &postingList{mark: s.by}
		p.rows.Fill(s.by, rows)
		s.addBitmap(p)
		if number < int(flags) {
			s.flags[number] = p
		} else {
			name := f.names[number-int(flags)]
			s.linked[name.Kind].Put(s.by, name.ID, p)
		}
	}
}

// sortKeysOf sorts events.
func sortKeysOf(events []*Event) []sortKey {
	keys := make([]sortKey, len(events))
	for i, e := range events {
		keys[i] = sortKey{e.Start, e.End, e.Date.Unix(), i}
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		if a.date != b.date {
			return cmp.Compare(a.date, b.date)
		}
		return ByStart(events[a.at], events[b.at]) // fractions of a second, ids
	})
	return keys
}

// note notes the next event.
func (f *bulkBuilder) note(e *Event) {
	c, from := indexedEvent{Event: e, located: f.index.located(e)}, len(f.numbers)
	var signature eventindex.Signature
	for flag := range flags {
		if c.has(flag) {
			signature |= signatureOfFlag(flag)
			f.enter(uint32(flag))
		}
	}
	link := func(k Kind, id int64) {
		signature |= signatureOfLink(k, id)
		f.enter(f.number(k, id))
	}
	e.links(func(k Kind, id int64) {
		if k != Categories {
			link(k, id)
			return
		}
		l := f.lineage(id)
		signature |= l.signature
		for _, number := range l.numbers {
			if !slices.Contains(f.numbers[from:], number) { // of another category
				f.enter(number)
			}
		}
	})
	if e.Status != Publish {
		link(authors, e.Author)
	}
	f.signatures, f.starts = append(f.signatures, signature), append(f.starts, len(f.numbers))
}

// number returns the number of a posting list, which is a new one for what was not
// met before.
func (f *bulkBuilder) number(k Kind, id int64) uint32 {
	number, ok := f.linked[k][id]
	if !ok {
		number = uint32(len(f.counts))
		f.linked[k][id] = number
		f.names, f.counts = append(f.names, Removal{k, id}), append(f.counts, 0)
	}
	return number
}

// lineage returns that of a category. Most events have one of few.
func (f *bulkBuilder) lineage(id int64) lineage {
	l, ok := f.lineages[id]
	if !ok {
		for _, above := range f.index.indexed(&Event{Categories: []int64{id}}).above {
			l.numbers = append(l.numbers, f.number(Categories, above))
			l.signature |= signatureOfLink(Categories, above)
		}
		f.lineages[id] = l
	}
	return l
}

// enter notes that the event belongs to a posting list.
func (f *bulkBuilder) enter(number uint32) {
	f.numbers = append(f.numbers, number)
	f.counts[number]++
}
