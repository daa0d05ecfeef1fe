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
)

// A venue or an organizer that its author deletes stays linked to events of others, and no event,
// list, page or feed shows it to anybody, until it is restored.
func TestDeletedStayLinked(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	own := func(slug string) store.Post { return store.Post{Slug: slug, Author: sample.AuthorID} }
	hall := c.Add(&store.Venue{Post: own("hall"), Name: "Hall"})
	ann := c.Add(&store.Organizer{Post: own("ann"), Name: "Ann"})
	bob := c.Add(&store.Organizer{Name: "Bob"})
	for i := range 24 {
		post := store.Post{
			Status: []store.Status{store.Publish, store.Draft, store.Private}[i%3],
			Author: []int64{sample.AuthorID, sample.AdminID}[i%2],
		}
		post.Slug = fmt.Sprint("event-", i)
		c.Add(&store.Event{
			Post:       post,
			Title:      fmt.Sprint("Event ", i),
			Venues:     []int64{hall},
			Organizers: []int64{ann, bob},
		})
	}
	write := func(method, path, body string) {
		t.Helper()
		if status, answer := apitest.Do(t, c.As(account.Author), method, c.URL+v1+c.Fill(t, path), body); status != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	show := func(when, want string) {
		t.Helper()
		for i := range 24 {
			_, event := c.Get(t, account.Editor, fmt.Sprintf("/events/{Event %d}", i))
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
		hall := c.Fill(t, "{Hall}")
		ann := c.Fill(t, "{Ann}")
		for _, path := range []string{"/events?start_date=0001-01-01&venue=" + hall, "/events?start_date=0001-01-01&organizer=" + ann,
			"/venues?status=publish,trash&event={Event 0}", "/venues?status=publish,trash&has_events=true",
			"/venues?status=publish,trash&only_with_upcoming=true", "/organizers?status=publish,trash&event={Event 0}&include=" + ann} {
			_, answer := c.Get(t, account.Editor, path)
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
