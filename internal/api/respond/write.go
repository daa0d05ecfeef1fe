// Writing answers: the place that touches a ResponseWriter.

package respond

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"
)

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
	if a.File != nil && !r.HeadMeant {
		h["Content-Type"] = []string{a.Media}
		h["Etag"] = []string{a.Tag}
		http.ServeContent(w, r.Request, "", time.Time{}, a.File)
		return
	}
	status := a.Status
	body, contentType := r.formed(a, h)
	tag := a.Tag
	if r.Form != nil && a.Media == "" {
		if tag = ""; r.Form.Envelope {
			status = http.StatusOK
		}
	}
	if status != http.StatusOK || !r.Reads() {
		tag = ""
	} else {
		if tag == "" && body.text != nil {
			tag = Tag(body.text)
		}
		if condition := r.condition(); condition != "" && Matches(condition, tag) {
			notModified(w, tag)
			return
		}
	}
	h["Content-Type"] = contentType
	length := body.size
	isPacked := body.isWorthPacking() && r.AcceptsGzip()
	if isPacked {
		h["Content-Encoding"] = gzipped
		tag = gzipTag(tag)
		length = len(body.stream())
	}
	if tag != "" {
		h["Etag"] = []string{tag}
	}
	if r.HeadMeant {
		length = 0 // of another method, an answer has as many bytes as it says
	}
	h["Content-Length"] = []string{strconv.Itoa(length)}
	w.WriteHeader(status)
	switch { // a client that has gone needs no answer
	case r.Method == http.MethodHead || r.HeadMeant:
	case isPacked:
		_, _ = w.Write(body.stream())
	default:
		_, _ = io.Copy(w, body.Reader())
	}
}

// forming are the places to make another form of a body, which is made for each client anew, and
// formedMost is how many bytes of one are in memory as they are while a client receives it.
var forming = make(chan struct{}, runtime.GOMAXPROCS(0))

const formedMost = 64 << 10

// formed returns the body of an answer in the form that is asked for, and the values of
// Content-Type.
func (r *Request) formed(a *Response, h http.Header) (*Body, []string) {
	body := a.Body
	if body == nil {
		body = Text([]byte{})
	}
	switch {
	case a.Media != "":
		return body, []string{a.Media}
	case r.Form != nil:
		if body.size > LongFrom && r.Turn != nil {
			defer r.Turn()()
		}
		return r.inForm(body, a, h)
	case a.Status >= http.StatusBadRequest: // people read it
		return Text(append(body.Bytes(), '\n')), jsonType
	}
	return body, jsonType
}

// inForm returns a body in the form that is asked for, when there is a place to make it.
func (r *Request) inForm(body *Body, a *Response, h http.Header) (*Body, []string) {
	forming <- struct{}{}
	defer func() { <-forming }()
	text, contentType := r.Form.apply(body.Bytes(), a, h)
	if len(text) < formedMost {
		return Text(text), contentType
	}
	return packed(compress(text), len(text)), contentType
}

// notModified answers a client that has the answer with a tag already.
func notModified(w http.ResponseWriter, tag string) {
	w.Header()["Etag"] = []string{tag}
	w.WriteHeader(http.StatusNotModified)
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
