// The operation that takes over whole records, for almanac import.

package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"almanac/internal/account"
	"almanac/internal/importer"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

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
	var batch importer.Batch
	malformed := json.Unmarshal(r.Body, &batch)
	_, asked, _ := strings.Cut(r.Site.Origin, "://")
	home := cmp.Or(r.Store.Identity(), asked)
	var result importer.Result
	err := r.update(func(tx *store.Tx, _ params.Values) error {
		switch {
		case malformed != nil:
			return Invalid("items", "The body must be an object with items, a list of {kind, file, position, record}.")
		case batch.Items == nil:
			return &params.Missing{Names: []string{"items"}}
		}
		var err error
		result, err = batch.Apply(tx, importer.Options{Site: r.Zone, Zones: &r.zones, Now: r.Now, Account: r.Caller.ID, Home: home})
		return err
	})
	if err != nil && !errors.Is(err, importer.ErrRefused) {
		return nil, err
	}
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(result)}, nil
}
