// What forks cost, of calendars as large as real ones.

package store_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

// generated returns a store in memory with so many events.
func generated(b *testing.B, n int) (*store.Store, *almanactest.Calendar) {
	b.Helper()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	c, err := almanactest.Generate(s, n)
	if err != nil {
		b.Fatal(err)
	}
	return s, c
}

// write makes a new event that is like an old one.
func write(b *testing.B, s *store.Store, like int64) {
	b.Helper()
	err := s.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(like)
		e.ID, e.Slug, e.Title = 0, "", "Another "+e.Title
		e.Start, e.End = e.Start+900, e.End+900
		return tx.Put(&e)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFork(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		s, c := generated(b, n)
		p, err := s.Savepoint()
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func(b *testing.B, like int64)) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					f(b, c.Events[i*7%n])
				}
			})
		}
		// aside does what is not measured.
		aside := func(b *testing.B, f func()) {
			b.StopTimer()
			f()
			b.StartTimer()
		}
		run("write", func(b *testing.B, like int64) { write(b, s, like) })
		run("fork and close", func(b *testing.B, _ int64) { p.Fork(nil).Close() })
		run("fork of what was just written to", func(b *testing.B, like int64) {
			aside(b, func() { write(b, s, like) })
			fork, err := s.Fork(nil)
			if err != nil {
				b.Fatal(err)
			}
			aside(b, func() { fork.Close() })
		})
		run("first write to a fork", func(b *testing.B, like int64) {
			var fork *store.Store
			aside(b, func() { fork = p.Fork(nil) })
			write(b, fork, like)
			aside(b, func() { fork.Close() })
		})
		run("roll back", func(b *testing.B, like int64) {
			aside(b, func() { write(b, s, like) })
			if err := s.RollBack(p); err != nil {
				b.Fatal(err)
			}
		})
		b.Run(fmt.Sprint("memory/", n), func(b *testing.B) {
			forks := make([]*store.Store, 1000)
			for b.Loop() {
				before := inUse()
				for i := range forks {
					forks[i] = p.Fork(nil)
				}
				idle := inUse()
				for i, fork := range forks {
					write(b, fork, c.Events[i*7%n])
				}
				written := inUse()
				b.ReportMetric((idle-before)/float64(len(forks)), "B/fork")
				b.ReportMetric((written-idle)/float64(len(forks)), "B/first-write")
				for _, fork := range forks {
					fork.Close()
				}
			}
		})
	}
}

// inUse returns the bytes of the heap and of stacks.
func inUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}
