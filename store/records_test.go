// Loading many blocks, and finding what is wrong in one of them.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/store/record"
	"almanac/store/wal"
)

// many makes a directory with a snapshot of many records and a log after it.
func many(t *testing.T) (*memFiles, map[int64]Record) {
	t.Helper()
	m := newMemFiles()
	s, err := open(Options{Snapshot: -1, Segment: 1 << 20}, m)
	must(t, err)
	put := func(from, to int) {
		update(t, s, func(tx *Tx) error {
			for i := from; i < to; i++ {
				e := &Event{
					Title:    fmt.Sprint("Event ", i),
					Timezone: "UTC",
					Post: Post{
						Status: Publish,
					},
				}
				e.Description = strings.Repeat("long ", 100)
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	put(0, 2000)
	put(2000, 2600)
	must(t, s.Snapshot(t.Context()))
	update(t, s, func(tx *Tx) error {
		for id := int64(100); id < 1500; id++ {
			e := *tx.Event(id)
			e.Title += "!"
			if err := tx.Put(&e); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range 50 {
		put(2600+i, 2601+i)
	}
	want := maps.Clone(s.index.records[Events])
	must(t, s.Close())
	return m, want
}

func TestOpenMany(t *testing.T) {
	t.Parallel()
	m, want := many(t)
	var done []int64
	s := on(t, Options{Progress: func(n, total int64) {
		if n > total {
			t.Errorf("read %d of %d bytes", n, total)
		}
		done = append(done, n)
	}}, m)
	if len(done) < 10 || !slices.IsSorted(done) {
		t.Errorf("progress %v", done)
	}
	got := maps.Clone(s.index.records[Events])
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for id, r := range want {
		g := got[id].(*Event)
		w := r.(*Event)
		if g.Title != w.Title || g.Description != w.Description || g.Rev != w.Rev {
			t.Fatalf("event %d is %+v, want %+v", id, g, w)
		}
	}
}

// Damage in any block is refused with its place.
func TestDamageInABlock(t *testing.T) {
	t.Parallel()
	intact, _ := many(t)
	for _, name := range intact.names() {
		data := intact.at(name)
		if !strings.HasPrefix(name, wal.LogDir) || len(data) == 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(data))))
		for range 5 {
			at := rng.IntN(len(data))
			damaged := slices.Clone(data)
			damaged[at] ^= 1
			m := intact.crash(none, 0)
			m.put(name, damaged)
			for _, snapshot := range snapshotsOf(t, m) {
				must(t, wal.DiscardSnapshot(m, snapshot)) // so that all of the log counts
			}
			_, err := open(Options{}, m)
			var corrupt *CorruptError
			begin := bytes.LastIndexByte(data[:at], '\n') + 1
			if !errors.As(err, &corrupt) || corrupt.File != name ||
				corrupt.Offset != int64(begin) ||
				corrupt.Line != bytes.Count(data[:begin], []byte("\n"))+1 {
				t.Errorf("%s, byte %d of the line at %d: %v", name, at, begin, err)
			}
		}
	}
}

// A snapshot that agrees with its manifest and cannot be loaded is refused with the place.
func TestRefusedSnapshot(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	must(t, m.Mkdir("log"), m.Mkdir("snapshots"))
	var records [kinds][]Record
	for i := range 3000 {
		records[Venues] = append(records[Venues], &Venue{
			Post: Post{
				Meta: Meta{
					ID: int64(i + 1),
				},
			},
			Name: strings.Repeat("v", 200),
		})
	}
	records[Venues][2000].(*Venue).ID = 2000 // twice
	must(t, record.WriteSnapshot(m, record.Position{
		Position: wal.Position{
			Seq: 1,
		},
		NextPost: 1,
		NextTerm: 1,
	}, testTime, records))
	_, err := open(Options{}, m)
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Line != 2002 ||
		!strings.HasSuffix(corrupt.File, "venues.json") {
		t.Errorf("error %v, want one of line 2002", err)
	}
}
