// Checkpoints: lines of the log that name the snapshots.

package store

import (
	"time"

	"almanac/store/wal"
)

// A checkpoint is on its way to the committer.
type checkpoint struct {
	refs []wal.Reference
	seq  uint64        // of its line
	err  error         // until done, the committer's
	done chan struct{} // closed when it is durable, or failed
}

// enter writes a line with the names of snapshots, after the transactions that wait.
func (s *Store) enter(refs []wal.Reference) (seq uint64, err error) {
	c := &checkpoint{refs: refs, done: make(chan struct{})}
	s.waiting.Add(1)
	b := <-s.turn // Close waits for snapshots before it keeps the turn
	s.waiting.Add(-1)
	b.checkpoint = c
	s.full <- b
	<-c.done
	return c.seq, c.err
}

// commitCheckpoint makes a line durable that names snapshots, and the store go on
// from it. It changes no record.
func (s *Store) commitCheckpoint(c *checkpoint) {
	defer close(c.done)
	entries := []wal.Entry{checkpointEntry(s.journal.position().Seq+1, s.now().UTC(), c.refs)}
	if c.err = s.journal.commit(entries); c.err != nil {
		return
	}
	c.seq = entries[0].Seq
	s.mu.Lock()
	s.state.Store(&State{s.journal.position()})
	s.mu.Unlock()
}

// checkpointEntry is the transaction of a checkpoint. Nobody asked for it.
func checkpointEntry(seq uint64, now time.Time, refs []wal.Reference) wal.Entry {
	return wal.Entry{Seq: seq, Time: now, Snapshots: refs}
}
