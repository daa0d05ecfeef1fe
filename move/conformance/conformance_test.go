package conformance

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/internal/write/seed"
	"almanac/move/oldsite"
)

var now = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

// server starts a server with a seed, or an empty one.
func server(t *testing.T, profile string) *almanactest.Server {
	t.Helper()
	s := almanactest.Start(t, almanactest.Options{
		Now:      now,
		NoLimits: true,
		Also:     "/wp-json/tribe/events/v1",
	})
	if profile == "" {
		return s
	}
	text, err := seed.Profile(profile)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s.SeedFile(file)
	return s
}

// run runs the command without waiting.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, mistakes strings.Builder
	p := cli.Process{Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &mistakes}
	run := func(ctx context.Context, s *settings, args []string, p cli.Process) error {
		return s.run(
			ctx,
			almanactest.Routes,
			args,
			p,
			func(context.Context, time.Duration) error { return nil },
		)
	}
	command := cli.New("conform", "SITE", "", "", (*settings).flags, run)
	mover := cli.Program{Name: "almanac-move", Commands: cli.Table{command}}
	status = mover.Main(t.Context(), append([]string{"conform"}, args...), p)
	return status, out.String(), mistakes.String()
}

// This program keeps the specification, and an empty calendar skips points with the reason.
func TestAlmanac(t *testing.T) {
	t.Parallel()
	for _, profile := range []string{"", "@small", "@city", "@torture"} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			s := server(t, profile)
			status, out, mistakes := run(t, s.URL)
			skips := strings.Count(out, "\nskipped ")
			want := map[string]int{"": 170, "@small": 20, "@city": 15, "@torture": 25}[profile]
			if status != 0 || skips > want ||
				profile == "" && !strings.Contains(out, ": there is no record of this kind\n") {
				t.Errorf("status %d, %d points skipped: %s\n%s", status, skips, mistakes, out)
			}
		})
	}
}

