// Checkpoints: their lines, and what is found out because of them.

package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// prunedStore returns the files of a store whose log was pruned, the head that
// somebody has noted, and the snapshots. An event of then was never written
// again.
func prunedStore(t *testing.T) (m *memFiles, head string, snapshots []uint64) {
	t.Helper()
	m = newMemFiles()
	clock := testTime
	s, err := open(Options{
		Segment:  1,
		Snapshot: -1,
		Keep:     3 * day,
		Now:      func() time.Time { return clock },
	}, m)
	must(t, err)
	put(t, s, &Event{Title: "Concert", Start: 3600, End: 7200, Timezone: "UTC"})
	for n := range 12 {
		clock = clock.Add(day)
		put(t, s, &Venue{Name: fmt.Sprint("Venue ", n)})
		must(t, s.Snapshot(context.Background()))
	}
	put(t, s, &Venue{Name: "The last"})
	at := s.state.Load().at
	must(t, s.Check(), s.Close())
	snapshots = snapshotsOf(t, m)
	if first := segmentsOf(t, m)[0]; first < 3 || len(snapshots) < 3 {
		t.Fatalf("the log begins with %d, with the snapshots %v", first, snapshots)
	}
	return m, fmt.Sprintf("%x", at.Head), snapshots
}

// forge rewrites a file of a snapshot and makes all hashes in the snapshot right again.
func forge(t *testing.T, m *memFiles, seq uint64, old, new string) {
	t.Helper()
	name := wal.SnapshotName(seq) + "/" + record.SnapshotFile(Events)
	data := bytes.Replace(m.at(name), []byte(old), []byte(new), 1)
	m.put(name, data)
	manifestFile := wal.ManifestPath(seq)
	forged, err := wal.ParseManifest(m.at(manifestFile), record.SnapshotFiles)
	must(t, err)
	f := &forged.Files[slices.Index(record.SnapshotOrder[:], Events)]
	f.Bytes = int64(len(data))
	f.SHA256 = fmt.Sprintf("%x", sha256.Sum256(data))
	text, err := wal.EncodeSealed(forged)
	must(t, err)
	m.put(manifestFile, text)
}

// A known head reveals that the records of a pruned log were exchanged, although all hashes in all
// snapshots are right.
func TestForgedSnapshots(t *testing.T) {
	t.Parallel()
	m, head, snapshots := prunedStore(t)
	r, found := verified(t, m, head)
	if found != nil || len(r.Since) != 1 || !r.Since[0].Whole || r.Base != snapshots[0] ||
		r.Named != r.Base ||
		r.NamedBy != r.Base+1 {
		t.Fatalf("as it was: found %q, %+v", found, r)
	}
	for _, seq := range snapshots {
		forge(t, m, seq, "Concert", "Fraud!!")
	}
	r, found = verified(t, m, head)
	for _, seq := range snapshots {
		want := fmt.Sprintf("%s/manifest.json:0: its SHA-256 is ", wal.SnapshotName(seq))
		if !slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, want) }) {
			t.Errorf("found %q, want %q", found, want)
		}
	}
	if r.Since[0].Whole {
		t.Error("the head is said to stand for the forged records")
	}
	if _, err := open(Options{}, m.crash(none, 0)); err == nil ||
		!strings.Contains(err.Error(), "when the snapshot was made it was") {
		t.Errorf("a forged directory is opened: %v", err)
	}
	all, err := wal.ListFiles(m)
	must(t, err)
	if _, err := archive.Cut(m, all, archive.Point{}, testTime, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "when the snapshot was made it was") {
		t.Errorf("a forged directory is saved: %v", err)
	}

	// With the lines that name the snapshots cut off, and a new snapshot in their place.
	m, head, snapshots = prunedStore(t)
	latest := snapshots[len(snapshots)-1]
	for _, seq := range snapshots[:len(snapshots)-1] {
		must(t, wal.RemoveTree(m, wal.SnapshotName(seq)))
	}
	named := latest + 1 // the checkpoint
	text := bytes.TrimSuffix(m.at(wal.SegmentName(named)), []byte("\n"))
	forge(t, m, latest, "Concert", "Fraud!!")
	old, err := wal.ParseManifest(m.at(wal.ManifestPath(latest)), record.SnapshotFiles)
	must(t, err)
	old.Seq = named
	old.Head = fmt.Sprintf("%x", sha256.Sum256(text))
	forged, err := wal.EncodeSealed(old)
	must(t, err)
	must(t, m.Mkdir(wal.SnapshotName(named)))
	for _, k := range record.SnapshotOrder {
		m.put(
			wal.SnapshotName(named)+"/"+record.SnapshotFile(k),
			m.at(wal.SnapshotName(latest)+"/"+record.SnapshotFile(k)),
		)
	}
	m.put(wal.ManifestPath(named), forged)
	must(t, wal.RemoveTree(m, wal.SnapshotName(latest)))
	for _, first := range segmentsOf(t, m) {
		if first <= named {
			must(t, m.Remove(wal.SegmentName(first)))
		}
	}
	r, found = verified(t, m, head)
	if found != nil || len(r.Since) != 1 || r.Since[0].Whole || r.Base != named || r.Named != 0 {
		t.Errorf("a log without checkpoints: found %q, %+v", found, r)
	}
}

