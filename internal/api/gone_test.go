package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// A stranger learns that an event was there only if it was public when it went to the trash: every
// other one is answered like an unknown event, at all of its addresses.
func TestTrashTellsNothing(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	admin := account.Administrator
	do := func(method, path, body string, want int) {
		t.Helper()
		if status, answer := apitest.Do(t, c.As(admin), method, c.URL+v1+c.fill(t, path), body); status != want {
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
			resp, _ := c.page(t, http.MethodGet, "", address, "Accept", "text/html")
			got += resp.Status[:3] + " "
		}
		return strings.TrimSpace(got)
	}
	same := func(status string) string { return strings.TrimSpace(strings.Repeat(status+" ", 7)) }

	for _, status := range []store.Status{store.Publish, store.Private, store.Future, store.Pending, store.Draft} {
		name := string(status)
		date := evening
		if status == store.Future {
			date = evening.AddDate(1, 0, 0)
		}
		c.add(&store.Event{
			Title: name,
			Post:  store.Post{Status: status, Slug: name, Date: date},
			Start: local(t, "2026-12-12 10:00:00"),
			End:   local(t, "2026-12-12 12:00:00"),
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

// A venue or an organizer that its author deletes stays linked to events of others, and no event,
// list, page or feed shows it to anybody, until it is restored.
func TestDeletedStayLinked(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	own := func(slug string) store.Post { return store.Post{Slug: slug, Author: authorID} }
	hall := c.add(&store.Venue{Post: own("hall"), Name: "Hall"})
	ann := c.add(&store.Organizer{Post: own("ann"), Name: "Ann"})
	bob := c.add(&store.Organizer{Name: "Bob"})
	for i := range 24 {
		post := store.Post{
			Status: []store.Status{store.Publish, store.Draft, store.Private}[i%3],
			Author: []int64{authorID, adminID}[i%2],
		}
		post.Slug = fmt.Sprint("event-", i)
		c.add(&store.Event{
			Post:       post,
			Title:      fmt.Sprint("Event ", i),
			Venues:     []int64{hall},
			Organizers: []int64{ann, bob},
		})
	}
	write := func(method, path, body string) {
		t.Helper()
		if status, answer := apitest.Do(t, c.As(account.Author), method, c.URL+v1+c.fill(t, path), body); status != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	show := func(when, want string) {
		t.Helper()
		for i := range 24 {
			_, event := c.get(t, account.Editor, fmt.Sprintf("/events/{Event %d}", i))
			var shown []string
			if venue, ok := event["venue"].(map[string]any); ok {
				shown = append(shown, fmt.Sprint(venue["venue"]))
			}
			for _, one := range event["organizer"].([]any) {
				shown = append(shown, fmt.Sprint(one.(map[string]any)["organizer"]))
			}
			if got := strings.Join(shown, ", "); got != want {
				t.Fatalf("%s, event %d shows %q, want %q", when, i, got, want)
			}
		}
	}
	list := func(when string, want float64) {
		t.Helper()
		hall := c.fill(t, "{Hall}")
		ann := c.fill(t, "{Ann}")
		for _, path := range []string{"/events?start_date=0001-01-01&venue=" + hall, "/events?start_date=0001-01-01&organizer=" + ann,
			"/venues?status=publish,trash&event={Event 0}", "/venues?status=publish,trash&has_events=true",
			"/venues?status=publish,trash&only_with_upcoming=true", "/organizers?status=publish,trash&event={Event 0}&include=" + ann} {
			_, answer := c.get(t, account.Editor, path)
			if got := answer["total"]; got != want && (want == 0 || got == 0.0) {
				t.Errorf("%s, the list %s has %v, want %v", when, path, got, want)
			}
		}
		for _, path := range []string{"/event/event-0/", "/events/list/?tribe-bar-date=1960-01-01", "/event/event-0/?ical=1",
			v1 + "/events.csv?start_date=1960-01-01"} {
			_, text := apitest.Text(t, c.As(account.Editor), "GET", c.URL+path, "")
			if !strings.Contains(string(text), "Event 0") ||
				strings.Contains(string(text), "Hall") != (want != 0) {
				t.Errorf("%s, %s has the venue: %v, and is %.200s", when, path, want == 0, text)
			}
		}
	}
	show("before", "Hall, Ann, Bob")
	list("before", 24)
	write("DELETE", "/venues/{Hall}", "")
	write("DELETE", "/organizers/{Ann}", "")
	show("deleted", "Bob")
	list("deleted", 0)
	write("PUT", "/venues/{Hall}", `{"status":"publish"}`)
	write("PUT", "/organizers/{Ann}", `{"status":"publish"}`)
	show("published again", "Hall, Ann, Bob")
	list("published again", 24)
}
