// Package cache keeps values in a budget of bytes.
//
//	pages := cache.New[string, []byte](64 << 20)
//	pages.Put("/events", body, int64(len(body)))
//	body := pages.Get("/events")
//
// When the budget is full, values that were not used lately are evicted. There is no invalidation:
// the reader of a value checks whether it is still valid.
package cache

import (
	"sync"
	"sync/atomic"
)

// A Cache is safe for concurrent use. When it is full those values go that were
// not asked for since the hand of a clock last passed them: nearly those that
// were asked for the longest ago, at the price of a flag.
type Cache[K comparable, V any] struct {
	budget int64

	mu      sync.RWMutex // guards all below but the uses of entries
	entries map[K]*entry[K, V]
	ring    []*entry[K, V] // all entries, in no order
	hand    int            // position in ring
	bytes   int64

	hits, misses atomic.Int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int64
	used  atomic.Bool // since the hand passed
}

const (
	entryCost = 256 // approximate memory of an entry beside its value
	largest   = 16  // part of the budget that is the limit for one value
)

// New makes a cache with a budget in bytes. A sixteenth is the limit for one value.
func New[K comparable, V any](budget int64) *Cache[K, V] {
	return &Cache[K, V]{budget: budget, entries: map[K]*entry[K, V]{}}
}

// Get returns the value of a key, the zero value for none.
func (c *Cache[K, V]) Get(key K) V {
	value, _ := c.Lookup(key)
	return value
}

// Lookup returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Lookup(key K) (value V, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e := c.entries[key]
	if e == nil {
		c.misses.Add(1)
		return value, false
	}
	c.hits.Add(1)
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.value, true
}

// Stats are the contents of a cache, and the numbers of its hits and misses.
type Stats struct {
	Entries             int
	Bytes, Hits, Misses int64
}

// Stats returns them as they are now.
func (c *Cache[K, V]) Stats() Stats {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return Stats{len(c.entries), c.bytes, c.hits.Load(), c.misses.Load()}
}

// Put keeps a value with a size in bytes, in the place of an older one. A value over the limit is
// not kept.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) {
	bytes += entryCost
	if bytes > c.budget/largest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		e = &entry[K, V]{key: key}
		c.entries[key] = e
		c.ring = append(c.ring, e)
	}
	c.bytes += bytes - e.bytes
	e.value = value
	e.bytes = bytes
	c.evict(e)
}

// Grow counts bytes that the value of a key has taken on, if it is still there.
func (c *Cache[K, V]) Grow(key K, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		e.bytes += int64(bytes)
		c.bytes += int64(bytes)
		c.evict(nil)
	}
}

// evict makes room, with the lock held, and leaves an entry that has just been
// put, which the hand may have come to.
func (c *Cache[K, V]) evict(latest *entry[K, V]) {
	for c.bytes > c.budget && len(c.ring) > 0 {
		if c.hand >= len(c.ring) {
			c.hand = 0
		}
		e := c.ring[c.hand]
		if e == latest || e.used.Swap(false) {
			c.hand++
			continue
		}
		c.bytes -= e.bytes
		delete(c.entries, e.key)
		last := len(c.ring) - 1
		c.ring[c.hand], c.ring[last] = c.ring[last], nil
		c.ring = c.ring[:last]
		c.hand++ // the latest entry, which came there, has a round before it
	}
}
