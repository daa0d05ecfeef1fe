// Reservations: memory and turns of a request until it is answered.

package admission

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"almanac/internal/limit"
	"almanac/internal/respond"
)

type hold = limit.Hold[Key]

// Reservations of memory and turns last until the request is answered.
type Reservations struct {
	ctx                 context.Context // of the request
	bounds              *Bounds
	working, reading    hold   // places among the working requests, and among those of the client that read
	body                hold   // memory of the body
	answer, space, turn hold   // memory of the answer or document, and the turn to make it
	done                func() // called when it is answered; nil is nothing
}

const (
	// An answer up to answerAlways bytes is made in memory, and a longer one while all of these
	// take no more than answersBytes, and those for one client no more than half.
	answerAlways = 64 << 10
	answersBytes = 64 << 20
	// documentsBytes is for the memory of all documents, and DocumentMost how many bytes a
	// document may have that is remembered.
	documentsBytes = 48 << 20
	DocumentMost   = documentsBytes / 2
)

// documentsShare returns how much of documentsBytes one client may have, and what is remembered.
func documentsShare(key Key) int64 {
	if key == nobody {
		return DocumentMost
	}
	return documentsBytes / 8
}

// Reservations returns those of a request, which hold nothing yet.
func (b *Bounds) Reservations(ctx context.Context) Reservations {
	return Reservations{ctx: ctx, bounds: b}
}

// For names the client that they are counted for.
func (r *Reservations) For(key Key) {
	r.reading = r.bounds.Reads.Hold(key)
	r.answer = r.bounds.Answers.Hold(key)
	r.space = r.bounds.Documents.Hold(key)
	r.turn = r.bounds.Making.Hold(key)
}

// End gives everything back.
func (r *Reservations) End() {
	for _, h := range []*hold{&r.working, &r.reading, &r.body, &r.answer, &r.space, &r.turn} {
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

// Answer reserves memory for an answer until it has been sent, and reports whether there is room.
func (r *Reservations) Answer(bytes int) bool {
	return bytes <= max(answerAlways, int(r.answer.Size())) ||
		bytes <= respond.HeldMost &&
			r.Shared(min(2*bytes, respond.HeldMost)) // twice, so that it is asked seldom
}

// Shared is Answer for a text that is in memory for others too, however long: up to the share, so
// that a single one is never too long.
func (r *Reservations) Shared(bytes int) bool {
	return bytes <= answerAlways ||
		r.answer.Grow(r.ctx, min(int64(bytes), r.answer.Share())) == nil
}

// EndAnswer gives the memory of the answer back.
func (r *Reservations) EndAnswer() { r.answer.End() }

// Document counts more bytes of a document, up to the share: a single document is never too large.
func (r *Reservations) Document(more int) error {
	return r.space.Grow(r.ctx, min(r.space.Size()+int64(more), r.space.Share()))
}

// Turn waits for a turn to make a part of a document. Few requests have one at a time, and no
// request has one while it waits for its client.
func (r *Reservations) Turn() error { return r.turn.Grow(r.ctx, 1) }

// TakeTurn is Turn while an answer is sent. If there is none the client sees that the end is
// missing.
func (r *Reservations) TakeTurn() {
	if r.Turn() != nil {
		panic(http.ErrAbortHandler)
	}
}

// EndTurn gives the turn back.
func (r *Reservations) EndTurn() { r.turn.End() }

// A sending is the remembered documents that are being sent. Their texts may be remembered no
// longer, and count once, however many clients receive them.
type sending struct {
	mu sync.Mutex
	of map[any]*sent
}

type sent struct {
	space   hold
	clients int
}

// Share counts the bytes of a remembered document until the request is answered. It reports
// whether there is room.
func (r *Reservations) Share(document any, bytes int64) bool {
	all := &r.bounds.sending
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.of[document]
	if s == nil {
		s = &sent{space: r.bounds.Documents.Hold(nobody)}
		if s.space.Grow(r.ctx, bytes) != nil {
			return false
		}
		all.of[document] = s
	}
	s.clients++
	r.done = func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		if s.clients--; s.clients == 0 {
			s.space.End()
			delete(all.of, document)
		}
	}
	return true
}
