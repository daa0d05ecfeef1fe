// Objects and values become text.

package jsonio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"unicode/utf16"
)

// Marshal renders a value as JSON, without escapes that only HTML needs.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// ASCII returns a JSON text with all other characters escaped: terminals obey some of them.
func ASCII(text []byte) (line []byte) {
	for _, r := range string(text) {
		if r < 0x7f {
			line = append(line, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			line = fmt.Appendf(line, `\u%04x`, unit)
		}
	}
	return line
}

// An Object is a JSON object whose members keep the order they were added in.
type Object struct {
	names  []string
	values []any
}

// Members returns an object with members in an order: names, each with its value.
func Members(members ...any) (o Object) {
	for n := 0; n < len(members); n += 2 {
		o.Add(members[n].(string), members[n+1])
	}
	return o
}

// Add appends a member.
func (o *Object) Add(name string, value any) {
	o.names = append(o.names, name)
	o.values = append(o.values, value)
}

// Len is how many members there are.
func (o Object) Len() int { return len(o.names) }

// All yields the members in their order.
func (o Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i, name := range o.names {
			if !yield(name, o.values[i]) {
				return
			}
		}
	}
}

// MarshalJSON writes the object.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := Marshal(o.values[i])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}
