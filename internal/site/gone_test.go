package site_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// A stranger learns that an event was there only if it was public when it went to the trash: every
// other one is answered like an unknown event, at all of its addresses.
func TestTrashTellsNothing(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	admin := account.Administrator
	do := func(method, path, body string, want int) {
		t.Helper()
		if status, answer := apitest.Do(t, c.As(admin), method, c.URL+v1+c.Fill(t, path), body); status != want {
			t.Fatalf("%s %s: %d, %v", method, path, status, answer)
		}
	}
	answers := func(name, slug string) (got string) {
		t.Helper()
		for _, address := range []string{"/event/%s/", "/event/%s/?ical=1", "/de/event/%s/ical/", "/embed/event/%s/", "/?tribe_events=%s",
			"/?post_type=tribe_events&p={%s}", "/?p={%s}&ical=1"} {
			address = fmt.Sprintf(address, map[bool]string{
				true:  name,
				false: slug,
			}[strings.Contains(address, "{")])
			resp, _ := c.Page(t, http.MethodGet, "", address, "Accept", "text/html")
			got += resp.Status[:3] + " "
		}
		return strings.TrimSpace(got)
	}
	same := func(status string) string { return strings.TrimSpace(strings.Repeat(status+" ", 7)) }

	for _, status := range []store.Status{store.Publish, store.Private, store.Future, store.Pending, store.Draft} {
		name := string(status)
		date := sample.Evening
		if status == store.Future {
			date = sample.Evening.AddDate(1, 0, 0)
		}
		c.Add(&store.Event{
			Title: name,
			Post:  store.Post{Status: status, Slug: name, Date: date},
			Start: sample.Local(t, "2026-12-12 10:00:00"),
			End:   sample.Local(t, "2026-12-12 12:00:00"),
		})
		do("DELETE", "/events/{"+name+"}", "", 200)
		want := same("404")
		if status == store.Publish {
			want = same("410")
		}
		if got := answers(name, name); got != want {
			t.Errorf("%s, in the trash: %s, want %s", status, got, want)
		}
	}

	// The name that it had before leads to the same answer, and what came back and is not
	// public any more leaves nothing.
	do("PATCH", "/events/{publish}", `{"status":"publish"}`, 200)
	do("PATCH", "/events/{publish}", `{"slug":"renamed"}`, 200)
	do("DELETE", "/events/{publish}", "", 200)
	for _, slug := range []string{"publish", "renamed"} {
		if got := answers("publish", slug); got != same("410") {
			t.Errorf("renamed, then in the trash: %s: %s", slug, got)
		}
	}
	do("PATCH", "/events/{publish}", `{"status":"private"}`, 200)
	do("DELETE", "/events/{publish}", "", 200)
	for _, slug := range []string{"publish", "renamed"} {
		if got := answers("publish", slug); got != same("404") {
			t.Errorf("made private, then in the trash: %s: %s", slug, got)
		}
	}
}
