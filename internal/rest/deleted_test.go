// Events whose venues and organizers are deleted.

package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/account"
	"almanac/internal/resttest"
	"almanac/store"
)

// A venue or an organizer that is deleted is taken out of all events, hidden ones too, and its restoration does
// not bring the links back. The other links stay.
func TestDeletedAreUnlinked(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	hall := c.add(&store.Venue{Name: "Hall"})
	ann, bob := c.add(&store.Organizer{Name: "Ann"}), c.add(&store.Organizer{Name: "Bob"})
	for i := range 24 {
		post := store.Post{Status: []store.Status{store.Publish, store.Draft, store.Private}[i%3], Author: []int64{authorID, adminID}[i%2]}
		c.add(&store.Event{Post: post, Title: fmt.Sprint("Event ", i), Venues: []int64{hall}, Organizers: []int64{ann, bob}})
	}
	write := func(method, path, body string) {
		t.Helper()
		if status, answer := resttest.Do(t, c.As(account.Editor), method, c.URL+api+c.fill(t, path), body); status != http.StatusOK {
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
	show("before", "Hall, Ann, Bob")
	write("DELETE", "/venues/{Hall}", "")
	write("DELETE", "/organizers/{Ann}", "")
	show("deleted", "Bob")
	write("PUT", "/venues/{Hall}", `{"status":"publish"}`)
	write("PUT", "/organizers/{Ann}", `{"status":"publish"}`)
	show("published again", "Bob")
}
