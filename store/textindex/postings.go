// Posting lists: the documents of every word.

package textindex

import "slices"

// inline is the number of documents that a list holds without a chunk.
const inline = 3

// A list is the documents of one word. Up to inline documents stand in v
// itself, in no order. With more, v holds the fields below.
type list struct {
	n uint32 // documents; 0 when the word is no longer in the index
	v [inline]uint32
	// used is the number of bytes used in the last chunk, when it is sparse. It
	// is kept here so that push need not wait for the memory of the chunk.
	used uint32
}

const (
	last = iota // the greatest document
	tail        // the block of the last chunk
	dir         // the number of the directory in dirs, plus one; 0 with one chunk
)

// A chunk is a piece of a list: it holds the documents from from, inclusive,
// to the from of the next chunk. The first one's from is 0.
type chunk struct {
	from  uint32
	block block
}

// postings are the lists of all words, by slot. No chunk is empty.
type postings struct {
	arena
	lists    []list
	dirs     [][]chunk // the chunks of the lists that have more than one
	freeDirs []uint32  // numbers in dirs that are not used
}

// insert puts a document in a list, if it is not in it.
func (p *postings) insert(slot, doc uint32) {
	for int(slot) >= len(p.lists) {
		p.lists = append(p.lists, list{})
	}
	l := &p.lists[slot]
	switch {
	case l.n <= inline:
		p.insertInline(l, doc)
	case doc == l.v[last]: // the word stood in the text before
	case doc > l.v[last] && p.push(l, doc):
		l.n, l.v[last] = l.n+1, doc
	case p.insertChunk(l, doc):
		l.n, l.v[last] = l.n+1, max(doc, l.v[last])
	}
}

func (p *postings) insertInline(l *list, doc uint32) {
	if slices.Contains(l.v[:l.n], doc) {
		return
	}
	if l.n < inline {
		l.v[l.n] = doc
		l.n++
		return
	}
	docs := [inline + 1]uint32{inline: doc}
	copy(docs[:], l.v[:])
	slices.Sort(docs[:])
	l.n, l.v = inline+1, [inline]uint32{last: docs[inline]}
	p.setTail(l, p.sparse(docs[:]...))
}

// setTail is told the block of the last chunk when it is another one, or has
// been changed.
func (p *postings) setTail(l *list, b block) {
	l.v[tail], l.used = uint32(b), uint32(p.bytes(b)[0])+1
}

// push puts a document behind all others, if the last chunk's block has room.
func (p *postings) push(l *list, doc uint32) bool {
	b := block(l.v[tail])
	data := p.bytes(b)
	if b.isDense() {
		place := doc - base(data)
		if place < span {
			data[bitsAt+place/8] |= 1 << (place % 8)
		}
		return place < span
	}
	used, gap := int(l.used), doc-l.v[last]
	switch {
	case gap < two && used < len(data):
		data[used] = byte(gap)
		used++
	case used+maxGap <= len(data):
		used = len(appendGap(data[:used], gap))
	default:
		return false
	}
	data[0], l.used = byte(used-1), uint32(used)
	return true
}

// insertRun puts in documents that ascend, none of which is in the list yet.
func (p *postings) insertRun(slot uint32, docs []uint32) {
	for len(docs) > 0 {
		p.insert(slot, docs[0])
		docs = docs[1:]
		l := &p.lists[slot]
		if l.n <= inline || block(l.v[tail]).isDense() || len(docs) == 0 || docs[0] < l.v[last] {
			continue
		}
		data, used, prev := p.bytes(block(l.v[tail])), int(l.used), l.v[last]
		n := 0
		for n < len(docs) && docs[n]-prev < two && used < len(data) {
			data[used], prev = byte(docs[n]-prev), docs[n]
			n, used = n+1, used+1
		}
		data[0] = byte(used - 1)
		l.used, l.n, l.v[last] = uint32(used), l.n+uint32(n), prev
		docs = docs[n:]
	}
}

