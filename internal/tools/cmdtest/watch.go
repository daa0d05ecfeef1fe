// Answers and the document of the API.

package cmdtest

import (
	"fmt"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/openapitest"
	"almanac/store"
)

// Watched holds every exchange that tests show it to the document of the API, and returns the
// status of the tests, or 1 after complaints.
func Watched(tests func(see func(api.Exchange)) (status int)) (status int) {
	watch := watchAnswers()
	status = tests(func(e api.Exchange) {
		watch.See(openapitest.Observation{
			Route:   e.Route,
			Request: e.Request,
			Sent:    e.Sent,
			Status:  e.Status,
			Header:  e.Header,
			Answer:  e.Answer,
		})
	})
	complaints, _ := watch.Verdict()
	for _, complaint := range complaints {
		fmt.Println("not as documented:", complaint)
		status = 1
	}
	return status
}

// watchAnswers holds answers to the document.
func watchAnswers() *openapitest.Watch {
	st, err := store.Open(store.Options{})
	if err != nil {
		panic(err)
	}
	defer st.Close()
	accounts, err := account.Memory()
	if err != nil {
		panic(err)
	}
	handler, err := api.New(api.Options{Store: st, Accounts: accounts}, almanactest.Routes)
	if err != nil {
		panic(err)
	}
	checker, err := openapitest.Of(handler, i18n.English().Text("response.compatible"))
	if err != nil {
		panic(err)
	}
	return openapitest.NewWatch(checker)
}
