// Trees: values by number.

package sharing

import (
	"iter"
	"math/bits"
	"slices"
)

// A node has a place for each value of digitBits bits of a number: as many as a
// word has bits.
const (
	digitBits = 6
	digits    = 1 << digitBits
)

// A Tree holds values by number, such as records by id. The zero value is empty
// and ready to use; a copy of a Tree shares what it holds.
//
// It is a radix tree: a path from the root spells a number, digit by digit, and
// what no number needs is left out: nodes, places in them, and digits that begin
// all numbers alike. So numbers that are close to each other, as ids are, cost
// little more than their values, and those that are not cost a few nodes.
type Tree[V any] struct {
	root   *node[V] // nil when nothing was ever there
	levels int      // of nodes below the root
	prefix uint64   // of all numbers: what comes before the digit of the root
	n      int
}

// A node is a piece of memory with the values, or else the nodes, of the digits
// that are there, in their order.
type node[V any] struct {
	mark   *Mark
	there  uint64 // a bit for each digit
	values []V
	below  []*node[V]
}

// Len returns the number of numbers.
func (t *Tree[V]) Len() int { return t.n }

// Get returns the value of a number, the zero value for none.
func (t *Tree[V]) Get(number int64) (value V) {
	u := uint64(number)
	if t.n == 0 || u>>((t.levels+1)*digitBits) != t.prefix {
		return value
	}
	at := t.root
	for level := t.levels; ; level-- {
		i, ok := at.place(digit(u, level))
		switch {
		case !ok:
			return value
		case level == 0:
			return at.values[i]
		}
		at = at.below[i]
	}
}

// Put returns a number a value, in the place of the one that it may have.
func (t *Tree[V]) Put(by *Mark, number int64, value V) {
	u := uint64(number)
	t.reach(by, u)
	at := &t.root
	for level := t.levels; ; level-- {
		*at = (*at).own(by)
		n := *at
		i, ok := n.place(digit(u, level))
		if !ok {
			n.there |= 1 << digit(u, level)
		}
		switch {
		case level > 0 && !ok:
			n.below = slices.Insert(n.below, i, &node[V]{mark: by})
		case level == 0 && !ok:
			n.values = slices.Insert(n.values, i, value)
			t.n++
			return
		case level == 0:
			n.values[i] = value
			return
		}
		at = &n.below[i]
	}
}

// reach makes the root one from which a number can be reached.
func (t *Tree[V]) reach(by *Mark, u uint64) {
	if t.n == 0 {
		if t.root == nil || t.levels > 0 {
			t.root = &node[V]{mark: by}
		}
		t.levels, t.prefix = 0, u>>digitBits
	}
	for u>>((t.levels+1)*digitBits) != t.prefix {
		t.root = &node[V]{mark: by, there: 1 << (t.prefix % digits), below: []*node[V]{t.root}}
		t.levels, t.prefix = t.levels+1, t.prefix/digits
	}
}

// Delete forgets a number, if it is there.
func (t *Tree[V]) Delete(by *Mark, number int64) {
	if t.has(uint64(number)) {
		t.root = t.root.without(by, uint64(number), t.levels)
		t.n--
	}
}

func (t *Tree[V]) has(u uint64) bool {
	if t.n == 0 || u>>((t.levels+1)*digitBits) != t.prefix {
		return false
	}
	at := t.root
	for level := t.levels; level > 0; level-- {
		i, ok := at.place(digit(u, level))
		if !ok {
			return false
		}
		at = at.below[i]
	}
	_, ok := at.place(digit(u, 0))
	return ok
}

// without returns the node without a number that is below it, nil when nothing is
// left of it.
func (n *node[V]) without(by *Mark, u uint64, level int) *node[V] {
	i, _ := n.place(digit(u, level))
	n = n.own(by)
	if level > 0 {
		if n.below[i] = n.below[i].without(by, u, level-1); n.below[i] != nil {
			return n
		}
		n.below = slices.Delete(n.below, i, i+1)
	} else {
		n.values = slices.Delete(n.values, i, i+1)
	}
	if n.there &^= 1 << digit(u, level); n.there == 0 {
		return nil
	}
	return n
}

// Clear forgets everything, and keeps a little memory for what comes.
func (t *Tree[V]) Clear(by *Mark) {
	if t.n == 0 {
		return
	}
	if t.levels > 0 || t.root.mark != by {
		*t = Tree[V]{}
		return
	}
	clear(t.root.values)
	t.root.there, t.root.values, t.n = 0, t.root.values[:0], 0
}

// All yields every number with its value, in ascending order; negative ones come
// last.
func (t *Tree[V]) All() iter.Seq2[int64, V] {
	return func(yield func(int64, V) bool) {
		if t.n > 0 {
			t.root.each(t.prefix, yield)
		}
	}
}

// Keys yields every number, in the order of All.
func (t *Tree[V]) Keys() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for number := range t.All() {
			if !yield(number) {
				return
			}
		}
	}
}

func (n *node[V]) each(prefix uint64, yield func(int64, V) bool) bool {
	i := 0
	for there := n.there; there != 0; there &= there - 1 {
		u := prefix*digits + uint64(bits.TrailingZeros64(there))
		if n.below == nil && !yield(int64(u), n.values[i]) || n.below != nil && !n.below[i].each(u, yield) {
			return false
		}
		i++
	}
	return true
}

// digit returns a digit of a number, counted from the last one.
func digit(u uint64, level int) uint64 { return u >> (level * digitBits) % digits }

// place returns where a digit is, or would be, and whether it is there.
func (n *node[V]) place(digit uint64) (i int, ok bool) {
	bit := uint64(1) << digit
	return bits.OnesCount64(n.there & (bit - 1)), n.there&bit != 0
}

// own returns the node itself, or a copy, to be changed.
func (n *node[V]) own(by *Mark) *node[V] {
	if n.mark == by {
		return n
	}
	c := &node[V]{mark: by, there: n.there}
	if n.below != nil {
		c.below = append(make([]*node[V], 0, len(n.below)+1), n.below...)
	} else {
		c.values = append(make([]V, 0, len(n.values)+1), n.values...)
	}
	return c
}
