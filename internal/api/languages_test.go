// The languages: one contract at every base address, and the ways to find one.

package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// get sends a GET to a path of a host, with headers as name and value.
func get(s *Server, host, target string, headers ...string) *httptest.ResponseRecorder {
	return apitest.Serve(s, "GET", "http://"+host+target, "", headers...)
}

// wordless takes the texts of a language out of a description.
func wordless(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = wordless(value[i])
		}
	case map[string]any:
		for name, member := range value {
			if _, ok := member.(string); ok && (name == "description" || name == "summary") {
				delete(value, name)
			} else {
				value[name] = wordless(member)
			}
		}
		if info, ok := value["info"].(map[string]any); ok {
			delete(info, "title")
		}
	}
	return value
}

// TestContractIsTheSameInEveryLanguageAlone compares all that describes the service
// with English, but for the words and the base address.
func TestContractIsTheSameInEveryLanguageAlone(t *testing.T) {
	race.Alone(t)
	s := describedServer(t, "")
	const host = "cal.example.org"
	contract := func(prefix, path string) string {
		var value any
		w := get(s, host, prefix+path)
		if err := json.Unmarshal(w.Body.Bytes(), &value); w.Code != 200 || err != nil {
			t.Fatalf("%s: %d, %v", prefix+path, w.Code, err)
		}
		text, err := jsonio.Marshal(wordless(value))
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), host+prefix+"/", host+"/")
	}
	for _, path := range []string{"/cal/events/v1/doc", "/cal/events/v1/doc?version=3.1", "/cal/events/v1", "/"} {
		english := contract("", path)
		texts := map[string]string{}
		for _, l := range i18n.Languages() {
			if diff := cmp.Diff(english, contract("/"+l.Tag, path)); diff != "" {
				t.Errorf("%s: %s (-English +this):\n%s", l.Tag, path, diff)
			}
			w := get(s, host, "/"+l.Tag+path)
			body := strings.ReplaceAll(w.Body.String(), "/"+l.Tag+"/", "/")
			if other := texts[body]; other != "" {
				t.Errorf("%s: %s says the same as in %s", l.Tag, path, other)
			}
			texts[body] = l.Tag
			if got := w.Header().Get("Content-Language"); got != l.Tag {
				t.Errorf("%s: Content-Language %q", l.Tag, got)
			}
		}
	}
}

// TestAnswersAreTheSameInEveryLanguageAlone asks every route that reads at every base
// address, and for what is refused.
func TestAnswersAreTheSameInEveryLanguageAlone(t *testing.T) {
	race.Alone(t)
	s := describedServer(t, "")
	for _, sent := range [][2]string{
		{"venues", `{"venue":"Hall","image":"https://img.example.org/hall.jpg"}`},
		{"organizers", `{"organizer":"Ann"}`},
		{"events",
			`{"title":"Concert","start_date":"2026-12-01 20:00","end_date":"2026-12-01 ` +
				`23:00","venue":[2],"organizer":[3],"categories":["Jazz"],"tags":["New"]}`},
		{"events", `{"title":"Walk","start_date":"2026-12-02 20:00","end_date":"2026-12-02 23:00"}`},
	} {
		if status, answer := askAdmin(t, s, "POST", "/cal/events/v1/"+sent[0], sent[1]); status != http.StatusCreated {
			t.Fatal(status, answer)
		}
	}
	const host = "cal.example.org"
	for _, path := range []string{
		"/events", "/events?per_page=1&page=2", "/events/4", "/events/by-slug/concert", "/venues", "/venues/2", "/venues/by-slug/hall",
		"/organizers",
		"/organizers/3", "/organizers/by-slug/ann", "/categories", "/categories/1", "/tags", "/tags/2",
		"/events?page=x", "/events/99", "/venues/99", "/nothing", "/events?page=99",
	} {
		english := get(s, host, "/cal/events/v1"+path)
		for _, l := range i18n.Languages() {
			w := get(s, host, "/"+l.Tag+"/cal/events/v1"+path)
			if english.Code != w.Code {
				t.Errorf("%s: %s: %d, in English %d", l.Tag, path, w.Code, english.Code)
			}
			if diff := cmp.Diff(english.Body.String(), strings.ReplaceAll(w.Body.String(), host+"/"+l.Tag+"/", host+"/")); diff != "" {
				t.Errorf("%s: %s (-English +this):\n%s", l.Tag, path, diff)
			}
			for name, values := range english.Header() {
				if name == "Etag" || name == "Content-Language" || name == "Content-Length" {
					continue
				}
				got := strings.ReplaceAll(
					strings.Join(w.Header()[name], "\n"),
					host+"/"+l.Tag+"/",
					host+"/",
				)
				if diff := cmp.Diff(strings.Join(values, "\n"), got); diff != "" {
					t.Errorf("%s: %s: %s (-English +this):\n%s", l.Tag, path, name, diff)
				}
			}
		}
	}
}

