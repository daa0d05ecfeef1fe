// Fixtures: servers for the tests of other programs, which decide what time it
// is, which world a request belongs to and what goes wrong.

package rest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"almanac/internal/caltime"
	"almanac/store"
)

// Header fields of requests to a fixture. Other servers take no notice of them.
const (
	worldField = "Almanac-World" // the name of the world that the request belongs to
	clockField = "Almanac-Clock" // what time it is, for this request alone
)

// A fixture is what a server for tests has beside others.
type fixture struct {
	server *Server
	worlds *worlds
	grows  bool // Almanac-World makes worlds
	ended  chan struct{}
	end    sync.Once
}

// openFixture makes the server a fixture. What its store holds now is what worlds
// begin with.
func (s *Server) openFixture(o Options) error {
	s.fixture = &fixture{server: s, worlds: newWorlds(o.WorldTTL), grows: o.Worlds, ended: make(chan struct{})}
	if err := s.own.SaveSnapshot(Seeded); err != nil && !errors.Is(err, store.ErrOnDisk) {
		return err
	}
	return nil
}

// Close ends what a fixture has going: faults that wait, and the worlds beside the
// server's own. Requests that run are answered. Stores that others opened stay
// open. Other servers have nothing to close, and closing again does nothing.
func (s *Server) Close() {
	if s.fixture != nil {
		s.fixture.end.Do(func() { close(s.fixture.ended) })
		s.fixture.worlds.close()
	}
}

// Own returns the world of requests that name none.
func (s *Server) Own() *World { return s.own }

// World returns the world with a name, in which letter case does not count, and
// makes it if there is none: a copy of the server's own as it was when it was
// last Seeded, with its clock set as then. It costs less than a millisecond,
// whatever the world holds, as they share all that neither changes. The world
// lives at least until release is called, which has to be done once.
//
// Its requests are logged to log if they make a world, or to the log of the
// server if that is nil. Only a fixture whose store is in memory has worlds.
func (s *Server) World(name string, log *slog.Logger) (w *World, release func(), err error) {
	if s.fixture == nil {
		return nil, nil, errors.New("rest: only a fixture has worlds: set Options.Fixture")
	}
	folded, ok := worldName(name)
	if !ok {
		return nil, nil, errors.New("rest: " + errWorldName.Message)
	}
	seeded := s.own.SavedSnapshot(Seeded)
	if seeded == nil {
		return nil, nil, store.ErrOnDisk
	}
	fork := func() *World { return s.fork(seeded, cmp.Or(log, s.log)) }
	if w, err = s.fixture.worlds.acquire(folded, fork); err != nil {
		return nil, nil, errors.New("rest: " + errorOf(err, s.log).Message)
	}
	return w, sync.OnceFunc(func() { s.fixture.worlds.release(w) }), nil
}

// DropWorld ends a world, with what it holds, and reports whether there was one.
// Requests that run in it are answered.
func (s *Server) DropWorld(name string) bool {
	folded, ok := worldName(name)
	return ok && s.fixture != nil && s.fixture.worlds.drop(folded)
}

// fork makes a world that begins with a snapshot.
func (s *Server) fork(from *Snapshot, log *slog.Logger) *World {
	clock := caltime.System()
	clock.Apply(from.clock)
	return &World{server: s, log: log, store: from.records.Fork(clock.Now), clock: clock, saved: map[string]*Snapshot{Seeded: from}}
}

// Errors in what a request says to a fixture.
var (
	errWorldName = &Error{Status: http.StatusBadRequest, Code: "almanac_invalid_world", Message: fmt.Sprintf(
		"%s must be a name of at most %d visible ASCII characters without a slash.", worldField, maxWorldName)}
	errNoWorlds = &Error{Status: http.StatusBadRequest, Code: "almanac_no_worlds",
		Message: "There is no such world, and requests make none here: start the server with -worlds, or leave " + worldField + " out."}
	errOnDisk = &Error{Status: http.StatusBadRequest, Code: "almanac_on_disk",
		Message: "This server has its records on a disk: only what is in memory can be copied and taken back."}
	errClock = &Error{Status: http.StatusBadRequest, Code: "almanac_invalid_clock", Message: clockField +
		" must be a time such as 2030-03-31T00:59:59Z, or 2030-03-31 01:59:59 by the site's clock."}
)

// worldOf returns the world that a request belongs to, acquired if it is not the
// server's own.
func (f *fixture) worldOf(hr *http.Request) (*World, error) {
	asked := hr.Header.Values(worldField)
	if len(asked) == 0 {
		return f.server.own, nil
	}
	name, ok := worldName(asked[0])
	if !ok || len(asked) > 1 {
		return f.server.own, errWorldName
	}
	var fork func() *World
	if f.grows {
		seeded := f.server.own.SavedSnapshot(Seeded)
		if seeded == nil {
			return f.server.own, errOnDisk
		}
		fork = func() *World { return f.server.fork(seeded, f.server.log) }
	}
	w, err := f.worlds.acquire(name, fork)
	if err != nil {
		return f.server.own, err
	}
	return w, nil
}

// clockOf reads what time it is by a request; ok is false if it does not say.
func clockOf(hr *http.Request, zone *caltime.Zone) (now time.Time, ok bool, err error) {
	asked := hr.Header.Values(clockField)
	if len(asked) == 0 {
		return now, false, nil
	}
	if len(asked) == 1 {
		if now, ok = parseMoment(asked[0], zone); ok {
			return now, true, nil
		}
	}
	return now, false, errClock
}

// parseMoment reads a moment: with an offset, or by the clock of a zone. The years
// are those around which lists can look two years ahead.
func parseMoment(text string, zone *caltime.Zone) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, text)
	for _, layout := range []string{caltime.Layout, "2006-01-02T15:04:05"} {
		if err != nil {
			if t, err = time.Parse(layout, text); err == nil {
				t = zone.Instant(t)
			}
		}
	}
	t = t.UTC()
	return t, err == nil && 1 < t.Year() && t.Year() < 9997
}

// wait waits for a time, or until nobody waits for the answer any more, or until
// the fixture ends. It reports whether the time has passed.
func (f *fixture) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	case <-f.ended:
		return false
	}
}

// aheadBytes is how much of a body is read ahead: all that a test sends, and more
// than the request log keeps.
const aheadBytes = 1 << 20

// readAhead takes the beginning of a body, and returns a body that begins with it
// and goes on as it would have.
func (h *bodyMemory) readAhead(body io.ReadCloser, announced int64) ([]byte, io.ReadCloser, error) {
	if body == nil || body == http.NoBody {
		return nil, body, nil
	}
	text, err := h.readAll(io.LimitReader(body, aheadBytes), min(announced, aheadBytes))
	if errors.Is(err, errBodies) {
		return nil, body, err
	}
	rest := io.Reader(body)
	if err != nil {
		rest = failing{err}
	}
	return text, struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), rest), body}, nil
}

// failing is a body that could not be read to its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
