// Cutting: which files, and how much of them, make up one state of a store that
// may be written to meanwhile. It changes no file and takes no lock.

package archive

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// ErrReach is in the error for a moment that a store or an archive cannot be
// taken back to. It says how far it reaches.
var ErrReach = errors.New("out of reach")

// A Point says up to where a store is restored. The zero value is the end.
type Point struct {
	Seq uint64 // up to this transaction; 0 is any

	// Up to the last transaction before the first one, in order of the log, that was committed
	// later; zero is any. Clocks are set back now and then: a transaction that was committed after
	// another that is too late is out of reach, whatever its own time is.
	At time.Time
}

// A State is a snapshot, and the log after it up to a transaction.
type State struct {
	Base   *wal.Manifest // of the snapshot; nil for none
	pieces []wal.Stretch // of the log, one after the other
	images images
	media  []content // files of uploads
	Bytes  int64     // of the files that were copied or unpacked

	// The last transaction.
	Seq  uint64
	Head [sha256.Size]byte
	Time time.Time // of its commit; of the snapshot if the line is missing
}

// A cutter finds the state of a point. It reads the nearest snapshot before it that is
// good, and the log between the two, so that damage elsewhere is no matter.
type cutter struct {
	fsys wal.Files
	wal.Listing
	log   *slog.Logger
	until uint64    // the last transaction; 0 is the end of the log
	now   time.Time // the moment of the directory, or of the archive
}

// Cut finds the state of a point in a directory with these files. A snapshot that is damaged, and
// that the state does not need, is logged.
func Cut(
	fsys wal.Files,
	all wal.Listing,
	p Point,
	now time.Time,
	log *slog.Logger,
) (*State, error) {
	t := &cutter{fsys, all, log, p.Seq, now}
	if !p.At.IsZero() {
		var err error
		if t.until, err = t.resolve(p.At); err != nil {
			return nil, err
		}
	}
	s, err := t.cut()
	if err == nil {
		s.media, err = s.images.stored(fsys, p != Point{})
	}
	return s, err
}

// cut tries one snapshot after the other, the newest first, and at last the log alone.
// The records of a snapshot should be vouched for by a line of the log up to the point; if
// they are not, as in the moment after it was made, those of the snapshot before it may be.
func (t *cutter) cut() (*State, error) {
	from := slices.Clone(t.Snapshots)
	if t.Segments[0] == 1 {
		from = slices.Insert(from, 0, 0)
	}
	var second *State // the choice if no other does
	var damage error
	for _, seq := range slices.Backward(from) {
		if t.until > 0 && seq > t.until {
			continue
		}
		c, vouched, err := t.follow(seq)
		var corrupt *wal.CorruptError
		switch {
		case err == nil && (vouched || seq == 0):
			return c, nil
		case err == nil && second == nil:
			second = c
			continue
		case err == nil:
			return second, nil
		case !errors.As(err, &corrupt) || wal.IsAbsent(err):
			return nil, err
		}
		if damage = err; !strings.HasPrefix(corrupt.File, wal.SnapshotDir) {
			break // it is in the way of older ones, too
		}
		t.log.Warn(
			"snapshot is damaged; taking one that is older, and the log",
			"file",
			corrupt.File,
			"err",
			corrupt.Err,
		)
	}
	switch {
	case second != nil:
		return second, nil
	case damage != nil:
		return nil, damage
	}
	return nil, t.outOfReach()
}

// follow returns the state of the point from a snapshot on, 0 for none, and whether a line
// of the log on the way vouches for the snapshot.
func (t *cutter) follow(seq uint64) (*State, bool, error) {
	r := &wal.Replay{Reader: wal.Reader{Files: t.fsys}, Until: t.until, Skip: true}
	c := new(State)
	if seq > 0 {
		var err error
		if c.Base, err = wal.VerifySnapshot(t.fsys, seq, record.SnapshotFiles); err != nil {
			return nil, false, err
		}
		r.Base = c.Base.At()
		r.Manifest = c.Base.Sum()
		r.Time = c.Base.Time
	}
	err := c.images.load(r, c.Base)
	if err == nil {
		err = r.Run(t.Segments)
	}
	if r.Skipped != nil {
		t.log.Warn(
			"the log before the snapshot is damaged; leaving it out",
			"snapshot",
			seq,
			"err",
			r.Skipped,
		)
	}
	if err == nil && r.At.Seq < t.until {
		err = t.outOfReach()
	}
	c.pieces = r.Pieces
	c.Seq = r.At.Seq
	c.Head = r.At.Head
	c.Time = r.Time
	if r.Skipped != nil && r.At.Seq == seq {
		c.Time = c.Base.Time
	}
	return c, r.Vouched, t.inTheWay(err, r.At.Seq)
}

