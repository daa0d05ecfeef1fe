// Operations beside the catalogue: the health of the server, changes of records, imports, and the files that pages load.

package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"almanac/internal/account"
	"almanac/internal/changes"
	"almanac/internal/intake"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Operations on the health of the server. They are open to every caller: limits and expired tokens do not
// count, so that a healthy server never looks ill. They are no part of the specification.
var (
	Health   = &Op{Name: "health", Params: params.None, checks: noChecks, Serve: serveHealth}    // 200 when all is well
	HealthOf = &Op{Name: "health.of", Params: params.None, checks: noChecks, Serve: serveHealth} // 200 when the named thing is so
)

// health is how the server is.
type health struct {
	Live     bool   `json:"live"`             // it answers
	Ready    bool   `json:"ready"`            // it would work on a request now
	Writable bool   `json:"writable"`         // whether authorized callers can write
	Reason   string `json:"reason,omitempty"` // why one of these is not so
}

// health looks how the server is, for who asks about a store.
func (s *Server) health(of *store.Store) health {
	h := health{Live: true, Ready: true, Writable: true}
	free, err := of.Free()
	switch refusing := of.Refusing(); {
	case refusing != nil && store.IsPassing(refusing):
		h.Writable, h.Reason = false, "The disk did not take a change. Writing goes on by itself as soon as it takes one."
	case refusing != nil:
		h.Writable, h.Reason = false, "What is on the disk is not what the server wrote. Writing goes on when the server was started again."
	case err == nil && free < s.bounds.Free:
		h.Writable, h.Reason = false, "The disk is nearly full: only editors and administrators can write."
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		h.Writable, h.Reason = false, "The disk does not say how much room it has."
	}
	if most := s.bounds.Requests; most > 0 && s.bounds.Places.Used() == int64(most) {
		h.Ready, h.Reason = false, "The server works on as many requests as it may."
	}
	select {
	case <-s.stopping:
		h.Ready, h.Reason = false, "The server is being stopped."
	default:
	}
	return h
}

// serveHealth answers 200 when the part of the health is well that the path names, else 503.
func serveHealth(r *Call) (*respond.Response, error) {
	h := r.health(r.Store)
	well, ok := map[string]bool{"": h.Live && h.Ready && h.Writable, "live": h.Live, "ready": h.Ready, "writable": h.Writable}[r.Path["name"]]
	if !ok {
		return nil, ErrNoRoute
	}
	a := &respond.Response{Status: http.StatusOK, Body: jsonBody(h), Header: map[string]string{"Cache-Control": "no-store"}}
	if well {
		a.Body.Text = append(a.Body.Text, '\n') // as what is refused
	} else {
		a.Status = http.StatusServiceUnavailable
		a.Header["Retry-After"] = errUnavailable.Header()["Retry-After"]
	}
	return a, nil
}

// Changes answers GET /changes with the changes since a token, as far as the caller finds the records in lists.
var Changes = Unlisted(negotiates(&Op{Name: "changes", Params: params.Changes, Serve: serveChanges}))

// errForgotten answers a token that says nothing to this server.
var errForgotten = &Error{Status: http.StatusGone, Code: "rest_changes_forgotten",
	Message: "What has changed since this token is not known: it is not one of this server and of your account, or more than " +
		"131,072 changes came after it, or it is older than the server keeps its log, or than a snapshot before its last start. " +
		"Begin again: ask without since for a new token, then read the lists anew."}

func serveChanges(r *Call) (*respond.Response, error) {
	var page changes.Page
	err := r.InView(func(v *store.View, values params.Values) error {
		var known bool
		page, known = changes.Since(v, r.Caller, r.Store.Oldest(), values.Text("since"), values.Int("per_page"))
		if !known {
			return errForgotten
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(page), Header: map[string]string{"Cache-Control": "no-store"}}, nil
}

// Import is the operation behind almanac import -to. It is no part of the
// specification.
var Import = &Op{
	Name: "import", Params: params.None, Serve: importRecords,
	permit: needs(account.Import),
}

// importRecords answers POST /_almanac/import: it takes the records of a
// tec.Batch in one transaction and answers with a tec.Result. Records that
// cannot be taken are in the report; with strict, one of them means that
// nothing was stored, and the report says nothing else.
func importRecords(r *Call) (*respond.Response, error) {
	var batch intake.Batch
	malformed := json.Unmarshal(r.Body, &batch)
	_, asked, _ := strings.Cut(r.Site.Origin, "://")
	home := cmp.Or(r.Store.Identity(), asked)
	var result intake.Result
	err := r.Update(func(tx *store.Tx, _ params.Values) error {
		switch {
		case malformed != nil:
			return Invalid("items", "The body must be an object with items, a list of {kind, file, position, record}.")
		case batch.Items == nil:
			return &params.Missing{Names: []string{"items"}}
		}
		var err error
		result, err = batch.Apply(tx, intake.Options{Site: r.Zone, Zones: &r.zones, Now: r.Now, Account: r.Caller.ID, Home: home})
		return err
	})
	if err != nil && !errors.Is(err, intake.ErrRefused) {
		return nil, err
	}
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(result)}, nil
}

// FilePolicy keeps an SVG from running what is in it, when it is opened as a page of its
// own: it may hold styles, and nothing else.
const FilePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// A fileKey is the name of a file that pages load, as the key of its *respond.Fragment.
type fileKey string

// Asset answers with a file that pages load.
var Asset = Unlisted(&Op{Name: "asset", Params: params.None, Serve: serveAsset})

func serveAsset(r *Call) (*respond.Response, error) {
	a := r.Pages.Files[r.Path["name"]]
	if a == nil {
		return nil, ErrNoRoute
	}
	kept, known := r.Memo.Load(fileKey(a.Name))
	if !known {
		kept, _ = r.Memo.LoadOrStore(fileKey(a.Name), respond.Packed(a.Text))
	}
	answer := &respond.Response{Status: http.StatusOK, Body: kept.(*respond.Fragment).Body(), Media: a.Media, Tag: `"` + a.Name + `"`,
		Header: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"}}
	if a.Image != nil {
		answer.Header["Content-Security-Policy"] = FilePolicy
	}
	return answer, nil
}
