// Worlds: what answers depend on beside the settings of the server.

package rest

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"almanac/internal/caltime"
	"almanac/store"
)

// A World is a state with all that belongs to it: records, the ids that come
// next, a clock, and in a fixture the faults that were asked for and the log
// of the requests that were seen. Every server has one. A fixture may have more,
// which begin as copies of its own (see Server.World) and share nothing with it
// or with each other that one of them could notice: what is kept of answers is
// kept by the states of the store that it was made from.
//
// Accounts, addresses and all other settings belong to the server. A World is
// safe for concurrent use.
type World struct {
	name     string // in lower case; "" is the server's own
	server   *Server
	log      *slog.Logger // of its requests
	store    *store.Store
	clock    *caltime.Clock
	faults   faults
	requests requestLog

	mu    sync.Mutex // guards saved
	saved map[string]*Snapshot

	use // guarded by the lock of the fixture
}

// Seeded is the name of the snapshot that Reset returns to, and that other worlds
// begin with. Of the server's own world it is there from the start, unless the
// store is on a disk.
const Seeded = "seeded"

// maxSnapshots is how many snapshots of a world have names: each keeps what it
// holds in memory for as long as the world lives.
const maxSnapshots = 100

// A Snapshot is what a world held at one moment: the records, the ids that come
// next and how the clock was set. It never changes and costs next to nothing to
// make, keep and return to. Faults and the request log are no part of it.
type Snapshot struct {
	records *store.Savepoint
	clock   caltime.Setting
}

// Name returns the name of the world in lower case, "" of the server's own.
func (w *World) Name() string { return w.name }

// Store returns the store of the world. It is open for as long as the world is.
func (w *World) Store() *store.Store { return w.store }

// Clock returns the clock of the world.
func (w *World) Clock() *caltime.Clock { return w.clock }

// Snapshot notes what the world holds. It fails when the store is on a disk.
func (w *World) Snapshot() (*Snapshot, error) {
	records, err := w.store.Savepoint()
	if err != nil {
		return nil, err
	}
	return &Snapshot{records, w.clock.Setting()}, nil
}

// Restore returns to a snapshot, of this world or of another of the same server:
// records and ids are what they were, and the clock shows what it showed and goes
// on from there, if it did then. Requests that run meanwhile are answered from
// before or from after. Faults and the request log stay.
func (w *World) Restore(to *Snapshot) error {
	if err := w.store.RollBack(to.records); err != nil {
		return err
	}
	w.clock.Apply(to.clock)
	return nil
}

// SaveSnapshot takes a snapshot under a name, in the place of an older one. The name
// Seeded makes what there is now what Reset returns to and, of the server's own
// world, what others begin with.
func (w *World) SaveSnapshot(name string) error {
	s, err := w.Snapshot()
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.saved[name] == nil && len(w.saved) >= maxSnapshots {
		return &Error{Status: 503, Code: "almanac_too_many_snapshots",
			Message: fmt.Sprintf("There are %d snapshots already: DELETE those that are not needed any more.", maxSnapshots)}
	}
	if w.saved == nil {
		w.saved = map[string]*Snapshot{}
	}
	w.saved[name] = s
	return nil
}

// SavedSnapshot returns the snapshot with a name, or nil.
func (w *World) SavedSnapshot(name string) *Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.saved[name]
}

// names returns the names of the snapshots in order.
func (w *World) names() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := make([]string, 0, len(w.saved))
	for name := range w.saved {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// forget drops the snapshot with a name and reports whether there was one.
func (w *World) forget(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.saved[name]
	delete(w.saved, name)
	return ok
}

// Reset returns to the snapshot Seeded, removes all faults and empties the
// request log: the world is as it began. It fails when the store is on a disk.
func (w *World) Reset() error {
	s := w.SavedSnapshot(Seeded)
	if s == nil {
		return store.ErrOnDisk
	}
	if err := w.Restore(s); err != nil {
		return err
	}
	w.faults.clear()
	w.requests.clear()
	return nil
}

// maxWorldName is how many bytes the name of a world may have.
const maxWorldName = 200

// worldName returns the name of a world as it is compared: in lower case, as
// paths are.
func worldName(text string) (string, bool) {
	name := strings.ToLower(strings.TrimSpace(text))
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '/' {
			return "", false
		}
	}
	return name, name != "" && len(name) <= maxWorldName && strings.Trim(name, ".") != ""
}
