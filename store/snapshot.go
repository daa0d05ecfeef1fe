// Snapshots: their records on the way to files and back.

package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"almanac/store/wal"
)

// snapshotOrder has the order of the files of a snapshot: links lead back.
var snapshotOrder = [kinds]Kind{Accounts, Images, Categories, Tags, Venues, Organizers, AllSeries, Events}

// snapshotFiles has their names.
var snapshotFiles = func() (names []string) {
	for _, k := range snapshotOrder {
		names = append(names, snapshotFile(k))
	}
	return names
}()

func snapshotFile(k Kind) string { return k.String() + ".json" }

// saveRecords writes a snapshot of a state. It sorts the records by id.
func saveRecords(fsys wal.Files, p position, at time.Time, records [kinds][]Record) error {
	m := &wal.Manifest{
		Seq: p.Seq, Head: fmt.Sprintf("%x", p.Head), Time: at.UTC(),
		NextPost: p.NextPost, NextTerm: p.NextTerm, Identity: p.Identity,
	}
	var lists []wal.List
	for _, k := range snapshotOrder {
		all := records[k]
		slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) })
		lists = append(lists, wal.List{Name: snapshotFile(k), Len: len(all), Append: func(dst []byte, i int) ([]byte, error) {
			dst, err := appendJSON(dst, all[i])
			if err != nil {
				err = fmt.Errorf("%s %d: %w", k, all[i].Key(), err)
			}
			return dst, err
		}})
	}
	return wal.WriteSnapshot(fsys, m, lists)
}

// positionOf returns the state that a snapshot holds.
func positionOf(m *wal.Manifest) position {
	return position{Position: m.At(), NextPost: m.NextPost, NextTerm: m.NextTerm, Identity: m.Identity}
}

// readSnapshot reads the records of a snapshot in its order. A file that differs from the manifest is a *CorruptError
// with the place.
func readSnapshot(fsys wal.Files, m *wal.Manifest, p *wal.Progress, take func(Record)) error {
	for i, k := range snapshotOrder {
		if err := readRecords(fsys, m, i, k, p, take); err != nil {
			return err
		}
	}
	return nil
}

// readRecords reads a file of a snapshot, the records of a kind, ascending by id.
func readRecords(fsys wal.Files, m *wal.Manifest, i int, k Kind, p *wal.Progress, take func(Record)) error {
	last := int64(0)
	return wal.ReadList(fsys, m, m.Files[i], p, func(text []byte) error {
		r, err := decodeRecord(k, text)
		switch {
		case err != nil:
			return err
		case r.Key() <= last:
			return fmt.Errorf("the id %d after %d", r.Key(), last)
		case r.Key() == math.MaxInt64: // no id follows it
			return fmt.Errorf("a record of %s with the id %d", k, r.Key())
		}
		last = r.Key()
		take(r)
		return nil
	})
}

func newRecord(k Kind) Record {
	switch k {
	case Events:
		return new(Event)
	case Venues:
		return new(Venue)
	case Organizers:
		return new(Organizer)
	case Images:
		return new(Image)
	case AllSeries:
		return new(Series)
	case Accounts:
		return new(Account)
	default:
		return &Term{Taxonomy: k}
	}
}

// all returns the records of every kind, in no order.
func (x *index) all() (all [kinds][]Record) {
	for k := range kinds {
		all[k] = slices.AppendSeq(make([]Record, 0, len(x.records[k])), maps.Values(x.records[k]))
	}
	return all
}
