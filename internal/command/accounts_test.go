package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/account"
	"almanac/internal/cli"
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

// expectVerified runs verify, which must find nothing wrong and say something about accounts.
func expectVerified(t *testing.T, dir, says string) {
	t.Helper()
	exit, out, stderr := runCommand(t, "verify", "-data", dir)
	if _, got, _ := strings.Cut(out, "\naccounts   "); exit != 0 ||
		strings.TrimSpace(got) != says {
		t.Errorf(
			"verify ended with %d %s, and says %q, want %q",
			exit,
			stderr,
			strings.TrimSpace(got),
			says,
		)
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

const (
	byHand = "the file was edited or replaced while no server ran, or a second ago"
	admin1 = `1 created "admin" role administrator,token "first" made by found`
)

// edit changes the users file as people do.
func edit(t *testing.T, dir, old, new string) {
	t.Helper()
	path := filepath.Join(dir, account.FileName)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("error %v, no %q in %s", err, old, text)
	}
	replace(t, path, strings.Replace(string(text), old, new, 1))
}

// A server logs changes of accounts soon, made by a command or by hand.
func TestAccountsBesideServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	want := []string{admin1}
	expect := func(line string) {
		t.Helper()
		want = append(want, line)
		expectLines(t, dir, want...)
	}
	expectLines(t, dir, want...)
	ann := mustUsers(t, "add", "-data", dir, "ann", "-role", "author", "-email", "ann@example.org")
	expect(`2 created "ann" email,role author,token "token-1" made by reload`)
	mustUsers(t, "disable", "-data", dir, "ann")
	expect(`2 disabled "ann" by reload`)
	mustUsers(t, "enable", "-data", dir, "ann")
	expect(`2 enabled "ann" by reload`)
	edit(t, dir, `"author"`, `"administrator"`)
	expect(`2 changed "ann" role author to administrator by reload`)
	edit(t, dir, `"users": [`, `"users": [,`) // an invalid file is not logged
	s.admin().must(t, "POST", v1+"/categories", `{"name":"Music"}`)
	edit(t, dir, `"users": [,`, `"users": [`)
	mustUsers(t, "token", "-data", dir, "ann", "-name", "laptop")
	expect(`2 changed "ann" token "laptop" made by reload`)
	mustUsers(t, "remove", "-data", dir, "ann")
	expect(`2 removed "ann" by reload`)
	expectVerified(t, dir, "1 account, as the log says")
	mustUsers(t, "token", "-data", dir, "admin", "-name", "last")
	if err := s.stop(); err != nil { // which writes what it has not yet
		t.Fatal(err)
	}
	want = append(want, `1 changed "admin" token "last" made by reload`)
	if diff := cmp.Diff(want, accountLines(t, dir)); diff != "" {
		t.Errorf("after the end (-want, +got):\n%s", diff)
	}

	// No token and no hash of one is in it.
	file := readFile(t, filepath.Join(dir, account.FileName))
	secrets := append(regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(file, -1), ann, s.token)
	var keyed struct {
		Key string `json:"mark_key"`
	}
	if err := json.Unmarshal([]byte(file), &keyed); err != nil || len(keyed.Key) != 32 ||
		len(secrets) != 4 {
		t.Fatalf("error %v, key %q, %d secrets", err, keyed.Key, len(secrets))
	}
	_, log, _ := runCommand(t, "log", "-data", dir, "-json")
	for _, secret := range append(secrets, keyed.Key) {
		if strings.Contains(log, secret[:32]) ||
			strings.Contains(log, strings.TrimPrefix(secret, "alm_")) {
			t.Errorf("%s is in the log", secret)
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
	eve := caller{s.url, users("add", "eve", "-role", "administrator"), s.client}
	eve.must(t, "POST", v1+"/tags", `{"name":"Late"}`)
	users("token", "eve", "-name", "laptop")
	users("revoke", "eve", "laptop")
	users("disable", "eve")
	users("enable", "eve")
	users("remove", "eve")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`0 accounts 2 created "eve" role administrator,token "token-1" made by reload`, `"eve" tags 1 created "Late"`,
		`0 accounts 2 changed "eve" token "laptop" made by reload`, `0 accounts 2 changed "eve" token "laptop" revoked by reload`,
		`0 accounts 2 disabled "eve" by reload`, `0 accounts 2 enabled "eve" by reload`, `0 accounts 2 removed "eve" by reload`,
	}
	if diff := cmp.Diff(want, logLines(t, dir)[2:]); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
}

// The log names an account by the login that it had when it did something.
func TestAccountsRenamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	ann := caller{
		s.url,
		mustUsers(t, "add", "-data", dir, "ann", "-role", "administrator", "-name", "x"),
		s.client,
	}
	ann.must(t, "POST", v1+"/tags", `{"name":"Early"}`)
	edit(t, dir, `"ann"`, `"anna"`)
	ann.must(t, "POST", v1+"/tags", `{"name":"Late"}`)
	want := []string{
		`0 accounts 2 created "ann" role administrator,token "x" made by reload`,
		`"ann" tags 1 created "Early"`,
		`0 accounts 2 changed "anna" login by reload`,
		`"anna" tags 2 created "Late"`,
	}
	if diff := cmp.Diff(want, logLines(t, dir)[2:]); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
}

