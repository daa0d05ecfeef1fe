// Cutting: which files, and how much of them, make up one state of a store that
// may be written to meanwhile. It changes no file and takes no lock.

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// ErrReach is in the error for a moment that a store or an archive cannot be
// taken back to. It says how far it reaches.
var ErrReach = errors.New("out of reach")

// A Point says up to where a store is restored. The zero value is the end.
type Point struct {
	Seq uint64 // up to this transaction; 0 is any

	// Up to the last transaction before the first one, in order of the log, that was
	// committed later; zero is any. Clocks are set back now and then: what was committed
	// after one that is too late is out of reach, whatever its own time is.
	At time.Time
}

// A cut is one state: a snapshot, and the log after it up to a transaction.
type cut struct {
	base   *manifest // of the snapshot; nil for none
	pieces []stretch // of the log, one after the other

	// The last transaction.
	seq  uint64
	head [sha256.Size]byte
	time time.Time // when it was committed; of the snapshot if its line is not there
}

// A stretch is a part of a segment.
type stretch struct {
	first   uint64 // its first transaction, by which it is named
	segment uint64 // that it is in
	from    int64  // where it begins there
	bytes   int64
}

// A listing is what is in a directory, ascending.
type listing struct{ snapshots, segments []uint64 }

// list lists snapshots first: then the log reaches to each of them.
func list(fsys files) (listing, error) {
	snapshots, err := numbered(fsys, snapshotDir, "")
	if err != nil {
		return listing{}, fmt.Errorf("store: %w", err)
	}
	segments, err := numbered(fsys, logDir, segmentSuffix)
	if err != nil {
		return listing{}, fmt.Errorf("store: %w", err)
	}
	if len(segments) == 0 {
		return listing{}, errors.New("store: there is no log in it; name the data directory of an almanac")
	}
	return listing{snapshots, segments}, nil
}

// A cutter finds the state of a point. It reads the nearest snapshot before it that is
// good, and the log between the two, so that damage elsewhere is no matter.
type cutter struct {
	fsys files
	listing
	log   *slog.Logger
	until uint64    // the last transaction; 0 is the end of the log
	now   time.Time // the moment that the directory shows, or was when it was put into an archive
}

// cutAt finds the state of a point.
func cutAt(fsys files, all listing, p Point, now time.Time, log *slog.Logger) (*cut, error) {
	t := &cutter{fsys, all, log, p.Seq, now}
	if !p.At.IsZero() {
		var err error
		if t.until, err = t.resolve(p.At); err != nil {
			return nil, err
		}
	}
	return t.cut()
}

// cut tries one snapshot after the other, the newest first, and at last the log alone.
// What a snapshot holds should be vouched for by a line of the log up to the point; if
// it is not, as in the moment after it was made, the snapshot before it may be.
func (t *cutter) cut() (*cut, error) {
	var second *cut // what does without
	var damage error
search:
	for _, seq := range slices.Backward(t.snapshots) {
		if t.until > 0 && seq > t.until {
			continue
		}
		m, _, err := verifySnapshot(t.fsys, seq)
		var c *cut
		named := false
		if err == nil {
			c, named, err = t.follow(m)
		}
		var corrupt *CorruptError
		switch {
		case err == nil && (named || second != nil):
			if !named {
				c = second
			}
			return c, nil
		case err == nil:
			second = c
			continue
		case !errors.As(err, &corrupt) || isAbsent(err):
			return nil, err
		}
		if damage = err; !isSnapshot(err) {
			break search // it is in the way of older ones, too
		}
		t.log.Warn("snapshot is damaged; taking one that is older, and the log", "file", corrupt.File, "err", corrupt.Err)
	}
	if t.segments[0] == 1 && (damage == nil || isSnapshot(damage)) {
		c, _, err := t.follow(nil)
		if err == nil || second == nil {
			return c, err
		}
	}
	switch {
	case second != nil:
		return second, nil
	case damage != nil:
		return nil, damage
	}
	return nil, t.outOfReach()
}

// isSnapshot reports whether damage is that of a snapshot.
func isSnapshot(damage error) bool {
	var corrupt *CorruptError
	return errors.As(damage, &corrupt) && strings.HasPrefix(corrupt.File, snapshotDir)
}

// maxLooks is how often the end of a log is looked at that is never found
// between two writes. Then it ends before the one that is going on.
const maxLooks = 100

