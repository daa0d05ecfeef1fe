// The rules from one line of the log to the next.

package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A trail is how far a reader of the log has come.
type trail struct {
	seq, batch uint64            // of the last line
	head       [sha256.Size]byte // of the last line
	known      bool              // head is
	doubtful   bool              // batch is: the last line could not be read
}

// newTrail returns a trail that begins before line 1.
func newTrail() trail { return trail{known: true} }

// trail returns how far one has come with a line.
func (l *logLine) trail() trail {
	return trail{seq: l.Seq, batch: l.Batch, head: l.Head, known: true}
}

// trailTo returns how far one has come with the log that leads to a state.
func trailTo(p position) trail { return trail{seq: p.Seq, head: p.Head, known: true} }

// enter begins a segment, which no batch goes on into.
func (t *trail) enter() { t.batch, t.doubtful = 0, false }

// jump goes on after a transaction whose line was not read.
func (t *trail) jump(seq uint64) { *t = trail{seq: seq, doubtful: true} }

// A chainError says that a line does not follow the one before it.
type chainError struct{ error }

// check says why a line cannot be the next one.
func (t *trail) check(l *logLine) error {
	var prev [2 * sha256.Size]byte
	hex.Encode(prev[:], t.head[:])
	switch {
	case l.Seq != t.seq+1:
		return chainError{fmt.Errorf("transaction %d where %d should be", l.Seq, t.seq+1)}
	case l.Batch != l.Seq && l.Batch != t.batch && !t.doubtful:
		return chainError{fmt.Errorf("transaction %d is in batch %d, but the one before is in %d", l.Seq, l.Batch, t.batch)}
	case t.known && l.prev != string(prev[:]):
		return chainError{fmt.Errorf("the chain is broken: prev is not the SHA-256 of the line before, %x", t.head)}
	}
	return nil
}
