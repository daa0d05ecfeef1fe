// Lists against plain sorted slices.

package eventindex

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"almanac/store/sharing"
)

// An item has a key that others share, and a number that makes it distinct.
type item struct{ key, n int }

func byItem(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.n, b.n)) }

// sameList compares every way of reading a list with a sorted slice.
func sameList(t *testing.T, l *List[item], want []item) {
	t.Helper()
	if l.Len() != len(want) {
		t.Fatalf("Len is %d, want %d", l.Len(), len(want))
	}
	if !slices.Equal(slices.Collect(l.All()), want) {
		t.Fatalf("All differs, at %d items", len(want))
	}
	for i, w := range want {
		if got := l.At(i); got != w {
			t.Fatalf("At(%d) is %v, want %v", i, got, w)
		}
	}
	for i, run := range l.runs {
		if len(run.items) == 0 || len(run.items) > blockSize {
			t.Fatalf("run %d has %d items", i, len(run.items))
		}
	}
}

// sameParts compares Find and Range with a sorted slice.
func sameParts(t *testing.T, l *List[item], want []item, rng *rand.Rand, keys int) {
	t.Helper()
	key := rng.IntN(keys+2) - 1
	reached := func(i item) bool { return i.key >= key }
	at := slices.IndexFunc(want, reached)
	if at < 0 {
		at = len(want)
	}
	if got := l.Find(reached); got != at {
		t.Fatalf("Find of key %d is %d, want %d", key, got, at)
	}
	from, to := rng.IntN(len(want)+3), rng.IntN(len(want)+3)
	var part []item
	if from < min(to, len(want)) {
		part = want[from:min(to, len(want))]
	}
	if got := slices.Concat(slices.Collect(l.Blocks(from, to))...); !slices.Equal(got, part) {
		t.Fatalf("Blocks(%d, %d) of %d give %d items, want %d", from, to, len(want), len(got), len(part))
	}
	if got := slices.Collect(l.Range(from, to)); !slices.Equal(got, part) {
		t.Fatalf("Range(%d, %d) of %d gives %d items, want %d", from, to, len(want), len(got), len(part))
	}
}

func TestListAgainstSlice(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys int // how many keys items share
		most int // items
		ops  int
		next func(rng *rand.Rand, n int) int // key of the n-th item
	}{
		{"any order", 1 << 30, 20_000, 26_000, nil},
		{"many ties", 7, 6_000, 10_000, nil},
		{"ascending, as most calendars are written", 20_000, 8_000, 10_000, func(_ *rand.Rand, n int) int { return n }},
		{"descending", 20_000, 8_000, 10_000, func(_ *rand.Rand, n int) int { return 20_000 - n }},
		{"few", 5, 12, 3_000, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(tt.keys)))
			l, want, by := new(List[item]), []item{}, sharing.NewMark()
			growing := true
			for n := range tt.ops {
				switch {
				case len(want) >= tt.most:
					growing = false
				case len(want) == 0:
					growing = true
				}
				if insert := rng.IntN(10) < 9; insert == growing || len(want) == 0 {
					next := item{rng.IntN(tt.keys), n}
					if tt.next != nil {
						next.key = tt.next(rng, n)
					}
					at, _ := slices.BinarySearchFunc(want, next, byItem)
					want = slices.Insert(want, at, next)
					l.Insert(by, next, byItem)
				} else {
					at := rng.IntN(len(want))
					l.Remove(by, want[at], byItem)
					want = slices.Delete(want, at, at+1)
				}
				l.Remove(by, item{-1, n}, byItem) // is not there
				if n%50 == 0 {
					sameParts(t, l, want, rng, tt.keys)
				}
				if n%3_000 == 0 {
					sameList(t, l, want)
				}
			}
			sameList(t, l, want)
			rng.Shuffle(len(want), func(i, j int) { want[i], want[j] = want[j], want[i] })
			for _, item := range want {
				l.Remove(by, item, byItem)
			}
			sameList(t, l, nil)
		})
	}
}

func TestNilListIsEmpty(t *testing.T) {
	t.Parallel()
	var l *List[item]
	if l.Len() != 0 || l.Find(func(item) bool { return true }) != 0 {
		t.Error("a nil list is not empty")
	}
	for range l.All() {
		t.Error("a nil list yields")
	}
	for range l.Range(0, 5) {
		t.Error("a nil list yields")
	}
}

func TestListStopsWhenAsked(t *testing.T) {
	t.Parallel()
	l, by := new(List[item]), sharing.NewMark()
	for n := range 3 * blockSize {
		l.Insert(by, item{n, 0}, byItem)
	}
	seen := 0
	for range l.All() {
		if seen++; seen == blockSize+1 {
			break
		}
	}
	if seen != blockSize+1 {
		t.Errorf("yielded %d items after it was to stop", seen)
	}
}

// A calendar of a million events.
const million = 1_000_000

func BenchmarkListInsert(b *testing.B) {
	for _, order := range []string{"ascending", "random"} {
		b.Run(fmt.Sprintf("%s at %d", order, million), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			l, by := new(List[item]), sharing.NewMark()
			for n := range million {
				l.Insert(by, item{2 * n, 0}, byItem)
			}
			for n := 0; b.Loop(); n++ {
				if order == "random" {
					next := item{rng.IntN(2 * million), n + 1}
					l.Insert(by, next, byItem)
					l.Remove(by, next, byItem) // so that the size stays
				} else {
					l.Insert(by, item{2*million + n, 0}, byItem)
				}
			}
		})
	}
}

func BenchmarkListAt(b *testing.B) {
	l, by := new(List[item]), sharing.NewMark()
	for n := range million {
		l.Insert(by, item{n, 0}, byItem)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		l.At(rng.IntN(million))
	}
}
