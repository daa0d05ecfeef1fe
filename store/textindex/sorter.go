// Sorting documents by their words: what Build does on every processor.

package textindex

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"almanac/internal/markup"
)

// A batch is some documents by word.
type batch struct {
	in      []uint32 // the documents that have texts, ascending
	anew    bool     // the numbers begin again with the first fresh word
	fresh   []string // words that get the next numbers
	numbers []uint32 // of the words of the batch
	ends    []uint32 // where in docs those of a word end, and those of the next one begin
	docs    []uint32 // ascending, those of one word after those of another
}

// A sorter sorts documents, and numbers the words that it meets.
//
// Words are told apart by their first eight bytes and their length, which says
// all about most of them, so that looking one up is one look at memory.
type sorter struct {
	seed    [2]uint64
	table   []known // open addressing, a power of two, at most 3/4 full
	words   []string
	tallies []tally // by number of the word
	most    int     // so many words may be known when a batch begins

	ascii  asciiText
	other  []byte   // a word of another text
	found  []found  // in the text that is looked at
	tokens []uint32 // numbers of the words of the batch, in their order, once in a document
	ends   []uint32 // where in tokens those of a document end
	used   []uint32 // numbers of the words of the batch
}

// A known word.
type known struct {
	key    uint64
	size   uint32 // in bytes; 0 where there is no word
	number uint32
}

// A found word is one that is to be looked up.
type found struct {
	key, hash uint64
	from, to  uint32 // in the text
}

// A tally counts the documents of a word in the batch.
type tally struct {
	count uint32 // while documents are placed, where the next one goes
	last  uint32 // document that has the word, plus one
}

const (
	keySize = 8
	// mostKnown words take some megabytes. Who knows more begins anew: words that
	// never come again, as sentences without spaces, would be kept for nothing.
	mostKnown = 1 << 17
)

func newSorter() *sorter {
	random := maphash.MakeSeed()
	return &sorter{
		seed:  [2]uint64{maphash.Comparable(random, 0), maphash.Comparable(random, 1) | 1},
		table: make([]known, 1024), most: mostKnown,
	}
}

// sort makes a batch of the documents from from, inclusive, to to; nil when stop
// is closed.
func (s *sorter) sort(from, to int, texts func(doc uint32) []string, stop <-chan struct{}) *batch {
	b := &batch{}
	if len(s.words) > s.most {
		clear(s.table)
		clear(s.words)
		s.words, s.tallies, b.anew = s.words[:0], s.tallies[:0], true
	}
	before := len(s.words)
	s.tokens, s.ends = s.tokens[:0], s.ends[:0]
	for at := from; at < to; at++ {
		select {
		case <-stop:
			return nil
		default:
		}
		texts := texts(uint32(at))
		if texts != nil {
			b.in = append(b.in, uint32(at))
		}
		for _, text := range texts {
			s.text(text, uint32(at))
		}
		s.ends = append(s.ends, uint32(len(s.tokens)))
	}
	b.fresh = slices.Clone(s.words[before:])

	b.numbers, b.ends, b.docs = slices.Clone(s.used), make([]uint32, len(s.used)), make([]uint32, len(s.tokens))
	end := uint32(0)
	for i, number := range s.used {
		count := s.tallies[number].count
		s.tallies[number].count = end
		end += count
		b.ends[i] = end
	}
	at := uint32(0)
	for i, end := range s.ends {
		for _, number := range s.tokens[at:end] {
			t := &s.tallies[number]
			b.docs[t.count] = uint32(from + i)
			t.count++
		}
		at = end
	}
	for _, number := range s.used {
		s.tallies[number].count = 0
	}
	s.used = s.used[:0]
	return b
}

// text notes the words of a text of a document.
func (s *sorter) text(text string, doc uint32) {
	if !s.ascii.read(text) {
		for word, rest := cut(markup.Fold(text)); word != ""; word, rest = cut(rest) {
			s.other = append(append(s.other[:0], word...), make([]byte, keySize)...)
			key, hash := s.look(s.other, len(word))
			s.token(s.number(key, hash, s.other[:len(word)]), doc)
		}
		return
	}
	folded, edges := s.ascii.folded, s.ascii.edges
	s.found = slices.Grow(s.found[:0], len(edges)/2)[:len(edges)/2]
	for i := range s.found {
		f := &s.found[i]
		f.from, f.to = edges[2*i], edges[2*i+1]
		f.key, f.hash = s.look(folded[f.from:], int(f.to-f.from))
	}
	// It is known of all by now where they are looked up, so that the processor
	// waits for the memory of many at a time.
	for i := range s.found {
		f := &s.found[i]
		s.token(s.number(f.key, f.hash, folded[f.from:f.to]), doc)
	}
}

// look returns the key and the hash of a word of a size, which a text begins with
// that has eight bytes more. Nobody outside can know the hash: words are what
// others send.
func (s *sorter) look(text []byte, size int) (key, hash uint64) {
	key = binary.LittleEndian.Uint64(text)
	if size < keySize {
		key &= 1<<(8*size) - 1
	}
	hash = s.mix(key)
	for at := keySize; at < size; at += keySize {
		next := binary.LittleEndian.Uint64(text[at:])
		if size-at < keySize {
			next &= 1<<(8*(size-at)) - 1
		}
		hash = s.mix(hash ^ next)
	}
	return key, hash
}

func (s *sorter) mix(key uint64) uint64 {
	high, low := bits.Mul64(key^s.seed[0], s.seed[1])
	return high ^ low
}

// number returns the number of a word.
func (s *sorter) number(key, hash uint64, word []byte) uint32 {
	mask := uint64(len(s.table) - 1)
	at := hash & mask
	for ; s.table[at].size != 0; at = (at + 1) & mask {
		if k := &s.table[at]; k.key == key && k.size == uint32(len(word)) && (len(word) <= keySize || s.words[k.number] == string(word)) {
			return k.number
		}
	}
	number := uint32(len(s.words))
	s.table[at] = known{key, uint32(len(word)), number}
	s.words, s.tallies = append(s.words, string(word)), append(s.tallies, tally{})
	if len(s.words) > len(s.table)/4*3 {
		s.grow()
	}
	return number
}

// grow makes the table twice as large.
func (s *sorter) grow() {
	old := s.table
	s.table = make([]known, 2*len(old))
	mask := uint64(len(s.table) - 1)
	for _, k := range old {
		if k.size == 0 {
			continue
		}
		s.other = append(append(s.other[:0], s.words[k.number]...), make([]byte, keySize)...)
		_, hash := s.look(s.other, int(k.size))
		at := hash & mask
		for s.table[at].size != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = k
	}
}

// token notes that a document has a word.
func (s *sorter) token(number, doc uint32) {
	t := &s.tallies[number]
	if t.last == doc+1 {
		return
	}
	if t.count == 0 {
		s.used = append(s.used, number)
	}
	t.count, t.last = t.count+1, doc+1
	s.tokens = append(s.tokens, number)
}
