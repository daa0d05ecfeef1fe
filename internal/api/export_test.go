package api

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"almanac/internal/api/admission"
)

// HoldHistories takes the turn to read revisions, and all places of those that wait for it but
// one, until a channel is closed.
func HoldHistories(s *Server, until <-chan struct{}) {
	for range admission.HistoriesWaiting {
		go func() { _ = s.bounds.Histories.Do(context.Background(), admission.Key{}, func() { <-until }) }()
	}
}

// ReadsAtOnce is how many requests of a client that read are worked on at the same time.
func ReadsAtOnce() int { return admission.ReadsAtOnce() }

// HoldSearches takes all turns of searches that read texts until a channel is closed.
func HoldSearches(s *Server, until <-chan struct{}) {
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		go func() { _ = s.bounds.Searches.Do(context.Background(), admission.Key{}, func() { <-until }) }()
	}
}

// SearchesWaiting is how many such searches may wait.
const SearchesWaiting = admission.SearchesWaiting

// DocumentBytes is how many bytes of documents a server has in memory.
func DocumentBytes(s *Server) int64 {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	return s.documents.used
}

// HoldTurn takes the turn to make documents, until free is called or the test ends.
func HoldTurn(t *testing.T, s *Server) (free func()) {
	t.Helper()
	turn := s.documents.making.Hold(admission.Key{Account: 99})
	if err := turn.Grow(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	free = sync.OnceFunc(turn.End)
	t.Cleanup(free)
	return free
}
