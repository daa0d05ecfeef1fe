// Package ingest answers almanac-move import -to: it takes records of other calendars into the
// store of a running server.
//
//	on("POST /_almanac/import", ingest.Import)
//
// Its records are drafts in the form of lists, seeds and exports. Readers of other forms are in
// almanac-move, which makes drafts before it sends them, and says in an item what a draft of a
// calendar or a table leaves out.
//
// It promises that a request lets others write while it takes records, and that the answer names
// all records that were not taken, among them those that are no drafts.
package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/internal/write/intake"
	"almanac/store"
)

// Import is the operation behind almanac-move import -to. It is no part of the specification.
var Import = api.Guarded(&api.Op{
	Name:   "import",
	Params: params.Import,
	Serve:  importRecords,
}, account.Publish, nil)

// importRecords answers POST /_almanac/import: it takes the records of an intake.Batch in
// transactions that are short, so that others can write, and answers with an intake.Result.
// Records that cannot be taken are in the report; with strict, one of them means that nothing was
// stored, and the report says nothing else. After another error, or without its client, it ends:
// the records before are stored, and the same request again leaves them as they are.
func importRecords(r *api.Call) (*respond.Response, error) {
	place := r.Bounds().Imports.Hold(r.Key())
	defer place.End()
	if place.Grow(r.HTTP.Context(), 1) != nil {
		return nil, limit.ErrBusy
	}
	var run *intake.Run
	var malformed error
	step := func(tx *store.Tx, _ params.Values) error {
		if malformed != nil {
			return malformed
		}
		return run.Step(tx)
	}
	for run == nil || !run.Done() {
		err := r.HTTP.Context().Err()
		if err != nil {
			return nil, err
		}
		busy := r.Bounds().Importing.Do(r.HTTP.Context(), r.Key(), func() {
			if run == nil {
				run, malformed = begin(r)
			}
			err = r.Update(step)
		})
		if err = cmp.Or(busy, err); err == nil || errors.Is(err, intake.ErrUnsealed) {
			err = run.Seal(r.Seal)
		}
		switch {
		case errors.Is(err, intake.ErrRefused):
			return report(run)
		case errors.Is(err, intake.ErrMuch):
			return nil, api.Invalid(
				"items",
				fmt.Sprintf(
					"With strict, the items are stored together, which may need the work of %d writes. "+
						"Send fewer items, or leave strict out.",
					intake.StrictMost,
				),
			)
		case err != nil:
			return nil, err
		}
	}
	return report(run)
}

// begin returns a Run of the batch in the body.
func begin(r *api.Call) (*intake.Run, error) {
	var batch intake.Batch
	if json.Unmarshal(r.Body, &batch) != nil {
		return nil, api.Invalid(
			"items",
			"The body must be an object with items, a list of {kind, file, position, record}.",
		)
	}
	if batch.Items == nil {
		return nil, &params.Missing{Names: []string{"items"}}
	}
	_, asked, _ := strings.Cut(r.Site.Origin, "://")
	ed := r.Editor()
	return batch.Run(intake.Options{
		Site:     r.Zone,
		Zones:    ed.Zones,
		Now:      r.Now,
		Account:  r.Caller.ID,
		Language: ed.Language,
		Home:     cmp.Or(r.Store.Identity(), asked),
		By:       r.Caller,
		Named:    r.Accounts.Named,
	}), nil
}

// report answers with the result of a Run.
func report(run *intake.Run) (*respond.Response, error) {
	text, err := jsonio.Marshal(run.Result())
	return &respond.Response{Status: http.StatusOK, Body: respond.Text(text)}, err
}
