// Maps: values by text.

package sharing

import (
	"bytes"
	"hash/maphash"
	"iter"
	"math/bits"
	"slices"
)

// perPage is how many entries a page of a Map has on average. Some have twice as
// many: pages are split one after the other, in turn. Hardly any have more than
// tagged.
const (
	perPage = 24
	tagged  = 64
)

// seed is that of all maps, since entries move with their pages from one to
// another.
var seed = maphash.MakeSeed()

// A Map holds values by key, a text. The zero value is empty and ready to use; a copy of
// a Map shares what it holds. Memory of what was deleted is used again, but not
// given back.
//
// It is a table with linear hashing (Litwin, 1980): it grows by one page at a
// time, so that no change takes long. With n pages, of which 2^k is the last
// power of two, the last k+1 bits of a hash say the page; where they say one that
// is not there yet, the last k bits do.
type Map[V any] struct {
	mark  *Mark // of the table of pages
	pages []*leaf[V]
	n     int
}

// A leaf is a page of a map. Entries stand in no order.
type leaf[V any] struct {
	mark    *Mark
	entries []entry[V]
	tags    [tagged]byte // of the first entries: a byte of each one's hash, to look through at once
}

type entry[V any] struct {
	key   string
	value V
}

// Len returns the number of keys.
func (m *Map[V]) Len() int { return m.n }

// Get returns the value of a key, the zero value for none.
func (m *Map[V]) Get(key string) (value V) {
	if m.n == 0 {
		return value
	}
	hash := hashOf(key)
	l := m.pages[pageOf(hash, len(m.pages))]
	if i := l.find(hash, key); i >= 0 {
		value = l.entries[i].value
	}
	return value
}

// Put returns a key a value, in the place of the one that it may have.
func (m *Map[V]) Put(by *Mark, key string, value V) {
	m.own(by)
	if len(m.pages) == 0 {
		m.pages = append(m.pages, newLeaf[V](by, 0))
	}
	hash := hashOf(key)
	l := m.leaf(by, pageOf(hash, len(m.pages)))
	if i := l.find(hash, key); i >= 0 {
		l.entries[i].value = value
		return
	}
	l.add(hash, entry[V]{key, value})
	if m.n++; m.n > perPage*len(m.pages) {
		m.split(by)
	}
}

// Delete forgets a key, if it is there.
func (m *Map[V]) Delete(by *Mark, key string) {
	if m.n == 0 {
		return
	}
	hash := hashOf(key)
	at := pageOf(hash, len(m.pages))
	i := m.pages[at].find(hash, key)
	if i < 0 {
		return
	}
	m.own(by)
	m.leaf(by, at).remove(i)
	m.n--
}

// Clear forgets everything, and keeps a little memory for what comes.
func (m *Map[V]) Clear(by *Mark) {
	if m.n == 0 {
		return
	}
	if m.mark != by || len(m.pages) > 1 || m.pages[0].mark != by {
		*m = Map[V]{}
		return
	}
	l := m.pages[0]
	clear(l.entries)
	l.entries, m.n = l.entries[:0], 0
}

// Grow prepares an empty map for n keys.
func (m *Map[V]) Grow(by *Mark, n int) {
	m.own(by)
	for len(m.pages) < (n+perPage-1)/perPage {
		m.pages = append(m.pages, newLeaf[V](by, perPage+perPage/4))
	}
}

// All yields every key with its value, in no order.
func (m *Map[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, l := range m.pages {
			for i := range l.entries {
				if !yield(l.entries[i].key, l.entries[i].value) {
					return
				}
			}
		}
	}
}

// Keys yields every key, in no order.
func (m *Map[V]) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for key := range m.All() {
			if !yield(key) {
				return
			}
		}
	}
}

func hashOf(key string) uint64 { return maphash.String(seed, key) }

// pageOf returns the page for a hash among n.
func pageOf(hash uint64, n int) int {
	all := 1 << bits.Len(uint(n)) // the power of two above n
	if i := int(hash) & (all - 1); i < n {
		return i
	}
	return int(hash) & (all/2 - 1)
}

// split makes one page more, of a part of the one whose turn it is.
func (m *Map[V]) split(by *Mark) {
	last := len(m.pages)
	from := last - 1<<(bits.Len(uint(last))-1)
	old := m.pages[from]
	half := len(old.entries)/2 + 4
	parts := [2]*leaf[V]{newLeaf[V](by, half), newLeaf[V](by, half)}
	for _, e := range old.entries {
		hash := hashOf(e.key)
		part := 0
		if pageOf(hash, last+1) == last {
			part = 1
		}
		parts[part].add(hash, e)
	}
	m.pages[from] = parts[0]
	m.pages = append(m.pages, parts[1])
}

func (m *Map[V]) own(by *Mark) {
	if m.mark != by {
		m.pages, m.mark = slices.Clone(m.pages), by
	}
}

// leaf returns a page to be changed.
func (m *Map[V]) leaf(by *Mark, at int) *leaf[V] {
	l := m.pages[at]
	if l.mark != by {
		l = &leaf[V]{by, append(make([]entry[V], 0, len(l.entries)+1), l.entries...), l.tags}
		m.pages[at] = l
	}
	return l
}

func newLeaf[V any](by *Mark, room int) *leaf[V] {
	return &leaf[V]{mark: by, entries: make([]entry[V], 0, room)}
}

func tagOf(hash uint64) byte { return byte(hash >> 56) }

// find returns where a key stands, or -1.
func (l *leaf[V]) find(hash uint64, key string) int {
	tags := l.tags[:min(len(l.entries), tagged)]
	for from := 0; ; from++ {
		i := bytes.IndexByte(tags[from:], tagOf(hash))
		if i < 0 {
			break
		}
		if from += i; l.entries[from].key == key {
			return from
		}
	}
	for i := tagged; i < len(l.entries); i++ {
		if l.entries[i].key == key {
			return i
		}
	}
	return -1
}

func (l *leaf[V]) add(hash uint64, e entry[V]) {
	n := len(l.entries)
	if n == cap(l.entries) {
		// A quarter more is enough; append would double it.
		l.entries = append(make([]entry[V], 0, n+n/4+4), l.entries...)
	}
	l.entries = append(l.entries, e)
	if n < tagged {
		l.tags[n] = tagOf(hash)
	}
}

// remove puts the last entry in the place of another.
func (l *leaf[V]) remove(i int) {
	last := len(l.entries) - 1
	l.entries[i] = l.entries[last]
	if i < tagged {
		l.tags[i] = tagOf(hashOf(l.entries[i].key))
	}
	l.entries[last] = entry[V]{}
	l.entries = l.entries[:last]
}
