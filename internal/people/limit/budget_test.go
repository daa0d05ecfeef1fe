package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func shareOf(n int64) func(string) int64 { return func(string) int64 { return n } }

// A key has no more than its share, all keys no more than the whole, and where nobody may wait the
// error tells the exceeded one. Released bytes can be reserved again, by halves too.
func TestBudgetRefuses(t *testing.T) {
	t.Parallel()
	b := NewBudget(10, func(key string) int64 { return map[string]int64{"large": 10}[key] + 4 }, 0)
	ctx := t.Context()
	grow := func(h *Hold[string], n int64, want error) {
		t.Helper()
		before := h.Size()
		if err := h.Grow(ctx, n); !errors.Is(err, want) {
			t.Errorf("%q to %d: %v, want %v", h.key, n, err, want)
		}
		if got := h.Size(); want != nil && got != before || want == nil && got < n {
			t.Errorf("%q holds %d after it asked for %d and had %d", h.key, got, n, before)
		}
	}
	a := b.Hold("a")
	a2 := b.Hold("a")
	c := b.Hold("c")
	d := b.Hold("d")
	large := b.Hold("large")
	grow(&a, 3, nil)
	grow(&a, 2, nil)
	grow(&a2, 2, ErrShare)
	grow(&a2, 1, nil)
	grow(&a, 4, ErrShare)
	grow(&c, 4, nil)
	grow(&d, 3, ErrBusy)
	grow(&d, 2, nil)
	grow(&large, 1, ErrBusy)
	a.End()
	a.End()
	grow(&large, 3, nil)
	grow(&large, 11, ErrBusy) // more than there is at all
	grow(&a2, 4, ErrBusy)
	for _, h := range []*Hold[string]{&a2, &c, &d, &large} {
		h.End()
	}
	if len(b.by) != 0 || b.used != 0 {
		t.Errorf("%d keys use %d, and nobody holds anything", len(b.by), b.used)
	}
	var none *Budget[string]
	free := none.Hold("a")
	grow(&free, 0, nil)
	if err := free.Grow(ctx, 1<<60); err != nil {
		t.Errorf("no limit: %v", err)
	}
	free.End()
}

// However many requests of one key wait, one of another key waits for one of them at most, and
// those of one key are served as they came.
func TestBudgetTakesTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(1, shareOf(1), 6)
		var served []string
		holds := map[string]*Hold[string]{}
		ask := func(key, name string) {
			go func() {
				h := b.Hold(key)
				if err := h.Grow(t.Context(), 1); err != nil {
					name += ": " + err.Error()
				}
				served = append(served, name)
				holds[name] = &h
			}()
			synctest.Wait()
		}
		if never := b.Hold("e"); !errors.Is(never.Grow(t.Context(), 2), ErrBusy) {
			t.Error("a request for more than there is waits")
		}
		for _, name := range []string{"a1", "a2", "a3", "a4", "b1", "b2", "c1"} {
			ask(name[:1], name)
		}
		ask("d", "d1") // one too many waits
		for _, name := range []string{"a1", "a2", "b1", "c1", "a3", "b2"} {
			holds[name].End()
			synctest.Wait()
		}
		want := []string{"a1", "d1: " + ErrBusy.Error(), "a2", "b1", "c1", "a3", "b2", "a4"}
		if diff := cmp.Diff(want, served); diff != "" {
			t.Errorf("served (-want, +got):\n%s", diff)
		}
	})
}

// One key waits in half of the queue, so that others find a place there, and keys take turns when
// all places are taken.
func TestShares(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewShares[string](3, 2, 4)
		var served []string
		holds := map[string]*Hold[string]{}
		for _, name := range []string{"a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1", "d1"} {
			go func() {
				h := b.Hold(name[:1])
				if err := h.Grow(t.Context(), 1); err != nil {
					name += ": " + err.Error()
				}
				served = append(served, name)
				holds[name] = &h
			}()
			synctest.Wait()
		}
		for _, name := range []string{"a1", "b1", "a2", "b2", "c1", "a3", "a4"} {
			holds[name].End()
			synctest.Wait()
		}
		want := []string{
			"a1",
			"a2",
			"a5: " + ErrShare.Error(),
			"b1",
			"d1: " + ErrBusy.Error(),
			"a3",
			"b2",
			"c1",
			"a4",
		}
		if diff := cmp.Diff(want, served); diff != "" {
			t.Errorf("served (-want, +got):\n%s", diff)
		}
		if len(b.by) != 0 || b.used != 0 || len(b.waiting) != 0 {
			t.Errorf("in the end: %d keys use %d, %d wait", len(b.by), b.used, len(b.waiting))
		}
	})
}

// An asked is a request of the model: n more for a key.
type asked struct {
	key    string
	n      int64
	cancel context.CancelFunc
	served bool
	err    error
	hold   Hold[string]
	since  int // when it came, or its key was served after that
}

