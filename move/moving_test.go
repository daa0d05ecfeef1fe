package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
)

// This file goes the way of docs/moving.md with the programs as people start them: an old site that
// has more than a calendar, and a proxy in front of both servers.

// scratch is a directory that ends with the tests.
var scratch string

// built builds both programs there once.
var built = sync.OnceValue(func() error {
	for name, pkg := range map[string]string{"almanac": "..", "almanac-move": "."} {
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", filepath.Join(scratch, name), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
})

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "almanac"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}())
}

// programs returns a directory that has both programs, and an environment that finds them.
func programs(t *testing.T) (dir string, env []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the lines are for the shell of Unix")
	}
	if err := built(); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, name := range []string{"almanac", "almanac-move"} {
		if err := os.Symlink(filepath.Join(scratch, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "ALMANAC_") || strings.HasPrefix(variable, "PATH=")
	})
	return dir, append(env, "PATH="+dir+":"+os.Getenv("PATH"), "ALMANAC_ADDR=127.0.0.1:0")
}

// A started is a server in a process of its own.
type started struct {
	URL, Token, Desk string
	stop             func()
}

// start pastes a line that starts a server into a shell, and waits until it is ready.
func start(t *testing.T, dir string, env []string, line string) started {
	t.Helper()
	cmd := exec.Command("sh", "-c", "exec "+line)
	cmd.Dir = dir
	cmd.Env = env
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var ready started
	ready.stop = func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	t.Cleanup(ready.stop)
	text, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(text, &ready) != nil {
		t.Fatalf("%s: %v, %q", line, err, text)
	}
	return ready
}

// shell runs a line in a shell, which must succeed, and returns what it prints.
func shell(t *testing.T, dir string, env []string, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = env
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, out, &complaints)
	}
	return string(out)
}

// An oldSite is a site of WordPress: pages, and a calendar at its usual addresses.
type oldSite struct {
	*almanactest.Server
	calendar http.Handler
}

// newOldSite makes the site, with a picture.
func newOldSite(t *testing.T) *oldSite {
	t.Helper()
	s := &oldSite{Server: almanactest.Start(t, almanactest.Options{
		NoLimits: true,
		Also:     "/wp-json/tribe/events/v1",
		Zone:     "Europe/Berlin",
	})}
	s.calendar = proxyTo(t, s.Server.URL)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	uploaded := s.send(t, "/media", "image/png", &picture)
	s.create(t, "/categories", `{"name":"Music"}`)
	s.create(t, "/tags", `{"name":"Loud"}`)
	s.create(t, "/events", fmt.Sprintf(`{"title":"Choir","start_date":"2031-05-13 19:00:00",
		"end_date":"2031-05-13 20:00:00","venue":{"venue":"Town Hall"},"organizer":{"organizer":"Ann"},
		"categories":["music"],"tags":["loud"],"image":%v}`, uploaded["id"]))
	s.create(t, "/events", `{"title":"Fair","start_date":"2031-05-20","end_date":"2031-05-21","all_day":true}`)
	return s
}

// create makes a record of the site.
func (s *oldSite) create(t *testing.T, list, body string) map[string]any {
	t.Helper()
	return s.send(t, list, "application/json", strings.NewReader(body))
}

func (s *oldSite) send(t *testing.T, list, contentType string, body io.Reader) map[string]any {
	t.Helper()
	r, err := http.NewRequest("POST", s.URL+"/cal/events/v1"+list, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	if list == "/media" {
		r.Header.Set("Content-Disposition", `attachment; filename="hall.png"`)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	var made map[string]any
	if err != nil || answer.StatusCode >= 300 || json.Unmarshal(text, &made) != nil {
		t.Fatalf("POST %s: %s %s %v", list, answer.Status, text, err)
	}
	return made
}

func (s *oldSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		io.WriteString(w, `<!DOCTYPE html><html dir="ltr" lang="de-DE"><title>Hof</title>`+
			`<link rel="https://api.w.org/" href="/wp-json/">`)
	case "/wp-json/":
		io.WriteString(w, `{"name":"Tom&#039;s &amp; Co","timezone_string":"Europe/Berlin","gmt_offset":1}`)
	case "/about/", "/wp-content/uploads/a.txt", "/wp-json/wp/v2/posts":
		io.WriteString(w, "more than a calendar")
	default:
		s.calendar.ServeHTTP(w, r)
	}
}

// proxyTo returns a proxy that keeps the requested host, as the recipes of the manual do.
func proxyTo(t *testing.T, server string) http.Handler {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		r.SetXForwarded()
	}}
}

