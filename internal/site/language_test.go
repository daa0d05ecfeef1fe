package site_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
)

// The site's own language is that of all addresses without one; the addresses of all languages
// stay.
func TestSiteLanguage(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	german, _ := i18n.Find("de")
	h, err := api.New(api.Options{
		Store:    c.Store,
		Accounts: accounts,
		Clock:    c.Clock,
		Pages:    true,
		NoLimits: true,
		Language: german,
		Also:     "/wp-json/tribe/events/v1",
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, language, want string }{
		{"/events/", "de", `<html lang="de"`}, {"/", "de", `<html lang="de"`}, {"/de/events/", "de", `<html lang="de"`},
		{"/en/events/", "en", `<html lang="en"`}, {"/ar/events/", "ar", `<html lang="ar"`}, {"/event/nothing/", "de", `<html lang="de"`},
		{"/events/", "de", `hreflang="x-default" href="http://example.com/events/"`}, {"/events/", "de", "Kommende Veranstaltungen"},
		{"/en/events/", "en", `hreflang="de" href="http://example.com/de/events/"`}, {"/docs", "de", `<html lang="de"`},
		{v1 + "/doc", "de", german.Text("api.description")}, {"/wp-json/tribe/events/v1/doc", "de", german.Text("api.description")},
		{"/en" + v1 + "/doc", "en", i18n.English().Text("api.description")},
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+tt.path,
			"",
			"Accept",
			"text/html",
		)
		if got := rec.Header().Get("Content-Language"); got != tt.language ||
			!strings.Contains(rec.Body.String(), tt.want) {
			t.Errorf(
				"%s: %d in %q, want %q, and %s in %.200s",
				tt.path,
				rec.Code,
				got,
				tt.language,
				tt.want,
				rec.Body,
			)
		}
	}
}

// A region changes the dates, the clock and the weeks of pages in the site's own language, at both
// of its addresses.
func TestSiteRegion(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	british, _ := i18n.English().In("gb")
	h, err := api.New(api.Options{
		Store:     c.Store,
		Accounts:  accounts,
		Clock:     c.Clock,
		Pages:     true,
		NoLimits:  true,
		Language:  british,
		Negotiate: true,
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	monday := `<tr><th scope="col"><span aria-hidden="true" data-text="Mon">`
	for _, tt := range []struct{ path, want string }{
		{"/events/2031-05-10/", `<html lang="en-GB" dir="ltr">`}, {"/events/2031-05-10/", "<h1>Saturday, 10\u00a0May 2031</h1>"},
		{"/en/events/2031-05-10/", "<h1>Saturday, 10\u00a0May 2031</h1>"}, {"/events/month/2031-05/", monday},
		{"/en/events/month/2031-05/", monday},
		{"/events/week/2031-05-10/", "<h1>5\u2009–\u200911 May 2031</h1>"}, {"/event/one/", "12:00–14:00"}, {"/", `<html lang="en-GB"`},
		{"/de/events/2031-05-10/", `<html lang="de" dir="ltr">`}, {"/events/", `hreflang="en" href="http://example.com/en/events/"`},
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+tt.path,
			"",
			"Accept",
			"text/html",
			"Accept-Language",
			"en-US",
		)
		if !strings.Contains(rec.Body.String(), tt.want) {
			t.Errorf("%s: %d, want %q in %s", tt.path, rec.Code, tt.want, rec.Body)
		}
	}
}
