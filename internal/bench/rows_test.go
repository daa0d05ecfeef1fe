// The rows of the table without a network: what a list, an event, a filter, a
// search and a create cost inside. A piece of machinery shows here more plainly
// than where net/http takes its part, so the ledger of speed is measured with it.

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

// rowQueries returns the queries of one row, some hundred different ones, the same in
// every run.
func rowQueries(row string, c *almanactest.Calendar) []string {
	rng := rand.New(rand.NewPCG(7, uint64(len(c.Events))))
	one := func(ids []int64, most int) int64 { return ids[rng.IntN(min(most, len(ids)))] }
	seldom := c.Words[500:][len(c.Categories)*3/4 : len(c.Categories)] // slugs of categories that few events are of
	var all []string
	for range 300 {
		first := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(700))
		dates := fmt.Sprintf("start_date=%s&end_date=%s", first.Format("2006-01-02"), first.AddDate(0, 0, 10+rng.IntN(290)).Format("2006-01-02"))
		q := "/events?"
		switch row {
		case "pages":
			q += fmt.Sprintf("%s&page=%d", dates, 1+rng.IntN(3))
		case "one event":
			q = fmt.Sprint("/events/", one(c.Events, len(c.Events)))
		case "one filter":
			q += fmt.Sprintf("%s&categories=%d", dates, one(c.Categories, 50))
		case "three filters":
			q += fmt.Sprintf("featured=true&ticketed=true&categories=%d", one(c.Categories, 5))
		case "search":
			q += "search=" + url.QueryEscape(c.Words[50+rng.IntN(1000)])
		case "list page":
			q = fmt.Sprintf("/events/page/%d/", 1+rng.IntN(len(c.Events)/20))
		case "month page":
			q = first.Format("/events/month/2006-01/")
		case "month of a category":
			q = fmt.Sprintf("/events/category/%s/%s/", seldom[rng.IntN(len(seldom))], first.Format("month/2006-01"))
		}
		all = append(all, q)
	}
	return all
}

// A sink takes an answer and forgets it.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

func BenchmarkRow(b *testing.B) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := store.Open(store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			calendar, err := almanactest.Generate(s, n)
			if err != nil {
				b.Fatal(err)
			}
			for _, mode := range []struct {
				name    string
				options almanactest.Options
				rows    []string
			}{
				{"again", almanactest.Options{}, []string{"pages", "one event"}},
				{"anew", almanactest.Options{Explain: true},
					[]string{"pages", "one event", "one filter", "three filters", "search", "list page", "month page", "month of a category"}},
				{"nothing kept", almanactest.Options{CacheBytes: -1}, []string{"pages", "one event"}},
			} {
				mode.options.Store, mode.options.Now = s, now
				handler, token, err := almanactest.Handler(mode.options)
				if err != nil {
					b.Fatal(err)
				}
				for _, row := range mode.rows {
					b.Run(mode.name+"/"+row, func(b *testing.B) { benchmarkRow(b, handler, rowQueries(row, calendar)) })
				}
				if mode.name == "again" {
					b.Run("create", func(b *testing.B) { benchmarkCreate(b, handler, token) })
				}
			}
		})
	}
}

func benchmarkRow(b *testing.B, handler http.Handler, queries []string) {
	var requests []*http.Request
	w := &sink{}
	for _, q := range queries {
		if !strings.HasSuffix(q, "/") { // it is no page for people
			q = "/cal/events/v1" + q
		}
		r := httptest.NewRequest("GET", "http://127.0.0.1:8080"+q, nil)
		w.header, w.status = http.Header{}, 0
		if handler.ServeHTTP(w, r); w.status == http.StatusOK { // some events are drafts
			requests = append(requests, r)
		}
	}
	if len(requests) < len(queries)/2 {
		b.Fatalf("%d of %d requests are answered", len(requests), len(queries))
	}
	b.ReportAllocs()
	defer reportProcessor(b)()
	for i := 0; b.Loop(); i++ {
		w.header = make(http.Header, 16)
		handler.ServeHTTP(w, requests[i%len(requests)])
	}
}

func benchmarkCreate(b *testing.B, handler http.Handler, token string) {
	const body = `{"title":"Summer fair","description":"Bands play. It's free.",
		"start_date":"2031-05-10 14:00:00","end_date":"2031-05-10 18:00:00"}`
	w := &sink{}
	b.ReportAllocs()
	defer reportProcessor(b)()
	for b.Loop() {
		r := httptest.NewRequest("POST", "http://127.0.0.1:8080/cal/events/v1/events", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w.header = make(http.Header, 16)
		handler.ServeHTTP(w, r)
	}
	if w.status != http.StatusCreated {
		b.Fatalf("status %d", w.status)
	}
}

// reportProcessor reports the processor time of what happens until its result is
// called, which other programs disturb less than they do the time on the wall.
func reportProcessor(b *testing.B) func() {
	before := processorTime()
	return func() { b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op") }
}
