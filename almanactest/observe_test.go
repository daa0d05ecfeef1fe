// Every answer of every test is held to the document.

package almanactest

import (
	"fmt"
	"os"
	"testing"

	"almanac/i18n"
	"almanac/internal/conform"
	"almanac/internal/rest"
	"almanac/store"
)

func TestMain(m *testing.M) {
	st, err := store.Open(store.Options{})
	if err != nil {
		panic(err)
	}
	handler, _, err := Handler(Options{Store: st})
	if err != nil {
		panic(err)
	}
	checker, err := conform.Of(handler, i18n.English().Text("response.compatible"))
	if err != nil {
		panic(err)
	}
	st.Close()
	watch := conform.NewWatch(checker)
	testOnlyObserve = func(e rest.Exchange) {
		watch.See(conform.Observation{Route: e.Route, Request: e.Request, Sent: e.Sent, Status: e.Status, Header: e.Header, Answer: e.Answer})
	}
	code := m.Run()
	complaints, _ := watch.Verdict()
	for _, complaint := range complaints {
		fmt.Println("not as documented:", complaint)
		code = 1
	}
	os.Exit(code)
}
