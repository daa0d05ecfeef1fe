// Errors about members of a record.

package intake

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/jsonin"
)

type fieldError struct {
	field string // path in the record, as venue[1].geo_lat; "" is the record itself
	at    int    // position of the member or of its parent, as jsonin.Value.At
	lead  string // prefix of the reason in reports without paths
	err   error
}

func (e *fieldError) Error() string { return e.lead + e.err.Error() }

func (e *fieldError) Unwrap() error { return e.err }

// inField wraps an error about a member. If the error already has a path, the member becomes its prefix.
func inField(at int, field, lead string, err error) error {
	var inner *fieldError
	if !errors.As(err, &inner) {
		return &fieldError{field, at, lead, err}
	}
	if inner.field != "" {
		field, at = strings.TrimPrefix(field+"."+inner.field, "."), inner.at
	}
	return &fieldError{field, at, lead + inner.lead, inner.err}
}

// pathOf returns the path of an item of a member that may be a list.
func pathOf(member string, list *jsonin.Value, item int) string {
	if list.Kind() != '[' {
		return member
	}
	return fmt.Sprintf("%s[%d]", member, item)
}
