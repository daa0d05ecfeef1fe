// Recalling: the steps of transactions from before the store was opened.

package store

import (
	"errors"
	"fmt"
	"slices"
)

// ErrRecalling says that somebody else recalls.
var ErrRecalling = errors.New("store: the log is being read for older steps")

// Recall reads from the log the steps that were before the store was opened, as many as are
// remembered and the log has. It reports whether there were any. It does so once, when it is
// first called: it reads the log from an older snapshot on, and of this what records were,
// and holds up nobody.
func (s *Store) Recall() (found bool, err error) {
	if !s.recall.TryLock() {
		return false, ErrRecalling
	}
	defer s.recall.Unlock()
	if s.recalled || s.journal == nil || s.opened == 0 {
		return false, nil
	}
	s.recalled = true
	r := recaller{fsys: s.journal.fsys, to: s.opened, most: int(newSteps(s.most, [32]byte{}).most), first: map[Removal]int{},
		last: map[Removal]Standing{}}
	if err := r.read(); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.precede(r.steps, r.floor), nil
}

// precede puts steps before all others, as many whole transactions as there is room for.
func (x *index) precede(steps []Step, floor Mark) (any bool) {
	s := &x.steps
	if s.first != firstStep {
		return false // there is no room for these
	}
	for len(steps) > 0 && (steps[0].Mark == floor || int64(len(steps))+s.next-s.first > s.most) {
		floor, steps = steps[0].Mark, steps[1:]
	}
	for _, step := range slices.Backward(steps) {
		s.first--
		s.all.Put(x.by, s.first, step)
	}
	s.floor = floor
	return len(steps) > 0
}

// A recaller reads the steps up to a transaction.
type recaller struct {
	fsys files
	to   uint64
	most int

	base  uint64 // the snapshot before the steps, 0 for the beginning of the log
	steps []Step // the last ones, twice as many as are wanted at most
	gone  int    // how many there were before these
	floor Mark   // of the state before these

	first map[Removal]int      // the first step of each record, counted from the base
	last  map[Removal]Standing // how each stands after the last
}

func (r *recaller) read() error {
	segments, err := numbered(r.fsys, logDir, segmentSuffix)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	snapshots, err := numbered(r.fsys, snapshotDir, "")
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if len(segments) == 0 {
		return nil
	}
	for _, seq := range slices.Backward(snapshots) { // the newest with enough after it, else the oldest, or none
		if seq <= r.to && (r.base == 0 || r.to-r.base < uint64(r.most)) {
			r.base = seq
		}
	}
	if r.to-r.base < uint64(r.most) && segments[0] == 1 {
		r.base = 0
	}
	var m *manifest
	var at position
	if r.base > 0 {
		if m, at, err = readManifest(r.fsys, r.base); err != nil {
			return err
		}
	}
	r.floor = markOf(at.Head)
	if err := r.log(segments); err != nil {
		return err
	}
	if m == nil {
		return nil
	}
	return readSnapshot(r.fsys, m, nil, func(p piece) error {
		for _, record := range p.records {
			i, ok := r.first[Removal{record.Kind(), record.Key()}]
			if ok && i >= r.gone {
				r.steps[i-r.gone].Was = StandingOf(record)
			}
		}
		return p.err
	})
}

// log reads the log after the base. What is wrong with it was found when the store was opened.
func (r *recaller) log(segments []uint64) error {
	from := segments[segmentOf(segments, r.base):]
	in := logReader{fsys: r.fsys, rest: from, live: true, alone: true, trail: trail{seq: from[0] - 1},
		decode: func(l *logLine) error {
			if l.Seq <= r.base || l.Seq > r.to {
				return nil
			}
			return decodeLine(l)
		}}
	defer in.Close()
	for in.NextSegment() {
		for in.Next() {
			l := in.Record()
			if l.Seq > r.to {
				return nil
			}
			if l.Seq > r.base {
				r.take(l)
			}
		}
	}
	return in.Err()
}

// take notes the steps of a line.
func (r *recaller) take(l *logLine) {
	mark := markOf(l.Head)
	if l.Change.Identity != "" { // every record is known by another name: readers begin anew
		r.floor, r.gone, r.steps = mark, r.gone+len(r.steps), nil
		return
	}
	add := func(k Kind, id int64, is Standing) {
		if k == Images {
			return
		}
		key := Removal{k, id}
		was, known := r.last[key]
		if !known {
			r.first[key] = r.gone + len(r.steps)
		}
		r.last[key] = is
		r.steps = append(r.steps, Step{mark, l.Time.UnixNano(), id, k, was})
	}
	before := len(r.steps)
	l.Change.each(func(record Record) { add(record.Kind(), record.Key(), StandingOf(record)) })
	for _, gone := range l.Change.Removed {
		add(gone.Kind, gone.ID, Standing{})
	}
	if len(r.steps) == before { // an earlier run may have begun with the state after it
		r.steps = append(r.steps, Step{Mark: mark, Time: l.Time.UnixNano(), Kind: Images})
	}
	if n := len(r.steps) - r.most; n >= r.most {
		r.floor, r.gone, r.steps = r.steps[n-1].Mark, r.gone+n, slices.Delete(r.steps, 0, n)
	}
}
