package rest_test

import (
	"net/http"
	"testing"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/rest"
	"almanac/internal/resttest"
)

// BenchmarkPage makes pages anew, of parts that are kept: a query that no page reads makes each another.
func BenchmarkPage(b *testing.B) {
	city := almanactest.Start(b, almanactest.Options{Now: evening})
	city.SeedFile("@city")
	accounts, err := account.Memory()
	if err != nil {
		b.Fatal(err)
	}
	zone, err := caltime.LoadZone("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	s, err := rest.New(rest.Options{Store: city.Store, Clock: city.Clock, Site: zone, Pages: true, NoLimits: true, Accounts: accounts,
		Observe: func(rest.Exchange) {}}, almanactest.Routes)
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range []string{"/events/", "/events/month/", "/de/events/"} {
		for _, query := range []string{"", "?anew="} {
			b.Run(path+query, func(b *testing.B) {
				for n := 0; b.Loop(); n++ {
					asked := path + query
					if query != "" {
						asked += string(rune('a'+n%26)) + string(rune('a'+n/26%26)) + string(rune('a'+n/676%26)) + string(rune('a'+n/676/26%26))
					}
					if w := resttest.Serve(s, http.MethodGet, "http://example.com"+asked, "", "Accept", "text/html"); w.Code != http.StatusOK {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}
