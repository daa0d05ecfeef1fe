// What is in memory and what is on the disk of a directory in memory.

package store

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A memNode is a directory if it has entries, else a file.
type memNode struct {
	entries, onDisk map[string]*memNode

	data, disk []byte
	unsynced   []memEdit
}

// A memEdit is a write, or a truncation if data is nil.
type memEdit struct {
	at   int64
	data []byte
}

func (n *memNode) crash(s survival, rng *rand.Rand) *memNode {
	if n.entries == nil {
		disk := slices.Clone(n.disk)
		for _, e := range n.unsynced {
			switch s {
			case all:
				disk = e.apply(disk)
			case some:
				disk = e.tear(disk, rng)
			}
		}
		return &memNode{data: disk, disk: slices.Clone(disk)}
	}
	after := newMemDir()
	names := slices.Collect(maps.Keys(n.onDisk))
	for name := range n.entries {
		if n.onDisk[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		from := n.onDisk
		if s == all || s == some && rng.IntN(2) == 0 {
			from = n.entries
		}
		if child := from[name]; child != nil {
			after.entries[name] = child.crash(s, rng)
		}
	}
	after.onDisk = maps.Clone(after.entries)
	return after
}

func (e memEdit) apply(to []byte) []byte {
	if e.data == nil {
		return grow(to, e.at)[:e.at]
	}
	to = grow(to, e.at+int64(len(e.data)))
	copy(to[e.at:], e.data)
	return to
}

// tear applies any of the sectors of a write. The file may have grown all the
// same: then the others are zero.
func (e memEdit) tear(to []byte, rng *rand.Rand) []byte {
	if e.data == nil {
		if rng.IntN(2) == 0 {
			return to
		}
		return e.apply(to)
	}
	if rng.IntN(2) == 0 { // the beginning of it, and no more
		e.data = e.data[:rng.IntN(len(e.data)+1)]
		return e.apply(to)
	}
	end := e.at + int64(len(e.data))
	to = grow(to, end)
	for at := e.at; at < end; {
		next := min(end, (at/sector+1)*sector)
		if rng.IntN(2) == 0 {
			copy(to[at:next], e.data[at-e.at:next-e.at])
		}
		at = next
	}
	return to
}

func grow(b []byte, size int64) []byte {
	if n := size - int64(len(b)); n > 0 {
		return append(slices.Clip(b), make([]byte, n)...)
	}
	return slices.Clone(b)
}

func (n *memNode) change(e memEdit) {
	n.data = e.apply(n.data)
	n.unsynced = append(n.unsynced, e)
}

func newMemDir() *memNode {
	return &memNode{entries: map[string]*memNode{}, onDisk: map[string]*memNode{}}
}
