// The journal: what makes transactions durable, and finds them again.

package store

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// segmentDefault is the size of segments in bytes: small enough for an editor,
// large enough that a busy year has few of them.
const segmentDefault = 64 << 20

// bufferKept is the largest buffer that is kept for the next commit.
const bufferKept = 4 << 20

// A position is a state of the store.
type position struct {
	Seq                uint64            // number of the last transaction, from 1; 0 before the first
	Head               [sha256.Size]byte // of the chain: SHA-256 of the line of Seq; zeros before the first
	NextPost, NextTerm int64             // ids that the next records get, from 1
	Identity           string            // of the calendar; "" before it has one
}

// count notes that an id was given.
func (p *position) count(k Kind, id int64) {
	next := p.next(k)
	*next = max(*next, id+1)
}

// next returns where the next id of a kind is. Accounts come with theirs.
func (p *position) next(k Kind) *int64 {
	switch {
	case k == Accounts:
		none := int64(math.MaxInt64)
		return &none
	case k.isTerm():
		return &p.NextTerm
	}
	return &p.NextPost
}

// note counts the ids of a change, and takes the identity that it sets.
func (p *position) note(c *Change) {
	p.Identity = cmp.Or(c.Identity, p.Identity)
	c.each(func(r Record) { p.count(r.Kind(), r.Key()) })
	for _, gone := range c.Removed {
		p.count(gone.Kind, gone.ID)
	}
}

// reserve keeps an id from new records that another one had at a site of the same identity: both
// would have one global id.
func (p *position) reserve(global string) {
	const most = 1 << 31 // a file may say anything, and ids come to an end
	text, ours := strings.CutPrefix(global, p.Identity+"?id=")
	if id, err := strconv.ParseInt(text, 10, 64); ours && err == nil && id < most {
		p.NextPost = max(p.NextPost, id+1)
	}
}

// journalOptions are the choices of who opens a journal. The zero value works.
type journalOptions struct {
	segmentSize int64        // bytes after which a new segment begins; 0 is 64 MiB
	log         *slog.Logger // nil discards

	// How long everything stays that it takes to go back to any moment;
	// 0 is for ever, negative as short as possible.
	keep     time.Duration
	progress func(done, total int64)                             // told how many bytes were read, now and then; nil is nobody
	pieces   func([]piece)                                       // takes the records of the snapshot instead of load; nil takes none
	only     func(Kind) bool                                     // which kinds of the snapshot load is called with; nil is all
	writing  func(transactions, bytes int) (written func(error)) // as Options.Writing; nil is nobody
}

// A journal is the log and the snapshots of a directory. It has two sides that
// share nothing but counters: commit and position belong to one goroutine,
// snapshot to one at a time. Close is for when both have ended.
type journal struct {
	fsys        files
	segmentSize int64
	keep        time.Duration
	log         *slog.Logger
	writing     func(transactions, bytes int) (written func(error)) // nil: nobody wants to know
	lock        file                                                // nil after Close

	// The committer's.
	at      position
	segment file   // the last one, open for writing
	first   uint64 // the transaction that it is named by
	size    int64  // its bytes, all of them durable
	buf     []byte // reused by commit
	failed  error  // latched: what every later commit returns until reopen

	// The snapshot's.
	latest uint64 // newest snapshot that is known to be good; 0 for none
	same   uint64 // the checkpoint after it, if no transaction is between them: the records are the same

	from  position // of recovery: the snapshot that was read
	named uint64   // of recovery: the newest snapshot that the log said there is

	logged atomic.Int64              // bytes of log since the snapshot that was recovered from
	saved  atomic.Int64              // how many of them the latest snapshot covers
	taken  atomic.Pointer[time.Time] // when that was taken; nil if there is none
}

// openJournal locks a directory, recovers what is in it and leaves it ready
// for the next commit. It calls load with the records of the newest usable
// snapshot, some thousand of one kind at a time, images and terms first and
// events last, and then with the change of every later transaction in order.
// load may keep what it is given; its error is taken for damage.
//
// The journal owns fsys from here on, even if this fails.
func openJournal(fsys files, o journalOptions, load func(*entry) error) (*journal, position, error) {
	if o.log == nil {
		o.log = slog.New(slog.DiscardHandler)
	}
	if o.segmentSize <= 0 {
		o.segmentSize = segmentDefault
	}
	j := &journal{fsys: fsys, segmentSize: o.segmentSize, keep: o.keep, log: o.log, writing: o.writing}
	var err error
	if j.lock, err = fsys.lock(lockName); err != nil {
		return nil, position{}, errors.Join(fmt.Errorf("store: %w", err), fsys.close())
	}
	if err := j.recover(o, load); err != nil {
		j.Close()
		return nil, position{}, err
	}
	return j, j.at, nil
}

// commit makes entries durable, which continue the log: when it returns nil
// they are, all of them. It sets their Batch.
//
// An entry that has no form on disk, as one with a number that is not finite,
// is an error and no more. After any other error nobody knows how much of the
// batch is on disk, so that the journal is latched until reopen: a second sync
// can succeed without having written what the first one failed to.
func (j *journal) commit(entries []entry) error {
	if j.failed != nil || len(entries) == 0 {
		return j.failed
	}

	// On disk if the process dies here: the batches before.
	next, buf := j.at, j.buf[:0]
	for i := range entries {
		e := &entries[i]
		if e.Seq != next.Seq+1 {
			return fmt.Errorf("transaction %d cannot follow %d", e.Seq, next.Seq)
		}
		if year := e.Time.UTC().Year(); e.Change == nil || year < 0 || year > 9999 {
			return fmt.Errorf("transaction %d has no change, or a year of five digits", e.Seq)
		}
		e.Batch = entries[0].Seq
		var err error
		if buf, next.Head, err = appendLine(buf, *e, next.Head); err != nil {
			return fmt.Errorf("transaction %d: %w", e.Seq, err)
		}
		e.Head = next.Head
		buf = append(buf, '\n')
		next.Seq = e.Seq
		next.note(e.Change)
	}
	if err := j.write(buf, entries[0].Seq, next); err != nil {
		return err
	}
	if j.buf = buf; cap(buf) > bufferKept {
		j.buf = nil
	}
	return nil
}

