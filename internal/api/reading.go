// Reading the bodies of requests, in a budget of memory.

package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/limit"
	"almanac/internal/openapi"
	"almanac/internal/params"
	"almanac/store"
)

// Parts of the budget that one account may hold, and all callers without one
// together. A request that is alone in its part is always read, however large the
// limit of one body is.
const (
	accountPart  = 2
	strangerPart = 8
)

// separatorCost is the approximate memory of a decoded value of a list or an object, for each comma, bracket or
// ampersand of the body. Texts have few; a body of nothing else is 30 times as large in memory.
const separatorCost = 64

var errBodies = &Error{Status: http.StatusServiceUnavailable, Code: "rest_too_busy", retry: time.Second, limit: "max-bodies-mb",
	Message: "The server holds as many bodies of requests as it may. Send this one again in a moment."}

// aheadBodies holds the bodies that were read ahead.
var aheadBodies = rateKey{account: -1}

// newBodies makes the budget of bytes for the bodies of requests that are in memory, by account, from when
// they begin to be read until their requests have been answered. Nil is no limit.
func newBodies(most int64) *budget {
	if most == 0 {
		return nil
	}
	return limit.NewBudget(most, func(key rateKey) int64 {
		if key.account == 0 {
			return most / strangerPart
		}
		return most / accountPart
	}, 0)
}

// growBody resizes the reservation of a body, up to the share of its account. It reports whether there is room.
func growBody(h *hold, bytes int64) bool {
	return h.Grow(context.Background(), min(bytes, h.Share())) == nil
}

// readAll reads a body into memory that is counted, which grows with what has come
// and not with what was announced. It reports whether there was room for it.
func readAll(h *hold, body io.Reader, announced int64) (text []byte, room bool, err error) {
	const first = 4 << 10
	for {
		if len(text) == cap(text) {
			size := max(first, 2*int64(cap(text)))
			if announced >= int64(cap(text)) {
				size = min(size, announced+1) // a byte more than the body, so that its end is seen
			}
			if !growBody(h, size) {
				return nil, false, nil
			}
			text = append(make([]byte, 0, size), text...)
		}
		n, err := body.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err == io.EOF {
			return text, true, nil
		}
		if err != nil {
			return text, true, err
		}
	}
}

// ReadAhead reads at most that many bytes of a request's body, for layers around the server that look at it.
// The request gets a body that begins with them and goes on as the old one. The memory counts in
// Limits.BodyBytes until release is called.
func (s *Server) ReadAhead(hr *http.Request, most int64) (text []byte, release func(), err error) {
	memory := s.bounds.bodyBudget.Hold(aheadBodies)
	body := hr.Body
	if body == nil || body == http.NoBody {
		return nil, memory.End, nil
	}
	text, room, err := readAll(&memory, io.LimitReader(body, most), min(hr.ContentLength, most))
	if !room {
		return nil, memory.End, errBodies
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

// hasBody reports whether the request comes with a body, as far as its header says.
func (r *Input) hasBody() bool { return r.HTTP.Body != nil && r.HTTP.ContentLength != 0 }

// refuseUnread refuses a request with a body whose caller lacks the right, without waiting for the body: a
// right depends on the caller and the path alone. The path of every request, and the parameters of a request
// without a body, are checked first. A caller with some right to write learns what else is wrong with a request
// for an unknown record.
func (r checking) refuseUnread() error {
	if r.Op.permit == nil || !r.hasBody() {
		return nil
	}
	return r.Store.View(func(v *store.View) error {
		if r.Op.permit.may(r.Call, &v.Reader) {
			return nil
		}
		var bad *params.Invalid
		path, _ := params.Read(params.Source{Path: r.Path}) // there is no JSON in it
		_, err := r.Op.Params.Check(path, r.env(&v.Reader))
		if !errors.As(err, &bad) {
			err = r.refusal()
		} else if r.Caller.May(account.CreateOwn) {
			return nil
		}
		return err
	})
}

// read gathers the parameters.
func (r checking) read() error {
	r.memory = r.bounds.bodyBudget.Hold(rateKey{account: r.Caller.ID})
	if r.hasBody() {
		limit := most(r.bounds.Body)
		if r.HTTP.ContentLength > limit {
			return r.tooLarge()
		}
		text, room, err := readAll(&r.memory, http.MaxBytesReader(nil, r.HTTP.Body, limit), r.HTTP.ContentLength)
		r.Body = text
		var big *http.MaxBytesError
		switch {
		case !room:
			return errBodies
		case errors.As(err, &big):
			return r.tooLarge()
		case err != nil:
			return errBody
		}
		if !growBody(&r.memory, int64(cap(r.Body)+separatorCost*separators(r.Body))) {
			return errBodies
		}
	}
	var err error
	r.In, err = params.Read(params.Source{
		Method: r.HTTP.Method, ContentType: r.HTTP.Header.Get("Content-Type"),
		Disposition: r.HTTP.Header.Get("Content-Disposition"), Body: r.Body, Query: r.HTTP.URL.RawQuery, Path: r.Path,
		Depth: r.bounds.Depth,
	})
	if err == nil {
		r.readForm()
		if r.In.HasFile() && len(r.Op.Params) > 0 && !r.Asked.Reads() {
			err = errFile
		}
	}
	return err
}

// separators counts what separates the values of a body.
func separators(body []byte) int {
	n := 0
	for _, c := range []string{",", "[", "{", "&"} {
		n += bytes.Count(body, []byte(c))
	}
	return n
}

// maxIgnored is how many names an answer tells that were not read.
const maxIgnored = 20

// ignoredNames returns the names in a write that have no effect, in order. It leaves out the names that clients
// send everywhere (a leading underscore, rest_route, context, and the force of a delete) and the members that
// records show, since a record may be sent back as it was read. Exceptions are slug and excerpt when a record
// is made that takes none: a client sends them on purpose.
func (r checking) ignoredNames() []string {
	records, verb, _ := strings.Cut(r.Op.Name, ".")
	var names []string
	for _, name := range r.Op.Params.Unknown(r.In) {
		of, inside, nested := strings.Cut(name, ".")
		if !nested || of != "venue" && of != "organizer" {
			of, inside = records, name
		} else {
			of += "s"
		}
		switch {
		case strings.HasPrefix(inside, "_"), inside == "rest_route", inside == "context", inside == "force":
		case openapi.Shows(of, inside) && !((verb == "create" || of != records) && (inside == "slug" || inside == "excerpt")):
		default:
			names = append(names, name)
		}
	}
	return names
}

// noteIgnored keeps for the answer what a write says in vain. With StrictInput that
// is an error, and nothing is written.
func (r *Call) noteIgnored() error {
	names, unread := checking{r}.ignoredNames(), r.In.Unread()
	if r.strict && unread != "" {
		return &Error{Status: http.StatusBadRequest, Code: "rest_body_not_read", Message: unread}
	}
	var told []string
	if unread != "" {
		told = append(told, "body")
	}
	refused := &params.Invalid{}
	for i, name := range names {
		if i == maxIgnored {
			told = append(told, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		if name == "" {
			name = `""`
		}
		name = name[:min(len(name), 60)]
		told = append(told, url.PathEscape(name))
		refused.Complaints = append(refused.Complaints, params.Complaint{
			Name: name, Reason: fmt.Sprintf("%q is no parameter of this operation, and -strict-input refuses others.", name),
		})
	}
	if r.strict && len(names) > 0 {
		return refused
	}
	r.Asked.Ignored = strings.Join(told, ", ")
	return nil
}
