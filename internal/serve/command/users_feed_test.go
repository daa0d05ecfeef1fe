package command

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/cli"
)

// A secret feed that a command makes beside a server opens at once, and is closed by the next
// command. Its secret is in no log, no metric, no file and no report; the log of the data
// directory has a line for each change.
func TestUsersFeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	access := filepath.Join(t.TempDir(), "access.log")
	s := startServer(
		t,
		on(dir, "-access-log", access, "-metrics-addr", "127.0.0.1:0", "-slow", "1ns")...)
	admin := s.Admin()
	admin.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Rehearsal","status":"private","start_date":"tomorrow","end_date":"tomorrow"}`,
	)
	mustUsers(t, "add", "-data", dir, "ann", "-role", "editor", "-no-token")
	stdout, stderr, err := runUsers(
		t,
		"feed",
		"-data",
		dir,
		"ann",
		"-name",
		"choir",
		"-filter",
		"?status=private",
		"-url",
		s.URL+"/#",
	)
	address := strings.TrimSuffix(stdout, "\n")
	found := regexp.MustCompile(`^` + regexp.QuoteMeta(s.URL) + `/feeds/([0-9a-f]{64})/events\.ics$`).
		FindStringSubmatch(address)
	if err != nil || found == nil ||
		!strings.HasPrefix(stderr, `feed "choir" of "ann": whoever has this address reads it.`) {
		t.Fatalf("printed %q and %q (%v)", stdout, stderr, err)
	}
	secret := found[1]
	read := func(address string) (status int, text string) {
		t.Helper()
		r, err := http.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Referer", address)
		a, err := s.Client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		return a.StatusCode, fmt.Sprint(a.Header, string(body), err)
	}
	status, text := read(address)
	if status != 200 || !strings.Contains(text, "SUMMARY:Rehearsal") {
		t.Errorf("%d %s", status, text)
	}
	reports := text
	for _, query := range []string{"?x=/feeds/" + secret, "?rest_route=/feeds/" + secret + "/events.ics", "?rest_route=%2Ffeeds%2F" + secret,
		"?rest_route=%252Ffeeds%252F" + secret} {
		_, text := read(s.URL + "/" + query)
		reports += text
	}
	for _, path := range []string{"/feeds/" + secret, "/de/Feeds//" + secret + "/events.rss", "/%66eeds/" + secret + "/x%3Fy"} {
		_, text := read(s.URL + path)
		reports += text
	}
	want := `
ID  LOGIN  ROLE           E-MAIL  STATE   TOKEN                        CREATED     EXPIRES  USED
1   admin  administrator  -       active  first                        DAY  never    HOUR
2   ann    editor         -       active  (feed) choir?status=private  DAY  never    `
	list := mustUsers(t, "list", "-data", dir)
	shown := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\dh`).ReplaceAllString(list, "HOUR")
	shown = regexp.MustCompile(`\d{4}-\d\d-\d\d`).ReplaceAllString(shown, "DAY")
	if diff := cmp.Diff(want, strings.TrimSuffix(strings.TrimSuffix("\n"+shown, "HOUR"), "-")); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	reports += list + mustUsers(t, "list", "-data", dir, "-json")
	if got, want := mustUsers(t, "feed", "-data", dir, "-revoke", "-name", "choir", "ann"), `feed "choir" of "ann" is revoked`; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if status, text := read(address); status != 404 || strings.Contains(text, "Rehearsal") {
		t.Errorf("revoked: %d %s", status, text)
	}
	_, metrics := read(s.Metrics)
	if !strings.Contains(
		metrics,
		`almanac_http_requests_total{operation="feeds.calendar",class="2xx"} 2`,
	) {
		t.Errorf("the metrics do not count the feed: %s", metrics)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	var out lockedBuffer
	if err := run(t.Context(), []string{"log", "-data", dir, "-kind", "accounts"},
		cli.Process{Getenv: none, Stdout: &out, Stderr: &out}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{`feed "choir" made`, `feed "choir" revoked`} {
		if strings.Count(out.String(), what) != 1 {
			t.Errorf("the log does not tell of %s once:\n%s", what, &out)
		}
	}
	lines := readFile(t, access)
	if strings.Count(lines, `"GET /feeds/***/events.ics HTTP/1.1"`) < 2 ||
		!strings.Contains(lines, `/feeds/***/events.ics" "`) ||
		!strings.Contains(s.Stderr.String(), "slow request") {
		t.Errorf("the logs do not have the requests:\n%s\n%s", lines, s.Stderr)
	}
	for where, text := range map[string]string{
		"access log":      lines,
		"log":             s.Stderr.String(),
		"metrics":         metrics,
		"reports":         reports,
		"data directory":  string(filesIn(t, dir)),
		"log of accounts": out.String(),
	} {
		if at := strings.Index(text, secret[:32]); at >= 0 {
			t.Errorf("the secret is in the %s: %.400s", where, text[max(0, at-200):])
		}
	}
}

func TestUsersFeedRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "-no-token", "admin")
	mustUsers(t, "feed", "-data", dir, "admin", "-name", "all")
	before := logLines(t, dir)
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "users feed takes LOGIN"},
		{"bob", 1, `there is no such user: "bob"; there are admin`},
		{"admin -name all", 1, `user "admin" has a feed "all" already`},
		{"admin -filter category=choir", 2, `-filter: the filter has ["category"], which is no parameter that a feed keeps`},
		{"admin -filter months=0", 2, "-filter: the filter: months must be a whole number from 1 to 1200."},
		{"admin -url here", 2, `-url "here": must be an address`},
		{"admin -url https://calendar.example.org?", 2, `-url "https://calendar.example.org?": must be an address`},
		{"admin -expires soon", 2, `-expires "soon"`},
		{"admin -revoke", 2, "give the name of the feed with -name"},
		{"admin -revoke -name other", 1, `there is no such feed: "other" of user "admin"; there are all`},
	} {
		stdout, _, err := runUsers(
			t,
			append([]string{"feed", "-data", dir}, strings.Fields(test.args)...)...)
		if cli.Status(err) != test.status || !strings.Contains(err.Error(), test.want) ||
			stdout != "" {
			t.Errorf(
				"users feed %s: printed %q, exit status %d: %v; want %d with %q",
				test.args,
				stdout,
				cli.Status(err),
				err,
				test.status,
				test.want,
			)
		}
	}
	if diff := cmp.Diff(before, logLines(t, dir)); diff != "" {
		t.Errorf("what was refused changed something:\n%s", diff)
	}
}
