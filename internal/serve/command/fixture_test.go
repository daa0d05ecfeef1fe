package command

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// This file is the program as a fixture for tests in any language: how it ends,
// what it takes, and that it does the same every time.

// With -exit-with-parent the server ends when its standard input is closed, by its parent or by
// the system after the parent died.
func TestExitWithParent(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(
		program(t),
		"serve",
		"-memory",
		"-addr",
		"127.0.0.1:0",
		"-exit-with-parent",
	)
	cmd.Env = cleanEnvironment()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready := startProcess(t, cmd)
	if _, err := io.WriteString(stdin, "What comes before the end does not matter.\n"); err != nil {
		t.Fatal(err)
	}
	caller{URL: ready.URL, Client: http.DefaultClient}.Must(t, "GET", v1+"/events", "")
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v, want exit status 0", err)
	}
}

// A parent that is killed cannot close anything; the system does.
func TestExitWithKilledParent(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to be the parent")
	}
	// The shell holds the only end of the pipe that can be written to.
	parent := exec.Command(
		"sh",
		"-c",
		`mkfifo "$2" && { "$1" serve -memory -addr 127.0.0.1:0 -exit-with-parent <"$2" & } && exec 3>"$2" && wait`,
		"sh",
		program(t),
		filepath.Join(t.TempDir(), "pipe"),
	)
	parent.Env = cleanEnvironment()
	ready := startProcess(t, parent)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // returns when the server, too, has closed its output
	if _, err := http.Get(ready.URL); err == nil {
		t.Error("the server still answers")
	}
}

// A program without standard input has reached the end of it.
func TestExitWithoutParent(t *testing.T) {
	t.Parallel()
	var stdout, stderr lockedBuffer
	err := run(
		t.Context(),
		[]string{"serve", "-memory", "-addr", "127.0.0.1:0", "-exit-with-parent"},
		cli.Process{
			Getenv: none,
			Stdout: &stdout,
			Stderr: &stderr,
		},
	)
	if err != nil || !strings.Contains(stdout.String(), `"url"`) {
		t.Errorf("ended with %v after %q", err, &stdout)
	}
}

// A server with nothing in it takes little memory, so that a test can have one of
// its own.
func TestSmallProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says in a file what a process takes")
	}
	cmd := exec.Command(program(t), "serve", "-memory", "-addr", "127.0.0.1:0")
	cmd.Env = cleanEnvironment()
	ready := startProcess(t, cmd)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", ready.PID))
	if err != nil {
		t.Fatal(err)
	}
	// Pages of the program's file come and go with the rest of the machine.
	found := regexp.MustCompile(`RssAnon:\s+(\d+) kB`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("nothing of memory in %s", text)
	}
	const most = 6656 // KiB; it takes 4,400 to 5,500
	if took, _ := strconv.Atoi(string(found[1])); took > most {
		t.Errorf("the server takes %d KiB when it is ready, want at most %d", took, most)
	}
}

// The same requests get the same bytes, one run of the program after the other.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	users := usersFile(t)
	var first []string
	for run := range 2 {
		cmd := exec.Command(
			program(t),
			append(
				[]string{"serve", "-memory", "-addr", "127.0.0.1:0", "-worlds", "-users", users},
				still...)...)
		cmd.Env = cleanEnvironment()
		got := tell(t, startProcess(t, cmd).URL)
		if run == 0 {
			first = got
		} else if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("two runs answer differently (-first, +second):\n%s", diff)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"201 Created", "304 Not Modified", "404 Not Found", "503 Service Unavailable", ": nothing",
		"Content-Encoding: gzip", `"title":"Changed"`, `"total":5`} {
		if !strings.Contains(strings.Join(first, ""), want) {
			t.Errorf("no answer has %s", want)
		}
	}
	for _, answer := range first {
		if !strings.Contains(answer, "\r\nDate: Sat, 10 May 2031 12:00:00 GMT\r\n") &&
			!strings.HasSuffix(answer, ": nothing") &&
			!strings.Contains(answer, "\r\nDate: Tue, 01 Jul 2031 00:00:00 GMT\r\n") {
			t.Fatalf("an answer has another date than that of the clock:\n%s", answer)
		}
	}
}

