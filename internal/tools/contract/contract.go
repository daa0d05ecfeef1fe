// Package contract compares what servers answer in tests with the OpenAPI document
// of the service. It is for tests, and no part of the program.
//
//	srv := contract.Start(t, almanactest.Options{})  // as almanactest.Start, and every answer is compared
//	options.Observe = contract.Observe(t)            // the same for a server that is made otherwise
//
// A test fails at its end with what its servers answered that is not as documented.
package contract

import (
	"fmt"
	"sync"
	"testing"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/tools/openapitest"
	"almanac/store"
)

// Start starts a server as almanactest.Start does, and compares its answers.
func Start(tb testing.TB, o almanactest.Options) *almanactest.Server {
	tb.Helper()
	o.Observe = Observe(tb)
	return almanactest.Start(tb, o)
}

// Observe returns what compares the exchanges that it is called with, until the test
// ends. Servers have to be made after it, so that they are closed before.
func Observe(tb testing.TB) func(almanactest.Exchange) {
	tb.Helper()
	checker, err := document()
	if err != nil {
		tb.Fatal(err)
	}
	watch := openapitest.NewWatch(checker)
	tb.Cleanup(func() {
		complaints, _ := watch.Verdict()
		for _, complaint := range complaints {
			tb.Error("not as documented:", complaint)
		}
	})
	return func(e almanactest.Exchange) {
		watch.See(openapitest.Observation{
			Route:   e.Route,
			Request: e.Request,
			Sent:    e.Sent,
			Status:  e.Status,
			Header:  e.Header,
			Answer:  e.Answer,
		})
	}
}

// document returns a checker for the document that a server gives of itself.
var document = sync.OnceValues(func() (*openapitest.Checker, error) {
	st, err := store.Open(store.Options{})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	handler, _, err := almanactest.Handler(almanactest.Options{Store: st})
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	return openapitest.Of(handler, i18n.English().Text("response.compatible"))
})
