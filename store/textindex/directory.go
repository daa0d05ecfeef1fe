// Directories: which chunks a posting list has, and where a document belongs.

package textindex

import (
	"cmp"
	"slices"
)

// locate returns the chunk to which a document belongs, and its place.
func (p *postings) locate(l *list, doc uint32) (int, chunk) {
	if l.v[dir] == 0 {
		return 0, chunk{0, block(l.v[tail])}
	}
	chunks := p.dirs[l.v[dir]-1]
	if doc >= l.v[last] {
		return len(chunks) - 1, chunks[len(chunks)-1]
	}
	i, found := slices.BinarySearchFunc(chunks, doc, func(c chunk, doc uint32) int { return cmp.Compare(c.from, doc) })
	if !found {
		i--
	}
	return i, chunks[i]
}

// replace puts none, one or two chunks in the place of chunk i.
func (p *postings) replace(l *list, i int, with ...chunk) {
	if l.v[dir] == 0 {
		if len(with) == 1 {
			p.setTail(l, with[0].block)
			return
		}
		if len(p.freeDirs) == 0 {
			p.freeDirs = append(p.freeDirs, uint32(len(p.dirs)))
			p.dirs = append(p.dirs, nil)
		}
		free := len(p.freeDirs) - 1
		p.dirs[p.freeDirs[free]] = make([]chunk, 1, 2)
		l.v[dir], p.freeDirs = p.freeDirs[free]+1, p.freeDirs[:free]
	}
	chunks := &p.dirs[l.v[dir]-1]
	if n := len(*chunks); len(with) > 1 && n == cap(*chunks) {
		// An eighth is enough; append would double it.
		*chunks = append(make([]chunk, 0, n+n/8+2), *chunks...)
	}
	*chunks = slices.Replace(*chunks, i, i+1, with...)
	(*chunks)[0].from = 0
	p.setTail(l, (*chunks)[len(*chunks)-1].block)
	if len(*chunks) == 1 {
		p.dropDir(l)
	}
}

func (p *postings) dropDir(l *list) {
	n := l.v[dir] - 1
	p.dirs[n], l.v[dir] = nil, 0
	p.freeDirs = append(p.freeDirs, n)
}

// chunks returns the chunks of a list that has more than inline documents.
func (p *postings) chunks(l *list) []chunk {
	if l.v[dir] == 0 {
		return []chunk{{0, block(l.v[tail])}}
	}
	return p.dirs[l.v[dir]-1]
}

// release frees the chunks of a list.
func (p *postings) release(l *list) {
	for _, c := range p.chunks(l) {
		p.free(c.block)
	}
	if l.v[dir] != 0 {
		p.dropDir(l)
	}
}
