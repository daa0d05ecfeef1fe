// Other forms of a body, which parameters of every route ask for.

package respond

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/text/jsonio"
)

// A Form has the options for the form of a body.
type Form struct {
	Fields   string // _fields: these members alone; "" is all
	Envelope bool   // _envelope: status and header fields go into the body
	Pretty   bool   // _pretty: lines for people
	Callback string // _jsonp: a script that calls this; an invalid name counts as ""
}

// Selects reports whether _fields keeps a member of a body: its list as a whole, or a field in one
// of the rest.
func (f *Form) Selects(list string, others ...string) bool {
	for field := range strings.SplitSeq(f.Fields, ",") {
		if name, _, below := strings.Cut(strings.TrimSpace(field), "."); name == list && !below ||
			slices.Contains(others, name) {
			return true
		}
	}
	return f.Fields == ""
}

// Calls reports whether the callback is a name, or none.
func (f *Form) Calls() bool { return f.Callback == "" || callback.MatchString(f.Callback) }

// callback is a name that a script may call: nothing that is more than a name.
var callback = regexp.MustCompile(`^[A-Za-z_$][\w$.]*$`)

// apply returns a body of JSON in the form, with the type of that.
func (f *Form) apply(text []byte, a *Response, h http.Header) (formed []byte, contentType []string) {
	if f.Fields != "" && a.Status < 400 {
		text = selectAll(text, wantedOf(f.Fields))
	}
	if f.Envelope {
		text = enveloped(text, a, h)
	}
	if f.Pretty {
		var lines bytes.Buffer
		_ = json.Indent(&lines, text, "", "    ") // bodies are valid JSON
		text = append(lines.Bytes(), '\n')
	}
	if callback.MatchString(f.Callback) {
		// No two line ends are in it that end a line of a script: texts have them
		// escaped, see render.AppendString.
		called := slices.Concat([]byte("/**/"+f.Callback+"("), text, []byte(")"))
		return called, []string{"application/javascript; charset=UTF-8"}
	}
	return text, jsonType
}

// enveloped puts the status and the header fields of an answer into its body. Fields that are
// about the content of the envelope leave the header.
func enveloped(text []byte, a *Response, h http.Header) []byte {
	headers := map[string]any{}
	for name, values := range h {
		headers[name] = strings.Join(values, ", ")
	}
	if a.Total != nil {
		headers["X-TEC-Total"] = a.Total.Items
		headers["X-TEC-TotalPages"] = a.Total.Pages
		headers["X-WP-Total"] = a.Total.Items
		headers["X-WP-TotalPages"] = a.Total.Pages
	}
	for _, inside := range []string{
		"Allow",
		"Location",
		"X-TEC-Total",
		"X-TEC-TotalPages",
		"X-WP-Total",
		"X-WP-TotalPages",
	} {
		delete(h, inside)
	}
	var fields any = headers
	if headers["Allow"] == nil && a.Header == nil {
		fields = []string{} // by which the original tells that no route takes the request
	}
	rest, _ := jsonio.Marshal(struct {
		Status  int `json:"status"`
		Headers any `json:"headers"`
	}{a.Status, fields})
	return slices.Concat([]byte(`{"body":`), text, []byte(","), rest[1:])
}

// wanted is a tree of the members that are asked for; a leaf wants all below.
type wanted map[string]wanted

// wantedOf reads a list of members such as "id,title,venue.city".
func wantedOf(fields string) wanted {
	root := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		at := root
		parts := strings.Split(strings.TrimSpace(field), ".")
		for i, part := range parts {
			below, ok := at[part]
			switch {
			case ok && below == nil:
			case i == len(parts)-1, part == "json_ld": // it is whole, as in the original
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
	return root
}

// selectAll is selectFields for an object, or for each of a list.
func selectAll(text []byte, want wanted) []byte {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil || list == nil {
		return selectFields(text, want)
	}
	for i, item := range list {
		list[i] = selectFields(item, want)
	}
	text, _ = jsonio.Marshal(list) // it was JSON
	return text
}

// selectFields keeps the members of a JSON object that are wanted, in the order of the object.
// Dots lead into objects, not into lists of them: these lose all items when members of them are
// asked for, and other values stay.
func selectFields(text []byte, want wanted) []byte {
	dec := json.NewDecoder(bytes.NewReader(text))
	switch open, _ := dec.Token(); open { // bodies are valid JSON
	case json.Delim('['):
		return []byte("[]")
	case json.Delim('{'):
	default:
		return text
	}
	selected := []byte{'{'}
	for dec.More() {
		name, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value)
		below, ok := want[name.(string)]
		if !ok {
			continue
		}
		if below != nil {
			value = selectFields(value, below)
		}
		if len(selected) > 1 {
			selected = append(selected, ',')
		}
		key, _ := jsonio.Marshal(name)
		selected = append(append(append(selected, key...), ':'), value...)
	}
	return append(selected, '}')
}
