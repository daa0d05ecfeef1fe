// Every answer of every test is held to the document.

package api

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"almanac/i18n"
	"almanac/internal/people/account"
	"almanac/internal/tools/openapitest"
	"almanac/store"
)

// document is a checker for the document of the service.
var document = sync.OnceValue(func() *openapitest.Checker {
	st, err := store.Open(store.Options{})
	if err != nil {
		panic(err)
	}
	defer st.Close()
	accounts, err := account.Memory()
	if err != nil {
		panic(err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{
		Level: slog.LevelError,
	})) // names a text that is missing
	s, err := New(Options{Store: st, Accounts: accounts, Logger: log}, listed)
	if err != nil {
		panic(err)
	}
	checker, err := openapitest.Of(s, i18n.English().Text("response.compatible"))
	if err != nil {
		panic(err)
	}
	return checker
})

// TestMain compares every exchange of the tests with the document, and the document with all
// exchanges at the end. The tests make thousands of small servers: with so little alive the
// collector would take a third of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400)
	watch := openapitest.NewWatch(document())
	testOnlyObserve = func(e Exchange) {
		if bytes.Contains(e.Answer, []byte("zqeventscurrencyposition")) {
			return // the leak matrix hides texts where no request can put one
		}
		watch.See(openapitest.Observation{
			Route:   e.Route,
			Request: e.Request,
			Sent:    e.Sent,
			Status:  e.Status,
			Header:  e.Header,
			Answer:  e.Answer,
		})
	}
	code := m.Run()
	complaints, checked := watch.Verdict()
	for _, complaint := range complaints {
		fmt.Println("not as documented:", complaint)
		code = 1
	}
	if code == 0 && ranAll() {
		for _, gap := range watch.Gaps() {
			if strings.Contains(gap, " /media") || strings.HasPrefix(gap, "Media") {
				continue // package media is above this one, and tests its operations
			}
			fmt.Println("documented, and shown by no test:", gap)
			code = 1
		}
		fmt.Println(checked, "answers held to the document")
	}
	os.Exit(code)
}

// ranAll reports whether no flag chose some of the tests.
func ranAll() bool {
	for _, name := range []string{"test.run", "test.skip", "test.fuzz", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}
