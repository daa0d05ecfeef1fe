// The records of a snapshot, on their way to its files and back.

package store

import (
	"cmp"
	"fmt"
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

// verifySnapshot reads a snapshot whole and compares it with its manifest. It
// loads nothing, since what is loaded cannot be taken back.
func verifySnapshot(fsys wal.Files, seq uint64) (*wal.Manifest, error) {
	m, err := wal.ReadManifest(fsys, seq, snapshotFiles)
	if err == nil {
		err = m.Verify(fsys)
	}
	return m, err
}

// A chunk is some records of one kind of a snapshot, ascending by id. It has its first and last id,
// so that the receiver need not read records that are in the cache of another processor.
type chunk struct {
	kind        Kind
	records     []Record
	first, last int64 // ids
}

// change returns the records as a change.
func (p *chunk) change() *Change {
	c := new(Change)
	for _, r := range p.records {
		c.add(r)
	}
	return c
}

// Add reads the next record.
func (p *chunk) Add(text []byte) error {
	r, err := decodeRecord(p.kind, text)
	switch {
	case err != nil:
		return err
	case r.Key() <= p.last:
		return fmt.Errorf("the id %d after %d", r.Key(), p.last)
	case r.Key() == math.MaxInt64: // no id follows it
		return fmt.Errorf("a record of %s with the id %d", p.kind, r.Key())
	}
	if len(p.records) == 0 {
		p.first = r.Key()
	}
	p.records, p.last = append(p.records, r), r.Key()
	return nil
}

// readSnapshot reads the records of a snapshot, some thousand of one kind at a
// time. A file that differs from the manifest is a *CorruptError with the place.
func readSnapshot(fsys wal.Files, m *wal.Manifest, p *wal.Progress, load func(*chunk)) error {
	for i, k := range snapshotOrder {
		if err := readRecords(fsys, m, i, k, p, load); err != nil {
			return err
		}
	}
	return nil
}

// readRecords reads a file of a snapshot, the records of a kind.
func readRecords(fsys wal.Files, m *wal.Manifest, i int, k Kind, p *wal.Progress, load func(*chunk)) error {
	last := int64(0)
	begin := func(records int) *chunk { return &chunk{kind: k, records: make([]Record, 0, records)} }
	return wal.ReadList(fsys, m, m.Files[i], p, begin, func(some *chunk) error {
		if some.first <= last {
			return fmt.Errorf("the id %d after %d", some.first, last)
		}
		last = some.last
		load(some)
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
