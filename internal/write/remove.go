// Removal for good, which would change the records that name the removed one.

package write

import (
	"fmt"
	"strings"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/store"
)

// An InUse is the error of a removal for good that would change what the caller may not change.
type InUse struct {
	Records int  // events, series, venues and organizers of others that name the record, as far as the caller sees them
	Hidden  bool // there are others, which the caller does not see
	Logo    bool // the record is the logo of the site
}

func (e *InUse) Error() string {
	var users []string
	if e.Records > 0 {
		users = append(users, fmt.Sprintf("records of others that name it: %d", e.Records))
	}
	if e.Hidden {
		users = append(users, "records name it that are hidden from you")
	}
	if e.Logo {
		users = append(users, "it is the logo of the site")
	}
	return "it cannot be removed by an account that may not change what it is used for: " + strings.Join(
		users,
		"; ",
	)
}

// checkUse refuses the removal of a record for good if it is the logo of the site or others name
// it, and the caller may not change that.
func (ed Editor) checkUse(logo bool, users []store.Record) error {
	use := InUse{Logo: logo && !ed.Caller.May(account.Administer)}
	viewer := access.ViewerOf(ed.Caller)
	for _, r := range users {
		switch p := store.PostOf(r); {
		case access.MayEdit(ed.Caller, p):
		case viewer.Sees(p):
			use.Records++
		default:
			use.Hidden = true
		}
	}
	if use != (InUse{}) {
		return &use
	}
	return nil
}
