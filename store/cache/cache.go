// Package cache keeps values in a budget of bytes.
//
//	answers := cache.New[string, []byte](64 << 20)
//	answers.Put("/events", body, int64(len(body)))
//	body, ok := answers.Lookup("/events")
//
// When the budget is full, the oldest values are dropped. There is no invalidation: the reader of a
// value checks whether it is still valid.
package cache

import (
	"container/list"
	"sync"
	"sync/atomic"
)

// A Cache is safe for concurrent use. A nil Cache keeps nothing.
type Cache[K comparable, V any] struct {
	budget int64

	mu      sync.RWMutex // guards what is below
	entries map[K]*list.Element
	order   list.List // of *entry[K, V], the oldest first
	bytes   int64

	hits, misses atomic.Int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int64
}

const (
	entryCost = 256 // approximate memory of an entry beside its value
	largest   = 16  // part of the budget that is the limit for one value
)

// New makes a cache with a budget in bytes. A sixteenth is the limit for one value.
func New[K comparable, V any](budget int64) *Cache[K, V] {
	return &Cache[K, V]{budget: budget, entries: map[K]*list.Element{}}
}

// Get returns the value of a key, the zero value for none.
func (c *Cache[K, V]) Get(key K) V {
	value, _ := c.Lookup(key)
	return value
}

// Lookup returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Lookup(key K) (value V, ok bool) {
	if c == nil {
		return value, false
	}
	c.mu.RLock()
	at := c.entries[key]
	c.mu.RUnlock()
	if at == nil {
		c.misses.Add(1)
		return value, false
	}
	c.hits.Add(1)
	return at.Value.(*entry[K, V]).value, true
}

// Stats are the contents of a cache, and the numbers of its hits and misses.
type Stats struct {
	Entries             int
	Bytes, Hits, Misses int64
}

// Stats returns them as they are now.
func (c *Cache[K, V]) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return Stats{len(c.entries), c.bytes, c.hits.Load(), c.misses.Load()}
}

// Put keeps a value with a size in bytes, in the place of an older one. A value over the limit is
// not kept.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) {
	bytes += entryCost
	if c == nil || bytes > c.budget/largest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.entries[key])
	c.entries[key] = c.order.PushBack(&entry[K, V]{key, value, bytes})
	c.bytes += bytes
	for c.bytes > c.budget {
		c.drop(c.order.Front())
	}
}

// drop forgets an entry, with the lock held; nil is none.
func (c *Cache[K, V]) drop(at *list.Element) {
	if at == nil {
		return
	}
	e := c.order.Remove(at).(*entry[K, V])
	delete(c.entries, e.key)
	c.bytes -= e.bytes
}
