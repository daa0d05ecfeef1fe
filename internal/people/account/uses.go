package account

// The times of the last use of tokens.

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"almanac/store/disk"
)

// usesStep is the precision of the time of use, and the minimum interval between writes for a
// token.
const usesStep = time.Hour

// A usesDocument is the file:
//
//	{"tokens":{"a7d1c9d8c1f0e2b3":"2031-05-10T14:00:00Z"}}
//
// The key is the first 16 digits of the SHA-256 of a token. The time is the start of the hour of
// its last use.
type usesDocument struct {
	Tokens map[string]time.Time `json:"tokens"`
}

// useKey returns the key of a token in the file, by its hash.
func useKey(sum string) string { return sum[:min(16, len(sum))] }

// uses writes the file in a goroutine, so that requests never wait for it.
type uses struct {
	path  string
	known func() *roster // tokens of this roster are written, all others removed
	log   *slog.Logger

	ended chan struct{} // closed when the goroutine ends

	mu      sync.Mutex // guards the fields below
	last    map[string]time.Time
	wake    chan struct{} // full if there is something to write; closed by Close
	stopped bool
}

// RecordUses writes the hour of the last use of each token, by the directory's clock, to a file.
// It writes when a token is used in a new hour. Existing entries stay. The file is information for
// administrators only, so read and write errors are logged and otherwise ignored. Call it once,
// before using the directory; Close ends it.
func (d *Directory) RecordUses(path string) {
	u := &uses{
		path:  path,
		log:   d.log,
		known: func() *roster { return d.current.Load().roster },
		wake:  make(chan struct{}, 1),
		ended: make(chan struct{}),
	}
	var err error
	if u.last, err = ReadUses(path); err != nil {
		u.log.Warn("uses of tokens are written anew", "error", err)
		u.last = map[string]time.Time{}
	}
	d.uses = u
	go u.run()
}

// Close writes the remaining times, and ends RecordUses. It must not be called twice. Authenticate
// still works after it, but records no use.
func (d *Directory) Close() {
	if u := d.uses; u != nil {
		u.mu.Lock()
		u.stopped = true
		close(u.wake)
		u.mu.Unlock()
		<-u.ended
	}
}

// ReadUses reads the file of RecordUses, for List. A missing file is no error.
func ReadUses(path string) (map[string]time.Time, error) {
	doc := usesDocument{map[string]time.Time{}}
	data, err := disk.Read(path)
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if doc.Tokens == nil {
		doc.Tokens = map[string]time.Time{} // the file has null
	}
	return doc.Tokens, err
}

// note records the use of a token.
func (u *uses) note(t token, now time.Time) {
	step := now.Unix() / int64(usesStep/time.Second)
	if t.used.Swap(step) == step {
		return // the usual case
	}
	key := useKey(hex.EncodeToString(t.hash[:]))
	at := now.UTC().Truncate(usesStep)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stopped || !at.After(u.last[key]) {
		return // the file was read again, or the clock was set back
	}
	u.last[key] = at
	select {
	case u.wake <- struct{}{}:
	default: // already awake
	}
}

// run writes until Close, and a last time then.
func (u *uses) run() {
	defer close(u.ended)
	failed := false
	for range u.wake {
		err := u.write()
		if err != nil && !failed {
			u.log.Warn("uses of tokens are not written", "error", err)
		}
		failed = err != nil
	}
}

func (u *uses) write() error {
	known := map[string]bool{}
	for sum := range u.known().owners {
		known[useKey(hex.EncodeToString(sum[:]))] = true
	}
	u.mu.Lock()
	doc := usesDocument{map[string]time.Time{}}
	for key, at := range u.last {
		if known[key] {
			doc.Tokens[key] = at
		}
	}
	u.mu.Unlock()
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	aside := u.path + ".tmp"
	if err := os.WriteFile(aside, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(aside, u.path)
}
