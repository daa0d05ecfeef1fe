// Following the links of pages, as search engines do.

package site_test

import (
	"encoding/json"
	"fmt"
	"html"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
)

// crawlMost is how many addresses a crawl of a built-in seed may find: more are a trap.
const crawlMost = 20_000

// narrowed are views with a filter, which are followed with ALMANAC_LONG alone.
var narrowed = regexp.MustCompile(
	`/events/(?:category|tag)/.+/(?:month|week|day|list|past|page|today|\d+-\d\d)|` +
		`[?&](?:categories|tags|venue|organizer)=`,
)

// targets yields the tags of a page that have links, with their targets. Regular expressions would
// take longer than the pages.
func targets(body string) iter.Seq2[string, string] {
	return func(yield func(tag, target string) bool) {
		for part := range strings.SplitSeq(body, "<") {
			tag, _, _ := strings.Cut(part, ">")
			for _, attribute := range []string{` href="`, ` src="`, ` action="`} {
				_, value, has := strings.Cut(tag, attribute)
				target, _, _ := strings.Cut(value, `"`)
				if has && !yield(tag, html.UnescapeString(target)) {
					return
				}
			}
		}
	}
}

// codeOfPoster is the QR code of a poster, in which there is nothing but paths.
var codeOfPoster = regexp.MustCompile(
	`<svg [^<>]*shape-rendering="crispEdges"[^<>]*>(<path [^<>]*/>)+</svg>`,
)

// A crawler that follows the links of pages from the root comes to every event that lists show, to
// no dead address, and to an end. Some pages on the way are read, all with ALMANAC_LONG.
func TestPageCrawlAlone(t *testing.T) {
	race.Alone(t)
	for _, name := range []string{"@city", "@torture"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := sample.New(t)
			c.SeedFile(name)
			h := sample.Visited(t, c)
			const origin = "http://example.com"
			found := map[string]string{origin + "/": ""}
			waiting := []string{origin + "/"}
			pages := 0
			inLanguages := map[string]string{}
			for len(waiting) > 0 && len(found) < crawlMost {
				address := waiting[0]
				waiting = waiting[1:]
				method := http.MethodGet
				if strings.HasPrefix(address, origin+v1+"/") {
					method = http.MethodHead // of the API
				}
				rec := apitest.Serve(h, method, address, "", "Accept", "text/html")
				if to := rec.Header().Get("Location"); rec.Code == http.StatusMovedPermanently &&
					strings.HasPrefix(to, origin+"/") {
					if found[to] == "" { // as of a short address
						found[to] = address
						waiting = append(waiting, to)
					}
					continue
				}
				asksPassword := method == http.MethodHead &&
					rec.Code == http.StatusForbidden // the record of an event with a password
				if rec.Code != http.StatusOK && !asksPassword {
					t.Errorf("%s, which %s leads to: %d", address, found[address], rec.Code)
				}
				if method == http.MethodHead ||
					!strings.HasPrefix(rec.Header().Get("Content-Type"), "text/html") ||
					address == origin+"/docs" {
					continue
				}
				pages++
				body := rec.Body.String()
				if sample.Long || pages%10 == 0 {
					text := codeOfPoster.ReplaceAllString(body, "")
					for _, wrong := range apitest.ReadPage(text, origin).Wrong {
						t.Errorf("%s: %.300s", address, wrong)
					}
				}
				for tag, target := range targets(body) {
					link, _, _ := strings.Cut(target, "#")
					switch {
					case strings.Contains(tag, ` method="post"`),
						strings.Contains(tag, ` rel="canonical"`),
						!strings.HasPrefix(link, origin+"/"):
					case strings.Contains(tag, ` hreflang="`) && !strings.Contains(tag, `"x-default"`):
						if len(inLanguages) < 400 {
							inLanguages[link] = address
						}
					case !sample.Long && narrowed.MatchString(link):
					case found[link] == "" && link != origin+"/":
						found[link] = address
						waiting = append(waiting, link)
					}
				}
			}
			if len(waiting) > 0 {
				t.Errorf(
					"there are more than %d addresses, as %q",
					len(found),
					waiting[len(waiting)-3:],
				)
			}
			for link, from := range inLanguages {
				if rec := apitest.Serve(h, http.MethodHead, link, "", "Accept", "text/html"); rec.Code != http.StatusOK {
					t.Errorf("%s, which %s leads to: %d", link, from, rec.Code)
				}
			}
			events := 0
			for page := 1; ; page++ {
				rec := apitest.Serve(
					h,
					http.MethodGet,
					fmt.Sprint(
						origin,
						v1,
						"/events?starts_after=1000-01-01&per_page=50&page=",
						page,
					),
					"",
				)
				if rec.Code != http.StatusOK {
					break
				}
				var list struct {
					Events []struct{ URL string }
				}
				if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil {
					t.Fatal(err)
				}
				for _, e := range list.Events {
					if events++; found[e.URL] == "" {
						t.Errorf("no page leads to %s", e.URL)
					}
				}
			}
			t.Logf(
				"%s: %d addresses, %d of them pages; %d events",
				name,
				len(found),
				pages,
				events,
			)
		})
	}
}
