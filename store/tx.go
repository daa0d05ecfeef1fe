// Writing: a transaction on its staged state, and the disk space that it needs.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"almanac/store/media"
	"almanac/store/record"
	"almanac/store/wal"
)

// A Tx is a transaction that is being made. It sees its own writes, and those
// of the transactions before it whether or not they are on disk yet. It must
// not be used after the function that received it has returned, nor by several
// goroutines.
type Tx struct {
	Reader
	seq      uint64
	ids      record.Position // next ids, staged
	touched  map[Removal]int // 1 more than where a record stands in written
	written  []Record        // nil where it was written again or removed
	settings *Settings       // to be written, nil for none
	more     record.MoreWriter
	undo     []func()            // steps back, the last one first
	hash     func(string) string // Options.HashPassword
	disk     wal.Files           // nil in memory
	room     *room               // of the batch
	holds    *holds              // of the store
	hold     *Hold               // of the change that the transaction is a part of, or nil
}

// Seq returns the sequence number that the transaction will have, which is the Rev of
// its records.
func (tx *Tx) Seq() uint64 { return tx.seq }

// Writes returns how many writes the transaction has staged, which others wait for.
func (tx *Tx) Writes() int { return len(tx.written) }

// NextID returns the id that the next new record of a kind will have.
func (tx *Tx) NextID(k Kind) int64 {
	return *tx.ids.Next(k)
}

// Put stores a record: a new one when its id is 0, which gets the next id of its sequence, or is
// unknown, as in a seed; else in the place of the one with its id. It sets the record's id and
// Rev, notes a slug that it gives up, and hashes the password of an event. If Try or the
// transaction fails, it resets them.
//
// The store keeps the pointer, and the caller must not change the record
// afterwards. To change it, or to put it into another store, put a copy: a record
// that is stored is refused.
// Slugs, origins and addresses of images belong to one record of a kind (ErrSlugTaken),
// and links lead to records that exist (ErrLink). Nothing that another change holds goes to the
// trash (ErrHeld). Other errors name another mistake.
func (tx *Tx) Put(r Record) error {
	k := r.Kind()
	id := r.Key()
	for _, check := range []func(Record) error{record.CheckForm, tx.checkUnique, tx.checkLinks, tx.checkLevels, tx.checkPlace} {
		if err := check(r); err != nil {
			return fmt.Errorf("store: put %s %d: %w", k, id, err)
		}
	}
	if p := PostOf(r); p != nil && p.Status == Trash {
		if err := tx.holds.check(tx.hold, Removal{Kind: k, ID: id}); err != nil {
			return err
		}
	}
	next := tx.ids.Next(k)
	if id == 0 {
		if id = *next; id > record.MaxID {
			return fmt.Errorf("store: put %s: there are no more ids", k)
		}
	}
	tx.keepSlug(r)
	if old := tx.Get(k, id); old != nil {
		record.MetaOf(r).More = record.MetaOf(old).More
	}
	if err := tx.more.Write(r); err != nil {
		return fmt.Errorf("store: put %s %d: %w", k, id, err)
	}
	tx.shareTexts(r)
	ids := tx.ids
	rev := record.MetaOf(r).Rev
	before := r.Key()
	tx.undo = append(tx.undo, func() { tx.ids = ids; setKey(r, before, rev) })
	*next = max(*next, id+1)
	if p := PostOf(r); p != nil {
		for _, global := range p.Origins {
			tx.ids.Reserve(global)
		}
	}
	setKey(r, id, tx.seq)
	if e := record.EventOf(r); e != nil {
		sent := e.Password
		tx.undo = append(tx.undo, func() { e.Password = sent })
		e.Password = tx.hash(sent)
	}
	tx.stage(Removal{Kind: k, ID: id}, r)
	return nil
}

// setKey sets the id of a record and the number of the transaction that writes it.
func setKey(r Record, id int64, rev uint64) {
	m := record.MetaOf(r)
	m.ID = id
	m.Rev = rev
}

// checkPlace refuses an id of another kind, and a record that is stored already, because
// views may be reading it.
func (tx *Tx) checkPlace(r Record) error {
	if r.Key() == 0 {
		return nil
	}
	for k := range kinds {
		switch there := tx.Get(k, r.Key()); {
		case there == nil || k.IsTerm() != r.Kind().IsTerm() || (k == Accounts) != (r.Kind() == Accounts):
		case k != r.Kind():
			return fmt.Errorf("the id is one of %s", k)
		case there == r:
			return errors.New("it is stored already: put a copy with the changes")
		}
	}
	return nil
}

