// What is wrong with a record, and where in it.

package importer

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/jsonin"
)

// A fieldError is what is wrong with a member of a record.
type fieldError struct {
	field string // its path in the record, as venue[1].geo_lat; "" is the record itself
	at    int    // where the member stands, as jsonin.Value.At, or what should have it
	lead  string // what stands before the reason where nobody tells the path
	err   error
}

func (e *fieldError) Error() string { return e.lead + e.err.Error() }

func (e *fieldError) Unwrap() error { return e.err }

// inField says which member an error is about: one of the member that the error
// itself is about, if it is about one.
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
