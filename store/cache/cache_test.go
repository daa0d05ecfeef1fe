package cache_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"almanac/store/cache"
)

func TestLatestValueCounts(t *testing.T) {
	t.Parallel()
	c := cache.New[string, int](1 << 20)
	if c.Get("a") != 0 {
		t.Error("an empty cache has a value")
	}
	c.Put("a", 1, 10)
	c.Put("b", 2, 10)
	c.Put("a", 3, 10)
	if a, b := c.Get("a"), c.Get("b"); a != 3 || b != 2 {
		t.Errorf("a is %d and b is %d, want 3 and 2", a, b)
	}
	c.Put("zero", 0, 10)
	if value, ok := c.Lookup("zero"); value != 0 || !ok {
		t.Errorf("zero is %d, %t", value, ok)
	}
	if value, ok := c.Lookup("none"); value != 0 || ok {
		t.Errorf("what is not there is %d, %t", value, ok)
	}
}

// Whatever is put, the latest values are there that fit in the budget together, and no others.
func TestOldestGo(t *testing.T) {
	t.Parallel()
	const cost, budget = 256, 1 << 20
	c := cache.New[int, int](budget)
	rng := rand.New(rand.NewPCG(1, 2))
	type put struct{ key, value, bytes int }
	var model []put // the oldest first
	for n := 1; n <= 5_000; n++ {
		next := put{rng.IntN(300), n, rng.IntN(20_000)}
		c.Put(next.key, next.value, int64(next.bytes))
		model = slices.DeleteFunc(model, func(p put) bool { return p.key == next.key })
		model = append(model, next)
		total := 0
		for i, p := range slices.Backward(model) {
			if total += p.bytes + cost; total > budget {
				model = model[i+1:]
				break
			}
		}
		c.Get(rng.IntN(300))
		want := map[int]int{}
		for _, p := range model {
			want[p.key] = p.value
		}
		for key := range 300 {
			if got := c.Get(key); got != want[key] {
				t.Fatalf("after %d values, %d is %d, want %d", n, key, got, want[key])
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	c := cache.New[string, int](1 << 20)
	c.Put("most", 1, 1<<16-256)
	c.Put("large", 1, 1<<16)
	if c.Get("most") == 0 || c.Get("large") != 0 {
		t.Error("the limit for one value is not a sixteenth of the budget")
	}
	none := cache.New[string, int](0)
	none.Put("small", 1, 1)
	if none.Get("small") != 0 {
		t.Error("a cache without a budget keeps something")
	}
}

// With the race detector, this shows that nobody sees a value half made.
func TestTogether(t *testing.T) {
	t.Parallel()
	c := cache.New[int, string](1 << 18)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(3, uint64(worker)))
			for range 5_000 {
				key := rng.IntN(200)
				if value := c.Get(key); value != "" && value != fmt.Sprint(key) {
					t.Errorf("%d is %q", key, value)
				}
				c.Put(key, fmt.Sprint(key), int64(rng.IntN(4_000)))
			}
		})
	}
	all.Wait()
}

func BenchmarkGet(b *testing.B) {
	c := cache.New[int, int](1 << 24)
	for key := range 10_000 {
		c.Put(key, key, 100)
	}
	for n := 0; b.Loop(); n++ {
		c.Get(n % 10_000)
	}
}
