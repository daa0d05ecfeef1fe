package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/cli"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// This file makes accounts by command, beside a server and without one.

// runUsers runs almanac users and returns what it printed.
func runUsers(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, diagnostics lockedBuffer
	err = run(t.Context(), append([]string{"users"}, args...), cli.Process{
		Getenv: none,
		Stdout: &out,
		Stderr: &diagnostics,
	})
	return out.String(), diagnostics.String(), err
}

// mustUsers runs almanac users, which must succeed, and returns its standard
// output without the newline.
func mustUsers(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := runUsers(t, args...)
	if err != nil {
		t.Fatalf("users %q: %v\n%s", args, err, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

// A change of accounts beside a server applies to the next request.
func TestUsersBesideServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	admin := s.Admin()
	admin.Must(t, "POST", v1+"/categories", `{"name":"Music"}`)
	expect := func(what, token string, want int) {
		t.Helper()
		c := s.As(token)
		if a := c.Do(t, "PUT", v1+"/categories/1", `{"description":"`+what+`"}`); a.Status != want {
			t.Errorf("%s: answered %d %s, want %d", what, a.Status, a.Body, want)
		}
	}
	ann := mustUsers(t, "add", "-data", dir, "ann", "-role", "author", "-email", "ann@example.org")
	expect("a new author", ann, 200)
	second := mustUsers(t, "token", "Ann", "-data", dir, "-name", "laptop", "-expires", "90d")
	expect("a second token", second, 200)
	mustUsers(t, "disable", "-data", dir, "ann")
	expect("disabled", ann, 401)
	mustUsers(t, "enable", "-data", dir, "ann@example.org")
	expect("enabled", ann, 200)
	if got := mustUsers(t, "revoke", "-data", dir, "ann", "token-1"); got != `1 token of "ann" revoked` {
		t.Errorf("revoke said %q", got)
	}
	expect("revoked", ann, 401)
	expect("the other token", second, 200)
	mustUsers(t, "add", "-data", dir, "sam", "-role", "subscriber", "-no-token")
	mustUsers(t, "remove", "-data", dir, "ann")
	expect("removed", second, 401)
	expect("the administrator", admin.Token, 200)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	var got struct {
		Users []struct {
			ID     int
			Login  string
			Tokens []struct{ Used string }
		}
	}
	if err := json.Unmarshal([]byte(mustUsers(t, "list", "-data", dir, "-json")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Users) != 2 || got.Users[0].Login != "admin" || got.Users[1].Login != "sam" ||
		got.Users[1].ID != 3 ||
		len(got.Users[1].Tokens) != 0 {
		t.Fatalf("listed %+v", got)
	}
	used, err := time.Parse(time.RFC3339, got.Users[0].Tokens[0].Used)
	if ago := time.Since(used); err != nil || ago < 0 || ago > 2*time.Hour || used.Minute() != 0 {
		t.Errorf("the administrator's token was used at %v (%v)", used, err)
	}
}

// Addresses that a command prints are those of the server: of its -url, or of its listener. -url of
// the command is stronger, and without a server there is a usual one.
func TestUsersAddresses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect := func(want string, args ...string) {
		t.Helper()
		for _, name := range []string{"link", "feed"} {
			got := mustUsers(t, append([]string{name, "-data", dir, "admin"}, args...)...)
			if !strings.HasPrefix(got, want+"/") {
				t.Errorf("users %s %q: %s is not at %s", name, args, got, want)
			}
		}
	}
	s := startServer(t, on(dir)...)
	expect(s.URL)
	expect("https://other.example", "-url", "https://other.example")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	expect("http://127.0.0.1:8080")
	startServer(t, on(dir, "-url", "https://calendar.example.org/dates")...)
	expect("https://calendar.example.org/dates")
}

// Beside a server with a file of accounts, list has those of the file, and when their tokens were
// used.
func TestUsersListOfFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "accounts.json")
	replace(t, file, `{"users":[{"id":4,"login":"ann","role":"editor","token":"plain"}]}`)
	s := startServer(t, on(dir, "-users", file)...)
	if a := s.As("plain").Do(t, "GET", v1+"/events", ""); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	want := `
ID  LOGIN  ROLE    E-MAIL  STATE   TOKEN         CREATED  EXPIRES  USED
4   ann    editor  -       active  (plain text)  -        never    `
	if got := "\n" + mustUsers(t, "list", "-data", dir); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant%s", got, want)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	_, _, err := runUsers(t, "list", "-data", dir)
	if cli.Status(err) != 2 || !strings.Contains(err.Error(), "-users are listed while the server runs") {
		t.Errorf("without the server: %v", err)
	}
}

