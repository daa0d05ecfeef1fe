package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
)

// shown is the Cache-Control of public answers with -shared-cache 10s.
const shown = "public, max-age=0, s-maxage=10, stale-while-revalidate=10, stale-if-error=86400"

// sharedFair serves a fair to caches in front.
func sharedFair(t *testing.T, c *sample.Calendar, o api.Options) http.Handler {
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
	c := sample.Fair(t)
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
			got := apitest.Serve(h, tt.method, c.Fill(t, tt.path), "", tt.fields...)
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
		}
	}
	// A second wrong password is one too many.
	for _, want := range []int{403, 429} {
		got := apitest.Serve(
			h,
			"GET",
			c.Fill(t, fmt.Sprintf("%s/events/{Locked}?password=no%d", v1, want)),
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
