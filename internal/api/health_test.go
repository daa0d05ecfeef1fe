package api_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/store"
)

// healthy compares what the server says of itself, and with which status at which
// address.
func healthy(t *testing.T, g *guarded, want string, live, ready, writable int) {
	t.Helper()
	for path, status := range map[string]int{
		"":          max(live, ready, writable),
		"/live":     live,
		"/ready":    ready,
		"/writable": writable,
	} {
		r := httptest.NewRequest("GET", "/_almanac/health"+path, nil)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		retry := ""
		if status == 503 {
			retry = "5"
		}
		if w.Code != status || w.Body.String() != want+"\n" ||
			w.Header().Get("Retry-After") != retry ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf(
				"%s: %d, again after %q, %s; want %d %s",
				path,
				w.Code,
				w.Header().Get("Retry-After"),
				w.Body,
				status,
				want,
			)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	t.Run("well", func(t *testing.T) {
		g := onDisk(t, t.TempDir(), admission.Default())
		healthy(t, g, `{"live":true,"ready":true,"writable":true}`, 200, 200, 200)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("GET", "/_almanac/health/other", nil))
		expect(t, "of what there is not", w, 404, "rest_no_route", "")
	})
	t.Run("whoever asks", func(t *testing.T) {
		g := onDisk(t, t.TempDir(), admission.Limits{
			Rate: limit.Rate{
				N:   1,
				Per: time.Hour,
			},
			Logins: limit.Rate{
				N:   1,
				Per: time.Hour,
			},
			Query: 1,
		})
		for range 5 {
			for _, method := range []string{"GET", "HEAD"} {
				r := httptest.NewRequest(method, "/_almanac/health?_=12345", nil)
				r.Header.Set("Authorization", "Bearer of nobody")
				w := httptest.NewRecorder()
				g.ServeHTTP(w, r)
				if w.Code != 200 || (w.Body.Len() > 0) != (method == "GET") ||
					w.Header().Get("Content-Length") != "43" {
					t.Fatalf("%s: %d %v %s", method, w.Code, w.Header(), w.Body)
				}
			}
		}
		expect(t, "a read", g.ask(here, "", "GET", "/events", ""), 200, "", "")
		expect(
			t,
			"another",
			g.ask(here, "", "GET", "/events", ""),
			429,
			"rest_too_many_requests",
			"3600",
		)
	})
	t.Run("being stopped", func(t *testing.T) {
		stopping := make(chan struct{})
		g := onDisk(t, t.TempDir(), admission.Default())
		accounts, err := account.Memory()
		if err != nil {
			t.Fatal(err)
		}
		if g.Handler, err = api.New(api.Options{
			Store:    g.store,
			Accounts: accounts,
			Stopping: stopping,
		}, almanactest.Routes); err != nil {
			t.Fatal(err)
		}
		healthy(t, g, `{"live":true,"ready":true,"writable":true}`, 200, 200, 200)
		close(stopping)
		healthy(
			t,
			g,
			`{"live":true,"ready":false,"writable":true,"reason":"The server is being stopped."}`,
			200,
			503,
			200,
		)
	})
	t.Run("no room", func(t *testing.T) {
		g := onDisk(t, t.TempDir(), admission.Limits{Free: 1 << 60})
		if _, err := g.store.Free(); errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		healthy(
			t,
			g,
			`{"live":true,"ready":true,"writable":false,"reason":"The disk is nearly full: only editors and administrators can write."}`,
			200,
			200,
			503,
		)
	})
	t.Run("not its own", func(t *testing.T) {
		dir := t.TempDir()
		g := onDisk(t, dir, admission.Default())
		if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
			t.Skip(err)
		}
		w := g.ask(here, "editor", "POST", "/events", fmt.Sprintf(draft, "Short."))
		expect(t, "a write", w, 503, "rest_store_unavailable", "60")
		healthy(
			t,
			g,
			`{"live":true,"ready":true,"writable":false,"reason":"What is on the disk is not what the server wrote. Writing goes on `+
				`when the server was started again."}`,
			200,
			200,
			503,
		)
		expect(t, "a read", g.ask(here, "", "GET", "/events", ""), 200, "", "")
	})
	t.Run("busy", func(t *testing.T) {
		g := onDisk(t, t.TempDir(), admission.Limits{Requests: 1})
		reserved := make(chan struct{})
		release := make(chan struct{})
		done := make(chan struct{})
		go g.store.Update(1, func(*store.Tx) error { // the only place is of one who waits for this
			close(reserved)
			<-release
			return nil
		})
		<-reserved
		go func() {
			defer close(done)
			g.ask(here, "editor", "POST", "/events", fmt.Sprintf(draft, "Short."))
		}()
		for ready := 200; ready == 200; runtime.Gosched() {
			w := httptest.NewRecorder()
			g.ServeHTTP(w, httptest.NewRequest("GET", "/_almanac/health/ready", nil))
			ready = w.Code
		}
		healthy(
			t,
			g,
			`{"live":true,"ready":false,"writable":true,"reason":"The server works on as many requests as it may."}`,
			200,
			503,
			200,
		)
		close(release)
		<-done
		healthy(t, g, `{"live":true,"ready":true,"writable":true}`, 200, 200, 200)
	})
}