// The tables that people read, of a file with all there may be.
func TestUsersList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	replace(t, filepath.Join(dir, "users.json"), `{"users":[
		{"id":1,"login":"admin","role":"administrator","tokens":[
			{"name":"first","sha256":"`+strings.Repeat("01", 32)+`","created":"2031-05-10T12:00:00Z"},
			{"name":"old\u001b[2J","sha256":"`+strings.Repeat("02", 32)+`","created":"long ago","expires":"2021-05-10T14:00:00+02:00"}]},
		{"id":7,"login":"Zoe","role":"author","email":"zoe@example.org","token":"plain","disabled":true},
		{"id":8,"login":"mute","role":"subscriber"}]}`)
	replace(
		t,
		filepath.Join(dir, usesName),
		`{"tokens":{"`+strings.Repeat("01", 8)+`":"2031-05-11T09:00:00Z"}}`,
	)
	want := `
ID  LOGIN  ROLE           E-MAIL           STATE     TOKEN         CREATED     EXPIRES                     USED
1   admin  administrator  -                active    first         2031-05-10  never                       2031-05-11 09h
1   admin  administrator  -                active    old\u001b[2J  long ago    2021-05-10 12:00 (expired)  -
7   Zoe    author         zoe@example.org  disabled  (plain text)  -           never                       -
8   mute   subscriber     -                active    -             -           -                           -`
	if diff := cmp.Diff(want, "\n"+mustUsers(t, "list", "-data", dir)); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	wantJSON := `{"users":[
		{"id":1,"login":"admin","role":"administrator","email":"","disabled":false,"tokens":[
			{"name":"first","created":"2031-05-10T12:00:00Z","expired":false,"used":"2031-05-11T09:00:00Z"},
			{"name":"old\u001b[2J","created":"long ago","expires":"2021-05-10T14:00:00+02:00","expired":true}]},
		{"id":7,"login":"Zoe","role":"author","email":"zoe@example.org","disabled":true,"tokens":[{"name":"","plain":true,"expired":false}]},
		{"id":8,"login":"mute","role":"subscriber","email":"","disabled":false,"tokens":[]}]}`
	var got, wanted any
	if err := json.Unmarshal([]byte(mustUsers(t, "list", "-data", dir, "-json")), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(wantJSON), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-json (-want, +got):\n%s", diff)
	}
	replace(t, filepath.Join(dir, usesName), `{`)
	if _, stderr, err := runUsers(t, "list", "-data", dir); err != nil ||
		!strings.Contains(stderr, "when tokens were used is not known") {
		t.Errorf("with a bad file of uses: %v, %q", err, stderr)
	}
}

// Accounts can be made before the first start, which then makes none.
func TestUsersBeforeServer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "data")
	if _, _, err := runUsers(t, "add", "-data", dir, "ann", "-role", "author"); cli.Status(
		err,
	) != 1 ||
		!strings.Contains(err.Error(), "the first one must be an administrator") {
		t.Errorf("an author as the first user: %v", err)
	}
	stdout, stderr, err := runUsers(
		t,
		"add",
		"-data",
		dir,
		"-role",
		"administrator",
		"-name",
		"phone",
		"--",
		"root",
	)
	token := strings.TrimSuffix(stdout, "\n")
	if err != nil || !regexp.MustCompile(`^alm_[0-9a-f]{64}$`).MatchString(token) ||
		strings.Contains(stderr, token) ||
		!strings.Contains(stderr, `"phone"`) {
		t.Fatalf("printed %q and %q (%v)", stdout, stderr, err)
	}
	s := startServer(t, on(dir)...)
	if s.Token != "" {
		t.Error("the server made an administrator of its own")
	}
	s.As(token).Must(t, "POST", v1+"/tags", `{"name":"free"}`)
	if strings.Contains(string(filesIn(t, dir)), strings.TrimPrefix(token, "alm_")) {
		t.Error("the token is in a file")
	}
}

