package oldsite

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/internal/cli"
	"almanac/move/client"
)

// find finds the API of a site without pauses between requests.
func find(t *testing.T, login, address string) (*Site, error) {
	t.Helper()
	u, err := Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return Find(t.Context(), &client.Crawler{
		Login:    login,
		Password: "secret of the site",
		Now:      time.Now,
		Sleep:    func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}, u)
}

const list = `{"events":[],"rest_url":"x","total":0,"total_pages":0}`

// An API is found by each way that clients know, by the address of any page, and on the named host
// alone.
func TestFind(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another site was asked: %s", r.URL)
	}))
	defer elsewhere.Close()
	for name, test := range map[string]struct {
		header, page string
		api          string // its addresses without the host
		named, want  string
	}{
		"header of the plugin": {"X-TEC-API-ROOT: SITE/x/tribe/events/v1/events/7", "", "/x/tribe/events/v1", "/event/a/", "/x/tribe/events/v1"},
		"header of WordPress":  {`Link: <SITE/y/>; rel="https://api.w.org/"`, "", "/y/tribe/events/v1", "/", "/y/tribe/events/v1"},
		"header of almanac":    {`Link: <SITE/>; rel="https://api.w.org/"`, "", "/cal/events/v1", "", "/cal/events/v1"},
		"almanac in the place of another site": {"X-TEC-API-ROOT: SITE/cal/events/v1", `<link rel="https://api.w.org/" href="SITE/wp-json/">`,
			"/cal/events/v1 /wp-json/tribe/events/v1", "", "/wp-json/tribe/events/v1"},
		"link of the plugin": {"", `<LINK href='SITE/z/tribe/events/v1/events/?tags=a&amp;b=1' rel=alternate>`, "/z/tribe/events/v1", "",
			"/z/tribe/events/v1"},
		"link with a relation": {"", `<link rel="https://theeventscalendar.com/" href="/z/tribe/events/v1/">`, "/z/tribe/events/v1", "",
			"/z/tribe/events/v1"},
		"link of WordPress": {"", `<link rel="https://api.w.org/" href="SITE/index.php?rest_route=/" />`,
			"/index.php?rest_route=/tribe/events/v1", "", "/index.php?rest_route=%2Ftribe%2Fevents%2Fv1"},
		"usual":                    {"", "", "/wp-json/tribe/events/v1", "", "/wp-json/tribe/events/v1"},
		"usual, below a directory": {"", "", "/blog/wp-json/tribe/events/v1", "/blog/", "/blog/wp-json/tribe/events/v1"},
		"usual, at the top":        {"", "", "/wp-json/tribe/events/v1", "/kalender/?a=b#c", "/wp-json/tribe/events/v1"},
		"without addresses":        {"", "", "/?rest_route=/tribe/events/v1", "", "/?rest_route=%2Ftribe%2Fevents%2Fv1"},
		"almanac":                  {"", "", "/cal/events/v1", "/cal/events/v1/events?page=3", "/cal/events/v1"},
		"the address of the API":   {"", "", "/wp-json/tribe/events/v1", "/wp-json/tribe/events/v1", "/wp-json/tribe/events/v1"},
		"links to other sites": {"X-TEC-API-ROOT: ELSEWHERE/tribe/events/v1", `<link rel="https://api.w.org/" href="ELSEWHERE/">`,
			"/wp-json/tribe/events/v1", "", "/wp-json/tribe/events/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var site *httptest.Server
			fill := func(text string) string {
				return strings.NewReplacer("SITE", site.URL, "ELSEWHERE", elsewhere.URL).
					Replace(text)
			}
			site = httptest.NewServer(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					for api := range strings.FieldsSeq(test.api) {
						at, route, isPlain := strings.Cut(api, "?rest_route=")
						if !isPlain && r.URL.Path == at+"/events" ||
							isPlain && r.URL.Path == at &&
								r.URL.Query().Get("rest_route") == route+"/events" {
							fmt.Fprint(w, list)
							return
						}
					}
					if strings.Contains(r.URL.String(), "v1") {
						w.WriteHeader(http.StatusNotFound)
					}
					if name, value, ok := strings.Cut(fill(test.header), ": "); ok {
						w.Header().Set(name, value)
					}
					fmt.Fprint(w, "<html>", fill(test.page))
				}),
			)
			defer site.Close()
			found, err := find(t, "", site.URL+test.named)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimPrefix(found.Root.String(), site.URL); got != test.want {
				t.Errorf("found %s, want %s", got, test.want)
			}
		})
	}
}

