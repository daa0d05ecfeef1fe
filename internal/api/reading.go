// Reading the bodies of requests, in a budget of memory.

package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"almanac/internal/api/admission"
	"almanac/internal/api/openapi"
	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/store"
)

// ReadAhead reads the beginning of the body of a request: see admission.Bounds.
func (s *Server) ReadAhead(hr *http.Request, most int64) (text []byte, release func(), err error) {
	return s.bounds.ReadAhead(hr, most)
}

// refuseUnread refuses a request with a body whose caller lacks the right, without waiting for the
// body: a right depends on the caller and the path alone. The path of every request, and the
// parameters of a request without a body, are checked first. A caller with some right to write
// learns what else is wrong with a request for an unknown record.
func (r *Call) refuseUnread() error {
	if r.Op.permit == nil || !r.hasBody() {
		return nil
	}
	return r.Store.View(func(v *store.View) error {
		if r.Op.IsOpenTo(r, &v.Reader) {
			return nil
		}
		var bad *params.Invalid
		path, _ := params.Read(params.Source{Path: r.Path}) // there is no JSON in it
		_, err := r.Op.Params.Check(path, r.env(&v.Reader))
		if !errors.As(err, &bad) {
			err = r.noRight()
		} else if r.Caller.May(account.CreateOwn) {
			return nil
		}
		return err
	})
}

// hasBody reports whether the request comes with a body, as far as its header says.
func (r *Input) hasBody() bool {
	return r.HTTP.Body != nil && r.HTTP.ContentLength != 0
}

// read reads the body, within the budget, and the parameters.
func (r *Call) read() error {
	var err error
	if r.hasBody() {
		limit := r.bounds.BodyMost(r.Op.is(uploads))
		if r.HTTP.ContentLength > limit {
			return r.tooLarge()
		}
		r.Body, err = r.reserved.Body(
			r.Caller.ID,
			http.MaxBytesReader(nil, r.HTTP.Body, limit),
			r.HTTP.ContentLength,
			r.Op.is(uploads),
		)
		var big *http.MaxBytesError
		switch {
		case errors.As(err, &big):
			return r.tooLarge()
		case errors.Is(err, admission.ErrBodies):
			return err
		case err != nil:
			return errBody
		}
	}
	r.ifMatch = r.HTTP.Header.Get("If-Match")
	r.In, err = params.Read(params.Source{
		Method:      r.HTTP.Method,
		ContentType: r.HTTP.Header.Get("Content-Type"),
		Disposition: r.HTTP.Header.Get("Content-Disposition"),
		Body:        r.Body,
		Query:       r.HTTP.URL.RawQuery,
		Path:        r.Path,
		Depth:       r.bounds.Depth,
		Upload:      r.Op.is(uploads),
	})
	if err == nil {
		r.readForm()
		if r.Asked.Form != nil && !r.Asked.Form.Calls() {
			return errCallback
		}
		if r.In.HasFile() && r.In.Upload() == nil && len(r.Op.Params) > 0 && !r.Asked.Reads() {
			err = errFile
		}
	}
	return err
}

// NoteIgnored notes for the answer the names of a write that no parameter has, and that a body was
// not read. With StrictInput these are an error, and nothing is written.
func (r *Call) NoteIgnored() error {
	names := openapi.Ignored(r.Op.Name, r.Op.Params.Unknown(r.In))
	unread := r.In.Unread()
	if r.strict && unread != "" {
		return &Error{Status: http.StatusBadRequest, Code: "rest_body_not_read", Message: unread}
	}
	var ignored []string
	if unread != "" {
		ignored = append(ignored, "body")
	}
	refused := &params.Invalid{}
	for i, name := range names {
		if i == maxIgnored {
			ignored = append(ignored, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		if name == "" {
			name = `""`
		}
		name = name[:min(len(name), 60)]
		ignored = append(ignored, url.PathEscape(name))
		refused.Complaints = append(refused.Complaints, params.Complaint{
			Name: name,
			Reason: fmt.Sprintf(
				"%q is no parameter of this operation, and -strict-input refuses others.",
				name,
			),
		})
	}
	if r.strict && len(names) > 0 {
		return refused
	}
	r.Asked.Ignored = strings.Join(ignored, ", ")
	return nil
}

// maxIgnored is how many of the names that were not read an answer tells.
const maxIgnored = 20
