package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/cmdtest"
	"almanac/move/client"
)

// This file imports pictures: from an old site, from files and from exports.

// jpegOf returns a JPEG of a width and a shade, with bytes that no server passes on.
func jpegOf(t testing.TB, width int, shade uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, width/2))
	img.SetGray(width/2, 1, color.Gray{Y: shade})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), "sent as it is"...)
}

// public returns a context in which the servers of this machine are at public addresses by the
// name old.example.
func public(ctx context.Context) context.Context {
	return client.TestOnlyConnect(ctx, func(
		ctx context.Context, d *net.Dialer, network, address string,
	) (net.Conn, error) {
		if host, port, _ := net.SplitHostPort(address); host == "old.example" {
			d = &net.Dialer{}
			address = "127.0.0.1:" + port
		}
		return d.DialContext(ctx, network, address)
	})
}

const uploads = "/wp-content/uploads/"

// An oldSite serves the pictures of a calendar, and counts requests by path.
type oldSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	files map[string][]byte
}

func newOldSite(t testing.TB) *oldSite {
	t.Helper()
	s := &oldSite{
		asked: map[string]int{},
		files: map[string][]byte{
			uploads + "2031/05/poster.jpg": jpegOf(t, 700, 1),
			uploads + "wide-1024x512.jpg":  jpegOf(t, 2000, 2),
			uploads + "hall.jpg":           jpegOf(t, 100, 3),
			uploads + "again.jpg":          jpegOf(t, 100, 3),
			"/page.jpg":                    []byte("<!DOCTYPE html><title>Not here</title>"),
			"/huge.jpg":                    bytes.Repeat([]byte("x"), 2<<20), "/empty.jpg": {},
		},
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		s.mu.Unlock()
		if agent := r.UserAgent(); !strings.HasPrefix(agent, "almanac/") ||
			r.Header.Get("Authorization") != "" {
			t.Errorf("asked by %q with %q", agent, r.Header)
		}
		target, _ := url.QueryUnescape(r.URL.RawQuery)
		data, ok := s.files[r.URL.Path]
		switch {
		case r.URL.Path == "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case target != "":
			http.Redirect(w, r, target, http.StatusFound)
		case !ok:
			http.NotFound(w, r)
		default:
			_, _ = w.Write(data)
		}
	}))
	t.Cleanup(s.Close)
	s.URL = strings.Replace(s.URL, "127.0.0.1", "old.example", 1)
	return s
}

// requests returns how often each path was asked for since the last time.
func (s *oldSite) requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = map[string]int{}
	return asked
}

// document returns a list of events of the site: the first one has pictures in all places, each
// further event has one bad address.
func (s *oldSite) document(bad ...string) string {
	event := func(id int, more string) string {
		return fmt.Sprintf(
			`{"id":%d,"global_id":"old.example?id=%[1]d","url":"%s/event/%[1]d/","title":"Event %[1]d","slug":"event-%[1]d",
			"start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 11:00:00",%[3]s}`,
			id,
			s.URL,
			more,
		)
	}
	events := []string{
		event(
			1,
			`"description":"<p>Look: <img class='x' src='/wp-content/uploads/wide-1024x512.jpg' `+
				`srcset='/wp-content/uploads/wide.jpg 2000w, /wp-content/uploads/wide-1024x512.jpg 1024w' alt='W'></p>",`+
				`"image":{"url":"`+s.URL+`/wp-content/uploads/2031/05/poster.jpg","width":9},`+
				`"venue":[{"id":91,"global_id":"old.example?id=91","url":"`+s.URL+`/venue/91/","venue":"Hall",`+
				`"image":"`+uploads+`hall.jpg"}]`,
		),
		event(2, `"image":"`+s.URL+uploads+`again.jpg","venue":[]`),
	}
	for n, address := range bad {
		events = append(events, event(n+3, `"image":"`+address+`"`))
	}
	return `{"events":[` + strings.Join(events, ",") + `]}`
}

// readableEvents returns the events that a server shows, by title.
func readableEvents(t testing.TB, s *cmdtest.Server) map[string]object {
	t.Helper()
	all := map[string]object{}
	for _, e := range shown(t, s, v1+"/events?starts_after=1990-01-01&per_page=50", "events") {
		all[e.(object)["title"].(string)] = e.(object)
	}
	return all
}

// sentFiles returns the files in a data directory as they were sent.
func sentFiles(t testing.TB, data string) (all []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(data, "media", "*", "sent"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		all = append(all, readFile(t, name))
	}
	slices.Sort(all)
	return all
}

