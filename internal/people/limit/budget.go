package limit

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
)

// ErrBusy says that all keys together hold, or wait for, as much of a Budget as they may, and
// ErrShare that one key does.
var (
	ErrBusy  = errors.New("limit: too many wait for their turn")
	ErrShare = errors.New("limit: the share is used up")
)

// A Budget is an amount of bytes or of places that requests hold for a while: all keys together
// hold no more than the whole, and each key no more than its share. Some requests may wait. The
// keys take turns: a request that arrives waits for one request of each other key at most, however
// many of them wait, and for the earlier ones of its own key. A nil Budget is no limit. A Budget
// is safe for concurrent use.
type Budget[K comparable] struct {
	most  int64
	share func(K) int64
	queue int // longest
	own   int // longest of one key

	mu      sync.Mutex // guards what is below
	used    int64
	by      map[K]int64
	waiting []*waiter[K] // in the order in which they came
	clock   int          // counts arrivals and turns
}

type waiter[K comparable] struct {
	key   K
	n     int64
	since int           // when it came, or when its key had a turn after that
	taken chan struct{} // closed when it has n; nil before it waits
}

// NewBudget makes a Budget with the share of each key, and a queue of a length.
func NewBudget[K comparable](most int64, share func(K) int64, queue int) *Budget[K] {
	return &Budget[K]{most: most, share: share, queue: queue, own: queue, by: map[K]int64{}}
}

// NewShares makes a Budget of places with a share for each key, and a queue of a length, half of
// which one key may have.
func NewShares[K comparable](places, share, queue int) *Budget[K] {
	b := NewBudget(int64(places), func(K) int64 { return int64(share) }, queue)
	b.own = queue / 2
	return b
}

// NewTurns makes a Budget of places, and a queue of a length. A key may have all places.
func NewTurns[K comparable](places, queue int) *Budget[K] {
	return NewBudget(int64(places), func(K) int64 { return int64(places) }, queue)
}

// Do runs f in a turn of a key. The error is that of Grow; then f was not run.
func (b *Budget[K]) Do(ctx context.Context, key K, f func()) error {
	h := b.Hold(key)
	defer h.End()
	err := h.Grow(ctx, 1)
	if err == nil {
		f()
	}
	return err
}

// Used returns how much all keys hold together.
func (b *Budget[K]) Used() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Hold returns a Hold of a key, which holds nothing yet.
func (b *Budget[K]) Hold(key K) Hold[K] { return Hold[K]{of: b, key: key} }

// A Hold is a part of a Budget that one user holds. The zero Hold is of no limit.
type Hold[K comparable] struct {
	of   *Budget[K]
	key  K
	size int64
}

// Size returns the amount that it has.
func (h *Hold[K]) Size() int64 { return h.size }

// Grow takes as much as makes the Hold n, if it is less, and waits for that if it may. The error
// is ErrShare if the key itself holds too much, ErrBusy if all keys do, or the error of the
// context; the Hold is then as it was.
func (h *Hold[K]) Grow(ctx context.Context, n int64) error {
	if h.of == nil || n <= h.size {
		return nil
	}
	err := h.of.take(ctx, h.key, n-h.size, n > h.Share())
	if err == nil {
		h.size = n
	}
	return err
}

// Share returns the most that it may hold.
func (h *Hold[K]) Share() int64 {
	if h.of == nil {
		return math.MaxInt64
	}
	return min(h.of.share(h.key), h.of.most)
}

// End gives all of it back.
func (h *Hold[K]) End() {
	if h.size == 0 {
		return
	}
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.of.add(h.key, -h.size)
	h.of.serve()
	h.size = 0
}

// take takes n for a key, unless it would never get so much.
func (b *Budget[K]) take(ctx context.Context, key K, n int64, never bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock++
	w := &waiter[K]{key: key, n: n, since: b.clock}
	b.waiting = append(b.waiting, w)
	b.serve()
	last := len(b.waiting) - 1
	if last < 0 || b.waiting[last] != w { // it was served
		return nil
	}
	if last >= b.queue || never || b.waits(key) > b.own {
		if b.waiting = b.waiting[:last]; b.by[key]+n > b.share(key) && b.share(key) < b.most {
			return ErrShare
		}
		return ErrBusy
	}
	w.taken = make(chan struct{})
	b.mu.Unlock()
	select {
	case <-w.taken:
	case <-ctx.Done():
	}
	b.mu.Lock()
	at := slices.Index(b.waiting, w)
	if at < 0 { // it was served, if only after the context ended
		return nil
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	b.serve()
	return ctx.Err()
}

// waits returns how many requests of a key wait. The lock is held.
func (b *Budget[K]) waits(key K) (n int) {
	for _, w := range b.waiting {
		if w.key == key {
			n++
		}
	}
	return n
}

// serve grants the rest to waiting requests. A key whose share has no room for its next request is
// passed over; a request that does not fit into the whole is not, as smaller ones could pass it
// for ever. The lock is held.
func (b *Budget[K]) serve() {
	for {
		var full []K
		var next *waiter[K]
		for _, w := range b.waiting {
			switch {
			case slices.Contains(full, w.key), next != nil && next.since <= w.since:
			case b.by[w.key]+w.n > b.share(w.key):
				full = append(full, w.key)
			default:
				next = w
			}
		}
		if next == nil || b.used+next.n > b.most {
			return
		}
		b.waiting = slices.DeleteFunc(b.waiting, func(w *waiter[K]) bool { return w == next })
		b.add(next.key, next.n)
		if next.taken != nil {
			close(next.taken)
		}
		b.clock++
		for _, w := range b.waiting {
			if w.key == next.key {
				w.since = b.clock
			}
		}
	}
}

// add counts more for a key, or less. The lock is held.
func (b *Budget[K]) add(key K, n int64) {
	b.used += n
	if b.by[key] += n; b.by[key] == 0 {
		delete(b.by, key)
	}
}