// Remove forgets a record for good: a category or tag, since posts are trashed
// instead, with Put. Nothing may link to it any more, and no other change may hold it (ErrHeld).
func (tx *Tx) Remove(k Kind, id int64) error {
	if k == Accounts {
		return record.ErrAccountStays
	}
	if tx.Get(k, id) == nil {
		return fmt.Errorf("store: remove %s %d: %w", k, id, ErrNotFound)
	}
	if err := tx.holds.check(tx.hold, Removal{Kind: k, ID: id}); err != nil {
		return err
	}
	if k == Images && tx.Settings().Logo == id {
		return fmt.Errorf("store: remove %s %d: it is the logo of the site", k, id)
	}
	if from := tx.linkedFrom(k, id); from != nil {
		return fmt.Errorf(
			"store: remove %s %d: %s %d still links to it",
			k,
			id,
			from.Kind(),
			from.Key(),
		)
	}
	tx.stage(Removal{Kind: k, ID: id}, nil)
	return nil
}

// Settings returns the settings as the transaction leaves them.
func (tx *Tx) Settings() Settings { return tx.ids.SettingsOrNone() }

// SetSettings replaces the settings of the site. Their logo is an upload.
func (tx *Tx) SetSettings(to Settings) error {
	if err := tx.checkLogo(to); err != nil {
		return fmt.Errorf("store: settings: %w", err)
	}
	ids := tx.ids
	set := tx.settings
	tx.undo = append(tx.undo, func() {
		tx.ids = ids
		tx.settings = set
	})
	tx.ids.Settings = &to
	tx.settings = &to
	return nil
}

// Try runs f as a part of the transaction that may fail alone: when f returns
// an error, its writes are undone, the transaction goes on, and Try returns the error.
func (tx *Tx) Try(f func() error) error {
	from := len(tx.undo)
	err := f()
	if err != nil {
		tx.rollback(from)
	}
	return err
}

// OnUndo adds a step that reverts a change outside of the store, when Try or the transaction
// fails.
func (tx *Tx) OnUndo(revert func()) { tx.undo = append(tx.undo, revert) }

// rollback undoes the steps of undo after the first n; 0 is the whole transaction.
func (tx *Tx) rollback(n int) {
	for len(tx.undo) > n {
		last := len(tx.undo) - 1
		undo := tx.undo[last]
		tx.undo = tx.undo[:last]
		undo()
	}
}

// stage puts a record into the overlay, or removes it when r is nil, and
// remembers how to undo that.
func (tx *Tx) stage(key Removal, r Record) {
	old := tx.over.records[key.Kind][key.ID]
	_, wasGone := tx.gone[key]
	at := len(tx.written)
	before := tx.touched[key] // 1 more than the place; 0: none
	var replaced Record
	if before != 0 {
		replaced = tx.written[before-1]
	}
	tx.undo = append(tx.undo, func() {
		tx.written = tx.written[:at]
		if tx.touched[key] = before; before != 0 {
			tx.written[before-1] = replaced
		} else {
			delete(tx.touched, key)
		}
		tx.over.remove(key.Kind, key.ID)
		if old != nil {
			tx.over.put(old)
		}
		delete(tx.gone, key)
		if wasGone {
			tx.gone[key] = struct{}{}
		}
	})
	if r == nil {
		tx.over.remove(key.Kind, key.ID)
		tx.gone[key] = struct{}{}
	} else {
		tx.over.put(r)
		delete(tx.gone, key)
	}
	if before != 0 {
		tx.written[before-1] = nil
	}
	tx.written = append(tx.written, r)
	tx.touched[key] = len(tx.written)
}

