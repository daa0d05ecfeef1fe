// What becomes of events whose venues and organizers are deleted.

package rest_test

import (
	"fmt"
	"net/http"
	"testing"

	"almanac/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A venue or an organizer that is deleted is taken out of every event, however many
// there are and whoever sees them; the others stay, and it is not there again when
// it comes out of the trash.
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
		if status, answer := ask(t, c.As(account.Editor), method, c.URL+api+c.fill(t, path), body); status != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	show := func(when string, want map[string]any) {
		t.Helper()
		for i := range 24 {
			_, got := c.get(t, account.Editor, fmt.Sprintf("/events/{Event %d}?_fields=venue.venue,organizer.organizer", i))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, event %d (-want +got):\n%s", when, i, diff)
			}
		}
	}
	by := func(name string) map[string]any { return map[string]any{"organizer": name} }
	show("before", map[string]any{"venue": map[string]any{"venue": "Hall"}, "organizer": []any{by("Ann"), by("Bob")}})
	write("DELETE", "/venues/{Hall}", "")
	write("DELETE", "/organizers/{Ann}", "")
	want := map[string]any{"venue": []any{}, "organizer": []any{by("Bob")}}
	show("deleted", want)
	write("PUT", "/venues/{Hall}", `{"status":"publish"}`)
	write("PUT", "/organizers/{Ann}", `{"status":"publish"}`)
	show("published again", want)
}
