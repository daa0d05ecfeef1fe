// The _fields parameter: only some members of an answer.

package rest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// wanted is a tree of the members that are asked for; a leaf wants all below.
type wanted map[string]wanted

// selectFields keeps the members of an object that a list such as
// "id,title,venue.city" names, in the order of the object. Dots lead into
// objects, not into lists of them.
func selectFields(body []byte, fields string) []byte {
	root := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		at := root
		parts := strings.Split(strings.TrimSpace(field), ".")
		for i, part := range parts {
			below, ok := at[part]
			switch {
			case ok && below == nil:
			case i == len(parts)-1:
				at[part] = nil
			case !ok:
				below = wanted{}
				at[part] = below
			}
			if below == nil {
				break
			}
			at = below
		}
	}
	if kept, ok := keep(body, root); ok {
		return kept
	}
	return body
}

// keep copies the wanted members of a JSON object; lists lose all items when
// members of them are asked for, and other values stay.
func keep(text []byte, want wanted) ([]byte, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	open, err := dec.Token()
	if err != nil {
		return nil, false
	}
	if open == json.Delim('[') {
		return []byte("[]"), true
	}
	if open != json.Delim('{') {
		return text, true
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, false
		}
		below, ok := want[name.(string)]
		if !ok {
			continue
		}
		if below != nil {
			if value, ok = keep(value, below); !ok {
				return nil, false
			}
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name)
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), true
}
