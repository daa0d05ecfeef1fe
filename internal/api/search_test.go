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

	"almanac/almanactest"
	"almanac/internal/admission"
	"almanac/internal/api"
	"almanac/store"
)

// A search that would read too many texts is refused, few that read are worked on
// at a time, few more wait, and one whose client has left waits no more.
func TestLongSearches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events []*store.Event
		for i := range 600 {
			events = append(events, &store.Event{Post: store.Post{Description: strings.Repeat("big band ", 60)}, Title: fmt.Sprint("x", i)})
		}
		const path = "/events?starts_after=2000-01-01&per_page=1&_fields=total&search="
		g := guard(t, almanactest.Options{}, events...)
		total := func(what, query string) {
			t.Helper()
			if w := g.ask(here, "", "GET", path+query, ""); w.Code != 200 || w.Body.String() != `{"total":600}` {
				t.Errorf("%s: %d %s", what, w.Code, w.Body)
			}
		}
		total("a phrase", "%22big+band%22")

		reserved := make(chan struct{})
		api.HoldSearches(g.Handler.(*api.Server), reserved)
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		for range api.SearchesWaiting {
			waiting.Go(func() {
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, v1+path+"%22big+band%22", nil)
				w := httptest.NewRecorder()
				g.ServeHTTP(w, r)
				expect(t, "one whose client has left", w, 503, "rest_too_busy", "1")
			})
		}
		synctest.Wait()
		expect(t, "one more than may wait", g.ask(here, "", "GET", path+"%22big+band%22", ""), 503, "rest_too_busy", "1")
		total("words, which nobody reads for", "big+band")
		leave()
		waiting.Wait()
		close(reserved)
		synctest.Wait()
		total("a phrase, after all that", "%22big+band%22")

		g = guard(t, almanactest.Options{Limits: &admission.Limits{Search: 300_000}}, events...)
		expect(t, "a phrase that many texts have to be read for", g.ask(here, "", "GET", path+"%22big+band%22", ""), 400,
			"rest_invalid_param", "")
		total("its words", "big+band")
		expect(t, "few texts with it", g.ask(here, "", "GET", path+"x7+%22big+band%22", ""), 200, "", "")
	})
}
