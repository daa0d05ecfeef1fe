package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A client sends its token to the server that it was given and to no other, whether it is asked
// through a proxy or not, and says why there is no answer without the address.
func TestDo(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed: %s %s", r.Method, r.URL)
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", elsewhere.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
		fmt.Fprint(
			w,
			r.Method,
			" ",
			r.URL.Path,
			" ",
			r.Header.Get("Authorization"),
			" ",
			r.Header.Get("Content-Type"),
			" ",
			r.ContentLength,
		)
	}))
	defer server.Close()
	c := Client{Site: server.URL + "/", Token: "secret", Timeout: time.Hour}
	for body, want := range map[string]string{
		"":   "GET /a Bearer secret  0",
		"{}": "POST /a Bearer secret application/json 2",
	} {
		method, _, _ := strings.Cut(want, " ")
		sent := []byte(body)
		if body == "" {
			sent = nil
		}
		a, err := c.Do(t.Context(), method, "/a", sent, "")
		if err != nil || string(a.Body) != want || a.Code != http.StatusTemporaryRedirect ||
			a.Status != "307 Temporary Redirect" {
			t.Errorf("%+v, %q, %v, want %q", a, a.Body, err, want)
		}
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if a, err := (&Client{
		Site: gone.URL,
	}).Do(t.Context(), "GET", "/a", nil, ""); err == nil || strings.Contains(err.Error(), "http://") {
		t.Errorf("nobody answered %+v, %v", a, err)
	}
}
