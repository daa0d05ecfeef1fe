// Recovery: from the files to a journal that goes on.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
)

// recover reads the directory, and only if all of it is sound makes it ready
// for writing.
func (j *journal) recover(o journalOptions, load func(*entry) error) error {
	log := o.log
	r, err := j.read(o, load)
	if err != nil {
		return err
	}
	if err := j.prepare(log, r); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	j.at, j.from = r.position, r.base
	j.latest, j.same, j.named = r.base.Seq, r.same, r.named
	j.logged.Store(r.loaded)
	log.Info("journal recovered", "seq", r.Seq, "head", fmt.Sprintf("%x", r.Head),
		"snapshot", r.base.Seq, "replayed", r.Seq-r.base.Seq)
	return nil
}

// read loads the newest snapshot that verifies, and the log after it. It
// changes no file.
func (j *journal) read(o journalOptions, load func(*entry) error) (*replay, error) {
	segments, err := numbered(j.fsys, logDir, segmentSuffix)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	snapshots, err := numbered(j.fsys, snapshotDir, "")
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	r := &replay{logReader: logReader{fsys: j.fsys}, load: load, base: position{NextPost: 1, NextTerm: 1}}
	if o.progress != nil {
		r.read = &progress{report: o.progress}
	}
	var least uint64
	if len(snapshots) > 0 {
		least = snapshots[len(snapshots)-1]
	}
	for _, seq := range slices.Backward(snapshots) {
		m, p, err := readManifest(j.fsys, seq)
		var pieces []piece
		var forged error // a file is as the manifest says, and not as one is written
		if err == nil {
			r.read.expect(j.fsys, m, segments)
			forged = readSnapshot(j.fsys, m, r.read, func(p piece) error {
				if o.only != nil && !o.only(p.kind) {
					p.records = nil // its ids count
				}
				pieces = append(pieces, p)
				return nil
			})
			if forged != nil {
				err = m.verify(j.fsys)
			}
		}
		var corrupt *CorruptError
		if errors.As(err, &corrupt) {
			// The log has all that it held, or replay refuses.
			o.log.Warn("snapshot is damaged; recovering from what is older, and from the log",
				"file", corrupt.File, "err", corrupt.Err)
			if r.bad == nil {
				r.bad = err
			}
			continue
		}
		if err = cmp.Or(err, forged); err != nil { // err: a newer format
			return nil, err
		}
		r.base, r.manifest = p, m.sum()
		j.taken.Store(&m.Time)
		for _, p := range pieces {
			r.base.count(p.kind, p.last)
			if o.pieces != nil || err != nil {
				continue
			}
			if err = load(&entry{Change: p.change()}); err != nil {
				err = &CorruptError{File: snapshotName(seq), Err: err}
			}
		}
		if err != nil {
			return nil, err
		}
		if o.pieces != nil {
			o.pieces(pieces)
		}
		break
	}
	if r.base.Seq == 0 {
		r.read.expect(j.fsys, new(manifest), segments)
	}
	return r, r.recover(segments, least)
}

// recover reads the segments that hold what comes after the snapshot, and the line
// of the snapshot itself when the log still has it. The log has to reach to a
// transaction at least: the one of the newest snapshot, whether or not that
// can be used. A snapshot is made of records that the log led to, so that a shorter
// log has lost something.
func (r *replay) recover(segments []uint64, least uint64) error {
	switch from := segmentOf(segments, r.base.Seq); {
	case len(segments) == 0 && least == 0:
		r.position = r.base
		return nil // a new directory
	case len(segments) == 0:
		return &CorruptError{File: segmentName(r.base.Seq + 1), Err: errors.New("the segment is missing")}
	case segments[from] > r.base.Seq+1 && r.bad != nil:
		return r.bad
	default:
		if err := checkEnds(r.fsys, segments[:from+1]); err != nil {
			return err
		}
	}
	if err := r.run(segments); err != nil {
		return err
	}
	if r.Seq < least {
		return &CorruptError{File: segmentName(r.first), Offset: r.end,
			Err: fmt.Errorf("the log ends with transaction %d, but there is a snapshot of %d", r.Seq, least)}
	}
	return nil
}

// prepare makes durable what was read, cuts the torn tail, and opens the last
// segment. A crash at any step leaves a directory that reads the same.
func (j *journal) prepare(log *slog.Logger, r *replay) error {
	for _, dir := range []string{logDir, snapshotDir} {
		if err := j.fsys.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := j.fsys.syncDir("."); err != nil {
		return err
	}
	if err := j.removeUnfinished(log); err != nil {
		return err
	}
	if r.first == 0 {
		return j.beginSegment(1)
	}
	return j.resume(log, r)
}

// resume opens the segment in which a replay ended, cuts the torn tail off, and
// makes what is before it durable.
func (j *journal) resume(log *slog.Logger, r *replay) error {
	name := segmentName(r.first)
	f, err := j.fsys.edit(name)
	if err != nil {
		return err
	}
	if j.segment != nil {
		j.segment.Close() // nothing in it counts that is not on the disk
	}
	j.segment, j.first = f, r.first
	if r.tail != nil {
		log.Warn("cutting off the end of the log: torn by a crash, as a line that nobody was told of is",
			"file", name, "offset", r.end, "bytes", len(r.tail))
		if err := f.Truncate(r.end); err != nil {
			return err
		}
	}

	// The last process may have died before the sync of its last batch, or
	// after a sync that failed. In the second case the system shows the bytes and
	// may think them written; writing them again leads to a sync that counts.
	batch := make([]byte, r.end-r.start)
	if _, err := io.ReadFull(io.NewSectionReader(f, r.start, int64(len(batch))), batch); err != nil {
		return err
	}
	if r.open {
		log.Warn("the last line of the log was whole but for its newline: adding it", "file", name, "offset", r.end)
		batch = append(batch, '\n')
		r.end++
		r.loaded++
	}
	if _, err := f.WriteAt(batch, r.start); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	j.size = r.end
	return j.fsys.syncDir(logDir)
}

// removeUnfinished removes snapshots that were being written or removed.
func (j *journal) removeUnfinished(log *slog.Logger) error {
	seqs, err := numbered(j.fsys, snapshotDir, tmpSuffix)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		name := snapshotName(seq) + tmpSuffix
		log.Info("removing an unfinished snapshot", "name", name)
		if err := removeTree(j.fsys, name); err != nil {
			return err
		}
	}
	return nil
}