// planted serves a server with changed answers. A change returns a status in the place of 200, or
// 0.
func planted(
	t *testing.T,
	s *almanactest.Server,
	change func(r *http.Request, header http.Header, body object) int,
) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is no reading", r.Method, r.URL)
		}
		request, err := http.NewRequestWithContext(
			r.Context(),
			r.Method,
			s.URL+r.URL.RequestURI(),
			nil,
		)
		if err != nil {
			t.Error(err)
			return
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		decoder := json.NewDecoder(answer.Body)
		decoder.UseNumber()
		var body object
		_ = decoder.Decode(&body) // a page is none
		status := answer.StatusCode
		if changed := change(r, answer.Header, body); changed > 0 {
			status = changed
		}
		for _, name := range []string{"Content-Type", "X-Tec-Total", "X-Tec-Totalpages"} {
			w.Header().Set(name, answer.Header.Get(name))
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // it was JSON
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// ignoring answers as if a parameter had not been sent.
func ignoring(
	t *testing.T,
	s *almanactest.Server,
	kind, name string,
) func(*http.Request, http.Header, object) int {
	return func(r *http.Request, header http.Header, body object) int {
		query := r.URL.Query()
		if !strings.HasSuffix(r.URL.Path, "/"+kind) || !query.Has(name) {
			return 0
		}
		query.Del(name)
		answer, err := http.Get(s.URL + r.URL.Path + "?" + query.Encode())
		if err != nil {
			t.Error(err)
			return 0
		}
		defer answer.Body.Close()
		clear(body)
		decoder := json.NewDecoder(answer.Body)
		decoder.UseNumber()
		if err := decoder.Decode(&body); err != nil {
			t.Error(err)
		}
		header.Set("X-Tec-Total", answer.Header.Get("X-Tec-Total"))
		return answer.StatusCode
	}
}

// argument changes the description of a parameter in the index.
func argument(
	route string,
	endpoint int,
	do func(args, endpoint object),
) func(*http.Request, http.Header, object) int {
	return func(_ *http.Request, _ http.Header, body object) int {
		if routes, ok := body["routes"].(object); ok {
			for path, description := range routes {
				if strings.HasSuffix(path, "events/v1"+route) {
					of := description.(object)["endpoints"].([]any)[endpoint].(object)
					do(of["args"].(object), of)
				}
			}
		}
		return 0
	}
}

// Each planted mistake fails its points, and no others.
func TestMistakes(t *testing.T) {
	t.Parallel()
	s := server(t, "@small")
	is := func(pattern string, do func(header http.Header, body object) int) func(*http.Request, http.Header, object) int {
		match := regexp.MustCompile(pattern)
		return func(r *http.Request, header http.Header, body object) int {
			if match.MatchString(r.Method + " " + r.URL.RequestURI()) {
				return do(header, body)
			}
			return 0
		}
	}
	type mistake struct {
		change func(*http.Request, http.Header, object) int
		want   string // the failed points
	}
	mistakes := map[string]mistake{
		"a page without effect": {
			ignoring(t, s, "venues", "page"),
			"4.3 GET /venues has an end\n4.3 GET /venues?page refuses \"0\"",
		},
		"another default": {is(`events\?per_page=10$`, func(_ http.Header, body object) int {
			body["events"] = body["events"].([]any)[1:]
			return 0
		}), "4.2 GET /events?per_page has its default"},
		"a larger page": {is(`organizers\?per_page=3$`, func(_ http.Header, body object) int {
			body["total_pages"] = json.Number("9")
			return 0
		}), "4.4 GET /organizers?per_page has its effect"},
		"a longer page": {is(`tags\?.*per_page=3`, func(_ http.Header, body object) int {
			list := body["tags"].([]any)
			body["tags"] = append(list, list[0])
			return 0
		}), "4.6 GET /tags?per_page has its effect"},
		"a search that finds nothing": {
			is(`venues\?.*search=[^&]`, func(_ http.Header, body object) int {
				body["venues"], body["total"] = []any{}, json.Number("0")
				return 0
			}),
			"4.3 GET /venues?search has its effect",
		},
		"another format in the index": {
			argument(
				"/events",
				0,
				func(args, _ object) { delete(args["status"].(object), "format") },
			),
			"4.2 GET /events status is described",
		},
		"another total": {is(`GET .*categories$`, func(header http.Header, _ object) int {
			header.Set("X-Tec-Total", "77")
			return 0
		}), "4.5 GET /categories answers with a list, totals and links"},
		"another status of an error": {
			is(`GET .*no-such-route`, func(http.Header, object) int { return 405 }),
			"7 an unknown route is an error with code, message and status",
		},
		"another code of an error": {
			is(`GET .*/venues/999999999`, func(_ http.Header, body object) int {
				body["code"] = "venue-not-found"
				return 0
			}),
			"4.3 GET /venues/{id} refuses an unknown id",
		},
		"an error that names no parameter": {
			is(`GET .*/organizers/by-slug/no-such`, func(_ http.Header, body object) int {
				delete(body["data"].(object), "params")
				return 0
			}),
			"4.4 GET /organizers/by-slug/{slug} refuses an unknown slug",
		},
		"an error without a status": {
			is(`GET .*/events/no-id`, func(_ http.Header, body object) int {
				delete(body, "data")
				return 0
			}),
			"4.2 GET /events/{id} refuses an id that is no number",
		},
		"a route that is missing": {
			is(`/events/by-slug/[^n]`, func(http.Header, object) int { return 404 }),
			"4.2 GET /events/by-slug/{slug} answers with the record",
		},
		"a method that is missing": {
			argument(
				"/tags/(?P<id>\\d+)",
				2,
				func(_ object, endpoint object) { endpoint["methods"] = []any{"GET"} },
			),
			"4.6 DELETE /tags/{id} is in the index\n4.6 DELETE /tags/{id} id is described",
		},
		"no parameter in the index": {
			argument("/events", 0, func(args, _ object) { delete(args, "ticketed") }),
			"4.2 GET /events ticketed is described",
		},
		"another type in the index": {
			argument(
				"/venues",
				1,
				func(args, _ object) { args["zip"].(object)["type"] = "integer" },
			),
			"4.3 POST /venues zip is described",
		},
		"another default in the index": {
			argument(
				"/tags",
				0,
				func(args, _ object) { args["per_page"].(object)["default"] = json.Number("20") },
			),
			"4.6 GET /tags per_page is described",
		},
		"a required parameter": {
			argument(
				"/organizers",
				1,
				func(args, _ object) { args["organizer"].(object)["required"] = false },
			),
			"4.4 POST /organizers organizer is described",
		},
		"a filter that finds others": {is(`GET .*/events\?.*featured`, func(_ http.Header, body object) int {
			for _, e := range oldsite.Records(body["events"]) {
				e["featured"] = "no"
			}
			return 0
		}), "4.2 GET /events?featured has its effect"},
		"a document without a route": {is(`GET .*/doc$`, func(_ http.Header, body object) int {
			delete(body["paths"].(object), "/venues/{id}")
			return 0
		}), "4.1 GET /doc describes every route"},
		"records behind passwords": {is(`GET .*/(events|venues)`, func(_ http.Header, body object) int {
			for _, record := range append(oldsite.Records(body["events"]), oldsite.Records(body["venues"])...) {
				switch record["slug"] {
				case "council-meeting", "big-band-in-the-park":
					for _, member := range []string{"all_day", "featured", "sticky", "show_map"} {
						record[member] = nil
					}
					for _, member := range []string{"venue", "organizer", "categories", "tags"} {
						record[member] = []any{}
					}
				case "the-cellar":
					record["venue"], record["show_map"] = []any{}, nil
				}
			}
			return 0
		}), ""},
		"nothing": {func(*http.Request, http.Header, object) int { return 0 }, ""},
	}
	const inForm = "4.2 GET /events shows members in their form"
	for name, test := range map[string]struct {
		do   func(event object)
		want string
	}{
		"a date with a T": {
			func(event object) { event["start_date"] = "2031-05-09T20:00:00" },
			inForm,
		},
		"a flag as a text": {func(event object) { event["all_day"] = "false" }, inForm},
		"a time in the wrong zone": {
			func(event object) { event["utc_start_date"] = "2031-05-09 21:00:00" },
			"4.2 GET /events shows UTC by time zones",
		},
		"no details of costs": {func(event object) { delete(event, "cost_details") }, inForm},
		"amounts as numbers": {
			func(event object) {
				event["cost_details"].(object)["values"] = []any{json.Number("9")}
			}, inForm,
		},
		"an hour as a number": {
			func(event object) {
				event["start_date_details"].(object)["hour"] = json.Number("20")
			}, inForm,
		},
		"no custom fields": {func(event object) { event["custom_fields"] = nil }, inForm},
	} {
		change := func(_ http.Header, body object) int {
			for _, event := range oldsite.Records(body["events"]) {
				if event["slug"] == "quartet-night" {
					test.do(event)
				}
			}
			return 0
		}
		mistakes[name] = mistake{is(`GET .*/events\?end_date=9000-01-01&start_date=`, change), test.want}
	}
	for kind, want := range map[string]string{
		"events":     "4.2 GET /events is in its order",
		"venues":     "4.3 GET /venues is in its order",
		"organizers": "4.4 GET /organizers is in its order",
		"categories": "4.5 GET /categories is in its order\n" +
			"4.5 GET /categories?order has its effect\n4.5 GET /categories?orderby has its effect",
		"tags": "4.6 GET /tags is in its order\n" +
			"4.6 GET /tags?order has its effect\n4.6 GET /tags?orderby has its effect",
	} {
		mistakes["another order of "+kind] = mistake{
			is(`GET .*/`+kind+`(\?.*)?$`, func(_ http.Header, body object) int {
				list, _ := body[kind].([]any)
				for i, record := range list {
					if kind == "venues" || kind == "organizers" { // all have one date
						record.(object)["date"] = fmt.Sprintf("2031-05-%02d 10:00:00", 28-i)
					}
				}
				slices.Reverse(list)
				return 0
			}), want,
		}
	}
	// Parameters without effect are found by their values, and by values that the server does not
	// refuse.
	for _, without := range []struct{ section, kind, name, wrong string }{
		{"4.2", "events", "search", ""}, {"4.2", "events", "categories", "no-such-term"}, {"4.2", "events", "tags", "no-such-term"},
		{"4.2", "events", "venue", "no-id"}, {"4.2", "events", "organizer", "no-id"}, {"4.2", "events", "ends_after", "bad"},
		{"4.2", "events", "include", "no-id"}, {"4.3", "venues", "event", "no-id"}, {"4.5", "categories", "parent", "no-id"},
		{"4.6", "tags", "exclude", "no-id"}, {"4.6", "tags", "order", ""},
	} {
		name := without.section + " GET /" + without.kind + "?" + without.name
		mistakes[name] = mistake{ignoring(t, s, without.kind, without.name),
			fmt.Sprintf("%s has its effect\n%s refuses %q", name, name, without.wrong)}
	}
	for name, test := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, mistakes := run(t, planted(t, s, test.change))
			var got []string
			for _, line := range strings.Split(out, "\n") {
				if rest, ok := strings.CutPrefix(line, "FAILED"); ok {
					point, _, _ := strings.Cut(strings.TrimSpace(rest), ": ")
					got = append(got, strings.Join(strings.Fields(point), " "))
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" ||
				(status == 0) != (test.want == "") {
				t.Errorf("%d %s %s", status, mistakes, diff)
			}
		})
	}
}

// A reason is as long as people read it, whatever lists a server answers.
func TestLongReason(t *testing.T) {
	t.Parallel()
	s := server(t, "@small")
	site := planted(t, s, func(r *http.Request, _ http.Header, body object) int {
		if list, ok := body["events"].([]any); ok && r.URL.RawQuery == "per_page=10" {
			body["events"] = slices.Repeat(list[:1], 1000)
		}
		return 0
	})
	status, out, _ := run(t, site)
	if status != 1 || !strings.Contains(out, "GET /events?per_page has its default") {
		t.Errorf("status %d\n%.2000s", status, out)
	}
	for line := range strings.Lines(out) {
		if len(line) > 700 {
			t.Errorf("a line of %d bytes: %.200s", len(line), line)
		}
	}
}

// The forms have the same points, also with texts of a server that are no texts of the form, and
// mistakes of the call have their status.
func TestForms(t *testing.T) {
	t.Parallel()
	s := server(t, "@small")
	site := planted(t, s, func(r *http.Request, _ http.Header, body object) int {
		if strings.HasSuffix(r.URL.Path, "/venues/999999999") {
			body["code"] = "</testcase>\x1b[31m\nnot ok 1"
		}
		return 0
	})
	_, text, _ := run(t, site)
	last := strings.Split(strings.TrimSpace(text), "\n")
	var n, failures, skips int
	if _, err := fmt.Sscanf(last[len(last)-1], "%d points: %d ok, %d failed, %d skipped", &n, new(int), &failures, &skips); err != nil ||
		len(last) != n+1 ||
		failures != 1 ||
		skips == 0 ||
		strings.Contains(text, "\x1b") {
		t.Fatalf("%v %s", err, text)
	}
	status, tap, _ := run(t, "-format", "tap", site)
	if status != 1 || strings.Count(tap, "\nok ") != n-1 || strings.Count(tap, "\nnot ok ") != 1 ||
		strings.Count(tap, "# SKIP") != skips ||
		!strings.HasPrefix(tap, fmt.Sprintf("TAP version 13\n1..%d\nok 1 - 9 ", n)) ||
		strings.Contains(tap, "\x1b") {
		t.Errorf("status %d\n%s", status, tap)
	}
	_, junit, _ := run(t, "-format", "junit", site)
	var read struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Failure, Skipped *struct {
				Message string `xml:"message,attr"`
			}
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(junit), &read); err != nil || read.Tests != n ||
		read.Failures != 1 ||
		read.Skipped != skips ||
		len(read.Cases) != n ||
		strings.Contains(junit, "\x1b") {
		t.Errorf("%v %s", err, junit)
	}
	for want, args := range map[string][]string{
		"name one site": nil, `-format "xml"`: {"-format", "xml", site},
	} {
		if status, _, mistakes := run(t, args...); status != 2 ||
			!strings.Contains(mistakes, want) {
			t.Errorf("%q: %d %s", args, status, mistakes)
		}
	}
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	if status, out, mistakes := run(t, page.URL); status != 1 || out != "" ||
		!strings.Contains(mistakes, "found no API") {
		t.Errorf("without an API: %d %s %s", status, out, mistakes)
	}
}
