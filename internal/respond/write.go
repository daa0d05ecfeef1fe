// Writing answers: the place that touches a ResponseWriter.

package respond

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// gzipFrom is how many bytes an answer has that is worth compressing: a smaller
// one is one packet as it is.
const gzipFrom = 1400

// Write writes an answer.
func Write(w http.ResponseWriter, r *Request, a *Response) {
	h := w.Header()
	r.setHeaders(h, a)
	if a.File != nil {
		defer a.File.Close()
	}
	if a.Status == http.StatusNotModified || r.NotModified(a.Tag) {
		notModified(w, a.Tag)
		return
	}
	switch {
	case a.Long != nil:
		r.writeLong(w, a)
		return
	case a.File != nil && !r.HeadMeant:
		h["Content-Type"], h["Etag"] = []string{a.Media}, []string{a.Tag}
		http.ServeContent(w, r.Request, "", time.Time{}, a.File)
		return
	}
	text := a.Body.Text
	kept := a.Body.fragment
	status := a.Status
	contentType := jsonType
	tag := a.Tag
	switch {
	case a.Media != "":
		contentType = []string{a.Media}
	case r.Form != nil:
		parts, media := r.Form.apply(Part(text), a, h)
		text = whole(parts)
		kept = nil
		contentType = media
		tag = ""
		if r.Form.Envelope {
			status = http.StatusOK
		}
	case status >= http.StatusBadRequest:
		text = append(text, '\n')
		kept = nil // people read it
	}
	if status != http.StatusOK || !r.Reads() {
		tag = ""
	} else {
		if tag == "" {
			tag = Tag(text)
		}
		if condition := r.condition(); condition != "" && Matches(condition, tag) {
			notModified(w, tag)
			return
		}
	}
	h["Content-Type"] = contentType
	if len(text) >= gzipFrom && r.AcceptsGzip() {
		h["Content-Encoding"] = gzipped
		tag = gzipTag(tag)
		if kept != nil {
			text = kept.Gzip()
		} else {
			text = compress(text)
		}
	}
	if tag != "" {
		h["Etag"] = []string{tag}
	}
	if r.HeadMeant {
		text = nil // of another method, an answer has as many bytes as it says
	}
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // a client that has gone needs no answer
	}
}

// notModified answers who has the answer with a tag already.
func notModified(w http.ResponseWriter, tag string) {
	w.Header()["Etag"] = []string{tag}
	w.WriteHeader(http.StatusNotModified)
}

// writeLong writes a body in parts. Only what has a tag already has one.
func (r *Request) writeLong(w http.ResponseWriter, a *Response) {
	h := w.Header()
	status := a.Status
	contentType := jsonType
	tag := a.Tag
	parts := a.Long.Parts
	switch {
	case a.Media != "":
		contentType = []string{a.Media}
	case r.Form != nil:
		parts, contentType = r.Form.apply(parts, a, h)
		if tag = ""; r.Form.Envelope {
			status = http.StatusOK
		}
	}
	if status != http.StatusOK || !r.Reads() {
		tag = ""
	}
	h["Content-Type"] = contentType
	if parts = even(parts); r.AcceptsGzip() {
		h["Content-Encoding"] = gzipped
		tag = gzipTag(tag)
		if parts = compressed(parts); a.Long.pieces != nil {
			parts = joined(a.Long.pieces)
		}
	}
	if r.HeadMeant {
		h["Content-Length"] = []string{"0"} // as in Write
	}
	if tag != "" {
		h["Etag"] = []string{tag}
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	take := a.Long.Take
	give := a.Long.Give
	if take == nil {
		take = func() {}
		give = func() {}
	}
	take()
	for part := range parts {
		give()
		if _, err := w.Write(part); err != nil {
			return // a client that has gone needs no answer
		}
		take()
	}
	give()
}

// AcceptsGzip reports whether Accept-Encoding names gzip and does not forbid it.
func (r *Request) AcceptsGzip() bool {
	for _, line := range r.Header["Accept-Encoding"] {
		for item := range strings.SplitSeq(strings.ToLower(line), ",") {
			name, weight, _ := strings.Cut(item, ";")
			if strings.TrimSpace(name) == "gzip" {
				_, q, weighted := strings.Cut(weight, "=")
				return !weighted || strings.Trim(q, "0. \t") != ""
			}
		}
	}
	return false
}