// Pictures are fetched from the old site, into a directory and through a server, once. A list
// names the missing ones, and their events are stored.
func TestImportFetchesPictures(t *testing.T) {
	t.Parallel()
	for _, running := range []bool{false, true} {
		old := newOldSite(t)
		dir := filepath.Join(t.TempDir(), "data")
		private := newOldSite(t)
		privateURL := strings.Replace(private.URL, "old.example", "localhost", 1)
		bad := []string{
			old.URL + "/gone.jpg",
			old.URL + "/page.jpg",
			old.URL + "/huge.jpg",
			old.URL + "/empty.jpg",
			"ftp://old.example/a.jpg",
			privateURL + "/hall.jpg",
			old.URL + "/away?" + url.QueryEscape(privateURL+"/hall.jpg"),
			old.URL + "/loop",
		}
		file := tempFile(t, "events.json", old.document(bad...))
		args := []string{"-fetch-pictures", "-max-picture-mb", "1", "-data", dir}
		var s *cmdtest.Server
		if running {
			s = startServer(t, on(dir, "-url", "http://calendar.example.org")...)
			args = append(args[:3:3], "-to", s.URL, "-token", s.Token)
		}
		exit, table, stderr := runImport(t, append(args, file)...)
		var reasons []string
		for line := range strings.Lines(stderr) {
			if _, reason, ok := strings.Cut(line, " (images "); ok {
				reasons = append(
					reasons,
					strings.NewReplacer(old.URL, "OLD", privateURL, "PRIVATE").Replace(reason),
				)
			}
		}
		want := []string{
			"OLD/gone.jpg): the site answers 404 Not Found\n",
			"OLD/page.jpg): The file is not a picture that can be shown: send a JPEG, PNG, GIF or WebP file.\n",
			"OLD/huge.jpg): it is larger than 1 MB: save it smaller, or give a larger -max-picture-mb\n",
			"OLD/empty.jpg): it is empty\n",
			"ftp://old.example/a.jpg): it has no address with http or https\n",
		}
		if diff := cmp.Diff(want, reasons[:min(len(want), len(reasons))]); diff != "" ||
			exit != 1 ||
			len(reasons) != len(bad) {
			t.Fatalf(
				"exit status %d, %d of %d refused, (-want, +reasons):\n%s\n%s",
				exit,
				len(reasons),
				len(bad),
				diff,
				stderr,
			)
		}
		for n, part := range map[int]string{
			5: "private network",
			6: "private network",
			7: "redirects",
		} {
			if !strings.Contains(reasons[n], part) {
				t.Errorf("%q: want %q", reasons[n], part)
			}
		}
		if !strings.Contains(table, "images       12        0           0        8") {
			t.Errorf("the table:\n%s", table)
		}
		if n := private.requests(); len(n) > 0 {
			t.Errorf("a private address was asked: %v", n)
		}
		if n := old.requests()["/loop"]; n > 7 {
			t.Errorf("%d redirects were followed", n)
		}
		if !running {
			s = startServer(t, on(dir, "-url", "http://calendar.example.org")...)
		}
		events := readableEvents(t, s)
		if len(events) != 2+len(bad) {
			t.Errorf("%d events", len(events))
		}
		compareShownPictures(t, s, events)
		if diff := cmp.Diff(bad[0], events["Event 3"]["image"].(object)["url"]); diff != "" {
			t.Error(diff)
		}

		// Once more: nothing is fetched that is here, and nothing changes.
		if !running {
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		before := len(sentFiles(t, dir))
		exported := exportOf(t, dir)
		if exit, _, stderr := runImport(t, append(args, "-partial", file)...); exit != 0 {
			t.Errorf("again: exit status %d\n%s", exit, stderr)
		}
		asked := old.requests()
		for _, name := range []string{"hall.jpg", "again.jpg", "wide-1024x512.jpg", "2031/05/poster.jpg"} {
			if asked[uploads+name] > 0 {
				t.Errorf("fetched again: %v", asked)
			}
		}
		if diff := cmp.Diff(exported, exportOf(t, dir)); diff != "" ||
			len(sentFiles(t, dir)) != before ||
			before != 4 {
			t.Errorf(
				"%d files, then %d, (-first, +second):\n%s",
				before,
				len(sentFiles(t, dir)),
				diff,
			)
		}
	}
}

// A document cannot name the site that its pictures come from: whatever it says of its address,
// private addresses are refused, each in one line, at the first try, and are not asked.
func TestImportPrivateAddresses(t *testing.T) {
	t.Parallel()
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a private address was asked for %s", r.URL)
	}))
	defer private.Close()
	fill := strings.NewReplacer(
		"SITE",
		private.URL,
		"HOST",
		strings.TrimPrefix(private.URL, "http://"),
	)
	for name, test := range map[string]struct {
		document string
		want     int // refused pictures
	}{
		"url":         {listOf(`"url":"SITE/event/7/","image":"/reboot"`), 1},
		"global_id":   {listOf(`"global_id":"HOST?id=7","image":"/reboot"`), 1},
		"address":     {listOf(`"url":"SITE/event/7/","image":{"url":"SITE/reboot"}`), 1},
		"description": {listOf(`"url":"SITE/event/7/","description":"<img src='/1'><img src='SITE/2'>"`), 2},
		"excerpt":     {listOf(`"global_id":"HOST?id=7","excerpt":"<img src='/reboot'>"`), 1},
		"venue":       {listOf(`"venue":{"venue":"V","url":"SITE/venue/v/","image":"/reboot"}`), 1},
		"organizer": {listOf(`"organizer":[{"organizer":"O","url":"SITE/o/",` +
			`"description":"<img src=/reboot>"}]`), 1},
		"rest_url": {`{"rest_url":"SITE/cal/events/v1/events","site_url":"SITE",` +
			listOf(`"image":"SITE/reboot"`)[1:], 1},
		"other forms": {listOf(`"description":"<img src='http://localhost/1'>` +
			`<img src='http://[::1]/2'><img src='http://0.0.0.0/3'>"`), 3},
		"export of WordPress": {posted, 2},
		"calendar":            {strings.ReplaceAll(attached, "\n", "\r\n"), 1},
		"table of events": {"EVENT NAME,EVENT START DATE,EVENT FEATURED IMAGE\n" +
			"E,2031-05-10,SITE/1\n", 1},
		"table of venues": {"VENUE NAME,VENUE FEATURED IMAGE\nV,SITE/reboot\n", 1},
		"export": {`{"exact":true,"images":[{"id":1,"url":"SITE/reboot"}],` +
			listOf(`"image":1`)[1:], 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			running := startServer(t, on(filepath.Join(t.TempDir(), "served"))...)
			document := tempFile(t, "document", fill.Replace(test.document))
			for _, to := range [][]string{
				{"-data", filepath.Join(t.TempDir(), "data")},
				{"-to", running.URL, "-token", running.Token},
			} {
				exit, table, stderr := runImport(t, append(to, "-fetch-pictures", document)...)
				refused := 0
				for line := range strings.Lines(stderr) {
					if !strings.Contains(line, " (images ") {
						continue
					}
					if refused++; !strings.Contains(line, "an address of a private network") {
						t.Errorf("refused: %s", line)
					}
				}
				got := sums(t, table)
				if exit != 1 || refused != test.want || got[0] == 0 || got[3] != test.want {
					t.Errorf("exit status %d, %d pictures refused, want %d:\n%s%s",
						exit, refused, test.want, table, stderr)
				}
			}
		})
	}
}

