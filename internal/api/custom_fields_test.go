package api_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// Answers, pages, tables and calendars show custom fields, requests do not change them, and a
// password hides them.
func TestCustomFields(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	fields := store.CustomFields{
		{
			Key:   "z",
			Label: "Dress <b>",
			Value: "black\n\"tie\"",
		}, {
			Key:   "a",
			Label: "a",
			Value: "https://example.org/?a=1&b=2",
		},
		{
			Key:   "js",
			Label: "JS",
			Value: "javascript:alert(1)",
		}, {
			Key:   "two",
			Label: "Two",
			Value: "https://example.org/ and more",
		},
	}
	post := func(slug string, fields store.CustomFields) store.Post {
		return store.Post{Slug: slug, CustomFields: fields}
	}
	hall := c.Add(&store.Venue{Post: post("hall", fields[:1]), Name: "Hall"})
	c.Add(&store.Organizer{Post: post("ann", fields[1:2]), Name: "Ann"})
	bare := c.Add(&store.Venue{Post: post("bare", nil), Name: "Bare"})
	start := sample.Local(t, "2031-05-10 20:00:00")
	id := c.Add(&store.Event{
		Title:  "Choir",
		Start:  start,
		End:    start,
		Post:   post("choir", fields),
		Venues: []int64{hall},
	})
	c.Add(&store.Event{
		Title:  "Dance",
		Start:  start,
		End:    start + 1,
		Post:   post("dance", nil),
		Venues: []int64{bare},
	})
	c.Add(&store.Event{
		Title: "Fair",
		Start: start,
		End:   start + 2,
		Post:  post("fair", store.CustomFields{{Key: "z", Label: "Z", Value: "=1"}}),
	})
	c.Add(&store.Event{
		Title:    "Closed",
		Start:    start,
		End:      start + 3,
		Password: "secret",
		Post:     post("closed", store.CustomFields{{Key: "zqk", Label: "zql", Value: "zqv"}}),
	})
	text := func(path string) string {
		_, body := apitest.Text(t, c.Client(), http.MethodGet, c.URL+path, "")
		return string(body)
	}
	const z = `"z":{"label":"Dress <b>","value":"black\n\"tie\""}`
	const a = `"a":{"label":"a","value":"https://example.org/?a=1&b=2"}`
	const all = `"custom_fields":{` + z + `,` + a + `,"js":{"label":"JS","value":"javascript:alert(1)"},` +
		`"two":{"label":"Two","value":"https://example.org/ and more"}},"ticketed"`
	at := fmt.Sprint(v1, "/events/", id)
	for i := range 2 {
		for path, want := range map[string]string{
			at:                                   all,
			v1 + "/events/by-slug/choir":         all,
			v1 + "/events?start_date=2031-05-01": all,
			v1 + "/events/by-slug/dance":         `"custom_fields":[],"ticketed"`,
			v1 + "/events?search=Closed&start_date=2031-05-01": `"custom_fields":[],"ticketed"`,
			v1 + "/events/by-slug/closed?password=secret":      `"custom_fields":{"zqk":{"label":"zql","value":"zqv"}}`,
			v1 + "/venues/by-slug/hall":                        `"custom_fields":{` + z + `},"json_ld"`,
			v1 + "/organizers/by-slug/ann":                     `"custom_fields":{` + a + `},"json_ld"`,
			"/event/choir/": "<dl class=\"custom\">\n<div><dt><bdi>Dress &lt;b&gt;</bdi></dt>\n<dd dir=\"auto\">black\n&#34;tie&#34;</dd></div>\n" +
				"<div><dt><bdi>a</bdi></dt>\n<dd dir=\"auto\"><a href=\"https://example.org/?a=1&amp;b=2\" rel=\"external nofollow\">" +
				"https://example.org/?a=1&amp;b=2</a></dd></div>\n<div><dt><bdi>JS</bdi></dt>\n<dd dir=\"auto\">javascript:alert(1)</dd></div>\n" +
				"<div><dt><bdi>Two</bdi></dt>\n<dd dir=\"auto\">https://example.org/ and more</dd></div>\n</dl>",
		} {
			if got := text(path); !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", path, want, got)
			}
		}
		if got := text(v1 + "/venues/by-slug/bare"); strings.Contains(got, "custom") {
			t.Errorf("bare: %s", got)
		}
		rows, err := csv.NewReader(strings.NewReader(text(v1 + "/events.csv?start_date=2031-05-01"))).
			ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var cells [][]string
		for _, row := range rows {
			cells = append(cells, row[len(row)-5:])
		}
		want := [][]string{
			{
				"FIELD: Dress <b> [z]",
				"FIELD: a",
				"FIELD: JS [js]",
				"FIELD: Two [two]",
				"FIELD: Z [z]",
			},
			{
				"black\n\"tie\"",
				fields[1].Value,
				fields[2].Value,
				fields[3].Value,
				"",
			}, {"", "", "", "", ""}, {"", "", "", "", "'=1"},
			{"", "", "", "", ""},
		}
		if diff := cmp.Diff(want, cells); diff != "" {
			t.Errorf("table (-want, +got):\n%s", diff)
		}
		if i == 0 {
			const body = `{"custom_fields":{"z":{"label":"L","value":"v"}},"title":"Song"}`
			apitest.Do(t, c.As(account.Administrator), http.MethodPatch, c.URL+at, body)
		}
	}
	for _, path := range []string{"/events", "/events.ics", "/events.csv", "/events.rss", "/events.atom", "/events.feed.json",
		"/events/by-slug/closed"} {
		if got := text(v1 + path + "?start_date=2031-05-01"); strings.Contains(got, "zq") {
			t.Errorf("%s: %s", path, got)
		}
	}
	if page := text("/event/closed/"); strings.Contains(page, "zq") {
		t.Errorf("%s", page)
	}
}

// A restored revision has the custom fields of its time, on disk and in memory.
func TestCustomFieldsRestored(t *testing.T) {
	onDiskAndInMemory(t, func(t *testing.T, c *changeServer) {
		put := func(id int64, fields store.CustomFields) {
			t.Helper()
			err := c.store.Update(1, func(tx *store.Tx) error {
				if v := tx.Venue(id); v != nil {
					next := *v
					next.CustomFields = fields
					return tx.Put(&next)
				}
				next := *tx.Event(id)
				next.CustomFields = fields
				return tx.Put(&next)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for kind, body := range map[string]string{
			"venues": `{"venue":"Hall"}`,
			"events": concertJSON + `}`,
		} {
			id := c.add("editor", kind, body)
			path := fmt.Sprint("/", kind, "/", id)
			put(id, store.CustomFields{{Key: "a", Label: "A", Value: "1"}})
			put(id, nil)
			list := c.revisions("editor", path)
			want := []string{
				"changed by administrator: custom_fields",
				"changed by administrator: custom_fields",
				"created by editor: ",
			}
			if diff := cmp.Diff(want, list.told()); diff != "" {
				t.Errorf("%s (-want, +got):\n%s", path, diff)
			}
			text := c.ask(
				"editor",
				"POST",
				fmt.Sprintf("%s/revisions/%d/restore", path, list.Revisions[1].Number),
				"",
				200,
			)
			if !strings.Contains(text, `"custom_fields":{"a":{"label":"A","value":"1"}}`) {
				t.Errorf("%s is restored as %s", path, text)
			}
		}
	})
}
