// The changes of all records since a token.

package history

import (
	"net/http"

	"almanac/internal/api"
	"almanac/internal/changes"
	"almanac/internal/jsonout"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Changes answers GET /changes with the changes since a token, as far as the caller finds the records in lists.
var Changes = api.Unlisted(api.Negotiates(&api.Op{Name: "changes", Params: params.Changes, Serve: serveChanges}))

// errForgotten answers a token that says nothing to this server.
var errForgotten = &api.Error{Status: http.StatusGone, Code: "rest_changes_forgotten",
	Message: "What has changed since this token is not known: it is not one of this server and of your account, or more than " +
		"131,072 changes came after it, or it is older than the server keeps its log, or than a snapshot before its last start. " +
		"Begin again: ask without since for a new token, then read the lists anew."}

func serveChanges(r *api.Call) (*respond.Response, error) {
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
	text, err := jsonout.Marshal(page)
	return &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: text},
		Header: map[string]string{"Cache-Control": "no-store"}}, err
}
