// How much of answers may be in memory.

package respond

import "sync/atomic"

// An answer up to heldAlways bytes is made in memory, and one up to HeldMost while all
// of them that are larger than heldAlways take no more than heldTogether. All else is
// sent in parts, each of which is of one record and of one text of it at most, or of
// PartSize.
const (
	HeldMost     = 4 << 20
	PartSize     = 64 << 10
	heldAlways   = 64 << 10
	heldTogether = 64 << 20
)

// A Memory is what the answers of a server take that are larger than heldAlways.
type Memory struct{ used atomic.Int64 }

// Used returns how many bytes that is.
func (m *Memory) Used() int64 { return m.used.Load() }

// A Hold is what one answer takes of a Memory.
type Hold struct {
	Of    *Memory
	bytes int
}

// Grow reports whether so many bytes of the answer may be in memory, and counts them
// until End.
func (h *Hold) Grow(bytes int) bool {
	if bytes <= max(heldAlways, h.bytes) {
		return true
	}
	return bytes <= HeldMost && h.count(min(2*bytes, HeldMost)) // twice, so that it is asked seldom
}

// Share is Grow for a text that is in memory for others too, however long.
func (h *Hold) Share(bytes int) bool { return bytes <= max(heldAlways, h.bytes) || h.count(bytes) }

// count counts so many bytes for the answer, if there is room for them.
func (h *Hold) count(bytes int) bool {
	for more := int64(bytes - h.bytes); ; {
		others := h.Of.used.Load()
		if others+more > heldTogether {
			return false
		}
		if h.Of.used.CompareAndSwap(others, others+more) {
			h.bytes = bytes
			return true
		}
	}
}

// End ends what Grow began: nothing of the answer is in memory any more.
func (h *Hold) End() {
	h.Of.used.Add(-int64(h.bytes))
	h.bytes = 0
}
