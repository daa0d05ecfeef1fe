// The whole handler, with requests that nobody has thought of.

package api_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/feed"
	"almanac/store"
)

// answeredWith are the statuses of answers. 500 is not among them; 501 is that of pictures without
// a trash.
var answeredWith = []int{200, 201, 301, 304, 400, 401, 403, 404, 410, 412, 413, 414, 429, 501, 503}

// A target is the world that is asked. It is made anew when something was
// written, so that what an input finds, it finds alone.
type target struct {
	*leakWorld
	seq  uint64
	head [sha256.Size]byte
}

func newTarget(t testing.TB) *target {
	x := &target{
		leakWorld: newLeakWorld(t, secret{
			status: store.Draft,
			by:     account.Administrator,
			linked: true,
		}, true),
	}
	if err := x.serve(api.Options{Also: "/wp-json/tribe/events/v1"}); err != nil {
		t.Fatal(err)
	}
	x.seq, x.head = x.state()
	return x
}

// state returns what stands for everything that is stored.
func (x *target) state() (seq uint64, head [sha256.Size]byte) {
	_ = x.store.View(func(v *store.View) error {
		seq = v.Seq()
		head = v.Head()
		return nil
	})
	return seq, head
}

// raw writes a request as it stands on the wire.
func raw(method, target, header string, body []byte) []byte {
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: calendar.example.org\r\n", method, target)
	for line := range strings.Lines(header) {
		text += strings.TrimRight(line, "\r\n") + "\r\n"
	}
	if len(body) > 0 {
		text += "Content-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	return append([]byte(text+"\r\n"), body...)
}

// FuzzHandler sends any request that net/http accepts: nothing panics, the status is documented
// and not 500, the body matches its type, a request that is refused or anonymous changes nothing,
// the store stays sound, and anonymous callers see nothing hidden.
func FuzzHandler(f *testing.F) {
	seedHandler(f)
	x := newTarget(f)
	f.Fuzz(func(t *testing.T, method, path, header string, body []byte, role uint8) {
		if as := sample.Everybody[int(role)%len(sample.Everybody)]; as != "" &&
			!strings.Contains(strings.ToLower(header), "authorization") {
			header = "Authorization: Bearer " + leakTokens[as] + "\n" + header
		}
		r, err := http.ReadRequest(
			bufio.NewReader(bytes.NewReader(raw(method, path, header, body))),
		)
		if err != nil || r.Host == "" {
			t.Skip("net/http refuses it")
		}
		r.RemoteAddr = "192.0.2.1:4711"
		stranger := !strings.Contains(strings.ToLower(header), "authorization")
		w := httptest.NewRecorder()
		x.ServeHTTP(w, r)

		if !slices.Contains(answeredWith, w.Code) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		status := checkBody(t, r, w)
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Error("the type may be guessed")
		}
		seq, head := x.state()
		changed := seq != x.seq || head != x.head
		if changed && (status >= 300 || stranger) {
			t.Errorf("status %d, and something was stored", status)
		}
		if stranger &&
			!strings.Contains(path+header+string(body), "z") { // nothing that it could have named
			if text := fmt.Sprint(w.Header(), string(unzipped(t, w))); strings.Contains(
				text,
				hiddenTexts,
			) ||
				strings.Contains(text,
					"12.345678") {
				t.Errorf("what is hidden is shown: %s", text)
			}
		}
		if changed || t.Failed() {
			if err := x.store.Check(); err != nil {
				t.Errorf("status %d: %v", status, err)
			}
			x.store.Close()
			x = newTarget(t)
		}
	})
}

// script is the form of an answer to _jsonp.
var script = regexp.MustCompile(`(?s)^/\*\*/[A-Za-z_$][\w$.]*\((.*)\)$`)

