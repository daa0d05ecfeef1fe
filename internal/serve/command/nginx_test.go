package command

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// nginxAround is the configuration around a server of docs/internet.md for a test beside other
// servers, with the number of connections in docs/growth.md.
const nginxAround = `daemon off;
master_process off;
pid %[1]s/pid;
error_log stderr;
events { worker_connections 4096; }
http {
	access_log off;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
%[2]s}
`

// Behind the nginx of docs/internet.md, links begin with the address that was asked: its
// scheme, host and port, or the path of another site.
func TestNginx(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip(
			"the servers for nginx in docs/internet.md are not tried out: there is no nginx on this machine",
		)
	}
	blocks := slices.Concat(
		blocksOf(t, "docs/internet.md"),
		blocksOf(t, "docs/administrators.md"),
		blocksOf(t, "docs/moving.md"),
	)
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.lang != "nginx" })
	const port = "%d"
	tests := []struct {
		flags []string
		ask   string
		links string // %d is the port
	}{
		{
			[]string{"-trusted-proxies", "127.0.0.1"},
			"/cal/events/v1/venues",
			"https://127.0.0.1:" + port + "/venue/town-hall/",
		},
		{[]string{"-url", "https://www.example.org/calendar"}, "/calendar/cal/events/v1/venues",
			"https://www.example.org/calendar/venue/town-hall/"},
		{
			[]string{
				"-desk",
				"-desk-user-header",
				"X-Remote-User",
				"-trusted-proxies",
				"127.0.0.1",
			},
			"/cal/events/v1/venues",
			"https://127.0.0.1:" + port + "/venue/town-hall/",
		},
		{
			[]string{"-also", "/wp-json/tribe/events/v1", "-trusted-proxies", "127.0.0.1"},
			"/wp-json/tribe/events/v1/venues",
			"https://127.0.0.1:" + port + "/venue/town-hall/",
		},
		{
			[]string{"-also", "/wp-json/tribe/events/v1", "-trusted-proxies", "127.0.0.1"},
			"/wp-json/tribe/events/v1/venues",
			"https://127.0.0.1:" + port + "/venue/town-hall/",
		},
	}
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "the old site, asked as %s", r.Host)
	}))
	defer old.Close()
	if len(blocks) != len(tests) {
		t.Fatalf("the pages have %d servers for nginx, want %d", len(blocks), len(tests))
	}
	for i, test := range tests {
		s := startServer(t, append([]string{"-memory"}, test.flags...)...)
		s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"Town Hall"}`)
		text := strings.ReplaceAll(blocks[i].text, "http://192.0.2.7", old.URL)
		at, client := startNginx(t, text, s.URL)
		a := caller{URL: "https://" + at.String(), Client: client}.Do(t, "GET", test.ask, "")
		want := strings.ReplaceAll(test.links, port, fmt.Sprint(at.Port))
		if a.Status != http.StatusOK || !strings.Contains(a.Body, `"`+want+`"`) {
			t.Errorf("%v: answered %d %s, want a link to %s", blocks[i], a.Status, a.Body, want)
		}
		switch i {
		case 2:
			tryDesk(t, caller{URL: "https://" + at.String(), Client: client})
		case 3:
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			a := caller{
				URL:    "https://" + at.String(),
				Client: client,
			}.Do(t, "GET", "/veranstaltung/choir/?a=1", "")
			if to := a.Header.Get("Location"); a.Status != http.StatusMovedPermanently ||
				!strings.HasSuffix(to, "/event/choir/") {
				t.Errorf(
					"%v: a page of the old site is answered %d, with %q",
					blocks[i],
					a.Status,
					to,
				)
			}
		case 4:
			want := "the old site, asked as " + at.String()
			for _, path := range []string{"/", "/about/", "/eventual/", "/wp-json/"} {
				a := caller{URL: "https://" + at.String(), Client: client}.Do(t, "GET", path, "")
				if a.Body != want {
					t.Errorf("%v: %s is answered %d %s", blocks[i], path, a.Status, a.Body)
				}
			}
		}
	}
}

// tryDesk signs in to the desk by the nginx in front of it, and tries to do so without its
// password.
func tryDesk(t *testing.T, c caller) {
	t.Helper()
	known := []string{
		"Authorization",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("admin:secret")),
	}
	const form = "application/x-www-form-urlencoded"
	isIn := func(path string, header ...string) bool {
		return strings.Contains(c.Do(t, "GET", path, "", header...).Body, "<bdi>admin</bdi>")
	}
	if !isIn("/desk/account", append(known, "X-Remote-User", "nobody")...) {
		t.Error("the account that nginx names is not signed in")
	}
	for _, path := range []string{"/desk/account", "/Desk/account", "/desk/%2e%2e/Desk/account", "/index.php/desk/account", "//desk/account"} {
		for _, header := range [][]string{{"X-Remote-User", "admin"}, {"Authorization", "Basic YWRtaW46", "X-Remote-User", "admin"}} {
			if isIn(path, header...) {
				t.Errorf("%s: signed in by a header of the client", path)
			}
		}
	}
	sent := func(origin string) int {
		return c.Do(
			t,
			"POST",
			"/desk/venues/new",
			"name=Barn",
			append(known, "Content-Type", form, "Origin", origin)...).Status
	}
	if own, other := sent(c.URL), sent("https://evil.example"); own != http.StatusOK ||
		other != http.StatusForbidden {
		t.Errorf("a form of the site: %d, of another site: %d", own, other)
	}
}

// startNginx starts a server of a page of the manual in front of ours, and returns where it
// listens and who asks it.
func startNginx(t *testing.T, server, ours string) (*net.TCPAddr, *http.Client) {
	t.Helper()
	dir := t.TempDir()
	pair := newPair(t, dir, time.Hour)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	at := free.Addr().(*net.TCPAddr)
	conf := filepath.Join(dir, "nginx.conf")
	server = strings.NewReplacer("listen 443 ssl", "listen "+at.String()+" ssl", "http://127.0.0.1:8080", ours,
		"/etc/ssl/calendar.pem", pair.cert, "/etc/ssl/calendar.key", pair.key, "/var/cache/nginx", dir,
		"/etc/nginx/desk.htpasswd", filepath.Join(dir, "htpasswd"), "/etc/nginx/moved.conf", filepath.Join(dir, "moved.conf")).
		Replace(server)
	redirects := "map $request_uri $almanac_moved {\n    default \"\";\n    \"/veranstaltung/choir/?a=1\" \"/event/choir/\";\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "moved.conf"), []byte(redirects), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "htpasswd"), []byte("admin:{PLAIN}secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxAround, dir, server), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "nginx", "-p", dir, "-c", conf, "-e", "stderr")
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the context of the test has ended it
	awaitListener(t, at.String())
	return at, pair.client(t)
}

// The nginx of docs/growth.md asks the server once for what everybody sees, never shows it to
// callers with an account or theirs to others, and shows what it has while the server is away.
func TestNginxCache(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("the cache of docs/growth.md is not tried out: there is no nginx on this machine")
	}
	blocks := slices.DeleteFunc(
		blocksOf(t, "docs/growth.md"),
		func(b block) bool { return b.lang != "nginx" },
	)
	if len(blocks) != 1 {
		t.Fatalf("docs/growth.md has %d servers for nginx, want 1", len(blocks))
	}
	start := func(fresh string) (s *testServer, ask func(token string) answer) {
		s = startServer(t, "-memory", "-trusted-proxies", "127.0.0.1", "-shared-cache", fresh)
		s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"Town Hall"}`)
		s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"Secret","status":"draft"}`)
		at, client := startNginx(t, blocks[0].text, s.URL)
		return s, func(token string) answer {
			return caller{
				URL:    "https://" + at.String(),
				Client: client,
				Token:  token,
			}.Do(t, "GET", v1+"/venues", "")
		}
	}
	s, ask := start("1h")
	for i, want := range []struct{ cache, hidden bool }{{false, false}, {true, false}, {false, true}, {true, false}, {false, true}} {
		token := ""
		if want.hidden {
			token = s.Token
		}
		a := ask(token)
		if hit := a.Header.Get("X-Cache") == "HIT"; a.Status != 200 || hit != want.cache ||
			strings.Contains(a.Body, "Secret") != want.hidden ||
			!strings.Contains(a.Body, "Town Hall") {
			t.Errorf(
				"answer %d: %d %s %s, want it from the cache: %t",
				i,
				a.Status,
				a.Header.Get("X-Cache"),
				a.Body,
				want.cache,
			)
		}
	}
	s, ask = start("1s")
	ask("")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for seen := ""; seen != "STALE"; <-tick.C {
		a := ask("")
		if seen = a.Header.Get("X-Cache"); a.Status != 200 ||
			!strings.Contains(a.Body, "Town Hall") {
			t.Fatalf("while the server is away: %d %s %s", a.Status, seen, a.Body)
		}
	}
	if a := ask(s.Token); a.Status != http.StatusBadGateway {
		t.Errorf("a caller with an account, while the server is away: %d %s", a.Status, a.Body)
	}
}

// awaitListener waits until a port takes connections.
func awaitListener(t *testing.T, address string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	end := time.After(patience)
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("nothing listens at %s after %v", address, patience)
		}
	}
}
