package command

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// enter signs in by a link, and returns the page that it leads to.
func enter(t *testing.T, s *testServer, link string) (client *http.Client, page string) {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	client = &http.Client{Jar: jar, CheckRedirect: s.Client.CheckRedirect}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.PostForm(s.URL+u.Path, u.Query())
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return client, res.Header.Get("Location")
}

// The first start prints a link to the settings, which work at once and after a restart, below
// flags, and in a restored backup.
func TestFirstPage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir)...)
	link := s.Desk
	if !strings.HasPrefix(link, s.URL+"/desk/link?token=") {
		t.Fatal("no link:", link)
	}
	client, page := enter(t, s, link)
	if page != "/desk/site" {
		t.Error("the link leads to", page)
	}
	if _, page := enter(t, s, link); page != "" {
		t.Error("the link again leads to", page)
	}
	get := func(s *testServer, path string) string {
		t.Helper()
		res, err := client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return string(text)
	}
	var body, logo bytes.Buffer
	_ = png.Encode(&logo, image.NewGray(image.Rect(0, 0, 60, 40)))
	form := multipart.NewWriter(&body)
	tag := regexp.MustCompile(`name="tag" value="(\w+)"`).FindStringSubmatch(get(s, "/desk/site"))[1]
	for name, value := range map[string]string{
		"tag":    tag,
		"name":   "Kirchenchor",
		"zone":   "Europe/Vienna",
		"region": "AT",
		"filled": "AT",
		"colour": "#0b5d3b",
	} {
		_ = form.WriteField(name, value)
	}
	part, _ := form.CreateFormFile("picture", "logo.png")
	_, _ = part.Write(logo.Bytes())
	form.Close()
	res, err := client.Post(s.URL+"/desk/site", form.FormDataContentType(), &body)
	if err != nil || res.StatusCode != http.StatusSeeOther {
		t.Fatal(err, res)
	}
	res.Body.Close()
	sheet := regexp.MustCompile(`/assets/style-\w+\.css`)
	expect := func(s *testServer, name, zone string) {
		t.Helper()
		list := get(s, "/events/")
		accents := ""
		for _, path := range sheet.FindAllString(list, -1) {
			if text := get(s, path); strings.Contains(text, "#0b5d3b") {
				accents += text
			}
		}
		picture := regexp.MustCompile(`/assets/logo-\w+\.png`).FindString(list)
		if !strings.Contains(list, name) || picture == "" ||
			!strings.HasPrefix(get(s, picture), "\x89PNG") ||
			strings.Count(accents, "--accent: #0b5d3b") != 1 ||
			strings.Contains(list, "style=") {
			t.Errorf("%s, %q, %s", list, picture, accents)
		}
		var event struct{ Timezone string }
		c := s.Admin()
		a := c.Must(
			t,
			"POST",
			v1+"/events",
			`{"title":"A","start_date":"2031-05-01 20:00","end_date":"2031-05-01 21:00"}`,
		)
		if err := json.Unmarshal([]byte(a), &event); err != nil || event.Timezone != zone {
			t.Error(err, event, "not", zone)
		}
	}
	expect(s, "Kirchenchor", "Europe/Vienna")
	token := s.Token
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	s = startServer(t, on(dir, "-site-name", "Chor", "-timezone", "UTC")...)
	s.Token = token
	if link = s.Desk; link != "" {
		t.Error("the second start printed a link:", link)
	}
	expect(s, "Chor", "UTC")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	quiet := cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: io.Discard,
		Stderr: io.Discard,
	}
	file := dir + ".tgz"
	restored := dir + " restored"
	for _, args := range [][]string{{"backup", "-data", dir, file}, {"restore", "-data", restored, file}, {"verify", "-data", restored}} {
		if err := run(t.Context(), args, quiet); err != nil {
			t.Fatal(args, err)
		}
	}
	var log bytes.Buffer
	if err := run(t.Context(), []string{"log", "-data", restored},
		cli.Process{Getenv: quiet.Getenv, Stdout: &log, Stderr: io.Discard}); err != nil ||
		!strings.Contains(
			log.String(),
			`"admin"   settings    name "Kirchenchor", zone "Europe/Vienna", region "AT", currency "", `+
				`first "", clock "", language "", about "", contact "", colour "#0b5d3b", logo 1`,
		) {
		t.Error(err, log.String())
	}
	s = startServer(t, on(restored)...)
	s.Token = token
	expect(s, "Kirchenchor", "Europe/Vienna")
}

