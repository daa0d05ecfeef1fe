// Random writes, and what becomes of them.

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// kinds are the collections, with the parameters that their writes have and some values of each.
var kinds = []struct {
	name   string
	values map[string][]string
}{
	{"events", map[string][]string{
		"title": {
			"Concert",
			"Concert & <b>Dance</b>",
			"Ξένος",
			"0",
			"",
			strings.Repeat("long ", 60),
		},
		"description": {
			"<p>Text</p>\n\nmore",
			"<script>x</script>",
			"5 < 6",
			`<a href="javascript:x">y</a>`,
		},
		"start_date": {
			"2031-06-01 20:00:00",
			"tomorrow 18:30",
			"2031-03-30 02:30:00",
			"yesterday",
			"nonsense",
			"06.12.2031",
		},
		"end_date": {
			"2031-06-01 22:00:00",
			"2031-06-04 09:00:00",
			"tomorrow 20:00",
			"1999-01-01",
		},
		"timezone": {
			"Europe/Berlin",
			"America/New_York",
			"UTC+5.5",
			"EDT",
		}, "all_day": {"true", "false", "maybe"},
		"status": {
			"publish",
			"draft",
			"pending",
			"private",
			"future",
			"trash",
		}, "slug": {"concert", "concert-2", "Über Größe", "0"},
		"cost": {
			"10",
			"Free",
			"10,50 - 20",
			"CHF 5",
		}, "featured": {"true", "false"}, "sticky": {"true"}, "show_map": {"false"},
		"hide_from_listings": {
			"true",
			"false",
		}, "categories": {"music", "music,jazz", "Neu", "1", "999999"}, "tags": {"kids", "a,b", "-1"},
		"venue": {"3", "Hall", `{"venue":"New hall","city":"Bonn"}`, "999999"},
		"organizer": {
			"4",
			`{"organizer":"Ann"}`,
		}, "image": {"https://img.example.org/a.jpg", "99999"},
		"website": {
			"https://example.org/x",
			"not an address",
		}, "password": {"secret", ""}, "post_parent": {"0", "12"}, "ticketed": {"true"},
		"recurrence": {
			"RRULE:FREQ=WEEKLY;COUNT=3",
			"RRULE:FREQ=DAILY;COUNT=2",
			"RRULE:NONSENSE",
			"",
		}, "scope": {"this", "all", "following"},
		"date": {"2031-01-01 10:00:00", "2032-01-01 10:00:00"}, "author": {"1", "3", "77"},
	}},
	{"venues", map[string][]string{
		"venue":   {"Barn", "Barn & Hall", ""},
		"address": {"Road 1", "0"},
		"city":    {"Bonn"},
		"country": {"Germany"},
		"zip":     {"12345"},
		"phone":   {"1"},
		"geo_lat": {"50.1", "91"},
		"geo_lng": {"7.1"},
		"status":  {"publish", "draft", "trash"},
		"slug":    {"barn", "hall"},
		"website": {"https://b.example.org"},
	}},
	{"organizers", map[string][]string{
		"organizer": {"Ann", "Bob"},
		"email":     {"a@example.org", "not"},
		"phone":     {"1"},
		"status":    {"publish", "draft", "private"},
		"slug":      {"ann"},
	}},
	{"categories", map[string][]string{
		"name":        {"Music", "Neu", ""},
		"slug":        {"music", "x"},
		"parent":      {"0", "1", "50"},
		"description": {"text", "<b>x</b>"},
	}},
	{"tags", map[string][]string{
		"name":        {"Kids", "Free"},
		"slug":        {"kids", "y"},
		"description": {"text"},
	}},
}

const (
	writeCount = 4_000
	lastID     = 1_500 // above every id that they make
)

func writes(p *pair, report *report) error {
	random := rand.New(rand.NewPCG(3, 32))
	for range writeCount {
		got, err := p.ask(write(random))
		if err != nil {
			return err
		}
		report.compare(asked{method: "after writes"}, got)
	}
	for _, kind := range kinds {
		for id := range lastID {
			for _, caller := range []string{"", "administrator", "author"} {
				a := asked{
					method: http.MethodGet,
					path:   fmt.Sprint(api, "/", kind.name, "/", id),
					caller: caller,
				}
				got, err := p.ask(a)
				if err != nil {
					return err
				}
				report.compare(a, got)
			}
		}
	}
	return nil
}

// write returns a random write.
func write(random *rand.Rand) asked {
	kind := kinds[[]int{0, 0, 0, 1, 2, 3, 4}[random.IntN(7)]]
	a := asked{
		method: http.MethodPost,
		path:   api + "/" + kind.name,
		caller: roles[[]int{0, 1, 1, 2, 2, 3, 3, 4, 5}[random.IntN(9)]],
	}
	if random.IntN(3) > 0 {
		a.method = []string{http.MethodPut, http.MethodPatch, http.MethodPost, http.MethodDelete}[random.IntN(4)]
		a.path += fmt.Sprint("/", random.IntN(800))
	}
	var names []string
	for name := range kind.values {
		names = append(names, name)
	}
	slices.Sort(names)
	query := url.Values{}
	take := func(name string) { query.Set(name, kind.values[name][random.IntN(len(kind.values[name]))]) }
	for range 1 + random.IntN(5) {
		take(names[random.IntN(len(names))])
	}
	if kind.name == "events" && random.IntN(4) > 0 && a.method == http.MethodPost {
		take("title")
		take("start_date")
		take("end_date")
	}
	a.body = query.Encode()
	if random.IntN(8) == 0 {
		a.path += "?_fields=id,status&" + url.Values{"force": {"true"}}.Encode()
	}
	return a
}