// hostedServer serves German at a host of its own, French and English beside the
// site.
func hostedServer(t *testing.T) *Server {
	t.Helper()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	var languages []i18n.Language
	for _, tag := range []string{"de", "en", "fr"} {
		l, _ := i18n.Find(tag)
		languages = append(languages, l)
	}
	s, err := New(Options{
		Store:    st,
		Accounts: accounts,
		Clock:    caltime.Frozen(describedNow),
		URL: &url.URL{
			Scheme: "https",
			Host:   "site.example.org",
		},
		Languages: languages,
		Hosts: map[string]*url.URL{
			"de": {
				Scheme: "https",
				Host:   "termine.example.org",
			},
		},
		Negotiate: true,
	}, listed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHosts(t *testing.T) {
	s := hostedServer(t)
	for _, test := range []struct{ name, host, target, language, server string }{
		{"its host", "termine.example.org", "/cal/events/v1/doc", "de", "https://termine.example.org/cal/events/v1"},
		{"its host in capitals", "Termine.Example.ORG", "/cal/events/v1/doc", "de", "https://termine.example.org/cal/events/v1"},
		{"its tag at its host", "termine.example.org", "/de/cal/events/v1/doc", "de", "https://termine.example.org/cal/events/v1"},
		{"its tag at the site", "site.example.org", "/de/cal/events/v1/doc", "de", "https://termine.example.org/cal/events/v1"},
		{"another language at its host", "termine.example.org", "/fr/cal/events/v1/doc", "fr", "https://site.example.org/fr/cal/events/v1"},
		{"the site", "site.example.org", "/cal/events/v1/doc", "en", "https://site.example.org/cal/events/v1"},
		{"another host", "127.0.0.1:8080", "/cal/events/v1/doc", "en", "https://site.example.org/cal/events/v1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := get(s, test.host, test.target)
			var doc any
			if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
				t.Fatalf("%v: %s", err, w.Body)
			}
			if got := w.Header().Get("Content-Language"); got != test.language {
				t.Errorf("Content-Language %q, want %q", got, test.language)
			}
			if diff := cmp.Diff(any([]any{map[string]any{
				"url": test.server,
			}}), at(t, doc, "servers")); diff != "" {
				t.Errorf("servers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAlternates compares the Link fields that name the same in other languages.
func TestAlternates(t *testing.T) {
	s := hostedServer(t)
	alternate := regexp.MustCompile(`^<(.*)>; rel="alternate"; hreflang="(.*)"$`)
	all := map[string]string{
		"de":        "https://termine.example.org/cal/events/v1/doc",
		"en":        "https://site.example.org/en/cal/events/v1/doc",
		"fr":        "https://site.example.org/fr/cal/events/v1/doc",
		"x-default": "https://site.example.org/cal/events/v1/doc",
	}
	for _, test := range []struct{ host, target, own string }{
		{"termine.example.org", "/cal/events/v1/doc", "de"},
		{"site.example.org", "/fr/cal/events/v1/doc", "fr"},
		{"site.example.org", "/cal/events/v1/doc", "x-default"},
	} {
		want := map[string]string{}
		for tag, address := range all {
			if tag != test.own {
				want[tag] = address
			}
		}
		got := map[string]string{}
		for _, link := range get(s, test.host, test.target).Header()["Link"] {
			if m := alternate.FindStringSubmatch(link); m != nil {
				got[m[2]] = m[1]
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s%s (-want +got):\n%s", test.host, test.target, diff)
		}
	}
}

func TestNegotiation(t *testing.T) {
	s := hostedServer(t)
	for _, test := range []struct {
		name, target, accept, language string
		varies                         bool
	}{
		{"what is wanted", "/cal/events/v1/doc", "fr-CA, en;q=0.5", "fr", true},
		{"one with a host", "/cal/events/v1", "de", "de", true},
		{"the page", "/docs", "de", "de", true},
		{"what is not served", "/cal/events/v1/doc", "it, ja", "en", true},
		{"nothing", "/cal/events/v1/doc", "", "en", true},
		{"a list has no words", "/cal/events/v1/events", "fr", "en", false},
		{"an address that names its language", "/en/cal/events/v1/doc", "fr", "en", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := get(s, "site.example.org", test.target, "Accept-Language", test.accept)
			if got := w.Header().Get("Content-Language"); got != test.language {
				t.Errorf("Content-Language %q, want %q", got, test.language)
			}
			if got := strings.Contains(w.Header().Get("Vary"), "Accept-Language"); got != test.varies {
				t.Errorf("Vary %q", w.Header().Get("Vary"))
			}
			if strings.HasSuffix(test.target, "/doc") && !strings.Contains(w.Body.String(),
				`{"url":"https://site.example.org`+strings.TrimSuffix(test.target, "/doc")+`"}`) {
				t.Error("links leave the base address that was asked")
			}
		})
	}
	w := get(
		describedServer(t, ""),
		"cal.example.org",
		"/cal/events/v1/doc",
		"Accept-Language",
		"fr",
	)
	if w.Header().Get("Content-Language") != "en" ||
		strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
		t.Errorf(
			"without Negotiate: Content-Language %q, Vary %q",
			w.Header().Get("Content-Language"),
			w.Header().Get("Vary"),
		)
	}
}
