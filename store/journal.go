// The journal makes transactions durable, and finds them again.

package store

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// journalOptions are the choices of openJournal. The zero value works.
type journalOptions struct {
	wal.Options
	progress func(done, total int64) // told how many bytes were read, now and then; nil is nobody
	only     func(Kind) bool         // which kinds of the snapshot load is called with; nil is all
}

// A journal is the log and the snapshots of a directory. It has two sides that
// share nothing but counters: commit and position belong to one goroutine,
// snapshot to one at a time. Close is for when both have ended.
type journal struct {
	// The committer's.
	*wal.Log
	at record.Position // after the last commit

	// The snapshot's.
	latest uint64 // newest snapshot that is known to be good; 0 for none
	same   uint64 // checkpoint directly after it, with the same records; 0: none

	from  wal.Position // of recovery: the snapshot that was read
	named uint64       // of recovery: the newest snapshot that the log said there is

	logged atomic.Int64              // bytes of log since the snapshot that was recovered from
	saved  atomic.Int64              // how many of them the latest snapshot covers
	taken  atomic.Pointer[time.Time] // when that was taken; nil if there is none
}

// openJournal locks a directory, recovers what is in it and leaves it ready
// for the next commit. It calls load with the records of the newest usable
// snapshot, as an entry without a number, and then with every later line in order.
// load may keep them.
//
// The journal owns fsys from here on, even if this fails.
func openJournal(
	fsys wal.Files,
	o journalOptions,
	load func(*wal.Entry),
) (*journal, record.Position, error) {
	log, err := wal.Open(fsys, o.Options)
	if err != nil {
		return nil, record.Position{}, err
	}
	o.Logger = log.Logger
	j := &journal{Log: log}
	r, err := j.read(fsys, o, load)
	if err == nil {
		if err = j.Begin(r); err != nil {
			err = fmt.Errorf("store: %w", err)
		}
	}
	if err != nil {
		j.Close()
		return nil, record.Position{}, err
	}
	j.from = r.Base
	j.latest = r.Base.Seq
	j.same = r.Same
	j.named = r.Named
	j.logged.Store(r.Loaded)
	j.Logger.Info("journal recovered", "seq", r.At.Seq, "head", fmt.Sprintf("%x", r.At.Head),
		"snapshot", r.Base.Seq, "replayed", r.At.Seq-r.Base.Seq)
	return j, j.at, nil
}

// commit makes entries durable, which continue the log, as Append does.
func (j *journal) commit(entries []wal.Entry) error {
	if err := record.Encode(entries); err != nil {
		return err
	}
	n, err := j.Append(entries)
	if err != nil {
		return err
	}
	for i := range entries {
		j.at.Note(record.ChangeOf(&entries[i]))
	}
	j.at.Position = j.At()
	j.logged.Add(int64(n))
	return nil
}

// sinceSnapshot returns the bytes of log that recovery would read after the
// newest snapshot. Any goroutine may ask.
func (j *journal) sinceSnapshot() int64 { return j.logged.Load() - j.saved.Load() }

// snapshot writes a snapshot of a committed state. The records must not change, and the journal
// owns and sorts the lists from then on. It runs beside commits and never makes them wait. It
// returns nil when there is a snapshot of that state already, and else what is to stay beside the
// new one: that is to be committed as a checkpoint, told to entered, and then given to prune. When
// it fails everything is as durable as before.
func (j *journal) snapshot(
	p record.Position,
	records [kinds][]Record,
	at time.Time,
) (r *wal.Retention, err error) {
	if p.Seq == j.latest || p.Seq == j.same {
		return nil, nil // the same state; an empty store needs none
	}
	defer func() {
		if err != nil {
			r = nil
			err = fmt.Errorf("store: snapshot: %w", err)
		}
	}()
	if err := j.CheckLock(); err != nil {
		return nil, err // another process may need the files that are removed here
	}
	logged := j.logged.Load() // or a little less, if commits went on since p was taken

	// One of this state may be there, but damaged, or perhaps not durable.
	if err := wal.DiscardSnapshot(j.Files, p.Seq); err != nil && !wal.IsAbsent(err) {
		return nil, err
	}
	if err := record.WriteSnapshot(j.Files, p, at, records); err != nil {
		return nil, err
	}
	previous := j.latest
	j.latest = p.Seq
	j.saved.Store(logged)
	j.taken.Store(&at)
	return j.Retain(j.latest, previous, record.SnapshotFiles, at)
}

// entered says which line names the latest snapshot.
func (j *journal) entered(seq uint64) {
	if j.same = 0; seq == j.latest+1 {
		j.same = seq
	}
}

// enter writes a line that changes no record, after the transactions that wait, and returns its
// number. The store goes on from it. The error is ErrClosed once closing is closed.
func (s *Store) enter(closing <-chan struct{}, e wal.Entry) (seq uint64, err error) {
	ended := s.follow(closing, func() {
		at := s.state.Load().at
		e.Seq = at.Seq + 1
		e.Time = s.now().UTC()
		entries := []wal.Entry{e}
		if err = s.journal.commit(entries); err == nil {
			at.Position = s.journal.at.Position
			if at.Identity != s.journal.at.Identity {
				at.Identity = s.journal.at.Identity
				s.index.reserve(&at)
			}
			s.apply(entries, at)
		}
	})
	return e.Seq, errors.Join(err, ended)
}

// SetIdentity replaces the identity of the calendar of a directory, and returns the former one.
// Everybody sees it in the global ids of records.
func (s *Store) SetIdentity(host string) (before string, err error) {
	before = s.Identity()
	_, err = s.enter(s.closing, wal.Entry{Value: &Change{Identity: host}})
	return before, err
}

// The formats of lines and of snapshots that this program reads and writes.
const (
	LineFormat     = wal.LineFormat
	SnapshotFormat = wal.SnapshotFormat
)

// The errors of the files, which are documented there.
var (
	ErrLatched = wal.ErrLatched
	ErrNotOwn  = wal.ErrNotOwn
	ErrInUse   = wal.ErrInUse
	ErrNewer   = wal.ErrNewer
	ErrOlder   = wal.ErrOlder
)

// A CorruptError says that a file of the store does not hold what was written to it.
type CorruptError = wal.CorruptError

// IsFormat reports whether an error is ErrNewer or ErrOlder.
func IsFormat(err error) bool { return wal.IsFormat(err) }

// IsPassing reports whether an error is of a store that takes no changes now, and
// takes them again by itself as soon as the disk takes a write.
func IsPassing(err error) bool { return wal.IsPassing(err) }