// listOf returns a list of one event, with further members.
func listOf(members string) string {
	return `{"events":[{"id":7,"title":"E","start_date":"2031-05-10 20:00:00",` +
		`"end_date":"2031-05-10 22:00:00",` + members + `}]}`
}

// posted is an export of WordPress with pictures.
const posted = `<?xml version="1.0"?>
<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<link>SITE</link>
<wp:base_site_url>SITE</wp:base_site_url>
<wp:base_blog_url>SITE</wp:base_blog_url>
<item>
	<title>Picture</title>
	<wp:post_id>8</wp:post_id>
	<wp:status>inherit</wp:status>
	<wp:post_type>attachment</wp:post_type>
	<wp:attachment_url>SITE/reboot</wp:attachment_url>
</item>
<item>
	<title>Event</title>
	<link>SITE/event/e/</link>
	<content:encoded><![CDATA[<img src='/reboot2'>]]></content:encoded>
	<wp:post_id>7</wp:post_id>
	<wp:status>publish</wp:status>
	<wp:post_type>tribe_events</wp:post_type>
	<wp:postmeta>
		<wp:meta_key>_EventStartDate</wp:meta_key>
		<wp:meta_value>2031-05-10 20:00:00</wp:meta_value>
	</wp:postmeta>
	<wp:postmeta>
		<wp:meta_key>_EventEndDate</wp:meta_key>
		<wp:meta_value>2031-05-10 22:00:00</wp:meta_value>
	</wp:postmeta>
	<wp:postmeta>
		<wp:meta_key>_thumbnail_id</wp:meta_key>
		<wp:meta_value>8</wp:meta_value>
	</wp:postmeta>
</item>
</channel>
</rss>`

