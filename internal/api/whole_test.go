package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/tools/apitest"
)

// fromAddress makes a request of a client.
func fromAddress(client int, path string, fields ...string) *http.Request {
	r := apitest.Request(http.MethodGet, "http://example.com"+path, "", fields...)
	r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(client)}), 4711).
		String()
	return r
}

// A document is made once for all who ask for it meanwhile, and afterwards too. Another one waits
// for its turn, but not for long; and nobody who wants something else waits with them.
func TestDocumentsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := crowded(t, 1200, 300, api.Options{Limits: &admission.Limits{Requests: 1}})
		ask := func(client int, path string) *httptest.ResponseRecorder {
			return apitest.Record(h, fromAddress(client, path))
		}
		free := api.HoldTurn(t, h)
		var waiting sync.WaitGroup
		answers := make([]*httptest.ResponseRecorder, 100)
		for i := range answers {
			waiting.Go(func() { answers[i] = ask(i, documents[0]) })
			synctest.Wait()
		}
		if w := ask(1, v1+"/events"); w.Code != http.StatusOK {
			t.Errorf("a list beside documents that wait: %d %s", w.Code, w.Body)
		}
		free()
		waiting.Wait()
		for i, w := range answers {
			if w.Code != http.StatusOK || w.Body.String() != answers[0].Body.String() ||
				!strings.Contains(w.Body.String(), "SUMMARY:E01199") {
				t.Fatalf("reader %d: %d, %d bytes", i, w.Code, w.Body.Len())
			}
		}
		held := api.DocumentBytes(h)
		if held == 0 || held > int64(answers[0].Body.Len())/4 {
			t.Errorf("%d bytes are held of one with %d", held, answers[0].Body.Len())
		}

		api.HoldTurn(t, h)
		waiting.Go(func() {
			w := ask(1, documents[1])
			expect(t, "another document", w, http.StatusServiceUnavailable, "rest_too_busy", "5")
		})
		synctest.Wait()
		if w := ask(2, documents[0]); w.Body.String() != answers[0].Body.String() {
			t.Errorf("one that is there, while another waits: %d, %d bytes", w.Code, w.Body.Len())
		}
		waiting.Wait()
		if again := api.DocumentBytes(h); again != held {
			t.Errorf("%d bytes are held, and %d before a document was refused", again, held)
		}
	})
}

// Documents have a budget. Those that nobody reads make room for others; those that somebody reads
// stay, and what has no room beside them is refused.
func TestDocumentsHaveABudget(t *testing.T) {
	t.Parallel()
	size := int64(0)
	for _, budget := range []int64{1 << 30, 0} {
		if budget == 0 {
			budget = size * 3 / 2
		}
		h := crowded(t, 700, 300, api.Options{DocumentBytes: budget})
		another := func(i int) string { return fmt.Sprint(documents[0], "&x=", i) }
		for i := range 5 {
			if w := apitest.Record(h, fromAddress(1, another(i))); w.Code != http.StatusOK {
				t.Fatalf("document %d: %d %s", i, w.Code, w.Body)
			}
			if held := api.DocumentBytes(h); held > budget {
				t.Errorf("%d bytes are held of %d", held, budget)
			}
		}
		if size == 0 {
			size = api.DocumentBytes(h) / 5
			continue
		}
		open := make(chan struct{})
		begun := make(chan struct{})
		var reading sync.WaitGroup
		w := &slow{
			ResponseRecorder: httptest.NewRecorder(),
			waits:            sync.OnceFunc(func() { close(begun) }),
			open:             open,
		}
		reading.Go(func() { h.ServeHTTP(w, fromAddress(1, another(9))) })
		<-begun
		refused := apitest.Record(h, fromAddress(2, another(1)))
		expect(
			t,
			"a document beside one that is read",
			refused,
			http.StatusServiceUnavailable,
			"rest_too_busy",
			"5",
		)
		if again := apitest.Record(h, fromAddress(2, another(9))); again.Code != http.StatusOK {
			t.Errorf("the one that is read: %d %s", again.Code, again.Body)
		}
		close(open)
		reading.Wait()
		if next := apitest.Record(h, fromAddress(2, another(1))); next.Code != http.StatusOK ||
			w.Body.Len() == 0 {
			t.Errorf("when it was read: %d %s; it had %d bytes", next.Code, next.Body, w.Body.Len())
		}
		if held := api.DocumentBytes(h); held > budget {
			t.Errorf("%d bytes are held of %d in the end", held, budget)
		}
	}
}

// A client that leaves while its document waits for a turn is waited for no longer, and the others
// who wait for the same get an answer.
func TestDocumentsOfClientsThatLeave(t *testing.T) {
	t.Parallel()
	h := crowded(t, 1200, 300, api.Options{})
	free := api.HoldTurn(t, h)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan *httptest.ResponseRecorder)
	go func() { ended <- apitest.Record(h, fromAddress(1, documents[0]).WithContext(ctx)) }()
	leave()
	if w := <-ended; w.Code != http.StatusServiceUnavailable {
		t.Errorf("without a turn it is answered %d", w.Code)
	}
	free()
	if w := apitest.Record(h, fromAddress(1, documents[0])); w.Code != http.StatusOK {
		t.Errorf("the next one is answered %d %s", w.Code, w.Body)
	}
}

// The error of a client that waited for its turn before is not that of the others who ask for the
// same: each waits for as long.
func TestDocumentsOfOthersWhoWaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := crowded(t, 300, 300, api.Options{})
		free := api.HoldTurn(t, h)
		var waiting sync.WaitGroup
		ask := func(client, status int) {
			waiting.Go(func() {
				if w := apitest.Record(h, fromAddress(client, documents[0])); w.Code != status {
					t.Errorf("client %d: %d, want %d", client, w.Code, status)
				}
			})
			synctest.Wait()
		}
		ask(1, http.StatusServiceUnavailable)
		time.Sleep(4500 * time.Millisecond) // of the bubble
		ask(2, http.StatusOK)
		time.Sleep(2 * time.Second)
		free()
		waiting.Wait()
	})
}

// Documents that are for one request alone leave nothing, also when there is no room for them.
func TestDocumentsForOneRequest(t *testing.T) {
	t.Parallel()
	for _, budget := range []int64{1, 1 << 30} {
		h := crowded(t, 300, 300, api.Options{DocumentBytes: budget})
		for range 3 {
			path := documents[0] + "&password=guess"
			w := apitest.Record(h, fromAddress(1, path, "Authorization", "Bearer token"))
			if held := api.DocumentBytes(h); held != 0 {
				t.Errorf("%d: %d bytes are held of a budget of %d", w.Code, held, budget)
			}
		}
	}
}

// A slow reader takes nothing until it is let.
type slow struct {
	*httptest.ResponseRecorder
	waits func()
	open  chan struct{}
}

func (s *slow) Write(b []byte) (int, error) {
	s.waits()
	<-s.open
	return s.ResponseRecorder.Write(b)
}
