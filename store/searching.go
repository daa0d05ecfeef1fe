// The words of the partitions: made in the background, since opening a large store
// would take several times as long.

package store

import (
	"almanac/store/eventindex"
	"almanac/store/textindex"
)

const (
	// wordsAtOnce is how many events a partition may have whose words Open makes: a
	// millisecond's worth.
	wordsAtOnce = 200
	// catchUpAtOnce is how many changed rows are caught up with while readers
	// and the committer wait: some milliseconds' worth too.
	catchUpAtOnce = 128
)

// startWords makes the words of the partitions that are searched, or begins to.
// Until they are there, searches read texts.
func (s *Store) startWords() {
	var pending []func()
	for _, part := range []*partition{s.index.partitions[listed], s.index.partitions[unlisted]} {
		events := part.events.AppendTo(nil)
		if len(events) <= wordsAtOnce {
			part.words = wordsOf(events, nil)
			continue
		}
		part.missed = map[eventindex.Row]struct{}{}
		pending = append(pending, func() { s.makeWords(part, events) })
	}
	if pending == nil {
		return
	}
	s.work.Go(func() {
		for _, run := range pending {
			run()
		}
	})
}

// wordsOf makes the words of events by row, or returns nil when it is stopped.
func wordsOf(events []*Event, stop <-chan struct{}) *textindex.Index {
	return textindex.Build(len(events), func(r uint32) []string { return events[r].texts() }, stop)
}

// makeWords makes the words of a partition that had these events when it was opened.
// Commits go on: the rows that they change are noted, and caught up with.
func (s *Store) makeWords(part *partition, events []*Event) {
	index := wordsOf(events, s.closed)
	if index == nil {
		return
	}
	m := wordMaker{index, events}
	for {
		s.mu.Lock()
		missed := part.missedEvents()
		if len(missed) <= catchUpAtOnce {
			m.catchUp(missed)
			part.words, part.missed = index, nil
			s.mu.Unlock()
			return
		}
		part.missed = map[eventindex.Row]struct{}{}
		s.mu.Unlock()
		m.catchUp(missed)
	}
}

// missedEvents returns the events of the rows that were noted; nil where there is
// none any more.
func (s *partition) missedEvents() map[eventindex.Row]*Event {
	events := make(map[eventindex.Row]*Event, len(s.missed))
	for r := range s.missed {
		events[r] = s.events.At(r)
	}
	return events
}

// A wordMaker has words that nobody sees yet.
type wordMaker struct {
	index  *textindex.Index
	events []*Event // by row, whose words they are; nil for none
}

// catchUp changes the words to those of what is now in some rows.
func (m *wordMaker) catchUp(rows map[eventindex.Row]*Event) {
	for r, next := range rows {
		for len(m.events) <= int(r) {
			m.events = append(m.events, nil)
		}
		reword(m.index, r, m.events[r], next)
		m.events[r] = next
	}
}

// reword changes the words of a row from one event to another; nil is none.
func reword(index *textindex.Index, r eventindex.Row, old, next *Event) {
	switch {
	case old != nil && next != nil:
		index.Replace(r, old.texts(), next.texts())
	case next != nil:
		index.Add(r, next.texts()...)
	case old != nil:
		index.Remove(r, old.texts()...)
	}
}

// reword changes the words of a row, or notes that it has to be done.
func (s *partition) reword(r eventindex.Row, old, next *Event) {
	switch {
	case s.words != nil:
		reword(s.words, r, old, next)
	case s.missed != nil:
		s.missed[r] = struct{}{}
	}
}
