package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A crawler pauses between requests, comes again when the site asks for it, reads no more than it
// may, and sends the credentials to no other host.
func TestCrawler(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "other ", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	elsewhere := "http://localhost" + other.URL[len("http://127.0.0.1"):]
	tries := map[string]int{}
	var mu sync.Mutex
	try := func(path string, more int) int { // returns how often a path was asked for
		mu.Lock()
		defer mu.Unlock()
		tries[path] += more
		return tries[path]
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		login, password, _ := r.BasicAuth()
		switch n := try(r.URL.Path, 1); {
		case r.URL.Path == "/busy" && n == 1:
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/busy" && n == 2:
			w.Header().Set("Retry-After", now.Add(time.Minute).Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/cut" && n < 3:
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/down":
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == "/closed":
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/moved":
			http.Redirect(w, r, elsewhere, http.StatusFound)
		default:
			fmt.Fprint(w, login, " ", password, " ", r.UserAgent(), " ", r.Header.Get("Accept"))
		}
	}))
	defer site.Close()
	type result struct {
		Code   int
		Body   string
		Tries  int
		Pauses []time.Duration
	}
	for path, want := range map[string]result{
		"/":       {200, "ann secret " + Agent + " text/calendar", 1, nil},
		"/busy":   {200, "ann secret " + Agent + " text/calendar", 3, []time.Duration{30 * time.Second, time.Minute}},
		"/cut":    {200, "ann secret " + Agent + " text/calendar", 3, nil},
		"/down":   {502, "", 5, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}},
		"/closed": {503, "", 1, nil},
		"/moved":  {200, "other ", 1, nil},
	} {
		var pauses []time.Duration
		c := Crawler{
			Login:    "ann",
			Password: "secret",
			Accept:   "text/calendar",
			Most:     50,
			Now:      func() time.Time { return now },
			Sleep: func(_ context.Context, d time.Duration) error {
				if d > 0 {
					pauses = append(pauses, d)
				}
				return nil
			},
		}
		page, err := c.Get(asPublic(t.Context()), site.URL+path)
		if path == "/cut" { // net/http tries once more by itself if the connection was an old one
			pauses = nil
		}
		if diff := cmp.Diff(want, result{page.Code, string(page.Body), try(path, 0), pauses}); diff != "" ||
			err != nil {
			t.Errorf("%s: %v %s", path, err, diff)
		}
	}
	var waited time.Duration
	c := Crawler{
		Interval: time.Second,
		Most:     4,
		Named:    site.URL,
		Now:      func() time.Time { return now },
		Sleep:    func(_ context.Context, d time.Duration) error { waited += d; return nil },
	}
	for range 3 {
		if _, err := c.Get(t.Context(), site.URL+"/long"); !errors.Is(err, ErrTooLong) {
			t.Error(err)
		}
	}
	if waited != 3*time.Second { // 0, 1 and 2
		t.Errorf("three requests waited %v", waited)
	}
	if _, err := c.Get(t.Context(), "file:///etc/passwd"); err == nil {
		t.Error("a file was read")
	}
	c.Tries = 1
	before := try("/down", 0)
	if page, err := c.Get(t.Context(), site.URL+"/down"); err != nil || page.Code != 502 ||
		try("/down", 0) != before+1 {
		t.Errorf("one try: %v, %d, %d tries", err, page.Code, try("/down", 0)-before)
	}
	c.Login = "ann"
	if _, err := c.Get(t.Context(), "http://calendar.example.org/"); err == nil ||
		!strings.Contains(err.Error(), "https") {
		t.Errorf("a password was sent for all to read: %v", err)
	}
	stay := errors.New("another site")
	c.Stay = func(to *url.URL) error { return stay }
	before = try("/moved", 0)
	if _, err := c.Get(t.Context(), site.URL+"/moved"); !errors.Is(err, stay) ||
		try("/moved", 0) != before+1 {
		t.Errorf("a redirect was followed, or tried %d times: %v", try("/moved", 0)-before, err)
	}
}