// A new account never gets the id of an earlier account, and so cannot read its drafts: neither of
// one that was removed, nor of an author whose account is lost.
func TestUsersOfOldRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	ann := mustUsers(t, "add", "-data", dir, "ann", "-role", "contributor")
	const draft = `{"title":"Secret","start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 11:00:00"}`
	s.As(ann).Must(t, "POST", v1+"/events", draft)
	mustUsers(t, "remove", "-data", dir, "ann")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{Dir: dir})
	if err == nil {
		err = st.Update(0, func(tx *store.Tx) error {
			return tx.Put(&store.Venue{Post: store.Post{Author: 7}, Name: "Hall"})
		})
	}
	if err == nil {
		err = st.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"2", "7"} {
		_, _, err := runUsers(t, "add", "-data", dir, "eve", "-role", "author", "-id", id)
		if cli.Status(err) != 1 || !strings.Contains(err.Error(), "ids up to 7 have been used") {
			t.Errorf("the id %s of before: %v", id, err)
		}
	}
	mustUsers(t, "add", "-data", dir, "eve", "-role", "contributor", "-no-token")
	if out := mustUsers(t, "list", "-data", dir); !strings.Contains(out, "\n8   eve") {
		t.Errorf("listed:\n%s", out)
	}
}

func TestUsersRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "admin")
	before := logLines(t, dir)
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "say what to do: add, list, disable, enable, remove, role, link, feed, token, revoke"},
		{"drop", 2, `there is no command users "drop"; there are add, list`},
		{"help drop", 2, `there is no command users "drop"`},
		{"add", 2, "users add takes LOGIN (see almanac help users add)"},
		{"add a b -role editor", 2, `users add takes LOGIN, not ["a" "b"]`},
		{"add bob", 2, "-role: say which role"},
		{"add bob -role chief", 2, `there is no role "chief"; there are administrator, editor, author, contributor and subscriber`},
		{"add bob -role chief -email x", 2, "and subscriber$"},
		{"add bob -rolle editor", 2, "did you mean -role?"},
		{"add bob -role editor -id -1", 2, "-id -1: must be 1 or more"},
		{"add bob -role editor -id 1", 1, `id 1: ids up to 1 have been used`},
		{"add bob -role editor -email here", 1, `"here" is no e-mail address`},
		{"add bob -role editor -expires soon", 2, `-expires "soon": must be a number of days or hours, as 90d`},
		{"add bob -role editor -expires 2020-01-31", 1, "would have expired at 2020-02-01T00:00:00Z"},
		{"token admin -expires 0", 2, `-expires "0"`},
		{"add admin -role editor", 1, `there is a user "admin" already`},
		{"role admin", 2, "users role takes LOGIN ROLE"},
		{"role admin chief", 2, `there is no role "chief"; there are administrator, editor`},
		{"role admin editor", 1, "the last administrator who is not disabled; make another one first, or say -force"},
		{"role bob editor", 1, `there is no such user: "bob"; there are admin`},
		{"token bob", 1, `there is no such user: "bob"; there are admin`},
		{"disable admin", 1, "the last administrator who is not disabled; make another one first, or say -force"},
		{"remove admin", 1, "or say -force"},
		{"revoke admin", 2, "give a login and the name of a token, or -all"},
		{"revoke -data " + dir, 2, "give a login and the name of a token, or -all"},
		{"revoke admin token-1 -all", 2, "give a login and the name of a token, or -all"},
		{"revoke admin other", 1, `there is no such token: "other" of user "admin"; there are token-1`},
		{"list here", 2, `users list takes no argument, not ["here"]`},
		{"list -data " + dir + "/none", 2, "there are no accounts in"},
		{"token admin -data " + dir + "/none", 2, "there is no log in"},
		{"list -users users.json", 2, "-users"},
	} {
		args := strings.Fields(test.args)
		if len(args) > 1 && !strings.Contains(test.args, dir) && args[0] != "help" {
			args = append(args, "-data", dir)
		}
		stdout, _, err := runUsers(t, args...)
		if cli.Status(err) != test.status || !strings.Contains(err.Error()+"$", test.want) ||
			strings.Contains(err.Error(), "\n") ||
			stdout != "" {
			t.Errorf(
				"users %s: printed %q, exit status %d: %v; want %d with %q",
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
	mustUsers(t, "disable", "admin", "-data", dir, "-force")
	mustUsers(t, "remove", "admin", "-data", dir)
}

// An account gets another role, at once and with the tokens that it has, and the log tells it.
func TestUsersRole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	ann := s.As(strings.TrimSpace(mustUsers(t, "add", "-data", dir, "ann", "-role", "subscriber")))
	tag := func(name string) int { return ann.Do(t, "POST", v1+"/tags", `{"name":"`+name+`"}`).Status }
	if got := tag("free"); got != 403 {
		t.Errorf("a subscriber makes a tag: %d", got)
	}
	const said = `"ann" is editor from now on, with the tokens that it has`
	if got := mustUsers(t, "role", "ann", "Editor", "-data", dir); got != said {
		t.Errorf("printed %q, want %q", got, said)
	}
	if got := tag("free"); got != 201 {
		t.Errorf("an editor makes a tag: %d", got)
	}
	mustUsers(t, "role", "ann", "administrator", "-data", dir)
	mustUsers(t, "role", "admin", "subscriber", "-data", dir)
	if _, _, err := runUsers(t, "role", "ann", "editor", "-data", dir); cli.Status(err) != 1 {
		t.Errorf("the last administrator gets another role: %v", err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	var told []string
	for change, err := range store.History(dir, nil) {
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range change.Change.Accounts {
			told = append(told, a.Login+" "+string(a.Role))
		}
	}
	want := []string{
		"admin administrator",
		"ann subscriber",
		"ann editor",
		"ann administrator",
		"admin subscriber",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
}

// Expiry is written as people say it.
func TestUsersExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 10, 12, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"":                          "0001-01-01T00:00:00Z",
		"never":                     "0001-01-01T00:00:00Z",
		"90d":                       "2031-08-08T12:30:00Z",
		"12h":                       "2031-05-11T00:30:00Z",
		"2031-12-31":                "2032-01-01T00:00:00Z",
		"2031-12-31T12:00:00+01:00": "2031-12-31T11:00:00Z",
	} {
		got, err := (&usersSettings{expires: text}).expiry(now)
		if err != nil || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("-expires %q: %v, %v; want %s", text, got, err, want)
		}
	}
}

// Every command documents its flags; dangerous flags are no environment variables.
func TestUsersHelp(t *testing.T) {
	t.Parallel()
	overview := mustUsers(t, "help")
	for _, c := range usersCommands {
		if !strings.Contains(overview, "almanac users "+c.Name) {
			t.Errorf("the overview leaves %s out", c.Name)
		}
		help := mustUsers(t, c.Name, "-h")
		var viaHelp lockedBuffer
		if err := run(t.Context(), []string{"help", "users", c.Name}, cli.Process{
			Getenv: none,
			Stdout: &viaHelp,
			Stderr: &viaHelp,
		}); err != nil ||
			strings.TrimSuffix(viaHelp.String(), "\n") != help {
			t.Errorf("help users %s: %v\n%s", c.Name, err, &viaHelp)
		}
		if !strings.Contains(help, "environment: ALMANAC_DATA") {
			t.Errorf("users %s -h: no ALMANAC_DATA:\n%s", c.Name, help)
		}
		if strings.Count(help, "environment:") != 1 {
			t.Errorf("users %s -h has more variables:\n%s", c.Name, help)
		}
	}
	forced := func(name string) string {
		if name == "ALMANAC_FORCE" {
			return "true"
		}
		return ""
	}
	dir := t.TempDir()
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "admin")
	var out lockedBuffer
	if err := run(t.Context(), []string{"users", "remove", "admin", "-data", dir}, cli.Process{
		Getenv: forced,
		Stdout: &out,
		Stderr: &out,
	}); err == nil {
		t.Error("the environment forces")
	}
}