// resolve returns the number of the last transaction before the first that is
// later than a time.
func (t *cutter) resolve(at time.Time) (uint64, error) {
	from, fromTime, err := t.first()
	if err != nil {
		return 0, err
	}
	found := t.Segments[0] - 1
	now := t.now
	later := false
	r := wal.Reader{
		Files: t.fsys,
		Rest:  t.Segments,
		Chain: wal.Chain{
			Position: wal.Position{
				Seq: found,
			},
			Unknown: found > 0,
		},
	}
	err = r.Follow(func(l *wal.Line) error {
		if later = l.Time.After(at); later {
			return wal.ErrStop
		}
		if found = l.Seq; now.Before(l.Time) {
			now = l.Time
		}
		return nil
	}, func(err error) error { return err })
	if err != nil && err != wal.ErrStop {
		return 0, t.inTheWay(err, found)
	}
	pruned := found < t.Segments[0] && fromTime.After(at) // the last commit before is not known
	if found < from || pruned || !later && at.After(now) {
		return 0, t.outOfReach()
	}
	return found, nil
}

// first returns the first state that can be had, and when it was.
func (t *cutter) first() (seq uint64, at time.Time, damage error) {
	if t.Segments[0] == 1 {
		r := &wal.Replay{Reader: wal.Reader{Files: t.fsys}, Until: 1}
		_ = r.Run(t.Segments[:1]) // the caller that needs the line finds its error
		return 1, r.Time, nil
	}
	damage = &wal.CorruptError{
		File: wal.SegmentName(t.Segments[0]),
		Err:  errors.New("no snapshot covers the transactions before it"),
	}
	for _, seq := range t.Snapshots {
		if seq+1 < t.Segments[0] {
			continue
		}
		m, err := wal.ReadManifest(t.fsys, seq, record.SnapshotFiles)
		if err == nil {
			return seq, m.Time, nil
		}
		damage = err
	}
	return 0, time.Time{}, damage
}

// outOfReach says how far the directory reaches.
func (t *cutter) outOfReach() error {
	from, fromTime, err := t.first()
	if err != nil {
		return err
	}
	end := *t
	end.until = 0
	end.log = slog.New(slog.DiscardHandler)
	c, err := end.cut()
	if err != nil {
		return err
	}
	if c.Seq == 0 {
		return fmt.Errorf("store: %w: there is no transaction in it", ErrReach)
	}
	now := t.now
	if now.Before(c.Time) {
		now = c.Time
	}
	return fmt.Errorf(
		"store: %w: it reaches from transaction %d at %s to transaction %d at %s, as it was at %s",
		ErrReach,
		from,
		fromTime.Format(time.RFC3339Nano),
		c.Seq,
		c.Time.Format(time.RFC3339Nano),
		now.Format(time.RFC3339Nano),
	)
}

// inTheWay says which states can be had although damage is in the way of one.
func (t *cutter) inTheWay(damage error, last uint64) error {
	var corrupt *wal.CorruptError
	if !errors.As(damage, &corrupt) || strings.HasPrefix(corrupt.File, wal.SnapshotDir) {
		return damage
	}
	after := ""
	if i := slices.IndexFunc(t.Snapshots, func(seq uint64) bool { return seq > last }); i >= 0 {
		after = fmt.Sprintf(", or %d and those after it", t.Snapshots[i])
	}
	return fmt.Errorf(
		"store: damage is in the way; name a transaction up to %d%s: %w",
		last,
		after,
		damage,
	)
}
