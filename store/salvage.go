// Salvaging: a new data directory from what still verifies of a damaged one.

package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// spareIDs are how many ids stay free when the last transactions are lost: what they
// made, and showed to somebody, is not made again with other contents.
const spareIDs = 1000

// A salvager collects what still verifies. For each kind of records that is the newest file
// of a snapshot that is as its manifest says, and every later line of the log of which the
// checksum is right.
type salvager struct {
	ctx     context.Context
	fsys    files
	records [kinds]map[int64]Record
	bases   [kinds]uint64 // the snapshots that they come from; 0 for none
	at      position      // of the last transaction that is known, with the next ids
	headOf  uint64        // the transaction of which the head is known
	seq     uint64        // the last line of the log that was taken
	prev    string        // its head, in hexadecimal
	doubts  []string      // damage since then
	missing []string      // all that could not be read, and what that means
}

// salvage reads a directory that may be damaged.
func salvage(ctx context.Context, fsys files) (*salvager, error) {
	s := &salvager{ctx: ctx, fsys: fsys, at: position{NextPost: 1, NextTerm: 1}}
	for k := range kinds {
		s.records[k] = map[int64]Record{}
	}
	if err := s.snapshots(); err != nil {
		return nil, err
	}
	if err := s.log(); err != nil {
		return nil, err
	}
	if len(s.missing) > 0 {
		s.at.NextPost, s.at.NextTerm = s.at.NextPost+spareIDs, s.at.NextTerm+spareIDs
	}
	return s, nil
}

// miss notes what could not be read.
func (s *salvager) miss(format string, args ...any) {
	s.missing = append(s.missing, fmt.Sprintf(format, args...))
}

// snapshots takes the newest file of each kind that verifies.
func (s *salvager) snapshots() error {
	listed, err := numbered(s.fsys, snapshotDir, "")
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	for _, seq := range slices.Backward(listed) {
		s.at.Seq = max(s.at.Seq, seq)
		m, p, err := readManifest(s.fsys, seq)
		if errors.Is(err, ErrNewer) {
			return err
		}
		if err != nil {
			s.miss("%v", whereOf(err))
			continue
		}
		s.at.NextPost, s.at.NextTerm = max(s.at.NextPost, p.NextPost), max(s.at.NextTerm, p.NextTerm)
		s.at.Identity = cmp.Or(s.at.Identity, p.Identity)
		if seq > s.headOf {
			s.at.Head, s.headOf = p.Head, seq
		}
		for i, k := range m.order() {
			if s.bases[k] > 0 {
				continue
			}
			var read []Record
			err := m.verifyFile(s.fsys, m.Files[i])
			if err == nil {
				err = m.readFile(s.fsys, k, m.Files[i], nil, func(p piece) error {
					read = append(read, p.records...)
					return nil
				})
			}
			if err != nil {
				s.miss("%v", whereOf(err))
				continue
			}
			s.bases[k] = seq
			for _, r := range read {
				s.records[k][r.Key()] = r
			}
		}
		if m.Version == 1 && s.bases[AllSeries] == 0 {
			s.bases[AllSeries] = seq // it has none
		}
		if m.Version < 4 && s.bases[Accounts] == 0 {
			s.bases[Accounts] = seq
		}
	}
	return nil
}

// log takes every line of which the checksum is right.
func (s *salvager) log() error {
	segments, err := numbered(s.fsys, logDir, segmentSuffix)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if n := len(segments); n > 0 {
		s.at.Seq = max(s.at.Seq, segments[n-1]-1) // of which the segments before it tell
	}
	r := &logReader{fsys: s.fsys, decode: decodeLine, alone: true, rest: segments}
	defer r.Close()
	for len(r.rest) > 0 {
		name := segmentName(r.rest[0])
		if r.NextSegment(); r.file == nil {
			s.doubts = append(s.doubts, fmt.Sprintf("%s: %v", name, errors.Unwrap(r.Err())))
			r.Skip()
			continue
		}
		if r.Err() != nil {
			r.Skip() // what is missing before the segment is seen at its first line
		}
		if err := s.segment(r, name); err != nil {
			return err
		}
	}
	if r.tail != nil {
		s.miss("%s: its end, %d bytes, is no whole line: a server died before it was stored, or the end of the file was lost",
			segmentName(r.first), len(r.tail))
	}
	last := s.at.Seq
	if n := uint64(len(s.doubts)); n > 0 {
		last = max(last, s.seq+n)
		s.doubts = append(s.doubts, "how many transactions there were after that is not known")
	}
	if last > s.seq {
		s.lose(s.seq+1, last)
	}
	s.at.Seq = last
	if s.headOf != last {
		s.at.Head = [sha256.Size]byte{} // nobody knows it
	}
	return nil
}

// segment takes the lines of a segment.
func (s *salvager) segment(r *logReader, name string) error {
	for {
		for r.Next() {
			if err := s.ctx.Err(); err != nil {
				return context.Cause(s.ctx)
			}
			s.line(name, r.number, r.Record())
		}
		err := r.Err()
		var corrupt *CorruptError
		switch {
		case err == nil:
			return nil
		case errors.Is(err, ErrNewer):
			return err
		}
		s.doubts = append(s.doubts, whereOf(err))
		r.Skip()
		if !errors.As(err, &corrupt) {
			return nil // the rest of the file cannot be read
		}
	}
}

