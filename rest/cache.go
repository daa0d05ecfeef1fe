// A cache with a budget of bytes.

package rest

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// cacheShards is how many parts a cache has, so that requests seldom wait for
// each other; a power of two.
const cacheShards = 16

// A cache keeps values in a budget of bytes. When it is full those go that were
// not asked for since the hand of a clock last passed them. There is no
// invalidation: whoever takes a value out looks whether it still counts.
type cache[K comparable, V any] struct {
	seed   maphash.Seed
	shards [cacheShards]cacheShard[K, V]
}

type cacheShard[K comparable, V any] struct {
	mu      sync.RWMutex // guards all below but the uses of entries
	budget  int64
	entries map[K]*entry[K, V]
	ring    []*entry[K, V] // all entries, in no order
	hand    int            // position in ring
	bytes   int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int64
	used  atomic.Bool // since the hand passed
}

// entryCost is what an entry takes beside its value, about.
const entryCost = 256

// newCache makes a cache of so many bytes.
func newCache[K comparable, V any](budget int64) *cache[K, V] {
	c := &cache[K, V]{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].budget, c.shards[i].entries = budget/cacheShards, map[K]*entry[K, V]{}
	}
	return c
}

func (c *cache[K, V]) shard(key K) *cacheShard[K, V] {
	return &c.shards[maphash.Comparable(c.seed, key)%cacheShards]
}

// get gives the value of a key, the zero value for none.
func (c *cache[K, V]) get(key K) (value V) {
	s := c.shard(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	e := s.entries[key]
	if e == nil {
		return value
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.value
}

// put keeps a value of so many bytes, in the place of an older one.
func (c *cache[K, V]) put(key K, value V, bytes int64) {
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
	s.evict()
}

// grow counts bytes that the value of a key has taken on, if it is still there.
func (c *cache[K, V]) grow(key K, bytes int) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		e.bytes += int64(bytes)
		s.bytes += int64(bytes)
		s.evict()
	}
}

// evict makes room, with the lock held.
func (s *cacheShard[K, V]) evict() {
	for s.bytes > s.budget && len(s.ring) > 0 {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		e := s.ring[s.hand]
		if e.used.Swap(false) {
			s.hand++
			continue
		}
		s.bytes -= e.bytes
		delete(s.entries, e.key)
		last := len(s.ring) - 1
		s.ring[s.hand], s.ring[last] = s.ring[last], nil
		s.ring = s.ring[:last]
	}
}
