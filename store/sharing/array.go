// Arrays: numbered values in pages.

package sharing

import (
	"iter"
	"slices"
)

// pageLen is how many values a page has: few enough that the pages which a
// change copies are small, many enough that there are few pages.
const pageLen = 256

// An Array holds values by number, from 0 on. The zero value is empty and ready
// to use; a copy of an Array shares what it holds.
type Array[T any] struct {
	mark  *Mark // of the table of pages
	pages Values[T]
	n     int
}

// Values is what an Array holds until it changes: to be kept in a variable by
// loops that look at very many.
type Values[T any] []page[T]

type page[T any] struct {
	mark   *Mark
	values *[pageLen]T
}

// At returns the value with a number. It may panic when there is none.
func (v Values[T]) At(i uint32) T { return v[i/pageLen].values[i%pageLen] }

// ArrayOf returns an array of values. It keeps the slice, which must not be used
// any more.
func ArrayOf[T any](by *Mark, values []T) Array[T] {
	a := Array[T]{mark: by, pages: make(Values[T], 0, (len(values)+pageLen-1)/pageLen), n: len(values)}
	for len(values) >= pageLen {
		a.pages = append(a.pages, page[T]{by, (*[pageLen]T)(values)})
		values = values[pageLen:]
	}
	if len(values) > 0 {
		last := new([pageLen]T)
		copy(last[:], values)
		a.pages = append(a.pages, page[T]{by, last})
	}
	return a
}

// Len returns the number of values.
func (a *Array[T]) Len() int { return a.n }

// At returns the value with a number. It may panic when there is none.
func (a *Array[T]) At(i uint32) T { return a.pages.At(i) }

// Values returns all values.
func (a *Array[T]) Values() Values[T] { return a.pages }

// Set changes the value with a number, which must be there.
func (a *Array[T]) Set(by *Mark, i uint32, value T) {
	a.own(by)
	p := &a.pages[i/pageLen]
	if p.mark != by {
		values := *p.values
		*p = page[T]{by, &values}
	}
	p.values[i%pageLen] = value
}

// Append adds a value behind all others.
func (a *Array[T]) Append(by *Mark, value T) {
	if a.n == len(a.pages)*pageLen {
		a.own(by)
		a.pages = append(a.pages, page[T]{by, new([pageLen]T)})
	}
	a.n++
	a.Set(by, uint32(a.n-1), value)
}

// Cut forgets the values from a number on. Their memory is used again, but not
// given back.
func (a *Array[T]) Cut(n int) { a.n = n }

// AppendTo appends all values to a slice.
func (a *Array[T]) AppendTo(values []T) []T {
	values = slices.Grow(values, a.n)
	left := a.n
	for i := range a.pages {
		n := min(left, pageLen)
		values, left = append(values, a.pages[i].values[:n]...), left-n
	}
	return values
}

// All yields every value with its number.
func (a *Array[T]) All() iter.Seq2[uint32, T] {
	return func(yield func(uint32, T) bool) {
		for i := range uint32(a.n) {
			if !yield(i, a.At(i)) {
				return
			}
		}
	}
}

func (a *Array[T]) own(by *Mark) {
	if a.mark != by {
		a.pages, a.mark = slices.Clone(a.pages), by
	}
}
