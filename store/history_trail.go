// What holds from one line of the log to the next.

package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
)

// readFiles opens a directory that is there, to read. Nothing is made in it,
// not even the lock: it may belong to a server, or to an auditor's read-only
// disk.
func readFiles(dir string) (files, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return osFiles{root}, nil
}

// lineReaderAt reads a file from the end of a line on.
func lineReaderAt(name string, f file, end int64, number int) *lineReader {
	in := bufio.NewReaderSize(io.NewSectionReader(f, end, math.MaxInt64-end), 16<<10)
	return &lineReader{name: name, in: in, end: end, number: number}
}

// A trail is how far a reader of the log has come. Unlike a replay it goes on
// after a bad line, so that one mistake does not hide the next.
type trail struct {
	seq, batch uint64            // of the last line
	head       [sha256.Size]byte // of the last line
	known      bool              // head is
	doubtful   bool              // batch is: the last line could not be read
}

// newTrail returns a trail that begins before line 1.
func newTrail() trail { return trail{known: true} }

// enter begins a segment, which no batch goes on into.
func (t *trail) enter() { t.batch, t.doubtful = 0, false }

// jump goes on after a transaction whose line was not read.
func (t *trail) jump(seq uint64) { *t = trail{seq: seq, doubtful: true} }

// follow takes the next line apart and holds it to those before it. When that
// fails, the trail goes on from what the line says of itself.
func (t *trail) follow(text []byte) (logLine, error) {
	e, err := parseLine(text)
	if err != nil {
		t.jump(t.seq + 1)
		return e, err
	}
	err = t.check(&e)
	*t = trail{seq: e.Seq, batch: e.Batch, head: sha256.Sum256(text), known: true}
	return e, err
}

// check says why a line cannot be the next one, for all who follow the log.
func (t *trail) check(e *logLine) error {
	switch {
	case e.Seq != t.seq+1:
		return fmt.Errorf("transaction %d where %d should be", e.Seq, t.seq+1)
	case e.Batch != e.Seq && e.Batch != t.batch && !t.doubtful:
		return fmt.Errorf("transaction %d is in batch %d, but the one before is in %d", e.Seq, e.Batch, t.batch)
	case t.known && e.prev != hex.EncodeToString(t.head[:]):
		return fmt.Errorf("the chain is broken: prev is not the SHA-256 of the line before, %x", t.head)
	}
	return nil
}

// checkHead holds the line of a snapshot, if this is the one, to what the
// snapshot says of it.
func (p *position) checkHead(seq uint64, sum [sha256.Size]byte) error {
	if seq == p.Seq && sum != p.Head {
		return fmt.Errorf("its SHA-256 is not the one in the snapshot of it, %x", p.Head)
	}
	return nil
}
