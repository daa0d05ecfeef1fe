// Watching a whole run of tests.

package openapitest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
)

// Of makes a checker for the document that a handler gives of itself. See New.
func Of(handler http.Handler, never string) (*Checker, error) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, namespace+"/doc", nil))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("openapitest: the document: status %d: %.200s", w.Code, w.Body)
	}
	return newChecker(w.Body.Bytes(), never)
}

// A Watch checks every observation of a run and keeps what is wrong. It is safe
// for concurrent use.
type Watch struct {
	*Checker

	mu         sync.Mutex
	complaints map[string]bool
	checked    int
}

// NewWatch makes a watch that holds observations to a checker's document.
func NewWatch(c *Checker) *Watch { return &Watch{Checker: c, complaints: map[string]bool{}} }

// See checks an observation.
func (w *Watch) See(o Observation) {
	e, ok := o.exchange()
	if !ok {
		return
	}
	found := w.check(e)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked++
	for _, complaint := range found {
		w.complaints[complaint] = true
	}
}

// Verdict returns what was wrong with all that was seen, each mistake once, and
// how many exchanges were checked.
func (w *Watch) Verdict() (complaints []string, checked int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.complaints)), w.checked
}