// checkBody checks that a body matches the headers, and returns the status of the answer, which
// may be in an envelope.
func checkBody(t *testing.T, r *http.Request, w *httptest.ResponseRecorder) (status int) {
	t.Helper()
	body := w.Body.Bytes()
	h := w.Header()
	if w.Code == http.StatusNotModified {
		if len(body) > 0 || h.Get("Etag") == "" {
			t.Errorf("304 with %d bytes and the tag %q", len(body), h.Get("Etag"))
		}
		return w.Code
	}
	if n,
		err := strconv.Atoi(h.Get("Content-Length")); (err != nil || n != len(body) && !(len(body) == 0 && r.Method == http.MethodHead)) &&
		(h.Get("Content-Length") != "" || h.Get("Content-Disposition") == "" && !strings.Contains(h.Get("Content-Type"),
			"xml")) { // documents of any length are made while they are sent
		t.Errorf("%d bytes, said to be %q", len(body), h.Get("Content-Length"))
	}
	if len(body) == 0 {
		if !strings.EqualFold(r.Method, http.MethodHead) &&
			!strings.EqualFold(r.Header.Get("X-HTTP-Method-Override"),
				http.MethodHead) &&
			!isOverridden(r) {
			t.Error("no body")
		}
		return w.Code
	}
	body = unzipped(t, w)
	switch h.Get("Content-Type") {
	case "text/html; charset=utf-8": // /docs writes it in upper case
		for _, wrong := range apitest.ReadPage(string(body), "http://"+r.Host).Wrong {
			t.Error(wrong)
		}
		if policy := h.Get("Content-Security-Policy"); !strings.HasPrefix(
			policy,
			"default-src 'none'",
		) ||
			strings.Contains(policy,
				"unsafe") {
			t.Errorf("the policy is %q", policy)
		}
		return w.Code
	case "text/plain; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml":
		return w.Code
	case "application/xml; charset=utf-8":
		if err := xml.Unmarshal(body, new(struct{ XMLName xml.Name })); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		return w.Code
	case "application/json; charset=UTF-8":
	case "text/html; charset=UTF-8":
		if w.Code != http.StatusOK || !bytes.HasPrefix(body, []byte("<!DOCTYPE html>")) ||
			h.Get("Content-Security-Policy") == "" {
			t.Errorf("status %d, and no page under a policy: %.200s", w.Code, body)
		}
		return w.Code
	case feed.Calendar.Media:
		if text := string(body); w.Code != http.StatusOK ||
			!strings.HasPrefix(text, "BEGIN:VCALENDAR\r\n") ||
			!strings.HasSuffix(text, "END:VCALENDAR\r\n") ||
			strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("status %d, and no calendar: %s", w.Code, body)
		}
		return w.Code
	case feed.CSV.Media:
		if _, err := csv.NewReader(bytes.NewReader(body)).ReadAll(); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		return w.Code
	case feed.RSS.Media, feed.Atom.Media:
		if err := xml.Unmarshal(body, new(struct{ XMLName xml.Name })); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		return w.Code
	case feed.JSON.Media:
	case "application/javascript; charset=UTF-8":
		parts := script.FindSubmatch(body)
		if parts == nil {
			t.Fatalf("no call: %s", body)
		}
		body = parts[1]
	default:
		t.Fatalf("type %q", h.Get("Content-Type"))
	}
	var envelope struct {
		Status  *int
		Headers map[string]any
		Body    json.RawMessage
	}
	if !json.Valid(body) {
		t.Fatalf("no JSON: %s", body)
	}
	if json.Unmarshal(body, &envelope) == nil && envelope.Status != nil &&
		envelope.Headers != nil {
		return *envelope.Status
	}
	return w.Code
}

// unzipped returns the body of an answer as it was before it was compressed.
func unzipped(t *testing.T, w *httptest.ResponseRecorder) []byte {
	body := w.Body.Bytes()
	if w.Header().Get("Content-Encoding") != "gzip" || len(body) == 0 {
		return body
	}
	zip, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(zip)
	}
	if err != nil {
		t.Fatalf("not gzip: %v", err)
	}
	return body
}

// isOverridden reports whether the query may have made HEAD of another method.
func isOverridden(r *http.Request) bool {
	return strings.EqualFold(r.URL.Query().Get("_method"), "HEAD")
}