// calendarPaths is the form of the paths that docs/moving.md gives to almanac, of a site that has
// more than a calendar.
func calendarPaths(t *testing.T) *regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile("../docs/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	nginx := regexp.MustCompile(`location ~ "?(\^[^"\n]*)"? \{`).FindAllStringSubmatch(string(text), -1)
	caddy := regexp.MustCompile(`path_regexp (\S+)`).FindAllStringSubmatch(string(text), -1)
	if len(nginx) != 1 || len(caddy) != 1 || nginx[0][1] != caddy[0][1] {
		t.Fatalf("docs/moving.md gives other paths to almanac in nginx, %q, than in Caddy, %q", nginx, caddy)
	}
	return regexp.MustCompile(nginx[0][1])
}

// A public is the address that visitors ask, and answers by one of two servers.
type public struct {
	*httptest.Server
	toNew atomic.Pointer[func(path string) http.Handler] // nil for paths of the old site
}

func newPublic(t *testing.T, old http.Handler) *public {
	p := &public{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		by := "old"
		answering := old
		if choose := p.toNew.Load(); choose != nil {
			if h := (*choose)(r.URL.Path); h != nil {
				by = "new"
				answering = h
			}
		}
		w.Header().Set("Answered-By", by)
		answering.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// ask follows redirects from an address of the site to the answer.
func (p *public) ask(t *testing.T, path string) (status int, by, body string) {
	t.Helper()
	answer, err := http.Get(p.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Request.URL.Host != strings.TrimPrefix(p.URL, "http://") {
		t.Errorf("%s leads away, to %s", path, answer.Request.URL)
	}
	return answer.StatusCode, answer.Header.Get("Answered-By"), string(text)
}

// all31 are parameters of a list of events, which has those of two years without them.
const all31 = "start_date=2000-01-01&end_date=2031-12-31"

// addresses returns the addresses of every page, calendar and feed of the calendar of a site, each
// with a text that its answer has.
func (p *public) addresses(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{
		"/events/":                                     "Choir",
		"/events/list/":                                "Choir",
		"/events/month/":                               "",
		"/events/month/2031-05/":                       "Choir",
		"/events/2031-05/":                             "Choir",
		"/events/2031-05-13/":                          "Choir",
		"/events/today/":                               "",
		"/events/list/?tribe-bar-date=2031-05-20":      "Fair",
		"/wp-json/tribe/events/v1/events?" + all31:     `"Choir"`,
		"/wp-json/tribe/events/v1/venues":              `"Town Hall"`,
		"/wp-json/tribe/events/v1/events/by-slug/fair": `"Fair`,
	}
	for path, has := range map[string]string{
		"/events/":                "SUMMARY:Fair",
		"/events/category/music/": "SUMMARY:Choir",
		"/events/tag/loud/":       "SUMMARY:Choir",
		"/venue/town-hall/":       "SUMMARY:Choir",
		"/organizer/ann/":         "SUMMARY:Choir",
		"/event/choir/":           "SUMMARY:Choir",
	} {
		all[path] = strings.TrimPrefix(has, "SUMMARY:")
		all[path+"?ical=1"] = has
	}
	for _, path := range []string{"/events/feed/", "/events/category/music/feed/", "/events/tag/loud/feed/"} {
		all[path] = "<title>Choir"
	}
	for list, name := range map[string]string{"events": "title", "venues": "venue", "organizers": "organizer"} {
		_, _, body := p.ask(t, "/wp-json/tribe/events/v1/"+list+"?"+all31)
		var read map[string]any
		if err := json.Unmarshal([]byte(body), &read); err != nil {
			t.Fatal(err)
		}
		for _, record := range read[list].([]any) {
			r := record.(map[string]any)
			path, isOwn := strings.CutPrefix(r["url"].(string), p.URL)
			if !isOwn {
				t.Errorf("%v is no address of %s", r["url"], p.URL)
			}
			all[path] = r[name].(string)
		}
	}
	return all
}

// expect asks for every address. Those of the calendar are answered by one server, and the others
// by the old one.
func (p *public) expect(t *testing.T, when, calendarBy string, addresses map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(addresses)) {
		status, by, body := p.ask(t, path)
		if status != http.StatusOK || by != calendarBy || !strings.Contains(body, addresses[path]) {
			t.Errorf("%s: %s: %d by the %s site, without %q: %.300s", when, path, status, by, addresses[path], body)
		}
	}
	for _, path := range []string{"/", "/about/", "/wp-content/uploads/a.txt", "/wp-json/wp/v2/posts", "/wp-json/"} {
		if status, by, _ := p.ask(t, path); status != http.StatusOK || by != "old" {
			t.Errorf("%s: %s: %d by the %s site", when, path, status, by)
		}
	}
}

// uids returns the UIDs of the calendar file, by which subscribers recognize events. The site of
// this test has a port, which its UIDs leave out and imported ones keep, because two sites may
// share a host.
func (p *public) uids(t *testing.T) []string {
	t.Helper()
	_, _, body := p.ask(t, "/events/?ical=1")
	body = strings.ReplaceAll(body, strings.TrimPrefix(p.URL, "http://127.0.0.1"), "")
	all := regexp.MustCompile(`(?m)^UID:\S+`).FindAllString(body, -1)
	slices.Sort(all)
	return all
}

// The way of docs/moving.md: before, the adoption, the day of both, the switch, and back. Pages,
// calendars and feeds of the old site answer at their addresses the whole time, with the same
// events, and the rest of the site stays. The command that the adoption prints starts the server.
func TestMoving(t *testing.T) {
	t.Parallel()
	dir, env := programs(t)
	old := newOldSite(t)
	site := newPublic(t, old)
	addresses := site.addresses(t)
	if len(addresses) < 20 {
		t.Fatalf("the old site has %d addresses", len(addresses))
	}
	site.expect(t, "before", "old", addresses)
	uids := site.uids(t)

	adopt := "./almanac-move adopt -rate 1000/s "
	told := shell(t, dir, env, adopt+site.URL)
	line := regexp.MustCompile(`(?m)^\./almanac serve .*$`).FindString(told)
	want := `./almanac serve -data almanac-data -timezone Europe/Berlin -site-name 'Tom'\''s & Co' -language de-DE ` +
		`-also /wp-json/tribe/events/v1`
	if diff := cmp.Diff(want, line); diff != "" {
		t.Fatalf("the command for the server (-want, +got):\n%s\n%s", diff, told)
	}
	if strings.Contains(told, "left where they are") {
		t.Errorf("pictures stay at the old site: %s", told)
	}
	host, _ := url.Parse(site.URL)
	shell(t, dir, env, "./almanac identity -data almanac-data -set "+host.Hostname())
	server := start(t, dir, env, line)
	get := func(path string) string {
		t.Helper()
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, answer.Status, err)
		}
		return string(text)
	}
	page := get("/events/")
	for _, has := range []string{`lang="de"`, "Tom&#39;s &amp; Co", "Choir"} {
		if !strings.Contains(page, has) {
			t.Errorf("the pasted command starts a server without %q: %s", has, page)
		}
	}
	own := get("/cal/events/v1/events?search=choir&" + all31)
	if !strings.Contains(own, `"timezone":"Europe/Berlin"`) || !strings.Contains(own, server.URL+"/media/") &&
		!strings.Contains(own, `"/media/`) {
		t.Errorf("the event has another zone, or its picture stays: %s", own)
	}

	// The day of both: people work on at the old site, and changes come over into the running
	// server.
	old.create(t, "/events/by-slug/fair", `{"title":"Fair of the Town"}`)
	old.create(t, "/events", `{"title":"Late","start_date":"2031-06-01 20:00:00","end_date":"2031-06-01 21:00:00"}`)
	again := shell(t, dir, env, adopt+"-to "+server.URL+" -token "+server.Token+" "+site.URL)
	if !strings.Contains(again, "almanac serve -timezone") {
		t.Errorf("an adoption into a server prints no command: %s", again)
	}
	for _, title := range []string{"Fair of the Town", "Late", "Choir"} {
		if !strings.Contains(get("/events/"), title) {
			t.Errorf("%s did not come over", title)
		}
	}
	server.stop()
	site.expect(t, "the day of both", "old", addresses)
	late := site.uids(t)
	if diff := cmp.Diff(len(uids)+1, len(late)); diff != "" {
		t.Errorf("events of the old site: %s", diff)
	}

	// The switch: the proxy gives the paths of the calendar to almanac.
	server = start(t, dir, env, line+" -url "+site.URL+" -trusted-proxies 127.0.0.1")
	behind := proxyTo(t, server.URL)
	paths := calendarPaths(t)
	choose := func(path string) http.Handler {
		if paths.MatchString(path) {
			return behind
		}
		return nil
	}
	site.toNew.Store(&choose)
	site.expect(t, "after the switch", "new", addresses)
	if diff := cmp.Diff(late, site.uids(t)); diff != "" {
		t.Errorf("UIDs after the switch (-old, +new):\n%s", diff)
	}
	site.expect(t, "words of the language, after the switch", "new", map[string]string{
		"/veranstaltungsort/town-hall/": "Choir",
		"/veranstalter/ann/?ical=1":     "SUMMARY:Choir",
	})
	page = get("/events/")
	for _, found := range regexp.MustCompile(`(?:href|src|srcset)="([^" ]*)`).FindAllStringSubmatch(page, -1) {
		path, isOwn := strings.CutPrefix(found[1], site.URL)
		if !isOwn && !strings.HasPrefix(found[1], "/") {
			continue
		}
		path = strings.ReplaceAll(path, "&amp;", "&")
		if status, by, _ := site.ask(t, path); path != "/" && (status != http.StatusOK || by != "new") {
			t.Errorf("a page of almanac needs %s, which is answered %d by the %s site", path, status, by)
		}
	}

	// Back: the old site is as it was.
	site.toNew.Store(nil)
	site.expect(t, "back", "old", addresses)
	if diff := cmp.Diff(late, site.uids(t)); diff != "" {
		t.Errorf("UIDs after the way back (-before, +after):\n%s", diff)
	}
}

