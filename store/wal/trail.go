// The rules from one line of the log to the next.

package wal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A Position is how far the log leads.
type Position struct {
	Seq  uint64            // number of the last transaction, from 1; 0 before the first
	Head [sha256.Size]byte // of the chain: SHA-256 of the line of Seq; zeros before the first
}

// A Trail is how far a reader of the log has come. The zero value knows no line.
type Trail struct {
	Position
	batch    uint64 // of the last line
	Known    bool   // Head is
	doubtful bool   // batch is: the last line could not be read
}

// NewTrail returns a trail that begins before line 1.
func NewTrail() Trail { return Trail{Known: true} }

// Trail returns how far one has come with a line.
func (l *Line) Trail() Trail {
	return Trail{Position: Position{l.Seq, l.Head}, batch: l.Batch, Known: true}
}

// enter begins a segment, which no batch goes on into.
func (t *Trail) enter() { t.batch, t.doubtful = 0, false }

// jump goes on after a transaction whose line was not read.
func (t *Trail) jump(seq uint64) { *t = Trail{Position: Position{Seq: seq}, doubtful: true} }

// Check says why a line cannot be the next one.
func (t *Trail) Check(l *Line) error {
	var prev [2 * sha256.Size]byte
	hex.Encode(prev[:], t.Head[:])
	switch {
	case l.Seq != t.Seq+1:
		return fmt.Errorf("transaction %d where %d should be", l.Seq, t.Seq+1)
	case l.Batch != l.Seq && l.Batch != t.batch && !t.doubtful:
		return fmt.Errorf("transaction %d is in batch %d, but the one before is in %d", l.Seq, l.Batch, t.batch)
	case t.Known && string(l.prev) != string(prev[:]):
		return fmt.Errorf("the chain is broken: prev is not the SHA-256 of the line before, %x", t.Head)
	}
	return nil
}
