package files_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/move/files"
)

// listing writes a page of events with ids from first to last.
func listing(first, last int, members string) string {
	var events []string
	for id := first; id <= last; id++ {
		events = append(events, fmt.Sprintf(`{"id":%d,"title":"E"}`, id))
	}
	return fmt.Sprintf(`{"events":[%s]%s}`, strings.Join(events, ","), members)
}

// Pages are counted together for each list, and what is missing is told with the
// address to go on at.
func TestPages(t *testing.T) {
	t.Parallel()
	const site = "https://a.example/wp-json/tribe/events/v1/events/"
	page := func(number int, query, next, previous string, total int) string {
		text := fmt.Sprintf(
			`,"rest_url":"%s?page=%d&per_page=2%s","total":%d`,
			site,
			number,
			query,
			total,
		)
		if next != "" {
			text += fmt.Sprintf(`,"next_rest_url":"%s"`, next)
		}
		if previous != "" {
			text += fmt.Sprintf(`,"previous_rest_url":"%s"`, previous)
		}
		return text
	}
	const second, third = site + "?per_page=2&page=2", site + "?per_page=2&page=3"
	first := listing(1, 2, page(1, "", second, "", 5))
	middle := listing(3, 4, page(2, "", third, site, 5))
	last := listing(5, 5, page(3, "", "", second, 5))
	terms := func(first, last int, next, previous string) string {
		text := strings.Replace(listing(first, last, next+previous), `{"events"`,
			`{"rest_url":"https://a.example/tags/","total":5,"total_pages":3,"tags"`, 1)
		return strings.ReplaceAll(text, `"title":`, `"taxonomy":"post_tag","name":`)
	}
	const nextTags, previousTags = `,"next_rest_url":"https://a.example/tags/?page=%d"`, `,"previous_rest_url":"https://a.example/tags/%s"`
	events := strings.TrimSuffix(site, "/")
	missing := func(n, of int, next string) string {
		return strings.TrimSuffix(
			fmt.Sprintf(
				"%s: %d of %d events are missing; the next page is %s",
				events,
				n,
				of,
				next,
			),
			"; the next page is ",
		)
	}
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"all pages", []string{first, middle, last}, nil},
		{"in any order", []string{last, first, middle}, nil},
		{"one after the other in a file", []string{first + "\n" + middle + last}, nil},
		{"the first page", []string{first}, []string{missing(3, 5, second)}},
		{"without the last page", []string{middle, first}, []string{missing(1, 5, third)}},
		{"a page in between is missing", []string{first, last}, []string{missing(2, 5, second)}},
		{"the last page alone", []string{last}, []string{missing(4, 5, second)}},
		{"the second page alone", []string{middle}, []string{missing(3, 5, site)}},
		{"a page twice is no other page", []string{first, first, first}, []string{missing(3, 5, second)}},
		{"pages of another size that overlap", []string{first, listing(1, 5, page(1, "", "", "", 5))}, nil},
		{"a page that is all, and names a next one all the same", []string{listing(1, 6, page(1, "", second, "", 6))}, nil},
		{"the site grew between two pages", []string{listing(1, 2, page(1, "", second, "", 3)), listing(3, 4, page(2, "", "", site, 4))}, nil},
		{"the site says two totals", []string{first, listing(3, 4, page(2, "", "", site, 4))}, []string{missing(1, 5, "")}},
		{"an empty list", []string{listing(1, 0, page(1, "", "", "", 0))}, nil},
		{"total as a text", []string{strings.Replace(first, `"total":5`, `"total":"5"`, 1)}, []string{missing(3, 5, second)}},
		{"no total", []string{strings.Replace(first, `"total":5`, `"found":5`, 1)},
			[]string{events + ": the site has more events than were given; the next page is " + second}},
		{"no total, all pages", []string{strings.Replace(first, `"total":5`, `"found":5`, 1),
			listing(3, 3, `,"rest_url":"`+site+`?page=2"`)}, nil},
		{"nothing said", []string{listing(1, 2, ""), `[{"venue":"V"}]`, `{"id":9,"title":"E"}`}, nil},
		{"no address", []string{listing(1, 2, `,"total":4`), listing(1, 2, `,"total":2`)},
			[]string{"events of 0.json: 2 of 4 events are missing"}},
		{"another query is another list", []string{first, listing(1, 5, page(1, "&start_date=2030-01-01 00:00:00", "", "", 5))},
			[]string{missing(3, 5, second)}},
		{"two filters that the site does not tell apart", []string{listing(1, 4, page(1, "", "", "", 4)),
			listing(11, 12, page(1, "", second, "", 5))},
			[]string{missing(3, 5, second)}},
		{"another site", []string{first, strings.ReplaceAll(middle+last, "a.example", "b.example")},
			[]string{missing(3, 5, second), strings.ReplaceAll(missing(2, 5, site), "a.example", "b.example")}},
		{"records that are none count too", []string{strings.Replace(first, `"id":2`, `"id":null`, 1),
			strings.Replace(middle, `{"id":3,"title":"E"}`, "17", 1), last}, nil},
		{"terms, whose addresses say no page", []string{terms(1, 2, fmt.Sprintf(nextTags, 2), ""),
			terms(3, 4, fmt.Sprintf(nextTags, 3), fmt.Sprintf(previousTags, "")),
			terms(5, 5, "", fmt.Sprintf(previousTags, "?page=2"))}, nil},
		{"two pages of terms", []string{terms(1, 3, fmt.Sprintf(nextTags, 2), ""), terms(4, 5, "", fmt.Sprintf(previousTags, ""))}, nil},
		{"two of three pages of terms", []string{terms(1, 2, fmt.Sprintf(nextTags, 2), ""),
			terms(3, 4, fmt.Sprintf(nextTags, 3), fmt.Sprintf(previousTags, ""))},
			[]string{"https://a.example/tags: 1 of 5 tags are missing; the next page is https://a.example/tags/?page=3"}},
		{"several lists in one object", []string{`{"events":[],"venues":[],"total":7,"next_rest_url":"` + second + `"}`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var pages files.Pages
			for i, file := range tt.files {
				err := files.Reader{}.Read(
					strings.NewReader(file),
					fmt.Sprint(i, ".json"),
					func(intake.Item) error { return nil },
					pages.Add,
				)
				if err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, pages.Incomplete()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