// attached is a calendar with pictures.
const attached = `BEGIN:VCALENDAR
X-WR-RELCALID:HOST
URL:SITE
BEGIN:VEVENT
UID:7@HOST
DTSTART:20310510T200000Z
SUMMARY:E
URL:SITE/event/e/
ATTACH;FMTTYPE=image/jpeg:/reboot
IMAGE;VALUE=URI:SITE/reboot2
END:VEVENT
END:VCALENDAR
`

// compareShownPictures checks the pictures of the first events of a document at a server.
func compareShownPictures(t *testing.T, s *cmdtest.Server, events map[string]object) {
	t.Helper()
	first := events["Event 1"]
	hall := first["venue"].(object)["image"].(object)
	description := first["description"].(string)
	var inText []string
	for _, part := range strings.FieldsFunc(description, func(r rune) bool { return strings.ContainsRune(`"' ,`, r) }) {
		if strings.HasPrefix(part, "http") {
			inText = append(inText, part)
		}
	}
	if len(inText) != 2 || inText[0] != inText[1] ||
		!strings.Contains(inText[0], "/wide-1024x512-1600x800.jpg") {
		t.Errorf("the description is %s", description)
	}
	for _, address := range append(inText, hall["url"].(string), first["image"].(object)["url"].(string)) {
		path, ok := strings.CutPrefix(address, "http://calendar.example.org/media/")
		answer, err := s.Client.Get(s.URL + "/media/" + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if !ok || answer.StatusCode != http.StatusOK ||
			answer.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %s, %s", address, answer.Status, answer.Header.Get("Content-Type"))
		}
	}
}

