// The end of the log, for stores that follow this one.

package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// ErrPruned is in the error of Tail for lines that there are no more.
var ErrPruned = errors.New("the log begins later")

// tailCursors is how many places are remembered at which somebody goes on.
const tailCursors = 64

// cursors are places in the log where a line begins, by its number.
type cursors struct {
	mu sync.Mutex
	at map[uint64]cursor
}

type cursor struct {
	segment uint64
	offset  int64
}

// take returns a place, which is forgotten.
func (c *cursors) take(seq uint64) (cursor, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.at[seq]
	delete(c.at, seq)
	return at, ok
}

func (c *cursors) put(seq uint64, at cursor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil || len(c.at) >= tailCursors {
		c.at = map[uint64]cursor{}
	}
	c.at[seq] = at
}

// Tail returns the lines of the log after a transaction, of which head is the SHA-256
// of the line in hexadecimal digits, zeros before the first: whole batches of about so
// many bytes, or of one batch that is longer, and nothing but what is durable. It returns
// nothing when the transaction is the last one.
//
// When the log has another line in its place, or none yet, the error is ErrDiverged, and
// when it begins later ErrPruned. A store in memory has no log: errors.ErrUnsupported.
func (s *Store) Tail(after uint64, head string, most int) ([]byte, error) {
	if s.journal == nil {
		return nil, errors.ErrUnsupported
	}
	at := s.State().at
	want, ok := headOf(head)
	switch {
	case !ok || after > at.Seq || after == at.Seq && want != at.Head || after == 0 && want != [sha256.Size]byte{}:
		return nil, fmt.Errorf("store: transaction %d with the head %.64s: %w", after, head, ErrDiverged)
	case after == at.Seq:
		return nil, nil
	}
	segments, err := numbered(s.journal.fsys, logDir, segmentSuffix)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if len(segments) == 0 || segments[0] > after+1 {
		return nil, fmt.Errorf("store: transaction %d: %w", after+1, ErrPruned)
	}
	place := cursor{segment: segments[segmentOf(segments, after+1)]}
	f, err := s.journal.fsys.open(segmentName(place.segment))
	if isAbsent(err) {
		return nil, fmt.Errorf("store: transaction %d: %w", after+1, ErrPruned)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	if known, ok := s.cursors.take(after + 1); ok && known.segment == place.segment {
		place = known
	} else if place.offset, _, _, err = find(f, after+1); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	text, err := linesFrom(f, place.offset, trail{seq: after, head: want, known: true}, at.Seq, most)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", segmentName(place.segment), err)
	}
	s.cursors.put(after+1+uint64(bytes.Count(text, []byte("\n"))), cursor{place.segment, place.offset + int64(len(text))})
	return text, nil
}

// linesFrom reads whole batches that begin at a place of a segment, up to a transaction
// at most, which ends one. They must follow a trail.
func linesFrom(f file, offset int64, follows trail, last uint64, most int) (text []byte, err error) {
	failed := cutBlocks(io.NewSectionReader(f, offset, math.MaxInt64-offset), func(block *[]byte) bool {
		for rest := *block; len(rest) > 0; {
			line, after, _ := bytes.Cut(rest, []byte("\n"))
			var l logLine
			if l, err = parseLine(line); err != nil {
				return false
			}
			if l.Seq == l.Batch && len(text) >= most {
				return false
			}
			l.Head = sha256.Sum256(line)
			if err = follows.check(&l); err != nil {
				err = fmt.Errorf("%w: %w", ErrDiverged, err)
				return false
			}
			text, follows = append(append(text, line...), '\n'), l.trail()
			if l.Seq == last {
				return false
			}
			rest = after
		}
		return true
	})
	return text, cmp.Or(err, failed)
}