// tell sends requests of all kinds and returns every answer as it came.
func tell(t *testing.T, url string) []string {
	t.Helper()
	var told []string
	wire := &http.Transport{DisableCompression: true}
	defer wire.CloseIdleConnections()
	send := func(method, path, body string, headers ...string) {
		t.Helper()
		hr, err := http.NewRequest(method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		hr.Host = "calendar.example.org" // the port is another one each time
		hr.Header.Set("Authorization", "Bearer token of admin")
		if body != "" {
			hr.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i < len(headers); i += 2 {
			hr.Header.Set(headers[i], headers[i+1])
		}
		resp, err := wire.RoundTrip(hr)
		if err != nil {
			told = append(told, method+" "+path+": nothing")
			return
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s: %s\r\n", method, path, resp.Status)
		if err := resp.Header.Write(&b); err != nil {
			t.Fatal(err)
		}
		told = append(told, b.String()+"\r\n"+string(text))
	}
	for _, world := range []string{"", "one", "two"} {
		in := func(method, path, body string, headers ...string) {
			t.Helper()
			if world != "" {
				headers = append(headers, "Almanac-World", world)
			}
			send(method, path, body, headers...)
		}
		in("POST", v1+"/venues", `{"venue":"Town Hall","city":"Springfield"}`)
		in("POST", v1+"/categories", `{"name":"Music"}`)
		for n := range 5 {
			in("POST", v1+"/events",
				fmt.Sprintf(`{"title":"Concert %d","start_date":"+%d days","end_date":"+%d `+
					`days","venue":1,"categories":[1],"tags":["free","number %d"]}`, n, n, n, n))
		}
		in(
			"POST",
			v1+"/events",
			`{"title":"Later","start_date":"+9 days","end_date":"+9 days","date":"2031-06-01 00:00:00"}`,
		)
		in("PATCH", v1+"/events/3", `{"title":"Changed"}`)
		in("DELETE", v1+"/events/4", "")
		in(
			"POST",
			"/_almanac/faults",
			`{"probability":0.5,"seed":3,"count":4,"status":503,"retry_after":3}`,
		)
		in("POST", "/_almanac/faults", `{"method":"PUT","count":1,"reset":true}`)
		in("PUT", v1+"/events/3", `{"title":"Lost"}`) // net/http sends what is no write again
		in("PUT", v1+"/events/3", `{"title":"Lost"}`)
		for range 2 { // the second time from the cache
			for _, path := range []string{"/", "/docs", v1, v1 + "/doc", "/fr" + v1 + "/doc", v1 + "/events?per_page=2",
				v1 + "/events/3", v1 + "/events/by-slug/concert-1",
				v1 + "/venues", v1 + "/tags?hide_empty=0", v1 + "/categories/1", v1 + "/events?per_page=nothing", "/nowhere"} {
				in("GET", path, "")
				in("GET", path, "", "Accept-Encoding", "gzip")
				in("HEAD", path, "")
				in("GET", path, "", "If-None-Match", etag(told))
			}
			in("OPTIONS", v1+"/events/3", "")
			in("GET", v1+"/events", "", "Almanac-Clock", "2031-07-01T00:00:00Z")
		}
		for _, path := range []string{"clock", "faults", "requests", "snapshots", "worlds"} {
			in("GET", "/_almanac/"+path, "")
		}
		in("POST", "/_almanac/reset", "")
		in("GET", v1+"/events", "")
	}
	return told
}

// etag returns the entity tag of the last answer, or a tag that never matches.
func etag(told []string) string {
	found := regexp.MustCompile(`(?m)^Etag: (.*)\r$`).FindStringSubmatch(told[len(told)-1])
	if found == nil {
		return `"none"`
	}
	return found[1]
}

// With -unexpected=fail the end of a world is refused, and the server ends with an error, for
// requests that no route took: each world says so once.
func TestUnexpected(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"fail", "ignore"} {
		s := startServer(t, "-memory", "-worlds", "-unexpected", how)
		for _, world := range []string{"one", "two"} {
			s.Admin().Do(t, "GET", v1+"/event/1", "", "Almanac-World", world)
			s.Admin().Do(t, "GET", v1+"/events/1", "", "Almanac-World", world)
		}
		a := s.Admin().Do(t, "DELETE", "/_almanac/worlds/one", "")
		want := 200
		said := `{"name":"one"}`
		if how == "fail" {
			want = 409
			said = `World \"one\" was asked for what no route takes: GET /cal/events/v1/event/1.`
		}
		if a.Status != want || !strings.Contains(a.Body, said) {
			t.Errorf(
				"%s: the end of a world was answered %d %s, want %d %s",
				how,
				a.Status,
				a.Body,
				want,
				said,
			)
		}
		if a := s.Admin().Do(t, "GET", "/_almanac/worlds", ""); !strings.Contains(
			a.Body,
			`"two"`,
		) ||
			strings.Contains(a.Body, `"one"`) {
			t.Errorf("%s: the worlds are %s", how, a.Body)
		}
		s.May = true
		err := s.Stop()
		if got := err != nil && strings.Contains(err.Error(), `World "two"`) && !strings.Contains(err.Error(), `"one"`); got != (how == "fail") ||
			err != nil && (cli.Status(err) != 1 || how == "ignore") {
			t.Errorf("%s: the server ended with %v", how, err)
		}
	}
}
