package command

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/race"
	"almanac/internal/rest"

	"github.com/google/go-cmp/cmp"
)

// This file has first servers that answer what they should not.

// A followProcess is a follower in a process of its own.
type followProcess struct {
	caller
	metrics string // address
	pid     int
	stderr  *lockedBuffer
	end     func()
}

// startFollowProcess starts one, which is ready when this returns.
func startFollowProcess(t *testing.T, first, token, dir string, env ...string) *followProcess {
	t.Helper()
	child := childCommand(t, "", "", limits{})
	f := &followProcess{caller: caller{token: token, client: http.DefaultClient}, stderr: &lockedBuffer{}}
	cmd := &exec.Cmd{Path: child.Path, Args: []string{child.Path, "follow", first, "-data", dir, "-addr", "127.0.0.1:0", "-no-limits",
		"-metrics-addr", "127.0.0.1:0"},
		Env: append(append(child.Env, "ALMANAC_TOKEN="+token), env...), Stderr: f.stderr}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("follower: %s", f.stderr)
		}
	})
	ready := startProcess(t, cmd)
	f.url, f.metrics, f.pid, f.end = ready.URL, ready.Metrics, ready.PID, func() { end(t, cmd) }
	return f
}

// complete waits until nothing is missing.
func (f *followProcess) complete(t *testing.T) {
	t.Helper()
	eventually(t, f.caller, "/_almanac/health/ready", isComplete)
}

// says waits until the log of the follower has a text once more.
func (f *followProcess) says(t *testing.T, text string, before int) {
	t.Helper()
	if !await(func() bool { return strings.Count(f.stderr.String(), text) > before }) {
		t.Fatalf("the log of the follower does not say %q:\n%s", text, f.stderr)
	}
}

// filesOf returns what of a copy is from the first server.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	users, err := os.ReadFile(filepath.Join(dir, usersName))
	if err != nil {
		t.Error(err)
	}
	return logOf(t, dir) + string(users)
}

// endless answers with a text that it repeats until nobody listens any more, and says that it
// is so many bytes, or nothing.
func endless(text, bytes string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(rest.FollowSeq, "1000")
		if bytes != "" {
			w.Header().Set(rest.FollowBytes, bytes)
		}
		for piece := []byte(strings.Repeat(text, 1+64<<10/len(text))); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}
}

