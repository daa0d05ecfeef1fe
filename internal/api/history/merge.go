// The merge of two records.

package history

import (
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// merge is the change of POST /venues/{id}/merge, and that of other kinds: the record in the path
// goes, and all links to it lead to the other record.
func merge(r *api.Call, k store.Kind) (api.Change, error) {
	events := 0
	change, err := r.Write(
		func(tx *store.Tx, values params.Values) (made store.Record, _ *write.Report, err error) {
			from := tx.Get(k, r.ID())
			into := tx.Get(k, values.Int("into"))
			p := store.PostOf(from)
			to := store.PostOf(into)
			switch {
			case from == into:
				return nil, nil, api.Invalid(
					"into",
					"into must be another record than the one in the path.",
				)
			case p != nil && p.Status == store.Trash:
				return nil, nil, api.InTrash(strings.TrimSuffix(k.String(), "s"))
			case to != nil && to.Status == store.Trash:
				return nil, nil, api.Invalid(
					"into",
					"into must be a record that is not in the trash.",
				)
			case p == nil && tx.IsBelow(k, into.Key(), from.Key()):
				return nil, nil, api.Invalid(
					"into",
					"into must not be a category below the one in the path.",
				)
			case p != nil && !(access.MayDelete(r.Caller, p) && access.MayEdit(r.Caller, to)):
				return nil, nil, api.ErrForbidden
			}
			if err = r.Precondition(tx, from); err == nil {
				var moved int
				made, moved, err = r.Editor().Merge(tx, from, into)
				events += moved
			}
			return made, nil, err
		},
	)
	change.Moved = events
	return change, err
}

// merged answers a merge with the record that stays, and how many events name it now.
func merged(r *api.Call, change api.Change) (*respond.Response, error) {
	answer, err := api.Stored(r, change)
	if err == nil {
		answer.Header["X-Almanac-Moved"] = "events=" + strconv.Itoa(change.Moved)
	}
	return answer, err
}
