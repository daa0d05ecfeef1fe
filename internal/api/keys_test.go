package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/api"
	"almanac/internal/apitest"
	"almanac/internal/caltime"
	"almanac/internal/limit"
	"almanac/store"
)

// shown is the Cache-Control of public answers with -shared-cache 10s.
const shown = "public, max-age=0, s-maxage=10, stale-while-revalidate=10, stale-if-error=86400"

// sharedFair serves a fair to caches in front.
func sharedFair(t *testing.T, c *calendar, o api.Options) http.Handler {
	t.Helper()
	var err error
	if o.Accounts, err = account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "admin",
			Role:  account.Administrator,
		},
		Token: "secret",
	}); err != nil {
		t.Fatal(err)
	}
	if o.Site, err = caltime.LoadZone("America/New_York"); err != nil {
		t.Fatal(err)
	}
	o.Store = c.Store
	o.Clock = c.Clock
	o.Pages = true
	o.Shared = 10 * time.Second
	s, err := api.New(o, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Caches in front may show for a time what everybody sees, in every form, and nothing else:
// nothing that a caller with an account, a password, a refusal or a limit has made, whatever
// they have been shown before.
func TestSharedCaches(t *testing.T) {
	t.Parallel()
	c := fair(t)
	h := sharedFair(t, c, api.Options{Limits: &admission.Limits{
		Query: 100,
		Logins: limit.Rate{
			N:   100,
			Per: time.Minute,
		},
		Passwords: limit.Rate{N: 1, Per: time.Hour},
	}})
	for range 3 { // made, noted, remembered
		for _, tt := range []struct {
			method, path string
			fields       []string
			status       int
			shared       bool
		}{
			{"GET", v1 + "/events", nil, 200, true},
			{"HEAD", v1 + "/events", nil, 200, true},
			{"GET", v1 + "/events", []string{"If-None-Match", "*"}, 304, true},
			{"GET", v1 + "/events/{One}", nil, 200, true},
			{"GET", v1 + "/events/{One}?_fields=id&_jsonp=x", nil, 200, true},
			{"GET", v1 + "/events.ics", nil, 200, true},
			{"GET", v1 + "/events.atom", nil, 200, true},
			{"GET", v1 + "/events/{One}.ics", nil, 200, true},
			{"GET", v1 + "/venues", nil, 200, true},
			{"GET", v1 + "/series", nil, 200, true},
			{"GET", v1 + "/doc", nil, 200, true},
			{"GET", "/events/", nil, 200, true},
			{"GET", "/event/one/", nil, 200, true},
			{"GET", "/event/locked/", nil, 200, true}, // its form
			{"GET", "/sitemap.xml", nil, 200, true},
			{"GET", v1 + "/events", []string{"Authorization", "Bearer secret"}, 200, false},
			{"GET", v1 + "/events", []string{"Authorization", "Bearer wrong"}, 401, false},
			{"GET", v1 + "/events", []string{"Authorization", "Basic !"}, 200, false},
			{"GET", "/events/", []string{"Authorization", "Bearer secret"}, 200, false},
			{"GET", "/event/one/", []string{"X-HTTP-Method-Override", "GET"}, 200, false},
			{"GET", v1 + "/events?password=pw", nil, 200, false},
			{"GET", "/event/locked/?password=pw", nil, 200, false},
			{"POST", "/event/locked/?password=pw", nil, 200, false},
			{"GET", v1 + "/events/{Draft}", nil, 403, false},
			{"GET", v1 + "/events/{Draft}?_envelope", nil, 200, false},
			{"GET", v1 + "/events/{Locked}", nil, 403, false},
			{"GET", v1 + "/events/9999", nil, 404, false},
			{"GET", "/event/nothing/", nil, 404, false},
			{"GET", v1 + "/events?page=9", nil, 404, false},
			{"GET", v1 + "/events?search=" + strings.Repeat("x", 100), nil, 414, false},
			{"OPTIONS", v1 + "/events", nil, 200, false},
			{"GET", "/_almanac/health", nil, 200, false},
		} {
			got := apitest.Serve(h, tt.method, c.fill(t, tt.path), "", tt.fields...)
			control := got.Header().Get("Cache-Control")
			if got.Code != tt.status || (control == shown) != tt.shared ||
				strings.Contains(control, "s-maxage") != tt.shared {
				t.Errorf(
					"%s %s %v: %d with Cache-Control %q, want %d, and shown to others: %t",
					tt.method,
					tt.path,
					tt.fields,
					got.Code,
					control,
					tt.status,
					tt.shared,
				)
			}
			if keys := got.Header().Get("Surrogate-Key"); !tt.shared && keys != "" {
				t.Errorf(
					"%s %s %v: keys %q of what no cache keeps",
					tt.method,
					tt.path,
					tt.fields,
					keys,
				)
			}
		}
	}
	// A second wrong password is one too many.
	for _, want := range []int{403, 429} {
		got := apitest.Serve(
			h,
			"GET",
			c.fill(t, fmt.Sprintf("%s/events/{Locked}?password=no%d", v1, want)),
			"",
		)
		if control := got.Header().Get("Cache-Control"); got.Code != want ||
			!strings.Contains(control, "no-store") {
			t.Errorf(
				"a wrong password: %d with Cache-Control %q, want %d, and that nothing is stored",
				got.Code,
				control,
				want,
			)
		}
	}
}

// Caches purge by the keys of an answer: the record, the linked records that it shows, and for a
// list the kind. Hidden records are not named, and very many records have one key for the kind.
func TestCacheKeys(t *testing.T) {
	t.Parallel()
	c := fair(t)
	c.addSeries(t, store.Event{Post: store.Post{Status: store.Publish}, Title: "Choir"})
	h := sharedFair(t, c, api.Options{MaxPerPage: 500})
	const everything = "events venues organizers categories tags series"
	for range 3 {
		for path, want := range map[string]string{
			v1 + "/events/{One}":                    "events-{One} venues-{Hall} organizers-{Ann} categories-{Music} tags-{Free Entry}",
			v1 + "/events/{One}.ics":                "events-{One} venues-{Hall} organizers-{Ann} categories-{Music} tags-{Free Entry}",
			v1 + "/events/{Three}":                  "events-{Three} categories-{The Year} tags-{Kids} tags-{Free Entry}", // the Cellar is a draft
			v1 + "/events/{Child}":                  "events-{Child} events-{One}",
			v1 + "/events?include={Locked},{Child}": "events events-{Locked} events-{Child} events-{One}", // no linked records of a protected event
			v1 + "/venues?include={Hall}":           "venues venues-{Hall}",
			v1 + "/venues/{Hall}":                   "venues-{Hall}",
			v1 + "/tags/{Kids}":                     "tags-{Kids}",
			v1 + "/series":                          "series events",
			v1 + "/events.ics":                      everything,
			"/events/":                              everything,
			"/event/one/":                           everything,
			"/sitemap.xml":                          everything,
			v1 + "/doc":                             "",
		} {
			got := apitest.Serve(h, "GET", c.fill(t, path), "").Header()
			keys := strings.Split(c.fill(t, want), " ")
			found := strings.Split(got.Get("Surrogate-Key"), " ")
			if strings.HasPrefix(path, v1+"/series") {
				found = slices.DeleteFunc(
					found,
					func(key string) bool { return strings.HasPrefix(key, "series-") },
				)
			}
			slices.Sort(keys)
			slices.Sort(found)
			if !slices.Equal(found, keys) {
				t.Errorf("%s has the keys %q, want %q", path, found, keys)
			}
			if tags := strings.ReplaceAll(got.Get("Cache-Tag"), ",", " "); tags != got.Get(
				"Surrogate-Key",
			) {
				t.Errorf(
					"%s has the tags %q, and the keys %q",
					path,
					tags,
					got.Get("Surrogate-Key"),
				)
			}
		}
	}
	for i := range 80 {
		c.add(&store.Venue{Name: fmt.Sprint("Room ", i)})
	}
	if keys := apitest.Serve(h, "GET", v1+"/venues?per_page=500", "").Header().Get("Surrogate-Key"); keys != everything {
		t.Errorf("a list of 80 venues has the keys %q, want %q", keys, everything)
	}
	if got := apitest.Serve(siteOf(t, c, "Fair"), "GET", v1+"/venues", "").Header(); got["Surrogate-Key"] != nil ||
		got["Cache-Tag"] != nil {
		t.Errorf("keys without a cache in front: %v", slices.Sorted(maps.Keys(got)))
	}
}