// line takes a line that is right in itself.
func (s *salvager) line(name string, number int, l *logLine) {
	switch {
	case l.Seq <= s.seq:
		s.miss("%s: line %d: transaction %d, which is there already: it was not taken", name, number, l.Seq)
		return
	case l.Seq > s.seq+1:
		s.lose(s.seq+1, l.Seq-1)
	case len(s.doubts) > 0:
		s.miss("%s: there is damage between two transactions, and none is missing: %s", name, s.doubts[0])
	case s.seq > 0 && l.prev != s.prev:
		s.miss("%s: line %d: transaction %d does not follow the one before it: one of the two was written anew; both were taken",
			name, number, l.Seq)
	}
	s.doubts = nil
	s.seq, s.prev, s.at.Seq = l.Seq, hex.EncodeToString(l.Head[:]), max(s.at.Seq, l.Seq)
	s.at.note(l.Change)
	if l.Seq >= s.headOf {
		s.at.Head, s.headOf = l.Head, l.Seq
	}
	l.Change.each(func(r Record) {
		if l.Seq > s.bases[r.Kind()] {
			s.records[r.Kind()][r.Key()] = r
		}
	})
	for _, gone := range l.Change.Removed {
		if l.Seq > s.bases[gone.Kind] {
			delete(s.records[gone.Kind], gone.ID)
		}
	}
}

// lose notes that the lines of transactions are missing, and what of them snapshots have.
func (s *salvager) lose(from, to uint64) {
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
	switch pruned := s.seq == 0 && len(lost) == 0 && s.doubts == nil; {
	case pruned: // a log may begin after a snapshot
	case len(lost) == 0:
		s.miss("%s: their lines are lost; what they did is in the snapshots", what)
	case len(lost) == int(kinds):
		s.miss("%s: lost", what)
	default:
		s.miss("%s: lost, for what they did to %v", what, lost)
	}
	for _, doubt := range s.doubts {
		s.miss("%s", doubt)
	}
	s.doubts = nil
}

// whereOf says where an error is, without the name of the package.
func whereOf(err error) string {
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) {
		return err.Error()
	}
	where := corrupt.File
	if corrupt.Line > 0 {
		where += fmt.Sprintf(": line %d", corrupt.Line)
	}
	return fmt.Sprintf("%s: %v", where, corrupt.Err)
}

// build fills an empty directory with what was salvaged: a note of what is missing, and a
// snapshot of the records after it. It returns how many bytes that are.
func (s *salvager) build(to files, users []byte, now time.Time) (size int64, err error) {
	at := s.at
	at.Seq++
	lists := s.repaired(at.Seq)
	if err := makeRoom(to, 0); err != nil {
		return 0, err
	}
	note := &Note{Salvaged: &Salvaged{Missing: append([]string{}, s.missing...)}}
	lines, head, err := appendLine(nil, noteEntry(at.Seq, now, note), s.at.Head)
	if err != nil {
		return 0, err
	}
	at.Head = head
	if err := writeSnapshot(to, at, now, lists); err != nil {
		return 0, err
	}
	m, _, err := readManifest(to, at.Seq)
	if err != nil {
		return 0, err
	}
	named := checkpointEntry(at.Seq+1, now, []reference{{at.Seq, m.sum()}})
	named.Batch = named.Seq
	if lines, _, err = appendLine(append(lines, '\n'), named, head); err != nil {
		return 0, err
	}
	manifest, err := m.encode()
	if err != nil {
		return 0, err
	}
	size = int64(len(manifest))
	for _, f := range m.Files {
		size += f.Bytes
	}
	files := map[string][]byte{segmentName(at.Seq): append(lines, '\n')}
	if users != nil {
		files[usersName] = users
	}
	for name, content := range files {
		size += int64(len(content))
		err := writeFile(to, name, func(w io.Writer) error { _, err := w.Write(content); return err })
		if err != nil {
			return 0, err
		}
	}
	return size, syncAll(to, 0)
}

// accounts returns the file of the accounts, if it is one.
func (s *salvager) accounts(path string) []byte {
	text, err := readUsers(s.fsys, path)
	switch {
	case err == nil && json.Valid(text):
		return text
	case err == nil:
		s.miss("%s: it is not JSON, and was not taken", usersName)
	case path != "" || !isAbsent(err):
		s.miss("%s: %v", usersName, err)
	}
	return nil
}

// repaired returns the records, of which none leads to another that is missing and none has
// what only one can have: a change that would have made room for it may be among those that
// are lost. What was written last keeps it.
func (s *salvager) repaired(seq uint64) (lists [kinds][]Record) {
	x := newIndex()
	reader := &Reader{base: x}
	for _, k := range snapshotOrders[snapshotFormat] {
		var list []Record
		for _, r := range s.records[k] {
			list = append(list, r)
		}
		slices.SortFunc(list, func(a, b Record) int {
			return cmp.Or(-cmp.Compare(a.revision(), b.revision()), cmp.Compare(a.Key(), b.Key()))
		})
		for _, r := range list {
			if err := s.repair(reader, r, seq); err != nil {
				s.miss("%s %d: left out: %v", k, r.Key(), err)
				delete(s.records[k], r.Key())
				continue
			}
			x.put(r)
			lists[k] = append(lists[k], r)
		}
	}
	return lists
}
