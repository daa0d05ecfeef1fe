// Lists in order, with positions by count.

package eventindex

import (
	"iter"
	"slices"
	"sort"

	"almanac/store/sharing"
)

// blockSize bounds a run of a List and a block of a Timeline. Inserting moves half
// of one on average and renumbers those behind it; with 512 both together
// take two or three microseconds at a million items.
const blockSize = 512

// A List holds items in order and answers how many lie before a given one: a
// page at any depth and a total cost two binary searches. The zero value and a
// nil *List are empty; a copy of a List shares what it holds.
//
// The order is an argument of what depends on it, since lists of one order are
// many, and those that are shared may be in the order of several timelines. It
// must be the same one every time, and hold no two items as equal that differ.
//
// Each run is in order, none is empty, and all of a run come before all of the
// next.
type List[T any] struct {
	mark   *sharing.Mark // of runs and starts
	runs   []run[T]
	starts []int // starts[i] items lie before run i
	count  int
}

// A run is items in order that lie side by side in memory.
type run[T any] struct {
	mark  *sharing.Mark
	items []T
}

func (r run[T]) last() T { return r.items[len(r.items)-1] }

// Len returns the number of items.
func (l *List[T]) Len() int {
	if l == nil {
		return 0
	}
	return l.count
}

// At returns the item at position i, counted from 0. It panics, as a slice does,
// when there is none.
func (l *List[T]) At(i int) T {
	b := sort.SearchInts(l.starts, i+1) - 1
	return l.runs[b].items[i-l.starts[b]]
}

// Find returns the position of the first item for which reached is true, or Len.
// Once true, reached must stay true for all items behind.
func (l *List[T]) Find(reached func(T) bool) int {
	if l.Len() == 0 {
		return 0
	}
	b := sort.Search(len(l.runs), func(i int) bool { return reached(l.runs[i].last()) })
	if b == len(l.runs) {
		return l.count
	}
	items := l.runs[b].items
	return l.starts[b] + sort.Search(len(items), func(i int) bool { return reached(items[i]) })
}

// Has reports whether an item is there.
func (l *List[T]) Has(item T, compare func(a, b T) int) bool {
	if l.Len() == 0 {
		return false
	}
	b := l.runOf(item, compare)
	if b == len(l.runs) {
		return false
	}
	_, found := slices.BinarySearchFunc(l.runs[b].items, item, compare)
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
		for i := from; b < len(l.runs); b++ {
			for _, item := range l.runs[b].items[i-l.starts[b]:] {
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
		for b := sort.SearchInts(l.starts, from+1) - 1; b < len(l.runs) && l.starts[b] < to; b++ {
			items := l.runs[b].items
			low, high := max(0, from-l.starts[b]), min(len(items), to-l.starts[b])
			if !yield(items[low:high]) {
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
		for _, run := range slices.Backward(l.runs) {
			for _, item := range slices.Backward(run.items) {
				if !yield(item) {
					return
				}
			}
		}
	}
}

// Insert puts an item in its place.
func (l *List[T]) Insert(by *sharing.Mark, item T, compare func(a, b T) int) {
	l.own(by)
	last := len(l.runs) - 1
	isBehind := last < 0 || compare(l.runs[last].last(), item) < 0
	if last < 0 || isBehind && len(l.runs[last].items) >= blockSize {
		l.runs, l.starts = append(l.runs, run[T]{by, []T{item}}), append(l.starts, l.count)
		l.count++
		return
	}
	if isBehind { // most come in order
		r := l.run(by, last)
		r.items = append(r.items, item)
		l.count++
		return
	}
	b := l.runOf(item, compare)
	r := l.run(by, b)
	at, _ := slices.BinarySearchFunc(r.items, item, compare)
	r.items = slices.Insert(r.items, at, item)
	if items := r.items; len(items) > blockSize {
		cut := len(items) / 2
		l.runs = slices.Insert(l.runs, b+1, run[T]{by, slices.Clone(items[cut:])})
		clear(items[cut:])
		l.runs[b].items = items[:cut:cut]
		l.renumber(b)
		return
	}
	l.shift(b, +1)
}

// Remove takes an item out, if it is there.
func (l *List[T]) Remove(by *sharing.Mark, item T, compare func(a, b T) int) {
	b := l.runOf(item, compare)
	if b == len(l.runs) {
		return
	}
	at, found := slices.BinarySearchFunc(l.runs[b].items, item, compare)
	if !found {
		return
	}
	l.own(by)
	r := l.run(by, b)
	r.items = slices.Delete(r.items, at, at+1)
	if len(r.items) == 0 {
		l.runs = slices.Delete(l.runs, b, b+1)
		l.renumber(b)
		return
	}
	l.shift(b, -1)
}

// own makes the tables ones that may be changed, and run does the same for a
// run.
func (l *List[T]) own(by *sharing.Mark) {
	if l.mark != by {
		l.runs, l.starts, l.mark = slices.Clone(l.runs), slices.Clone(l.starts), by
	}
}

func (l *List[T]) run(by *sharing.Mark, b int) *run[T] {
	r := &l.runs[b]
	if r.mark != by {
		r.items, r.mark = append(make([]T, 0, len(r.items)+1), r.items...), by
	}
	return r
}

// shift counts one item more or less in a run.
func (l *List[T]) shift(b, more int) {
	for i := range l.starts[b+1:] {
		l.starts[b+1+i] += more
	}
	l.count += more
}

// runOf returns the first run that ends at or behind an item.
func (l *List[T]) runOf(item T, compare func(a, b T) int) int {
	return sort.Search(len(l.runs), func(i int) bool { return compare(l.runs[i].last(), item) >= 0 })
}

// renumber counts again from a run on, which may be new or gone.
func (l *List[T]) renumber(b int) {
	l.starts = l.starts[:min(b, len(l.starts))]
	at := 0
	if b > 0 {
		at = l.starts[b-1] + len(l.runs[b-1].items)
	}
	for _, run := range l.runs[b:] {
		l.starts = append(l.starts, at)
		at += len(run.items)
	}
	l.count = at
}
