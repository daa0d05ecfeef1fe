// Control of a server by a test: snapshots, requests, faults and worlds.

package almanactest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"almanac/internal/serve/fixture"
	"almanac/store"
)

// A Fault is a rule by which requests go wrong: which ones, and how.
type Fault = fixture.Fault

// A Request is a recorded request with its answer.
type Request = fixture.RecordedRequest

// A Snapshot is the state of a server at one time: the records, the next ids and the setting of
// the clock. It is valid as long as the server.
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

// Requests returns the requests since the start or the last Reset, oldest first: the last 1,000,
// or as many as fit into 4 MiB, each with at most 256 KiB of a body. A request is in it before its
// answer arrives. Requests of the routes below /_almanac/ are not recorded. The caller owns the
// result.
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

// World returns a world of the server for one test, which may use it like a server, in parallel
// with others. It begins with the state of Reset, has its own store, clock, faults and requests,
// and ends with the test. The address is the same; its clients send Almanac-World, and every other
// client of it must send its Name there. The log of its requests is in the output of that test.
//
// Its creation takes some milliseconds for a year of a town, and more for larger states. Unlike a
// server's, its store is not checked at the end. World on a world returns another world of its
// server.
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
	w.tb = tb
	w.world = world
	w.Store = world.Store()
	w.Clock = world.Clock()
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