// insertChunk puts a document in the chunk where it belongs, and reports
// whether it was not there.
func (p *postings) insertChunk(l *list, doc uint32) bool {
	i, c := p.locate(l, doc)
	data := p.bytes(c.block)
	if c.block.isDense() {
		first := base(data)
		place := doc - first
		switch {
		case doc < first:
			p.replace(l, i, chunk{c.from, p.sparse(doc)}, chunk{first, c.block})
		case place >= span:
			p.replace(l, i, c, chunk{first + span, p.sparse(doc)})
		case hasBit(data, place):
			return false
		default:
			data[bitsAt+place/8] |= 1 << (place % 8)
		}
		return true
	}
	at := spot{at: int(data[0]) + 1, prev: l.v[last]}
	if doc < l.v[last] {
		at = seek(data, doc)
	}
	if at.holds(doc) {
		return false
	}
	if b, ok := p.insertSparse(c.block, at, doc); ok {
		p.replace(l, i, chunk{c.from, b})
		return true
	}
	// Documents come mostly in ascending order: a full last chunk stays full.
	if first, _ := gapAt(data, 1); doc > l.v[last] && !fitsDense(first, doc) {
		p.replace(l, i, c, chunk{doc, p.sparse(doc)})
		return true
	}
	docs := insertDoc(p.docs(c.block, make([]uint32, 0, chunkSize)), doc)
	p.free(c.block)
	if fitsDense(docs[0], docs[len(docs)-1]) {
		p.replace(l, i, chunk{c.from, p.dense(docs)})
		return true
	}
	half := len(docs) / 2
	p.replace(l, i, chunk{c.from, p.sparse(docs[:half]...)}, chunk{docs[half], p.sparse(docs[half:]...)})
	return true
}

// remove takes a document out of a list, if it is in it, and reports whether
// the list is empty.
func (p *postings) remove(slot, doc uint32) bool {
	l := &p.lists[slot]
	if l.n <= inline {
		if i := slices.Index(l.v[:l.n], doc); i >= 0 {
			l.n--
			l.v[i] = l.v[l.n]
		}
		return l.n == 0
	}
	if !p.removeChunk(l, doc) {
		return false
	}
	if l.n == inline+1 {
		docs := [inline]uint32(p.all(l, make([]uint32, 0, inline)))
		p.release(l)
		l.v = docs
	} else if doc == l.v[last] {
		l.v[last] = p.arena.last(block(l.v[tail]))
	}
	l.n--
	return false
}

// removeChunk takes a document out of its chunk, and reports whether it was
// there.
func (p *postings) removeChunk(l *list, doc uint32) bool {
	i, c := p.locate(l, doc)
	data := p.bytes(c.block)
	if !c.block.isDense() {
		at := seek(data, doc)
		if !at.holds(doc) {
			return false
		}
		b := p.removeSparse(c.block, at)
		if p.bytes(b)[0] == 0 {
			p.free(b)
			p.replace(l, i)
		} else {
			p.replace(l, i, chunk{c.from, b})
		}
		return true
	}
	place := doc - base(data)
	if place >= span || !hasBit(data, place) {
		return false
	}
	data[bitsAt+place/8] &^= 1 << (place % 8)
	if ones(data) == few {
		docs := p.docs(c.block, make([]uint32, 0, few))
		p.free(c.block)
		p.replace(l, i, chunk{c.from, p.sparse(docs...)})
	}
	return true
}

// mark sets the bits of a list's documents.
func (p *postings) mark(slot uint32, into Bitmap) {
	l := &p.lists[slot]
	if l.n <= inline {
		for _, doc := range l.v[:l.n] {
			into.Set(doc)
		}
		return
	}
	for _, c := range p.chunks(l) {
		p.arena.mark(c.block, into)
	}
}

// all appends the documents of a list, ascending.
func (p *postings) all(l *list, docs []uint32) []uint32 {
	if l.n <= inline {
		docs = append(docs, l.v[:l.n]...)
		slices.Sort(docs)
		return docs
	}
	for _, c := range p.chunks(l) {
		docs = p.docs(c.block, docs)
	}
	return docs
}

// keep keeps the lists of some slots, in their order, and renumbers them.
func (p *postings) keep(slots []uint32) {
	lists := make([]list, len(slots))
	for i, slot := range slots {
		lists[i] = p.lists[slot]
	}
	p.lists = lists
}

// size returns the bytes that the lists take.
func (p *postings) size() int64 {
	n := p.arena.size() + int64(cap(p.lists))*20 + int64(cap(p.dirs))*24 + int64(cap(p.freeDirs))*4
	for _, chunks := range p.dirs {
		n += int64(cap(chunks)) * 8
	}
	return n
}
