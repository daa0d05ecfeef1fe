// Reading the bodies of requests, in a budget of memory.

package admission

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"almanac/internal/people/limit"
)

// ErrBodies says that the server, or the client, has as many bodies in memory as it may.
var ErrBodies = errors.New("admission: too many bodies in memory")

// Parts of the budget that one account may hold, and all callers without one
// together. A request that is alone in its part is always read, however large the
// limit of one body is.
const (
	accountPart  = 2
	strangerPart = 8
)

// separatorCost is the approximate memory of a decoded value of a list or an object, for each
// comma, bracket or ampersand of the body. Texts have few; a body of nothing else is 30 times as
// large in memory.
const separatorCost = 64

// newBodies makes the budget of bytes for the bodies of requests that are in memory, by account,
// from when they begin to be read until their requests have been answered. Nil is no limit.
func newBodies(most int64) *limit.Budget[Key] {
	if most == 0 {
		return nil
	}
	return limit.NewBudget(most, func(key Key) int64 {
		if key.Account == 0 {
			return most / strangerPart
		}
		return most / accountPart
	}, 0)
}

// growBody resizes the reservation of a body, up to the share of its account. It reports whether
// there is room.
func growBody(h *hold, bytes int64) bool {
	return h.Grow(context.Background(), min(bytes, h.Share())) == nil
}

// readAll reads a body into memory that is counted, which grows with what has come
// and not with what was announced. The error is ErrBodies if there is no room for it.
func readAll(h *hold, body io.Reader, announced int64) (text []byte, err error) {
	const first = 4 << 10
	for {
		if len(text) == cap(text) {
			size := max(first, 2*int64(cap(text)))
			if announced >= int64(cap(text)) {
				size = min(size, announced+1) // a byte more than the body, so that its end is seen
			}
			if !growBody(h, size) {
				return nil, ErrBodies
			}
			text = append(make([]byte, 0, size), text...)
		}
		n, err := body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return text, err
		}
	}
}

// Body reads the body of a request of an account, 0 for a stranger, with room for its decoded
// values: of a file, for a copy of it.
func (r *Reservations) Body(
	account int64,
	body io.Reader,
	announced int64,
	file bool,
) ([]byte, error) {
	r.body = r.bounds.bodyBudget.Hold(Key{Account: account})
	text, err := readAll(&r.body, body, announced)
	values := cap(text)
	if !file {
		values = separatorCost * separators(text)
	}
	if err == nil && !growBody(&r.body, int64(cap(text)+values)) {
		err = ErrBodies
	}
	return text, err
}

// separators counts what separates the values of a body.
func separators(body []byte) int {
	n := 0
	for _, c := range []string{",", "[", "{", "&"} {
		n += bytes.Count(body, []byte(c))
	}
	return n
}

// ReadAhead reads at most that many bytes of a request's body, for layers around the server that
// look at it. The request gets a body that begins with them and goes on as the old one. The memory
// counts in Limits.BodyBytes until release is called.
func (b *Bounds) ReadAhead(hr *http.Request, most int64) (text []byte, release func(), err error) {
	memory := b.bodyBudget.Hold(nobody)
	body := hr.Body
	if body == nil || body == http.NoBody {
		return nil, memory.End, nil
	}
	text, err = readAll(&memory, io.LimitReader(body, most), min(hr.ContentLength, most))
	if errors.Is(err, ErrBodies) {
		return nil, memory.End, err
	}
	rest := io.Reader(body)
	if err != nil {
		rest = failing{err}
	}
	hr.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), rest), body}
	return text, memory.End, nil
}

// failing is a body that could not be read to its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
