// The two codings of a piece of a posting list, in one block each.
//
// A sparse chunk is the number of bytes used, less one, in a byte, and then
// the distance of every document from the one before, of the first from 0
// (gaps.go). A dense chunk is the number of its first document, a multiple of
// 64, in four bytes, four bytes that are not used, and a bit for each of the
// span documents from there on. Where one in eight documents has the word,
// both take the same room.

package textindex

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	bitsAt = 8                        // where the bits of a dense chunk begin
	span   = (chunkSize - bitsAt) * 8 // documents of a dense chunk

	// few is the number of documents at which a dense chunk becomes sparse
	// again: they take at most 2 bytes each, well below what would turn it back.
	few = 64
)

// sparse codes ascending documents, which must fit.
func (a *arena) sparse(docs ...uint32) block {
	var buf [chunkSize + maxGap]byte
	data, prev := buf[:1], uint32(0)
	for _, doc := range docs {
		data = appendGap(data, doc-prev)
		prev = doc
	}
	data[0] = byte(len(data) - 1)
	b := a.alloc(classFor(len(data)))
	copy(a.bytes(b), data)
	return b
}

// fitsDense reports whether ascending documents fit in a dense chunk.
func fitsDense(first, last uint32) bool { return last-first&^63 < span }

// dense codes ascending documents, which must fit.
func (a *arena) dense(docs []uint32) block {
	b := a.alloc(dense)
	data := a.bytes(b)
	clear(data)
	base := docs[0] &^ 63
	binary.LittleEndian.PutUint32(data, base)
	for _, doc := range docs {
		data[bitsAt+(doc-base)/8] |= 1 << (doc % 8)
	}
	return b
}

// base returns the first document of a dense chunk.
func base(data []byte) uint32 { return binary.LittleEndian.Uint32(data) }

// hasBit reports whether the document at a place of a dense chunk is in it.
func hasBit(data []byte, place uint32) bool { return data[bitsAt+place/8]>>(place%8)&1 != 0 }

// ones counts the documents of a dense chunk.
func ones(data []byte) (n int) {
	for data = data[bitsAt:chunkSize]; len(data) >= 8; data = data[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(data))
	}
	return n
}

// mark sets the bits of a chunk's documents.
func (a *arena) mark(b block, into Bitmap) {
	data := a.bytes(b)
	if b.isDense() {
		// The last chunk may reach beyond the last document.
		into = into[min(int(base(data)/64), len(into)):]
		for data = data[bitsAt:]; len(data) >= 8 && len(into) > 0; data, into = data[8:], into[1:] {
			into[0] |= binary.LittleEndian.Uint64(data)
		}
		return
	}
	doc := uint32(0)
	data = data[:int(data[0])+1]
	for at := 1; at < len(data); {
		if c := data[at]; c < two {
			doc += uint32(c)
			at++
		} else {
			gap, size := gapAt(data, at)
			doc, at = doc+gap, at+size
		}
		into[doc>>6] |= 1 << (doc & 63)
	}
}

// docs appends the documents of a chunk, ascending.
func (a *arena) docs(b block, docs []uint32) []uint32 {
	data := a.bytes(b)
	if b.isDense() {
		first := base(data)
		for place := range uint32(span) {
			if hasBit(data, place) {
				docs = append(docs, first+place)
			}
		}
		return docs
	}
	data = data[:int(data[0])+1]
	for at, doc := 1, uint32(0); at < len(data); docs = append(docs, doc) {
		gap, size := gapAt(data, at)
		doc, at = doc+gap, at+size
	}
	return docs
}

// last returns the greatest document of a chunk.
func (a *arena) last(b block) uint32 {
	data := a.bytes(b)
	if !b.isDense() {
		return seek(data, ^uint32(0)).greatest()
	}
	for at := chunkSize - 8; ; at -= 8 {
		if w := binary.LittleEndian.Uint64(data[at:]); w != 0 {
			return base(data) + uint32(at-bitsAt)*8 + uint32(bits.Len64(w)) - 1
		}
	}
}

// A spot is a place in a sparse chunk.
type spot struct {
	at, size   int    // where a document's distance stands; size 0 at the end
	prev, next uint32 // the document before, 0 if none, and the one there
}

func (s spot) holds(doc uint32) bool { return s.size > 0 && s.next == doc }

func (s spot) greatest() uint32 {
	if s.size > 0 {
		return s.next
	}
	return s.prev
}

// seek finds the first document of a sparse chunk that is not below doc.
func seek(data []byte, doc uint32) spot {
	data = data[:int(data[0])+1]
	prev := uint32(0)
	for at := 1; at < len(data); {
		if at+8 <= len(data) {
			if sum, ok := sum8(binary.LittleEndian.Uint64(data[at:])); ok && prev+sum < doc {
				prev, at = prev+sum, at+8
				continue
			}
		}
		gap, size := gapAt(data, at)
		if prev+gap >= doc {
			return spot{at, size, prev, prev + gap}
		}
		prev, at = prev+gap, at+size
	}
	return spot{at: len(data), prev: prev}
}

// insertSparse puts a document in where seek found that it is not. It reports
// whether there was room; then the chunk may be in another block.
func (a *arena) insertSparse(b block, s spot, doc uint32) (block, bool) {
	var buf [2 * maxGap]byte
	gaps := appendGap(buf[:0], doc-s.prev)
	if s.size > 0 {
		gaps = appendGap(gaps, s.next-doc)
	}
	return a.edit(b, s.at, s.size, gaps)
}

// removeSparse takes out the document that seek found. The chunk may be in
// another block then; it may be empty.
func (a *arena) removeSparse(b block, s spot) block {
	var buf [maxGap]byte
	gaps, size := buf[:0], s.size
	if data := a.bytes(b); s.at+size <= int(data[0]) {
		gap, more := gapAt(data, s.at+size)
		gaps, size = appendGap(gaps, s.next-s.prev+gap), size+more
	}
	b, _ = a.edit(b, s.at, size, gaps)
	return b
}

// edit replaces size bytes of a sparse chunk at a place. It moves the chunk to
// a block of another class if it must, or if it fits in one of a quarter.
func (a *arena) edit(b block, at, size int, with []byte) (block, bool) {
	data := a.bytes(b)
	used := int(data[0]) + 1
	need := used - size + len(with)
	if need > chunkSize {
		return b, false
	}
	to, old := data, b
	if class := classFor(need); class > b.class() || class < b.class()-1 {
		b = a.alloc(class)
		to = a.bytes(b)
		copy(to, data[:at])
	}
	copy(to[at+len(with):], data[at+size:used])
	copy(to[at:], with)
	to[0] = byte(need - 1)
	if b != old {
		a.free(old)
	}
	return b, true
}

// insertDoc puts a document in its place among others.
func insertDoc(docs []uint32, doc uint32) []uint32 {
	at, _ := slices.BinarySearch(docs, doc)
	return slices.Insert(docs, at, doc)
}
