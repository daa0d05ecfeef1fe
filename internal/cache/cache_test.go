package cache_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"almanac/internal/cache"
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

// Whatever is put, what is left fits in the budget, and what is asked for all the
// time outlives what is not.
func TestBudget(t *testing.T) {
	t.Parallel()
	const budget, size, favourites = 4 << 20, 10_000, 50
	c := cache.New[int, int](budget)
	rng := rand.New(rand.NewPCG(1, 2))
	missed := 0
	for n := 1; n <= 20_000; n++ {
		c.Put(favourites+n, n, size)
		for key := range favourites {
			if c.Get(key) != key+1 {
				missed++
				c.Put(key, key+1, size)
			}
		}
		if n%100 == 0 {
			c.Grow(favourites+n-rng.IntN(50), size)
		}
	}
	left := 0
	for key := range favourites + 20_001 {
		if c.Get(key) != 0 {
			left += size
		}
	}
	if left > budget || left < budget/4 {
		t.Errorf("%d bytes are left of a budget of %d", left, budget)
	}
	if missed > 200 {
		t.Errorf("what is asked for all the time was missing %d times", missed)
	}
}

// A value that is put has a round of the hand before it: it does not go before
// those that are older and were not asked for either, and these do go.
func TestLatestStay(t *testing.T) {
	t.Parallel()
	const values, size, budget = 10_000, 1000, 4 << 20
	c := cache.New[int, int](budget)
	for key := range values {
		c.Put(key+1, key+1, size)
	}
	left := func(from, to int) (n int) {
		for key := from; key < to; key++ {
			if c.Get(key+1) != 0 {
				n++
			}
		}
		return n
	}
	const latest = budget / size / 4
	if got := left(values-latest, values); got < latest*9/10 {
		t.Errorf("%d of the latest %d values are left", got, latest)
	}
	if got := left(0, values/2); got != 0 {
		t.Errorf("%d values are left that were put long ago and never asked for", got)
	}
}

// A value that has just been put is there, also when all others are in use and the
// hand comes to it first.
func TestLatestIsKept(t *testing.T) {
	t.Parallel()
	const size, budget = 10_000, 1 << 18 // 25 values
	c := cache.New[int, int](budget)
	for key := range 2_000 {
		c.Put(key+1, key+1, size)
		if c.Get(key+1) == 0 {
			t.Fatalf("value %d is not there when it has just been put", key)
		}
		for older := max(0, key-50); older < key; older++ {
			c.Get(older + 1)
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
				c.Grow(key, rng.IntN(100))
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
