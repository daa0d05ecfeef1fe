// What a test does with what a server holds: take it back, look at what was asked,
// let answers go wrong, and have a world of its own.

package almanactest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"almanac/internal/fixture"
	"almanac/store"
)

// A Fault is a rule by which requests go wrong: which ones, and how.
type Fault = fixture.Fault

// A Request is one that a server has seen, with its answer.
type Request = fixture.RecordedRequest

// A Snapshot is what a server held at one moment: records, the ids that come next
// and how the clock was set. It may be kept as long as the server.
type Snapshot = fixture.Snapshot

// Snapshot notes what the server holds, which takes microseconds, whatever that
// is. The store has to be in memory.
func (s *Server) Snapshot() *Snapshot {
	s.tb.Helper()
	snapshot, err := s.world.Snapshot()
	if err != nil {
		s.tb.Fatalf("almanactest: snapshot: %v", err)
	}
	return snapshot
}

// Restore returns to a snapshot, as often as one likes and in any order: of this
// server, or of one of its worlds. It takes some milliseconds for a year of a town. Store and
// Clock stay what they are, and so do the faults and the requests that were seen.
func (s *Server) Restore(to *Snapshot) {
	s.tb.Helper()
	if err := s.world.Restore(to); err != nil {
		s.tb.Fatalf("almanactest: restore: %v", err)
	}
}

// Reset makes the server what it was after the last Seed, or, if there was none,
// when it started: records, ids and clock are the same again, there are no faults,
// and no requests were seen. The store has to be in memory.
func (s *Server) Reset() {
	s.tb.Helper()
	if err := s.world.Reset(); err != nil {
		s.tb.Fatalf("almanactest: reset: %v", err)
	}
}

// Requests returns the requests that were seen since the start or the last Reset,
// the oldest first: the last 1,000 of them, or as many as fit into 4 MiB, each
// with at most 256 KiB of a body. Who has an answer finds its request here. Those
// of the routes for tests below /_almanac/ are left out. The caller owns what it
// gets.
func (s *Server) Requests() []Request { return s.world.Requests() }

// Fault puts a rule in force, behind those that are, and returns what removes it. It
// ends with the server, with its Count or with Reset.
//
//	srv.Fault(almanactest.Fault{Path: "/cal/events/v1/events", Status: 503, Count: 2})
func (s *Server) Fault(f Fault) (remove func()) {
	s.tb.Helper()
	remove, err := s.world.AddFault(f)
	if err != nil {
		s.tb.Fatalf("almanactest: fault: %v", err)
	}
	return remove
}

// World returns a world of the server for one test, to do with it whatever can be
// done with a server, in parallel to others: it begins as what Reset returns to,
// with a store, a clock, faults and requests of its own, and ends with the test.
// The address is the same; the clients that it returns say in Almanac-World which
// world they are for, and so has to whoever else shall be in it, by its Name.
// What is logged of its requests stands in the output of that test.
//
// Making one takes some milliseconds where the server holds a year of a town, and more where it holds more. Unlike
// that of a server, the store is not checked at the end. Of a world, World returns
// another of its server.
func (s *Server) World(tb testing.TB) *Server {
	tb.Helper()
	name := fmt.Sprintf("%s-%d", worldName(tb.Name()), s.worlds.Add(1))
	out := &output{w: tb.Output()}
	world, release, err := s.fixture.World(name, logTo(out))
	if err != nil {
		tb.Fatalf("almanactest: %v", err)
	}
	tb.Cleanup(func() {
		s.fixture.DropWorld(name)
		if err := world.Unexpected(); err != nil {
			tb.Errorf("almanactest: %v", err)
		}
		release()
		out.close()
	})
	w := *s
	w.tb, w.world, w.Store, w.Clock = tb, world, world.Store(), world.Clock()
	return &w
}

// An output is that of a test until the test ends. A request that runs longer
// is logged nowhere: testing panics when a test that has ended is written to.
type output struct {
	mu sync.Mutex // guards w
	w  io.Writer  // nil when it is closed
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.w == nil {
		return len(p), nil
	}
	return o.w.Write(p)
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.w = nil
}

// Name returns the name of the world, as Almanac-World takes it; "" is the server
// itself.
func (s *Server) Name() string { return s.world.Name() }

// keepSeeded makes what the server holds now what Reset returns to.
func (s *Server) keepSeeded() error {
	if err := s.world.SaveSnapshot(fixture.Seeded); !errors.Is(err, store.ErrOnDisk) {
		return err
	}
	return nil // there is no Reset
}

// worldName makes the beginning of the name of a world of that of a test.
func worldName(test string) string {
	return strings.Map(func(c rune) rune {
		if c == '/' || c <= ' ' || c > '~' {
			return '-'
		}
		return c
	}, test[:min(len(test), 150)])
}
