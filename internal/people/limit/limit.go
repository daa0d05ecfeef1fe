// Package limit counts what clients do, and says when it is too much.
//
// Each client has a bucket of tokens, and gets them back at an
// even pace. Each action takes one; when there is none, the client has to wait:
//
//	buckets := limit.New[netip.Prefix](limit.Rate{N: 10, Per: time.Minute}, elapsed)
//	if wait, ok := buckets.Take(limit.Client(address)); !ok {
//		// refuse it, and say that it may come again after wait
//	}
//
// The number of buckets is bounded: see Buckets. Memory and places, which clients hold for a while
// and give back, are parts of a Budget.
package limit

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Rate is how often something may happen: N times at once, and N times in each
// Per from there on. The zero Rate is no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// units are the units of a Rate by their names.
var units = []struct {
	name string
	long time.Duration
}{{"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}}

// maxN bounds N: with more, a token would be worth less than a nanosecond.
const maxN = 1_000_000

// errRate says what a Rate looks like.
var errRate = errors.New(
	`must be a number for each second, minute or hour, such as 50/s, 10/m or 100/h, or off`,
)

// ParseRate reads "50/s", "10/m", "100/h" or "off".
func ParseRate(text string) (Rate, error) {
	if text == "off" {
		return Rate{}, nil
	}
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxN {
		return Rate{}, errRate
	}
	for _, u := range units {
		if u.name == unit {
			return Rate{n, u.long}, nil
		}
	}
	return Rate{}, errRate
}

// String writes the Rate as ParseRate reads it.
func (r Rate) String() string {
	if r.N == 0 {
		return "off"
	}
	for _, u := range units {
		if u.long == r.Per {
			return fmt.Sprint(r.N, "/", u.name)
		}
	}
	return fmt.Sprint(r.N, "/", r.Per)
}

// Client returns what counts as one client: an address, or the /64 that it is in,
// since that is the least that anybody gets of IPv6. All without an address are
// one client.
func Client(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	client, _ := address.Prefix(bits) // the zero Prefix for the zero Addr
	return client
}

// maxBuckets is how many buckets each of two generations holds: some 20 MB in
// all when clients come from everywhere.
const maxBuckets = 1 << 16

// Buckets are the buckets of clients by their keys.
// Nil Buckets refuse nobody. They are safe for concurrent use.
//
// Memory is bounded: buckets are in two generations. One that is used moves to
// the younger; when that is full it becomes the older, and what was in the older
// is forgotten. So a bucket is forgotten, which is to say full again, only after
// as many other clients as a generation holds have come since it was last used.
type Buckets[K comparable] struct {
	elapsed func() time.Duration
	every   time.Duration // until a bucket gets a token back
	full    time.Duration // until an empty bucket is full
	most    int           // maxBuckets

	mu         sync.Mutex          // guards the generations
	young, old map[K]time.Duration // when each bucket will be full
}

// New makes buckets with a clock that never goes back. With the zero Rate it
// returns nil.
func New[K comparable](r Rate, elapsed func() time.Duration) *Buckets[K] {
	if r == (Rate{}) {
		return nil
	}
	every := r.Per / time.Duration(r.N)
	return &Buckets[K]{
		elapsed: elapsed,
		every:   every,
		full:    every * time.Duration(r.N),
		most:    maxBuckets,
		young:   map[K]time.Duration{},
	}
}

// Take takes a token out of a client's bucket. When there is none it takes
// nothing and says how long it is until there will be.
func (b *Buckets[K]) Take(key K) (wait time.Duration, ok bool) { return b.TakeN(key, 1) }

// TakeN takes as many tokens, or none. When they are more than a bucket holds, a
// full one is enough, and it takes the longer until it has any again.
func (b *Buckets[K]) TakeN(key K, n int) (wait time.Duration, ok bool) {
	if b == nil {
		return 0, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	full, wait := b.look(key, n)
	if wait > 0 {
		b.put(key, full)
		return wait, false
	}
	b.put(key, full+time.Duration(n)*b.every)
	return 0, true
}

// Wait returns how long it is until TakeN takes n tokens, 0 for no time. It takes nothing.
func (b *Buckets[K]) Wait(key K, n int) time.Duration {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, wait := b.look(key, n)
	return max(0, wait)
}

// look returns when a bucket will be full, and how long it is until it has n tokens. The lock is
// held.
func (b *Buckets[K]) look(key K, n int) (full, wait time.Duration) {
	now := b.elapsed()
	full = max(now, b.find(key))
	return full, full + min(time.Duration(n)*b.every, b.full) - now - b.full
}

// Return puts tokens back that were taken for what turned out not to count.
func (b *Buckets[K]) Return(key K, n int) {
	if b == nil || n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(key, b.find(key)-time.Duration(n)*b.every)
}

// find returns when a bucket will be full; 0 if that is not known, which is in
// the past. The lock is held.
func (b *Buckets[K]) find(key K) time.Duration {
	if full, ok := b.young[key]; ok {
		return full
	}
	return b.old[key]
}

// put notes when a bucket will be full, in the younger generation. The lock is
// held.
func (b *Buckets[K]) put(key K, full time.Duration) {
	if _, ok := b.young[key]; !ok && len(b.young) >= b.most {
		b.young, b.old = map[K]time.Duration{}, b.young
	}
	b.young[key] = full
}