// follow returns the state of the point from a snapshot on, nil for none, and
// whether a line of the log on the way names the snapshot.
//
// The log need not begin right after the snapshot, and should not: with the batch
// of its line it is known when that was committed, and what there is of the very
// first segment holds each earlier state. If that is damaged it is left out.
func (t *cutter) follow(base *manifest) (*cut, bool, error) {
	leads := []lead{fromBatch, fromNext}
	switch {
	case base == nil:
		leads = []lead{fromBeginning}
	case t.segments[segmentOf(t.segments, base.Seq)] == 1:
		leads = []lead{fromBeginning, fromBatch, fromNext}
	}
	for i, lead := range leads {
		w, err := t.walkFrom(base, lead)
		switch {
		case err == nil:
			return &cut{base, w.pieces, w.at.seq, w.at.head, w.at.time}, w.named, nil
		case errors.Is(err, ErrReach):
			return nil, false, t.outOfReach()
		case isSnapshot(err):
			return nil, false, err
		case i == len(leads)-1 || w.at.seq >= w.base.Seq || isAbsent(err):
			return nil, false, t.inTheWay(err, w.at.seq)
		}
		t.log.Warn("the log before the snapshot is damaged; leaving it out", "snapshot", w.base.Seq, "err", err)
	}
	panic("unreachable")
}

// walkFrom follows the log from a snapshot on, or from before it, until its end is found
// between two writes.
func (t *cutter) walkFrom(base *manifest, lead lead) (*walk, error) {
	for again, end := 0, int64(-1); ; again++ {
		w := &walk{logReader: logReader{fsys: t.fsys}, lead: lead, until: t.until}
		if base != nil {
			var err error
			if w.base, err = base.position(); err != nil {
				return w, fmt.Errorf("store: %w", err)
			}
			w.at.time, w.manifest = base.Time, base.sum()
		}
		// Half a line at the end is being written, and is whole at the next look;
		// or it was torn by a crash, and stays so.
		err := w.run(t.segments)
		if err != nil || w.torn == 0 || w.at.size+w.torn == end || again == maxLooks {
			return w, err
		}
		end = w.at.size + w.torn
	}
}

// resolve returns the number of the last transaction before the first one that is
// later than a time.
func (t *cutter) resolve(at time.Time) (uint64, error) {
	from, fromTime, err := t.first()
	if err != nil {
		return 0, err
	}
	w, later := &walk{logReader: logReader{fsys: t.fsys}, lead: fromBeginning}, false
	w.each = func(l *logLine) bool {
		later = l.Time.After(at)
		return !later
	}
	if err := w.run(t.segments); err != nil {
		return 0, t.inTheWay(err, w.at.seq)
	}
	found := w.at.seq
	if later {
		found--
	}
	now := t.now
	if now.Before(w.at.time) {
		now = w.at.time
	}
	pruned := found < t.segments[0] && fromTime.After(at) // what was committed last is not known
	if found < from || pruned || !later && at.After(now) {
		return 0, t.outOfReach()
	}
	return found, nil
}

// first returns the first state that can be had, and when it was.
func (t *cutter) first() (uint64, time.Time, error) {
	if t.segments[0] == 1 {
		w := &walk{logReader: logReader{fsys: t.fsys}, lead: fromBeginning, each: func(*logLine) bool { return false }}
		_ = w.run(t.segments) // who needs the line says what is wrong with it
		return 1, w.at.time, nil
	}
	var damage error = &CorruptError{File: segmentName(t.segments[0]), Err: errors.New("no snapshot covers the transactions before it")}
	for _, seq := range t.snapshots {
		if seq+1 < t.segments[0] {
			continue
		}
		m, _, err := readManifest(t.fsys, seq)
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
	end.until, end.log = 0, slog.New(slog.DiscardHandler)
	c, err := end.cut()
	if err != nil {
		return err
	}
	if c.seq == 0 {
		return fmt.Errorf("store: %w: there is no transaction in it", ErrReach)
	}
	now := t.now
	if now.Before(c.time) {
		now = c.time
	}
	return fmt.Errorf("store: %w: it reaches from transaction %d at %s to transaction %d at %s, as it was at %s", ErrReach,
		from, fromTime.Format(time.RFC3339Nano), c.seq, c.time.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
}

// inTheWay says which states can be had although damage is in the way of one.
func (t *cutter) inTheWay(damage error, last uint64) error {
	var corrupt *CorruptError
	if !errors.As(damage, &corrupt) {
		return damage
	}
	after := ""
	if i := slices.IndexFunc(t.snapshots, func(seq uint64) bool { return seq > last }); i >= 0 {
		after = fmt.Sprintf(", or %d and those after it", t.snapshots[i])
	}
	return fmt.Errorf("store: damage is in the way; name a transaction up to %d%s: %w", last, after, damage)
}
