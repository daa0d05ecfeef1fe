package command

import (
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

// caddyAround is the configuration around a site of the manual for a test beside other servers.
const caddyAround = `{
	admin off
	auto_https disable_redirects
	storage file_system %[1]s
}
https://%[2]s {
	tls %[3]s %[4]s
%[5]s
}
`

// Behind each Caddy of the manual, links begin with the address that was asked. The desk knows its
// callers, and paths of the old site lead there.
func TestCaddy(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("caddy"); err != nil {
		t.Skip("the servers for Caddy in the manual are not tried out: there is no caddy on this machine")
	}
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "the old site, asked as %s", r.Host)
	}))
	defer old.Close()
	also := []string{"-also", "/wp-json/tribe/events/v1"}
	desk := []string{"-desk", "-desk-user-header", "X-Remote-User"}
	tests := []struct {
		flags []string
		try   func(c caller)
	}{
		{nil, func(c caller) {}},
		{desk, func(c caller) { tryDesk(t, c) }},
		{also, func(c caller) {
			c.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			a := c.Do(t, "GET", "/veranstaltung/choir/?a=1", "")
			if to := a.Header.Get("Location"); a.Status != http.StatusMovedPermanently || to != "/event/choir/" {
				t.Errorf("a page of the old site is answered %d, with %q", a.Status, to)
			}
		}},
		{also, func(c caller) {
			want := "the old site, asked as " + strings.TrimPrefix(c.URL, "https://")
			for _, path := range []string{"/", "/about/", "/eventual/", "/wp-json/"} {
				if a := c.Do(t, "GET", path, ""); a.Body != want {
					t.Errorf("%s is answered %d %s", path, a.Status, a.Body)
				}
			}
		}},
	}
	blocks := slices.Concat(
		blocksOf(t, "docs/internet.md"),
		blocksOf(t, "docs/administrators.md"),
		blocksOf(t, "docs/moving.md"),
	)
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.lang != "caddy" })
	if len(blocks) != len(tests) {
		t.Fatalf("the pages have %d servers for Caddy, want %d", len(blocks), len(tests))
	}
	for i, test := range tests {
		s := startServer(t, append([]string{"-memory", "-trusted-proxies", "127.0.0.1"}, test.flags...)...)
		s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"Town Hall"}`)
		c := startCaddy(t, strings.ReplaceAll(blocks[i].text, "192.0.2.7", strings.TrimPrefix(old.URL, "http://")), s.URL)
		a := c.Do(t, "GET", v1+"/venues", "", "Forwarded", "host=evil.example", "X-Forwarded-Host", "evil.example")
		if want := `"` + c.URL + `/venue/town-hall/"`; a.Status != http.StatusOK || !strings.Contains(a.Body, want) {
			t.Errorf("%v: answered %d %s, want a link to %s", blocks[i], a.Status, a.Body, want)
		}
		test.try(c)
	}
}

// startCaddy starts a site of a page of the manual in front of ours, and returns its caller.
func startCaddy(t *testing.T, site, ours string) caller {
	t.Helper()
	dir := t.TempDir()
	pair := newPair(t, dir, time.Hour)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	at := free.Addr().String()
	hash, err := exec.Command("caddy", "hash-password", "--plaintext", "secret").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, site, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(site), "\n}"), "calendar.example.org")
	moved := filepath.Join(dir, "moved.conf")
	site = strings.NewReplacer(
		"127.0.0.1:8080", strings.TrimPrefix(ours, "http://"),
		"ann $2a$14$...", "admin "+strings.TrimSpace(string(hash)),
		"/etc/caddy/moved.conf", moved,
	).Replace(strings.TrimPrefix(site, " {"))
	redirects := "map {uri} {almanac_moved} {\n    \"/veranstaltung/choir/?a=1\" \"/event/choir/\"\n    default \"\"\n}\n"
	conf := filepath.Join(dir, "Caddyfile")
	for name, text := range map[string]string{
		moved: redirects,
		conf:  fmt.Sprintf(caddyAround, dir, at, pair.cert, pair.key, site),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := func(name string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "caddy", name, "--config", conf, "--adapter", "caddyfile")
		cmd.Env = append(os.Environ(), "HOME="+dir)
		return cmd
	}
	if out, err := command("validate").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, site, out)
	}
	cmd := command("run")
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the context of the test has ended it
	awaitListener(t, at)
	return caller{URL: "https://" + at, Client: pair.client(t)}
}
