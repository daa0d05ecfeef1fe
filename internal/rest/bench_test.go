// What requests cost inside, without a network.

package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

// A sink takes an answer and forgets it.
type sink struct {
	header http.Header
	bytes  int
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { s.bytes += len(b); return len(b), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

func BenchmarkRequest(b *testing.B) {
	s, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	made, err := almanactest.Generate(s, 100_000)
	if err != nil {
		b.Fatal(err)
	}
	handler, _, err := almanactest.Handler(almanactest.Options{Store: s, Now: time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC)})
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct{ name, path string }{
		{"default window", "/events"},
		{"a page of a range", "/events?start_date=2030-07-01&end_date=2031-02-01&per_page=10&page=30"},
		{"the last page", "/events?start_date=2030-07-01&end_date=2030-07-11&page=95"},
		{"one category", fmt.Sprint("/events?start_date=2030-07-01&end_date=2032-02-01&categories=", made.Categories[3])},
		{"one venue", fmt.Sprint("/events?start_date=2030-07-01&end_date=2032-02-01&venue=", made.Venues[3])},
		{"three filters", fmt.Sprint("/events?start_date=2030-07-01&end_date=2032-02-01&featured=1&ticketed=1&categories=", made.Categories[0])},
		{"one event", fmt.Sprint("/events/", made.Events[5])},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := httptest.NewRequest("GET", "http://127.0.0.1:8080/cal/events/v1"+bench.path, nil)
			w := &sink{}
			b.ReportAllocs()
			for b.Loop() {
				w.header = make(http.Header, 16)
				handler.ServeHTTP(w, r)
			}
			if w.status != http.StatusOK {
				b.Fatalf("status %d", w.status)
			}
		})
	}
}
