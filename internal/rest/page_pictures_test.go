package rest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	chosen "almanac/internal/pages"
	"almanac/internal/rest"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// The pages of events, venues and organizers show the picture of their record, or link to it if its host is not
// allowed. Previews of links get both.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const shows, leads = `<img src="%s" alt="" width="640" height="480" decoding="async">`,
		`<a href="%s" rel="external nofollow">Show the picture (%s)</a>`
	pictures := []struct{ url, whole, want string }{
		{"http://example.com/hall.png", "http://example.com/hall.png", shows},
		{"https://Pictures.example/hall.png", "https://Pictures.example/hall.png", shows},
		{"https://tracker.example/hall.png?a=b&c", "https://tracker.example/hall.png?a=b&amp;c", leads},
		{"http://example.com:8080/hall.png", "http://example.com:8080/hall.png", leads},
		{"//tracker.example/hall.png", "", ""}, {"javascript:alert(1)", "", ""}, {"https://example.com@tracker.example/hall.png", "", ""},
		{"/uploads/hall.png", "", ""}, {"http://", "", ""},
	}
	for i, p := range pictures {
		post := store.Post{Slug: fmt.Sprint("hall-", i), Image: c.add(&store.Image{URL: p.url, Width: 640, Height: 480})}
		noon := local(t, "2027-04-10 12:00:00")
		c.add(&store.Event{Post: post, Title: fmt.Sprint("Event ", i), Start: noon, End: noon + 3600})
		c.add(&store.Venue{Post: post, Name: fmt.Sprint("Venue ", i)})
		c.add(&store.Organizer{Post: post, Name: fmt.Sprint("Organizer ", i)})
	}
	h := siteWith(t, c, rest.Options{Look: chosen.Look{PictureHosts: []string{"pictures.example"}}})
	for i, p := range pictures {
		want := []string{"", ""}
		switch host := regexp.MustCompile(`//([^/]*)/`).FindStringSubmatch(p.whole); p.want {
		case shows:
			want[0] = fmt.Sprintf(shows, p.whole)
		case leads:
			want[0] = fmt.Sprintf(leads, p.whole, host[1])
		}
		if p.whole != "" {
			want[1] = `<meta property="og:image" content="` + p.whole + `">`
		}
		for _, path := range []string{"/event/", "/venue/", "/organizer/"} {
			head, body, _ := strings.Cut(look(t, h, fmt.Sprint(path, "hall-", i, "/")), "<body>")
			got := []string{regexp.MustCompile(`<img [^>]*>|<a [^>]*>Show the picture[^<]*</a>`).FindString(body),
				regexp.MustCompile(`<meta property="og:image"[^>]*>`).FindString(head)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, the picture %s (-want, +got):\n%s", path, p.url, diff)
			}
		}
	}
}