// Pictures come from the files of a directory that somebody names, and from no other, also for
// records that were imported without them. They go through an export into another calendar byte by
// byte, and from there into a third one by the addresses of its site.
func TestImportPictureFiles(t *testing.T) {
	t.Parallel()
	old := newOldSite(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	document := filepath.Join(dir, "events.json")
	write := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("events.json", []byte(old.document(
		"https://old.example/../../secret.jpg",
		"https://old.example/uploads/../secret.jpg",
		"https://old.example/uploads/linked.jpg",
		"https://old.example/elsewhere.jpg",
		"../secret.jpg",
		dir+"/secret.jpg",
		"beside.jpg",
	)))
	for _, name := range []string{"hall.jpg", "2031/05/poster.jpg", "wide-1024x512.jpg", "again.jpg",
		"secret.jpg", "beside.jpg", "wp-content/uploads/hall.jpg"} {
		write(name, old.files[uploads+"hall.jpg"]) // beside the document
	}
	for range 2 {
		table := mustImport(t, "-data", data, document)
		const want = "\npictures left where they are: 11; give -pictures DIRECTORY"
		if n := len(sentFiles(t, data)); n > 0 || !strings.Contains(table, want) {
			t.Errorf("%d files without a directory\n%s", n, table)
		}
	}

	elsewhere := filepath.Join(dir, "elsewhere")
	for _, name := range []string{"wide-1024x512.jpg", "hall.jpg", "2031/05/poster.jpg"} {
		write("elsewhere/"+name, old.files[uploads+name])
	}
	write("elsewhere/elsewhere.jpg", old.files[uploads+"hall.jpg"])
	err := os.Symlink(filepath.Join(dir, "secret.jpg"), filepath.Join(elsewhere, "linked.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	write("elsewhere/again.jpg", old.files[uploads+"again.jpg"][:100])
	exit, _, stderr := runImport(t, "-data", data, "-strict", "-pictures", elsewhere, document)
	if exit != 1 || strings.Count(stderr, " (images ") != 1 ||
		!strings.Contains(stderr, "stopped: a picture cannot be taken") {
		t.Errorf("-strict: exit status %d\n%s", exit, stderr)
	}
	exit, table, stderr := runImport(t, "-data", data, "-pictures", elsewhere, document)
	if exit != 1 || strings.Count(stderr, " (images ") != 8 ||
		!strings.Contains(stderr, "/again.jpg): The JPEG file is damaged") ||
		strings.Count(stderr, ".jpg): there is no file of this name") != 7 ||
		strings.Contains(table, "left where they are") {
		t.Errorf("exit status %d\n%s%s", exit, stderr, table)
	}
	write("elsewhere/again.jpg", old.files[uploads+"again.jpg"])
	exit, table, stderr = runImport(t, "-data", data, "-partial", "-pictures", elsewhere, document)
	if exit != 0 ||
		!strings.HasSuffix(table, "\npictures taken from files in "+elsewhere+": 1\n") {
		t.Fatalf("exit status %d\n%s%s", exit, stderr, table)
	}
	if n := old.requests(); len(n) > 0 {
		t.Errorf("the site was asked: %v", n)
	}
	wanted := sentFiles(t, data)
	if len(wanted) != 4 {
		t.Errorf("%d files", len(wanted))
	}

	// A table names files, as people name them.
	names := []string{"poster of may.jpg", "may/100% #1.jpg"}
	rows := "EVENT NAME,EVENT START DATE,EVENT FEATURED IMAGE\n"
	for i, name := range names {
		rows += fmt.Sprintf("From a table %d,2031-05-20,%s\n", i, name)
		write("table/"+name, jpegOf(t, 120+i, 9))
	}
	write("table/table.csv", []byte(rows))
	tables := filepath.Join(dir, "table")
	mustImport(t, "-data", data, "-pictures", tables, filepath.Join(tables, "table.csv"))
	if wanted = sentFiles(t, data); len(wanted) != 6 {
		t.Errorf("%d files with those of the table", len(wanted))
	}

	// Texts and the point of a thumbnail, then an export.
	s := startServer(t, on(data, "-url", "http://calendar.example.org")...)
	c := s.Admin()
	var list []struct{ ID int }
	if err := json.Unmarshal([]byte(c.Must(t, "GET", v1+"/media?per_page=1", "")), &struct{ Media any }{&list}); err != nil ||
		len(list) != 1 {
		t.Fatal(err, list)
	}
	c.Must(t, "PATCH", fmt.Sprintf("%s/media/%d", v1, list[0].ID),
		`{"title":"A picture","alt":"Its text","caption":"<b>By</b> me","focus_x":0,"focus_y":70}`)
	pictures := filepath.Join(dir, "pictures")
	exported := filepath.Join(dir, "export", "all.json")
	if err := os.Mkdir(filepath.Dir(exported), 0o700); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "export", "-data", data, "-pictures", pictures, exported)
	mustRun(t, "export", "-data", data, "-pictures", pictures, exported)
	if names, err := os.ReadDir(pictures); err != nil || len(names) != 5 {
		t.Errorf("%v, %v", names, err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other")
	transfer := []string{
		"-data",
		other,
		"-partial",
		"-pictures",
		pictures,
		exported,
	} // pictures elsewhere are in no file
	if exit, _, stderr := runImport(t, transfer...); exit != 0 ||
		strings.Count(stderr, " (images ") != 7 {
		t.Errorf("exit status %d\n%s", exit, stderr)
	}
	unchanged := exportOf(t, other)
	if exit, _, stderr := runImport(t, transfer...); exit != 0 {
		t.Error(stderr)
	}
	mustImport(t, "-data", other, exported)
	if diff := cmp.Diff(unchanged, exportOf(t, other)); diff != "" {
		t.Errorf("imported again (-first, +then):\n%s", diff)
	}
	if diff := cmp.Diff(wanted, sentFiles(t, other)); diff != "" {
		t.Errorf("the files differ, (-data, +other): %d bytes", len(diff))
	}
	for _, part := range []string{`"title": "A picture"`, `"alt": "Its text"`, `"caption": "<b>By</b> me"`, `"focus_x": 0`, `"focus_y": 70`} {
		if !strings.Contains(unchanged, part) {
			t.Errorf("%s is not in\n%s", part, unchanged)
		}
	}
	s = startServer(t, on(other, "-url", "http://calendar.example.org")...)
	compareShownPictures(t, s, readableEvents(t, s))

	// An error names a damaged file, and the export has all other files.
	all, _ := filepath.Glob(filepath.Join(data, "media", "*", "sent"))
	for _, name := range all {
		if readFile(t, name) == string(old.files[uploads+"wide-1024x512.jpg"]) {
			if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	stdout, _, err := runCommand(t, "export", "-data", data, "-pictures", filepath.Join(dir, "more"))
	if err == nil || !strings.Contains(err.Error(), "is damaged") ||
		strings.Count(stdout, `"file": `) != 5 {
		t.Errorf("%v\n%s", err, stdout)
	}
}

// A record may show any number of pictures, of which the first 1,000 are looked at.
func TestImportManyPictures(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for n := range 1500 {
		fmt.Fprintf(&text, "<img src='http://old.example/%d.jpg'>", n)
	}
	document := tempFile(t, "events.json", listOf(`"description":"`+text.String()+`"`))
	table := mustImport(t, "-data", filepath.Join(t.TempDir(), "data"), document)
	if !strings.Contains(table, "\npictures left where they are: 1000; ") {
		t.Errorf("the table:\n%s", table)
	}
}
