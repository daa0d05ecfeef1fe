// The rules from one line of the log to the next.

package wal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A Position is how far the log leads.
type Position struct {
	Seq  uint64            // number of the last transaction; 0 before the first
	Head [sha256.Size]byte // SHA-256 of its line; zeros before the first
}

// A Chain is how far a reader of the log has come. The zero value begins before line 1.
type Chain struct {
	Position
	batch    uint64 // of the last line
	Unknown  bool   // Head is
	doubtful bool   // batch is: the last line could not be read
}

// After returns how far one has come with a line.
func (l *Line) After() Chain {
	return Chain{Position: Position{l.Seq, l.Head}, batch: l.Batch}
}

// enter begins a segment, which no batch goes on into.
func (c *Chain) enter() { c.batch, c.doubtful = 0, false }

// jump goes on after a transaction whose line was not read.
func (c *Chain) jump(seq uint64) {
	*c = Chain{Position: Position{Seq: seq}, Unknown: true, doubtful: true}
}

// Check says why a line cannot be the next one.
func (c *Chain) Check(l *Line) error {
	var prev [2 * sha256.Size]byte
	hex.Encode(prev[:], c.Head[:])
	switch {
	case l.Seq != c.Seq+1:
		return fmt.Errorf("transaction %d where %d should be", l.Seq, c.Seq+1)
	case l.Batch != l.Seq && l.Batch != c.batch && !c.doubtful:
		return fmt.Errorf("transaction %d is in batch %d, but the one before is in %d", l.Seq, l.Batch, c.batch)
	case !c.Unknown && string(l.prev) != string(prev[:]):
		return fmt.Errorf("the chain is broken: prev is not the SHA-256 of the line before, %x", c.Head)
	}
	return nil
}
