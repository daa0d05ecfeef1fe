// What is wrong with a record, and where in it.

package importer

import "errors"

// A fieldError is what is wrong with a member of a record.
type fieldError struct {
	field string // its path in the record, as venue[1].geo_lat; "" is the record itself
	lead  string // what stands before the reason where nobody tells the path
	err   error
}

func (e *fieldError) Error() string { return e.lead + e.err.Error() }

func (e *fieldError) Unwrap() error { return e.err }

// inField says which member an error is about: one of the member that the error
// itself is about, if it is about one.
func inField(field, lead string, err error) error {
	var inner *fieldError
	if !errors.As(err, &inner) {
		return &fieldError{field, lead, err}
	}
	if inner.field != "" {
		field += "." + inner.field
	}
	return &fieldError{field, lead + inner.lead, inner.err}
}
