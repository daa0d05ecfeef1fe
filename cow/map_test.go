// Families of maps that share, each against a plain map of its own.

package cow

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A holder has a map and a model of it.
type holder[K comparable] struct {
	by    *Mark
	m     Map[K, int]
	model map[K]int
}

// fork gives a second holder of the same map. Both have new marks.
func (h *holder[K]) fork() *holder[K] {
	other := &holder[K]{NewMark(), h.m, maps.Clone(h.model)}
	h.by = NewMark()
	return other
}

func (h *holder[K]) check(t *testing.T, absent K) {
	t.Helper()
	if h.m.Len() != len(h.model) {
		t.Fatalf("Len is %d, want %d", h.m.Len(), len(h.model))
	}
	for key, want := range h.model {
		if got := h.m.Get(key); got != want {
			t.Fatalf("%v has %d, want %d", key, got, want)
		}
	}
	if got := h.m.Get(absent); got != 0 {
		t.Fatalf("%v has %d and was never put", absent, got)
	}
	if diff := cmp.Diff(h.model, maps.Collect(h.m.All())); diff != "" {
		t.Fatalf("All (-want +got):\n%s", diff)
	}
	if n := len(slices.Collect(h.m.Keys())); n != len(h.model) {
		t.Fatalf("Keys yields %d keys, want %d", n, len(h.model))
	}
}

func TestMapFamily(t *testing.T) {
	t.Parallel()
	t.Run("numbers", func(t *testing.T) {
		t.Parallel()
		family(t, 1, func(n int) int64 { return int64(n) << (n % 40) })
	})
	t.Run("texts", func(t *testing.T) {
		t.Parallel()
		family(t, 2, func(n int) string { return fmt.Sprint("key ", n) })
	})
}

// family changes maps at random, of which each began as a copy of another.
func family[K comparable](t *testing.T, seed uint64, key func(n int) K) {
	rng := rand.New(rand.NewPCG(3, seed))
	all := []*holder[K]{{by: NewMark(), model: map[K]int{}}}
	for n := 1; n <= 60_000; n++ {
		h := all[rng.IntN(len(all))]
		keys := []int{20, 400, 6_000}[rng.IntN(3)]
		switch k := key(rng.IntN(keys)); rng.IntN(10) {
		case 0, 1, 2:
			h.m.Delete(h.by, k)
			delete(h.model, k)
		default:
			h.m.Put(h.by, k, n)
			h.model[k] = n
		}
		switch {
		case rng.IntN(3_000) == 0:
			h.m.Clear(h.by)
			clear(h.model)
		case rng.IntN(500) == 0 && len(all) < 12:
			all = append(all, h.fork())
		case rng.IntN(2_000) == 0 && len(all) > 1:
			i := rng.IntN(len(all))
			all[i].check(t, key(7_000))
			all = slices.Delete(all, i, i+1)
		}
	}
	for _, h := range all {
		h.check(t, key(7_000))
	}
}

func TestMapGrow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, perPage, 1000, 100_000} {
		h := holder[int64]{by: NewMark(), model: map[int64]int{}}
		h.m.Grow(h.by, n)
		for i := range n {
			h.m.Put(h.by, int64(i), i+1)
			h.model[int64(i)] = i + 1
		}
		h.check(t, -1)
		if pages := len(h.m.pages); pages != (n+perPage-1)/perPage {
			t.Errorf("%d keys are in %d pages", n, pages)
		}
		for _, l := range h.m.pages {
			if len(l.entries) > 4*perPage {
				t.Errorf("a page of %d entries among %d", len(l.entries), n)
			}
		}
	}
}

// Even keys whose hashes are so alike that they share a page are found.
func TestLeafOfMany(t *testing.T) {
	t.Parallel()
	l, n := newLeaf[int64, int](NewMark(), 0), int64(5*tagged)
	for key := range n {
		l.add(hashOf(key), entry[int64, int]{key, int(key)})
	}
	for gone := range n {
		for key := range n {
			i := l.find(hashOf(key), key)
			if there := i >= 0 && l.entries[i].key == key; there != (key >= gone) {
				t.Fatalf("after %d keys were removed, %d is at %d", gone, key, i)
			}
		}
		l.remove(l.find(hashOf(gone), gone))
	}
	if len(l.entries) != 0 {
		t.Errorf("%d entries are left", len(l.entries))
	}
}

// What a copy and the first change of it allocate does not depend on how much
// there is, but for the table of pages.
func TestMapSharesPages(t *testing.T) {
	t.Parallel()
	by := NewMark()
	var m Map[int64, int]
	for i := range int64(100_000) {
		m.Put(by, i, 1)
	}
	fork := m
	other := NewMark()
	fork.Put(other, 7, 2)
	fork.Delete(other, 8)
	fork.Put(other, -1, 3)
	own := 0
	for i, l := range fork.pages {
		if i < len(m.pages) && l == m.pages[i] {
			continue
		}
		if own++; l.mark != other {
			t.Errorf("page %d is neither shared nor its holder's", i)
		}
	}
	if own == 0 || own > 5 {
		t.Errorf("%d pages are its own after three changes", own)
	}
	if m.Get(7) != 1 || m.Get(8) != 1 || m.Get(-1) != 0 || m.Len() != 100_000 {
		t.Error("the changes are seen in what was copied")
	}
}

func BenchmarkMap(b *testing.B) {
	for _, n := range []int64{10_000, 1_000_000} {
		by, rng := NewMark(), rand.New(rand.NewPCG(1, 2))
		var m Map[int64, any]
		plain := map[int64]any{}
		for i := range n {
			m.Put(by, i, &m)
			plain[i] = &m
		}
		run := func(name string, f func()) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		run("get", func() { m.Get(rng.Int64N(n)) })
		run("get of a plain map", func() { _ = plain[rng.Int64N(n)] })
		run("put", func() { m.Put(by, rng.Int64N(n), by) })
		run("first put", func() {
			fork := m
			fork.Put(NewMark(), rng.Int64N(n), by)
		})
	}
}
