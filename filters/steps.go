// Lists that are found in steps, between which others write.

package filters

import "almanac/store"

// A Viewing calls a function with a state of the store, in a View that ends when it returns: the
// method View of the store, or Inside.
type Viewing func(func(*store.View) error) error

// Inside is the Viewing within a View that is there already, for what does not take long.
func Inside(v *store.View) Viewing {
	return func(f func(*store.View) error) error { return f(v) }
}

// stepMost is how many records are looked at while writers wait.
const stepMost = 4096

// InSteps calls begin in a View, and keep for each of the records that it returns: in that View and
// in as many more as hold writers up for a short time each. It returns the records that are kept,
// in the same slice, since a slice that grows takes long; and the number of all.
func InSteps[R any](
	view Viewing,
	begin func(*store.View) []R,
	keep func(*store.View, R) bool,
) (kept []R, n int) {
	var left []R
	for first := true; first || len(left) > 0; first = false {
		_ = view(func(v *store.View) error { // it returns no error
			if first {
				left = begin(v)
				n = len(left)
				kept = left[:0]
			}
			for _, r := range left[:min(len(left), stepMost)] {
				if keep(v, r) {
					kept = append(kept, r)
				}
			}
			left = left[min(len(left), stepMost):]
			return nil
		})
	}
	return kept, n
}
