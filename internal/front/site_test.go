package front

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"almanac/i18n"
)

// A public address is that of every host.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	const home = "https://calendar.example.org"
	u, err := url.Parse(home)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{URL: u, Languages: i18n.Languages(), Mux: func(*Base) *http.ServeMux { return http.NewServeMux() }})
	if err != nil {
		t.Fatal(err)
	}
	b := f.OfLanguage("de")
	r := httptest.NewRequest("GET", "/de/"+Namespace, nil)
	one := f.Site(b, r)
	if r.Host = "made.up"; f.Site(b, r) != one || one.API != home+"/de/"+Namespace || one.Number == 0 {
		t.Errorf("the site of a server with an address is %+v", one)
	}
}
