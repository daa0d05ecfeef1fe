// Memory for chunks: blocks of a few sizes, cut from pages, so that hundreds
// of thousands of chunks are some thousand allocations to the collector.

package textindex

import "math/bits"

const (
	minSize   = 16       // bytes of the smallest blocks
	classes   = 5        // sizes of blocks, each twice the one before
	chunkSize = 256      // bytes of the largest blocks: minSize << (classes-1)
	pageSize  = 16 << 10 // bytes of a page, an exact size class of Go's allocator
	dense     = classes  // in place of a class: a block of chunkSize that holds bits
	classBits = 3        // of a block's name
	classMask = 1<<classBits - 1
)

// A block names a piece of memory: its number within its class, then the class.
type block uint32

func (b block) class() int    { return int(b & classMask) }
func (b block) isDense() bool { return b&classMask == dense }

// classFor returns the smallest class of blocks that hold size bytes.
func classFor(size int) int { return bits.Len(uint(size-1) / minSize) }

// An arena hands out blocks. Pages are kept, freed blocks are used again.
type arena struct {
	pages [classes][][]byte
	next  [classes]uint32   // the first number never given out
	freed [classes][]uint32 // numbers given back
}

// bytes returns the memory of a block, which stays where it is until it is freed.
func (a *arena) bytes(b block) []byte {
	class := min(b.class(), classes-1)
	size, perPage := minSize<<class, uint32(pageSize/minSize)>>class
	n := uint32(b >> classBits)
	at := int(n%perPage) * size
	return a.pages[class][n/perPage][at : at+size : at+size]
}

// alloc returns a block of a class, or a dense one. Its bytes are of any value.
func (a *arena) alloc(kind int) block {
	class := min(kind, classes-1)
	var n uint32
	if last := len(a.freed[class]) - 1; last >= 0 {
		n = a.freed[class][last]
		a.freed[class] = a.freed[class][:last]
	} else {
		n = a.next[class]
		a.next[class]++
		if perPage := uint32(pageSize/minSize) >> class; n%perPage == 0 {
			a.pages[class] = append(a.pages[class], make([]byte, pageSize))
		}
	}
	return block(n<<classBits) | block(kind)
}

// free takes a block back.
func (a *arena) free(b block) {
	class := min(b.class(), classes-1)
	a.freed[class] = append(a.freed[class], uint32(b>>classBits))
}

// size returns the bytes that the arena takes.
func (a *arena) size() (n int64) {
	for class := range classes {
		n += int64(cap(a.pages[class]))*24 + int64(len(a.pages[class]))*pageSize + int64(cap(a.freed[class]))*4
	}
	return n
}

// inUse counts the blocks that are given out.
func (a *arena) inUse() (n int) {
	for class := range classes {
		n += int(a.next[class]) - len(a.freed[class])
	}
	return n
}
