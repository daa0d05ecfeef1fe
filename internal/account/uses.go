package account

// This file remembers when tokens were used last.

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"
)

// usesStep is how exactly the use of a token is known, and so how often it is
// written at most.
const usesStep = time.Hour

// A usesDocument is the file:
//
//	{"tokens":{"a7d1c9d8c1f0e2b3":"2031-05-10T14:00:00Z"}}
//
// A token goes by the first 16 digits of its SHA-256. The time is the beginning
// of the hour in which it was used last.
type usesDocument struct {
	Tokens map[string]time.Time `json:"tokens"`
}

// useKey is what a token is called in the file.
func useKey(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// uses writes the file. Requests only tell it; the writing is done by a goroutine.
type uses struct {
	path  string
	known func() *roster // whose tokens are written; all others are forgotten
	log   *slog.Logger

	wake  chan struct{} // full while there is something to write
	quit  chan struct{} // closed by Close
	ended chan struct{} // closed when the goroutine ends

	mu   sync.Mutex // guards last
	last map[string]time.Time
}

// RecordUses makes the directory remember in a file when tokens were used: the
// hour, by the directory's clock, written when a token is used in another hour
// than before and only then. What the file has already stays. The file is for
// people who wonder whether a token is still in use; nothing depends on it, so
// that it is no error if it cannot be read or written: the log hears of it. It
// must be called once, before the directory is used; Close ends it.
func (d *Directory) RecordUses(path string) {
	u := &uses{path: path, log: d.log, known: func() *roster { return d.current.Load().roster },
		wake: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{})}
	var err error
	if u.last, err = ReadUses(path); err != nil {
		u.log.Warn("uses of tokens are written anew", "error", err)
		u.last = map[string]time.Time{}
	}
	d.uses = u
	go u.run()
}

// Close writes down what is not yet, and ends what RecordUses began. It must not
// be called twice. Who authenticates later does, and it is noted nowhere.
func (d *Directory) Close() {
	if d.uses != nil {
		close(d.uses.quit)
		<-d.uses.ended
	}
}

// ReadUses reads what RecordUses wrote, for Users.List. That there is no file is
// no error.
func ReadUses(path string) (map[string]time.Time, error) {
	doc := usesDocument{map[string]time.Time{}}
	data, err := os.ReadFile(path)
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

// note notes that a token was used.
func (u *uses) note(t token, now time.Time) {
	step := now.Unix() / int64(usesStep/time.Second)
	if t.used.Swap(step) == step {
		return // as nearly always
	}
	key, at := useKey(t.hash[:]), now.UTC().Truncate(usesStep)
	u.mu.Lock()
	defer u.mu.Unlock()
	if !at.After(u.last[key]) {
		return // the file was read again, or the clock was set back
	}
	u.last[key] = at
	select {
	case u.wake <- struct{}{}:
	default: // it is awake
	}
}

// run writes until Close, and then what is left.
func (u *uses) run() {
	defer close(u.ended)
	failed := false
	write := func() {
		err := u.write()
		if err != nil && !failed {
			u.log.Warn("uses of tokens are not written", "error", err)
		}
		failed = err != nil
	}
	for {
		select {
		case <-u.wake:
			write()
		case <-u.quit:
			select {
			case <-u.wake:
				write()
			default:
			}
			return
		}
	}
}

func (u *uses) write() error {
	known := map[string]bool{}
	for sum := range u.known().hashes {
		known[useKey(sum[:])] = true
	}
	u.mu.Lock()
	doc := usesDocument{map[string]time.Time{}}
	for key, at := range u.last {
		if known[key] {
			doc.Tokens[key] = at
		}
	}
	u.mu.Unlock()
	data, err := indented(doc)
	if err != nil {
		return err
	}
	return replaceFile(u.path, data)
}
