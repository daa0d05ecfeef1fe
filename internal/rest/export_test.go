package rest

import (
	"context"
	"net/http"
	"runtime"
)

// HeldBytes is how many bytes of answers a server counts in memory.
func HeldBytes(s *Server) int64 { return s.bounds.answers.Used() }

// HoldSearches takes all turns of searches that read texts until a channel is closed.
func HoldSearches(s *Server, until <-chan struct{}) {
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		go func() { _ = s.searches.Do(context.Background(), rateKey{}, func() { <-until }) }()
	}
}

// SearchesWaiting is how many such searches may wait.
const SearchesWaiting = searchesWaiting

// SetSitemapMost sets how many addresses a sitemap may have.
func SetSitemapMost(s http.Handler, n int) { s.(*Server).sitemapMost = n }