// Whatever answers in the place of the first server, the copy stays as it is and is read,
// the memory of the follower has a limit, and its token goes nowhere else. When the first
// server is back, the copy goes on.
func TestFollowHostile(t *testing.T) {
	t.Parallel()
	first := startServer(t, on(filepath.Join(t.TempDir(), "first"))...)
	between := newRelay(t, first.url)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked elsewhere: %v", r.URL, r.Header)
	}))
	defer elsewhere.Close()
	first.admin().must(t, "POST", api+"/events", concert)
	dir := filepath.Join(t.TempDir(), "copy")
	follower := startFollowProcess(t, between.URL, first.token, dir)
	follower.complete(t)
	before := filesOf(t, dir)
	redirect := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL+r.URL.Path, status) }
	}
	residentPeak(t, follower.pid) // forgets what starting took
	for _, test := range []struct {
		name    string
		instead http.HandlerFunc
		says    string
	}{
		{"a line without an end", endless("x", ""), "answers without Almanac-Bytes"},
		{"a line that is too long", endless("x", "268435457"), "has 268435457 bytes to send at once, and no more than 268435456 are taken"},
		{"a line as long as can be", endless("x", "268435456"), "sends more than the 268435456 bytes that it says"},
		{"and once more", endless("x", "268435456"), "sends more than the 268435456 bytes that it says"},
		{"lines without an end", endless(strings.SplitAfter(before, "\n")[0], "100000"), "sends more than the 100000 bytes that it says"},
		{"a redirect", redirect(http.StatusFound), "302 Found"},
		{"a redirect for good", redirect(http.StatusPermanentRedirect), "308 Permanent Redirect"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!DOCTYPE html>")) }, "answers without Almanac-Bytes"},
		{"accounts without an end", func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/accounts") {
				endless("{", "16777216")(w, r)
			}
			w.Header().Set(rest.FollowAccounts, strings.Repeat("0", 64))
			w.Header().Set(rest.FollowSeq, "1000")
			w.Header().Set(rest.FollowBytes, "0")
		}, "the accounts: " + between.URL + " sends more than the 16777216 bytes"},
	} {
		said := strings.Count(follower.stderr.String(), test.says)
		between.answer(test.instead)
		follower.says(t, test.says, said)
		if a := follower.do(t, "GET", api+"/events?start_date=2031-05-01", ""); !strings.Contains(a.body, "Concert") {
			t.Errorf("%s: the copy is not read: %d %s", test.name, a.status, a.body)
		}
		if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
			t.Errorf("%s: the copy is another (-before, +after):\n%s", test.name, diff)
		}
		const megabyte = 1 << 20
		peak := residentPeak(t, follower.pid)
		t.Logf("%s: %d MB", test.name, peak/megabyte)
		if peak > 700*megabyte && !race.Enabled { // which takes several times as much itself
			t.Errorf("%s: the follower has taken %d MB", test.name, peak/megabyte)
		}
		between.answer(nil)
		first.admin().must(t, "POST", api+"/events", concert) // the first server has something to answer
		follower.complete(t)
		before = filesOf(t, dir)
	}
	first.admin().must(t, "POST", api+"/events", strings.Replace(concert, "Concert", "Later", 1))
	eventually(t, follower.caller, api+"/events?start_date=2031-05-01&per_page=50",
		func(a answer) bool { return strings.Contains(a.body, "Later") })
	if strings.Contains(follower.stderr.String(), first.token) {
		t.Error("the token is in the log")
	}

	// And in the place of the first archive.
	for name, test := range map[string]struct {
		instead http.HandlerFunc
		says    string
	}{
		"zeros without an end":   {endless("\x00", ""), "backup.json: it is missing"},
		"letters without an end": {endless("x", ""), "invalid tar header"},
		"a redirect":             {redirect(http.StatusTemporaryRedirect), "307 Temporary Redirect"},
	} {
		between.answer(test.instead)
		none := filepath.Join(t.TempDir(), "none")
		eventuallyEnds(t, startFollower(t, between.URL, first.token, none), test.says)
		if names, _ := filepath.Glob(filepath.Join(filepath.Dir(none), "*")); len(names) > 0 {
			t.Errorf("%s: there is %v", name, names)
		}
	}
}

// A first server whose certificate is not trusted is sent no token. A copy of it goes on
// when the right one is there again, and is read until then, also when it is started.
func TestFollowCertificate(t *testing.T) {
	t.Parallel()
	trusted, wrong := newPair(t, t.TempDir(), time.Hour), newPair(t, t.TempDir(), time.Hour)
	data, dir, address, token := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "copy"), freeAddress(t), ""
	serve := func(pair testPair) *testServer {
		s := startServer(t, append(on(data, "-addr", address), pair.flags()...)...)
		s.client = pair.client(t)
		token += s.token // which the first start prints
		s.token = token
		return s
	}
	first := serve(trusted)
	first.admin().must(t, "POST", api+"/events", concert)
	eventuallyEnds(t, startFollower(t, first.url, token, dir), "failed to verify certificate", "SSL_CERT_FILE")
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*")); len(names) > 0 {
		t.Errorf("there is %v", names)
	}
	follower := startFollowProcess(t, first.url, token, dir, "SSL_CERT_FILE="+trusted.cert)
	follower.complete(t)
	again := func(pair testPair) {
		t.Helper()
		if err := first.stop(); err != nil {
			t.Error(err)
		}
		first = serve(pair)
	}
	before := filesOf(t, dir)
	again(wrong)
	first.admin().must(t, "POST", api+"/events", strings.Replace(concert, "Concert", "Later", 1))
	for range 2 {
		follower.says(t, "failed to verify certificate", 0)
		if a := follower.do(t, "GET", api+"/events?start_date=2031-05-01", ""); !strings.Contains(a.body, "Concert") {
			t.Errorf("the copy is not read: %d %s", a.status, a.body)
		}
		if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
			t.Errorf("the copy is another (-before, +after):\n%s", diff)
		}
		follower.end()
		follower = startFollowProcess(t, first.url, token, dir, "SSL_CERT_FILE="+trusted.cert)
	}
	again(trusted)
	eventually(t, follower.caller, api+"/events?start_date=2031-05-01", func(a answer) bool { return strings.Contains(a.body, "Later") })
}
