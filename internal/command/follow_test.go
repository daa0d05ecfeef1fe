package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file runs a server and one that follows it.

// startFollower runs follow with flags until the test ends or stop is called.
func startFollower(t testing.TB, first, token, dir string, flags ...string) *testServer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &testServer{client: &http.Client{}, stderr: &lockedBuffer{}, token: token}
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"follow", first, "-addr", "127.0.0.1:0", "-data", dir}, flags...),
			Process{func(name string) string { return map[string]string{"ALMANAC_TOKEN": token}[name] }, in, s.stderr, nil})
		in.Close()
		ended <- err
	}()
	s.stop = sync.OnceValue(func() error {
		cancel()
		s.client.CloseIdleConnections()
		return <-ended
	})
	t.Cleanup(func() { _ = s.stop() }) // whose error is the affair of the test
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return s // the test looks at the error
	}
	var ready struct{ URL string }
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatalf("ready line %q: %v", line, err)
	}
	s.url = ready.URL
	return s
}

// eventually asks until an answer is as it should be.
func eventually(t *testing.T, c caller, path string, good func(answer) bool) answer {
	t.Helper()
	var last answer
	if !await(func() bool { last = c.do(t, "GET", path, ""); return good(last) }) {
		t.Fatalf("GET %s: %d %s", path, last.status, last.body)
	}
	return last
}

// logOf returns the log of a directory.
func logOf(t *testing.T, dir string) (text string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "log", "*"))
	for _, name := range names {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(part)
	}
	return text
}

const concert = `{"title":"Concert","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00","status":"publish"}`

// A follower shows what the first server has, knows its accounts, takes no changes, can
// be followed itself, and goes on as a server of its own; from then on it follows no more.
func TestFollowCommand(t *testing.T) {
	t.Parallel()
	dirs := []string{filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second"), filepath.Join(t.TempDir(), "third")}
	first := startServer(t, on(dirs[0])...)
	if a := first.admin().do(t, "POST", api+"/events", concert); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	second := startFollower(t, first.url, first.token, dirs[1])
	third := startFollower(t, second.url, first.token, dirs[2])
	if a := first.admin().do(t, "POST", api+"/events", strings.Replace(concert, "Concert", "Later", 1)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	list := api + "/events?start_date=2031-05-01"
	for _, s := range []*testServer{second, third} {
		eventually(t, s.admin(), list, func(a answer) bool { return strings.Contains(a.body, "Later") && strings.Contains(a.body, "Concert") })
		health := s.admin().do(t, "GET", "/_almanac/health/ready", "")
		if health.status != http.StatusOK || !strings.Contains(health.body, `"connected":true,"behind":0,"seconds":0`) {
			t.Errorf("health: %d %s", health.status, health.body)
		}
	}
	refused := second.admin().do(t, "POST", api+"/events", concert)
	if refused.status != http.StatusServiceUnavailable || !strings.Contains(refused.body, first.url) ||
		!strings.Contains(refused.body, `"rest_follower"`) || refused.header.Get("Retry-After") != "60" {
		t.Errorf("a change: %d %s, Retry-After %q", refused.status, refused.body, refused.header.Get("Retry-After"))
	}
	if a := second.admin().do(t, "GET", "/_almanac/health", ""); a.status != http.StatusServiceUnavailable {
		t.Errorf("health: %d %s", a.status, a.body)
	}

	// An account that is new there is known here, and the token is in no log.
	var token strings.Builder
	if err := run(t.Context(), []string{"users", "add", "-data", dirs[0], "-role", "editor", "eva"},
		Process{func(string) string { return "" }, &token, io.Discard, nil}); err != nil {
		t.Fatal(err)
	}
	first.admin().do(t, "POST", api+"/events", concert)
	eventually(t, caller{second.url, strings.TrimSpace(lastWord(token.String())), second.client}, list,
		func(a answer) bool { return a.status == http.StatusOK })
	for _, s := range []*testServer{first, second, third} {
		if strings.Contains(s.stderr.String(), first.token) {
			t.Error("the token is in a log")
		}
	}

	// Promoted.
	for _, s := range []*testServer{third, second} {
		if err := s.stop(); err != nil {
			t.Errorf("follow ended with %v\n%s", err, s.stderr)
		}
	}
	if !strings.HasPrefix(logOf(t, dirs[0]), logOf(t, dirs[1])) || logOf(t, dirs[1]) == "" {
		t.Error("the logs are not the same")
	}
	promoted := startServer(t, on(dirs[1])...)
	promoted.token = first.token
	if a := promoted.admin().do(t, "POST", api+"/events", concert); a.status != http.StatusCreated {
		t.Fatalf("a change after the promotion: %d %s", a.status, a.body)
	}
	if err := promoted.stop(); err != nil {
		t.Error(err)
	}
	before := logOf(t, dirs[1])
	again := startFollower(t, first.url, first.token, dirs[1])
	eventuallyEnds(t, again, "is not the beginning of the log of "+first.url, "Nothing was changed", "move the directory away")
	if diff := cmp.Diff(before, logOf(t, dirs[1])); diff != "" {
		t.Errorf("the log was changed (-before, +after):\n%s", diff)
	}
}

// lastWord returns the last word of a text.
func lastWord(text string) string {
	words := strings.Fields(text)
	return words[len(words)-1]
}

// eventuallyEnds waits for a follower that cannot go on.
func eventuallyEnds(t *testing.T, s *testServer, says ...string) {
	t.Helper()
	await(func() bool { return s.url == "" || strings.Contains(s.stderr.String(), "stopping") })
	err := s.stop()
	for _, part := range says {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("follow ended with %v, want %q in it", err, part)
		}
	}
	if status(err) == 0 {
		t.Error("the exit status is 0")
	}
}

// What is wrong from the beginning is said, and leaves nothing behind.
func TestFollowRefused(t *testing.T) {
	t.Parallel()
	first := startServer(t, append(on(filepath.Join(t.TempDir(), "first")), "-users", usersFile(t))...)
	memory := startServer(t, "-memory")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the token was sent elsewhere: %v", r.Header)
	}))
	defer elsewhere.Close()
	answering := func(status int, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for name, test := range map[string]struct {
		url, token string
		says       string
	}{
		"a token without the right": {first.url, "token of editor", "Your account has no right to do this"},
		"a token of nobody":         {first.url, "alm_0", "There is no account with this token"},
		"no token":                  {first.url, "", "ALMANAC_TOKEN"},
		"no address":                {"first.example.org", "t", "must be the address of a server"},
		"an address with a token":   {"https://t@first.example.org", "t", "must be the address of a server"},
		"a server in memory":        {memory.url, memory.token, "There is no such route"},
		"a redirect":                {answering(http.StatusFound, ""), "t", "302 Found: is there an almanac at this very address"},
		"a page":                    {answering(http.StatusOK, "<!DOCTYPE html>"), "t", "backup.json"},
		"nobody":                    {"http://" + freeAddress(t), "t", "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "copy")
			s := startFollower(t, test.url, test.token, dir)
			eventuallyEnds(t, s, test.says)
			if names, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*")); len(names) > 0 {
				t.Errorf("there is %v", names)
			}
		})
	}
}
