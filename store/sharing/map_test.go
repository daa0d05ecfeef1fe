// Families of trees and maps that share, each against a plain map of its own.

package sharing

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A lookup is a tree or a map, held by somebody.
type lookup[K comparable] interface {
	Len() int
	Get(K) int
	Put(*Mark, K, int)
	Delete(*Mark, K)
	Clear(*Mark)
	All() iter.Seq2[K, int]
	Keys() iter.Seq[K]
}

// A holder has a lookup and a model of it.
type holder[K comparable] struct {
	by    *Mark
	m     lookup[K]
	model map[K]int
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
	keys := slices.Collect(h.m.Keys())
	if len(keys) != len(h.model) {
		t.Fatalf("Keys yields %d keys, want %d", len(keys), len(h.model))
	}
	if numbers, ok := any(keys).([]int64); ok && !slices.IsSortedFunc(numbers, func(a, b int64) int {
		return map[bool]int{true: -1, false: 1}[uint64(a) < uint64(b)]
	}) {
		t.Fatal("the numbers are in no order")
	}
}

func TestTreeFamily(t *testing.T) {
	t.Parallel()
	copied := func(m lookup[int64]) lookup[int64] { c := *m.(*Tree[int]); return &c }
	for _, tt := range []struct {
		name string
		key  func(n int) int64
	}{
		{"one after the other", func(n int) int64 { return int64(n + 1) }},
		{"far from each other", func(n int) int64 { return int64(n*n) << (n % 30) }},
		{"anywhere", func(n int) int64 { return int64(rand.New(rand.NewPCG(9, uint64(n))).Uint64()) }},
		{"large and close", func(n int) int64 { return 1<<53 - int64(n) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			family(t, new(Tree[int]), copied, tt.key)
		})
	}
}

func TestMapFamily(t *testing.T) {
	t.Parallel()
	copied := func(m lookup[string]) lookup[string] { c := *m.(*Map[int]); return &c }
	family(t, new(Map[int]), copied, func(n int) string { return fmt.Sprint("key ", n) })
}

// family changes lookups at random, of which each began as a copy of another.
func family[K comparable](t *testing.T, first lookup[K], copied func(lookup[K]) lookup[K], key func(n int) K) {
	rng := rand.New(rand.NewPCG(3, 1))
	all := []*holder[K]{{NewMark(), first, map[K]int{}}}
	absent := key(7_001)
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
			all = append(all, &holder[K]{NewMark(), copied(h.m), maps.Clone(h.model)})
			h.by = NewMark()
		case rng.IntN(2_000) == 0 && len(all) > 1:
			i := rng.IntN(len(all))
			all[i].check(t, absent)
			all = slices.Delete(all, i, i+1)
		}
	}
	for _, h := range all {
		h.check(t, absent)
		for k := range h.model {
			h.m.Delete(h.by, k)
			delete(h.model, k)
		}
		h.check(t, absent)
	}
}

func TestMapGrow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, perPage, 1000, 100_000} {
		m := new(Map[int])
		h := holder[string]{NewMark(), m, map[string]int{}}
		m.Grow(h.by, n)
		for i := range n {
			h.m.Put(h.by, fmt.Sprint(i), i+1)
			h.model[fmt.Sprint(i)] = i + 1
		}
		h.check(t, "absent")
		if pages := len(m.pages); pages != (n+perPage-1)/perPage {
			t.Errorf("%d keys are in %d pages", n, pages)
		}
		for _, l := range m.pages {
			if len(l.entries) > 4*perPage {
				t.Errorf("a page of %d entries among %d", len(l.entries), n)
			}
		}
	}
}

// Even keys whose hashes are so alike that they share a page are found.
func TestLeafOfMany(t *testing.T) {
	t.Parallel()
	l, n := newLeaf[int](NewMark(), 0), 5*tagged
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprint("key ", i))
		l.add(hashOf(keys[i]), entry[int]{keys[i], i})
	}
	for gone := range n {
		for i, key := range keys {
			at := l.find(hashOf(key), key)
			if there := at >= 0 && l.entries[at].key == key; there != (i >= gone) {
				t.Fatalf("after %d keys were removed, %q is at %d", gone, key, at)
			}
		}
		l.remove(l.find(hashOf(keys[gone]), keys[gone]))
	}
	if len(l.entries) != 0 {
		t.Errorf("%d entries are left", len(l.entries))
	}
}

// The first changes of a copy copy the pages that they change, and no more.
func TestMapSharesPages(t *testing.T) {
	t.Parallel()
	by, other := NewMark(), NewMark()
	var m Map[int]
	for i := range 100_000 {
		m.Put(by, fmt.Sprint(i), 1)
	}
	fork := m
	fork.Put(other, "7", 2)
	fork.Delete(other, "8")
	fork.Put(other, "new", 3)
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
	if m.Get("7") != 1 || m.Get("8") != 1 || m.Get("new") != 0 || m.Len() != 100_000 {
		t.Error("the changes are seen in what was copied")
	}
}

func TestTreeSharesNodes(t *testing.T) {
	t.Parallel()
	by, other := NewMark(), NewMark()
	var a Tree[int]
	for i := range int64(100_000) {
		a.Put(by, i, 1)
	}
	fork := a
	fork.Put(other, 7, 2)
	fork.Delete(other, 8)
	fork.Delete(other, 1_000_000) // is not there
	nodes := map[*node[int]]bool{}
	var walk func(n *node[int])
	walk = func(n *node[int]) {
		nodes[n] = true
		for _, below := range n.below {
			walk(below)
		}
	}
	walk(a.root)
	before := len(nodes)
	walk(fork.root)
	if own := len(nodes) - before; own != fork.levels+1 {
		t.Errorf("%d nodes are its own, want a path of %d", own, fork.levels+1)
	}
	if a.Get(7) != 1 || a.Get(8) != 1 || a.Len() != 100_000 {
		t.Error("the changes are seen in what was copied")
	}
}

func BenchmarkLookups(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		by, rng := NewMark(), rand.New(rand.NewPCG(1, 2))
		keys := make([]string, n)
		var byID Tree[any]
		var bySlug Map[any]
		plainIDs, plainSlugs := map[int64]any{}, map[string]any{}
		for i := range keys {
			keys[i] = fmt.Sprint("an-event-", i)
			byID.Put(by, int64(i), &byID)
			bySlug.Put(by, keys[i], &byID)
			plainIDs[int64(i)], plainSlugs[keys[i]] = &byID, &byID
		}
		run := func(name string, f func(i int)) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					f(rng.IntN(n))
				}
			})
		}
		run("Tree, get", func(i int) { byID.Get(int64(i)) })
		run("map of numbers, get", func(i int) { _ = plainIDs[int64(i)] })
		run("Map, get", func(i int) { bySlug.Get(keys[i]) })
		run("map of texts, get", func(i int) { _ = plainSlugs[keys[i]] })
		run("Tree, put", func(i int) { byID.Put(by, int64(i), by) })
		run("Map, put", func(i int) { bySlug.Put(by, keys[i], by) })
		run("Tree, first put", func(i int) { fork := byID; fork.Put(NewMark(), int64(i), by) })
		run("Map, first put", func(i int) { fork := bySlug; fork.Put(NewMark(), keys[i], by) })
	}
}
