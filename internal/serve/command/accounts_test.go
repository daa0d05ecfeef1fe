package command

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// This file changes accounts in all ways there are, and compares what the log tells of it.

// accountLines returns what almanac log prints of accounts, without times and numbers.
func accountLines(t *testing.T, dir string) (lines []string) {
	t.Helper()
	exit, out, stderr := runCommand(t, "log", "-data", dir, "-kind", "accounts")
	if exit != 0 {
		t.Fatalf("log ended with %d: %s", exit, stderr)
	}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		lines = append(lines, strings.Join(fields[4:], " "))
	}
	return lines
}

// expectLines waits until the log tells of accounts what is wanted.
func expectLines(t *testing.T, dir string, want ...string) {
	t.Helper()
	var diff string
	if !await(func() bool { diff = cmp.Diff(want, accountLines(t, dir)); return diff == "" }) {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
}

// expectSound runs verify and a check of the store, which must find nothing wrong.
func expectSound(t *testing.T, dir string) {
	t.Helper()
	if exit, _, stderr := runCommand(t, "verify", "-data", dir); exit != 0 {
		t.Errorf("verify ended with %d: %s", exit, stderr)
	}
	s, err := store.Peek(store.Options{Dir: dir})
	if err == nil {
		err = s.Check()
		s.Close()
	}
	if err != nil {
		t.Error(err)
	}
}

// olderAccounts is the file of accounts of an older program.
const olderAccounts = `{"mark_key":"k","users":[
	{"id":1,"login":"admin","role":"administrator","token":"token of admin"},
	{"id":2,"login":"ann","role":"author","tokens":[{"name":"first","sha256":"%x"}]}]}`

const admin1 = `1 created "admin" role administrator,token "first" made,link made`

// A server changes accounts for commands at once, and its log tells of each change. No token and no
// hash of one is in what log prints.
func TestAccountsBesideServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, append(on(dir), "-desk")...)
	ann := mustUsers(t, "add", "-data", dir, "ann", "-role", "author", "-email", "ann@example.org")
	mustUsers(t, "disable", "-data", dir, "ann")
	mustUsers(t, "enable", "-data", dir, "ann")
	mustUsers(t, "token", "-data", dir, "ann", "-name", "laptop")
	link := mustUsers(t, "link", "-data", dir, "ann")
	mustUsers(t, "remove", "-data", dir, "ann")
	s.Admin().Must(t, "POST", v1+"/categories", `{"name":"Music"}`)
	signIn := "sign-in-login=admin&sign-in-token=" + s.Token
	caller{URL: s.URL, Client: s.Client}.Do(t, "POST", "/desk/sign-in", signIn)
	want := []string{
		"0 accounts " + admin1,
		`0 accounts 2 created "ann" email,role author,token "token-1" made`,
		`0 accounts 2 disabled "ann"`,
		`0 accounts 2 enabled "ann"`,
		`0 accounts 2 changed "ann" token "laptop" made`,
		`0 accounts 2 changed "ann" link made`,
		`0 accounts 2 removed "ann"`,
		`"admin" categories 1 created "Music"`,
		`"admin" accounts 1 changed "admin" signed in`,
	}
	if diff := cmp.Diff(want, logLines(t, dir)[1:]); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	expectSound(t, dir)
	accounts, err := store.ReadAccounts(dir)
	if err != nil || len(accounts) != 2 || len(accounts[0].Tokens)+len(accounts[0].SignIns) != 2 {
		t.Fatalf("error %v, accounts %+v", err, accounts)
	}
	_, link, _ = strings.Cut(link, "=")
	files := string(filesIn(t, dir))
	_, log, _ := runCommand(t, "log", "-data", dir, "-json")
	for _, secret := range []string{ann, s.Token, link} {
		if secret = strings.TrimPrefix(secret, "alm_"); strings.Contains(files, secret) {
			t.Errorf("%s is in a file", secret)
		}
	}
	for _, hash := range []string{accounts[0].Tokens[0].SHA256, accounts[0].SignIns[0].SHA256} {
		if strings.Contains(log, hash) || !strings.Contains(files, hash) {
			t.Errorf("%s is printed, or in no file", hash)
		}
	}
}

