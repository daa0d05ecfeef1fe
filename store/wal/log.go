// Package wal keeps a log, and snapshots of the states that it leads to, as bytes: it reads and
// writes the files that store/FORMAT.md describes, and knows no record.
//
// A Log appends batches of lines, each with one write and one sync. A Reader follows the lines
// of all segments, and proves that each is as it was written, or says where it is not; a Replay
// begins at a snapshot. A line carries JSON, which the caller makes and decodes. A snapshot is a
// directory of files with a Manifest, which has their hashes; lines of the log name it with the
// hash of that.
//
// Files is all that the package knows of the system, so that tests can put in a directory
// that fails, or loses everything that was not synced.
package wal

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// segmentDefault is the size of segments in bytes: small enough for an editor,
// large enough that a busy year has few of them.
const segmentDefault = 64 << 20

// bufferKept is the largest buffer that is kept for the next batch.
const bufferKept = 4 << 20

// Options are the choices of Open. The zero value works.
type Options struct {
	Keep        time.Duration                                       // minimum age of pruned lines; 0 is for ever, negative none
	SegmentSize int64                                               // bytes after which a new segment begins; 0 is 64 MiB
	Logger      *slog.Logger                                        // nil discards
	Writing     func(transactions, bytes int) (written func(error)) // called around each write and sync; nil is nobody
}

// A Log is the log of a directory, to be written to by one goroutine. It holds the lock of the
// directory.
type Log struct {
	Files Files
	Options
	lock File // nil after Close

	at      Position
	segment File   // the last one, open for writing
	first   uint64 // the transaction that it is named by
	size    int64  // its bytes, all of them durable
	buf     []byte // reused by Append
	failed  error  // latched: returned by every Append until Reopen
}

// Open locks a directory. The log owns fsys from here on, even if this fails, and takes
// lines after Begin.
func Open(fsys Files, o Options) (*Log, error) {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.SegmentSize <= 0 {
		o.SegmentSize = segmentDefault
	}
	lock, err := fsys.Lock(lockName)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), fsys.Close())
	}
	return &Log{Files: fsys, Options: o, lock: lock}, nil
}

// Append makes entries durable, which continue the log: when it returns nil
// they are, all of them. It sets their Batch and Head, and returns the bytes of their lines.
//
// An entry that has no form on disk is an error and no more. After any other error nobody
// knows how much of the batch is on disk, so that the log is latched until Reopen: a second
// sync can succeed without having written what the first one failed to.
func (l *Log) Append(entries []Entry) (bytes int, err error) {
	if l.failed != nil || len(entries) == 0 {
		return 0, l.failed
	}

	// On disk if the process dies here: the batches before.
	next := l.at
	buf := l.buf[:0]
	for i := range entries {
		e := &entries[i]
		if e.Seq != next.Seq+1 {
			return 0, fmt.Errorf("transaction %d cannot follow %d", e.Seq, next.Seq)
		}
		year := e.Time.UTC().Year()
		if e.Change == nil && e.Note == nil && e.Snapshots == nil || year < 0 || year > 9999 {
			return 0, fmt.Errorf("transaction %d has no change, or a year of five digits", e.Seq)
		}
		e.Batch = entries[0].Seq
		buf = append(AppendLine(buf, e, next.Head), '\n')
		next = Position{e.Seq, e.Head}
	}
	if err := l.write(buf, entries[0].Seq, next); err != nil {
		return 0, err
	}
	if l.buf = buf; cap(buf) > bufferKept {
		l.buf = nil
	}
	return len(buf), nil
}

// write makes the lines of a batch durable. The first is the line of a transaction, and all of
// them lead to a position.
func (l *Log) write(buf []byte, first uint64, next Position) error {
	if err := l.checkOwn(); err != nil {
		return l.latch(err)
	}
	if l.size > 0 && l.size+int64(len(buf)) > l.SegmentSize {
		if err := l.beginSegment(first); err != nil {
			return l.latch(err)
		}
	}

	// Perhaps a new segment too, without a line.
	written := func(error) {}
	if l.Writing != nil {
		written = l.Writing(int(next.Seq-first)+1, len(buf))
	}
	if _, err := l.segment.WriteAt(buf, l.size); err != nil {
		written(err)
		return l.latch(err)
	}

	// Perhaps some sectors of this batch. Recovery keeps the lines that are
	// whole, up to the first that is not.
	err := l.segment.Sync()
	if written(err); err != nil {
		return l.latch(err)
	}

	// This batch.
	l.size += int64(len(buf))
	l.at = next
	return nil
}

// beginSegment makes the segment that a transaction begins. The one before is
// synced, as every batch in it was.
func (l *Log) beginSegment(first uint64) error {
	f, err := l.Files.Create(SegmentName(first))
	if err != nil {
		return err
	}
	if l.segment != nil {
		l.segment.Close() // nothing in it waits to be written
	}
	l.segment = f
	l.first = first
	l.size = 0
	return l.Files.SyncDir(LogDir)
}

// CheckLock refuses a directory that is not this process's any more: when the lock
// was removed, a second process may have taken another. Any goroutine may ask.
func (l *Log) CheckLock() error {
	_, err := l.Files.Own(l.lock, lockName)
	return err
}

// checkOwn refuses to write what is not the log's any more: two processes that write one
// log overwrite each other's lines.
func (l *Log) checkOwn() error {
	if err := l.CheckLock(); err != nil {
		return err
	}
	size, err := l.Files.Own(l.segment, SegmentName(l.first))
	if err == nil && size != l.size {
		err = fmt.Errorf(
			"%s has %d bytes where %d were written: %w",
			SegmentName(l.first),
			size,
			l.size,
			ErrNotOwn,
		)
	}
	return err
}

func (l *Log) latch(cause error) error {
	l.failed = fmt.Errorf("%w: %w", ErrLatched, cause)
	return l.failed
}

// At returns the position after the last line.
func (l *Log) At() Position { return l.at }

// Failed returns why the log takes no lines, nil if it does.
func (l *Log) Failed() error { return l.failed }

// Close releases the directory. Everything that was appended is durable
// already. Closing again does nothing.
func (l *Log) Close() error {
	if l.lock == nil {
		return nil
	}
	var err error
	if l.segment != nil {
		err = l.segment.Close()
	}
	err = errors.Join(err, l.lock.Close(), l.Files.Close())
	l.lock = nil
	l.segment = nil
	l.failed = cmp.Or(l.failed, errors.New("the journal is closed"))
	return err
}
