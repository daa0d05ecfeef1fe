// Drafts of records, which readers of files fill.

package intake

import "encoding/json"

// A Draft is a record in the form of lists: its members by name, with the values that Table has for them. A member
// that is present although it is empty clears the stored value.
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

// Take makes the draft the record of an item, or rejects the item with an error.
func (i *Item) Take(d Draft, err error) {
	if err == nil {
		i.Record, err = json.Marshal(d)
	}
	if err != nil {
		i.Reject = err.Error()
	}
}
