// What is filled at once against what is added one by one.

package eventindex

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"almanac/store/bitmap"
	"almanac/store/sharing"
)

func TestFill(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, slots - 1, slots, slots + 1, 5 * slots} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(8, uint64(n)))
			byRow := func(a, b Row) int { return cmp.Compare(a, b) }
			want, got := NewTimeline(sharing.NewMark(), byRow), NewTimeline(sharing.NewMark(), byRow)
			starts, ends, signatures := make([]int64, n), make([]int64, n), make([]Signature, n)
			for r := range starts {
				starts[r] = rng.Int64N(int64(n))
			}
			slices.Sort(starts)
			for r, start := range starts {
				ends[r] = start + []int64{0, 1, rng.Int64N(20), rng.Int64N(int64(n))}[rng.IntN(4)]
				signatures[r] = Signature(rng.IntN(4))
				want.Add(Row(r), start, ends[r], signatures[r])
			}
			got.Fill(slices.Clone(starts), slices.Clone(ends), slices.Clone(signatures))
			same := func() {
				t.Helper()
				if err := got.Check(); err != nil {
					t.Fatal(err)
				}
				if got.Len() != want.Len() || !slices.Equal(slices.Collect(got.byEnd.All()), slices.Collect(want.byEnd.All())) {
					t.Fatalf("%d rows, want %d in the same order of ends", got.Len(), want.Len())
				}
				for i := range want.Len() {
					r := want.At(i)
					if got.At(i) != r || got.Start(r) != want.Start(r) || got.End(r) != want.End(r) || got.Signature(r) != want.Signature(r) {
						t.Fatalf("position %d is row %d, want %d", i, got.At(i), r)
					}
				}
				at := rng.Int64N(int64(n) + 1)
				if g, w := got.Running(at, 0, at, 1), want.Running(at, 0, at, 1); !slices.Equal(g, w) {
					t.Fatalf("at %d run %v, want %v", at, g, w)
				}
				bits := bitmap.New[Row](n)
				for r := range n {
					if rng.IntN(2) == 0 {
						bits.Set(Row(r))
					}
				}
				set := got.ByPlace(bits)
				for r := range n {
					if has := set.Has(got.Place(Row(r))); has != bits.Has(Row(r)) {
						t.Fatalf("the set of bits has row %d: %t", r, has)
					}
				}
			}
			same()

			// From here on both change alike, in some rows.
			set := got.Register()
			for range n {
				r := Row(rng.IntN(1 + n/2))
				start := rng.Int64N(int64(n))
				for _, timeline := range []*Timeline{got, want} {
					got.Leave(set, r)
					timeline.Remove(r)
					timeline.Add(r, start, start+1, 0)
				}
				got.Enter(set, r)
			}
			same()
		})
	}
}

func TestFillList(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, blockSize, blockSize + 1, 3*blockSize - 1} {
		var want []item
		for i := range n {
			want = append(want, item{i / 3, i})
		}
		l, by := new(List[item]), sharing.NewMark()
		l.Fill(by, slices.Clone(want))
		sameList(t, l, want)
		for i := range n {
			extra := item{i / 5, -1 - i}
			at, _ := slices.BinarySearchFunc(want, extra, byItem)
			want = slices.Insert(want, at, extra)
			l.Insert(by, extra, byItem)
		}
		sameList(t, l, want)
	}
}
