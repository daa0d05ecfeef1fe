// Snapshots: their records on the way to files and back, and pruning, the removal of segments and snapshots that are not
// needed any more.

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

// verifySnapshot reads a snapshot whole and compares it with its manifest. It
// loads nothing, since what is loaded cannot be taken back.
func verifySnapshot(fsys wal.Files, seq uint64) (*wal.Manifest, error) {
	m, err := wal.ReadManifest(fsys, seq, snapshotFiles)
	if err == nil {
		err = m.Verify(fsys)
	}
	return m, err
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

// A candidate is a snapshot, as far as pruning looks at it.
type candidate struct {
	wal.Reference
	time time.Time // when it was made
}

// A retention says which files stay after a snapshot was made.
type retention struct {
	listing                       // before
	stays         []wal.Reference // the snapshots that stay, ascending
	base, covered uint64          // see base
	cutoff        time.Time       // no line after it goes
}

// retain decides what is older than has to be kept, after a snapshot was made. It
// removes nothing. Previous is the good snapshot before it, 0 for none.
func (j *journal) retain(previous uint64, now time.Time) (*retention, error) {
	all, err := list(j.Files)
	if err != nil {
		return nil, err
	}
	r := &retention{listing: all, cutoff: now.Add(-max(j.keep, 0))}
	candidates, err := j.candidates(r.snapshots)
	if err != nil {
		return nil, err
	}
	r.base, r.covered = j.base(candidates, r.segments, previous, r.cutoff)
	stays := j.staying(candidates, r.base, previous)
	for _, m := range candidates {
		if slices.Contains(stays, m.Seq) {
			r.stays = append(r.stays, m.Reference)
		}
	}
	if n := len(r.stays); n == 0 || r.stays[n-1].Seq != j.latest {
		return nil, fmt.Errorf("the snapshot of %d cannot be read again", j.latest)
	}
	return r, nil
}

// prune removes old files, once a line of the log names the snapshots that stay. The comments
// say which files are on disk if the process dies at that step.
func (j *journal) prune(r *retention) error {
	// Older snapshots, each under its own name and whole, or under a name that
	// recovery removes. None is there without the log after it.
	for _, seq := range r.snapshots {
		if !slices.ContainsFunc(r.stays, func(ref wal.Reference) bool { return ref.Seq == seq }) {
			if err := wal.DiscardSnapshot(j.Files, seq); err != nil {
				return err
			}
		}
	}

	// Older segments, from one of them on: each is gone for good before the next
	// one goes, so that there is never a gap.
	removed, segments := 0, r.segments
	for ; len(segments) > 1 && segments[1] <= r.covered+1; segments = segments[1:] {
		aged, err := j.aged(segments, r.cutoff)
		if err != nil {
			return err
		}
		if !aged {
			break
		}
		if err := j.Files.Remove(wal.SegmentName(segments[0])); err != nil {
			return err
		}
		if err := j.Files.SyncDir(wal.LogDir); err != nil {
			return err
		}
		removed++
	}
	if removed > 0 {
		j.Logger.Info("log pruned", "segments", removed, "first", segments[0], "snapshot", r.base)
	}
	return nil
}

// candidates reads when snapshots were made. One whose manifest is damaged is left
// out: nothing can be read from it.
func (j *journal) candidates(snapshots []uint64) ([]candidate, error) {
	var candidates []candidate
	for _, seq := range snapshots {
		text, err := wal.ReadFile(j.Files, wal.ManifestPath(seq))
		if err != nil && !wal.IsAbsent(err) {
			return nil, err
		}
		if m, err := wal.ParseManifest(text, snapshotFiles); err == nil && m.Seq == seq {
			candidates = append(candidates, candidate{wal.Reference{Seq: seq, Manifest: m.Sum()}, m.Time})
		}
	}
	return candidates, nil
}

// base chooses the snapshot that the restoring of any moment to be kept can
// begin with; 0 is the beginning of the log. All that is before it may go.
// Covered is the same if the snapshot has been read and found whole, else 0.
//
// It is not the newest snapshot, even if that alone would do: when one turns
// out to be damaged there has to be another, with the log after it.
func (j *journal) base(candidates []candidate, segments []uint64, previous uint64, cutoff time.Time) (base, covered uint64) {
	for _, m := range slices.Backward(candidates) {
		if j.keep == 0 || m.Seq > previous || m.time.After(cutoff) {
			continue
		}
		if m == candidates[0] && (len(segments) < 2 || segments[1] > m.Seq+1) {
			return m.Seq, 0 // nothing is before it, so it need not be read
		}
		_, err := verifySnapshot(j.Files, m.Seq)
		if err == nil {
			return m.Seq, m.Seq
		}
		j.Logger.Warn("a snapshot cannot be relied on; keeping what is older", "snapshot", m.Seq, "err", err)
	}
	if len(candidates) > 0 && len(segments) > 0 && segments[0] > 1 {
		return candidates[0].Seq, 0
	}
	return 0, 0
}

// staying returns the snapshots to keep: the base, the newest, the one before it,
// and between them one for each half of the time to keep. One of these is the
// next base; without them it could be none but the newest, which are always
// too young where much is written.
func (j *journal) staying(candidates []candidate, base, previous uint64) []uint64 {
	stays := []uint64{base, previous, j.latest}
	var last time.Time
	for _, m := range candidates {
		switch {
		case m.Seq < base:
		case m.Seq == base:
			last = m.time
		case j.keep > 0 && m.time.Sub(last) >= j.keep/2:
			last = m.time
			stays = append(stays, m.Seq)
		}
	}
	return stays
}

// aged reports whether no line of the first of some segments was committed after a
// moment. It reads the lines, because clocks are set back now and then.
func (j *journal) aged(segments []uint64, cutoff time.Time) (bool, error) {
	r := wal.Reader{Files: j.Files, Rest: segments, Alone: true, One: true}
	err := r.Follow(func(l *wal.Line) error {
		if l.Time.After(cutoff) {
			return wal.ErrStop
		}
		return nil
	}, func(err error) error { return err })
	if err == wal.ErrStop {
		return false, nil
	}
	return err == nil, err
}
