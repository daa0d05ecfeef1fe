// Replaying: the one way from a snapshot, or nothing, along the log to a later state.

package wal

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Replay follows the log from a snapshot on, line by line and segment by segment. It changes
// no file.
type Replay struct {
	Reader
	Base     Position // the snapshot's; zero for none
	Manifest string   // of that snapshot, its SHA-256; "" when it is not at hand

	// The policy. Recovery loads everything that comes after the snapshot, and refuses damage
	// wherever it is; a restore goes to a point, and skips damage in front of the snapshot.
	Load     func(*Line) // takes the lines after the snapshot, decoded; or nil
	Until    uint64      // the last transaction; 0 is the end of the log
	Skip     bool        // damage in front of the snapshot
	Progress *Progress
	Bad      error // damage of a newer snapshot

	// How far it came.
	At      Position  // of the last good line
	Time    time.Time // of that line
	start   int64     // where in the segment the last batch begins
	Loaded  int64     // bytes of log after the snapshot
	Same    uint64    // the line after the snapshot, if that is a checkpoint
	Named   uint64    // the newest snapshot that the last checkpoint names; 0 for none
	Vouched bool      // a line names the snapshot
	Pieces  []Stretch // of the log that lead there
	Skipped error     // damage in front of the snapshot
	unsure  bool      // and no batch begins since
}

// A Stretch is a part of a segment.
type Stretch struct {
	First   uint64 // its first transaction, by which it is named
	Segment uint64 // that it is in
	From    int64  // where it begins there
	Bytes   int64
}

// ErrStop ends a reading at its point.
var ErrStop = errors.New("the point is reached")

// Run follows the segments that hold the line of the snapshot and everything after it. A log that
// ends before Until is no error.
func (r *Replay) Run(segments []uint64) error {
	r.At = r.Base
	from := segmentOf(segments, r.Base.Seq)
	if segments[from] <= r.Base.Seq {
		r.At = Position{Seq: segments[from] - 1}
	}
	r.Rest = segments[from:]
	if decode := r.Decode; decode != nil {
		r.Decode = func(l *Line) error {
			if l.Seq <= r.Base.Seq { // the snapshot has it
				return nil
			}
			return decode(l)
		}
	}
	r.Chain = Chain{Position: r.At, Unknown: r.At.Seq != 0 && r.At.Seq != r.Base.Seq}
	err := r.enough()
	if err == nil {
		err = r.Follow(r.take, r.damage)
	}
	if err != nil && err != ErrStop {
		return err
	}
	n := len(r.Pieces)
	if n == 0 {
		r.Pieces = []Stretch{{First: r.At.Seq + 1, Segment: segments[from]}}
	}
	if n == 0 || r.Pieces[n-1].Segment != r.First {
		r.start = 0 // the last segment has no line yet
	}
	if r.At.Seq < r.Base.Seq {
		return &CorruptError{
			File:   SegmentName(r.First),
			Offset: r.End,
			Err:    fmt.Errorf("transaction %d is not in the log", r.Base.Seq),
		}
	}
	return nil
}

// Recover is Run for a store that goes on from the end. The log has to reach to a
// transaction at least: the one of the newest snapshot, whether or not that
// can be used. A snapshot is made of records that the log led to, so that a shorter
// log has lost something.
func (r *Replay) Recover(segments []uint64, least uint64) error {
	switch from := segmentOf(segments, r.Base.Seq); {
	case len(segments) == 0 && least == 0:
		r.At = r.Base
		return nil // a new directory
	case len(segments) == 0:
		return &CorruptError{
			File: SegmentName(r.Base.Seq + 1),
			Err:  errors.New("the segment is missing"),
		}
	case segments[from] > r.Base.Seq+1 && r.Bad != nil:
		return r.Bad
	default:
		if err := checkEnds(r.Files, segments[:from+1]); err != nil {
			return err
		}
	}
	if err := r.Run(segments); err != nil {
		return err
	}
	if r.At.Seq < least {
		return &CorruptError{
			File:   SegmentName(r.First),
			Offset: r.End,
			Err: fmt.Errorf(
				"the log ends with transaction %d, but there is a snapshot of %d",
				r.At.Seq,
				least,
			),
		}
	}
	return nil
}

// segmentOf returns which of the segments is to be read first after a snapshot:
// the segment that has its line.
func segmentOf(segments []uint64, seq uint64) (from int) {
	after, _ := slices.BinarySearch(segments, max(seq, 1)+1)
	return max(after-1, 0)
}

// damage goes on behind damage that is in front of the snapshot, if it may, and from the
// snapshot on at the latest.
func (r *Replay) damage(err error) error {
	var corrupt *CorruptError
	switch gap := errors.As(err, &corrupt) && corrupt.Line == 0; {
	case !r.Skip || r.Seq >= r.Base.Seq || corrupt == nil || IsAbsent(err) || gap && r.Next.Seq > r.Base.Seq:
		return err
	case !gap && r.Next.Unknown: // nobody knows the number of a line without its form
		r.Next.Seq = min(r.Next.Seq, r.Base.Seq-1)
	case r.Next.Seq > r.Base.Seq:
		r.readFrom(r.Offset, r.Number-1)
	}
	if r.Pieces, r.Skipped, r.unsure = nil, err, true; r.Next.Seq >= r.Base.Seq ||
		r.Until == r.Base.Seq {
		r.Next = Chain{Position: r.Base}
		r.At = r.Base
	}
	return r.enough()
}

// take holds the next line to the snapshot, and loads it.
func (r *Replay) take(l *Line) error {
	if r.Manifest != "" {
		named, err := l.Names(r.Base.Seq, r.Manifest)
		if err != nil {
			return err
		}
		r.Vouched = r.Vouched || named
	}
	if l.Seq == r.Base.Seq && l.Head != r.Base.Head {
		return &CorruptError{
			File: ManifestPath(l.Seq),
			Err: fmt.Errorf(
				"its head is not the SHA-256 of transaction %d in the log, %x",
				l.Seq,
				l.Head,
			),
		}
	}
	r.At = Position{l.Seq, l.Head}
	r.Time = l.Time
	r.cover(l)
	r.Progress.add(int(r.End - r.Offset))
	if l.Seq > r.Base.Seq {
		if l.Snapshots != nil {
			r.Named = l.Snapshots[len(l.Snapshots)-1].Seq
			if l.Seq == r.Base.Seq+1 && r.Base.Seq > 0 {
				r.Same = l.Seq
			}
		}
		r.Loaded += r.End - r.Offset
		if r.Load != nil {
			r.Load(l)
		}
	}
	return r.enough()
}

// enough returns errEnough at the point.
func (r *Replay) enough() error {
	if r.Until > 0 && r.At.Seq >= r.Until {
		return ErrStop
	}
	return nil
}

// cover adds a line to the pieces. They begin with the batch of the line of the snapshot, in the
// first segment with line 1, and behind damage that was skipped.
func (r *Replay) cover(l *Line) {
	if l.Batch == l.Seq {
		r.start = r.Offset
		r.unsure = false
		if l.Seq <= r.Base.Seq && r.First > 1 {
			r.Pieces = nil
		}
	}
	if n := len(r.Pieces); !r.unsure && (n == 0 || r.Pieces[n-1].Segment != r.First) {
		r.Pieces = append(r.Pieces, Stretch{First: l.Seq, Segment: r.First, From: r.Offset})
	}
	if n := len(r.Pieces); n > 0 {
		r.Pieces[n-1].Bytes = r.End - r.Pieces[n-1].From
	}
}