// A snapshot that a checkpoint names, and the log still reaches back to, has to be there.
func TestMissingSnapshots(t *testing.T) {
	t.Parallel()
	m, _, snapshots := prunedStore(t)
	for _, seq := range snapshots {
		left := m.crash(none, 0)
		must(t, wal.RemoveTree(left, wal.SnapshotName(seq)))
		want := wal.SnapshotName(seq) + ":0: the snapshot is missing: transaction "
		if _, found := verified(t, left, ""); len(found) != 1 ||
			!strings.HasPrefix(found[0], want) {
			t.Errorf("without the snapshot of %d: found %q, want %q", seq, found, want)
		}
	}

	// Of a log that begins with the first line, as one out of an archive may, the newest.
	d := newDeed(t)
	must(t, wal.RemoveTree(d.files, wal.SnapshotName(2)))
	if _, found := verified(t, d.files, ""); found != nil {
		t.Errorf("without the older one: found %q", found)
	}
	must(t, wal.RemoveTree(d.files, wal.SnapshotName(9)))
	if _, found := verified(t, d.files, ""); len(found) != 1 ||
		found[0] != wal.SnapshotName(
			9,
		)+":0: the snapshot is missing: transaction 10 says that there is one" {
		t.Errorf("without the newest one: found %q", found)
	}
}

// A file that no snapshot has is found, and so is the next segment if it is empty, which
// is no damage.
func TestVerifyAdded(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	d.files.put(wal.SnapshotName(9)+"/notes.txt", []byte("x"))
	if _, found := verified(t, d.files, ""); len(found) != 1 ||
		found[0] != wal.SnapshotName(
			9,
		)+"/notes.txt:0: it is not a file of a snapshot: somebody has added it" {
		t.Errorf("found %q", found)
	}
	d = newDeed(t)
	d.files.put(wal.SegmentName(11), nil)
	if r, found := verified(t, d.files, ""); found != nil || r.Empty != wal.SegmentName(11) ||
		r.Last != 10 {
		t.Errorf("the next segment, empty: found %q, %+v", found, r)
	}
	d.files.put(wal.SegmentName(12), nil)
	if _, found := verified(t, d.files, ""); found == nil {
		t.Error("another empty segment is not found")
	}
}

// Damage hides the records after it and not those before, and a good snapshot brings
// them back.
func TestVerifyRecords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		line  string // with a changed byte
		at    uint64
		hides bool
		want  [kinds]int
	}{
		{"before a snapshot", "Concert, moved", 11, false, [kinds]int{Events: 4, Venues: 1}},
		{"the last line", "Late", 10, true, [kinds]int{Events: 3, Venues: 1}},
		{"the first line", "Town Hall", 11, false, [kinds]int{Events: 4, Venues: 1}},
	} {
		d := newDeed(t)
		d.commit(d.event(5, "Late"))
		for _, seq := range segmentsOf(t, d.files) {
			name := wal.SegmentName(seq)
			if text := d.files.at(name); bytes.Contains(text, []byte(test.line)) {
				d.files.put(
					name,
					bytes.Replace(text, []byte(test.line), []byte(strings.ToUpper(test.line)), 1),
				)
				break
			}
		}
		r, found := verified(t, d.files, "")
		if len(found) == 0 || r.RecordsAt != test.at || r.RecordsHidden != test.hides ||
			r.Records != test.want {
			t.Errorf(
				"%s: found %q, records %v after %d, hidden %t",
				test.name,
				found,
				r.Records,
				r.RecordsAt,
				r.RecordsHidden,
			)
		}
	}
	d := newDeed(t)
	must(
		t,
		wal.RemoveTree(d.files, wal.SnapshotName(2)),
		wal.RemoveTree(d.files, wal.SnapshotName(9)),
	)
	d.files.put(
		firstSegment,
		bytes.Replace(d.files.at(firstSegment), []byte("Town"), []byte("TOWN"), 1),
	)
	if r, _ := verified(t, d.files, ""); !r.RecordsHidden || r.RecordsAt > 0 {
		t.Errorf("records %v are known although the first line is damaged", r.Records)
	}
}

// A store that was opened again knows that nothing but the checkpoint came after the
// snapshot: it makes no second one of the same records, and goes on to make one when
// there are others.
func TestNoSnapshotOfTheSame(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	open := func() *Store {
		s, err := open(Options{Snapshot: -1}, m)
		must(t, err)
		return s
	}
	s := open()
	put(t, s, &Venue{Name: "Hall"})
	must(t, s.Snapshot(t.Context()), s.Close())
	s = open()
	must(t, s.Snapshot(t.Context()))
	if seqs := snapshotsOf(t, m); !slices.Equal(seqs, []uint64{1}) || s.Seq() != 2 {
		t.Errorf("the snapshots %v after transaction %d, want the one of 1 after 2", seqs, s.Seq())
	}
	put(t, s, &Venue{Name: "Club"})
	must(t, s.Snapshot(t.Context()))
	if seqs := snapshotsOf(t, m); !slices.Contains(seqs, 3) || s.Seq() != 4 {
		t.Errorf("the snapshots %v after transaction %d, want one of 3 after 4", seqs, s.Seq())
	}
	must(t, s.Check(), s.Close())
}
