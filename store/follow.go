// Following: a store that writes no line of its own, but those of another one.

package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// ErrDiverged is in the error of two logs that are not beginnings of one another: of
// Tail, when no line of the log has the head that is named, and of Append, when a line
// does not follow the last one.
var ErrDiverged = errors.New("the logs are not the same")

// A FollowerError is of a change that a store refuses because it follows another one.
type FollowerError struct{ First string } // the other one's address

func (e *FollowerError) Error() string {
	return "store: changes are made at " + e.First + ", which this one follows"
}

// A piece of another store's log on its way to the committer: the lines of one batch.
type received struct {
	lines []logLine
	text  []byte // the same with their newlines
	err   error  // until done, the committer's
	done  chan struct{}
}

// Append makes lines of the store that this one follows durable and visible: whole
// batches, each as that has written it, with one write and one sync. Before the first
// byte is written all of them are held to what recovery asks of them. One that does not
// follow the last line is ErrDiverged, one of a later format ErrNewer, and nothing was
// changed then.
//
// A snapshot that a line names and that is not there is first taken out of an archive
// of that store, which fetch returns, if that has it. An error of it or of the disk may
// have left the batches before.
func (s *Store) Append(text []byte, fetch func() (io.ReadCloser, error)) error {
	batches, err := splitBatches(text, s.State().at)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err := s.complete(b.lines, fetch); err != nil {
			return err
		}
		s.waiting.Add(1)
		var gathering *batch
		select {
		case gathering = <-s.turn:
		case <-s.closed:
			s.waiting.Add(-1)
			return ErrClosed
		}
		s.waiting.Add(-1)
		gathering.received = b
		s.full <- gathering
		<-b.done
		if b.err != nil {
			return b.err
		}
		s.pruneAfter(b.lines)
	}
	return nil
}

// splitBatches takes apart what follows a state.
func splitBatches(text []byte, at position) (batches []*received, err error) {
	if !bytes.HasSuffix(text, []byte("\n")) {
		return nil, errors.New("store: the lines end in the middle of one")
	}
	follows := trailTo(at)
	for _, l := range readLines(text, decodeLine) {
		if l.torn || l.Seq == 0 {
			return nil, fmt.Errorf("store: what comes after transaction %d is no line of a log: %w", follows.seq, cmp.Or(l.err, errTornLine))
		}
		if err := follows.check(&l); err != nil {
			return nil, fmt.Errorf("store: %w: %w", ErrDiverged, err)
		}
		if l.err != nil {
			return nil, fmt.Errorf("store: transaction %d: %w", l.Seq, l.err)
		}
		if l.Batch == l.Seq {
			batches = append(batches, &received{done: make(chan struct{})})
		}
		b := batches[len(batches)-1]
		b.lines, b.text = append(b.lines, l), append(append(b.text, l.text...), '\n')
		follows = l.trail()
	}
	return batches, nil
}

var errTornLine = errors.New("it was not written to its end")

// commitReceived makes a batch of the store that this one follows durable, and then
// visible, as commitBatch does with its own.
func (s *Store) commitReceived(b *received) {
	defer close(b.done)
	if err := s.journal.append(b); err != nil {
		b.err = fmt.Errorf("store: commit: %w", err)
		return
	}
	entries := make([]entry, len(b.lines))
	for i := range b.lines {
		entries[i] = b.lines[i].entry
	}
	s.apply(entries, s.journal.position())
}

// append makes lines durable that another journal has made, and that follow the last
// one of this.
func (j *journal) append(b *received) error {
	if j.failed != nil {
		return j.failed
	}
	next := j.at
	for i := range b.lines {
		l := &b.lines[i]
		next.Seq, next.Head = l.Seq, l.Head
		next.note(l.Change)
	}
	return j.write(b.text, b.lines[0].Seq, next)
}

