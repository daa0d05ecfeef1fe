// Package ingest answers almanac import -to: it takes records of other calendars into the store of a running server.
//
//	on("POST /_almanac/import", ingest.Import)
//
// It promises that a request is one transaction, and that the answer names all records that were not taken.
package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"almanac/internal/account"
	"almanac/internal/api"
	"almanac/internal/intake"
	"almanac/internal/jsonout"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Import is the operation behind almanac import -to. It is no part of the specification.
var Import = api.Guarded(&api.Op{Name: "import", Params: params.None, Serve: importRecords}, account.Publish, nil)

// importRecords answers POST /_almanac/import: it takes the records of an intake.Batch in one transaction and answers with an
// intake.Result. Records that cannot be taken are in the report; with strict, one of them means that nothing was stored, and the
// report says nothing else.
func importRecords(r *api.Call) (*respond.Response, error) {
	var batch intake.Batch
	malformed := json.Unmarshal(r.Body, &batch)
	_, asked, _ := strings.Cut(r.Site.Origin, "://")
	home := cmp.Or(r.Store.Identity(), asked)
	var result intake.Result
	err := r.Update(func(tx *store.Tx, _ params.Values) error {
		switch {
		case malformed != nil:
			return api.Invalid("items", "The body must be an object with items, a list of {kind, file, position, record}.")
		case batch.Items == nil:
			return &params.Missing{Names: []string{"items"}}
		}
		var err error
		result, err = batch.Apply(tx, intake.Options{Site: r.Zone, Zones: r.Editor().Zones, Now: r.Now, Account: r.Caller.ID, Home: home,
			By: r.Caller, Named: r.Accounts.Named})
		return err
	})
	if err != nil && !errors.Is(err, intake.ErrRefused) {
		return nil, err
	}
	text, err := jsonout.Marshal(result)
	return &respond.Response{Status: http.StatusOK, Body: respond.Body{Text: text}}, err
}
