// Snapshots: their records on the way to files and back.

package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"almanac/store/wal"
)

// SnapshotOrder has the order of the files of a snapshot: links lead back.
var SnapshotOrder = [Kinds]Kind{Accounts, Images, Categories, Tags, Venues, Organizers, AllSeries, Events}

// SnapshotFiles has their names.
var SnapshotFiles = func() (names []string) {
	for _, k := range SnapshotOrder {
		names = append(names, SnapshotFile(k))
	}
	return names
}()

func SnapshotFile(k Kind) string { return k.String() + ".json" }

// SnapshotPaths returns the names of the files of a snapshot, the manifest first.
func SnapshotPaths(seq uint64) []string {
	names := []string{wal.ManifestPath(seq)}
	for _, name := range SnapshotFiles {
		names = append(names, wal.SnapshotName(seq)+"/"+name)
	}
	return names
}

// WriteSnapshot writes a snapshot of a state. It sorts the records by id.
func WriteSnapshot(fsys wal.Files, p Position, at time.Time, records [Kinds][]Record) error {
	m := &wal.Manifest{
		Seq: p.Seq, Head: fmt.Sprintf("%x", p.Head), Time: at.UTC(),
		NextPost: p.NextPost, NextTerm: p.NextTerm, Identity: p.Identity,
	}
	var lists []wal.List
	for _, k := range SnapshotOrder {
		all := records[k]
		slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) })
		lists = append(lists, wal.List{Name: SnapshotFile(k), Len: len(all), Append: func(dst []byte, i int) ([]byte, error) {
			dst, err := AppendJSON(dst, all[i])
			if err != nil {
				err = fmt.Errorf("%s %d: %w", k, all[i].Key(), err)
			}
			return dst, err
		}})
	}
	return wal.WriteSnapshot(fsys, m, lists)
}

// PositionOf returns the state that a snapshot holds.
func PositionOf(m *wal.Manifest) Position {
	return Position{Position: m.At(), NextPost: m.NextPost, NextTerm: m.NextTerm, Identity: m.Identity}
}

// ReadSnapshot reads the records of a snapshot in its order. A file that differs from the manifest is a *CorruptError
// with the place.
func ReadSnapshot(fsys wal.Files, m *wal.Manifest, p *wal.Progress, take func(Record)) error {
	for i, k := range SnapshotOrder {
		if err := ReadRecords(fsys, m, i, k, p, take); err != nil {
			return err
		}
	}
	return nil
}

// ReadRecords reads a file of a snapshot, the records of a kind, ascending by id.
func ReadRecords(fsys wal.Files, m *wal.Manifest, i int, k Kind, p *wal.Progress, take func(Record)) error {
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
