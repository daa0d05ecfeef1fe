// The words of the index: one text to search in, and a hash table to look
// whole words up.

package textindex

import (
	"hash/maphash"
	"iter"
	"slices"
)

// A vocabulary numbers words by slots. Its text holds them in the order of the
// slots, each followed by a zero, which stands in no word. A word that was
// removed leaves zeros in the text and a slot that is not used until compact.
type vocabulary struct {
	seed   maphash.Seed
	text   []byte
	starts []int    // of the slots, in text
	table  []uint64 // open addressing: hash<<32 | slot+1, or 0; a power of two, at most 3/4 full
	words  int
	holes  int // bytes of text that removed words left
}

const (
	minTable = 64
	// typical is the number of different words that a vocabulary begins with room
	// for: a text has some dozen.
	typical = 128
	// spare is what holes may take in any vocabulary; in a large one it is half.
	spare = 4 << 10
)

func newVocabulary() vocabulary {
	return vocabulary{
		seed: maphash.MakeSeed(), table: make([]uint64, 2*typical),
		text: make([]byte, 0, 8*typical), starts: make([]int, 0, typical),
	}
}

// word returns the word of a slot.
func (v *vocabulary) word(slot uint32) []byte { return v.text[v.starts[slot] : v.end(slot)-1] }

// end returns where the next slot starts.
func (v *vocabulary) end(slot uint32) int {
	if int(slot)+1 < len(v.starts) {
		return v.starts[slot+1]
	}
	return len(v.text)
}

// find returns the slot of a word.
func (v *vocabulary) find(word string) (slot uint32, found bool) {
	slot, _, found = v.probe(word, v.hash(word))
	return slot, found
}

func (v *vocabulary) hash(word string) uint32 { return uint32(maphash.String(v.seed, word)) }

// probe returns the slot of a word and its place in the table, or the place
// where it belongs.
func (v *vocabulary) probe(word string, hash uint32) (slot uint32, at int, found bool) {
	mask := len(v.table) - 1
	for at = int(hash) & mask; v.table[at] != 0; at = (at + 1) & mask {
		e := v.table[at]
		if slot = uint32(e) - 1; uint32(e>>32) == hash && v.holdsAt(v.starts[slot], word) {
			return slot, at, true
		}
	}
	return 0, at, false
}

// holdsAt reports whether a word, and not just its beginning, is in the text at
// the start of a slot.
func (v *vocabulary) holdsAt(start int, word string) bool {
	end := start + len(word)
	return end < len(v.text) && v.text[end] == 0 && string(v.text[start:end]) == word
}

// intern returns the slot of a word, which is put in if it is new.
func (v *vocabulary) intern(word string) uint32 {
	hash := v.hash(word)
	slot, at, found := v.probe(word, hash)
	if found {
		return slot
	}
	slot = uint32(len(v.starts))
	v.starts = append(v.starts, len(v.text))
	v.text = append(append(v.text, word...), 0)
	v.table[at] = uint64(hash)<<32 | uint64(slot+1)
	if v.words++; v.words > len(v.table)/4*3 {
		v.rehash(2*len(v.table), nil)
	}
	return slot
}

// drop removes the word of a slot.
func (v *vocabulary) drop(slot uint32) {
	word := v.word(slot)
	_, at, _ := v.probe(string(word), v.hash(string(word)))
	clear(word)
	v.words--
	v.holes += len(word) + 1
	// Entries behind that had to go past this one move up, so that no search
	// ends early.
	mask := len(v.table) - 1
	for next := (at + 1) & mask; v.table[next] != 0; next = (next + 1) & mask {
		if home := int(v.table[next]>>32) & mask; (next-home)&mask >= (next-at)&mask {
			v.table[at] = v.table[next]
			at = next
		}
	}
	v.table[at] = 0
}

// rehash makes a table of a size, with new numbers for the slots if given.
func (v *vocabulary) rehash(size int, renumber []uint32) {
	old := v.table
	v.table = make([]uint64, size)
	for _, e := range old {
		if e == 0 {
			continue
		}
		if renumber != nil {
			e = e>>32<<32 | uint64(renumber[uint32(e)-1]+1)
		}
		at := int(e>>32) & (size - 1)
		for v.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		v.table[at] = e
	}
}

// compact closes the holes if they are too many. It tells the slots that are
// left, in order: the first one becomes slot 0, and so on.
func (v *vocabulary) compact() (left []uint32) {
	if v.holes <= spare || v.holes <= len(v.text)/2 {
		return nil
	}
	text, starts := make([]byte, 0, len(v.text)-v.holes), make([]int, 0, v.words)
	left, renumber := make([]uint32, 0, v.words), make([]uint32, len(v.starts))
	for slot := range uint32(len(v.starts)) {
		if word := v.word(slot); word[0] != 0 {
			renumber[slot] = uint32(len(starts))
			left, starts = append(left, slot), append(starts, len(text))
			text = append(append(text, word...), 0)
		}
	}
	v.text, v.starts, v.holes = text, starts, 0
	size := minTable
	for v.words > size/2 {
		size *= 2
	}
	v.rehash(size, renumber)
	return left
}

// holding yields the slots of the words that contain part.
func (v *vocabulary) holding(part string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		p, slot := []byte(part), 0
		for from := 0; ; {
			at := indexOf(v.text[from:], p)
			if at < 0 {
				return
			}
			slot = v.slotAt(from+at, slot)
			if !yield(uint32(slot)) {
				return
			}
			from = v.end(uint32(slot))
		}
	}
}

// slotAt returns the slot to which a place in the text belongs, which is not
// before slot low. It looks close by first: a short part stands in many words.
func (v *vocabulary) slotAt(at, low int) int {
	step := 1
	for low+step < len(v.starts) && v.starts[low+step] <= at {
		low += step
		step *= 2
	}
	i, found := slices.BinarySearch(v.starts[low:min(low+step, len(v.starts))], at)
	if !found {
		i--
	}
	return low + i
}

// size returns the bytes that the vocabulary takes.
func (v *vocabulary) size() int64 { return int64(cap(v.text) + 8*cap(v.starts) + 8*cap(v.table)) }
