// Other forms of a body, which parameters of every route ask for.

package respond

import (
	"iter"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/jsonout"
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

// apply returns a body in the form, part by part, with the type of that.
func (f *Form) apply(
	parts iter.Seq[[]byte],
	a *Response,
	h http.Header,
) (formed iter.Seq[[]byte], contentType []string) {
	if f.Fields != "" && a.Status < 400 {
		parts = selectFields(parts, f.Fields)
	}
	if f.Envelope {
		headers := map[string]any{}
		for name, values := range h {
			headers[name] = strings.Join(values, ", ")
		}
		if a.Total != nil {
			headers["X-TEC-Total"], headers["X-TEC-TotalPages"] = a.Total.Items, a.Total.Pages
			headers["X-WP-Total"], headers["X-WP-TotalPages"] = a.Total.Items, a.Total.Pages
		}
		for _, inside := range []string{"Allow", "Location", "X-TEC-Total", "X-TEC-TotalPages", "X-WP-Total", "X-WP-TotalPages"} {
			delete(h, inside) // they are about what is in the envelope
		}
		var fields any = headers
		if headers["Allow"] == nil && a.Header == nil {
			fields = []string{} // by which the original tells that no route takes the request
		}
		rest, _ := jsonout.Marshal(struct {
			Status  int `json:"status"`
			Headers any `json:"headers"`
		}{a.Status, fields})
		parts = around(`{"body":`, parts, ","+string(rest[1:]))
	}
	if f.Pretty {
		parts = around("", indent(parts), "\n")
	}
	if callback.MatchString(f.Callback) {
		// No two line ends are in it that end a line of a script: texts have them
		// escaped, see render.AppendString.
		called := around("/**/"+f.Callback+"(", parts, ")")
		return called, []string{"application/javascript; charset=UTF-8"}
	}
	return parts, jsonType
}

// around puts a body between two texts.
func around(before string, parts iter.Seq[[]byte], after string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !yield([]byte(before)) {
			return
		}
		for part := range parts {
			if !yield(part) {
				return
			}
		}
		yield([]byte(after))
	}
}
