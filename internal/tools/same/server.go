// Two servers that are asked the same.

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

const (
	origin = "http://calendar.example.org" // of all addresses in answers
	api    = "/cal/events/v1"
)

// roles are the callers, each of whom has its role for a login and a token; "" is a stranger.
var roles = []string{"", "administrator", "editor", "author", "contributor", "subscriber"}

// users returns the text of a file of accounts.
func users() string {
	var all []string
	for i, role := range roles[1:] {
		all = append(
			all,
			fmt.Sprintf(`{"id":%d,"login":%q,"role":%[2]q,"token":%[2]q}`, i+1, role),
		)
	}
	return `{"users":[` + strings.Join(all, ",") + `]}`
}

// A pair is two servers, the one of the base first.
type pair struct {
	urls   [2]string
	client *http.Client
}

// withServers starts both programs, and ends them when do returns.
func withServers(programs [2]string, seed string, do func(*pair) error) error {
	dir, err := os.MkdirTemp("", "same")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	accounts := filepath.Join(dir, "users.json")
	if err := os.WriteFile(accounts, []byte(users()), 0o600); err != nil {
		return err
	}
	p := &pair{client: &http.Client{
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for i, program := range programs {
		cmd := exec.Command(
			program,
			"serve",
			"-memory",
			"-seed",
			seed,
			"-users",
			accounts,
			"-addr",
			"127.0.0.1:0",
			"-url",
			origin,
			"-clock",
			"2031-05-10 12:00:00",
			"-freeze",
			"-timezone",
			"Europe/Berlin",
			"-also",
			"/wp-json/tribe/events/v1",
			"-frame-ancestors",
			"https://www.example.org",
			"-no-limits",
			"-exit-with-parent",
		)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		defer func() {
			in.Close()
			_ = cmd.Wait() // its status does not matter any more
		}()
		var ready struct{ URL string }
		if err := json.NewDecoder(out).Decode(&ready); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		p.urls[i] = ready.URL
	}
	return do(p)
}

// An asked is one request of both servers.
type asked struct {
	method, path, caller string
	header               [2]string // a further field of the header
	body                 string
}

func (a asked) String() string {
	field := strings.Trim(strings.Join(a.header[:], ": "), ": ")
	return strings.TrimSpace(
		strings.Join([]string{a.method, a.path, a.caller, field, a.body}, " "),
	)
}

// An answer has the compared parts of a response.
type answer struct {
	status int
	header http.Header
	body   []byte
	tag    string
}

// ask asks both servers.
func (p *pair) ask(a asked) (answers [2]answer, err error) {
	var both sync.WaitGroup
	var failed [2]error
	for i := range answers {
		both.Go(func() { answers[i], failed[i] = p.askOne(i, a) })
	}
	both.Wait()
	for _, err := range failed {
		if err != nil {
			return answers, fmt.Errorf("%v: %w", a, err)
		}
	}
	return answers, nil
}

// token matches a token of changes, which stands for the state of one process.
var token = regexp.MustCompile(`"token": ?"[0-9a-f]{56}"`)

func (p *pair) askOne(i int, a asked) (got answer, err error) {
	r, err := http.NewRequest(a.method, p.urls[i]+a.path, strings.NewReader(a.body))
	if err != nil {
		return got, err
	}
	r.Host = strings.TrimPrefix(origin, "http://")
	if a.caller != "" {
		r.Header.Set("Authorization", "Bearer "+a.caller)
	}
	if a.body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if strings.HasPrefix(a.body, "{") {
			r.Header.Set("Content-Type", "application/json")
		}
	}
	if a.header[0] != "" {
		r.Header.Set(a.header[0], a.header[1])
	}
	resp, err := p.client.Do(r)
	if err != nil {
		return got, err
	}
	defer resp.Body.Close()
	got = answer{
		status: resp.StatusCode,
		header: maps.Clone(resp.Header),
		tag:    resp.Header.Get("ETag"),
	}
	if got.body, err = io.ReadAll(resp.Body); err != nil {
		return got, err
	}
	defer func() { got.body = token.ReplaceAll(got.body, []byte(`"token":"…"`)) }()
	got.header.Del("Date")
	if got.tag != "" {
		got.header.Set("ETag", "…")
	}
	if resp.Header.Get("Content-Encoding") == "gzip" && a.method != http.MethodHead {
		got.header.Del("Content-Length") // compressed in another way, it may have another length
		z, err := gzip.NewReader(bytes.NewReader(got.body))
		if err != nil {
			return got, err
		}
		got.body, err = io.ReadAll(z)
		return got, err
	}
	return got, nil
}
