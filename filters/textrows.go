// From a search to rows: the words that hold what is searched.

package filters

import (
	"almanac/order"
	"almanac/store"
	"almanac/words"
)

// rows gives a set that has every row of the shelf that the search finds, nil
// when the words tell nothing or are not there. It may have others too, if read
// says so: what is more than a part of one word has to be read in the texts.
func (s Search) rows(shelf *store.Shelf, index *words.Index) (set *order.Set, read bool) {
	if index == nil {
		return nil, true
	}
	var all, one words.Bits
	find := func(part string) words.Bits {
		if one == nil {
			one = words.NewBits(shelf.Rows())
		} else {
			clear(one)
		}
		index.Find(part, one)
		return one
	}
	for _, text := range s.with {
		parts, whole := words.Parts(text)
		read = read || !whole
		for _, part := range parts {
			if bits := find(part); all == nil {
				all, one = bits, nil
			} else {
				all.And(bits)
			}
		}
	}
	for _, text := range s.without {
		parts, whole := words.Parts(text)
		if !whole || all == nil {
			read = true
			continue
		}
		all.AndNot(find(parts[0]))
	}
	if all == nil {
		return nil, true
	}
	set = shelf.Timeline().NewSet()
	set.AddBits(all)
	return set, read
}
