// Package store keeps the catalogue: events, series of events that come again,
// venues, organizers, categories, tags and the images they show, in memory with
// indexes, and durable on disk.
//
// # Model
//
// Records are plain structs, immutable once committed. View returns one
// consistent state to read; Update runs a transaction that may write many
// records, all of them or none:
//
//	err := s.Update(account, func(tx *store.Tx) error {
//		venue := &store.Venue{Name: "Town Hall"}
//		if err := tx.Put(venue); err != nil {
//			return err
//		}
//		return tx.Put(&store.Event{Title: "Concert", Start: start, End: end, Venues: []int64{venue.ID}})
//	})
//
// # Guarantees
//
// When Update returns nil the transaction is on disk and visible; before it is
// on disk it is visible to nobody. When Update returns an error nothing of it
// happened. After a write or a sync has failed nothing more is written: reads
// go on, and every later Update returns that first error, until the disk takes
// writes again and the end of the log was read and mended as after a restart.
//
// # Files
//
// A directory holds a lock, the log and snapshots; FORMAT.md describes every byte. Package wal
// keeps them without knowing a record, package record has the records and their form in them, and
// package archive copies one state of them. With an empty Options.Dir there are no files and
// nothing is durable, and everything else is the same.
//
// # Savepoints
//
// A Savepoint is the records that a store in memory holds at one moment, to begin
// another store with, or to roll back to, any number of times. Stores share the
// records, which nobody changes, and make indexes of their own.
//
// # Goroutines and locks
//
// One goroutine, the committer, owns all writing. The callers of transactions
// that wait run their functions first, one after the other, on a staged overlay:
// each passes the writer token on to the next. The last passes it to the committer,
// which writes one line of JSON each with one write and
// one sync, applies them under the write lock and lets the callers go on. No lock
// is held during a write or a sync. A second goroutine writes a snapshot now and
// then, from records that nobody changes. Close waits for them.
package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/store/media"
	"almanac/store/record"
	"almanac/store/wal"
)

// ErrClosed is the error of Update and Snapshot after Close.
var ErrClosed = errors.New("store: closed")

// snapshotDefault is how much log recovery should have to read at most, about:
// a second's worth.
const snapshotDefault = 64 << 20

// Options says where and how a store is kept. The zero value keeps everything
// in memory.
type Options struct {
	Dir      string           // data directory, made if missing; "" keeps everything in memory
	Now      func() time.Time // stamps transactions; nil leaves them unstamped
	Logger   *slog.Logger     // recovery and snapshots; nil discards
	Segment  int64            // bytes of a log segment; 0 is 64 MiB
	Snapshot int64            // bytes of log between snapshots; 0 is 64 MiB, negative is never
	Keep     time.Duration    // minimum age that Restore reaches; 0 is unlimited, negative the minimum

	// HashPassword returns the stored form of an event's password, its hash; a hash is returned
	// unchanged. Put applies it to every event, also to a plain password that an older
	// program stored, so that none is written to a file. It runs inside transactions, for
	// which others wait. Nil stores passwords as they are.
	HashPassword func(password string) string

	// Writing, when it is not nil, is called for each batch of transactions that is about
	// to be written to the log, with their number and bytes. The function that it returns is
	// called when they are on the disk, or with the error. Both make writers wait.
	Writing func(transactions, bytes int) (written func(error))

	// Identity, when it is not nil, returns the identity that Open gives the calendar of a
	// directory that has none yet.
	Identity func() string

	// Spare keeps some disk space for changes of accounts on a full disk.
	Spare bool

	// Progress, when it is not nil, is called by Open now and then while it reads:
	// with the bytes that were read so far, and those that there are about.
	Progress func(done, total int64)
}

