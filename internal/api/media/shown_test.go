package media_test

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/people/account"
)

// Pages and feeds show an upload in the size that each reader needs. An event with a password
// shows none before it.
func TestShown(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	const json = "application/json"
	texts := "?title=Poster&alt=" + url.QueryEscape(
		`A "choir"`,
	) + "&caption=" + url.QueryEscape(
		"By <b>Ann</b> & Bob",
	)
	wide := d.upload(account.Administrator, photo(1700, 1000), texts)
	high := d.upload(account.Administrator, photo(400, 600), "")
	for title, member := range map[string]string{"Fair": fmt.Sprintf(`"image":%d`, wide.ID),
		"Party": fmt.Sprintf(`"image":%d,"password":"secret"`, high.ID)} {
		d.ask(
			account.Administrator,
			201,
			"POST",
			"/cal/events/v1/events",
			[]byte(`{"title":"`+title+
				`","start_date":"2031-05-12 20:00","end_date":"2031-05-12 21:00",`+member+`}`),
			"Content-Type",
			json,
		)
	}
	for _, kind := range []string{"venue", "organizer"} {
		d.ask(
			account.Administrator,
			201,
			"POST",
			"/cal/events/v1/"+kind+"s",
			[]byte(fmt.Sprintf(`{"%s":"Hall","image":%d}`, kind, high.ID)),
			"Content-Type",
			json,
		)
	}
	folder := func(m medium) string { return strings.TrimSuffix(m.URL, "/"+path.Base(m.URL)) }
	// find returns the matches of an expression in an answer, with names in place of the random
	// addresses.
	find := func(address, expression string) string {
		_, text := d.ask("", 200, "GET", address, nil)
		unfolded := strings.NewReplacer("\r\n ", "", "\r\n", "\n").Replace(string(text))
		named := strings.NewReplacer(folder(wide), "WIDE", folder(high), "HIGH").Replace(unfolded)
		return strings.Join(regexp.MustCompile(expression).FindAllString(named, -1), "\n")
	}
	const columns = `sizes="(min-width: 48.5rem) 46rem, calc(100vw - 2.5rem)"`
	for _, tt := range []struct{ address, expression, want string }{
		{"/events/", `<img [^>]*>`, `<img src="WIDE/poster-480x282.jpg" alt="A &#34;choir&#34;" srcset="WIDE/poster-480x282.jpg 480w, ` +
			`WIDE/poster-150x150.jpg 150w" sizes="(max-width: 44rem) 6rem, 9rem" width="480" height="282" loading="lazy" decoding="async">`},
		{"/event/fair/", `<figure.*</figure>`, `<figure class="picture"><img src="WIDE/poster-1600x941.jpg" alt="A &#34;choir&#34;" ` +
			`srcset="WIDE/poster-480x282.jpg 480w, WIDE/poster-1600x941.jpg 1600w, WIDE/poster-960x565.jpg 960w" ` + columns +
			` width="1600" height="941" decoding="async"><figcaption dir="auto">By Ann &amp; Bob</figcaption></figure>`},
		{"/event/fair/", `<meta property="og:image.*>`, `<meta property="og:image" content="WIDE/poster-1600x941.jpg">
<meta property="og:image:width" content="1600">
<meta property="og:image:height" content="941">
<meta property="og:image:alt" content="A &#34;choir&#34;">`},
		{"/event/fair/?print=poster", `<img [^>]*>`, `<img src="WIDE/poster-1600x941.jpg" alt="A &#34;choir&#34;" ` +
			`width="1600" height="941" decoding="async">`},
		{"/event/fair/", `"image":"[^"]*"`, `"image":"WIDE/poster.jpg"`},
		{"/venue/hall/", `<figure class="picture tall"><img [^>]*>`, `<figure class="picture tall"><img src="HIGH/the-hall.jpg" alt="" ` +
			`width="400" height="600" decoding="async">`},
		{"/organizer/hall/", `<img src="[^"]*"`, `<img src="HIGH/the-hall.jpg"`},
		{"/event/party/", `HIGH|<img|og:image`, ""}, {"/events/month/2031-05/", `HIGH|<img`, ""}, {"/events/", `HIGH`, ""},
		{"/cal/events/v1/events.rss", `HIGH`, ""}, {"/cal/events/v1/events.csv", `HIGH`, ""}, {"/cal/events/v1/events", `HIGH`, ""},
		{"/cal/events/v1/events.ics", `(?:IMAGE|ATTACH|HIGH).*`, "IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/jpeg:WIDE/poster.jpg\n" +
			"ATTACH;FMTTYPE=image/jpeg:WIDE/poster.jpg"},
		{"/cal/events/v1/events.rss", `<enclosure.*>`, `<enclosure url="WIDE/poster-1600x941.jpg" length="LARGE" type="image/jpeg"/>`},
		{"/cal/events/v1/events.atom", `<link rel="enclosure".*>`,
			`<link rel="enclosure" type="image/jpeg" length="LARGE" href="WIDE/poster-1600x941.jpg"/>`},
		{"/cal/events/v1/events.feed.json", `"image":.*?]`,
			`"image":"WIDE/poster-1600x941.jpg","attachments":[{"url":"WIDE/poster-1600x941.jpg",` +
				`"mime_type":"image/jpeg","size_in_bytes":LARGE}]`},
		{"/cal/events/v1/events.csv", `WIDE[^,\s]*`, "WIDE/poster.jpg"},
	} {
		_, large := d.ask("", 200, "GET", wide.Sizes["large"].URL, nil)
		if diff := cmp.Diff(strings.ReplaceAll(tt.want, "LARGE", fmt.Sprint(len(large))), find(tt.address, tt.expression)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.address, diff)
		}
	}
	_, text := d.ask(
		"",
		200,
		"POST",
		"/event/party/",
		[]byte("password=secret"),
		"Content-Type",
		"application/x-www-form-urlencoded",
	)
	if !strings.Contains(string(text), `<img src="`+high.URL) {
		t.Errorf("after the password: %s", text)
	}
}