// A calendar without any record knows the numbers of accounts when the users file is lost.
func TestAccountsLostBeforeRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, want := range []string{admin1, `2 created "admin" role administrator,token "first" made by found`} {
		s := startServer(t, on(dir)...)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		if all := accountLines(t, dir); all[len(all)-1] != want {
			t.Errorf("the log tells %q, want %q", all, want)
		}
		if err := os.Remove(filepath.Join(dir, account.FileName)); err != nil {
			t.Fatal(err)
		}
	}
}

// A command that does not know which server reads the file leaves every version there for a
// moment.
func TestAccountsElsewhere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "users.json")
	mustUsers(t, "add", "-users", file, "admin", "-role", "administrator")
	changed := func() time.Time {
		t.Helper()
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	before := changed()
	mustUsers(t, "add", "-users", file, "eve", "-role", "administrator")
	if gap := changed().Sub(before); gap < noteEvery {
		t.Errorf("a version was there for %v, and a server looks every %v", gap, noteEvery)
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

// A command that died when it had written the file hides nothing: the next one waits for the line,
// or writes it. Beside a process that writes no lines it says that there may be none.
func TestAccountsAfterCrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	mustUsers(t, "add", "-data", dir, "ann", "-role", "author")
	want := []string{admin1, `2 created "ann" role author,token "token-1" made by reload`}
	expectLines(t, dir, want...)
	edit(t, dir, `"author"`, `"administrator"`) // as such a command leaves it
	mustUsers(t, "remove", "-data", dir, "ann")
	want = append(
		want,
		`2 changed "ann" role author to administrator by reload`,
		`2 removed "ann" by reload`,
	)
	expectLines(t, dir, want...)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	mustUsers(t, "add", "-data", dir, "bob", "-role", "author", "-no-token")
	edit(t, dir, `"author"`, `"editor"`)
	mustUsers(t, "remove", "-data", dir, "bob")
	want = append(
		want,
		`3 created "bob" role author by command`,
		`3 changed "bob" role author to editor by found`,
		`3 removed "bob" by command`,
	)
	expectLines(t, dir, want...)

	other, err := store.Open(store.Options{Dir: dir}) // as an import has it
	if err != nil {
		t.Fatal(err)
	}
	mustUsers(t, "add", "-data", dir, "eve", "-role", "author", "-no-token")
	ctx, cancel := context.WithTimeout(t.Context(), noteEvery)
	defer cancel()
	var stderr bytes.Buffer
	err = run(ctx, []string{"users", "remove", "-data", dir, "eve"}, cli.Process{
		Getenv: none,
		Stdout: io.Discard,
		Stderr: &stderr,
	})
	if err != nil || !strings.Contains(stderr.String(), "may tell of both changes as one") {
		t.Errorf("beside another process: %v, %s", err, &stderr)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
}

// The log names an account that was removed also when the line that gave it its name was pruned.
func TestAccountsNamedWhenPruned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	eve := mustUsers(t, "add", "-data", dir, "eve", "-role", "administrator")
	expectLines(
		t,
		dir,
		admin1,
		`2 created "eve" role administrator,token "token-1" made by reload`,
	)
	if err := s.stop(); err != nil {
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
	caller{s.url, eve, s.client}.must(t, "POST", v1+"/tags", `{"name":"Late"}`)
	mustUsers(t, "remove", "-data", dir, "eve")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(logLines(t, dir), "\n")
	if strings.Contains(all, "created \"eve\"") ||
		!strings.Contains(all, `"eve" tags 1 written "Late"`) ||
		!strings.Contains(all, `0 accounts 2 removed "eve" by reload`) {
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
	expectVerified(t, dir, "1 account, as the log says")
}

// Without a server the command writes the line, after one about what it finds.
func TestAccountsWithoutServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustUsers(t, "add", "-data", dir, "admin", "-role", "administrator", "-name", "first")
	if _, err := os.Stat(filepath.Join(dir, "log")); !os.IsNotExist(err) {
		t.Errorf("before the first start of a server there is a log: %v", err)
	}
	s := startServer(t, on(dir, "-seed", "@small")...) // a log of accounts is no calendar
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := runCommand(t, "verify", "-data", dir); strings.Contains(
		out,
		"records    0 events",
	) {
		t.Errorf("the seed was not planted: %s", out)
	}
	mustUsers(t, "add", "-data", dir, "ann", "-role", "author")
	want := []string{admin1, `2 created "ann" role author,token "token-1" made by command`}
	expectLines(t, dir, want...)
	expectVerified(t, dir, "2 accounts, as the log says")

	edit(t, dir, `"author"`, `"administrator"`)
	_, audited, _ := runCommand(t, "audit", "-json", "-data", dir)
	if !strings.Contains(audited, `account 2 \"ann\": changed: role author to administrator`) {
		t.Errorf("audit does not tell of it: %s", audited)
	}
	expectVerified(t, dir, "1 difference that the log does not explain: "+byHand+"\n           "+
		`account 2 "ann": changed: role author to administrator`)
	mustUsers(t, "disable", "-data", dir, "ann")
	want = append(
		want,
		`2 changed "ann" role author to administrator by found`,
		`2 disabled "ann" by command`,
	)
	expectLines(t, dir, want...)

	// Nobody knows which log another file belongs to, unless it is said.
	other := filepath.Join(t.TempDir(), "other.json")
	mustUsers(t, "add", "-users", other, "eve", "-role", "administrator")
	expectLines(t, dir, want...)

	// A token with the name of another, which nothing else tells from it, and a file without its
	// key.
	text := readFile(t, filepath.Join(dir, account.FileName))
	sums := regexp.MustCompile(`[0-9a-f]{64}`).FindAllString(text, -1)
	edit(t, dir, sums[0], strings.Repeat("ab", 32))
	expectVerified(t, dir, "1 difference that the log does not explain: "+byHand+"\n           "+
		`account 1 "admin": changed: token "first" replaced`)
	edit(t, dir, strings.Repeat("ab", 32), sums[0])
	expectVerified(t, dir, "2 accounts, as the log says")
	edit(t, dir, `"mark_key"`, `"another"`)
	expectVerified(t, dir, "2 differences that the log does not explain: "+byHand+"\n           "+
		`account 1 "admin": changed: token "first" replaced`+"\n           "+`account 2 "ann": changed: token "token-1" replaced`)
	edit(t, dir, `"another"`, `"mark_key"`)

	// The file is lost: the log knows the numbers.
	if err := os.Remove(filepath.Join(dir, account.FileName)); err != nil {
		t.Fatal(err)
	}
	expectVerified(
		t,
		dir,
		"the users file is missing, and the log tells of 2 accounts, the last with the number 2",
	)
	s = startServer(t, on(dir)...)
	want = append(want, `1 removed "admin" by found`, `2 removed "ann" by found`,
		`3 created "admin" role administrator,token "first" made by found`)
	expectLines(t, dir, want...)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	mustUsers(t, "add", "-data", dir, "zoe", "-role", "author", "-no-token")
	expectLines(t, dir, append(want, `4 created "zoe" role author by command`)...)

	// A log that is damaged keeps nobody from disabling an account.
	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	intact := readFile(t, segment)
	replace(t, segment, strings.Replace(intact, "role", "ROLE", 1))
	stdout, stderr, err := runUsers(t, "disable", "-data", dir, "zoe")
	if err != nil || !strings.Contains(stdout, "is disabled") ||
		!strings.Contains(stderr, "the log does not tell of this yet") {
		t.Errorf("with a damaged log: %v, %q, %q", err, stdout, stderr)
	}
	replace(t, segment, intact)
	expectVerified(t, dir, "1 difference that the log does not explain: "+byHand+"\n           "+
		`account 4 "zoe": disabled`)
}

// Commands at the same time: each line is there, each number once, and a server that starts in
// between is let in.
func TestAccountsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir)...)
	if err := s.stop(); err != nil {
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
	if err := s.stop(); err != nil {
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
	expectVerified(t, dir, fmt.Sprintf("%d accounts, as the log says", n+1))
}

// A disk without room for the line keeps nobody from changing an account. When there is room, or
// at the next start, the log tells of it.
func TestAccountsDiskFull(t *testing.T) {
	skipWithoutLimits(t)
	t.Parallel()
	dir := t.TempDir()
	users := filepath.Join(dir, account.FileName)
	replace(
		t,
		users,
		`{"users":[{"id":1,"login":"admin","role":"administrator","token":"token of admin"}]}`,
	)
	cmd := childCommand(t, dir, users, limits{File: 1 << 10})
	startProcess(t, cmd)
	expectLines(t, dir, `1 created "admin" role administrator,token in plain text made by found`)
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf(`{"id":%d,"login":"user%d","role":"author"}`, i+2, i+2))
	}
	edit(t, dir, `]}`, ","+strings.Join(many, ",")+`]}`)
	<-time.After(3 * noteEvery / 2)
	end(t, cmd)
	expectLines(t, dir, `1 created "admin" role administrator,token in plain text made by found`)
	s := startServer(t, on(dir)...)
	lines := accountLines(t, dir)
	if err := s.stop(); err != nil || len(lines) != 41 ||
		lines[40] != `41 created "user41" role author by found` {
		t.Errorf("error %v, the log tells %q", err, lines)
	}
	expectVerified(t, dir, "41 accounts, as the log says")
}
