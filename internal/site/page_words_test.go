// Words on pages for facts that the API has in other forms.

package site_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/tools/sample"
	"almanac/store"
)

// An event in another zone names the city of it, search engines read names without entities, of
// many organizers six are shown at once, and an event that is over is in no calendar.
func TestPageWords(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	var many []int64
	for i := range 9 {
		many = append(many, c.Add(&store.Organizer{Name: fmt.Sprint("Singer ", i+1)}))
	}
	c.Add(&store.Event{
		Title: "Rock & <b>Roll</b> – “Live”",
		Post: store.Post{
			Slug: "rock",
		},
		Organizers: many,
		Timezone:   "Pacific/Pago_Pago",
		Start:      sample.Local(t, "2031-04-10 20:00:00"),
		End:        sample.Local(t, "2031-04-10 22:00:00"),
	})
	c.Add(&store.Event{
		Title: "Old",
		Start: sample.Local(t, "2021-04-10 20:00:00"),
		End:   sample.Local(t, "2021-04-10 22:00:00"),
	})
	for i := range 12 {
		day := store.Wall(i/5) * 86_400
		for _, at := range []string{"2021-04-01 10:00:00", "2032-04-01 10:00:00"} {
			c.Add(&store.Event{
				Title: fmt.Sprint("Walk ", i+1),
				Start: sample.Local(t, at) + day,
				End:   sample.Local(t, at) + day + 60,
			})
		}
	}
	h := sample.Visited(t, c)
	rock := look(t, h, "/event/rock/")
	for _, want := range []string{`<p class="note">Pago Pago time</p>`, `>3 more organizers<`, `"name":"Rock & \u003cb>Roll`,
		`>Add to your calendar<`, `New York time)`} {
		if !strings.Contains(rock, want) {
			t.Errorf("the page has no %s: %s", want, rock)
		}
	}
	folded := strings.Index(rock, "<details><summary>3 more organizers")
	if six, seven := strings.Index(rock, "Singer 6"), strings.Index(rock, "Singer 7"); six > folded ||
		seven < folded {
		t.Error("the seventh organizer is not the first that is folded")
	}
	if strings.Contains(look(t, h, "/event/old/"), "Add to your calendar") {
		t.Error("an event that is over goes into calendars")
	}
	for path, want := range map[string]string{"/events/past/page/2/": "Past events · Apr 1, 2021",
		"/events/page/2/": "Upcoming events · Apr 2 – 3, 2032"} {
		if got := textOf(look(t, h, path), `<title>.*</title>`); got != want+" – Fair" {
			t.Errorf("%s: the title is %q", path, got)
		}
	}
	if body := look(t, sample.Visited(t, sample.New(t)), "/events/"); !strings.Contains(
		body,
		"no events yet",
	) ||
		!strings.Contains(body, `href="http://example.com/docs">Documentation<`) {
		t.Errorf("an empty calendar: %s", body)
	}
}
