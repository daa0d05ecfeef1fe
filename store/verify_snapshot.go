// Verifying snapshots: each by itself, and against the log.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"almanac/store/record"
	"almanac/store/wal"
)

// snapshot verifies the snapshot of the state that the log has come to, if
// there is one.
func (v *verifier) snapshot() error {
	i, listed := slices.BinarySearch(v.snapshots, v.Seq)
	if !listed {
		return nil
	}
	v.snapshots = slices.Delete(v.snapshots, i, i+1)
	return v.look(v.Seq, v.reach)
}

// strays looks at the snapshots that the log has not come to.
func (v *verifier) strays() error {
	for _, seq := range v.snapshots {
		err := v.look(seq, func(seq uint64) error {
			if _, err := wal.VerifySnapshot(v.Files, seq, record.SnapshotFiles); err != nil {
				return err
			}
			switch {
			case seq > v.Seq:
				return &CorruptError{
					File: wal.SegmentName(max(v.First, 1)),
					Err: fmt.Errorf(
						"the log ends with transaction %d, but there is a snapshot of %d",
						v.Seq,
						seq,
					),
				}
			case seq < v.begin:
				// Pruning removes only lines that are older than every snapshot.
				return &CorruptError{
					File: wal.SegmentName(v.begin),
					Err:  wal.MissingBefore(v.begin, seq+1),
				}
			default:
				return &CorruptError{
					File: wal.ManifestPath(seq),
					Err:  errors.New("the log has no line of its transaction"),
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// look verifies a snapshot. An error means nothing if the snapshot was
// pruned meanwhile, or replaced by one of the same state.
func (v *verifier) look(seq uint64, verify func(seq uint64) error) error {
	for again := true; ; again = false {
		err := verify(seq)
		if err == nil {
			err = v.added(seq)
		}
		if err == nil || IsFormat(err) {
			return err
		}
		seqs, listErr := wal.Snapshots(v.Files)
		if listErr != nil {
			return fmt.Errorf("store: %w", listErr)
		}
		if !slices.Contains(seqs, seq) {
			v.vanished = true
			return nil
		}
		if !again || !wal.IsAbsent(err) {
			v.find(wal.SnapshotName(seq), err)
			return nil
		}
	}
}

// added finds files that no snapshot has.
func (v *verifier) added(seq uint64) error {
	names, err := v.Files.ReadDir(wal.SnapshotName(seq))
	if err != nil {
		return err
	}
	known := record.SnapshotPaths(seq)
	for _, name := range names {
		if file := wal.SnapshotName(seq) + "/" + name; !slices.Contains(known, file) {
			v.find(file, errors.New("it is not a file of a snapshot: somebody has added it"))
		}
	}
	return nil
}

// checkpoint holds the snapshots that were read to the hashes in a line of the log.
func (v *verifier) checkpoint(e *wal.Line) {
	v.last = e
	for _, ref := range e.Snapshots {
		manifest, read := v.manifests[ref.Seq]
		if !read {
			continue
		}
		if _, err := e.Names(ref.Seq, manifest); err != nil {
			v.find(wal.SnapshotName(ref.Seq), err)
		} else if v.report.NamedBy == 0 {
			v.report.Named, v.report.NamedBy = ref.Seq, e.Seq
		}
	}
}

// missing finds snapshots that the last checkpoint names, and that are not there:
// the newest one, and of a pruned log all that it reaches back to. A log from its
// beginning may have come out of an archive, which has no older ones. The error is
// wal.ErrChanged if a server has taken another snapshot.
func (v *verifier) missing() error {
	if v.last == nil {
		return nil
	}
	now, err := wal.Snapshots(v.Files)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for i, ref := range v.last.Snapshots {
		newest := i == len(v.last.Snapshots)-1
		if slices.Contains(now, ref.Seq) || !newest && (v.oldest == 1 || ref.Seq+1 < v.oldest) {
			continue
		}
		if !slices.Equal(now, v.listed) {
			return wal.ErrChanged
		}
		v.find(
			wal.SnapshotName(ref.Seq),
			fmt.Errorf(
				"the snapshot is missing: transaction %d says that there is one",
				v.last.Seq,
			),
		)
	}
	return nil
}

// reach compares a snapshot with the state that the log has led to. When that
// is unknown, it is from here on that of the snapshot.
func (v *verifier) reach(seq uint64) error {
	name := wal.SnapshotName(seq)
	fail := func(format string, args ...any) error {
		return &CorruptError{File: wal.ManifestPath(seq), Err: fmt.Errorf(format, args...)}
	}
	m, err := wal.VerifySnapshot(v.Files, seq, record.SnapshotFiles)
	if err != nil {
		return err
	}
	p := record.PositionOf(m)
	v.manifests[seq] = m.Sum()
	if !v.Unknown && p.Head != v.Head {
		return fail("its head is not the SHA-256 of transaction %d in the log, %x", seq, v.Head)
	}
	state := v.state
	next := record.Position{NextPost: 1, NextTerm: 1}
	d := differences{name: name, state: state}
	if state == nil {
		state = newIndex()
	}
	err = record.ReadSnapshot(v.Files, m, nil, func(r Record) {
		next.Count(r.Kind(), r.Key())
		if v.state == nil {
			state.put(r)
		} else {
			d.compare(r)
		}
	})
	if err != nil {
		return err
	}
	if v.state != nil {
		d.count(m)
		next.NextPost = max(next.NextPost, v.ids.NextPost)
		next.NextTerm = max(next.NextTerm, v.ids.NextTerm)
	}
	if p.NextPost < next.NextPost || p.NextTerm < next.NextTerm {
		d.found = append(
			d.found,
			fail(
				"the next ids are %d and %d, but %d and %d have been given",
				p.NextPost,
				p.NextTerm,
				next.NextPost-1,
				next.NextTerm-1,
			),
		)
	}
	switch was, is := v.ids.SettingsOrNone(), p.SettingsOrNone(); {
	case v.state != nil && p.Identity != v.ids.Identity:
		d.found = append(
			d.found,
			fail("its identity is %q, and the log leads to %q", p.Identity, v.ids.Identity),
		)
	case v.state != nil && is != was:
		d.found = append(d.found, fail("its settings are %v, and the log leads to %v", is, was))
	}
	if v.state == nil {
		v.state = state
		v.ids = p
	}
	if v.oldest > 1 && v.report.Base == 0 {
		v.report.Base = seq
	}
	if v.Unknown {
		v.Head = p.Head
		v.Unknown = false
	}
	if v.report.Lines == 0 {
		v.noteHead(Ancestor{Seq: seq, Head: p.Head, Time: m.Time, Snapshot: true})
	}
	found := len(v.report.Findings)
	for _, err := range d.found {
		v.find(name, err)
	}
	v.rules(name, p)
	if len(v.report.Findings) == found {
		v.report.Snapshots = append(v.report.Snapshots, seq)
	}
	return nil
}

// differences are those between the records of a snapshot and of a state.
type differences struct {
	name  string // of the snapshot
	state *index
	lines [kinds]int // records compared so far
	found []error

	snapshot, log []byte // reused
}

// compare compares the next record of a snapshot with the one of the state.
// Both are written anew: the bytes of equal records may differ when one of them
// was read in between, as a text that was not UTF-8.
func (d *differences) compare(r Record) {
	k := r.Kind()
	d.lines[k]++
	want := d.state.records[k][r.Key()]
	var err error
	if want == nil {
		err = fmt.Errorf("the log leads to no record of %s with the id %d", k, r.Key())
	} else {
		var one, other error
		d.snapshot, one = record.AppendJSON(d.snapshot[:0], r)
		d.log, other = record.AppendJSON(d.log[:0], want)
		if err = errors.Join(one, other); err == nil && !bytes.Equal(d.snapshot, d.log) {
			err = fmt.Errorf("the log leads to other contents of %s %d", k, r.Key())
		}
	}
	if err != nil && len(d.found) <= maxFindings {
		const before = 1 // the line with [
		d.found = append(d.found, &CorruptError{
			File: d.name + "/" + record.SnapshotFile(k),
			Line: d.lines[k] + before,
			Err:  err,
		})
	}
}

// count compares how many records there are.
func (d *differences) count(m *wal.Manifest) {
	for k := range kinds {
		got := m.Files[slices.Index(record.SnapshotOrder[:], k)].Records
		want := len(d.state.records[k])
		if got != want {
			d.found = append(d.found, &CorruptError{
				File: d.name + "/" + record.SnapshotFile(k),
				Err:  fmt.Errorf("%d records, and the log leads to %d", got, want),
			})
		}
	}
}
