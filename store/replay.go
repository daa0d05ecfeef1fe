// Reading the log from a snapshot on. It changes no file.

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
)

// A replay follows the log, line by line and segment by segment.
type replay struct {
	logReader
	load     func(*entry) error
	read     *progress
	base     position // the snapshot's: what comes after it is loaded
	manifest string   // of that snapshot, its SHA-256; "" when it is not at hand
	same     uint64   // the line after it, if that is a checkpoint
	bad      error    // why a newer snapshot cannot be used; explains a log that begins too late

	named uint64 // the newest snapshot that the last checkpoint names; 0 for none

	// How far it came.
	position       // of the last good line
	start    int64 // where in the segment the last batch begins
	loaded   int64 // bytes of log after the snapshot
}

// run reads the segments that hold what comes after the snapshot, and the line
// of the snapshot itself when the log still has it. The log has to reach to a
// transaction at least: the one of the newest snapshot, whether or not that
// can be used. A snapshot is made from what is in the log, so that a shorter
// log has lost something.
func (r *replay) run(segments []uint64, least uint64) error {
	r.position = r.base
	from := segmentOf(segments, r.base.Seq)
	switch {
	case len(segments) == 0 && least == 0:
		return nil // a new directory
	case len(segments) == 0:
		return &CorruptError{File: segmentName(r.base.Seq + 1), Err: errors.New("the segment is missing")}
	case segments[from] > r.base.Seq+1 && r.bad != nil:
		return r.bad
	case segments[from] <= r.base.Seq:
		r.Seq, r.Head = segments[from]-1, [sha256.Size]byte{}
	}
	if err := checkEnds(r.fsys, segments[:from+1]); err != nil {
		return err
	}
	r.rest, r.decode = segments[from:], r.decodeLater
	r.trail = trail{seq: r.Seq, head: r.Head, known: r.Seq == 0 || r.Seq == r.base.Seq}
	defer r.Close()
	for r.NextSegment() {
		r.start = 0
		for r.Next() {
			if err := r.take(r.Record()); err != nil {
				return r.corrupt(err)
			}
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	if r.Seq < least {
		return &CorruptError{File: segmentName(r.first), Offset: r.end,
			Err: fmt.Errorf("the log ends with transaction %d, but there is a snapshot of %d", r.Seq, least)}
	}
	return nil
}

// segmentOf returns which of the segments is to be read first after a snapshot:
// the one that has its line.
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

// take holds the next line to the snapshot, and loads its change.
func (r *replay) take(l *logLine) error {
	if r.manifest != "" {
		if err := checkNamed(l, r.base.Seq, r.manifest); err != nil {
			return err
		}
	}
	if err := r.base.checkHead(l); err != nil {
		return err
	}
	if l.Batch == l.Seq {
		r.start = r.offset
	}
	r.Seq, r.Head = l.Seq, l.Head
	r.read.add(int(r.end - r.offset))
	if r.Seq <= r.base.Seq {
		return nil
	}
	if l.Snapshots != nil && l.Seq == r.base.Seq+1 && r.base.Seq > 0 {
		r.same = l.Seq
	}
	if l.Snapshots != nil {
		r.named = l.Snapshots[len(l.Snapshots)-1].Seq
	}
	r.note(l.Change)
	r.loaded += r.end - r.offset
	return r.load(&l.entry)
}
