// Going on at the end of the log: after recovery, and after a failure.

package wal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
)

// Begin makes durable what recovery has read, cuts the torn tail, and opens the last
// segment. A crash at any step leaves a directory that reads the same. In a directory without
// a log it begins one, behind r.At.
func (l *Log) Begin(r *Replay) error {
	for _, dir := range []string{LogDir, SnapshotDir} {
		if err := l.Files.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := l.Files.SyncDir("."); err != nil {
		return err
	}
	if err := l.removeUnfinished(); err != nil {
		return err
	}
	if r.First == 0 {
		l.at = r.At
		return l.beginSegment(r.At.Seq + 1)
	}
	return l.resume(r)
}

// resume opens the segment in which a replay ended, cuts the torn tail off, and
// makes what is before it durable.
func (l *Log) resume(r *Replay) error {
	name := SegmentName(r.First)
	f, err := l.Files.Edit(name)
	if err != nil {
		return err
	}
	if l.segment != nil {
		l.segment.Close() // nothing in it counts that is not on the disk
	}
	l.segment = f
	l.first = r.First
	if r.Tail != nil {
		l.Logger.Warn(
			"cutting off the end of the log: torn by a crash, as a line that nobody was told of is",
			"file",
			name,
			"offset",
			r.End,
			"bytes",
			len(r.Tail),
		)
		if err := f.Truncate(r.End); err != nil {
			return err
		}
	}

	// The last process may have died before the sync of its last batch, or
	// after a sync that failed. In the second case the system shows the bytes and
	// may think them written; writing them again leads to a sync that counts.
	batch := make([]byte, r.End-r.start)
	if _, err := io.ReadFull(io.NewSectionReader(f, r.start, int64(len(batch))), batch); err != nil {
		return err
	}
	if r.Open {
		l.Logger.Warn(
			"the last line of the log was whole but for its newline: adding it",
			"file",
			name,
			"offset",
			r.End,
		)
		batch = append(batch, '\n')
		r.End++
		r.Loaded++
	}
	if _, err := f.WriteAt(batch, r.start); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	l.size = r.End
	l.at = r.At
	return l.Files.SyncDir(LogDir)
}

// removeUnfinished removes snapshots that were being written or removed.
func (l *Log) removeUnfinished() error {
	seqs, err := numbered(l.Files, SnapshotDir, tmpSuffix)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		name := SnapshotName(seq) + tmpSuffix
		l.Logger.Info("removing an unfinished snapshot", "name", name)
		if err := RemoveTree(l.Files, name); err != nil {
			return err
		}
	}
	return nil
}

// probeName is a file that is there while the disk is tried.
const probeName = "probe"

// probeSize is how many bytes have to fit on the disk before the log is touched:
// as many as the largest body that the server takes when nobody says otherwise.
const probeSize = 1 << 20

// Reopen goes on after a failure. A log that failed to write may have anything of its last batch
// on the disk, from nothing to all of it; whole lines of it may be seen by the system, and not
// be on the disk. Nobody was told that they are stored, and the store goes on as
// if they had never been. So Reopen does as recovery does, but keeps no line of that batch, and is
// content with nothing less than every line that was acknowledged.
//
// It returns nil when the log is ready for the next batch. After an error it
// is latched as before; IsPassing of its error says whether to try again later. If the
// process dies at one of the steps, then on disk is:
func (l *Log) Reopen() error {
	if !IsPassing(l.failed) { // or nil
		return l.failed
	}

	// The same as after the failure, and perhaps the probe, which nobody reads.
	if err := l.CheckLock(); err != nil {
		return l.remain(err)
	}
	if err := l.probe(); err != nil {
		return l.remain(err)
	}

	// The same as after the failure.
	r, err := l.reread()
	if err != nil {
		return l.remain(err)
	}
	if r.At.Seq > l.at.Seq {
		// Or less of the batch that failed.
		if err := l.cutBatch(r); err != nil {
			return l.remain(err)
		}
		if r, err = l.reread(); err != nil {
			return l.remain(err)
		}
	}

	// No line of that batch, and of it perhaps a part of one, which recovery cuts off
	// too. Then exactly what was acknowledged.
	if err := l.resume(r); err != nil {
		return l.remain(err)
	}
	l.failed = nil
	l.Logger.Info(
		"the log takes changes again",
		"seq",
		l.at.Seq,
		"head",
		fmt.Sprintf("%x", l.at.Head),
	)
	return nil
}

// remain keeps the log latched: with a new reason if that is one for good.
func (l *Log) remain(err error) error {
	before := l.failed
	if IsPassing(l.latch(err)) {
		l.failed = before
	}
	return err
}

// probe tries whether the disk takes a file. Its bytes are random: a file system
// that compresses has no room left over for them.
func (l *Log) probe() error {
	if err := l.Files.Remove(probeName); err != nil && !IsAbsent(err) {
		return err
	}
	f, err := l.Files.Create(probeName)
	if err != nil {
		return err
	}
	text := make([]byte, probeSize)
	rand.NewChaCha8([32]byte{}).Read(text)
	_, err = f.WriteAt(text, 0)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), l.Files.Remove(probeName))
}

// reread follows the log from the segment of the last acknowledged transaction to
// its end, through new files, and changes none. Every line must be the acknowledged one,
// by the chain, and all lines behind them of the batch that failed.
func (l *Log) reread() (*Replay, error) {
	segments, err := Segments(l.Files)
	if err != nil {
		return nil, err
	}
	if len(segments) == 0 {
		return nil, &CorruptError{
			File: SegmentName(l.first),
			Err:  errors.New("the segment is missing"),
		}
	}
	r := &Replay{Reader: Reader{Files: l.Files}, Base: l.at}
	if err := r.Recover(segments, l.at.Seq); err != nil {
		return nil, err
	}
	name := SegmentName(r.First)
	switch {
	case r.At.Seq > l.at.Seq && r.batch != l.at.Seq+1:
		err = fmt.Errorf("transaction %d was not written by this process: %w", r.At.Seq, ErrNotOwn)
	case r.At.Seq == l.at.Seq && r.Open:
		err = &CorruptError{
			File:   name,
			Offset: r.End,
			Err:    errors.New("a line that was acknowledged has lost its newline"),
		}
	}
	return r, err
}

// cutBatch removes the lines of the batch that failed, which the log ends with.
func (l *Log) cutBatch(r *Replay) error {
	name := SegmentName(r.First)
	f, err := l.Files.Edit(name)
	if err != nil {
		return err
	}
	l.Logger.Warn(
		"cutting off the end of the log: it failed to be written, and was never acknowledged",
		"file",
		name,
		"offset",
		r.start,
		"bytes",
		r.End+int64(len(r.Tail))-r.start,
	)
	return errors.Join(f.Truncate(r.start), f.Close()) // resume syncs it
}
