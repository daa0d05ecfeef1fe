// Writing answers: the one place that touches a ResponseWriter.

package rest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"almanac/wire"
)

// Sizes of answers.
const gzipFrom = 1400 // bytes; a smaller answer is one packet as it is

// write renders an answer, then writes it at once.
func (r *request) write(w http.ResponseWriter, a *response) {
	h := w.Header()
	r.setHeaders(h, a)
	body, err := wire.Marshal(a.body)
	if err != nil {
		r.log.Error("rendering failed", "err", err)
		e := *errInternal
		a = &response{status: e.Status}
		body, _ = wire.Marshal(e.body())
	}
	contentType := "application/json; charset=UTF-8"
	if r.in != nil {
		body, contentType = r.dress(body, contentType, a, h)
	}
	status := a.status
	if r.in != nil && r.in.Sent("_envelope") {
		status = http.StatusOK
	}
	h.Set("Content-Type", contentType)
	if status == http.StatusOK && (r.http.Method == http.MethodGet || r.http.Method == http.MethodHead) {
		tag := etag(body)
		h.Set("ETag", tag)
		if matches(r.http.Header.Get("If-None-Match"), tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if len(body) >= gzipFrom && acceptsGzip(r.http.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		if tag := h.Get("ETag"); tag != "" {
			h.Set("ETag", strings.TrimSuffix(tag, `"`)+`-gzip"`)
		}
		body = r.compress(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.http.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that has gone needs no answer
	}
}

// setHeaders sets what goes with every answer.
func (r *request) setHeaders(h http.Header, a *response) {
	h.Add("Link", "<"+r.origin+r.base.prefix+`/>; rel="https://api.w.org/"`)
	for _, l := range a.links {
		value := "<" + l.href + `>; rel="` + l.rel + `"`
		if l.hreflang != "" {
			value += `; hreflang="` + l.hreflang + `"`
		}
		h.Add("Link", value)
	}
	h.Set("Content-Language", r.base.language.Tag)
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, Link, Location, Content-Location, ETag")
	h.Set("Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match")
	h.Set("Vary", "Origin, Authorization, Accept-Encoding")
	if origin := r.http.Header.Get("Origin"); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE")
	}
	if r.http.Header.Get("Authorization") != "" || r.http.Header.Get("X-HTTP-Method-Override") != "" {
		h.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
		h.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
	}
	if r.matched {
		h.Set("Allow", r.allowed())
	}
	for name, value := range a.header {
		h[name] = []string{value} // spelled as clients know it
	}
	if a.total != nil {
		items, pages := strconv.Itoa(a.total.items), strconv.Itoa(a.total.pages)
		h["X-TEC-Total"], h["X-TEC-TotalPages"] = []string{items}, []string{pages}
		h["X-WP-Total"], h["X-WP-TotalPages"] = []string{items}, []string{pages}
	}
}

// callback is a name that _jsonp may have: nothing that is more than a name.
var callback = regexp.MustCompile(`^[A-Za-z_$][\w$.]*$`)

// dress gives a body the form that the parameters of every route ask for.
func (r *request) dress(body []byte, contentType string, a *response, h http.Header) ([]byte, string) {
	if fields := r.in.Text("_fields"); fields != "" && a.status < 400 {
		body = selectFields(body, fields)
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
		body, _ = wire.Marshal(struct {
			Body    json.RawMessage `json:"body"`
			Status  int             `json:"status"`
			Headers map[string]any  `json:"headers"`
		}{body, a.status, headers})
	}
	if r.in.Sent("_pretty") {
		var b bytes.Buffer
		if json.Indent(&b, body, "", "    ") == nil {
			body = b.Bytes()
		}
	}
	if name := r.in.Text("_jsonp"); callback.MatchString(name) {
		// JSON may hold two line ends that end a line of a script.
		body = bytes.ReplaceAll(body, []byte("\u2028"), []byte(`\u2028`))
		body = bytes.ReplaceAll(body, []byte("\u2029"), []byte(`\u2029`))
		body = []byte("/**/" + name + "(" + string(body) + ")")
		contentType = "application/javascript; charset=UTF-8"
	}
	return body, contentType
}

// etag names the state of an answer by its bytes (RFC 9110, section 8.8.3).
func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// matches reports whether a list of entity tags holds one. Tags of compressed
// answers count as those of the same answer uncompressed.
func matches(list, tag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		item = strings.Replace(item, `-gzip"`, `"`, 1)
		if item == "*" || item == tag {
			return true
		}
	}
	return false
}

// acceptsGzip reports whether Accept-Encoding names gzip and does not forbid it.
func acceptsGzip(accept string) bool {
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
		if strings.TrimSpace(name) == "gzip" {
			q := strings.TrimSpace(parameters)
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// compress compresses a body.
func (s *Server) compress(body []byte) []byte {
	zip, ok := s.zippers.Get().(*gzip.Writer)
	if !ok {
		zip, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	}
	defer s.zippers.Put(zip)
	var b bytes.Buffer
	zip.Reset(&b)
	_, _ = zip.Write(body) // a bytes.Buffer does not fail
	_ = zip.Close()
	return b.Bytes()
}
