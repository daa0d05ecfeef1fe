// Revisions of a record: its last changes, from the log of a directory, or from the memory of a
// store without one.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// A Revision is a record as a transaction left it.
type Revision struct {
	Number  int64     // stands for the transaction; it does not tell how many there were
	Time    time.Time // of the transaction
	Account int64     // id of its author; 0 is the server itself
	Verb    string    // as in an Effect, or merged
	Old     Record    // before it; nil if it is new or unknown
	New     Record
}

// Limits of the revisions of one record, and of the transactions that a store without a directory
// remembers.
const (
	revisionsMost  = 1000
	revisionsBytes = 16 << 20
	pastMost       = 1 << 12
)

// Revisions returns the last revisions of an event, venue, organizer or term, oldest first: at
// most 1,000, and those whose records take 16 MiB on disk. It reads the whole log, which
// Options.Keep bounds, and decodes the lines with the id. Only one caller at a time reads, because
// a line may take much memory. It must not be called within a View or an Update.
func (s *Store) Revisions(k Kind, id int64) (found []Revision, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	var sizes []int
	size := 0
	whole := false
	forget := func(n int) {
		for _, bytes := range sizes[:n] {
			size -= bytes
		}
		found = slices.Delete(found, 0, n)
		sizes = slices.Delete(sizes, 0, n)
	}
	add := func(t *Transaction, r Record) {
		if r.Kind() != k || r.Key() != id {
			return
		}
		v := Revision{
			Number:  numberOf(t.Head),
			Time:    t.Time,
			Account: t.Account,
			Verb:    "written",
			New:     r,
		}
		if len(found) > 0 {
			v.Old = found[len(found)-1].New
			v.Verb = revisionVerb(v.Old, r)
		} else if whole {
			v.Verb = "created"
		}
		text, failed := record.AppendJSON(nil, r)
		if err = failed; err != nil {
			return
		}
		found = append(found, v)
		sizes = append(sizes, len(text))
		size = size + len(text)
		for len(found) > revisionsMost || len(found) > 2 && size > revisionsBytes {
			forget(1)
		}
	}
	visible := s.Seq()
	err = s.eachPast(id, func(t Transaction) bool {
		whole = whole || t.Seq == 1
		t.Change.Each(func(r Record) {
			if err == nil {
				add(&t, r)
			}
		})
		if slices.Contains(t.Change.Removed, Removal{
			Kind: k,
			ID:   id,
		}) { // a seed may give the id to another record
			forget(len(found))
		}
		return err == nil && t.Seq < visible
	})
	return found, err
}

// numberOf returns the number of a revision: 48 bits of a hash of the head after it, since numbers
// in JSON can hold so many. The head itself depends on changes that the reader may not see.
func numberOf(head [sha256.Size]byte) int64 {
	sum := sha256.Sum256(append([]byte("mark "), head[:]...))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 16)
}

// revisionVerb tells what became of a record. A record gets the former slugs of a record that was
// merged into it, and of no other.
func revisionVerb(old, r Record) string {
	for _, slug := range record.FormerOf(r) {
		if slug != SlugOf(old) && !slices.Contains(record.FormerOf(old), slug) {
			return "merged"
		}
	}
	return record.VerbOf(old, r)
}

// eachPast calls take with the transactions that may mention an id, the oldest first, until it
// returns false. Other lines of the log get an empty change.
func (s *Store) eachPast(id int64, take func(Transaction) bool) error {
	if s.journal == nil {
		s.mu.RLock()
		past := s.past
		s.mu.RUnlock()
		for _, t := range past {
			if !take(t) {
				break
			}
		}
		return nil
	}
	member := strconv.AppendInt([]byte(`"id":`), id, 10)
	decode := func(l *wal.Line) error {
		if bytes.Contains(l.Change, append(member, ',')) ||
			bytes.Contains(l.Change, append(member, '}')) {
			return record.DecodeLine(l)
		}
		return nil
	}
	err := readHistory(
		s.journal.Files,
		decode,
		nil,
		func(t Transaction, _ error) bool { return take(t) },
	)
	if err != nil {
		return fmt.Errorf("store: revisions: %w", err)
	}
	return nil
}

// remember keeps the transactions of a store without a directory. Savepoints share the slice, so
// that nothing in it changes.
func (s *Store) remember(entries []wal.Entry) {
	for i := range entries {
		e := &entries[i]
		s.past = append(s.past, Transaction{
			Seq:     e.Seq,
			Time:    e.Time,
			Account: e.Account,
			Change:  record.ChangeOf(e),
			Head:    e.Head,
		})
	}
	s.past = s.past[max(0, len(s.past)-pastMost):]
}
