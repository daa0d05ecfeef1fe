// How much of the disk an account may fill.

package api

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/account"
	"almanac/store"
)

// errNoRoom answers a write when the disk is nearly full.
var errNoRoom = &Error{Status: http.StatusServiceUnavailable, Code: "rest_store_unavailable", retry: time.Minute, limit: "min-free-mb",
	Message: "The disk is nearly full: until there is more room only editors and administrators change anything. The calendar is as it was."}

// spend takes what a transaction adds to the log out of the caller's budget, and
// refuses it when there is too little left of that or of the disk. The log keeps
// whole records, so that a small change of a large one costs as much as the
// record; without a budget one account could fill the disk within the hour.
// Editors have none, nor a limit to the disk: somebody has to mend things.
func (r *Call) spend(tx *store.Tx) (spent int, err error) {
	if r.Caller.May(account.EditOthers) || r.bounds.Log == 0 && r.bounds.Free == 0 {
		return 0, nil
	}
	bytes, err := tx.Reserve(r.bounds.Free)
	if errors.Is(err, store.ErrNoRoom) {
		return 0, errNoRoom
	}
	if err != nil || bytes == 0 {
		return 0, err
	}
	spent = kilobytes(bytes)
	if wait, ok := r.bounds.log.TakeN(rateKey{account: r.Caller.ID}, spent); !ok {
		return 0, tooMany("max-log-mb", wait, fmt.Sprintf("An account of your role may not write more than %d kilobytes of records in an hour.",
			kilobytes(r.bounds.Log)))
	}
	return spent, nil
}

// kilobytes returns bytes in kilobytes, rounded up.
func kilobytes(bytes int64) int { return int((bytes + 1023) >> 10) }
