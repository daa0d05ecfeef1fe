package desk_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Visitors are told of a new date where the form says so, and a postponed event with a new date
// asks for it.
func TestVisitorsAreToldOfNewDates(t *testing.T) {
	t.Parallel()
	const (
		asks    = "422 tell: The event is postponed. Does it take place on this date?"
		refuses = "422 tell: There is nothing to tell: date and start are as they were. Change one of them, or do not choose this."
	)
	for _, tt := range []struct {
		name, state string
		sent        []string
		want        string // the answer
		event       string // state, start and previous start
	}{
		{"a new date", "", []string{"date", "2031-06-01"}, "303", "|2031-06-01 19:00:00|"},
		{"a new date, told", "", []string{"date", "2031-06-01", "tell", "1"}, "303", "|2031-06-01 19:00:00|2031-05-20 19:00:00"},
		{"a new time, told", "", []string{"starts", "20:00", "tell", "1"}, "303", "|2031-05-20 20:00:00|2031-05-20 19:00:00"},
		{"told of nothing", "", []string{"title", "Choirs", "tell", "1"}, refuses, "|2031-05-20 19:00:00|"},
		{"postponed, with the same date", "postponed", []string{"title", "Choirs"}, "303", "postponed|2031-05-20 19:00:00|"},
		{"postponed, with a new date", "postponed", []string{"date", "2031-06-01"}, asks, "postponed|2031-05-20 19:00:00|"},
		{"postponed, with an odd answer", "postponed", []string{"date", "2031-06-01", "tell", "2"}, asks, "postponed|2031-05-20 19:00:00|"},
		{"postponed, yes", "postponed", []string{"date", "2031-06-01", "tell", "1"}, "303", "|2031-06-01 19:00:00|2031-05-20 19:00:00"},
		{"postponed, no", "postponed", []string{"date", "2031-06-01", "tell", "no"}, "303", "postponed|2031-06-01 19:00:00|"},
		{"cancelled, told", "canceled", []string{"date", "2031-06-01", "tell", "1"}, "303",
			"canceled|2031-06-01 19:00:00|2031-05-20 19:00:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			e := eventOf(2, store.Publish, "Choir")
			e.State = tt.state
			e.Start = store.WallOf(time.Date(2031, 5, 20, 19, 0, 0, 0, time.UTC))
			e.End = e.Start + 3600
			w.put(e)
			b := w.as(account.Editor)
			edit := fmt.Sprint("/desk/events/", e.ID)
			form := fields(b.get(edit).body)
			for i := 0; i < len(tt.sent); i += 2 {
				form[tt.sent[i]] = tt.sent[i+1]
			}
			pairs := []string{"do", "save"}
			for name, value := range form {
				pairs = append(pairs, name, value)
			}
			answer := b.post(edit, pairs...)
			got := fmt.Sprint(answer.status)
			for _, m := range complaint.FindAllStringSubmatch(answer.body, -1) {
				got += " " + m[1] + ": " + html.UnescapeString(m[2])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, answer.body)
			}
			if answer.status == 422 {
				hasField := regexp.MustCompile(`<input type="(radio|checkbox)" id="f-tell"`).
					MatchString(answer.body)
				if !hasField || formOf(answer.body)["date"] != form["date"] {
					t.Errorf("the form lost its date, or has no place to answer: %s", answer.body)
				}
			}
			_ = w.store.View(func(v *store.View) error {
				e := v.Event(e.ID)
				got := strings.Join(
					[]string{e.State, e.Start.String(), e.PreviousStart.String()},
					"|",
				)
				if diff := cmp.Diff(tt.event, strings.TrimSuffix(got, "1970-01-01 00:00:00")); diff != "" {
					t.Errorf("the event (-want +got):\n%s", diff)
				}
				return nil
			})
		})
	}
}
