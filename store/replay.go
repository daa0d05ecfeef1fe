// Replaying: the one way from a snapshot, or nothing, along the log to a later state.

package store

import (
	"errors"
	"fmt"
	"time"
)

// A replay follows the log, line by line and segment by segment. It changes no file.
type replay struct {
	logReader
	base     position // the snapshot's
	manifest string   // of that snapshot, its SHA-256; "" when it is not at hand

	// The policy. Recovery loads everything that comes after the snapshot, and refuses damage
	// wherever it is; a restore goes to a point, and skips damage in front of the snapshot.
	load  func(*entry) error // takes the changes after the snapshot; or nil
	until uint64             // the last transaction; 0 is the end of the log
	skip  bool               // damage in front of the snapshot
	read  *progress
	bad   error // damage of a newer snapshot

	// How far it came.
	position           // of the last good line
	time     time.Time // of that line
	start    int64     // where in the segment the last batch begins
	loaded   int64     // bytes of log after the snapshot
	same     uint64    // the line after the snapshot, if that is a checkpoint
	named    uint64    // the newest snapshot that the last checkpoint names; 0 for none
	vouched  bool      // a line names the snapshot
	pieces   []stretch // of the log that lead there
	skipped  error     // damage in front of the snapshot
	unsure   bool      // and no batch begins since
}

// A stretch is a part of a segment.
type stretch struct {
	first   uint64 // its first transaction, by which it is named
	segment uint64 // that it is in
	from    int64  // where it begins there
	bytes   int64
}

// errEnough ends a replay at its point.
var errEnough = errors.New("the point is reached")

// run follows the segments that hold the line of the snapshot and everything after it.
func (r *replay) run(segments []uint64) error {
	r.position = r.base
	from := segmentOf(segments, r.base.Seq)
	if segments[from] <= r.base.Seq {
		r.Seq, r.Head = segments[from]-1, [len(r.Head)]byte{}
	}
	r.rest = segments[from:]
	if r.load != nil {
		r.decode = r.decodeLater
	}
	r.trail = trail{seq: r.Seq, head: r.Head, known: r.Seq == 0 || r.Seq == r.base.Seq}
	err := r.enough()
	if err == nil {
		err = r.follow(r.take, r.damage)
	}
	if err != nil && err != errEnough {
		return err
	}
	n := len(r.pieces)
	if n == 0 {
		r.pieces = []stretch{{first: r.Seq + 1, segment: segments[from]}}
	}
	if n == 0 || r.pieces[n-1].segment != r.first {
		r.start = 0 // the last segment has no line yet
	}
	switch {
	case r.Seq < r.base.Seq:
		return &CorruptError{File: segmentName(r.first), Offset: r.end, Err: fmt.Errorf("transaction %d is not in the log", r.base.Seq)}
	case r.Seq < r.until:
		return ErrReach
	}
	return nil
}

// segmentOf returns which of the segments is to be read first after a snapshot:
// the segment that has its line.
func segmentOf(segments []uint64, seq uint64) (from int) {
	for i, first := range segments {
		if first <= max(seq, 1) {
			from = i
		}
	}
	return from
}

// decodeLater reads the change of a line, unless the snapshot has it.
func (r *replay) decodeLater(l *logLine) error {
	if l.Seq <= r.base.Seq {
		return nil
	}
	return decodeLine(l)
}

// damage goes on behind damage that is in front of the snapshot, if it may, and from the
// snapshot on at the latest.
func (r *replay) damage(err error) error {
	var corrupt *CorruptError
	next := &r.logReader.next
	switch gap := errors.As(err, &corrupt) && corrupt.Line == 0; {
	case !r.skip || r.seq >= r.base.Seq || corrupt == nil || isAbsent(err) || gap && next.seq > r.base.Seq:
		return err
	case !gap && !next.known: // nobody knows the number of a line without its form
		next.seq = min(next.seq, r.base.Seq-1)
	case next.seq > r.base.Seq:
		r.readFrom(r.offset, r.number-1)
	}
	if r.pieces, r.skipped, r.unsure = nil, err, true; next.seq >= r.base.Seq || r.until == r.base.Seq {
		*next, r.Seq, r.Head = trailTo(r.base), r.base.Seq, r.base.Head
	}
	return r.enough()
}

// take holds the next line to the snapshot, and loads its change.
func (r *replay) take(l *logLine) error {
	if r.manifest != "" {
		if err := checkNamed(l, r.base.Seq, r.manifest); err != nil {
			return err
		}
		r.vouched = r.vouched || l.naming(r.base.Seq) >= 0
	}
	if l.Seq == r.base.Seq && l.Head != r.base.Head {
		return &CorruptError{File: snapshotName(l.Seq) + "/" + manifestName,
			Err: fmt.Errorf("its head is not the SHA-256 of transaction %d in the log, %x", l.Seq, l.Head)}
	}
	r.Seq, r.Head, r.time = l.Seq, l.Head, l.Time
	r.cover(l)
	r.read.add(int(r.end - r.offset))
	if l.Seq > r.base.Seq {
		if l.Snapshots != nil {
			r.named = l.Snapshots[len(l.Snapshots)-1].Seq
			if l.Seq == r.base.Seq+1 && r.base.Seq > 0 {
				r.same = l.Seq
			}
		}
		r.loaded += r.end - r.offset
		if r.load != nil {
			r.position.note(l.Change)
			if err := r.load(&l.entry); err != nil {
				return r.corrupt(err)
			}
		}
	}
	return r.enough()
}

// enough returns errEnough at the point.
func (r *replay) enough() error {
	if r.until > 0 && r.Seq >= r.until {
		return errEnough
	}
	return nil
}

// cover adds a line to the pieces. They begin with the batch of the line of the snapshot, in the
// first segment with line 1, and behind damage that was skipped.
func (r *replay) cover(l *logLine) {
	if l.Batch == l.Seq {
		r.start, r.unsure = r.offset, false
		if l.Seq <= r.base.Seq && r.first > 1 {
			r.pieces = nil
		}
	}
	if n := len(r.pieces); !r.unsure && (n == 0 || r.pieces[n-1].segment != r.first) {
		r.pieces = append(r.pieces, stretch{first: l.Seq, segment: r.first, from: r.offset})
	}
	if n := len(r.pieces); n > 0 {
		r.pieces[n-1].bytes = r.end - r.pieces[n-1].from
	}
}
