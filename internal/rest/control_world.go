// The routes for tests that are about worlds: which there are, what time it is in
// one, and going back to what it was.

package rest

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/caltime"
	"almanac/store"
)

// A clockBody is a clock on the wire.
type clockBody struct {
	Now    string `json:"now"`   // UTC
	Local  string `json:"local"` // by the clock of the site
	Zone   string `json:"timezone"`
	Frozen bool   `json:"frozen"`
	Real   bool   `json:"real"` // it is the real time
}

// readClock answers GET /_almanac/clock.
func readClock(r *request, _ *members) (*response, error) {
	set := r.clock.Setting()
	now := r.clock.Now()
	return done(http.StatusOK, clockBody{
		now.Format(time.RFC3339Nano), r.zone.Wall(now).Format(caltime.Layout), r.zone.Name(), set.Frozen, !set.Own,
	})
}

// setClock answers POST, PUT and PATCH of /_almanac/clock: "real" returns to the
// real time; "frozen" stops the clock or lets it run, "now" sets a time, and
// "advance" moves it by a duration, backwards if it is negative. The answer is the
// clock as it is then.
func setClock(r *request, m *members) (*response, error) {
	now := read(m, "now", "a time such as 2030-03-31T00:59:59Z, or 2030-03-31 01:59:59 by the site's clock",
		func(text string) (time.Time, error) {
			if t, ok := parseMoment(text, r.zone); ok {
				return t, nil
			}
			return time.Time{}, errClock
		})
	advance, real := m.span("advance"), m.yes("real")
	frozen := m.yes("frozen")
	if real && (!now.IsZero() || advance != 0 || frozen) {
		m.bad["real"] = "real goes with no other member: the real time is what it is."
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	if real {
		r.clock.Apply(caltime.Setting{})
	}
	if frozen {
		r.clock.Freeze()
	}
	if !now.IsZero() {
		r.clock.Set(now)
	}
	if advance != 0 {
		r.clock.Advance(advance)
	}
	if !frozen && m.sent("frozen") {
		r.clock.Resume()
	}
	return readClock(r, m)
}

// A worldBody is a world on the wire.
type worldBody struct {
	Name     string `json:"name"`
	Requests int    `json:"requests"` // that it has seen
}

// listWorlds answers GET /_almanac/worlds.
func listWorlds(r *request, m *members) (*response, error) {
	list := []worldBody{}
	for _, w := range r.fixture.worlds.list() {
		list = append(list, worldBody{w.name, w.requests.seen()})
	}
	return done(http.StatusOK, struct {
		Worlds []worldBody `json:"worlds"`
	}{list})
}

// dropWorld answers DELETE /_almanac/worlds/{name}.
func dropWorld(r *request, _ *members) (*response, error) {
	name := r.path["name"]
	if !r.DropWorld(name) {
		return nil, &Error{Status: http.StatusNotFound, Code: "almanac_no_such_world", Message: fmt.Sprintf("There is no world %q.", name)}
	}
	return done(http.StatusOK, named{name})
}

// named is the name of something on the wire.
type named struct {
	Name string `json:"name"`
}

// resetWorld answers POST /_almanac/reset: records, ids and the clock are what
// they were when the world began, or as the snapshot seeded says; there are no
// faults, and the request log is empty.
func resetWorld(r *request, _ *members) (*response, error) {
	if err := r.World.Reset(); err != nil {
		return nil, onDisk(err)
	}
	return readClock(r, nil)
}

// listSnapshots answers GET /_almanac/snapshots.
func listSnapshots(r *request, _ *members) (*response, error) {
	list := []named{}
	for _, name := range r.names() {
		list = append(list, named{name})
	}
	return done(http.StatusOK, struct {
		Snapshots []named `json:"snapshots"`
	}{list})
}

// takeSnapshot answers POST /_almanac/snapshots: what the world holds now gets a
// name, in the place of what had it. The name seeded says what worlds begin with,
// if it is the server's own world, and what reset returns to.
func takeSnapshot(r *request, m *members) (*response, error) {
	name := m.name("name")
	if err := m.err(); err != nil {
		return nil, err
	}
	if err := r.SaveSnapshot(name); err != nil {
		return nil, onDisk(err)
	}
	return done(http.StatusCreated, named{name})
}

// restoreSnapshot answers POST /_almanac/restore: records, ids and the clock are
// what they were when the snapshot of that name was taken.
func restoreSnapshot(r *request, m *members) (*response, error) {
	name := m.name("name")
	if err := m.err(); err != nil {
		return nil, err
	}
	s := r.SavedSnapshot(name)
	if s == nil {
		return nil, noSnapshot(name)
	}
	if err := r.World.Restore(s); err != nil {
		return nil, onDisk(err)
	}
	return done(http.StatusOK, named{name})
}

// forgetSnapshot answers DELETE /_almanac/snapshots/{name}.
func forgetSnapshot(r *request, _ *members) (*response, error) {
	name := r.path["name"]
	if name == Seeded {
		return nil, &Error{Status: http.StatusBadRequest, Code: "almanac_snapshot_needed",
			Message: "The snapshot seeded is what the world began with: take another under this name."}
	}
	if !r.forget(name) {
		return nil, noSnapshot(name)
	}
	return done(http.StatusOK, named{name})
}

// onDisk answers what a store on a disk cannot do.
func onDisk(err error) error {
	if errors.Is(err, store.ErrOnDisk) {
		return errOnDisk
	}
	return err
}

func noSnapshot(name string) *Error {
	return &Error{Status: http.StatusNotFound, Code: "almanac_no_such_snapshot", Message: fmt.Sprintf("This world has no snapshot %q.", name)}
}