// An account and a token that are made and taken back at once beside a server leave their lines,
// the first one before all that the account did. The log names it also when it was removed.
func TestAccountsTakenBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	users := func(args ...string) string { t.Helper(); return mustUsers(t, append(args, "-data", dir)...) }
	eve := s.As(users("add", "eve", "-role", "administrator"))
	eve.Must(t, "POST", v1+"/tags", `{"name":"Late"}`)
	users("token", "eve", "-name", "laptop")
	users("revoke", "eve", "laptop")
	users("disable", "eve")
	users("enable", "eve")
	users("remove", "eve")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`0 accounts 2 created "eve" role administrator,token "token-1" made`, `"eve" tags 1 created "Late"`,
		`0 accounts 2 changed "eve" token "laptop" made`, `0 accounts 2 changed "eve" token "laptop" revoked`,
		`0 accounts 2 disabled "eve"`, `0 accounts 2 enabled "eve"`, `0 accounts 2 removed "eve"`,
	}
	if diff := cmp.Diff(want, logLines(t, dir)[2:]); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
}

// logLines returns what almanac log prints, without times and numbers of transactions.
func logLines(t *testing.T, dir string) (lines []string) {
	t.Helper()
	exit, out, stderr := runCommand(t, "log", "-data", dir)
	if exit != 0 {
		t.Fatalf("log ended with %d: %s", exit, stderr)
	}
	for line := range strings.Lines(out) {
		lines = append(lines, strings.Join(strings.Fields(line)[2:], " "))
	}
	return lines
}

// The log names an account that was removed also when the line that gave it its name was pruned.
func TestAccountsNamedWhenPruned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	eve := mustUsers(t, "add", "-data", dir, "eve", "-role", "administrator")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	prune := func() {
		t.Helper()
		st, err := store.Open(store.Options{Dir: dir, Keep: -1, Segment: 1, Now: time.Now})
		for range 3 {
			if err == nil {
				err = st.Update(0, func(tx *store.Tx) error {
					return tx.Put(&store.Venue{
						Name: "Hall",
					})
				})
			}
			if err == nil {
				err = st.Snapshot(t.Context())
			}
		}
		if err == nil {
			err = st.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	prune()
	s = startServer(t, on(dir)...)
	s.As(eve).Must(t, "POST", v1+"/tags", `{"name":"Late"}`)
	mustUsers(t, "remove", "-data", dir, "eve")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(logLines(t, dir), "\n")
	if strings.Contains(all, "created \"eve\"") ||
		!strings.Contains(all, `"eve" tags 1 written "Late"`) ||
		!strings.Contains(all, `0 accounts 2 removed "eve"`) {
		t.Errorf("the log tells:\n%s", all)
	}
	prune()
	told, err := store.ReadAccounts(dir)
	if err != nil || len(told) != 2 || told[1].Login != "eve" || !told[1].Removed {
		t.Errorf(
			"error %v, the snapshot tells of %d accounts, the last %+v",
			err,
			len(told),
			told[len(told)-1],
		)
	}
	expectSound(t, dir)
}

// Without a server the command opens the directory, and makes one before the first start.
func TestAccountsWithoutServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustUsers(t, "add", "-data", dir, "admin", "-role", "administrator", "-name", "first")
	s := startServer(t, on(dir, "-seed", "@small")...) // accounts are no calendar
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := runCommand(t, "verify", "-data", dir); strings.Contains(
		out,
		"records    0 events",
	) {
		t.Errorf("the seed was not planted: %s", out)
	}
	mustUsers(t, "add", "-data", dir, "ann", "-role", "author")
	mustUsers(t, "disable", "-data", dir, "ann")
	want := []string{
		`1 created "admin" role administrator,token "first" made`,
		`2 created "ann" role author,token "token-1" made`,
		`2 disabled "ann"`,
	}
	if diff := cmp.Diff(want, accountLines(t, dir)); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
	expectSound(t, dir)

	// Damage is told, and nothing is written.
	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	harmed := strings.Replace(readFile(t, segment), "role", "ROLE", 1)
	replace(t, segment, harmed)
	if _, _, err := runUsers(t, "enable", "-data", dir, "ann"); err == nil ||
		!strings.Contains(err.Error(), "log/00000000000000000001.jsonl") {
		t.Errorf("with a damaged log: %v", err)
	}
	if readFile(t, segment) != harmed {
		t.Error("the damaged log was written to")
	}
}

