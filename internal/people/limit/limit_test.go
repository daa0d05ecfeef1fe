package limit

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Rate{
		"off":       {},
		"50/s":      {50, time.Second},
		"10/m":      {10, time.Minute},
		"1/h":       {1, time.Hour},
		"1000000/s": {1_000_000, time.Second},
	} {
		got, err := ParseRate(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "50", "0/s", "-1/s", "1.5/s", "5/d", "5/", "/s", "5 / s", "1000001/s",
		"99999999999999999999/s", "Off", "5/s/s"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestClient(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7":            "192.0.2.7/32",
		"::ffff:192.0.2.7":     "192.0.2.7/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::":       "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
		"::1":                  "::/64",
	} {
		if got := Client(netip.MustParseAddr(address)).String(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	if got := Client(netip.Addr{}); got != (netip.Prefix{}) {
		t.Errorf("no address is %v", got)
	}
}

// To the nanosecond: a burst of N, then one each interval, and the reported wait is exact.
func TestBucket(t *testing.T) {
	t.Parallel()
	var now time.Duration
	b := New[string](Rate{10, time.Minute}, func() time.Duration { return now })
	take := func(key string, want time.Duration) {
		t.Helper()
		if wait, ok := b.Take(key); ok != (want == 0) || max(wait, 0) != want {
			t.Errorf("at %v: %s has to wait %v (%t), want %v", now, key, wait, ok, want)
		}
	}
	for range 10 {
		take("a", 0)
	}
	take("a", 6*time.Second)
	take("b", 0)
	now += 6*time.Second - 1
	take("a", 1)
	now++
	take("a", 0)
	take("a", 6*time.Second)
	b.Return("a", 2)
	take("a", 0)
	take("a", 0)
	take("a", 6*time.Second)
	now += time.Hour // no more than ten are saved up
	for range 10 {
		take("a", 0)
	}
	take("a", 6*time.Second)
	b.Return("a", 1000)
	for range 10 {
		take("a", 0)
	}
	take("a", 6*time.Second)

	var none *Buckets[string]
	if none != New[string](Rate{}, nil) {
		t.Error("no rate makes buckets")
	}
	none.Return("a", 1)
	if wait, ok := none.Take("a"); wait != 0 || !ok {
		t.Error("without a rate somebody has to wait")
	}
}

// A level is a bucket as one thinks of it: it fills while time goes by.
type level struct{ at, tokens time.Duration } // a token is worth the time until it is back

// Under random calls, buckets equal their model.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 64))
	for _, rate := range []Rate{{1, time.Second}, {7, time.Second}, {10, time.Minute}, {1000, time.Hour}} {
		var now time.Duration
		b := New[int](rate, func() time.Duration { return now })
		every := rate.Per / time.Duration(rate.N)
		full := every * time.Duration(rate.N)
		model := map[int]level{}
		for range 20_000 {
			if rng.IntN(3) == 0 {
				now += time.Duration(rng.Int64N(int64(2 * every)))
			}
			key := rng.IntN(3)
			l, ok := model[key]
			if !ok {
				l = level{now, full}
			}
			l = level{now, min(full, l.tokens+now-l.at)}
			if rng.IntN(10) == 0 {
				b.Return(key, 2)
				l.tokens = min(full, l.tokens+2*every)
			}
			n := 1
			if rng.IntN(4) == 0 {
				n = 1 + rng.IntN(2*rate.N)
			}
			cost := time.Duration(n) * every
			want := max(0, min(cost, full)-l.tokens)
			if wait := b.Wait(key, n); wait != want {
				t.Fatalf("%v at %v: to wait %v, want %v", rate, now, wait, want)
			}
			wait, took := b.TakeN(key, n)
			if took != (want == 0) || max(wait, 0) != want {
				t.Fatalf("%v at %v: wait %v (%t), want %v", rate, now, wait, took, want)
			}
			if took {
				l.tokens -= cost
			}
			model[key] = l
		}
	}
}

// The number of buckets is limited, however many clients come, and buckets in use are kept.
func TestMemory(t *testing.T) {
	t.Parallel()
	var now time.Duration
	b := New[int](Rate{2, time.Hour}, func() time.Duration { return now })
	b.most = 100
	b.Take(-1)
	b.Take(-1)
	for key := range 10_000 {
		now++
		b.Take(key)
		if key%50 == 0 {
			if _, ok := b.Take(-1); ok {
				t.Fatalf(
					"after %d others the bucket of a client that comes again and again is full",
					key,
				)
			}
		}
		if n := len(b.young) + len(b.old); n > 200 {
			t.Fatalf("%d buckets are kept", n)
		}
	}
	if _, ok := b.Take(9_999 - 50); !ok {
		t.Error("a client that came once has to wait")
	}
	for key := range 300 {
		b.Take(20_000 + key)
	}
	if _, ok := b.Take(-1); !ok {
		t.Error("who has not come for long is not forgotten")
	}
}

// Many at once get no more than there is, by the clock of time.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		b := New[string](Rate{50, time.Second}, func() time.Duration { return time.Since(start) })
		var took atomic.Int32
		for round := range 3 {
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					for range 100 {
						if _, ok := b.Take("a"); ok {
							took.Add(1)
						}
						b.Take(fmt.Sprint(round, i))
					}
				})
			}
			all.Wait()
			<-time.After(time.Second / 2)
		}
		if diff := cmp.Diff(int32(50+25+25), took.Load()); diff != "" {
			t.Errorf("taken (-want, +got):\n%s", diff)
		}
	})
}