// Obstacles before an API are told apart, with advice, and without the password.
func TestProblems(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(
		http.HandlerFunc(
			func(http.ResponseWriter, *http.Request) { t.Error("another site was asked") },
		),
	)
	defer elsewhere.Close()
	const refusal = "closed to strangers"
	for _, test := range []struct {
		status         int
		header, answer string
		want           []string
	}{
		{401, "", `{"code":"incorrect_password","message":"M"}`, []string{"login or its password is wrong", "application password"}},
		{401, "", `{"code":"rest_not_logged_in","message":"M"}`, []string{refusal, "-login"}},
		{401, "", `{"code":"rest_cannot_access","message":"Only authenticated users"}`, []string{refusal, "-login"}},
		{403, "", `{"code":"rest_disabled"}`, []string{refusal, "-login"}},
		{404, "", `{"code":"rest_disabled"}`, []string{refusal}},
		{404, "", `{"code":"rest_no_route"}`, []string{"The Events Calendar is not", "activate"}},
		{401, "", "Unauthorized", []string{"web server asks"}},
		{403, "", "<html>403 Forbidden", []string{"host", client.Agent}},
		{403, "Cf-Mitigated: challenge", "<html>Just a moment...", []string{"Cloudflare", client.Agent}},
		{503, "", "<html><script>window._cf_chl_opt={}</script>", []string{"Cloudflare"}},
		{403, "", "<html>Sucuri WebSite Firewall - Access Denied", []string{"Sucuri"}},
		{503, "", "<html>Your access to this site has been limited by the site owner. Generated by Wordfence", []string{"Wordfence"}},
		{202, "Sg-Captcha: challenge", "<html>", []string{"SiteGround"}},
		{200, "", "<html>One moment, please: Imunify360", []string{"Imunify360"}},
		{405, "X-Amzn-Waf-Action: captcha", "", []string{"AWS WAF"}},
		{403, "", "<html>solve this <b>hCaptcha</b>", []string{"a captcha"}},
		{404, "", "<html>captcha", []string{"404", "is this the address"}},
		{429, "Retry-After: 90000", "", []string{"too many requests", "-rate"}},
		{503, "", "Briefly unavailable for scheduled maintenance.", []string{"maintenance", "later"}},
		{500, "", `{"code":"internal_server_error"}`, []string{"it fails", "error log"}},
		{200, "", "<!DOCTYPE html><html>Coming soon", []string{"page (HTML)", "under construction"}},
		{200, "", `<br /><b>Notice</b>: x{"events":[]}`, []string{"no JSON", "PHP"}},
		{200, "", `{"events":[`, []string{"no JSON"}},
		{200, "", `{"total":3}`, []string{"no list of events"}},
		{200, "", "", []string{"no JSON"}},
		{302, "Location: " + elsewhere.URL, "", []string{"another site", elsewhere.URL}},
		{302, "Location: /", "", []string{"redirects"}},
	} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.answer)
		}))
		_, err := find(t, "ann", site.URL)
		site.Close()
		var problem *Problem
		if !errors.As(err, &problem) || strings.Contains(err.Error(), "secret of") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%d %q: %v", test.status, test.answer, err)
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%d %q: said %q, want %q in it", test.status, test.answer, err, part)
			}
		}
	}
	if _, err := Parse("https://ann:secret@old.example.org/"); cli.Status(err) != 2 {
		t.Errorf("a login in an address: %v", err)
	}
	if _, err := find(t, "ann", "http://old.example.org/"); err == nil ||
		!strings.Contains(err.Error(), "https alone") {
		t.Errorf("a password for http: %v", err)
	}
}

// A site leads to no private address: neither by a redirect to its own name with www. nor by a
// link to it, and no further way is tried.
func TestPrivateAddress(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://www.old.example/", http.StatusFound)
		},
		"link": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", `<http://www.old.example/>; rel="https://api.w.org/"`)
			fmt.Fprint(w, "<html>")
		},
	} {
		asked := 0
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			handler(w, r)
		}))
		defer site.Close()
		lookups := 0
		ctx := client.TestOnlyConnect(t.Context(), func(
			ctx context.Context, d *net.Dialer, network, address string,
		) (net.Conn, error) {
			if address == "www.old.example:80" {
				lookups++
				address = "127.0.0.1:80"
			} else {
				address = site.Listener.Addr().String()
			}
			return d.DialContext(ctx, network, address)
		})
		u, err := Parse("http://old.example")
		if err != nil {
			t.Fatal(err)
		}
		noSleep := func(context.Context, time.Duration) error { return nil }
		crawler := &client.Crawler{Now: time.Now, Sleep: noSleep}
		_, err = Find(ctx, crawler, u)
		for _, part := range []string{
			"127.0.0.1 is an address of a private network",
			"name this address if it is that of the site",
		} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: said %v, want %q in it", name, err, part)
			}
		}
		if asked != 1 || lookups != 1 {
			t.Errorf("%s: %d requests, and %d for a private address", name, asked, lookups)
		}
	}
}