// identify makes the line durable by which the calendar gets an identity.
func (j *journal) identify(host string, now time.Time) error {
	return j.commit([]entry{{Seq: j.at.Seq + 1, Time: now.UTC(), Change: &Change{Identity: host}}})
}

// write makes the lines of a batch durable, the first of which is that of a transaction,
// and which lead to a state.
func (j *journal) write(buf []byte, first uint64, next position) error {
	if err := j.ensureOwn(); err != nil {
		return j.latch(err)
	}
	if j.size > 0 && j.size+int64(len(buf)) > j.segmentSize {
		if err := j.beginSegment(first); err != nil {
			return j.latch(err)
		}
	}

	// Perhaps a new segment too, without a line.
	written := func(error) {}
	if j.writing != nil {
		written = j.writing(int(next.Seq-first)+1, len(buf))
	}
	if _, err := j.segment.WriteAt(buf, j.size); err != nil {
		written(err)
		return j.latch(err)
	}

	// Perhaps some sectors of this batch. Recovery keeps the lines that are
	// whole, up to the first that is not.
	err := j.segment.Sync()
	if written(err); err != nil {
		return j.latch(err)
	}

	// This batch.
	j.size += int64(len(buf))
	j.at = next
	j.logged.Add(int64(len(buf)))
	return nil
}

// beginSegment makes the segment that a transaction begins. The one before is
// synced, as every batch in it was.
func (j *journal) beginSegment(first uint64) error {
	f, err := j.fsys.create(segmentName(first))
	if err != nil {
		return err
	}
	if j.segment != nil {
		j.segment.Close() // nothing in it waits to be written
	}
	j.segment, j.first, j.size = f, first, 0
	return j.fsys.syncDir(logDir)
}

// ensureOwn refuses to write what is not the journal's any more: when the lock
// was removed, a second process may have taken another, and two that write one
// log overwrite each other's lines.
func (j *journal) ensureOwn() error {
	if _, err := j.fsys.own(j.lock, lockName); err != nil {
		return err
	}
	size, err := j.fsys.own(j.segment, segmentName(j.first))
	if err == nil && size != j.size {
		err = fmt.Errorf("%s has %d bytes where %d were written: %w", segmentName(j.first), size, j.size, ErrNotOwn)
	}
	return err
}

func (j *journal) latch(cause error) error {
	j.failed = fmt.Errorf("%w: %w", ErrLatched, cause)
	return j.failed
}

// position returns the state after the last commit. Sequence number and head
// belong together; only the goroutine that commits may ask.
func (j *journal) position() position { return j.at }

// sinceSnapshot returns the bytes of log that recovery would read after the
// newest snapshot. Any goroutine may ask.
func (j *journal) sinceSnapshot() int64 { return j.logged.Load() - j.saved.Load() }

// snapshot writes a snapshot of a state that was committed. Records are those of that
// state: none of them may change, and the lists are the journal's now, which sorts
// them. It runs beside commits and never makes them wait. It returns nil when there is
// a snapshot of that state already, and else what is to stay beside the new one: that
// is to be committed as a checkpoint, told to entered, and then given to prune.
// When it fails everything is as durable as before.
func (j *journal) snapshot(p position, records [kinds][]Record, at time.Time) (*retention, error) {
	if p.Seq == j.latest || p.Seq == j.same {
		return nil, nil // the same state; an empty store needs none
	}
	if _, err := j.fsys.own(j.lock, lockName); err != nil {
		return nil, fmt.Errorf("store: snapshot: %w", err) // what is removed here may be needed by somebody else
	}
	logged := j.logged.Load() // or a little less, if commits went on since p was taken
	seqs, err := numbered(j.fsys, snapshotDir, "")
	if err != nil {
		return nil, fmt.Errorf("store: snapshot: %w", err)
	}
	for _, seq := range seqs {
		if seq != p.Seq {
			continue
		}
		// Of this state, but damaged, or perhaps not durable.
		if err := discardSnapshot(j.fsys, seq); err != nil {
			return nil, fmt.Errorf("store: snapshot: %w", err)
		}
	}
	if err := writeSnapshot(j.fsys, p, at, records); err != nil {
		return nil, fmt.Errorf("store: snapshot: %w", err)
	}
	previous := j.latest
	j.latest = p.Seq
	j.saved.Store(logged)
	j.taken.Store(&at)
	r, err := j.retain(previous, at)
	if err != nil {
		return nil, fmt.Errorf("store: snapshot: %w", err)
	}
	return r, nil
}

// entered says which line names the latest snapshot.
func (j *journal) entered(seq uint64) {
	if j.same = 0; seq == j.latest+1 {
		j.same = seq
	}
}

// Close releases the directory. Everything that was committed is durable
// already. Closing again does nothing.
func (j *journal) Close() error {
	if j.lock == nil {
		return nil
	}
	var errs []error
	if j.segment != nil {
		errs = append(errs, j.segment.Close())
	}
	errs = append(errs, j.lock.Close(), j.fsys.close())
	j.lock, j.segment = nil, nil
	if j.failed == nil {
		j.failed = errors.New("the journal is closed")
	}
	return errors.Join(errs...)
}
