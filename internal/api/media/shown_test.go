package media_test

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/api/media"
	"almanac/internal/people/account"
	"almanac/store"
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
		{"/events/", `<img [^>]*>`, `<img src="WIDE/poster-480x282.jpg" alt="A &#34;choir&#34;" srcset="WIDE/poster-150x150.jpg 150w, ` +
			`WIDE/poster-480x282.jpg 480w" sizes="(max-width: 44rem) 6rem, 9rem" width="480" height="282" loading="lazy" decoding="async">`},
		{"/event/fair/", `<figure.*</figure>`, `<figure class="picture"><img src="WIDE/poster-1600x941.jpg" alt="A &#34;choir&#34;" ` +
			`srcset="WIDE/poster-300x176.jpg 300w, WIDE/poster-1024x602.jpg 1024w, WIDE/poster-768x452.jpg 768w, ` +
			`WIDE/poster-480x282.jpg 480w, WIDE/poster-1600x941.jpg 1600w" ` + columns +
			` width="1600" height="941" decoding="async"><figcaption dir="auto">By Ann &amp; Bob</figcaption></figure>`},
		{"/event/fair/", `<meta property="og:image.*>`, `<meta property="og:image" content="WIDE/poster-1600x941.jpg">
<meta property="og:image:width" content="1600">
<meta property="og:image:height" content="941">
<meta property="og:image:alt" content="A &#34;choir&#34;">`},
		{"/event/fair/?print=poster", `<img [^>]*>`, `<img src="WIDE/poster-1600x941.jpg" alt="A &#34;choir&#34;" ` +
			`width="1600" height="941" decoding="async">`},
		{"/event/fair/", `"image":"[^"]*"`, `"image":"WIDE/poster.jpg"`},
		{"/venue/hall/", `<figure class="picture tall"><img [^>]*>`, `<figure class="picture tall"><img src="HIGH/the-hall.jpg" alt="" ` +
			`srcset="HIGH/the-hall.jpg 400w, HIGH/the-hall-200x300.jpg 200w" sizes="(min-width: 44.01rem) 17rem, calc(100vw - 2.5rem)" ` +
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
		_, large := d.ask("", 200, "GET", wide.Sizes["w1600"].URL, nil)
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

// Sizes of the same dimensions are one file, and one candidate of a page.
func TestTwins(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	st, err := store.Open(store.Options{Dir: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	d := start(t, almanactest.Options{Store: st})
	m := d.upload(account.Administrator, photo(900, 1200), "")
	if m.Sizes["large"] != m.Sizes["medium_large"] || m.Sizes["large"].Width != 768 {
		t.Errorf("the sizes are %+v", m.Sizes)
	}
	files, err := filepath.Glob(filepath.Join(dir, "media", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range files {
		files[n] = filepath.Base(files[n])
	}
	want := []string{"account", "sent", "the-hall-150x150.jpg", "the-hall-225x300.jpg", "the-hall-480x640.jpg",
		"the-hall-768x1024.jpg", "the-hall.jpg"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	d.ask(
		account.Administrator,
		201,
		"POST",
		"/cal/events/v1/venues",
		[]byte(fmt.Sprintf(`{"venue":"Hall","image":%d}`, m.ID)),
		asJSON...)
	_, page := d.ask("", 200, "GET", "/venue/hall/", nil)
	var widths []string
	for _, found := range regexp.MustCompile(`\.jpg (\d+)w`).FindAllStringSubmatch(string(page), -1) {
		widths = append(widths, found[1])
	}
	if diff := cmp.Diff([]string{"900", "225", "768", "480"}, widths); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
	if err := st.Check(); err != nil {
		t.Error(err)
	}
}

// Uploads whose sizes have the names of earlier versions are shown as before.
func TestEarlierSizes(t *testing.T) {
	t.Parallel()
	d := start(t, almanactest.Options{})
	m := d.upload(account.Administrator, photo(1700, 1000), "")
	d.ask(
		account.Administrator,
		201,
		"POST",
		"/cal/events/v1/events",
		[]byte(fmt.Sprintf(`{"title":"Fair","start_date":"2031-05-12 20:00","end_date":"2031-05-12 21:00","image":%d}`, m.ID)),
		asJSON...)
	err := d.srv.Store.Update(1, func(tx *store.Tx) error {
		i := *tx.Image(m.ID)
		i.Sizes = nil
		for _, size := range tx.Image(m.ID).Sizes {
			earlier := map[string]string{"w480": "medium", "w1600": "large", "thumbnail": "thumbnail"}
			if size.Name = earlier[size.Name]; size.Name != "" {
				i.Sizes = append(i.Sizes, size)
			}
		}
		return tx.Put(&i)
	})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"/events/":                  "480x282 150x150 480x282",
		"/event/fair/":              "1600x941 1600x941 480x282 1600x941",
		"/cal/events/v1/events.rss": "1600x941",
	} {
		_, text := d.ask("", 200, "GET", address, nil)
		found := regexp.MustCompile(`-(\d+x\d+)\.jpg`).FindAllStringSubmatch(string(text), -1)
		var shown []string
		for _, one := range found {
			shown = append(shown, one[1])
		}
		if diff := cmp.Diff(want, strings.Join(shown, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
	logo, err := media.Logo(d.srv.Store, m.ID)
	if _, text := d.ask("", 200, "GET", m.Sizes["w480"].URL, nil); err != nil ||
		!bytes.Equal(logo.Text, text) {
		t.Errorf("the logo is not the smaller size: %v", err)
	}
}
