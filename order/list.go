// Lists in order, with positions by count.

package order

import (
	"iter"
	"slices"
	"sort"
)

// blockSize bounds a block of a List or a Timeline. Inserting moves half a
// block on average and renumbers the blocks behind it; with 512 both together
// take two or three microseconds at a million items.
const blockSize = 512

// A List holds items in order and answers how many lie before a given one: a
// page at any depth and a total cost two binary searches. No two of its items
// are equal under its order. A nil *List is empty.
//
// Each block is in order, none is empty, and all of a block come before all of
// the next.
type List[T any] struct {
	compare func(a, b T) int
	blocks  [][]T
	starts  []int // starts[i] items lie before block i
	count   int
}

// NewList gives an empty list in the order of compare.
func NewList[T any](compare func(a, b T) int) *List[T] { return &List[T]{compare: compare} }

// Len gives the number of items.
func (l *List[T]) Len() int {
	if l == nil {
		return 0
	}
	return l.count
}

// At gives the item at position i, counted from 0. It panics, as a slice does,
// when there is none.
func (l *List[T]) At(i int) T {
	b := sort.SearchInts(l.starts, i+1) - 1
	return l.blocks[b][i-l.starts[b]]
}

// Find gives the position of the first item for which reached is true, or Len.
// Once true, reached must stay true for all items behind.
func (l *List[T]) Find(reached func(T) bool) int {
	if l.Len() == 0 {
		return 0
	}
	b := sort.Search(len(l.blocks), func(i int) bool {
		block := l.blocks[i]
		return reached(block[len(block)-1])
	})
	if b == len(l.blocks) {
		return l.count
	}
	block := l.blocks[b]
	return l.starts[b] + sort.Search(len(block), func(i int) bool { return reached(block[i]) })
}

// Has reports whether an item is there.
func (l *List[T]) Has(item T) bool {
	if l.Len() == 0 {
		return false
	}
	b := l.blockOf(item)
	if b == len(l.blocks) {
		return false
	}
	_, found := slices.BinarySearchFunc(l.blocks[b], item, l.compare)
	return found
}

// Range yields the items from position from, 0 or more, up to and without
// position to, or to the end.
func (l *List[T]) Range(from, to int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if from >= min(to, l.Len()) {
			return
		}
		b := sort.SearchInts(l.starts, from+1) - 1
		for i := from; b < len(l.blocks); b++ {
			for _, item := range l.blocks[b][i-l.starts[b]:] {
				if i == to || !yield(item) {
					return
				}
				i++
			}
		}
	}
}

// Blocks yields the items of Range in pieces, as they lie in memory: for loops
// over very many. They must not be changed.
func (l *List[T]) Blocks(from, to int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		to = min(to, l.Len())
		if from >= to {
			return
		}
		for b := sort.SearchInts(l.starts, from+1) - 1; b < len(l.blocks) && l.starts[b] < to; b++ {
			block := l.blocks[b]
			low, high := max(0, from-l.starts[b]), min(len(block), to-l.starts[b])
			if !yield(block[low:high]) {
				return
			}
		}
	}
}

// All yields every item in order.
func (l *List[T]) All() iter.Seq[T] { return l.Range(0, l.Len()) }

// Backward yields every item, the last one first.
func (l *List[T]) Backward() iter.Seq[T] {
	return func(yield func(T) bool) {
		if l == nil {
			return
		}
		for _, block := range slices.Backward(l.blocks) {
			for _, item := range slices.Backward(block) {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// Insert puts an item, which must not be there yet, in its place.
func (l *List[T]) Insert(item T) {
	last := len(l.blocks) - 1
	if last < 0 || l.isBehind(item) && len(l.blocks[last]) >= blockSize {
		l.blocks, l.starts = append(l.blocks, []T{item}), append(l.starts, l.count)
		l.count++
		return
	}
	if l.isBehind(item) { // most come in order
		l.blocks[last] = append(l.blocks[last], item)
		l.count++
		return
	}
	b := l.blockOf(item)
	at, _ := slices.BinarySearchFunc(l.blocks[b], item, l.compare)
	l.blocks[b] = slices.Insert(l.blocks[b], at, item)
	if block := l.blocks[b]; len(block) > blockSize {
		cut := len(block) / 2
		l.blocks = slices.Insert(l.blocks, b+1, slices.Clone(block[cut:]))
		clear(block[cut:])
		l.blocks[b] = block[:cut:cut]
		l.renumber(b)
		return
	}
	l.shift(b, +1)
}

// isBehind reports whether an item comes after all there are.
func (l *List[T]) isBehind(item T) bool {
	block := l.blocks[len(l.blocks)-1]
	return l.compare(block[len(block)-1], item) < 0
}

// Remove takes an item out, if it is there.
func (l *List[T]) Remove(item T) {
	b := l.blockOf(item)
	if b == len(l.blocks) {
		return
	}
	at, found := slices.BinarySearchFunc(l.blocks[b], item, l.compare)
	if !found {
		return
	}
	l.blocks[b] = slices.Delete(l.blocks[b], at, at+1)
	if len(l.blocks[b]) == 0 {
		l.blocks = slices.Delete(l.blocks, b, b+1)
		l.renumber(b)
		return
	}
	l.shift(b, -1)
}

// shift counts one item more or less in block b.
func (l *List[T]) shift(b, by int) {
	for i := range l.starts[b+1:] {
		l.starts[b+1+i] += by
	}
	l.count += by
}

// blockOf gives the first block that ends at or behind an item.
func (l *List[T]) blockOf(item T) int {
	return sort.Search(len(l.blocks), func(i int) bool {
		block := l.blocks[i]
		return l.compare(block[len(block)-1], item) >= 0
	})
}

// renumber counts again from block b on, which may be new or gone.
func (l *List[T]) renumber(b int) {
	l.starts = l.starts[:min(b, len(l.starts))]
	at := 0
	if b > 0 {
		at = l.starts[b-1] + len(l.blocks[b-1])
	}
	for _, block := range l.blocks[b:] {
		l.starts = append(l.starts, at)
		at += len(block)
	}
	l.count = at
}
