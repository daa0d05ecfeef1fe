// Package sharing is memory that is shared until somebody changes it: arrays and
// maps of which a copy costs as little as a pointer, however large they are.
//
//	mine := sharing.NewMark()
//	var a sharing.Map[int64, string]
//	a.Put(mine, 1, "one")
//
//	b := a // shares everything
//	one, other := sharing.NewMark(), sharing.NewMark()
//	a.Put(one, 1, "changed")
//	b.Get(1)                  // "one"
//	b.Put(other, 2, "two")    // not in a
//
// # The rule
//
// Memory comes in pieces of some hundred bytes to a few kilobytes, and each
// piece carries a Mark. Whoever holds that mark may change the piece in place.
// Whoever does not copies the piece, puts a mark of their own on the copy and
// changes that. A value that is copied, such as b above, gives a second holder
// the same pieces; from then on both sides use new marks, so that nobody holds
// those of the pieces that both can see, and nobody ever changes them.
//
// All that changes a value takes the mark of its holder first. One mark serves
// everything that is held together, however many values that are: whoever
// shares it all takes one new mark, and is done.
//
// Nothing here locks. Reading changes nothing; pieces that are shared may be
// read by any number of goroutines while each holder changes its own.
package sharing

// A Mark says who may change a piece of memory. It stands for nothing but
// itself, and belongs to one holder.
type Mark struct{ _ byte } // not empty: pointers to nothing may be equal

// NewMark returns a mark that nobody has.
func NewMark() *Mark { return new(Mark) }
