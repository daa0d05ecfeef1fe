package account

// JSON objects that keep the order and values of all members, known or not, so that a change of
// the file loses nothing.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/jsonin"
	"almanac/internal/jsonout"
)

// An object is a JSON object. Like encoding/json it ignores the letter case of names.
type object struct{ fields []field }

type field struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON refuses duplicate names: a change must apply to the value that readers use.
// Before, load has refused all that is no object.
func (o *object) UnmarshalJSON(data []byte) error {
	v := jsonin.Value{Raw: data}
	o.fields = nil
	for _, m := range v.Members() {
		if o.index(m.Name) >= 0 {
			return fmt.Errorf("%q is given twice", m.Name)
		}
		o.fields = append(o.fields, field{m.Name, m.Raw})
	}
	return nil
}

func (o *object) MarshalJSON() ([]byte, error) {
	var out jsonout.Object
	for _, f := range o.fields {
		out.Add(f.name, f.value)
	}
	return out.MarshalJSON()
}

func (o *object) index(name string) int {
	return slices.IndexFunc(
		o.fields,
		func(f field) bool { return strings.EqualFold(f.name, name) },
	)
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
	value, err := jsonout.Marshal(v)
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
func indented(v any) ([]byte, error) {
	text, err := jsonout.Marshal(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = json.Indent(&b, text, "", "  ")
	b.WriteByte('\n')
	return b.Bytes(), err
}