// finish gathers what the transaction did, each record once, as last written.
func (tx *Tx) finish() *Change {
	c := &Change{Settings: tx.settings}
	for key, at := range tx.touched {
		if tx.written[at-1] == nil {
			c.Removed = append(c.Removed, key)
		}
	}
	slices.SortFunc(c.Removed, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
	for _, r := range tx.written {
		if r != nil {
			c.Add(r)
		}
	}
	return c
}

// ErrNoRoom is returned by Reserve when the disk has too little left.
var ErrNoRoom = errors.New("the disk is nearly full")

// lineRoom is the maximum length, roughly, of a line of the log without its change.
const lineRoom = 256

// room is the disk space of an open batch.
type room struct {
	asked    bool
	free     int64 // at the start of the batch; 1<<62 if it is unknown
	reserved int64 // by transactions of the batch
}

// Free returns the bytes that the disk of the store has left. Where the system
// does not say it, and in memory, that is an error with errors.ErrUnsupported in
// it.
func (s *Store) Free() (int64, error) {
	if s.journal == nil {
		return 0, errors.ErrUnsupported
	}
	return s.journal.Files.Free()
}

// Reserve returns the bytes that the transaction, as it is by now, will add to
// the log: 0 in memory, and when it changes nothing. If the disk would have less
// than floor left after them, and after what others of the same batch have
// reserved, it is ErrNoRoom. Where nobody says how much is left there is always
// room.
func (tx *Tx) Reserve(floor int64) (bytes int64, err error) {
	change := tx.finish()
	if tx.disk == nil || change.Empty() {
		return 0, nil
	}
	text, _, err := record.EncodeChange(change)
	if err != nil {
		return 0, err
	}
	bytes = int64(len(text)) + lineRoom
	if floor > 0 && !tx.room.fits(tx.disk, bytes, floor) {
		return 0, ErrNoRoom
	}
	tx.room.reserved += bytes
	return bytes, nil
}

// RecordMemory is how many bytes of memory a new record takes beside the bytes of its line in the
// log, about: its struct, and its places in indexes and lists, also those of the first link to it.
const RecordMemory = 600

// freshWord and knownWord are how many bytes of memory a word of the texts of an event takes
// beside the text: one that no event has yet, and one more place of another word.
const freshWord, knownWord = 110, 16

// Memory returns how many bytes of memory the transaction, as it is by now, takes beside the bytes
// of Reserve, about: those of new records, and of words that are new to the index. A text that
// many events share counts once.
func (tx *Tx) Memory() (bytes int64) {
	counted := map[string]bool{}
	for _, r := range tx.written {
		if r == nil {
			continue
		}
		isNew := tx.base.get(r.Kind(), r.Key()) == nil
		if isNew {
			bytes += RecordMemory
		}
		e, ok := r.(*Event)
		if !ok || tx.base.lists == nil {
			continue
		}
		for _, text := range []string{e.Title, e.Excerpt, e.Description} {
			if counted[text] {
				continue
			}
			counted[text] = true
			fresh, known := tx.base.lists[listNumber(e)].Words(text)
			if bytes += int64(fresh) * freshWord; isNew {
				bytes += int64(known) * knownWord
			}
		}
	}
	return bytes
}

// Made returns how many new records of a kind the transaction has, as it is by now.
func (tx *Tx) Made(k Kind) (n int) {
	for _, r := range tx.written {
		if r != nil && r.Kind() == k && tx.base.get(k, r.Key()) == nil {
			n++
		}
	}
	return n
}

// fits reports whether bytes more leave as much as floor. It asks the system once
// for each batch.
func (r *room) fits(disk wal.Files, bytes, floor int64) bool {
	if !r.asked {
		var err error
		if r.free, err = disk.Free(); err != nil {
			r.free = 1 << 62
		}
		r.asked = true
	}
	return r.free-r.reserved-bytes >= floor
}

// ErrOnDisk is the error of savepoints and forks of a store with a directory:
// there, Restore makes another directory as it was at some time.
var ErrOnDisk = errors.New(
	"store: only a store in memory, with no directory, has savepoints and forks",
)

// A Savepoint is the records of a store in memory at one moment. It never changes and
// need not be closed, and any number of goroutines may use it.
type Savepoint struct {
	records [kinds][]Record
	seen    seen
	past    []Transaction
	state   *State
	now     func() time.Time
	log     *slog.Logger
	hash    func(string) string
	media   *media.Memory
}

// Savepoint returns what the store holds now. A store on disk has none: the error is
// ErrOnDisk. It must not be called within a View.
func (s *Store) Savepoint() (*Savepoint, error) {
	if s.journal != nil {
		return nil, ErrOnDisk
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x := s.index
	return &Savepoint{
		x.all(),
		x.seen.clone(),
		slices.Clip(s.past),
		s.state.Load(),
		s.now,
		s.log,
		s.hash,
		media.NewMemory(s.Media().(*media.Memory)),
	}, nil
}

// Fork returns a new store in memory, to be closed by the caller, that begins as
// the savepoint: with its records, and its next ids, sequence number and head.
// From then on it has nothing to do with any other store. now stamps its
// transactions; nil is the clock of the store that the savepoint is of.
func (p *Savepoint) Fork(now func() time.Time) *Store {
	if now == nil {
		now = p.now
	}
	s := newStore(Options{Now: now, Logger: p.log, HashPassword: p.hash})
	s.hold(p)
	s.serve()
	return s
}

// Fork returns a new store in memory that begins as this one is now: see
// Savepoint, with its error, and the Fork of that. now stamps its transactions;
// nil is the clock of this store.
func (s *Store) Fork(now func() time.Time) (*Store, error) {
	p, err := s.Savepoint()
	if err != nil {
		return nil, err
	}
	return p.Fork(now), nil
}

// RollBack makes the store hold what it held at a savepoint, or what another store in memory held,
// next ids, sequence number and head with it. It returns when that is visible. Views that run keep
// what they see, and RollBack waits for them; an Update comes as a whole before it, and is gone,
// or after it. A savepoint may be used any number of times, also to return to a state that was
// left. RollBack must not be called within a View or an Update. The error is ErrOnDisk or
// ErrClosed.
func (s *Store) RollBack(to *Savepoint) error {
	if s.journal != nil {
		return ErrOnDisk
	}
	return s.follow(s.closing, func() { s.hold(to) })
}

// hold makes the store hold what a savepoint does.
func (s *Store) hold(p *Savepoint) {
	x := newIndex()
	for k, records := range p.records {
		for _, r := range records {
			x.records[k][r.Key()] = r
		}
	}
	x.fill()
	x.seen = p.seen.clone()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index = x
	s.past = p.past
	s.setMedia(media.NewMemory(p.media))
	s.state.Store(p.state)
	s.noteDue()
	s.noteAccounts()
}