// On a bad day a command ends every way into one account, or into all, beside a server: tokens,
// secret feeds, sign-ins and links that nobody has used. It says what it ended, and the server
// obeys at once.
func TestRevokeAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, append(on(dir), "-desk")...)
	type ways struct{ token, feed, cookie, link string }
	open := func(login string, token string) ways {
		t.Helper()
		c := caller{URL: s.URL, Client: s.Client}
		entered := c.Do(t, "POST", "/desk/sign-in", "sign-in-login="+login+"&sign-in-token="+token)
		cookie, _, _ := strings.Cut(entered.Header.Get("Set-Cookie"), ";")
		feed := mustUsers(t, "feed", "-data", dir, "-url", s.URL, login)
		link := mustUsers(t, "link", "-data", dir, "-url", s.URL, login)
		return ways{
			token,
			strings.TrimPrefix(feed, s.URL),
			cookie,
			strings.TrimPrefix(link, s.URL+"/desk/link?token="),
		}
	}
	work := func(w ways) []bool {
		t.Helper()
		c := caller{URL: s.URL, Client: s.Client}
		bearer := s.As(w.token)
		return []bool{
			bearer.Do(t, "GET", v1+"/events", "").Status == 200,
			c.Do(t, "GET", w.feed, "").Status == 200,
			strings.Contains(
				c.Do(t, "GET", "/desk/account", "", "Cookie", w.cookie).Body,
				"/desk/sign-out",
			),
			c.Do(t, "GET", "/desk/link?token="+w.link, "").Status == 200,
		}
	}
	all := []bool{true, true, true, true}
	none := []bool{false, false, false, false}
	expect := func(what string, w ways, want []bool) {
		t.Helper()
		if diff := cmp.Diff(want, work(w)); diff != "" {
			t.Errorf("%s: token, feed, sign-in, link (-want, +got):\n%s", what, diff)
		}
	}
	admin := open("admin", s.Token)
	ann := open("ann", mustUsers(t, "add", "-data", dir, "ann", "-role", "author"))
	sam := open("sam", mustUsers(t, "add", "-data", dir, "sam", "-role", "subscriber"))
	for _, w := range []ways{admin, ann, sam} {
		expect("before", w, all)
	}
	mustUsers(t, "disable", "-data", dir, "sam")
	mustUsers(t, "enable", "-data", dir, "sam")
	const one = `1 token, 1 feed, 1 sign-in and 1 link of "ann" ended`
	if got := mustUsers(t, "revoke", "-all", "-data", dir, "Ann"); got != one {
		t.Errorf("revoke -all ann said %q, want %q", got, one)
	}
	expect("ann", ann, none)
	expect("the administrator beside ann", admin, all)
	// One link more is that of the first start.
	const rest = "2 tokens, 2 feeds, 1 sign-in and 2 links of all accounts ended"
	if got := mustUsers(t, "revoke", "-data", dir, "-all"); got != rest {
		t.Errorf("revoke -all said %q, want %q", got, rest)
	}
	expect("the administrator", admin, none)
	expect("sam", sam, none)
	const again = "0 tokens, 0 feeds, 0 sign-ins and 0 links of all accounts ended"
	if got := mustUsers(t, "revoke", "-data", dir, "-all"); got != again {
		t.Errorf("revoke -all again said %q, want %q", got, again)
	}
}