// A Store is an open store, safe for concurrent use.
type Store struct {
	now      func() time.Time
	log      *slog.Logger
	journal  *journal // nil in memory
	snapshot int64
	hash     func(string) string // Options.HashPassword
	keep     time.Duration
	spare    bool // Options.Spare, with a journal

	token   chan *batch   // writer token: the receiver of the open batch may run a transaction
	waiting atomic.Int64  // callers that wait for the token, or run a transaction with it
	full    chan *batch   // passes the token to the committer
	closing chan struct{} // closed by Close: Update takes no token any more
	close   sync.Once
	ended   error          // result of Close
	work    sync.WaitGroup // the committer, and the snapshots that it starts
	saving  chan struct{}  // full while a snapshot is taken, and after Close
	swept   time.Time      // last sweep of media; the committer's
	staged  *index         // records that the batch stages; used with the token
	tried   int64          // bytes of log without a snapshot at the last attempt; the committer's

	state    atomic.Pointer[State] // state of index; changed with mu locked
	accounts atomic.Pointer[[]*Account]
	refusing atomic.Pointer[error] // why no change is taken; nil when they are
	media    atomic.Pointer[media.Files]
	due      atomic.Int64 // Unix seconds when the first scheduled post or series is due

	mu    sync.RWMutex // guards index and past; never held during I/O
	index *index
	past  []Transaction // last transactions in memory; none with a journal

	reading sync.Mutex // held while the log is read for revisions

	holds holds
}

// A State stands for what a store holds between one change and the next. Every
// transaction makes another one, a fork begins with that of its savepoint, and
// RollBack returns to it: so two views with the same *State hold the same records,
// whatever happened between them and in whichever store, and that may be relied on
// where sequence numbers may not.
type State struct{ at record.Position }

// Open opens the store of a directory, or makes one, and recovers what was
// committed. Damage that recovery may not forgive is a *CorruptError; a
// directory in use by another process is refused with ErrInUse.
func Open(o Options) (*Store, error) {
	if o.Dir == "" {
		return open(o, nil)
	}
	fsys, err := wal.OpenDir(o.Dir)
	if err != nil {
		return nil, err
	}
	return open(o, fsys)
}

// ownFiles may be in a data directory without a log: a first start may have failed, and older
// programs added accounts before it. The last one is made by file systems.
var ownFiles = []string{"log", "snapshots", "media", "lock", "users.json", "users.json.lock",
	"users-used.json", "sessions.json", "sessions.json.lock", "first-token", "almanac.sock",
	"lost+found"}

// ownEntries tell which entries of folders are ours: other programs have folders of these names,
// too.
var ownEntries = map[string]func(name string) bool{
	"log":       func(name string) bool { return isNumbered(name, ".jsonl") },
	"snapshots": func(name string) bool { return isNumbered(name, "") },
	"media": func(name string) bool {
		directory, _, _ := strings.Cut(name, ".")
		return media.IsDirectory(directory)
	},
}

// isNumbered reports whether a name begins with the 20 digits of a transaction, and has an
// extension or one of a file that was not finished.
func isNumbered(name, extension string) bool {
	const digits = 20
	if len(name) < digits || strings.Trim(name[:digits], "0123456789") != "" {
		return false
	}
	return name[digits:] == extension || strings.HasPrefix(name[digits:], ".")
}

