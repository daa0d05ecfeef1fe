package respond

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A slowWriter answers somebody else before it takes what is written.
type slowWriter struct {
	*httptest.ResponseRecorder
	other func()
}

func (w slowWriter) Write(b []byte) (int, error) {
	w.other()
	return w.ResponseRecorder.Write(b)
}

// The compressed answer of another client does not overwrite bytes that a client has not read yet:
// the memory is reused after the answer has been written.
func TestCompressedAnswersStay(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	write := func(w http.ResponseWriter, text string) {
		Write(w, &Request{
			Request: r,
			Root:    []string{"/"},
		}, &Response{
			Status: http.StatusOK,
			Body: Body{
				Text: []byte(text),
			},
		})
	}
	for range 100 { // whose memory is used again is not said
		mine := strings.Repeat("a concert in the park ", 100)
		others := strings.Repeat("behind closed doors ", 100)
		w := slowWriter{httptest.NewRecorder(), func() { write(httptest.NewRecorder(), others) }}
		write(w, mine)
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil || string(got) != mine {
			t.Fatalf("%.60q, %v", got, err)
		}
	}
}

// A long body that is cached with its compressed form is not compressed again, and stays as it was
// made.
func TestLongBodiesAreCompressedOnce(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	text := strings.Repeat("a concert in the park and ", 50_000)
	write := func(l *Long) string {
		w := httptest.NewRecorder()
		Write(w, &Request{
			Request: r,
			Root:    []string{"/"},
		}, &Response{
			Status: http.StatusOK,
			Media:  "text/plain",
			Long:   l,
		})
		return w.Body.String()
	}
	made := write(&Long{Parts: func(yield func([]byte) bool) {
		for part := range strings.SplitAfterSeq(text, " ") {
			if !yield([]byte(part)) {
				return
			}
		}
	}})
	pieces := []*Fragment{{Text: []byte(text[:4*PartSize])}, {Text: []byte(text[4*PartSize:])}}
	for _, p := range pieces {
		p.Gzip()
	}
	l := Again(pieces)
	l.Parts = func(func([]byte) bool) { t.Error("it is compressed again") }
	if got := write(l); got != made {
		t.Errorf("remembered: %d bytes, not %d", len(got), len(made))
	}
}

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lines []string
		want  bool
	}{
		{nil, false},
		{[]string{"gzip"}, true},
		{[]string{"deflate, GZip"}, true},
		{[]string{"deflate", "br;q=1, gzip ; q=0.5"}, true},
		{[]string{"gzip;Q=0"}, false},
		{[]string{"gzip; q=0.000"}, false},
		{[]string{"gzip; q = 0"}, false},
		{[]string{"br, deflate"}, false},
	} {
		r := &Request{Request: &http.Request{Header: http.Header{"Accept-Encoding": test.lines}}}
		if got := r.AcceptsGzip(); got != test.want {
			t.Errorf("%q: %v", test.lines, got)
		}
	}
}

// Conditions may stand on several lines, which are one list (RFC 9110, section 5.3).
func TestNotModified(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lines []string
		want  bool
	}{
		{nil, false},
		{[]string{`"a"`}, true},
		{[]string{`"b"`, `"a"`}, true},
		{[]string{`"b"`, `"c", W/"a"`}, true},
		{[]string{`"b"`, `"c"`}, false},
	} {
		r := &Request{
			Request: &http.Request{
				Method: "GET",
				Header: http.Header{
					"If-None-Match": test.lines,
				},
			},
		}
		if got := r.NotModified(`"a"`); got != test.want {
			t.Errorf("%q: %v", test.lines, got)
		}
	}
}