// A Budget equals its model under random calls: the next request served is the one with the
// longest wait since it came, or since its key was served, if it is the first of its key and the
// share has room; a request that does not fit into the whole stops all behind it.
func TestBudgetAgainstModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) { modelBudget(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func modelBudget(t *testing.T, rng *rand.Rand) {
	const most, share, waiters = 10, 6, 8
	b := NewBudget(most, shareOf(share), waiters)
	var waiting, holding []*asked
	clock := 0
	used := func(key string) (of, all int64) {
		for _, a := range holding {
			if all += a.n; a.key == key {
				of += a.n
			}
		}
		return of, all
	}
	settle := func() { // serves as the model does
		for {
			var next *asked
			for _, a := range waiting { // in the order in which they came, so that the first of its key counts
				first := slices.IndexFunc(
					waiting,
					func(other *asked) bool { return other.key == a.key },
				)
				if of, _ := used(a.key); waiting[first] == a && of+a.n <= share &&
					(next == nil || a.since < next.since) {
					next = a
				}
			}
			if next == nil {
				return
			}
			if _, all := used(""); all+next.n > most {
				return
			}
			waiting = slices.DeleteFunc(waiting, func(a *asked) bool { return a == next })
			holding = append(holding, next)
			clock++
			for _, a := range waiting {
				if a.key == next.key {
					a.since = clock
				}
			}
		}
	}
	for step := range 400 {
		switch what := rng.IntN(10); {
		case what < 5:
			a := &asked{key: string(rune('a' + rng.IntN(4))), n: 1 + rng.Int64N(share)}
			ctx, cancel := context.WithCancel(t.Context())
			a.cancel, a.hold = cancel, b.Hold(a.key)
			go func() {
				a.err = a.hold.Grow(ctx, a.n)
				a.served = true
			}()
			clock++
			a.since = clock
			waiting = append(waiting, a)
			if settle(); len(waiting) > waiters {
				want := ErrBusy
				if of, _ := used(a.key); of+a.n > share {
					want = ErrShare
				}
				waiting = waiting[:len(waiting)-1]
				if synctest.Wait(); !errors.Is(a.err, want) {
					t.Fatalf("step %d: one more than may wait: %v, want %v", step, a.err, want)
				}
				cancel()
			}
		case what < 8 && len(holding) > 0:
			i := rng.IntN(len(holding))
			holding[i].hold.End()
			holding[i].cancel()
			holding = slices.Delete(holding, i, i+1)
			settle()
		case len(waiting) > 0:
			i := rng.IntN(len(waiting))
			a := waiting[i]
			a.cancel()
			waiting = slices.Delete(waiting, i, i+1)
			settle()
			if synctest.Wait(); !errors.Is(a.err, context.Canceled) || a.hold.Size() != 0 {
				t.Fatalf("step %d: given up: %v, and it holds %d", step, a.err, a.hold.Size())
			}
		}
		synctest.Wait()
		for _, a := range waiting {
			if a.served {
				t.Fatalf("step %d: %s has %d (%v), and should wait", step, a.key, a.n, a.err)
			}
		}
		for _, a := range holding {
			if !a.served || a.err != nil {
				t.Fatalf(
					"step %d: %s waits for %d (%v), and should have it",
					step,
					a.key,
					a.n,
					a.err,
				)
			}
		}
	}
	for _, a := range waiting {
		a.cancel()
	}
	synctest.Wait()
	for _, a := range append(holding, waiting...) { // some that waited were served before they were told
		a.hold.End()
		a.cancel()
	}
	if len(b.by) != 0 || b.used != 0 || len(b.waiting) != 0 {
		t.Errorf("in the end: %d keys use %d, %d wait", len(b.by), b.used, len(b.waiting))
	}
}

// Many at once never hold more than there is, and all are served.
func TestBudgetConcurrently(t *testing.T) {
	t.Parallel()
	const most, share = 5, 3
	b := NewBudget(most, shareOf(share), 1000)
	var mu sync.Mutex
	used := map[string]int64{}
	change := func(key string, n int64) {
		mu.Lock()
		defer mu.Unlock()
		used[key] += n
		used[""] += n
		if used[""] > most || used[key] > share {
			t.Errorf("%s holds %d, all hold %d", key, used[key], used[""])
		}
	}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			key := string(rune('a' + i%4))
			for k := range 50 {
				ctx, cancel := context.WithCancel(t.Context())
				if k%5 == 0 {
					go cancel()
				}
				n := int64(1 + (i+k)%share)
				h := b.Hold(key)
				if err := h.Grow(ctx, n); err == nil {
					change(key, n)
					change(key, -n)
				} else if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				h.End()
				cancel()
			}
		})
	}
	all.Wait()
	if len(b.by) != 0 || b.used != 0 || len(b.waiting) != 0 {
		t.Errorf("in the end: %d keys use %d, %d wait", len(b.by), b.used, len(b.waiting))
	}
}
