// Pages that show a series as one entry.

package site_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Searches, venues and organizers have one entry for each series, and so has the list if it is
// asked for: with the rule, the number of later dates, and a link to all of them. The list itself,
// past dates and the API have each date.
func TestSeriesOnce(t *testing.T) {
	t.Parallel()
	city := almanactest.Start(t, almanactest.Options{Now: sample.Evening})
	city.SeedFile("@city")
	ask := func(client *http.Client, method, path string) string {
		r, err := http.NewRequestWithContext(t.Context(), method, city.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(path, answer, err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	show := func(path string) string { return ask(http.DefaultClient, http.MethodGet, path) }
	entry := regexp.MustCompile(
		`(?s)<h[34]><a href="[^"]*/event/community-choir-[0-9-]+/">.*?(?:more dates</a>|</article>)`,
	)
	entries := func(path string) (found []string) {
		for _, html := range entry.FindAllString(show(path), -1) {
			found = append(found, textOf(html, `.*`))
		}
		return found
	}
	first := entries("/events/?tribe-bar-search=choir&series=once")
	if len(first) != 1 || !strings.HasSuffix(first[0], "every 2 weeks on Tuesday 54 more dates") {
		t.Fatalf("%q", first)
	}
	venue := regexp.MustCompile(`/venue/[^/"]+/`)
	venueOf := venue.FindString(show("/event/community-choir-2026-11-24/"))
	for _, path := range []string{"/events/?tribe-bar-search=choir", "/events/?series=once", venueOf, "/embed/events/?series=once"} {
		got := entries(path)
		for i := range got { // the venue is not said on its own page
			got[i] = strings.Replace(
				got[i],
				"PM every",
				"PM Harrowmere Library, Harrowmere every",
				1,
			)
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("%s (-search, +got):\n%s", path, diff)
		}
	}
	for path, least := range map[string]int{
		"/events/?series=all":         1,
		"/event/community-choir/all/": 10,
	} {
		if got := entries(path); len(got) < least || strings.Contains(got[0], "more dates") {
			t.Errorf("%s: %q", path, got)
		}
	}
	page := show("/event/community-choir-2026-11-24/")
	for _, link := range []string{`/event/community-choir/all/">All dates<`, `\.ics">This date<`, `/events\.ics\?series=\d+">All dates<`} {
		if !regexp.MustCompile(link).MatchString(page) {
			t.Errorf("no link %s", link)
		}
	}
	if beside := page[strings.Index(page, "Also at this venue"):]; strings.Contains(
		beside,
		"Community Choir</bdi>",
	) {
		t.Error("the events at the venue have other dates of the same series")
	}
	for i, date := range []string{"2026-12-08", "2026-12-22"} { // a kept entry follows the dates
		id := regexp.MustCompile(`/events/(\d+)`).FindStringSubmatch(show("/event/community-choir-" + date + "/"))[1]
		ask(city.Client(), http.MethodDelete, "/cal/events/v1/events/"+id)
		if got := entries("/events/?tribe-bar-search=choir"); len(got) != 1 ||
			!strings.HasSuffix(got[0], fmt.Sprint(53-i, " more dates")) {
			t.Errorf("without %s: %q", date, got)
		}
	}
}

// Dates without a rule are not said in words, which would be long: their links are there.
func TestSeriesWithoutRule(t *testing.T) {
	t.Parallel()
	torture := almanactest.Start(t, almanactest.Options{Now: sample.Evening})
	torture.SeedFile("@torture")
	for path, link := range map[string]string{"/event/dates-without-a-rule/": "All dates",
		"/events/?series=once&tribe-bar-search=without": "2 more dates"} {
		answer, err := http.Get(torture.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(page), link) ||
			strings.Contains(string(page), "23 December 2026") {
			t.Errorf("%s: %v, %s", path, err, page)
		}
	}
}

// The page of a date leads to the next ones after it, and to all: the last one to all alone.
func TestNextDates(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{
		Post: store.Post{
			Status: store.Publish,
			Slug:   "choir",
		},
		Title: "Choir",
	})
	dates := regexp.MustCompile(`(?s)<h2>More dates</h2>(.*?)</section>`)
	for date, want := range map[string][]string{
		"2031-05-06": {"choir-2031-05-13", "choir-2031-05-20", "choir/all"},
		"2031-05-13": {"choir-2031-05-20", "choir/all"},
		"2031-05-20": {"choir/all"},
	} {
		_, page := c.Page(t, http.MethodGet, "", "/event/choir-"+date+"/")
		var got []string
		for _, link := range regexp.MustCompile(`/event/([^"]+)/"`).FindAllStringSubmatch(dates.FindString(page), -1) {
			got = append(got, link[1])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", date, diff)
		}
	}
}
