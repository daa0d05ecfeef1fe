// Slugs in the language of the site.

package site_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Slugs of names are spelled as in the language of the site, whatever the language of the request.
// Slugs that are there stay.
func TestSlugsInTheLanguageOfTheSite(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{
		"de": "mueller-strasse mueller-ost mueller-strasse mueller-strasse mueller-strasse mueller-strasse mueller-tag mueller-strasse-2 muller",
		"da": "muller-strase muller-ost muller-strase muller-strase muller-strase muller-strase muller-tag muller-strase-2 muller",
	} {
		c := sample.New(t)
		old := c.Add(&store.Event{
			Title: "Müller",
			Start: sample.Local(t, "2031-05-01 10:00:00"),
			End:   sample.Local(t, "2031-05-01 11:00:00"),
			Post:  store.Post{Slug: "muller"},
		})
		accounts, err := account.Memory(account.User{
			Account: account.Account{
				ID:    2,
				Login: "editor",
				Role:  account.Editor,
			},
			Token: "token",
		})
		if err != nil {
			t.Fatal(err)
		}
		site, _ := i18n.Find(language)
		h, err := api.New(api.Options{
			Store:    c.Store,
			Accounts: accounts,
			Clock:    c.Clock,
			NoLimits: true,
			Language: site,
		},
			almanactest.Routes)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		ask := func(method, path, body string) {
			t.Helper()
			rec := apitest.Serve(
				h,
				method,
				"http://example.com/en"+v1+path,
				body,
				"Authorization",
				"Bearer token",
			)
			_, slug, _ := strings.Cut(rec.Body.String(), `"slug":"`)
			slug, _, _ = strings.Cut(slug, `"`)
			if rec.Code/100 != 2 {
				t.Fatalf("%s %s: %d %s", method, path, rec.Code, rec.Body)
			}
			got = append(got, slug)
		}
		const name, times = "Müller Straße", `"start_date":"2031-06-01","end_date":"2031-06-01"`
		ask(http.MethodPost, "/events", `{"title":"`+name+`",`+times+`}`)
		ask(http.MethodPost, "/events", `{"title":"x","slug":"Müller Ost",`+times+`}`)
		ask(http.MethodPost, "/venues", `{"venue":"`+name+`"}`)
		ask(http.MethodPost, "/organizers", `{"organizer":"`+name+`"}`)
		ask(http.MethodPost, "/categories", `{"name":"`+name+`"}`)
		ask(http.MethodPost, "/tags", `{"name":"`+name+`"}`)
		ask(http.MethodPost, "/tags", `{"name":"x","slug":"Müller Tag"}`)
		ask(http.MethodPost, "/events", `{"title":"`+name+`",`+times+`}`)
		ask(http.MethodPatch, fmt.Sprint("/events/", old), `{"title":"Müller Straße"}`)
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
}
