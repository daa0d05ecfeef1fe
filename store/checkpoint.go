// Checkpoints: lines of the log that name the snapshots.

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A reference names a snapshot, and all that is in it: the manifest has the hashes of
// its files.
type reference struct {
	Seq      uint64 `json:"seq"`
	Manifest string `json:"manifest"` // SHA-256 of manifest.json
}

// snapshotsMember begins what a checkpoint has in the place of a change.
const snapshotsMember = `,"snapshots":`

// appendReferences appends the value of that member.
func appendReferences(dst []byte, refs []reference) []byte {
	for i, ref := range refs {
		dst = append(dst, "[,"[min(i, 1)])
		dst = append(dst, `{"seq":`...)
		dst = strconv.AppendUint(dst, ref.Seq, 10)
		dst = append(dst, `,"manifest":"`...)
		dst = append(dst, ref.Manifest...)
		dst = append(dst, `"}`...)
	}
	return append(dst, ']')
}

// parseReferences reads what a checkpoint after the transaction before seq names.
// Every byte must be as appendReferences writes it.
func parseReferences(text []byte, seq uint64) ([]reference, error) {
	var refs []reference
	if err := json.Unmarshal(text, &refs); err != nil {
		return nil, err
	}
	if len(refs) == 0 || !bytes.Equal(text, appendReferences(nil, refs)) {
		return nil, errors.New("snapshots that are not in the order and form of this log")
	}
	last := uint64(0)
	for _, ref := range refs {
		if ref.Seq <= last || ref.Seq >= seq || !isSHA256(ref.Manifest) {
			return nil, fmt.Errorf("the snapshot of %d cannot be named here", ref.Seq)
		}
		last = ref.Seq
	}
	return refs, nil
}

// naming returns which of the snapshots that a line names is the one of a transaction,
// or -1.
func (e *entry) naming(seq uint64) int {
	return slices.IndexFunc(e.Snapshots, func(ref reference) bool { return ref.Seq == seq })
}

// checkNamed holds a snapshot to what a line of the log says of it, if that names it.
func checkNamed(e *logLine, seq uint64, manifest string) error {
	i := e.naming(seq)
	if i < 0 || e.Snapshots[i].Manifest == manifest {
		return nil
	}
	return &CorruptError{File: snapshotName(seq) + "/" + manifestName, Err: fmt.Errorf(
		"its SHA-256 is %s, but when the snapshot was made it was %s, as transaction %d says", manifest, e.Snapshots[i].Manifest, e.Seq)}
}

// A checkpoint is on its way to the committer.
type checkpoint struct {
	refs []reference
	seq  uint64        // of its line
	err  error         // until done, the committer's
	done chan struct{} // closed when it is durable, or failed
}

// enter writes a line with the names of snapshots, after the transactions that wait.
func (s *Store) enter(refs []reference) (seq uint64, err error) {
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
	entries := []entry{checkpointEntry(s.journal.position().Seq+1, s.now().UTC(), c.refs)}
	if c.err = s.journal.commit(entries); c.err != nil {
		return
	}
	c.seq = entries[0].Seq
	s.mu.Lock()
	s.state.Store(&State{s.journal.position()})
	s.mu.Unlock()
}

// checkpointEntry is the transaction of a checkpoint. Nobody asked for it.
func checkpointEntry(seq uint64, now time.Time, refs []reference) entry {
	return entry{Seq: seq, Time: now, Change: new(Change), Snapshots: refs}
}
