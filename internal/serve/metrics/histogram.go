// Distributions of numbers.

package metrics

import (
	"sync/atomic"
	"time"
)

// A Histogram counts numbers by how large they are.
type Histogram struct {
	bounds []int64 // ascending; a number that is equal is within
	per    float64 // observed numbers per written unit
	counts []atomic.Uint64
	sum    atomic.Int64
}

// NewHistogram makes a Histogram of plain numbers.
func NewHistogram(bounds ...int64) *Histogram {
	return &Histogram{bounds: bounds, per: 1, counts: make([]atomic.Uint64, len(bounds)+1)}
}

// seconds are the bounds of durations: from a cached list to the end of people's
// patience.
var seconds = []int64{
	int64(100 * time.Microsecond),
	int64(250 * time.Microsecond),
	int64(500 * time.Microsecond),
	int64(time.Millisecond),
	int64(2500 * time.Microsecond),
	int64(5 * time.Millisecond),
	int64(10 * time.Millisecond),
	int64(25 * time.Millisecond),
	int64(50 * time.Millisecond),
	int64(100 * time.Millisecond),
	int64(250 * time.Millisecond),
	int64(time.Second),
	int64(5 * time.Second),
}

// NewDurations makes a Histogram of durations, which are written in seconds.
func NewDurations() *Histogram {
	h := NewHistogram(seconds...)
	h.per = float64(time.Second)
	return h
}

// Observe counts a number: of a duration its nanoseconds.
func (h *Histogram) Observe(n int64) {
	i := 0
	for i < len(h.bounds) && n > h.bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(n)
}