// The accounts of an older directory are taken into the store by the first start, or by the first
// command, and let the same people in.
func TestAccountsTaken(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(t *testing.T, dir string){
		"by a start": func(*testing.T, string) {},
		"by a command": func(t *testing.T, dir string) {
			mustUsers(t, "token", "-data", dir, "ann", "-name", "second")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			users := filepath.Join(dir, "users.json")
			s := startServer(t, on(dir, "-users", usersFile(t))...) // makes a log without accounts
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			replace(t, users, fmt.Sprintf(olderAccounts, sha256.Sum256([]byte("tokenofann"))))
			first(t, dir)
			s = startServer(t, on(dir)...)
			for _, token := range []string{"token of admin", "token of ann"} {
				s.As(token).Must(t, "POST", v1+"/categories", `{"name":"`+token+`"}`)
			}
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			lines := accountLines(t, dir)
			want := []string{
				`1 created "admin" role administrator,token "token-1" made by taken`,
				`2 created "ann" role author,token "first" made by taken`,
			}
			if diff := cmp.Diff(want, lines[:2]); diff != "" {
				t.Errorf("the log tells (-want, +got):\n%s", diff)
			}
			if _, err := os.Stat(users); !os.IsNotExist(err) {
				t.Errorf("the file stays: %v", err)
			}
			if _, err := os.Stat(users + ".taken"); err != nil {
				t.Errorf("the file is lost: %v", err)
			}
			expectSound(t, dir)
		})
	}
	dir := t.TempDir()
	replace(t, filepath.Join(dir, "users.json"), `{"users":`)
	exit, _, stderr := runCommand(t, append([]string{"serve"}, on(dir)...)...)
	if exit != 2 || !strings.Contains(stderr, "line 1: unexpected end of JSON input") {
		t.Errorf("a start with a damaged file: %d %s", exit, stderr)
	}
}

// Commands at the same time: each line is there, each number once, and a server that starts in
// between is let in.
func TestAccountsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	const n = 8
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if _, _, err := runUsers(t, "add", "-data", dir, fmt.Sprintf("user%d", i), "-role", "author", "-no-token"); err != nil {
				t.Error(err)
			}
		})
	}
	s = startServer(t, on(dir)...)
	all.Wait()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	numbers := map[string]int{}
	for _, line := range accountLines(t, dir) {
		number, rest, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(rest, "created ") {
			t.Errorf("the log tells %q", line)
		}
		numbers[number]++
	}
	for i := range n + 1 {
		if numbers[fmt.Sprint(i+1)] != 1 {
			t.Errorf("number %d was created %d times", i+1, numbers[fmt.Sprint(i+1)])
		}
	}
	expectSound(t, dir)
}

// Accounts, tokens, feeds and sign-ins that were answered for are there after a server was killed,
// and what was taken back stays so.
func TestAccountsAfterKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	replace(t, filepath.Join(dir, "users.json"), fmt.Sprintf(olderAccounts, sha256.Sum256([]byte("x"))))
	stays := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	type kept struct{ login, token, feed, cookie string }
	var all []kept
	ended := map[string]bool{}
	for life := range 3 {
		cmd := serveCommand(t, dir)
		ready := startProcess(t, cmd)
		c := caller{URL: ready.URL, Client: http.DefaultClient}
		work := func(k kept) []bool {
			return []bool{
				c.As(k.token).Do(t, "GET", v1+"/events", "").Status == 200,
				c.Do(t, "GET", k.feed, "").Status == 200,
				strings.Contains(c.Do(t, "GET", "/desk/", "", "Cookie", k.cookie).Body, "/desk/events/new"),
			}
		}
		for _, k := range all {
			want := []bool{!ended[k.login], !ended[k.login], !ended[k.login]}
			if diff := cmp.Diff(want, work(k)); diff != "" {
				t.Errorf("life %d, %s: token, feed, sign-in (-want +got):\n%s", life, k.login, diff)
			}
		}
		var busy sync.WaitGroup
		var mu sync.Mutex
		most := len(all) + 4
		for i := range 3 {
			busy.Go(func() {
				for n := 0; ; n++ { // until the server is gone
					login := fmt.Sprintf("user-%d-%d-%d", life, i, n)
					token, _, err := runUsers(t, "add", "-data", dir, "-role", "editor", login)
					feed, _, failed := runUsers(t, "feed", "-data", dir, login)
					if err != nil || failed != nil {
						return
					}
					token = strings.TrimSpace(token)
					form := url.Values{"sign-in-login": {login}, "sign-in-token": {token}}
					res, err := stays.PostForm(ready.URL+"/desk/sign-in", form)
					if err != nil {
						return
					}
					res.Body.Close()
					if n%2 == 1 {
						if _, _, err := runUsers(t, "revoke", "-all", "-data", dir, login); err != nil {
							return
						}
					}
					cookie, _, _ := strings.Cut(res.Header.Get("Set-Cookie"), ";")
					_, feed, _ = strings.Cut(strings.TrimSpace(feed), "calendar.example.org")
					mu.Lock()
					ended[login] = n%2 == 1
					if all = append(all, kept{login, token, feed, cookie}); len(all) == most {
						_ = cmd.Process.Kill()
					}
					mu.Unlock()
				}
			})
		}
		busy.Wait()
		_ = cmd.Wait()
	}
	expectSound(t, dir)
}
