// The rules from one line of the log to the next, and for the end of the log after a crash.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// sectorSize is the least that a disk writes at a time. A file system that made a
// file longer before it wrote the bytes leaves whole ones of them zero.
const sectorSize = 512

// isUnterminated reports whether all of a last line but its newline is there. A
// NUL may stand in its place: a recovery that adds the newline makes the file
// longer, and a second crash may find it so before the byte is written. It takes
// the NUL off.
func isUnterminated(l *Line) bool {
	if l.whole {
		return false
	}
	text := bytes.TrimSuffix(l.Text, []byte{0})
	if _, err := checkSum(text); err != nil {
		return false
	}
	l.Text = text
	return true
}

// checkLater returns an error if a crash during one write cannot leave the end of a log that begins
// with a torn line. seq is the number of that line, and batch the number of the batch before it.
//
// It must not forgive too much, for what it forgives is cut off. Lines after
// it that belong to a later batch prove that it was synced and acknowledged. A
// single NUL, or a last newline turned into something else, is no torn write but a
// byte gone bad.
//
// While somebody writes, bytes that are no line may be on their way.
func checkLater(tail []byte, seq, batch uint64, live bool) error {
	lines := bytes.Split(tail, []byte("\n"))
	for i, text := range lines {
		_, err := checkSum(text)
		if i == 0 || bytes.IndexByte(text, 0) >= 0 || i == len(lines)-1 && err != nil {
			if err := checkEnd(text); err != nil {
				return err
			}
			continue
		}
		l, err := ParseLine(text)
		if err != nil && live {
			continue
		}
		if err != nil {
			return fmt.Errorf("torn, and after it a line that is not: %w", err)
		}
		if l.Seq <= seq || l.Batch != seq && l.Batch != batch {
			return fmt.Errorf("torn, but transaction %d after it was written later", l.Seq)
		}
	}
	return nil
}

// checkSectors returns an error if NUL bytes in the end of a log, from an offset on, are other than
// sectors that were never written.
func checkSectors(tail []byte, offset int64) error {
	for i := 0; i < len(tail); i++ {
		if tail[i] != 0 {
			continue
		}
		from := i
		for i < len(tail) && tail[i] == 0 {
			i++
		}
		begins := from == 0 || (offset+int64(from))%sectorSize == 0
		ends := i == len(tail) || (offset+int64(i))%sectorSize == 0
		if !begins || !ends {
			return fmt.Errorf("%d NUL bytes that are not a sector of the disk", i-from)
		}
	}
	return nil
}

// checkEnd reports whether a text begins with a whole line and goes on with another byte than NUL,
// which no writer leaves.
func checkEnd(text []byte) error {
	i := bytes.Index(text, []byte(sumMember))
	end := i + sumSize
	if i < 0 || end >= len(text) || text[end] == 0 {
		return nil
	}
	if _, err := checkSum(text[:end]); err != nil {
		return nil
	}
	return fmt.Errorf("a whole line that is followed by %q and not by a newline", text[end])
}

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
		return fmt.Errorf(
			"transaction %d is in batch %d, but the one before is in %d",
			l.Seq,
			l.Batch,
			c.batch,
		)
	case !c.Unknown && string(l.prev) != string(prev[:]):
		return fmt.Errorf(
			"the chain is broken: prev is not the SHA-256 of the line before, %x",
			c.Head,
		)
	}
	return nil
}
