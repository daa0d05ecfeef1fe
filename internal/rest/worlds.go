// The worlds of a fixture, by name.

package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/caltime"
)

const (
	// worldTTL is how long a world is kept that nobody asks for, by default.
	worldTTL = 10 * time.Minute
	// maxWorlds is how many worlds there may be beside the server's own: more
	// than a machine has tests running, and few enough to find it out early when
	// every request names another one.
	maxWorlds = 4096
	// sweepShare is the part of that time after which it is looked again whose
	// time is over.
	sweepShare = 8
)

// worlds is the worlds beside the server's own. Nobody waits for the end of their
// time: whose time is over goes when another world is asked for, not much later.
type worlds struct {
	ttl time.Duration

	mu     sync.Mutex // guards all below, and the use of every world
	byName map[string]*World
	swept  time.Time // when it was last looked whose time is over
	closed bool
}

// use is how a world is used.
type use struct {
	running  int       // requests, and tests that hold it
	gone     bool      // it was dropped: the last one to release it closes it
	released time.Time // when it was last released, in real time
}

func newWorlds(ttl time.Duration) *worlds {
	if ttl == 0 {
		ttl = worldTTL
	}
	return &worlds{ttl: ttl, byName: map[string]*World{}}
}

// realTime is the time by which worlds that are not used go, whatever their own
// clocks show.
var realTime = (*caltime.Clock)(nil).Now

// acquire returns the world with a name, made by fork if there is none; if fork is
// nil that is an error. Whoever acquires a world has to release it.
func (all *worlds) acquire(name string, fork func() *World) (*World, error) {
	closeAll(all.expired(all.ttl / sweepShare))
	all.mu.Lock()
	defer all.mu.Unlock()
	w := all.byName[name]
	switch {
	case all.closed:
		return nil, errEnded
	case w == nil && fork == nil:
		return nil, errNoWorlds
	case w == nil && len(all.byName) >= maxWorlds:
		return nil, &Error{Status: http.StatusServiceUnavailable, Code: "almanac_too_many_worlds", Message: fmt.Sprintf(
			"There are %d worlds already, which is all that there may be: DELETE /_almanac/worlds/NAME when a test is over, or start "+
				"with a shorter -world-ttl.", maxWorlds)}
	case w == nil:
		w = fork()
		w.name = name
		all.byName[name] = w
	}
	w.running++
	return w, nil
}

// errEnded answers requests for a world after the end of the server.
var errEnded = &Error{Status: http.StatusServiceUnavailable, Code: "almanac_ended", Message: "The server is ending."}

// release ends the use of a world, and closes it if it was dropped meanwhile.
func (all *worlds) release(w *World) {
	all.mu.Lock()
	w.running--
	w.released = realTime()
	last := w.gone && w.running == 0
	all.mu.Unlock()
	if last {
		w.close()
	}
}

// expired takes the worlds out that nobody has asked for in a while, unless that
// was done less than pause ago. They are the caller's to close, without the lock.
func (all *worlds) expired(pause time.Duration) []*World {
	now := realTime()
	all.mu.Lock()
	defer all.mu.Unlock()
	if now.Sub(all.swept) < pause && len(all.byName) < maxWorlds {
		return nil
	}
	all.swept = now
	var over []*World
	for _, w := range all.byName {
		if w.running == 0 && now.Sub(w.released) > all.ttl {
			all.dropLocked(w)
			over = append(over, w)
		}
	}
	return over
}

// drop takes a world out and reports whether it was there. Requests that run in
// it are answered.
func (all *worlds) drop(name string) bool {
	all.mu.Lock()
	w := all.byName[name]
	unused := w != nil && all.dropLocked(w)
	all.mu.Unlock()
	if unused {
		w.close()
	}
	return w != nil
}

// dropLocked takes a world out and reports whether nobody uses it: then the
// caller closes it.
func (all *worlds) dropLocked(w *World) bool {
	delete(all.byName, w.name)
	w.gone = true
	return w.running == 0
}

// list returns the worlds by name.
func (all *worlds) list() []*World {
	closeAll(all.expired(0))
	all.mu.Lock()
	defer all.mu.Unlock()
	var found []*World
	for _, w := range all.byName {
		found = append(found, w)
	}
	slices.SortFunc(found, func(a, b *World) int { return strings.Compare(a.name, b.name) })
	return found
}

// close drops all worlds, and there will be none any more.
func (all *worlds) close() {
	all.mu.Lock()
	all.closed = true
	var unused []*World
	for _, w := range all.byName {
		if all.dropLocked(w) {
			unused = append(unused, w)
		}
	}
	all.mu.Unlock()
	closeAll(unused)
}

func closeAll(some []*World) {
	for _, w := range some {
		w.close()
	}
}

// close ends a world that nobody uses.
func (w *World) close() { _ = w.store.Close() } // in memory nothing can fail