// Without the desk there is no link, no file, and no route.
func TestNoDesk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir, "-desk=false")...)
	link := s.Desk
	if lines := accountLines(t, dir); len(lines) != 1 || link != "" {
		t.Error("a link:", lines, link)
	}
	want := s.As("").Do(t, "GET", "/nothing", "")
	for _, path := range []string{"/desk", "/desk/", "/desk/site", "/desk/link"} {
		if got := (s.As("")).Do(t, "GET", path, ""); got.Status != 404 ||
			got.Body != want.Body {
			t.Error(path, got.Status, got.Body)
		}
	}
}

// The place, the language and the texts that somebody chose at the desk are those of pages. Flags
// stand above them.
func TestSiteChoices(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir)...)
	client, _ := enter(t, s, s.Desk)
	read := func(s *testServer, path string) string {
		t.Helper()
		res, err := client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return string(text)
	}
	body := url.Values{
		"tag": {
			regexp.MustCompile(`name="tag" value="(\w+)"`).FindStringSubmatch(read(s, "/desk/site"))[1],
		},
		"name":     {"Chor"},
		"region":   {"CH"},
		"filled":   {"CH"},
		"zone":     {"Europe/Zurich"},
		"currency": {"CHF"},
		"first":    {"saturday"},
		"clock":    {"12"},
		"language": {"de"},
		"about":    {"Lieder am See"},
		"contact":  {"chor@example.org"},
	}
	tag := read(s, "/events/month/2031-05/")
	res, err := client.PostForm(s.URL+"/desk/site", body)
	if err != nil || res.StatusCode != http.StatusSeeOther {
		t.Fatal(err, res)
	}
	res.Body.Close()
	s.Admin().
		Must(t, "POST", v1+"/events", `{"title":"Konzert","start_date":"2031-05-10 19:30","end_date":"2031-05-10 21:00","cost":"20"}`)
	expect := func(s *testServer, path string, want ...string) {
		t.Helper()
		page := read(s, path)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s has no %s", path, text)
			}
		}
	}
	const contact = `<a href="mailto:chor@example.org" rel="external"><bdi>`
	expect(
		s,
		"/events/",
		`<html lang="de-CH"`,
		"Lieder am See",
		contact+"Kontakt</bdi>",
		"7:30",
		"CHF\u00a020",
	)
	expect(s, "/events/month/2031-05/", `<html lang="de-CH"`, "7:30")
	week := regexp.MustCompile(`(?s)<thead>.*?</thead>`).
		FindString(read(s, "/events/month/2031-05/"))
	if i, j := strings.Index(week, "Samstag"), strings.Index(week, "Sonntag"); i < 0 || j < i ||
		tag == read(s, "/events/month/2031-05/") {
		t.Error("weeks do not begin on Saturday:", week)
	}
	expect(s, "/en/events/", `<html lang="en"`, contact+"Contact</bdi>", "7:30")
	expect(s, "/event/konzert/?ical=1", "DTSTART;TZID=Europe/Zurich:20310510T193000")
	expect(s, "/desk/events/1", "Konzert", `name="starts" value="19:30"`, `name="cost" value="20"`)
	token := s.Token
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	s = startServer(
		t,
		on(
			dir,
			"-language",
			"fr",
			"-region",
			"be",
			"-site-text",
			"Chants",
			"-link",
			"Aide=https://choir.example/",
		)...)
	s.Token = token
	expect(
		s,
		"/events/",
		`<html lang="fr-BE"`,
		"Chants",
		`<a href="https://choir.example/" rel="external"><bdi>Aide</bdi></a>`,
	)
	if page := read(s, "/events/"); strings.Contains(page, "mailto:") ||
		strings.Contains(page, "Lieder") {
		t.Error("settings stand above flags")
	}
	expect(s, "/desk/site", "avec -region", "avec -language", "Aide=https://choir.example/")

	s = startServer(t, on(dir+" of Belgium", "-region", "be")...)
	s.Admin().
		Must(t, "POST", v1+"/events", `{"title":"Fair","start_date":"2031-05-10","end_date":"2031-05-10","cost":"20"}`)
	if answer := s.Admin().Must(t, "GET", v1+"/events?start_date=2031-05-01", ""); !strings.Contains(
		answer,
		"€",
	) {
		t.Error("the currency of be is not that of BE:", answer)
	}
}