// complete makes sure that the newest snapshot is there that lines name.
func (s *Store) complete(lines []logLine, fetch func() (io.ReadCloser, error)) error {
	for i := range lines {
		refs := lines[i].Snapshots
		if len(refs) == 0 {
			continue
		}
		ref := refs[len(refs)-1]
		there, err := numbered(s.journal.fsys, snapshotDir, "")
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if slices.Contains(there, ref.Seq) {
			continue
		}
		archive, err := fetch()
		if err != nil {
			return err
		}
		found, err := s.journal.adopt(archive, ref)
		if err = errors.Join(err, archive.Close()); err != nil {
			return fmt.Errorf("store: the snapshot of %d: %w", ref.Seq, err)
		}
		if !found {
			s.log.Info("there is a newer snapshot than the one that the log names here", "snapshot", ref.Seq)
		}
	}
	return nil
}

// adopt takes a snapshot out of an archive, if that has it: as it was named by a line
// that comes next. What is on disk if the process dies in between is removed by recovery,
// or is a snapshot that no line names yet.
func (j *journal) adopt(archive io.Reader, ref reference) (found bool, err error) {
	name := snapshotName(ref.Seq)
	tmp := name + tmpSuffix
	in, _, m, err := openArchive(archive)
	if err != nil || m.Snapshot != ref.Seq {
		return false, err
	}
	if err := removeTree(j.fsys, tmp); err != nil && !isAbsent(err) {
		return false, err
	}
	defer func() {
		if err != nil {
			_ = removeTree(j.fsys, tmp) // what stays is removed later
		}
	}()
	if err := j.fsys.mkdir(tmp); err != nil {
		return false, err
	}
	for _, want := range m.Members {
		file, isPart := strings.CutPrefix(want.Name, name+"/")
		if !isPart && want.Name != usersName {
			break // the log comes last
		}
		if !isPart {
			if _, err := nextMember(in, want.Name); err != nil {
				return false, err
			}
			continue
		}
		if err := unpackMember(in, want, tmp+"/"+file, j.fsys); err != nil {
			return false, err
		}
	}
	for _, sync := range []func() error{
		func() error { return j.fsys.syncDir(tmp) },
		func() error { return j.fsys.rename(tmp, name) },
		func() error { return j.fsys.syncDir(snapshotDir) },
	} {
		if err := sync(); err != nil {
			return false, err
		}
	}
	read, _, err := verifySnapshot(j.fsys, ref.Seq)
	if err == nil && read.sum() != ref.Manifest {
		err = fmt.Errorf("%w: its manifest is not the one that the log names", ErrDiverged)
	}
	if err != nil {
		return false, errors.Join(err, discardSnapshot(j.fsys, ref.Seq))
	}
	return true, nil
}

// pruneAfter removes what the lines of a batch that was appended make unnecessary: the
// snapshots that a checkpoint leaves out, and what of the log is older than this store
// keeps. That it fails harms nothing.
func (s *Store) pruneAfter(lines []logLine) {
	for i := range lines {
		if refs := lines[i].Snapshots; len(refs) > 0 {
			if err := s.journal.pruneTo(refs, s.now().UTC()); err != nil {
				s.log.Error("what is older than has to be kept could not be removed", "err", err)
			}
		}
	}
}

func (j *journal) pruneTo(refs []reference, now time.Time) error {
	there, err := numbered(j.fsys, snapshotDir, "")
	if err != nil {
		return err
	}
	newest := refs[len(refs)-1].Seq
	if !slices.Contains(there, newest) {
		return nil // what there is may be needed
	}
	for _, seq := range there {
		if !slices.ContainsFunc(refs, func(ref reference) bool { return ref.Seq == seq }) {
			if err := discardSnapshot(j.fsys, seq); err != nil {
				return err
			}
		}
	}
	previous := j.latest
	j.latest = newest
	r, err := j.retain(previous, now)
	if err != nil {
		return err
	}
	r.stays = refs
	return j.prune(r)
}

// headOf reads a head of the chain.
func headOf(text string) (head [sha256.Size]byte, ok bool) {
	sum, err := hex.DecodeString(text)
	return [sha256.Size]byte(append(sum, head[:]...)), err == nil && len(sum) == len(head)
}
