// Writing answers: the place that touches a ResponseWriter, but for long answers.

package rest

import (
	"iter"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/render"
)

// gzipFrom is how many bytes an answer has that is worth compressing: a smaller
// one is one packet as it is.
const gzipFrom = 1400

// write renders an answer, then writes it at once.
func (r *request) write(w http.ResponseWriter, a *response) {
	h := w.Header()
	r.setHeaders(h, a)
	status, contentType := a.status, jsonType
	if a.media != "" {
		contentType = []string{a.media}
	}
	if r.unchanged(a.tag) {
		h["Etag"] = []string{a.tag}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if a.long != nil {
		r.writeLong(w, a)
		return
	}
	b := a.json
	if b.text == nil {
		var err error
		if b.text, err = render.Marshal(a.body); err != nil {
			r.tenant.Log.Error("rendering failed", "err", err)
			e := *errInternal
			status = e.Status
			b.text, _ = render.Marshal(e.body())
		}
	}
	tag := a.tag
	if r.dressed() && a.media == "" {
		parts, dressedAs := r.dress(asPart(b.text), a, h)
		b, contentType, tag = body{text: whole(parts)}, dressedAs, ""
		if r.in.Sent("_envelope") {
			status = http.StatusOK
		}
	}
	h["Content-Type"] = contentType
	if status != http.StatusOK || !r.reads() {
		tag = ""
	} else {
		if tag == "" {
			tag = etag(b.text)
		}
		if matches(r.http.Header.Get("If-None-Match"), tag) {
			h["Etag"] = []string{tag}
			delete(h, "Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if len(b.text) >= gzipFrom && acceptsGzip(r.http.Header["Accept-Encoding"]) {
		h["Content-Encoding"] = gzipped
		tag = gzipTag(tag)
		switch {
		case a.kept != nil && a.kept.zipped != nil:
			b.text = a.kept.zipped
		case a.zip != nil && tag != "":
			b.text = a.zip()
		default:
			b.text = b.gzip(r.kept)
		}
	}
	if tag != "" {
		h["Etag"] = []string{tag}
	}
	if r.http.Method == http.MethodHead && sentAs(r.http) != http.MethodHead {
		b.text = nil // of another method, an answer has as many bytes as it says
	}
	h["Content-Length"] = []string{strconv.Itoa(len(b.text))}
	w.WriteHeader(status)
	if r.http.Method != http.MethodHead {
		_, _ = w.Write(b.text) // a client that has gone needs no answer
	}
}

// dressed reports whether a parameter of every route asks for a body of another
// form.
func (r *request) dressed() bool {
	return r.in != nil && (r.in.Sent("_fields") || r.in.Sent("_envelope") || r.in.Sent("_pretty") || r.in.Sent("_jsonp"))
}

// callback is a name that _jsonp may have: nothing that is more than a name.
var callback = regexp.MustCompile(`^[A-Za-z_$][\w$.]*$`)

// dress returns a body the form that the parameters of every route ask for, part
// by part, with the type of that.
func (r *request) dress(parts iter.Seq[[]byte], a *response, h http.Header) (dressed iter.Seq[[]byte], contentType []string) {
	if fields := r.in.Text("_fields"); fields != "" && a.status < 400 {
		parts = selectFields(parts, fields)
	}
	if r.in.Sent("_envelope") {
		headers := map[string]any{}
		for name, values := range h {
			headers[name] = strings.Join(values, ", ")
		}
		if a.total != nil {
			headers["X-TEC-Total"], headers["X-TEC-TotalPages"] = a.total.items, a.total.pages
			headers["X-WP-Total"], headers["X-WP-TotalPages"] = a.total.items, a.total.pages
		}
		for _, inside := range []string{"Allow", "Location", "X-TEC-Total", "X-TEC-TotalPages", "X-WP-Total", "X-WP-TotalPages"} {
			delete(h, inside) // they are about what is in the envelope
		}
		rest, _ := render.Marshal(struct {
			Status  int            `json:"status"`
			Headers map[string]any `json:"headers"`
		}{a.status, headers})
		parts = around(`{"body":`, parts, ","+string(rest[1:]))
	}
	if r.in.Sent("_pretty") {
		parts = indent(parts)
	}
	if name := r.in.Text("_jsonp"); callback.MatchString(name) {
		// No two line ends are in it that end a line of a script: texts have them
		// escaped, see wire.AppendString.
		return around("/**/"+name+"(", parts, ")"), []string{"application/javascript; charset=UTF-8"}
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

// gzipTag returns the entity tag of a compressed answer, "" for none.
func gzipTag(tag string) string {
	if tag == "" {
		return ""
	}
	return strings.TrimSuffix(tag, `"`) + `-gzip"`
}

// acceptsGzip reports whether Accept-Encoding names gzip and does not forbid it.
func acceptsGzip(accept []string) bool {
	if len(accept) == 0 {
		return false
	}
	for item := range strings.SplitSeq(accept[0], ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
		if strings.TrimSpace(name) == "gzip" {
			q := strings.TrimSpace(parameters)
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}
