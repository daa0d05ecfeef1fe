// Custom fields of events, venues and organizers.

package record

import (
	"fmt"
	"slices"
	"strings"
)

// A CustomField is a text about a record that no other field is for. Imports alone bring custom
// fields.
type CustomField struct {
	Key   string `json:"id"` // unique in the record
	Label string `json:"label"`
	Value string `json:"value"`
}

// CustomFields are the custom fields of a record in their order.
type CustomFields []CustomField

// With returns the fields with another one, which takes the place of the one with its key. One
// without a value is none. Like append it may change c.
func (c CustomFields) With(f CustomField) CustomFields {
	at := slices.IndexFunc(c, func(other CustomField) bool { return other.Key == f.Key })
	switch {
	case at < 0 && f.Value == "":
		return c
	case at < 0:
		return append(c, f)
	case f.Value == "":
		return slices.Delete(c, at, at+1)
	}
	c[at] = f
	return c
}

// mostFields limits the custom fields of a record that a file adds to.
const mostFields = 100

// Add is With for a field of a file, whose texts and number have limits, which the error tells.
func (c CustomFields) Add(f CustomField) (CustomFields, error) {
	for _, part := range []struct {
		name, text string
		most       int
	}{{"key", f.Key, 255}, {"label", f.Label, 1000}, {"value", f.Value, 20_000}} {
		if len(part.text) > part.most {
			return nil, fmt.Errorf(
				"the %s of %.40q has %d bytes; there may be %d",
				part.name,
				f.Key,
				len(part.text),
				part.most,
			)
		}
	}
	if c = c.With(f); len(c) > mostFields {
		return nil, fmt.Errorf(
			"there are more than %d of them, with those that the record has already",
			mostFields,
		)
	}
	return c, nil
}

// columnPrefix begins the headers of the columns of custom fields.
const columnPrefix = "FIELD:"

var (
	escapeKey   = strings.NewReplacer("%", "%25", "[", "%5B", "]", "%5D")
	unescapeKey = strings.NewReplacer("%25", "%", "%5B", "[", "%5D", "]")
)

// Column returns the header of the column of the field in a table: its label, and its key in
// brackets if that is another text.
func (f CustomField) Column() string {
	if f.Key == f.Label && !strings.HasSuffix(f.Label, "]") {
		return columnPrefix + " " + f.Label
	}
	return columnPrefix + " " + f.Label + " [" + escapeKey.Replace(f.Key) + "]"
}

// FieldOfColumn returns the field of a column without a value; ok is false for other columns.
func FieldOfColumn(header string) (f CustomField, ok bool) {
	n := len(columnPrefix)
	if header = strings.TrimSpace(header); len(header) < n ||
		!strings.EqualFold(header[:n], columnPrefix) {
		return f, false
	}
	f.Label = header[n:]
	f.Key = f.Label
	if key := strings.LastIndex(f.Label, " ["); key >= 0 && strings.HasSuffix(f.Label, "]") {
		f.Label, f.Key = f.Label[:key], unescapeKey.Replace(f.Label[key+len(" ["):len(f.Label)-1])
	}
	f.Label, f.Key = strings.TrimSpace(f.Label), strings.TrimSpace(f.Key)
	return f, f.Key != ""
}
