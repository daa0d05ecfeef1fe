package bitmap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Bitmaps of several lengths hold what maps hold.
func TestAgainstMaps(t *testing.T) {
	t.Parallel()
	type number uint32
	rng := rand.New(rand.NewPCG(20_310_510, 1))
	random := func(n int) (Bitmap[number], map[number]bool) {
		b, m := New[number](n), map[number]bool{}
		for range rng.IntN(2 * n) {
			i := number(rng.IntN(n))
			if rng.IntN(3) == 0 {
				b.Clear(i)
				delete(m, i)
			} else {
				b.Set(i)
				m[i] = true
			}
		}
		return b, m
	}
	for range 200 {
		a, inA := random(1 + rng.IntN(2000))
		b, inB := random(1 + rng.IntN(2000))
		both, alone, any := slices.Clone(a), slices.Clone(a), slices.Clone(a).Grow(2000)
		both.And(b)
		alone.AndNot(b)
		any.Or(b)
		want := [3][]number{}
		for i := range number(2100) {
			if inA[i] && inB[i] {
				want[0] = append(want[0], i)
			}
			if inA[i] && !inB[i] {
				want[1] = append(want[1], i)
			}
			if inA[i] || inB[i] {
				want[2] = append(want[2], i)
			}
			if a.Has(i) != inA[i] || a.Block(int(i)/BlockSize).Has(uint32(i)) != inA[i] {
				t.Fatalf("Has(%d) is %t", i, a.Has(i))
			}
		}
		for i, got := range []Bitmap[number]{both, alone, any} {
			if diff := cmp.Diff(want[i], slices.Collect(got.All())); diff != "" || got.Len() != len(want[i]) {
				t.Fatalf("%d: %d numbers (-want +got):\n%s", i, got.Len(), diff)
			}
		}
		a = a.Grow(BlockSize)
		for i := range number(rng.IntN(BlockSize)) {
			a.Set(i)
		}
		first := number(0)
		for a.Has(first) {
			first++
		}
		if first < BlockSize && a.Block(0).FirstClear() != uint32(first) {
			t.Fatalf("the first that is not in is %d, not %d", first, a.Block(0).FirstClear())
		}
	}
}

func TestBitmap(t *testing.T) {
	collect := func(b Bitmap[uint32]) []uint32 { return slices.Collect(b.All()) }
	a, b := New[uint32](200), New[uint32](100)
	for _, i := range []uint32{0, 63, 64, 99, 130, 199} {
		a.Set(i)
	}
	for _, i := range []uint32{63, 99, 100} {
		b.Set(i)
	}
	both, alone := slices.Clone(a), slices.Clone(a)
	both.And(b)
	alone.AndNot(b)
	a.Clear(64)
	a.Clear(1000)
	got := [][]uint32{collect(a), collect(both), collect(alone)}
	want := [][]uint32{{0, 63, 99, 130, 199}, {63, 99}, {0, 64, 130, 199}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.Len() != 5 || !a.Has(199) || a.Has(64) || a.Has(1000) {
		t.Error("Len or Has is wrong")
	}
	for i := range a.All() {
		if i != 0 {
			t.Error("All goes on after the loop has ended")
		}
		break
	}
}
