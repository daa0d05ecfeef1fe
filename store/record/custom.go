// Custom fields of events, venues and organizers.

package record

import (
	"encoding/json"
	"errors"
	"slices"
)

// A CustomField is a text about a record that no other field is for. Imports alone bring custom fields.
type CustomField struct {
	Key   string `json:"-"` // unique in the record
	Label string `json:"label"`
	Value string `json:"value"`
}

// CustomFields are the custom fields of a record in their order. As JSON they are an object with a member for each key.
type CustomFields []CustomField

// With returns the fields with another one, which takes the place of the one with its key. One without a value is none.
func (c CustomFields) With(f CustomField) CustomFields {
	at := slices.IndexFunc(c, func(other CustomField) bool { return other.Key == f.Key })
	next := slices.Clone(c)
	switch {
	case at < 0 && f.Value != "":
		return append(next, f)
	case at < 0:
		return next
	case f.Value == "":
		return slices.Delete(next, at, at+1)
	}
	next[at] = f
	return next
}

// MarshalJSON returns the object.
func (c CustomFields) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, f := range c {
		if i > 0 {
			text = append(text, ',')
		}
		key, err := AppendJSON(text, f.Key)
		if err != nil {
			return nil, err
		}
		if text, err = AppendJSON(append(key, ':'), f); err != nil {
			return nil, err
		}
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads the object.
func (c *CustomFields) UnmarshalJSON(text []byte) error {
	if *c = nil; text[0] != '{' {
		return errors.New("is not an object")
	}
	return more(text).each(func(name string, value json.RawMessage) error {
		f := CustomField{Key: name}
		err := decodeStrict(value, &f)
		*c = append(*c, f)
		return err
	})
}
