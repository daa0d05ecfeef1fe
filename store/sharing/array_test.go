// Families of arrays that share, each against a plain slice of its own.

package sharing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type list struct {
	by    *Mark
	a     Array[int]
	model []int
}

func (l *list) check(t *testing.T) {
	t.Helper()
	if l.a.Len() != len(l.model) {
		t.Fatalf("Len is %d, want %d", l.a.Len(), len(l.model))
	}
	for i, want := range l.model {
		if got := l.a.At(uint32(i)); got != want {
			t.Fatalf("At(%d) is %d, want %d", i, got, want)
		}
	}
	if diff := cmp.Diff(l.model, l.a.AppendTo(nil), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("AppendTo (-want +got):\n%s", diff)
	}
}

func TestArrayFamily(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, pageLen - 1, pageLen, 5*pageLen + 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(4, uint64(n)))
			values := make([]int, n)
			for i := range values {
				values[i] = -i
			}
			by := NewMark()
			all := []*list{{by, ArrayOf(by, slices.Clone(values)), values}}
			for i := 1; i <= 20_000; i++ {
				l := all[rng.IntN(len(all))]
				switch kind := rng.IntN(100); {
				case kind < 30 || len(l.model) == 0:
					l.a.Append(l.by, i)
					l.model = append(l.model, i)
				case kind == 99:
					n := rng.IntN(len(l.model) + 1)
					l.a.Cut(n)
					l.model = l.model[:n]
				default:
					at := rng.IntN(len(l.model))
					l.a.Set(l.by, uint32(at), i)
					l.model[at] = i
				}
				if rng.IntN(300) == 0 && len(all) < 8 {
					all = append(all, &list{NewMark(), l.a, slices.Clone(l.model)})
					l.by = NewMark()
				}
			}
			for _, l := range all {
				l.check(t)
			}
		})
	}
}

func TestArraySharesPages(t *testing.T) {
	t.Parallel()
	by := NewMark()
	a := ArrayOf(by, make([]int, 100*pageLen))
	fork := a
	other := NewMark()
	fork.Set(other, 5*pageLen, 1)
	fork.Append(other, 2)
	for i := range a.pages {
		if shared := fork.pages[i] == a.pages[i]; shared == (i == 5) {
			t.Errorf("page %d is shared: %t", i, shared)
		}
	}
	if a.At(5*pageLen) != 0 || a.Len() != 100*pageLen {
		t.Error("the changes are seen in what was copied")
	}
}