// A link that a command makes signs in to a running server, and commands end what is signed in.
func TestDeskBesideServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, append(on(dir), "-desk")...)
	mustUsers(t, "add", "-data", dir, "ann", "-role", "author", "-no-token")
	signIn := func() func() bool {
		t.Helper()
		address := mustUsers(t, "link", "-data", dir, "ann")
		secret := strings.TrimPrefix(address, s.URL+"/desk/link?token=")
		client := http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		res, err := client.PostForm(s.URL+"/desk/link", url.Values{"token": {secret}})
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if len(res.Cookies()) != 1 || res.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s %v", address, res.Status, res.Header)
		}
		return func() bool {
			hr, _ := http.NewRequest("GET", s.URL+"/desk/account", nil)
			hr.AddCookie(res.Cookies()[0])
			res, err := client.Do(hr)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			text, _ := io.ReadAll(res.Body)
			return strings.Contains(string(text), "/desk/sign-out")
		}
	}
	isIn := signIn()
	if !isIn() {
		t.Error("the link did not sign in")
	}
	mustUsers(t, "role", "-data", dir, "ann", "contributor")
	mustUsers(t, "role", "-data", dir, "ann", "author")
	if isIn() {
		t.Error("signed in after a change of the role that was taken back")
	}
	isIn = signIn()
	mustUsers(t, "disable", "-data", dir, "ann")
	mustUsers(t, "enable", "-data", dir, "ann")
	if isIn() {
		t.Error("signed in after the account was disabled for a while")
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
}
