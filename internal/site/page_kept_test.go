// Pages that are remembered, and who is shown them.

package site_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"

	"github.com/google/go-cmp/cmp"
)

// A cached page is never the answer to another request: two servers of one calendar, one of them
// without a cache, answer the same, whatever was asked before.
func TestKeptPages(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	zone, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	serve := func(bytes int64) http.Handler {
		s, err := api.New(api.Options{
			Store:      c.Store,
			Clock:      c.Clock,
			Site:       zone,
			Pages:      true,
			NoLimits:   true,
			Negotiate:  true,
			CacheBytes: bytes,
			Accounts:   accounts,
		}, almanactest.Routes)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	keeping := serve(0)
	keepless := serve(-1)
	music := c.Fill(t, "categories={Music}")
	for _, group := range [][]string{ // the pages of each have the same address or the same query behind the page
		{"/events/", "/events/?featured=no", "/events/?featured=", "/events/?categories=x", "/events/?tribe-bar-search=%20",
			"/events/?eventDisplay=nothing", "/events/?tribe-bar-date=", "/events", "/EVENTS/", "/events/?utm_source=x", "/", "/events/?page=2"},
		{"/events/?" + music, "/events/?tribe_events_cat=music", "/events/?tribe_events_cat=MUSIC", "/events/category/music/",
			"/events/category/Music/", "/events/?" + music + "&tribe_events_cat=music"},
		{"/events/?tribe-bar-date=2031-04", "/events/?tribe-bar-date=2031-04-01", "/events/2031-04/", "/events/month/2031-04/",
			"/events/month/?tribe-bar-date=2031-04-10", "/events/month/?tribe-bar-date=2031-04-11"},
		{"/events/?featured=1", "/events/?featured=true", "/events/?featured=/featured", "/events/featured/"},
		{"/event/one/", "/?p=" + c.Fill(t, "{One}"), "/?tribe_events=one", "/event/one/?tribe-bar-search=x", "/event/one/?password=pw"},
		{"/event/locked/", "/event/locked/?password=pw", "/?tribe_events=locked&password=pw"},
		{"/venue/hall/", "/venue/hall/?tribe_organizer=ann", "/organizer/ann/?tribe_venue=hall", "/venue/hall/?featured=x"},
	} {
		for _, path := range group {
			for _, language := range []string{"", "de", "ar"} {
				ask := func(h http.Handler) *httptest.ResponseRecorder {
					return apitest.Serve(
						h,
						http.MethodGet,
						"http://example.com"+path,
						"",
						"Accept",
						"text/html",
						"Accept-Language",
						language,
					)
				}
				for range 3 { // it is remembered when it is asked for the second time
					want := ask(keepless)
					got := ask(keeping)
					if diff := cmp.Diff(want.Body.String(), got.Body.String()); diff != "" {
						t.Fatalf("%s in %q (-anew, +kept):\n%s", path, language, diff)
					}
					if diff := cmp.Diff(want.Header(), got.Header()); diff != "" {
						t.Fatalf("%s in %q: header (-anew, +kept):\n%s", path, language, diff)
					}
				}
			}
		}
	}
}

// BenchmarkPage makes pages anew, of parts that are kept: a query that no page reads makes each
// another.
func BenchmarkPage(b *testing.B) {
	city := almanactest.Start(b, almanactest.Options{Now: sample.Evening})
	city.SeedFile("@city")
	accounts, err := account.Memory()
	if err != nil {
		b.Fatal(err)
	}
	zone, err := caltime.LoadZone("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	s, err := api.New(api.Options{
		Store:    city.Store,
		Clock:    city.Clock,
		Site:     zone,
		Pages:    true,
		NoLimits: true,
		Accounts: accounts,
		Observe:  func(api.Exchange) {},
	}, almanactest.Routes)
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range []string{"/events/", "/events/month/", "/de/events/"} {
		for _, query := range []string{"", "?anew="} {
			b.Run(path+query, func(b *testing.B) {
				for n := 0; b.Loop(); n++ {
					asked := path + query
					if query != "" {
						asked += string(
							rune('a'+n%26),
						) + string(
							rune('a'+n/26%26),
						) + string(
							rune('a'+n/676%26),
						) + string(
							rune('a'+n/676/26%26),
						)
					}
					if w := apitest.Serve(s, http.MethodGet, "http://example.com"+asked, "", "Accept", "text/html"); w.Code != http.StatusOK {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}
