// Reservations: memory and places of a request until it is answered.

package admission

import (
	"context"
	"errors"

	"almanac/internal/people/limit"
)

type hold = limit.Hold[Key]

// Reservations of memory and places last until the request is answered.
type Reservations struct {
	ctx              context.Context // of the request
	bounds           *Bounds
	working, reading hold   // places among the working requests, and among those of the client that read
	body             hold   // memory of the body
	done             func() // called when it is answered; nil is nothing
}

// Reservations returns those of a request, which hold nothing yet.
func (b *Bounds) Reservations(ctx context.Context) Reservations {
	return Reservations{ctx: ctx, bounds: b}
}

// For names the client that they are counted for.
func (r *Reservations) For(key Key) { r.reading = r.bounds.Reads.Hold(key) }

// Then is called with a function that is called when the request is answered.
func (r *Reservations) Then(done func()) {
	before := r.done
	r.done = func() {
		if done(); before != nil {
			before()
		}
	}
}

// End gives everything back.
func (r *Reservations) End() {
	for _, h := range []*hold{&r.working, &r.reading, &r.body} {
		h.End()
	}
	if r.done != nil {
		r.done()
	}
}

// Work takes a place among the requests that are worked on. Requests take it
// when they have been read, and leave it before they are answered, so that a
// client that sends or reads slowly holds none; and what is known without work
// (304, lists that are kept) needs none. A request that reads waits until its
// client has one of its places; one that writes has its turn in the store.
func (r *Reservations) Work(reads bool) error {
	if reads {
		ctx, cancel := context.WithTimeout(
			r.ctx,
			readsWait,
		) // clients and connections give up later
		defer cancel()
		err := r.reading.Grow(ctx, 1)
		if errors.Is(err, limit.ErrShare) {
			err = limit.ErrBusy
		}
		if err != nil {
			return err
		}
	}
	r.working = r.bounds.Places.Hold(Key{})
	return r.working.Grow(r.ctx, 1)
}

// EndWork gives the place back.
func (r *Reservations) EndWork() {
	r.working.End()
	r.reading.End()
}
