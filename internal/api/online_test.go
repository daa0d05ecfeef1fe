package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// An event tells where people take part online: in the API, in data for search engines, on pages, in
// calendars, tables and feeds. A password hides it, and an event without it is as it was.
func TestOnlineEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	id := c.Add(&store.Event{
		Title:    "Choir",
		Start:    sample.Local(t, "2031-05-10 20:00:00"),
		End:      sample.Local(t, "2031-05-10 22:00:00"),
		Timezone: "UTC",
		Post:     store.Post{Slug: "choir"},
	})
	hall := c.Add(&store.Venue{Name: "Town Hall", Post: store.Post{Slug: "town-hall"}})
	c.IDs["Choir"] = id
	const link = "https://meet.example.org/a?b=1&c=<2>'"
	const address = "https://meet.example.org/a?b=1&c=2"
	const anchor = `<section><h2>Online</h2>
<p><a href="https://meet.example.org/a?b=1&amp;c=2" rel="external nofollow">meet.example.org</a></p></section>`
	place := func(name string) string { return `<p class="facts"><span><bdi>` + name + `</bdi></span>` }
	read := func(path string) string {
		_, body := apitest.Text(t, c.As(""), http.MethodGet, c.URL+path, "")
		return string(body)
	}
	before := read(v1 + "/events/" + fmt.Sprint(id) + "?_fields=title,event_status,custom_fields")
	for _, tt := range []struct {
		name, send string
		refused    bool
		url        string // "" for none
		mode       string
		locations  []string // their types
		where      string   // in lists
	}{
		{"an address", `{"virtual_url":"` + address + `"}`, false, address, "Online", []string{"VirtualLocation"}, "Online"},
		{"no address", `{"virtual_url":"meet.example.org"}`, true, address, "Online", []string{"VirtualLocation"}, "Online"},
		{"a script", `{"virtual_url":"javascript:alert(1)"}`, true, address, "Online", []string{"VirtualLocation"}, "Online"},
		{"mail", `{"virtual_url":"mailto:a@example.org"}`, true, address, "Online", []string{"VirtualLocation"}, "Online"},
		{"marks", `{"virtual_url":"` + link + `"}`, false, link, "Online", []string{"VirtualLocation"}, "Online"},
		{"what is shown is no member", `{"is_virtual":false,"virtual_url":"` + address + `"}`, false, address,
			"Online", []string{"VirtualLocation"}, "Online"},
		{"a venue beside it", fmt.Sprintf(`{"venue":%d}`, hall), false, address, "Mixed", []string{"Place", "VirtualLocation"}, "Town Hall"},
		{"another change", `{"title":"Choir"}`, false, address, "Mixed", []string{"Place", "VirtualLocation"}, "Town Hall"},
		{"taken away", `{"virtual_url":""}`, false, "", "Offline", []string{"Place"}, "Town Hall"},
		{"no place at all", `{"venue":[]}`, false, "", "Offline", nil, ""},
	} {
		status, answer := apitest.Do(t, c.As(account.Administrator), http.MethodPatch, fmt.Sprint(c.URL, v1, "/events/", id), tt.send)
		if got := sample.Complaint(answer); tt.refused && (status != http.StatusBadRequest || got != "rest_invalid_param virtual_url") ||
			!tt.refused && status != http.StatusOK {
			t.Errorf("%s: %d %s", tt.name, status, got)
		}
		_, e := c.Get(t, "", "/events/{Choir}")
		ld := e["json_ld"].(map[string]any)
		var types []string
		locations, isList := ld["location"].([]any)
		if one := ld["location"]; !isList && one != nil {
			locations = []any{one}
		}
		for _, one := range locations {
			location := one.(map[string]any)
			types = append(types, location["@type"].(string))
			if location["@type"] == "VirtualLocation" && location["url"] != tt.url {
				t.Errorf("%s: the location is %v", tt.name, location)
			}
		}
		got := []any{e["virtual_url"], e["is_virtual"], ld["eventAttendanceMode"], types}
		want := []any{nil, nil, "https://schema.org/" + tt.mode + "EventAttendanceMode", tt.locations}
		if tt.url != "" {
			want[0] = tt.url
			want[1] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		page := read("/event/choir/")
		if strings.Contains(page, "<h2>Online</h2>") != (tt.url != "") || tt.url == address && !strings.Contains(page, anchor) {
			t.Errorf("%s: %s", tt.name, page)
		}
		list := read("/events/list/?tribe-bar-date=2031-05-01")
		if tt.where != "" && !strings.Contains(list, place(tt.where)) || tt.where == "" && strings.Contains(list, `class="facts"`) {
			t.Errorf("%s: not at %q in %s", tt.name, tt.where, list)
		}
		if n := strings.Count(list, `"@type":"VirtualLocation"`); n != strings.Count(strings.Join(types, " "), "VirtualLocation") {
			t.Errorf("%s: data of the list has %d locations online", tt.name, n)
		}
		if tt.url == link {
			continue // documents write the marks in their own ways
		}
		for path, line := range map[string]string{
			".ics":       "CONFERENCE;VALUE=URI:" + address + "\r\n",
			".csv":       ",scheduled,," + address + "\r\n",
			".rss":       "&lt;br /&gt;https://meet.example.org/a?b=1&amp;amp;c=2",
			".feed.json": `"virtual_url":"` + address + `"`,
		} {
			document := read(v1 + "/events" + path + "?start_date=2031-05-01")
			if path == ".ics" && strings.Contains(document, "LOCATION:https:") != (tt.mode == "Online") {
				t.Errorf("%s: LOCATION in %s", tt.name, document)
			}
			if !strings.Contains(document, "Choir") || strings.Contains(document, line) != (tt.url != "") {
				t.Errorf("%s: %s: not %s in %s", tt.name, path, line, document)
			}
		}
	}
	if after := read(v1 + "/events/" + fmt.Sprint(id) + "?_fields=title,event_status,custom_fields"); after != before {
		t.Errorf("without an address: %s, and before %s", after, before)
	}
	if _, e := c.Get(t, "", "/events/{Choir}"); e["virtual_url"] != nil || e["is_virtual"] != nil {
		t.Errorf("members of an event without an address: %v", e)
	}

	apitest.Do(t, c.As(account.Administrator), http.MethodPatch, fmt.Sprint(c.URL, v1, "/events/", id),
		`{"virtual_url":"`+address+`","password":"secret"}`)
	for _, path := range []string{
		v1 + "/events?start_date=2031-05-01", "/event/choir/", "/events/list/?tribe-bar-date=2031-05-01",
		v1 + "/events.ics?start_date=2031-05-01", v1 + "/events.csv?start_date=2031-05-01", v1 + "/events.rss?start_date=2031-05-01",
		v1 + "/events.atom?start_date=2031-05-01", v1 + "/events.feed.json?start_date=2031-05-01",
	} {
		if body := read(path); !strings.Contains(body, "Choir") || strings.Contains(body, "meet.example") || strings.Contains(body, "Online") {
			t.Errorf("%s tells what a password hides: %s", path, body)
		}
	}
	if _, e := c.Get(t, "", "/events/{Choir}?password=secret"); e["virtual_url"] != address {
		t.Errorf("with the password: %v", e["virtual_url"])
	}
}
