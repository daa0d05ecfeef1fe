package api_test

// Searches that take long.

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/store"
)

// A search that would read too many texts is refused, few that read are worked on
// at a time, few more wait, and one whose client has left waits no more.
func TestLongSearches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events []*store.Event
		for i := range 600 {
			events = append(events, &store.Event{
				Post: store.Post{
					Description: strings.Repeat("big band ", 60),
				},
				Title: fmt.Sprint("x", i),
			})
		}
		const path = "/events?starts_after=2000-01-01&per_page=1&_fields=total&search="
		g := guard(t, almanactest.Options{}, events...)
		total := func(what, query string) {
			t.Helper()
			if w := g.ask(here, "", "GET", path+query, ""); w.Code != 200 ||
				w.Body.String() != `{"total":600}` {
				t.Errorf("%s: %d %s", what, w.Code, w.Body)
			}
		}
		total("a phrase", "%22big+band%22")

		reserved := make(chan struct{})
		api.HoldSearches(g.Handler.(*api.Server), reserved)
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		for i := range api.SearchesWaiting {
			waiting.Go(func() {
				r := httptest.NewRequestWithContext(
					ctx,
					http.MethodGet,
					v1+path+"%22big+band%22",
					nil,
				)
				r.RemoteAddr = fmt.Sprintf("198.51.100.%d:4711", i)
				w := httptest.NewRecorder()
				g.ServeHTTP(w, r)
				expect(t, "one whose client has left", w, 503, "rest_too_busy", "1")
			})
		}
		synctest.Wait()
		expect(
			t,
			"one more than may wait",
			g.ask(here, "", "GET", path+"%22big+band%22", ""),
			503,
			"rest_too_busy",
			"1",
		)
		total("words, which nobody reads for", "big+band")
		leave()
		waiting.Wait()
		close(reserved)
		synctest.Wait()
		total("a phrase, after all that", "%22big+band%22")

		g = guard(t, almanactest.Options{Limits: &admission.Limits{Search: 300_000}}, events...)
		expect(
			t,
			"a phrase that many texts have to be read for",
			g.ask(here, "", "GET", path+"%22big+band%22", ""),
			400,
			"rest_invalid_param",
			"",
		)
		total("its words", "big+band")
		expect(
			t,
			"few texts with it",
			g.ask(here, "", "GET", path+"x7+%22big+band%22", ""),
			200,
			"",
			"",
		)
	})
}

// A client has few requests at a time that read, of the API and of pages together. Its others
// wait, those of another client and its own writes do not, and those beyond half of -max-requests
// are refused.
func TestReadsOfOneClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events []*store.Event
		for i := range 600 {
			events = append(events, &store.Event{
				Post: store.Post{
					Description: strings.Repeat("big band ", 60),
				},
				Title: fmt.Sprint("x", i),
			})
		}
		const requests = 64
		g := guard(t, almanactest.Options{
			Limits: &admission.Limits{
				Requests: requests,
			},
		}, events...)
		reserved := make(chan struct{})
		api.HoldSearches(g.Handler.(*api.Server), reserved)
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		answered := map[int]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		ask := func(ctx context.Context, from, token, path string) {
			all.Go(func() {
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
				r.RemoteAddr = from + ":4711"
				if token != "" {
					r.Header.Set("Authorization", "Bearer "+token)
				}
				w := httptest.NewRecorder()
				g.ServeHTTP(w, r)
				mu.Lock()
				defer mu.Unlock()
				answered[w.Code]++
			})
			synctest.Wait()
		}
		expectAnswered := func(what string, want map[int]int) {
			t.Helper()
			if diff := cmp.Diff(want, answered); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
		for i := range api.ReadsAtOnce() {
			ask(
				t.Context(),
				here,
				"",
				fmt.Sprintf(
					"%s/events?starts_after=2000-01-01&search=%%22big+band%%22&page=%d",
					v1,
					i+1,
				),
			)
		}
		ask(t.Context(), here, "", v1+"/venues?page=3&per_page=1")
		ask(t.Context(), here, "", "/events/")
		expectAnswered("all of these wait", map[int]int{})
		expect(t, "another client", g.ask(there, "", "GET", "/venues?per_page=2", ""), 200, "", "")
		expect(t, "an account", g.ask(here, g.token, "GET", "/venues?per_page=3", ""), 200, "", "")
		expect(
			t,
			"a write",
			g.ask(here, g.token, "POST", "/tags", `{"name":"choir"}`),
			201,
			"",
			"",
		)
		for i := range requests/2 - 2 {
			ask(ctx, here, "", fmt.Sprintf("%s/venues?per_page=%d", v1, i+10))
		}
		expectAnswered("half of the queue waits", map[int]int{})
		expect(
			t,
			"one more",
			g.ask(here, "", "GET", "/venues?per_page=8", ""),
			503,
			"rest_too_busy",
			"1",
		)
		expect(
			t,
			"another client beside the queue",
			g.ask(there, "", "GET", "/venues?per_page=4", ""),
			200,
			"",
			"",
		)
		leave()
		synctest.Wait()
		expectAnswered("clients that left", map[int]int{503: requests/2 - 2})
		ask(t.Context(), here, "", v1+"/venues?per_page=9")
		time.Sleep(10 * time.Second)
		synctest.Wait()
		expectAnswered("after ten seconds", map[int]int{503: requests/2 + 1})
		close(reserved)
		all.Wait()
		expectAnswered("in the end", map[int]int{200: api.ReadsAtOnce(), 503: requests/2 + 1})
	})
}