// CheckDir refuses a directory that has no log and files of others, such as a home directory: a
// slip in a path would scatter a calendar among them. Hidden files may be there, and any files
// beside a log. Open makes a directory that is missing.
func CheckDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // Open says what is wrong
	}
	var foreign []string
	for _, e := range entries {
		name := e.Name()
		if !slices.Contains(ownFiles, name) && !strings.HasPrefix(name, ".") {
			foreign = append(foreign, strconv.Quote(name))
		}
		if isOwn := ownEntries[name]; isOwn != nil {
			inside, _ := os.ReadDir(filepath.Join(dir, name))
			for _, e := range inside {
				if !isOwn(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
					foreign = append(foreign, strconv.Quote(name+"/"+e.Name()))
				}
			}
		}
	}
	if len(foreign) == 0 || hasLog(dir) {
		return nil
	}
	if more := len(foreign) - foreignMost; more > 0 {
		foreign = append(foreign[:foreignMost], fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf(
		"%q has no calendar and other files, %s: give a directory that is empty, or "+
			"that does not exist yet",
		dir,
		strings.Join(foreign, ", "),
	)
}

// foreignMost is how many files of others CheckDir names.
const foreignMost = 3

// hasLog reports whether there is a segment of a log, or a snapshot, in a directory.
func hasLog(dir string) bool {
	files, err := wal.ReadDir(dir)
	if err != nil {
		return false
	}
	defer files.Close()
	all, err := wal.ListFiles(files)
	return err == nil && len(all.Segments)+len(all.Snapshots) > 0
}

// open opens the store in files, which it owns from here on, or in memory when
// they are nil.
func open(o Options, fsys wal.Files) (*Store, error) {
	s := newStore(o)
	s.index = newIndex()
	at := record.Position{NextPost: 1, NextTerm: 1}
	if fsys != nil {
		var err error
		journal := journalOptions{
			progress: o.Progress,
			Options: wal.Options{
				Keep:        o.Keep,
				SegmentSize: o.Segment,
				Logger:      s.log,
				Writing:     o.Writing,
			},
		}
		if s.journal, at, err = openJournal(fsys, journal, s.index.load); err != nil {
			return nil, err
		}
		if o.Identity != nil && at.Identity == "" {
			first := wal.Entry{
				Seq:  at.Seq + 1,
				Time: s.now().UTC(),
				Value: &Change{
					Identity: o.Identity(),
				},
			}
			if err := s.journal.commit([]wal.Entry{first}); err != nil {
				return nil, errors.Join(
					fmt.Errorf("store: the calendar gets no identity: %w", err),
					s.journal.Close(),
				)
			}
			at = s.journal.at
		}
	}
	s.begin(at)
	if fsys != nil {
		s.setMedia(media.Disk{Files: fsys})
		s.swept = s.now()
		if s.spare = o.Spare; s.spare {
			s.keepSpare()
		}
		if err := s.sweep(s.swept); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// newStore makes a store that has no index and no goroutine yet.
func newStore(o Options) *Store {
	s := &Store{
		now:      o.Now,
		log:      cmp.Or(o.Logger, slog.New(slog.DiscardHandler)),
		snapshot: cmp.Or(o.Snapshot, snapshotDefault),
		hash:     o.HashPassword,
		keep:     o.Keep,
		token:    make(chan *batch, 1),
		full:     make(chan *batch),
		closing:  make(chan struct{}),
		saving:   make(chan struct{}, 1),
		holds:    holds{of: map[Removal]*Hold{}},
	}
	if s.now == nil {
		s.now = func() time.Time { return time.Time{} }
	}
	if s.hash == nil {
		s.hash = func(password string) string { return password }
	}
	s.setMedia(media.NewMemory(nil))
	return s
}

// begin opens a store with the records of its index.
func (s *Store) begin(at record.Position) {
	s.index.fill()
	s.index.reserve(&at)
	s.index.seen = seen{at.Head, map[int64][sha256.Size]byte{}}
	s.state.Store(&State{at})
	s.noteDue()
	s.noteAccounts()
	s.serve()
}

// reserve keeps ids from new records that imported ones had at a site of the same identity.
func (x *index) reserve(at *record.Position) {
	for k := range x.origins {
		for global := range x.origins[k] {
			at.Reserve(global)
		}
	}
}

// Due reports whether a scheduled event, venue or organizer may have to be
// published by now, or the horizon of a series be moved. It costs next to nothing.
func (s *Store) Due(now time.Time) bool { return s.due.Load() <= now.Unix() }

// Seq returns the sequence number of the last transaction that is visible. It
// waits for nobody.
func (s *Store) Seq() uint64 { return s.state.Load().at.Seq }

// Identity returns the host part of the global ids of the calendar, "" if it has none yet. It
// waits for nobody.
func (s *Store) Identity() string { return s.state.Load().at.Identity }

// Settings returns the settings of the site; the pointer changes with them, and nil is that there
// never were any. It waits for nobody.
func (s *Store) Settings() *Settings { return s.state.Load().at.Settings }

// Untouched reports whether there never was a record of the catalogue.
func (s *Store) Untouched() bool {
	at := s.state.Load().at
	return at.NextPost == 1 && at.NextTerm == 1
}

// State returns the state that is visible. It waits for nobody.
func (s *Store) State() *State { return s.state.Load() }

// noteDue notes when the first scheduled post, or the first series, is due.
func (s *Store) noteDue() {
	due := int64(math.MaxInt64)
	if len(s.index.scheduled) > 0 {
		due = PostOf(s.index.scheduled[0]).Date.Unix()
	}
	if len(s.index.horizons) > 0 {
		due = min(due, dueOf(s.index.horizons[0].(*Series)).Unix())
	}
	s.due.Store(due)
}

// snapshotIfDue takes a snapshot in the background when the log has grown long
// and none is being taken. One that failed is tried again when the log has
// grown by as much again, not with every commit.
func (s *Store) snapshotIfDue() {
	if s.journal == nil || s.snapshot < 0 {
		return
	}
	since := s.journal.sinceSnapshot()
	if since < s.tried {
		s.tried = 0 // that one is there
	}
	if since-s.tried <= s.snapshot {
		return
	}
	select {
	case s.saving <- struct{}{}:
	default:
		return
	}
	s.tried = since
	s.work.Go(func() {
		defer func() { <-s.saving }()
		if err := s.save(); err != nil {
			s.log.Error("snapshot failed", "err", err)
		}
	})
}

// Snapshot writes a snapshot now and waits for it. In memory it does nothing.
func (s *Store) Snapshot(ctx context.Context) error {
	if s.journal == nil {
		return nil
	}
	if err := s.pause(ctx); err != nil {
		return err
	}
	defer func() { <-s.saving }()
	return s.save()
}

// pause waits until no snapshot is taken. None is until the caller takes from saving.
func (s *Store) pause(ctx context.Context) error {
	select {
	case s.saving <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return ErrClosed
	}
}

// save collects the records of one state and writes them. Records never
// change, so only the collecting needs the lock.
func (s *Store) save() error {
	s.mu.RLock()
	at := s.state.Load().at
	all := s.index.all()
	s.mu.RUnlock()
	r, err := s.journal.snapshot(at, all, s.now().UTC())
	if err != nil || r == nil {
		return err
	}
	s.log.Info("snapshot written", "seq", at.Seq)

	// Older snapshots and segments go after a line of the log has named the new snapshot.
	line, err := s.enter(nil, wal.Entry{
		Snapshots: r.Stays,
	}) // Close waits for snapshots before it keeps the token
	if err != nil {
		return fmt.Errorf("store: snapshot: %w", err)
	}
	s.journal.entered(line)
	if err := s.journal.Prune(r); err != nil {
		return fmt.Errorf("store: prune: %w", err)
	}
	return nil
}

// Close waits for what is being committed and for a running snapshot, then
// releases the directory. Later Updates fail with ErrClosed; a View sees the
// last state. Closing again waits too, and returns what the first Close did.
func (s *Store) Close() error {
	s.close.Do(func() {
		close(s.closing)
		s.saving <- struct{}{} // a snapshot that is being taken has a line to write
		b := <-s.token
		for ; len(b.commits) > 0; b = <-s.token { // the callers that it was passed to have returned
			s.full <- b
		}
		close(s.full) // the token is not passed on any more
		s.work.Wait()
		if s.journal != nil {
			s.ended = s.journal.Close()
		}
	})
	return s.ended
}
