// Snapshots: their records on the way to files and back.

package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/store/wal"
)

// SnapshotOrder has the order of the files of a snapshot: links lead back.
var SnapshotOrder = [Kinds]Kind{
	Accounts,
	Images,
	Categories,
	Tags,
	Venues,
	Organizers,
	AllSeries,
	Events,
}

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
		Seq:      p.Seq,
		Head:     fmt.Sprintf("%x", p.Head),
		Time:     at.UTC(),
		NextPost: p.NextPost,
		NextTerm: p.NextTerm,
		Identity: p.Identity,
		Settings: p.Settings,
	}
	var lists []wal.List
	var like likeWriter
	for _, k := range SnapshotOrder {
		all := records[k]
		slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) })
		lists = append(lists, wal.List{
			Name: SnapshotFile(k),
			Len:  len(all),
			Append: func(dst []byte, i int) ([]byte, error) {
				var value any = all[i]
				if e, ok := all[i].(*Event); ok {
					if value = like.listed(e); like.used {
						m.Version = wal.LikeSnapshot
					}
				}
				dst, err := AppendJSON(dst, value)
				if err != nil {
					err = fmt.Errorf("%s %d: %w", k, all[i].Key(), err)
				}
				return dst, err
			},
		})
	}
	return wal.WriteSnapshot(fsys, m, lists)
}

// A Position is a state of the store.
type Position struct {
	wal.Position
	NextPost, NextTerm int64     // ids that the next records get, from 1
	Identity           string    // of the calendar; "" before it has one
	Settings           *Settings // of the site, which never change; nil before there are some
}

// Count notes that an id was given.
func (p *Position) Count(k Kind, id int64) {
	next := p.Next(k)
	*next = max(*next, id+1)
}

// Next returns where the next id of a kind is. Accounts come with theirs.
func (p *Position) Next(k Kind) *int64 {
	switch {
	case k == Accounts:
		none := int64(math.MaxInt64)
		return &none
	case k.IsTerm():
		return &p.NextTerm
	}
	return &p.NextPost
}

// Note counts the ids of a change, and takes the identity and the settings that it sets.
func (p *Position) Note(c *Change) {
	p.Identity = cmp.Or(c.Identity, p.Identity)
	p.Settings = cmp.Or(c.Settings, p.Settings)
	c.Each(func(r Record) { p.Count(r.Kind(), r.Key()) })
	for _, gone := range c.Removed {
		p.Count(gone.Kind, gone.ID)
	}
}

// Reserve keeps an id from new records that another one had at a site of the same identity: both
// would have one global id.
func (p *Position) Reserve(global string) {
	const most = 1 << 31 // a file may say anything, and ids come to an end
	text, ours := strings.CutPrefix(global, p.Identity+"?id=")
	if id, err := strconv.ParseInt(text, 10, 64); ours && err == nil && id < most {
		p.NextPost = max(p.NextPost, id+1)
	}
}

// PositionOf returns the state that a snapshot holds.
func PositionOf(m *wal.Manifest) Position {
	return Position{
		Position: m.At(),
		NextPost: m.NextPost,
		NextTerm: m.NextTerm,
		Identity: m.Identity,
		Settings: m.Settings,
	}
}

// ReadSnapshot reads the records of a snapshot in its order. A file that differs from the manifest
// is a *CorruptError with the place.
func ReadSnapshot(fsys wal.Files, m *wal.Manifest, p *wal.Progress, take func(Record)) error {
	for i, k := range SnapshotOrder {
		if err := ReadRecords(fsys, m, i, k, p, take); err != nil {
			return err
		}
	}
	return nil
}

// ReadRecords reads a file of a snapshot, the records of a kind, ascending by id.
func ReadRecords(
	fsys wal.Files,
	m *wal.Manifest,
	i int,
	k Kind,
	p *wal.Progress,
	take func(Record),
) error {
	last := int64(0)
	before := likeReader{}
	return wal.ReadList(fsys, m, m.Files[i], p, func(text []byte) error {
		r, err := decodeRecord(k, text, before)
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
