// A directory in memory has a state that processes see, and another one on its disk.

package store

import (
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"slices"
)

const sector = 512 // bytes

// A memNode is a directory if it has entries, else a file.
type memNode struct {
	entries, onDisk map[string]*memNode
	unlisted        []memEntry // changes of entries that are not synced, in order

	data, disk []byte
	unsynced   []memEdit
}

// A memEntry is an entry that was made, or removed if node is nil. A rename is
// one of each.
type memEntry struct {
	name string
	node *memNode
}

// A memEdit is a write, or a truncation if data is nil.
type memEdit struct {
	at   int64
	data []byte
}

// A lot decides what survives: first by the bits of a number, so that small
// numbers try all that a few decisions can give, then at random.
type lot struct {
	bits uint64
	left int
	*rand.Rand
}

func newLot(seed uint64) *lot { return &lot{seed, 3, rand.New(rand.NewPCG(seed, 1))} }

func (l *lot) draw() bool {
	if l.left == 0 {
		return l.IntN(2) == 0
	}
	l.left--
	bit := l.bits&1 == 1
	l.bits >>= 1
	return bit
}

// crash returns what is left of a node. Entries survive in any subset, also a
// later one without those before it.
func (n *memNode) crash(s survival, lot *lot) *memNode {
	if n.entries == nil {
		disk := n.disk
		for _, e := range n.unsynced {
			switch s {
			case all:
				disk = e.apply(disk)
			case some:
				disk = e.tear(disk, lot)
			}
		}
		return &memNode{data: disk, disk: disk}
	}
	left := maps.Clone(n.onDisk)
	for _, e := range n.unlisted {
		if s == all || s == some && lot.draw() {
			set(left, e.name, e.node)
		}
	}
	after := newMemDir()
	for _, name := range slices.Sorted(maps.Keys(left)) {
		after.entries[name] = left[name].crash(s, lot)
	}
	after.onDisk = maps.Clone(after.entries)
	return after
}

// clone returns a copy that goes its own way. Bytes are shared, as nobody changes
// existing bytes.
func (n *memNode) clone(copies map[*memNode]*memNode) *memNode {
	if n == nil || copies[n] != nil {
		return copies[n]
	}
	c := &memNode{data: n.data, disk: n.disk, unsynced: slices.Clip(n.unsynced)}
	copies[n] = c
	if n.entries == nil {
		return c
	}
	c.entries = map[string]*memNode{}
	c.onDisk = map[string]*memNode{}
	for name, child := range n.entries {
		c.entries[name] = child.clone(copies)
	}
	for name, child := range n.onDisk {
		c.onDisk[name] = child.clone(copies)
	}
	for _, e := range n.unlisted {
		c.unlisted = append(c.unlisted, memEntry{e.name, e.node.clone(copies)})
	}
	return c
}

// isSettled reports whether a crash leaves everything.
func (n *memNode) isSettled() bool {
	if len(n.unsynced)+len(n.unlisted) > 0 {
		return false
	}
	for _, child := range n.entries {
		if !child.isSettled() {
			return false
		}
	}
	return true
}

// sum adds all that a node is to a hash.
func (n *memNode) sum(h *maphash.Hash) {
	bytes := func(b []byte) {
		h.Write(binary.AppendUvarint(nil, uint64(len(b))))
		h.Write(b)
	}
	entries := func(m map[string]*memNode) {
		bytes(nil)
		for _, name := range slices.Sorted(maps.Keys(m)) {
			bytes([]byte(name))
			m[name].sum(h)
		}
	}
	if n == nil {
		h.WriteByte(0)
		return
	}
	bytes(n.data)
	bytes(n.disk)
	for _, e := range n.unsynced {
		h.Write(binary.AppendVarint(nil, e.at))
		bytes(e.data)
	}
	if n.entries == nil {
		return
	}
	entries(n.entries)
	entries(n.onDisk)
	for _, e := range n.unlisted {
		bytes([]byte(e.name))
		e.node.sum(h)
	}
}

// list changes an entry of a directory.
func (n *memNode) list(name string, node *memNode) {
	set(n.entries, name, node)
	n.unlisted = append(n.unlisted, memEntry{name, node})
}

func set(entries map[string]*memNode, name string, node *memNode) {
	if node == nil {
		delete(entries, name)
	} else {
		entries[name] = node
	}
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
// same: then the other sectors are zero.
func (e memEdit) tear(to []byte, lot *lot) []byte {
	if e.data == nil {
		if lot.draw() {
			return to
		}
		return e.apply(to)
	}
	if lot.draw() { // the beginning of it, and no more
		n := int64(lot.IntN(len(e.data) + 1))
		if e.at+n < int64(len(to)) { // over bytes that are there: by sectors
			n = max(0, (e.at+n)/sector*sector-e.at)
		}
		e.data = e.data[:n]
		return e.apply(to)
	}
	end := e.at + int64(len(e.data))
	to = grow(to, end)
	for at := e.at; at < end; {
		next := min(end, (at/sector+1)*sector)
		if lot.draw() {
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
