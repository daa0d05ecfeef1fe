// Going on after a failure: what a restart does with the end of the log.

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// probeName is a file that is there while the disk is tried.
const probeName = "probe"

// probeSize is how many bytes have to fit on the disk before the log is touched:
// as many as the largest body that the server takes when nobody says otherwise.
const probeSize = 1 << 20

// A journal that failed to write may have anything of its last batch on the disk,
// from nothing to all of it; whole lines of it may be seen by the system, and not
// be on the disk. Nobody was told that they are stored, and the store goes on as
// if they had never been. So reopen does as recovery does, but keeps none of
// them, and is content with nothing less than every line that was acknowledged.
//
// It returns nil when the journal is ready for the next commit. After an error it
// is latched as before; IsPassing of its error says whether to try again later. If the
// process dies at one of the steps, then on disk is:
func (j *journal) reopen() error {
	if j.failed == nil {
		return nil
	}
	if !IsPassing(j.failed) {
		return j.failed
	}

	// What the failure left, and perhaps the probe, which nobody reads.
	if _, err := j.fsys.own(j.lock, lockName); err != nil {
		return j.remain(err)
	}
	if err := j.probe(); err != nil {
		return j.remain(err)
	}

	// What the failure left.
	r, err := j.reread()
	if err != nil {
		return j.remain(err)
	}
	if r.Seq > j.at.Seq {
		// Or less of the batch that failed.
		if err := j.cutBatch(r); err != nil {
			return j.remain(err)
		}
		if r, err = j.reread(); err != nil {
			return j.remain(err)
		}
	}

	// No line of that batch, and of it perhaps a part of one, which recovery cuts off
	// too. Then exactly what was acknowledged.
	if err := j.resume(j.log, r); err != nil {
		return j.remain(err)
	}
	j.failed = nil
	j.log.Info("the log takes changes again", "seq", j.at.Seq, "head", fmt.Sprintf("%x", j.at.Head))
	return nil
}

// remain keeps the journal latched: with a new reason if that is one for good.
func (j *journal) remain(err error) error {
	before := j.failed
	if IsPassing(j.latch(err)) {
		j.failed = before
	}
	return err
}

// probe tries whether the disk takes a file. Its bytes are random: a file system
// that compresses has no room left over for them.
func (j *journal) probe() error {
	if err := j.fsys.remove(probeName); err != nil && !isAbsent(err) {
		return err
	}
	f, err := j.fsys.create(probeName)
	if err != nil {
		return err
	}
	text := make([]byte, probeSize)
	rand.NewChaCha8([32]byte{}).Read(text)
	_, err = f.WriteAt(text, 0)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), j.fsys.remove(probeName))
}

// reread follows the log from the segment of the last acknowledged transaction to
// its end, through new files, and changes none. Every line must be the one that
// was acknowledged, by the chain, and what follows them of the batch that failed.
func (j *journal) reread() (*replay, error) {
	segments, err := numbered(j.fsys, logDir, segmentSuffix)
	if err != nil {
		return nil, err
	}
	if len(segments) == 0 {
		return nil, &CorruptError{File: segmentName(j.first), Err: errors.New("the segment is missing")}
	}
	r := &replay{logReader: logReader{fsys: j.fsys}, load: func(*entry) error { return nil }, base: j.at}
	if err := r.recover(segments, j.at.Seq); err != nil {
		return nil, err
	}
	name := segmentName(r.first)
	switch {
	case r.Seq > j.at.Seq && r.batch != j.at.Seq+1:
		err = fmt.Errorf("transaction %d was not written by this process: %w", r.Seq, ErrNotOwn)
	case r.Seq == j.at.Seq && r.open:
		err = &CorruptError{File: name, Offset: r.end, Err: errors.New("a line that was acknowledged has lost its newline")}
	}
	return r, err
}

// cutBatch removes the lines of the batch that failed, which the log ends with.
func (j *journal) cutBatch(r *replay) error {
	name := segmentName(r.first)
	f, err := j.fsys.edit(name)
	if err != nil {
		return err
	}
	j.log.Warn("cutting off the end of the log: it failed to be written, and was never acknowledged",
		"file", name, "offset", r.start, "bytes", r.end+int64(len(r.tail))-r.start)
	return errors.Join(f.Truncate(r.start), f.Close()) // resume syncs it
}
