// Room on the disk.

package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A transaction is told what it will take, about, and refused when the disk would
// have too little left after it and what its batch has reserved.
func TestReserve(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	s, err := open(Options{Snapshot: -1}, m)
	must(t, err)
	text := strings.Repeat(`"quoted" `, 1000)
	const floor = 1 << 20
	put := func(took *int64) func(tx *Tx) error {
		return func(tx *Tx) error {
			if n, err := tx.Reserve(floor); n != 0 || err != nil {
				t.Errorf("before anything was changed: %d, %v", n, err)
			}
			err := tx.Put(&Event{Post: Post{Description: text}})
			if err == nil {
				*took, err = tx.Reserve(floor)
			}
			return err
		}
	}
	var took int64
	m.room = 10 << 20
	must(t, s.Update(1, put(&took)))
	if n := int64(len(m.at(firstSegment))); took < n || took > n+lineRoom {
		t.Errorf("%d bytes reserved for a line of %d", took, n)
	}

	// As much as is asked for has to be left, not a byte less.
	m.room = floor + took - 1
	if err := s.Update(1, put(&took)); !errors.Is(err, ErrNoRoom) {
		t.Errorf("with a byte too little: error %v", err)
	}
	m.room++
	must(t, s.Update(1, put(&took)))

	// Two in one batch have the room of one.
	b := <-s.token
	s.waiting.Add(2)
	first := &commit{account: 1, done: make(chan struct{})}
	second := &commit{account: 1, done: make(chan struct{})}
	s.run(b, first, put(&took))
	s.run(<-s.token, second, put(&took))
	<-first.done
	<-second.done
	if first.err != nil || !errors.Is(second.err, ErrNoRoom) {
		t.Errorf("in one batch: errors %v and %v", first.err, second.err)
	}
	must(t, s.Update(1, put(&took))) // the next batch asks again

	// Where nobody says how much there is, and in memory, there is room.
	m.room, m.roomless = 0, errors.ErrUnsupported
	must(t, s.Update(1, put(&took)))
	if _, err := s.Free(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("free space: error %v", err)
	}
	equal(t, "transactions", uint64(5), s.Seq())
	must(t, s.Check(), s.Close())
	s, err = Open(Options{})
	must(t, err)
	must(t, s.Update(1, put(&took)))
	if _, err := s.Free(); took != 0 || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("in memory: %d bytes reserved, error %v", took, err)
	}
	must(t, s.Check(), s.Close())
}

// A real disk has room.
func TestFree(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{Dir: t.TempDir()})
	must(t, err)
	defer s.Close()
	free, err := s.Free()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || free < 1<<10 || free > 1<<60 {
		t.Errorf("%d bytes free, error %v", free, err)
	}
}

// Memory counts new records, and words that the index does not know, each text once.
func TestMemory(t *testing.T) {
	t.Parallel()
	s, err := open(Options{Snapshot: -1}, newMemFiles())
	must(t, err)
	of := func(f func(tx *Tx) error) (n int64) {
		must(t, s.Update(1, func(tx *Tx) error {
			err := f(tx)
			n = tx.Memory()
			return err
		}))
		return n
	}
	long := strings.Repeat("again and again ", 100)
	event := func(id int64, title, text string) *Event {
		return &Event{Post: Post{Meta: Meta{ID: id}, Description: text}, Title: title}
	}
	var got []int64
	for _, f := range []func(tx *Tx) error{
		func(tx *Tx) error { return nil },
		func(tx *Tx) error { return tx.Put(event(1, "Brand new", "")) },
		func(tx *Tx) error { return tx.Put(event(2, "New brand", "")) },
		func(tx *Tx) error { return tx.Put(event(2, "New brand", "brand new words")) },
		func(tx *Tx) error { return tx.Put(event(2, "Brand", "")) },
		func(tx *Tx) error {
			return errors.Join(tx.Put(event(3, "", long)), tx.Put(event(4, "", long)))
		},
		func(tx *Tx) error { return tx.Put(event(5, "", long)) },
		func(tx *Tx) error { return tx.Put(&Term{Taxonomy: Tags, Name: "New", Slug: "new"}) },
	} {
		got = append(got, of(f))
	}
	want := []int64{
		0,
		RecordMemory + 2*freshWord,
		RecordMemory + 2*knownWord,
		freshWord, // words
		0,
		2*RecordMemory + 2*freshWord,
		RecordMemory,
		RecordMemory,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
