package account_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// olderFiles are the files of an older program, which had a session and a link.
func olderFiles(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "users.json"), strings.TrimSuffix(users, "}")+`,"last_id":12}`)
	write(t, filepath.Join(dir, "sessions.json"), fmt.Sprintf(
		`{"sessions":[
			{"id":"a1","account":7,"role":"author","sha256":"%s","created":"2031-05-10T11:00:00Z"},
			{"id":"b2","account":8,"role":"editor","sha256":"%s","created":"2031-05-10T11:00:00Z"},
			{"id":"c3","account":99,"role":"editor","sha256":"%[2]s","created":"2031-05-10T11:00:00Z"}],
		"links":[{"account":1,"role":"administrator","email":"","sha256":"%s","expires":"2031-05-10T12:10:00Z"}]}`,
		sum("cookie"), sum("other"), sum("link"),
	))
}

// openIn opens the store of a directory and takes what an older program left there.
func openIn(t *testing.T, dir string, log *bytes.Buffer) (*store.Store, error) {
	t.Helper()
	st, err := store.Open(store.Options{Dir: dir, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return st, account.Take(st, dir, slog.New(slog.NewTextHandler(log, nil)))
}

// Accounts, tokens, feeds, sessions and links of an older program go on in the store, once. The
// log tells of it, and the files are put aside. A process that ends at any step loses nothing.
func TestTake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var log bytes.Buffer
	olderFiles(t, dir)
	before, err := account.Read(dir)
	if err != nil || len(before) != 4 {
		t.Errorf("before: %d accounts, %v", len(before), err)
	}
	st, err := openIn(t, dir, &log)
	if err != nil {
		t.Fatal(err)
	}
	want := records(t, st)
	expect := func(what string) {
		t.Helper()
		d := account.Of(st, clock, nil)
		for header, login := range map[string]string{
			"Bearer first": "admin", "Bearer NEXT": "", "Bearer next": "admin",
			basic("zoe", "abcdEFGH1234"): "Zoe", "Bearer gone": "",
		} {
			if a, _ := d.Authenticate(header); a.Login != login {
				t.Errorf("%s: %s lets %q in, want %q", what, header, a.Login, login)
			}
		}
		sessions := account.NewSessions(st, clock)
		for cookie, want := range map[string]account.Account{"a1.cookie": zoe, "b2.other": {}} {
			if _, a, err := sessions.Find(cookie, d); a != want || err != nil {
				t.Errorf("%s: the cookie %s is of %v, %v", what, cookie, a, err)
			}
		}
		if a, err := sessions.Linked("link", d); a != admin || err != nil {
			t.Errorf("%s: the link is of %v, %v", what, a, err)
		}
		if diff := cmp.Diff(want, records(t, st)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		for _, name := range []string{"users.json", "sessions.json"} {
			_, there := os.Stat(filepath.Join(dir, name))
			_, aside := os.Stat(filepath.Join(dir, name+".taken"))
			if there == nil || aside != nil {
				t.Errorf("%s: %s: %v, aside: %v", what, name, there, aside)
			}
		}
		if err := errors.Join(st.Check(), st.Close()); err != nil {
			t.Error(err)
		}
		if all, err := account.Read(dir); err != nil || len(all) != len(*st.Accounts()) {
			t.Errorf("%s: read: %d accounts, %v", what, len(all), err)
		}
	}
	if strings.Contains(want, "abcd") || !strings.Contains(want, `{"id":12,"removed":true,"by":"taken"}`) {
		t.Errorf("the store has:\n%s", want)
	}
	expect("taken")
	if !strings.Contains(log.String(), "taken into the store") {
		t.Errorf("the log: %s", &log)
	}

	// A process ended before it put the files aside.
	for _, name := range []string{"users.json", "sessions.json"} {
		path := filepath.Join(dir, name)
		if err := os.Rename(path+".taken", path); err != nil {
			t.Fatal(err)
		}
	}
	if st, err = openIn(t, dir, &log); err != nil {
		t.Fatal(err)
	}
	expect("again")

	// A file that comes later is not read.
	log.Reset()
	late := filepath.Join(dir, "users.json")
	write(t, late, `{"users":[{"id":1,"login":"eve","role":"administrator","token":"eve"}]}`)
	if st, err = openIn(t, dir, &log); err != nil || !strings.Contains(log.String(), "is not read") {
		t.Errorf("%v, the log: %s", err, &log)
	}
	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	expect("later")
}

// A file with a mistake is refused, and stays where it is. Sessions with a mistake are left out.
func TestTakeRefuses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		`{"users":`: "line 1",
		`{"users":[{"id":9007199254740993,"login":"a","role":"editor"}]}`:          "the id",
		`{"users":[{"id":1,"login":"a","role":"editor","tokens":[{"name":"x"}]}]}`: "64 hex digits",
		`{"users":[{"id":1,"login":"a","role":"editor"},{"id":1,"login":"b"}]}`:    "id 1 is that of",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "users.json")
		write(t, path, name)
		st, err := openIn(t, dir, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		if _, there := os.Stat(path); there != nil || len(*st.Accounts()) > 0 {
			t.Errorf("%s: %v, %d accounts", name, there, len(*st.Accounts()))
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
	dir := t.TempDir()
	olderFiles(t, dir)
	write(t, filepath.Join(dir, "sessions.json"), `{"sessions":7}`)
	var log bytes.Buffer
	st, err := openIn(t, dir, &log)
	if err != nil || len(account.Of(st, clock, nil).All()) != 4 ||
		!strings.Contains(log.String(), "everybody signs in anew") {
		t.Errorf("%v, the log: %s", err, &log)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
}

// What the log of an older program told of accounts lets nobody in, and the file decides: accounts
// that are not in it were removed.
func TestTakeBesideOlderLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var log bytes.Buffer
	st, err := openIn(t, dir, &log)
	if err != nil {
		t.Fatal(err)
	}
	told := func(id int64, login string) *store.Account {
		return &store.Account{
			Meta:   store.Meta{ID: id},
			Login:  login,
			Role:   "administrator",
			Tokens: []store.Secret{{Name: "first", Created: "2031-01-01T00:00:00Z", Mark: "12"}, {Plain: true}},
			By:     "found",
		}
	}
	if err := st.Update(0, func(tx *store.Tx) error {
		return errors.Join(tx.Put(told(1, "admin")), tx.Put(told(3, "eve")))
	}); err != nil {
		t.Fatal(err)
	}
	if account.IsEmpty(st) {
		t.Error("a store with accounts of an older log is empty")
	}
	if err := account.Take(st, dir, slog.New(slog.NewTextHandler(&log, nil))); err != nil ||
		!strings.Contains(log.String(), "almanac users token") {
		t.Errorf("without a file: %v, %s", err, &log)
	}
	change(t, st, func(u *account.Users) error { _, err := u.Account("eve"); return err })
	olderFiles(t, dir)
	if err := account.Take(st, dir, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	d := account.Of(st, clock, nil)
	if _, ok := d.Named("eve"); ok {
		t.Error("an account that is not in the file is there")
	}
	if a, err := d.Authenticate("Bearer first"); a != admin {
		t.Errorf("the token is of %v, %v", a, err)
	}
	if err := errors.Join(st.Check(), st.Close()); err != nil {
		t.Error(err)
	}
	var effects []string
	var past store.Past
	for line, err := range store.History(dir, nil) {
		if err != nil {
			t.Fatal(err)
		}
		all, err := past.Effects(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			effects = append(effects, fmt.Sprint(line.Seq, " ", e.ID, " ", e.Verb, " ", e.By, e.Members))
		}
	}
	want := []string{
		`1 1 created found[role administrator token "first" made token in plain text made]`,
		`1 3 created found[role administrator token "first" made token in plain text made]`,
		`2 1 changed taken[token "next" made token "none" made token "old" made token in plain text revoked link made]`,
		`2 3 removed taken[]`,
		`2 7 created taken[email role author token "token-1" made signed in]`,
		`2 8 created taken[role editor token "token-1" made]`,
		`2 9 created taken[role subscriber]`,
		`2 12 removed taken[]`,
	}
	if diff := cmp.Diff(want, effects); diff != "" {
		t.Errorf("the log tells (-want +got):\n%s", diff)
	}
}

// A byte of the log that has changed is never taken for an account: the store is refused, or has
// the accounts as they were before its last line, which may be torn.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	olderFiles(t, dir)
	st, err := openIn(t, dir, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	before := change(t, st, func(u *account.Users) error {
		_, _, err := u.AddToken("mute", "", noon.AddDate(0, 0, 1))
		return err
	})
	if _, err := account.NewSessions(st, clock).Begin(zoe, "", account.Session{}); err != nil {
		t.Fatal(err)
	}
	after := records(t, st)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	text, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text); i += 7 {
		text[i] ^= 1
		write(t, segment, string(text))
		text[i] ^= 1
		st, err := store.Open(store.Options{Dir: dir, Now: clock})
		if err != nil {
			continue
		}
		if got := records(t, st); got != before && got != after {
			t.Errorf("byte %d: the accounts are\n%s", i, got)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}
}
