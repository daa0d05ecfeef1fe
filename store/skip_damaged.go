// Skipping damage: the policy of a restore that goes on behind it, says what is missing, and
// repairs records that lead to lost ones.

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// spareIDs are how many ids stay free when something is lost: an id that somebody has seen
// is not given again to another record.
const spareIDs = 1000

// A remainder has everything that still verifies: for each kind of records the newest file of a
// snapshot that is as its manifest says, and every later line of the log with the right
// checksum.
type remainder struct {
	records [kinds]map[int64]Record
	bases   [kinds]uint64   // the snapshots that they come from; 0 for none
	at      record.Position // of the last transaction that is known, with the next ids
	chain   wal.Chain       // up to the last line that was taken
	damaged uint64          // lines after it that were not
	missing []string        // all that could not be read, and its consequences
}

// remains reads a directory that may be damaged.
func remains(ctx context.Context, fsys wal.Files) (*remainder, error) {
	s := &remainder{at: record.Position{NextPost: 1, NextTerm: 1}}
	for k := range kinds {
		s.records[k] = map[int64]Record{}
	}
	all, err := wal.ListFiles(fsys)
	if err != nil {
		return nil, err
	}
	for _, seq := range slices.Backward(all.Snapshots) {
		s.at.Seq = max(s.at.Seq, seq)
		if err := s.snapshot(fsys, seq); err != nil {
			return nil, err
		}
	}
	if n := len(all.Segments); n > 0 {
		s.at.Seq = max(s.at.Seq, all.Segments[n-1]-1) // the segments before it had them
	}
	r := &wal.Reader{Files: fsys, Decode: record.DecodeLine, Alone: true, Rest: all.Segments}
	err = r.Follow(func(l *wal.Line) error {
		s.line(fmt.Sprintf("%s: line %d", wal.SegmentName(r.First), r.Number), l)
		return context.Cause(ctx)
	}, func(err error) error {
		if IsFormat(err) {
			return err
		}
		s.damaged++
		s.miss("%s", whereOf(err))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if r.Tail != nil {
		s.miss(
			"%s: its end, %d bytes, is no whole line: a server died before it was stored, or the end of the file was lost",
			wal.SegmentName(r.First),
			len(r.Tail),
		)
	}
	s.end()
	return s, nil
}

// copyUploads copies the files of uploads. An upload that lacks one is left out, and the records
// that show it lose it.
func (s *remainder) copyUploads(src, to wal.Files) {
	for _, id := range slices.Sorted(maps.Keys(s.records[Images])) {
		i := s.records[Images][id].(*Image)
		if i.Directory == "" {
			continue
		}
		if err := archive.CopyUpload(src, to, i); err != nil {
			s.miss("picture %d: left out: %v", id, err)
			delete(s.records[Images], id)
		}
	}
}

// miss notes what could not be read.
func (s *remainder) miss(format string, args ...any) {
	s.missing = append(s.missing, fmt.Sprintf(format, args...))
}

// snapshot takes the files that verify, of kinds that no newer snapshot has.
func (s *remainder) snapshot(fsys wal.Files, seq uint64) error {
	m, err := wal.ReadManifest(fsys, seq, record.SnapshotFiles)
	if IsFormat(err) {
		return err
	}
	if err != nil {
		s.miss("%s", whereOf(err))
		return nil
	}
	s.at.NextPost = max(s.at.NextPost, m.NextPost)
	s.at.NextTerm = max(s.at.NextTerm, m.NextTerm)
	s.at.Identity = cmp.Or(s.at.Identity, m.Identity)
	s.at.Settings = cmp.Or(s.at.Settings, m.Settings)
	for i, k := range record.SnapshotOrder {
		if s.bases[k] > 0 {
			continue
		}
		read := map[int64]Record{}
		err := record.ReadRecords(fsys, m, i, k, nil, func(r Record) { read[r.Key()] = r })
		if err == nil {
			s.records[k], s.bases[k] = read, seq
		} else {
			s.miss("%s", whereOf(err))
		}
	}
	return nil
}

// line takes a line that is right in itself.
func (s *remainder) line(where string, l *wal.Line) {
	switch {
	case l.Seq <= s.chain.Seq:
		s.miss("%s: transaction %d, which is there already: it was not taken", where, l.Seq)
		return
	case l.Seq > s.chain.Seq+1:
		s.lose(s.chain.Seq+1, l.Seq-1)
	case s.damaged == 0 && s.chain.Check(l) != nil:
		s.miss(
			"%s: transaction %d does not follow the one before it: one of the two was written anew; both were taken",
			where,
			l.Seq,
		)
	}
	s.chain = l.After()
	s.damaged = 0
	change := record.ChangeOf(&l.Entry)
	s.at.Note(change)
	change.Each(func(r Record) {
		if l.Seq > s.bases[r.Kind()] {
			s.records[r.Kind()][r.Key()] = r
		}
	})
	for _, gone := range change.Removed {
		delete(s.records[gone.Kind], gone.ID) // no newer snapshot has it
	}
}

// lose notes that the lines of transactions are missing, and what of them snapshots have.
func (s *remainder) lose(from, to uint64) {
	what := fmt.Sprintf("transactions %d to %d", from, to)
	if from == to {
		what = fmt.Sprintf("transaction %d", from)
	}
	var lost []string
	for k := range kinds {
		if s.bases[k] < to {
			lost = append(lost, k.String())
		}
	}
	switch {
	case s.chain.Seq == 0 && s.damaged == 0 && lost == nil: // a log may begin after a snapshot
	case lost == nil:
		s.miss("%s: their lines are lost; what they did is in the snapshots", what)
	case len(lost) == int(kinds):
		s.miss("%s: lost", what)
	default:
		s.miss("%s: lost, for what they did to %v", what, lost)
	}
}

// end notes what is missing at the end of the log.
func (s *remainder) end() {
	last := max(s.at.Seq, s.chain.Seq+s.damaged)
	if s.at.Seq = last; last > s.chain.Seq {
		s.lose(s.chain.Seq+1, last)
	} else {
		s.at.Head = s.chain.Head // else nobody knows it
	}
	if s.damaged > 0 {
		s.miss("how many transactions there were after %d is not known", last)
	}
	if s.missing != nil {
		s.at.NextPost = s.at.NextPost + spareIDs
		s.at.NextTerm = s.at.NextTerm + spareIDs
	}
}

// whereOf says where an error is, without the name of the package.
func whereOf(err error) string {
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) {
		return strings.TrimPrefix(err.Error(), "store: ")
	}
	where := corrupt.File
	if corrupt.Line > 0 {
		where += fmt.Sprintf(": line %d", corrupt.Line)
	}
	return fmt.Sprintf("%s: %v", where, corrupt.Err)
}

// build fills an empty directory with a note of the missing parts, and a snapshot of the records
// after it. The directory is closed then.
func (s *remainder) build(to wal.Files, now time.Time) error {
	records := s.repaired(s.at.Seq + 1)
	s.repairLogo()
	note, err := record.AppendJSON(nil, &record.Note{
		Salvaged: &record.Salvaged{
			Missing: append([]string{}, s.missing...),
		},
	})
	if err != nil {
		return err
	}
	log, err := wal.Open(to, wal.Options{})
	if err != nil {
		return err
	}
	j := &journal{Log: log, at: s.at}
	defer j.Close()
	if err = j.Begin(&wal.Replay{At: s.at.Position}); err == nil {
		err = j.commit([]wal.Entry{{Seq: s.at.Seq + 1, Time: now, Note: note}})
	}
	if err != nil {
		return err
	}
	r, err := j.snapshot(j.at, records, now)
	if err != nil {
		return err
	}
	return j.commit([]wal.Entry{{Seq: j.at.Seq + 1, Time: now, Snapshots: r.Stays}})
}

// repaired returns the records without links to missing ones, and without slugs, origins and
// instances that another record has: a change that made room may be lost. The record that was
// written last keeps them.
func (s *remainder) repaired(seq uint64) (lists [kinds][]Record) {
	reader := &Reader{base: newIndex()}
	for _, k := range record.SnapshotOrder {
		for _, r := range slices.SortedFunc(maps.Values(s.records[k]), func(a, b Record) int {
			return cmp.Or(cmp.Compare(record.MetaOf(b).Rev, record.MetaOf(a).Rev), cmp.Compare(a.Key(), b.Key()))
		}) {
			lost, err := s.repair(reader, r)
			if err != nil {
				s.miss("%s %d: left out: %v", k, r.Key(), err)
				delete(s.records[k], r.Key())
				continue
			}
			if lost != nil {
				s.miss("%s %d: without %s", k, r.Key(), strings.Join(lost, ", "))
				setKey(r, r.Key(), seq)
			}
			reader.base.put(r)
			lists[k] = append(lists[k], r)
		}
	}
	return lists
}

// repair makes a record keep the rules of Put beside those that a reader has, and returns
// what it gave up. Terms and events may lead to others of their kind, which come later.
func (s *remainder) repair(reader *Reader, r Record) (lost []string, err error) {
	if err := record.CheckForm(r); err != nil {
		return nil, err
	}
	lacks := func(k Kind, id int64) bool {
		_, found := s.records[k][id]
		if !found && id != 0 {
			lost = append(lost, fmt.Sprintf("%s %d", k, id))
		}
		return !found
	}
	p := PostOf(r)
	e := new(Event)
	if p != nil && lacks(Images, p.Image) {
		p.Image = 0
	}
	switch r := r.(type) {
	case *Event:
		e = r
	case *Series:
		e = &r.Event
	case *Term:
		if lacks(r.Taxonomy, r.Parent) {
			r.Parent = 0
		}
		if reader.base.put(r); reader.IsBelow(r.Taxonomy, r.Parent, r.ID) {
			lost = append(lost, "its place below itself")
			r.Parent = 0
		}
		reader.base.remove(r.Taxonomy, r.ID)
	}
	record.Unlink(e, lacks)
	for err := reader.checkUnique(r); err != nil; err = reader.checkUnique(r) {
		switch taken := errors.Is(err, ErrSlugTaken); {
		case taken && p != nil:
			p.Slug = fmt.Sprintf("%s-%d", p.Slug, r.Key())
		case taken:
			r.(*Term).Slug = fmt.Sprintf("%s-%d", SlugOf(r), r.Key())
		case p != nil && len(p.Origins) > 0:
			p.Origins = nil
		case e.Recurrence != nil:
			e.Recurrence = nil
		default:
			return nil, err
		}
		lost = append(lost, fmt.Sprintf("a part that another has (%v)", err))
	}
	return lost, nil
}

// removeSignIns takes the sign-ins and links of all accounts away, and notes it.
func (s *remainder) removeSignIns() {
	for _, r := range s.records[Accounts] {
		a := r.(*Account)
		a.SignIns = nil
		a.Links = nil
	}
	s.miss("sign-ins and links: left out of a backup")
}

// repairLogo takes a logo out of the settings that is lost.
func (s *remainder) repairLogo() {
	settings := s.at.SettingsOrNone()
	if s.records[Images][settings.Logo] == nil && settings.Logo != 0 {
		s.miss("settings: without %s %d, the logo", Images, settings.Logo)
		settings.Logo = 0
		s.at.Settings = &settings
	}
}
