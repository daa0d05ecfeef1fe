// Package cache keeps values in a budget of bytes.
//
//	pages := cache.New[string, []byte](64 << 20)
//	pages.Put("/events", body, int64(len(body)))
//	body := pages.Get("/events")
//
// When the budget is full, values that were not used lately are evicted. There is no invalidation: the reader
// of a value checks whether it is still valid.
package cache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// shards is how many parts a cache has, so that its users seldom wait for each
// other; a power of two.
const shards = 16

// A Cache is safe for concurrent use. When it is full those values go that were
// not asked for since the hand of a clock last passed them: nearly those that
// were asked for the longest ago, at the price of a flag.
type Cache[K comparable, V any] struct {
	seed   maphash.Seed
	shards [shards]shard[K, V]
}

type shard[K comparable, V any] struct {
	mu      sync.RWMutex // guards all below but the uses of entries
	budget  int64
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

// entryCost is the approximate memory of an entry beside its value.
const entryCost = 256

// New makes a cache with a budget in bytes. A sixteenth is the limit for one value.
func New[K comparable, V any](budget int64) *Cache[K, V] {
	c := &Cache[K, V]{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].budget, c.shards[i].entries = budget/shards, map[K]*entry[K, V]{}
	}
	return c
}

func (c *Cache[K, V]) shard(key K) *shard[K, V] {
	return &c.shards[maphash.Comparable(c.seed, key)%shards]
}

// Get returns the value of a key, the zero value for none.
func (c *Cache[K, V]) Get(key K) V {
	value, _ := c.Lookup(key)
	return value
}

// Lookup returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Lookup(key K) (value V, ok bool) {
	s := c.shard(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	e := s.entries[key]
	if e == nil {
		s.misses.Add(1)
		return value, false
	}
	s.hits.Add(1)
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
func (c *Cache[K, V]) Stats() (all Stats) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.RLock()
		all.Entries, all.Bytes = all.Entries+len(s.entries), all.Bytes+s.bytes
		s.mu.RUnlock()
		all.Hits, all.Misses = all.Hits+s.hits.Load(), all.Misses+s.misses.Load()
	}
	return all
}

// Put keeps a value with a size in bytes, in the place of an older one. A value over the limit is not kept.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) {
	s := c.shard(key)
	bytes += entryCost
	if bytes > s.budget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		e = &entry[K, V]{key: key}
		s.entries[key], s.ring = e, append(s.ring, e)
	}
	s.bytes += bytes - e.bytes
	e.value, e.bytes = value, bytes
	s.evict(e)
}

// Grow counts bytes that the value of a key has taken on, if it is still there.
func (c *Cache[K, V]) Grow(key K, bytes int) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		e.bytes += int64(bytes)
		s.bytes += int64(bytes)
		s.evict(nil)
	}
}

// evict makes room, with the lock held, and leaves an entry that has just been
// put, which the hand may have come to.
func (s *shard[K, V]) evict(latest *entry[K, V]) {
	for s.bytes > s.budget && len(s.ring) > 0 {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		e := s.ring[s.hand]
		if e == latest || e.used.Swap(false) {
			s.hand++
			continue
		}
		s.bytes -= e.bytes
		delete(s.entries, e.key)
		last := len(s.ring) - 1
		s.ring[s.hand], s.ring[last] = s.ring[last], nil
		s.ring = s.ring[:last]
		s.hand++ // the latest entry, which came there, has a round before it
	}
}
