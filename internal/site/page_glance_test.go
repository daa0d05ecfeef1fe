// Pages at first glance: their beginning, and their end.

package site_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A list says which days are today and tomorrow, and shows the beginning of a description without
// an excerpt, but nothing of a protected one. The filters are open if one is used. The form is
// folded, so a phone shows the heading first.
func TestPageGlance(t *testing.T) {
	t.Parallel()
	c := sample.New(t) // whose clock is in the evening of 2026-11-20
	for day, e := range []store.Event{
		{
			Post: store.Post{
				Description: "<p>Bring a <b>chair</b> &amp; " + strings.Repeat("tea ", 100) + "</p>",
			},
		},
		{
			Post: store.Post{
				Description: "Long",
				Excerpt:     "<p>Short</p>",
			},
		}, {
			Post: store.Post{
				Description: "Secret",
			},
			Password: "pw",
		},
	} {
		e.Title = fmt.Sprint("Event ", day)
		e.Start = sample.Local(t, fmt.Sprintf("2026-11-%d 20:00:00", 20+day))
		e.End = e.Start + 3600
		c.Add(&e)
	}
	venue := c.Add(&store.Venue{Name: "Hall"})
	c.Add(&store.Event{
		Title:  "Later",
		Start:  sample.Local(t, "2027-03-01 20:00:00"),
		End:    sample.Local(t, "2027-03-01 21:00:00"),
		Venues: []int64{venue},
	})
	h := sample.Visited(t, c)
	body := look(t, h, "/")
	var got []string
	for _, section := range strings.Split(body, `<section class="day`)[1:] {
		got = append(
			got,
			textOf(
				section,
				`<span class="word">.*?</span>`,
			)+": "+textOf(
				section,
				`<div class="summary".*?</div>`,
			),
		)
	}
	want := []string{
		"Today: Bring a chair & " + strings.TrimSpace(strings.Repeat("tea ", 41)),
		"Tomorrow: Short",
		": ",
		": ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("days (-want, +got):\n%s", diff)
	}
	for path, want := range map[string]string{
		"/":                                  "",
		"/events/month/":                     "",
		"/events/?tribe-bar-search=x":        "",
		"/events/?tribe-bar-date=2031-04-10": "",
		"/events/?featured=true":             "more",
		"/events/featured/":                  "more",
	} {
		open := regexp.MustCompile(`<details class="(\w+)" open>`).
			FindAllStringSubmatch(look(t, h, path), -1)
		var got []string
		for _, match := range open {
			got = append(got, match[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s opens %q, want %q", path, got, want)
		}
	}
}

// The footer has the language of the site and of the page, and folds other languages, unless the
// site names its languages.
func TestPageLanguagesFold(t *testing.T) {
	t.Parallel()
	german, _ := i18n.Find("de")
	french, _ := i18n.Find("fr")
	for _, tt := range []struct {
		options      api.Options
		path         string
		shown, total int
	}{
		{api.Options{}, "/events/", 1, len(i18n.Languages())}, {api.Options{}, "/en/events/", 1, len(i18n.Languages())},
		{api.Options{}, "/de/events/", 2, len(i18n.Languages())}, {api.Options{
			Languages: []i18n.Language{german, french},
		}, "/de/events/", 2, 2},
	} {
		body := look(t, sample.Site(t, sample.New(t), tt.options), tt.path)
		footer := body[strings.Index(body, "<footer"):]
		total := strings.Count(footer, "<a lang=")
		before := footer
		if at := strings.Index(footer, "<details>"); at >= 0 {
			before = footer[:at]
		}
		if shown := strings.Count(before, "<a lang="); shown != tt.shown || total != tt.total {
			t.Errorf(
				"%s shows %d of %d languages, want %d of %d",
				tt.path,
				shown,
				total,
				tt.shown,
				tt.total,
			)
		}
	}
}
