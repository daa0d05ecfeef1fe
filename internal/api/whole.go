// Whole documents: calendars, tables and sitemaps, which have all that is found.

package api

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/limit"
	"almanac/internal/wire/params"
	"almanac/store"
)

const (
	// DocumentChunk is how many records are taken from one state of the store, so that writers wait
	// for no more. Later chunks show changes that are made meanwhile.
	DocumentChunk = 128
	// documentBytes is the budget of a server that is told nothing else.
	documentBytes = 256 << 20
	// documentWait is how long a request waits for the turn to make its document.
	documentWait = 5 * time.Second
)

// DoDocument answers with a document that write writes. Look names the state of the document by the
// tag of the list.
func (l *List) DoDocument(
	look func(*store.View, params.Values) error,
	write func(w io.Writer) error,
) (*respond.Response, error) {
	nothing := func(*store.View, params.Values) error {
		return nil
	}
	return l.Do(look, nothing, func() (*respond.Response, error) {
		tag := l.Tag
		return l.Document(tag, func(w io.Writer) (string, error) {
			return tag, write(w)
		})
	})
}

// Document returns an answer with a body that write writes, and its entity tag. All who ask for the
// same name while it is in memory get the same; "" is the name of one that is for this request
// alone.
func (r *Call) Document(
	name string,
	write func(w io.Writer) (tag string, err error),
) (*respond.Response, error) {
	r.reserved.EndWork() // waiting takes no place among the requests that are worked on
	if r.Asked.Private {
		name = "" // the answer to a guess is for one caller alone
	}
	if most := r.DocumentMost; most > 0 {
		name = ""
		whole := write
		write = func(w io.Writer) (string, error) {
			return whole(&limitedWriter{w, most})
		}
	}
	one, err := r.documents.read(r.HTTP.Context(), r.Key(), name, write)
	if err != nil {
		return nil, err
	}
	r.reserved.Then(func() {
		r.documents.release(one)
	})
	r.TrueUntil(r.Now) // documents are kept here alone
	return &respond.Response{Status: http.StatusOK, Body: one.body, Tag: one.tag}, nil
}

// ErrLongDocument ends the making of a document that is longer than asked for.
var ErrLongDocument = errors.New("the document is longer than asked for")

// A limitedWriter takes some bytes, and refuses more.
type limitedWriter struct {
	to   io.Writer
	room int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if l.room -= len(p); l.room < 0 {
		return 0, ErrLongDocument
	}
	return l.to.Write(p)
}

// Documents are made one at a time, and shared by all who ask for the same. They are in memory
// compressed, within a budget of bytes, while somebody reads them and for as long after that as
// there is room.
type documents struct {
	budget int64
	making *limit.Budget[admission.Key] // the turn to make a document, which clients take in turns

	mu   sync.Mutex // guards what is below
	held []*heldDocument
	used int64
}

// A heldDocument is one that is being made, or is in memory.
type heldDocument struct {
	name    string        // by what was asked, in which state
	done    chan struct{} // closed when it was made
	body    *respond.Body
	tag     string // entity tag
	err     error
	size    int64
	readers int // requests that wait for it, or are answered with it
}

func newDocuments(budget int64) *documents {
	return &documents{budget: budget, making: limit.NewTurns[admission.Key](1, math.MaxInt)}
}

// read returns the document with a name, which the caller gives back by release. A client makes it
// if there is none, or else gets that of another one. An error of the other one is not its own:
// that one may have waited for longer, or have left.
func (d *documents) read(
	ctx context.Context,
	client admission.Key,
	name string,
	write func(w io.Writer) (tag string, err error),
) (*heldDocument, error) {
	for {
		one, isNew := d.find(name)
		if isNew {
			d.make(client, one, write)
		}
		var err error
		select {
		case <-one.done:
			err = one.err
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err == nil {
			return one, nil
		}
		if d.release(one); isNew || ctx.Err() != nil {
			return nil, err
		}
	}
}

// find returns the document with a name, for one more reader, and whether it has to be made.
func (d *documents) find(name string) (one *heldDocument, isNew bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.held {
		if one.name == name && name != "" {
			one.readers++
			return one, false
		}
	}
	one = &heldDocument{name: name, done: make(chan struct{}), readers: 1}
	d.held = append(d.held, one)
	return one, true
}

// make makes a document in a turn. The client may leave: others may wait for the same.
func (d *documents) make(
	client admission.Key,
	one *heldDocument,
	write func(w io.Writer) (tag string, err error),
) {
	one.err = errUnmade // also if write panics
	defer d.endMaking(one)
	end, err := d.turn(client)
	if err != nil {
		one.err = errDocuments
		return
	}
	defer end()
	one.body, one.err = respond.Pack(func(w io.Writer) (err error) {
		one.tag, err = write(w)
		return err
	})
}

// errUnmade is the error of a document whose making broke off.
var errUnmade = errors.New("a document was not made")

// turn waits for the turn to make a document, but not for long, and returns the function that ends
// it.
func (d *documents) turn(client admission.Key) (end func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), documentWait)
	defer cancel()
	turn := d.making.Hold(client)
	if err := turn.Grow(ctx, 1); err != nil {
		return func() {}, err
	}
	return turn.End, nil
}

// endMaking ends the making of a document, and makes room for it: the oldest go that nobody reads.
// One that finds no room is not held.
func (d *documents) endMaking(one *heldDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(one.done)
	if one.err == nil {
		one.size = one.body.Memory()
		d.used += one.size
		d.evict()
		if d.used > d.budget {
			one.body = nil
			one.err = errDocuments
		}
	}
	if one.err != nil {
		d.drop(one)
	}
}

// evict drops the oldest documents that nobody reads until the rest is within the budget. The lock
// is held.
func (d *documents) evict() {
	for _, one := range slices.Clone(d.held) {
		if d.used > d.budget && one.readers == 0 {
			d.drop(one)
		}
	}
}

// drop forgets a document. The lock is held.
func (d *documents) drop(one *heldDocument) {
	before := len(d.held)
	d.held = slices.DeleteFunc(d.held, func(other *heldDocument) bool {
		return other == one
	})
	if len(d.held) < before {
		d.used -= one.size
	}
}

// release ends the reading of a document.
func (d *documents) release(one *heldDocument) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one.readers--; one.readers == 0 && one.name == "" {
		d.drop(one)
	}
}
