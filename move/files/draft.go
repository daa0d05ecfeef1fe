// Drafts: records that are being made.

package files

import (
	"encoding/json"

	"almanac/internal/write/intake"
)

// A Draft is a record in the form of lists: its members by name, with the values that
// intake.Table has for them. A member that is present although it is empty clears the stored value.
type Draft map[string]any

// Text returns a member that is a text; "" for other values.
func (d Draft) Text(name string) string {
	text, _ := d[name].(string)
	return text
}

// Set sets a member to a text, or removes it if the text is empty.
func (d Draft) Set(name, text string) {
	if delete(d, name); text != "" {
		d[name] = text
	}
}

// Fill makes the draft the record of an item, or rejects the item with an error.
func (d Draft) Fill(item *intake.Item, err error) {
	if err == nil {
		item.Record, err = json.Marshal(d)
	}
	if err != nil {
		item.Reject = err.Error()
	}
}