// The commands that the first page of the desk shows work as they are printed, with a token, an
// address and files in their places.
func TestBringCommands(t *testing.T) {
	t.Parallel()
	dir, env := programs(t)
	site := newPublic(t, newOldSite(t))
	export, err := os.ReadFile("../testdata/import/wordpress.xml")
	calendar := "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Picnic\r\nDTSTART:20310513T100000Z\r\n" +
		"DTEND:20310513T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	err = errors.Join(
		err,
		os.WriteFile(filepath.Join(dir, "export.xml"), export, 0o600),
		os.WriteFile(filepath.Join(dir, "calendar.ics"), []byte(calendar), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, dir, env, "almanac serve")
	jar, _ := cookiejar.New(nil)
	client := http.Client{Jar: jar}
	_, secret, _ := strings.Cut(server.Desk, "?token=")
	answer, err := client.PostForm(server.URL+"/desk/link", url.Values{"token": {secret}})
	if err == nil {
		answer.Body.Close()
		answer, err = client.Get(server.URL + "/desk/")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	home, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`<code class="link">([^<]*)</code>`).FindAllStringSubmatch(string(home), -1)
	if len(shown) != 3 {
		t.Fatalf("the page shows %d commands: %s", len(shown), home)
	}
	for _, command := range shown {
		shell(t, dir, env, strings.NewReplacer(
			"TOKEN", server.Token,
			"https://old.example.org", site.URL,
		).Replace(command[1]))
	}
	answer, err = http.Get(server.URL + "/cal/events/v1/events?per_page=50&" + all31)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	list, err := io.ReadAll(answer.Body)
	for _, title := range []string{`"Choir"`, `"Picnic"`} {
		if err != nil || !strings.Contains(string(list), title) {
			t.Errorf("%v, no %s: %s", err, title, list)
		}
	}
}
