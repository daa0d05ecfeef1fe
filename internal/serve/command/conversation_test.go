package command

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file plays the conversations in testdata/conversations: requests with
// the answers that they get, as text. With -update it writes the answers down;
// read the difference as you would read code.

var update = flag.Bool("update", false, "rewrite what the tests compare with")

// shownHeaders are the headers that a conversation writes down.
var shownHeaders = []string{"Allow", "Location", "X-TEC-Total", "X-TEC-TotalPages", "Content-Type"}

func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text := readFile(t, file)
			got := converse(t, text)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.SplitAfter(text, "\n"), strings.SplitAfter(got, "\n")); diff != "" {
				t.Errorf("%s (-written, +answered):\n%s", file, diff)
			}
		})
	}
}

// converse plays a conversation on a server of its own and returns it with the
// answers that came. Sections begin with "== NAME"; a request is a line with
// method and path, headers, and a body; "-->" begins its answer. The header As
// names the account.
func converse(t *testing.T, text string) string {
	t.Helper()
	server := startServer(
		t,
		"-memory",
		"-timezone",
		"America/New_York",
		"-clock",
		"2026-11-20 19:00:00",
		"-freeze",
		"-users",
		usersFile(t),
		"-also",
		"/wp-json/tribe/events/v1",
	)
	var out strings.Builder
	head, rest, _ := strings.Cut(text, "\n== ")
	out.WriteString(head)
	for section := range strings.SplitSeq(rest, "\n== ") {
		asked, _, _ := strings.Cut(section, "\n-->")
		fmt.Fprintf(
			&out,
			"\n== %s\n-->%s",
			strings.TrimRight(asked, "\n"),
			exchange(t, server, asked),
		)
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// exchange sends one request of a conversation and writes the answer down.
func exchange(t *testing.T, server *testServer, section string) string {
	t.Helper()
	_, asked, _ := strings.Cut(section, "\n")
	line, rest, _ := strings.Cut(asked, "\n")
	method, path, ok := strings.Cut(line, " ")
	if !ok {
		t.Fatalf("a section without a request: %q", section)
	}
	header := http.Header{}
	for rest != "" {
		first, others, _ := strings.Cut(rest, "\n")
		name, value, isHeader := strings.Cut(first, ": ")
		if !isHeader || strings.ContainsAny(name, " {[\"&=") {
			break
		}
		header.Add(name, value)
		rest = others
	}
	request, err := http.NewRequest(
		method,
		server.URL+path,
		strings.NewReader(strings.TrimRight(rest, "\n")),
	)
	if err != nil {
		t.Fatal(err)
	}
	if as := header.Get("As"); as != "" {
		request.SetBasicAuth(as, "token of "+as)
		header.Del("As")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	if strings.HasPrefix(rest, "{") && header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := server.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return written(server, response, body)
}

// etagValue is removed from the transcript: it depends on the address of the server.
var etagValue = regexp.MustCompile(`"[0-9a-f]{32}"`)

func written(server *testServer, response *http.Response, body []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, " %d\n", response.StatusCode)
	for _, name := range shownHeaders {
		for _, value := range response.Header.Values(name) {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, body, "", "  ") == nil {
		body = bytes.TrimSpace(pretty.Bytes())
	}
	if len(body) > 0 {
		fmt.Fprintf(&b, "\n%s\n", body)
	}
	text := strings.ReplaceAll(b.String(), server.URL, "{url}")
	text = strings.ReplaceAll(text, strings.TrimPrefix(server.URL, "http://"), "{host}")
	return etagValue.ReplaceAllString(text, `"{etag}"`)
}

// usersFile writes an account of each role, with the token "token of LOGIN".
func usersFile(t *testing.T) string {
	t.Helper()
	type user struct {
		ID    int    `json:"id"`
		Login string `json:"login"`
		Role  string `json:"role"`
		Token string `json:"token"`
	}
	var file struct {
		Users []user `json:"users"`
	}
	for i, login := range []string{"admin", "editor", "author", "contributor", "subscriber"} {
		role := login
		if login == "admin" {
			role = "administrator"
		}
		file.Users = append(file.Users, user{i + 1, login, role, "token of " + login})
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return tempFile(t, "users.json", string(text))
}
