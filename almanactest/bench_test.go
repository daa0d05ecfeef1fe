package almanactest_test

import (
	"testing"

	"almanac/almanactest"
	"almanac/store"
)

// This file measures what tests wait for: a server, a world of one, and the way
// back. The last two hardly depend on how many records there are.

// town starts a server with many events, which worlds begin with.
func town(b *testing.B, events int) (srv *almanactest.Server, some int64) {
	b.Helper()
	srv = almanactest.Start(b, almanactest.Options{Now: now})
	c, err := almanactest.Generate(srv.Store, events)
	if err != nil {
		b.Fatal(err)
	}
	srv.Seed()
	return srv, c.Events[events/2]
}

// change changes a record, so that there is something to take back.
func change(b *testing.B, srv *almanactest.Server, id int64) {
	b.Helper()
	err := srv.Store.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(id)
		e.Featured = !e.Featured
		return tx.Put(&e)
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkNewServer(b *testing.B) {
	for b.Loop() {
		almanactest.NewServer(b)
	}
}

// A world from its making until it is gone, with one change.
func BenchmarkWorld(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(sizeName(n), func(b *testing.B) {
			srv, id := town(b, n)
			for b.Loop() {
				tb := &ending{TB: b}
				change(b, srv.World(tb), id)
				tb.end()
			}
		})
	}
}

// Taking back a change.
func BenchmarkRestore(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(sizeName(n), func(b *testing.B) {
			srv, id := town(b, n)
			kept := srv.Snapshot()
			for b.Loop() {
				change(b, srv, id)
				srv.Restore(kept)
			}
		})
	}
}

func sizeName(n int) string {
	return map[int]string{100: "100 events", 10_000: "10,000 events", 100_000: "100,000 events"}[n]
}

// An ending is a test that ends when it is told to.
type ending struct {
	testing.TB
	cleanups []func()
}

func (e *ending) Cleanup(f func()) { e.cleanups = append(e.cleanups, f) }

func (e *ending) end() {
	for _, f := range e.cleanups {
		f()
	}
}
