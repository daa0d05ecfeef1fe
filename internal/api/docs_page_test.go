package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/api/openapi"
	"almanac/internal/tools/race"

	"github.com/google/go-cmp/cmp"
)

const docsHost = "cal.example.org"

// docsGroups are the groups that have a page, in their order.
var docsGroups = []string{
	"events",
	"series",
	"venues",
	"organizers",
	"categories",
	"tags",
	"media",
	"service",
}

// docsPage returns a page, in English if no language is in its path.
func docsPage(t *testing.T, s *Server, path string) string {
	t.Helper()
	w := get(s, docsHost, path)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// lines finds the methods and the path of an operation on its page.
var (
	operationID = regexp.MustCompile(`<section class="operation" id="(\w+)">`)
	lines       = regexp.MustCompile(
		`<p><span class="line" dir="ltr">(.*?) <code>([^<]+)</code></span>`,
	)
	methodNames = regexp.MustCompile(`<span class="method">(\w+)</span>`)
)

// Every operation of the document is on one page, and on one only, and so is every schema.
func TestDocsPagesAreWhole(t *testing.T) {
	s := describedServer(t, "")
	_, doc := askAdmin(t, s, "GET", "/cal/events/v1/doc", "")
	var want []string
	for path, methods := range at(t, doc, "paths").(map[string]any) {
		for method := range methods.(map[string]any) {
			want = append(want, strings.ToUpper(method)+" "+path)
		}
	}
	for name := range at(t, doc, "components", "schemas").(map[string]any) {
		want = append(want, name)
	}
	var got []string
	for _, group := range docsGroups {
		text := docsPage(t, s, "/docs/"+group)
		for _, line := range lines.FindAllStringSubmatch(text, -1) {
			for _, method := range methodNames.FindAllStringSubmatch(line[1], -1) {
				got = append(got, method[1]+" "+line[2])
			}
		}
		for _, id := range regexp.MustCompile(`id="schema-(\w+)"`).FindAllStringSubmatch(text, -1) {
			got = append(got, id[1])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations and schemas (-document +pages):\n%s", diff)
	}
}

// docsLinks are the links of a page that need not be asked for again: every page has the links to
// itself in other languages.
var docsLinks = regexp.MustCompile(`<(?:a|link) [^>]*href="([^"]+)"`)

// All links lead somewhere, those to a part of a page to a part that is there once, and the
// anchors of the one page of earlier are on the start.
func TestDocsLinksAlone(t *testing.T) {
	race.Alone(t)
	s := describedServer(t, "")
	asked := map[string]string{}
	page := func(path string) string {
		if _, ok := asked[path]; !ok {
			asked[path] = docsPage(t, s, path)
		}
		return asked[path]
	}
	paths := []string{"/docs", "/ar/docs", "/de/docs/venues"}
	for _, group := range docsGroups {
		paths = append(paths, "/docs/"+group)
	}
	for _, path := range paths {
		text := page(path)
		ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(text, -1)
		seen := map[string]bool{}
		for _, id := range ids {
			if seen[id[1]] {
				t.Errorf("%s has two parts with the id %s", path, id[1])
			}
			seen[id[1]] = true
		}
		links := docsLinks.FindAllStringSubmatch(text, -1)
		if len(links) < 20 {
			t.Fatalf("%s has %d links", path, len(links))
		}
		for _, link := range links {
			target, local := strings.CutPrefix(
				strings.ReplaceAll(link[1], "&amp;", "&"),
				"http://"+docsHost,
			)
			if !local && target[0] != '#' {
				t.Errorf("%s leads to another host: %s", path, target)
				continue
			}
			target, part, _ := strings.Cut(target, "#")
			if target == "" {
				target = path
			}
			if other := page(target); part != "" && !strings.Contains(other, ` id="`+part+`"`) {
				t.Errorf("%s leads to a part of %s that is not there: %s", path, target, part)
			}
		}
	}
	old := []string{
		"top",
		"operations",
		"sign-in",
		"schemas",
		"schema-Event",
		"schema-EventCreate",
		"schema-TermURLs",
	}
	for _, group := range docsGroups {
		old = append(old, "group-"+group)
		for _, id := range operationID.FindAllStringSubmatch(page("/docs/"+group), -1) {
			old = append(old, id[1])
		}
	}
	if len(old) < 50 {
		t.Fatalf("%d anchors", len(old))
	}
	for _, id := range old {
		if !strings.Contains(page("/docs"), ` id="`+id+`"`) {
			t.Errorf("/docs#%s is nowhere", id)
		}
	}
}

// The pages load a style sheet that has their own rules beside those of the calendar.
func TestDocsStyle(t *testing.T) {
	s := describedServer(t, "")
	sheet := regexp.MustCompile(`/assets/style-[0-9a-f]+\.css`).FindString(docsPage(t, s, "/docs"))
	if text := docsPage(t, s, sheet); !strings.Contains(text, ".operation {") ||
		!strings.Contains(text, "header.site") {
		t.Errorf("%s has no style of the pages of /docs: %s", sheet, text)
	}
}

// The start begins with the title, a sentence and the first call, at the address that was
// asked, in every language.
func TestDocsStart(t *testing.T) {
	s := describedServer(t, "")
	for _, l := range i18n.Languages() {
		text := docsPage(t, s, "/"+l.Tag+"/docs")
		_, main, _ := strings.Cut(text, `<main id="main">`)
		if call := strings.Index(main, "curl &#39;http://"+docsHost+"/"+l.Tag+"/cal/events/v1/events?per_page=1&#39;"); call < 0 ||
			call > 600 {
			t.Errorf("%s: the first call is %d bytes behind the beginning", l.Tag, call)
		}
		if answer := strings.Index(main, "&#34;title&#34;: &#34;Summer concert&#34;"); answer < 0 ||
			answer > 1000 {
			t.Errorf("%s: the answer is %d bytes behind the beginning", l.Tag, answer)
		}
		if tags := strings.Count(main[:strings.Index(main, `<pre id="first">`)], "<"); tags != 6 { // title, sentence, label
			t.Errorf("%s: %d tags stand before the first call", l.Tag, tags)
		}
	}
}

// Pages load their style and nothing else, whether the calendar has pages or not, and are
// answered with 304 and compressed.
func TestDocsHeaders(t *testing.T) {
	s := describedServer(t, "")
	style := regexp.MustCompile(
		`<link rel="stylesheet" href="http://cal\.example\.org(/assets/style-[0-9a-f]+\.css)">`,
	)
	for _, path := range []string{"/docs", "/de/docs/events"} {
		w := get(s, docsHost, path, "Accept-Encoding", "gzip")
		h := w.Header()
		if policy := h.Get("Content-Security-Policy"); policy != openapi.PagePolicy ||
			strings.Contains(policy, "unsafe") ||
			h.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: %v", path, h)
		}
		if got := h.Get("X-Robots-Tag"); got != "all" {
			t.Errorf("%s: search engines are told %q", path, got)
		}
		if again := get(s, docsHost, path, "If-None-Match", h.Get("ETag")); h.Get("ETag") == "" ||
			again.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.Code)
		}
		text := docsPage(t, s, path)
		sheet := style.FindStringSubmatch(text)
		if sheet == nil || strings.Contains(text, "<script") || strings.Contains(text, "style=") ||
			strings.Contains(text, "<style") || strings.Contains(text, "<form") {
			t.Fatalf("%s: has a script, a style of its own, a form, or no style sheet", path)
		}
		w = get(s, docsHost, sheet[1])
		if w.Code != http.StatusOK ||
			w.Header().Get("Content-Type") != "text/css; charset=utf-8" ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") ||
			!strings.Contains(w.Body.String(), "--accent") {
			t.Errorf("%s: %d %v", sheet[1], w.Code, w.Header())
		}
	}
	links := strings.Join(get(s, docsHost, "/fr/docs/venues").Header()["Link"], "\n")
	if !strings.Contains(links, "<http://cal.example.org/de/docs/venues>") {
		t.Errorf("links to other languages: %s", links)
	}
}
