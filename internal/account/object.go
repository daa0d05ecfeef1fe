package account

// JSON objects that keep the order and values of all members, known or not, so that a change of the file loses
// nothing.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An object is a JSON object. Like encoding/json it ignores the letter case of names.
type object struct{ fields []field }

type field struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON refuses duplicate names: a change must apply to the value that readers use.
func (o *object) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if begin, err := dec.Token(); err != nil || begin != json.Delim('{') {
		return fmt.Errorf("want an object, not %.20s", data)
	}
	o.fields = nil
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		f := field{name: name.(string)} // names are always strings
		if err := dec.Decode(&f.value); err != nil {
			return err
		}
		if o.index(f.name) >= 0 {
			return fmt.Errorf("%q is given twice", f.name)
		}
		o.fields = append(o.fields, f)
	}
	return nil
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o *object) index(name string) int {
	return slices.IndexFunc(o.fields, func(f field) bool { return strings.EqualFold(f.name, name) })
}

// decode reads a member into v, if it exists.
func (o *object) decode(name string, v any) error {
	i := o.index(name)
	if i < 0 {
		return nil
	}
	return json.Unmarshal(o.fields[i].value, v)
}

// set writes a member: in its old place, or at the end.
func (o *object) set(name string, v any) error {
	value, err := encoded(v, "")
	if err != nil {
		return err
	}
	if i := o.index(name); i >= 0 {
		o.fields[i].value = value
	} else {
		o.fields = append(o.fields, field{name, value})
	}
	return nil
}

func (o *object) remove(name string) {
	if i := o.index(name); i >= 0 {
		o.fields = slices.Delete(o.fields, i, i+1)
	}
}

// indented returns JSON with two spaces of indent and a final newline.
func indented(v any) ([]byte, error) { return encoded(v, "  ") }

// encoded writes JSON without HTML escapes.
func encoded(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}
