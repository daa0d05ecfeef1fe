package respond

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// texts are bodies that compress well, badly and not at all.
func texts() [][]byte {
	random := make([]byte, 100_000)
	rng := rand.NewChaCha8([32]byte{1})
	_, _ = rng.Read(random)
	return [][]byte{
		{},
		[]byte("a"),
		[]byte(strings.Repeat("a", gzipFrom-1)),
		[]byte(strings.Repeat("a", gzipFrom)),
		[]byte(strings.Repeat("some words ", 50_000)),
		random,
	}
}

// A body has the same text however it was made and is sent.
func TestBodies(t *testing.T) {
	t.Parallel()
	for _, text := range texts() {
		packed, err := Pack(func(w io.Writer) error {
			for part := range bytes.SplitAfterSeq(text, []byte(" ")) {
				if _, err := w.Write(part); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		bodies := map[string]*Body{"text": Text(text), "asset": Asset(text), "packed": packed}
		for name, body := range bodies {
			if body.Size() != len(text) || !bytes.Equal(body.Bytes(), text) {
				t.Errorf("%s of %d bytes has %d", name, len(text), body.Size())
			}
			for _, coding := range []string{"", "gzip"} {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.Header.Set("Accept-Encoding", coding)
				w := httptest.NewRecorder()
				Write(w, &Request{Request: r, Root: []string{"/"}}, &Response{
					Status: http.StatusOK,
					Body:   body,
				})
				if got := w.Header().Get("Content-Length"); got == "" ||
					w.Result().ContentLength != int64(w.Body.Len()) {
					t.Errorf("%s of %d bytes says %s", name, len(text), got)
				}
				got := w.Body.Bytes()
				if w.Header().Get("Content-Encoding") == "gzip" {
					z, err := gzip.NewReader(w.Body)
					if err != nil {
						t.Fatal(err)
					}
					if got, err = io.ReadAll(z); err != nil {
						t.Fatal(err)
					}
				} else if coding == "gzip" && len(text) >= gzipFrom {
					t.Errorf("%s of %d bytes is not compressed", name, len(text))
				}
				if diff := cmp.Diff(text, got, cmp.Comparer(bytes.Equal)); diff != "" {
					t.Errorf(
						"%s of %d bytes, %q (-want +got):\n%.300s",
						name,
						len(text),
						coding,
						diff,
					)
				}
			}
			stream := int64(len(body.stream()))
			if memory := body.Memory(); memory+100 < stream ||
				name == "text" && len(text) > gzipFrom &&
					len(text) < 90_000 && memory < stream+int64(len(text)) {
				t.Errorf("%s of %d bytes counts %d", name, len(text), memory)
			}
		}
	}
	styles := []byte(strings.Repeat("main { margin: 0 auto } .day { margin: 0 1rem } ", 99))
	if file, text := len(Asset(styles).stream()), len(Text(styles).stream()); file >= text {
		t.Errorf("an asset has %d bytes, another text %d", file, text)
	}
	failed := errors.New("failed")
	if _, err := Pack(func(io.Writer) error { return failed }); err != failed {
		t.Errorf("a body that could not be written: %v", err)
	}
}

// Members are selected in the order of the object, with their values as they were written.
func TestSelectFields(t *testing.T) {
	t.Parallel()
	const object = `{"a":{"b":1.50,"c":[{"b":2}]},"q\"\\":"\u003c<","b":[1,2],"json_ld":{"x":{"b":null}},"a.b":true}`
	for fields, want := range map[string]string{
		"b,a":         `{"a":{"b":1.50,"c":[{"b":2}]},"b":[1,2]}`,
		" a.b ":       `{"a":{"b":1.50}}`,
		"a.b,a":       `{"a":{"b":1.50,"c":[{"b":2}]}}`,
		"a,a.b":       `{"a":{"b":1.50,"c":[{"b":2}]}}`,
		"a.c.b":       `{"a":{"c":[]}}`,
		"b.x":         `{"b":[]}`,
		`q"\`:         `{"q\"\\":"\u003c<"}`,
		"json_ld.x.y": `{"json_ld":{"x":{"b":null}}}`,
		"none":        `{}`,
		"a.none":      `{"a":{}}`,
		".":           `{}`,
	} {
		got := string(selectFields([]byte(object), wantedOf(fields)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("_fields=%s (-want +got):\n%s", fields, diff)
		}
	}
	for value, want := range map[string]string{`[{"a":1}]`: "[]", `"a"`: `"a"`, "null": "null"} {
		if got := string(selectFields([]byte(value), wantedOf("a"))); got != want {
			t.Errorf("of %s are left %s, want %s", value, got, want)
		}
	}
}

// A form that breaks off leaves its place to others.
func TestFormsThatBreakOff(t *testing.T) {
	t.Parallel()
	r := &Request{Request: httptest.NewRequest(http.MethodGet, "/", nil), Form: &Form{Pretty: true}}
	for range 10 * cap(forming) {
		func() {
			defer func() { _ = recover() }()
			broken := &Body{size: 1, stream: func() []byte { return []byte("no stream") }}
			r.inForm(broken, &Response{}, http.Header{})
		}()
	}
	if got, _ := r.inForm(Text([]byte("{}")), &Response{}, http.Header{}); got.Size() == 0 {
		t.Error("there is no text")
	}
}
