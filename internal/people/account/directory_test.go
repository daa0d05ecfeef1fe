package account_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

func write(t testing.TB, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// open writes a users file and opens it with a logger that writes to the buffer.
func open(t testing.TB, data string) (d *account.Directory, path string, log *bytes.Buffer) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "users.json")
	write(t, path, data)
	log = &bytes.Buffer{}
	d, err := account.Open(path, clock, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return d, path, log
}

func basic(user, token string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+token))
}

func sum(token string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(token))) }

// users is a file with all members of the format and some unknown ones.
var users = `{"users":[
	{"id":7,"login":"Zoe","role":"author","email":"zoe@example.org","token":"abcd EFGH 1234"},
	{"id":1,"login":"admin","role":"administrator","email":"","since":2029,"tokens":[
		{"name":"first","sha256":"` + sum("first") + `","created":"2031-01-01T00:00:00Z"},
		{"name":"next","sha256":"` + strings.ToUpper(sum("next")) + `","created":"","expires":"2031-05-10T12:00:01Z","scope":"all"},
		{"name":"none","sha256":"` + sum("") + `","created":""},
		{"name":"old","sha256":"` + sum("old") + `","created":"","expires":"2031-05-10T14:00:00+02:00"}]},
	{"id":8,"login":"gone@example.org","role":"editor","email":"","token":"gone","disabled":true},
	{"id":9,"login":"mute","role":"subscriber"}
],"password":{"length":12}}`

var (
	admin = account.Account{ID: 1, Login: "admin", Role: account.Administrator}
	zoe   = account.Account{ID: 7, Login: "Zoe", Role: account.Author, Email: "zoe@example.org"}
	gone  = account.Account{ID: 8, Login: "gone@example.org", Role: account.Editor}
	mute  = account.Account{ID: 9, Login: "mute", Role: account.Subscriber}
)

func TestAuthenticate(t *testing.T) {
	d, _, _ := open(t, users)
	tests := []struct {
		name   string
		header string
		want   account.Account
		err    error
	}{
		{"nothing", "", account.Account{}, nil},
		{"bearer", "Bearer first", admin, nil},
		{"bearer, other case", "bearer   first ", admin, nil},
		{"bearer in groups", "Bearer abcd EFGH 1234", zoe, nil},
		{"bearer, not expired", "Bearer next", admin, nil},
		{"bearer, expired", "Bearer old", account.Account{}, account.ErrUnknownToken},
		{"bearer, unknown", "Bearer abc", account.Account{}, account.ErrUnknownToken},
		{"bearer, empty", "Bearer", account.Account{}, account.ErrUnknownToken},
		{"bearer of the disabled", "Bearer gone", account.Account{}, account.ErrUnknownToken},
		{"login", basic("admin", "first"), admin, nil},
		{"login, other case", basic("zOE", "abcdEFGH1234"), zoe, nil},
		{"login, token in groups", basic("Zoe", "abcd EFGH 1234"), zoe, nil},
		{
			"login, token in other case",
			basic("Zoe", "abcdefgh1234"),
			account.Account{},
			account.ErrWrongToken,
		},
		{"e-mail address", basic("ZOE@example.org", "abcdEFGH1234"), zoe, nil},
		{"without padding", strings.TrimRight(basic("admin", "first"), "="), admin, nil},
		{"wrong token", basic("admin", "last"), account.Account{}, account.ErrWrongToken},
		{
			"token of another",
			basic("admin", "abcdEFGH1234"),
			account.Account{},
			account.ErrWrongToken,
		},
		{"expired token", basic("admin", "old"), account.Account{}, account.ErrWrongToken},
		{"no token", basic("admin", ""), account.Account{}, account.ErrWrongToken},
		{"user without tokens", basic("mute", ""), account.Account{}, account.ErrWrongToken},
		{"disabled", basic("gone@example.org", "gone"), account.Account{}, account.ErrWrongToken},
		{"unknown login", basic("nobody", "first"), account.Account{}, account.ErrWrongToken},
		{"empty login", basic("", "first"), account.Account{}, account.ErrWrongToken},
		{
			"unknown address",
			basic("nobody@example.org", "first"),
			account.Account{},
			account.ErrWrongToken,
		},
		{"garbage", "Basic !!!", account.Account{}, nil},
		{
			"no colon",
			"Basic " + base64.StdEncoding.EncodeToString([]byte("admin")),
			account.Account{},
			nil,
		},
		{"scheme alone", "Basic", account.Account{}, nil},
		{"another scheme", `Digest username="admin"`, account.Account{}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := d.Authenticate(test.header)
			if !errors.Is(err, test.err) {
				t.Errorf("got error %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAccounts(t *testing.T) {
	d, _, _ := open(t, users)
	if diff := cmp.Diff([]account.Account{admin, zoe, gone, mute}, d.All()); diff != "" {
		t.Errorf("All: (-want +got)\n%s", diff)
	}
	if got, ok := d.Account(7); !ok || got != zoe {
		t.Errorf("Account(7) is %v, %v", got, ok)
	}
	if got, ok := d.Account(2); ok {
		t.Errorf("Account(2) is %v", got)
	}
	for name, want := range map[string]account.Account{
		"ZOE": zoe, "zoe@example.org": zoe, "mute": mute, "gone@example.org": {}, "nobody": {},
	} {
		if got, ok := d.Named(name); ok == got.IsStranger() || got != want {
			t.Errorf("Named(%q) is %v, %v, want %v", name, got, ok, want)
		}
	}
}

// taken returns a store that has taken the accounts of a file.
func taken(t testing.TB, data string) *store.Store {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "users.json"), data)
	st, err := store.Open(store.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(st.Check(), st.Close()); err != nil {
			t.Error(err)
		}
	})
	if err := account.Take(st, dir, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return st
}

// An account changes accounts as long as it is one of them, enabled, with the right: neither
// another account that got its login, nor a role that it had, is enough. The log names it.
func TestChangeAsksForTheRight(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	d := account.Of(st, clock, nil)
	fixed, _, _ := open(t, users)
	change := func(d *account.Directory, by account.Account) error {
		return d.Change(by, account.Administer, func(u *account.Users) error {
			_, err := u.Add(account.Account{Login: "ann", Role: account.Editor})
			return err
		})
	}
	if err := change(fixed, admin); !errors.Is(err, account.ErrFixed) || fixed.MayChange() {
		t.Errorf("the accounts of a file: %v", err)
	}
	before := admin
	formerly := zoe
	before.ID = 2
	formerly.Role = account.Administrator
	for _, by := range []account.Account{before, formerly, gone, {}} {
		if err := change(d, by); !errors.Is(err, account.ErrNoRight) {
			t.Errorf("by %v: %v", by, err)
		}
	}
	if len(d.All()) != 4 {
		t.Errorf("the accounts were changed: %v", d.All())
	}
	if err := change(d, admin); err != nil || len(d.All()) != 5 {
		t.Error(err, d.All())
	}
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name, data, want string
	}{
		{"empty", "", "line 1: unexpected end of JSON input"},
		{
			"syntax",
			"{\"users\":[\n{\"id\":1,}]}",
			"line 2: invalid character '}' looking for beginning of object key string",
		},
		{
			"trailing data",
			"{\"users\":[]}\n{}",
			"line 2: invalid character '{' after top-level value",
		},
		{
			"wrong type",
			"{\"users\":[\n\n{\"id\":\"1\"}]}",
			"line 3: users.id must not be a JSON string",
		},
		{"no object", `[]`, `no list of users, want {"users":[…]}`},
		{"no users", `{}`, `no list of users, want {"users":[…]}`},
		{
			"no id",
			`{"users":[{"login":"a","role":"editor"}]}`,
			`user "a": id is 0, want 1 or more`,
		},
		{
			"same id",
			`{"users":[{"id":1,"login":"a","role":"editor"},{"id":1,"login":"b","role":"editor"}]}`,
			`user "b": id 1 is that of "a" already`,
		},
		{"no login", `{"users":[{"id":1,"role":"editor"}]}`, "user 1: login is missing"},
		{"login with a colon", `{"users":[{"id":1,"login":"a:b","role":"editor"}]}`,
			`user 1: login "a:b" must not hold colons, control characters or outer spaces`},
		{
			"same login",
			`{"users":[{"id":1,"login":"a","role":"editor"},{"id":2,"login":"A","role":"editor"}]}`,
			`user 2: "A" is the login or e-mail address of user 1 already`,
		},
		{"same address",
			`{"users":[{"id":1,"login":"a","role":"editor","email":"x@y"},{"id":2,"login":"b","role":"editor","email":"x@y"}]}`,
			`user 2: "x@y" is the login or e-mail address of user 1 already`},
		{
			"address as login",
			`{"users":[{"id":1,"login":"x@y","role":"editor"},{"id":2,"login":"b","role":"editor","email":"x@y"}]}`,
			`user 2: "x@y" is the login or e-mail address of user 1 already`,
		},
		{
			"no address",
			`{"users":[{"id":1,"login":"a","role":"editor","email":"here"}]}`,
			`user 1: email "here" is no e-mail address`,
		},
		{"unknown role", `{"users":[{"id":1,"login":"a","role":"chief"}]}`,
			`user 1: role is "chief", want administrator, editor, author, contributor or subscriber`},
		{
			"bad hash",
			`{"users":[{"id":1,"login":"a","role":"editor","tokens":[{"name":"x","sha256":"12"}]}]}`,
			`user 1: token "x": sha256 is "12", want 64 hex digits`,
		},
		{
			"bad expiry",
			`{"users":[{"id":1,"login":"a","role":"editor","tokens":[{"name":"x","sha256":"` + sum(
				"",
			) +
				`","expires":"2031-05-10"}]}]}`,
			`user 1: token "x": expires is "2031-05-10", want a time like 2031-05-10T12:00:00Z`,
		},
		{
			"token and tokens",
			`{"users":[{"id":1,"login":"a","role":"editor","token":"t","tokens":[{"name":"x"}]}]}`,
			"user 1: both token and tokens are given, want one of them",
		},
		{"same token",
			`{"users":[{"id":1,"login":"a","role":"editor","token":"t t"},{"id":2,"login":"b","role":"editor","token":"tt"}]}`,
			"user 2: a token is that of user 1 already"},
		{
			"bad hash of a feed",
			`{"users":[{"id":1,"login":"a","role":"editor","feeds":[{"name":"x","sha256":"12"}]}]}`,
			`user 1: feed "x": sha256 is "12", want 64 hex digits`,
		},
		{
			"a token as a feed",
			`{"users":[{"id":1,"login":"a","role":"editor","token":"t"},{"id":2,"login":"b","role":"editor",` +
				`"feeds":[{"name":"x","sha256":"` + sum(
				"t",
			) + `"}]}]}`,
			"user 2: a token is that of user 1 already",
		},
		{
			"blank token",
			`{"users":[{"id":1,"login":"a","role":"editor","token":" "}]}`,
			"user 1: token is nothing but spaces",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "users.json")
			write(t, path, test.data)
			_, err := account.Open(path, clock, nil)
			if want := "users file " + path + ": " + test.want; err == nil || err.Error() != want {
				t.Errorf("got error %v\nwant %s", err, want)
			}
		})
	}
	if _, err := account.Open(t.TempDir(), clock, nil); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: got error %v", err)
	}
	if _, err := account.Open(filepath.Join(t.TempDir(), "none"), clock, nil); !errors.Is(
		err,
		fs.ErrNotExist,
	) {
		t.Errorf("no file: got error %v", err)
	}
}

func TestChanges(t *testing.T) {
	const file = `{"users":[{"id":1,"login":"admin","role":"administrator","token":"%s"}]}`
	d, path, log := open(t, fmt.Sprintf(file, "one"))
	works := func(token string) {
		t.Helper()
		if _, err := d.Authenticate("Bearer " + token); err != nil {
			t.Errorf("token %s: %v", token, err)
		}
	}
	fails := func(token string) {
		t.Helper()
		if _, err := d.Authenticate("Bearer " + token); !errors.Is(err, account.ErrUnknownToken) {
			t.Errorf("token %s: got error %v", token, err)
		}
	}
	works("one")

	write(t, path, fmt.Sprintf(file, "three"))
	works("three")
	fails("one")

	// Same size and time, but another file under the name.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+".new", fmt.Sprintf(file, "seven"))
	if err := os.Chtimes(path+".new", info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	works("seven")

	log.Reset()
	write(t, path, `{"users":`)
	works("seven")
	works("seven")
	if got := strings.Count(log.String(), "level=ERROR"); got != 1 {
		t.Errorf("a broken file was reported %d times:\n%s", got, log)
	}
	log.Reset()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	works("seven")
	works("seven")
	if got := strings.Count(log.String(), "level=ERROR"); got != 1 {
		t.Errorf("a missing file was reported %d times:\n%s", got, log)
	}

	write(t, path, fmt.Sprintf(file, "eleven"))
	works("eleven")
	fails("seven")
}

func TestConcurrentUse(t *testing.T) {
	d, path, _ := open(t, users)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if _, err := d.Authenticate("Bearer first"); err != nil {
					t.Error(err)
				}
				d.All()
			}
		})
	}
	st := taken(t, users)
	of := account.Of(st, clock, nil)
	wg.Go(func() {
		for range 50 {
			if _, err := of.Authenticate("Bearer first"); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 20 {
		change(t, st, func(u *account.Users) error {
			_, _, err := u.AddToken("mute", "", time.Time{})
			return err
		})
		write(t, path+".new", users+strings.Repeat("\n", i))
		if err := os.Rename(path+".new", path); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

func TestMemory(t *testing.T) {
	token := account.NewToken()
	d, err := account.Memory(account.User{
		Account: zoe,
	}, account.User{
		Account: admin,
		Token:   token,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Authenticate(basic("admin", token)); err != nil || got != admin {
		t.Errorf("admin is %v, %v", got, err)
	}
	if _, err := d.Authenticate(basic("zoe", "")); !errors.Is(err, account.ErrWrongToken) {
		t.Errorf("a user without a token: got error %v", err)
	}
	if diff := cmp.Diff([]account.Account{admin, zoe}, d.All()); diff != "" {
		t.Errorf("All: (-want +got)\n%s", diff)
	}
	if _, err := account.Memory(account.User{
		Account: admin,
	}, account.User{
		Account: admin,
	}); err == nil {
		t.Error("one account twice is accepted")
	}
}

func FuzzAuthenticate(f *testing.F) {
	d, _, _ := open(f, users)
	for _, header := range []string{"", "Bearer first", "Bearer", basic("admin", "first"), basic("x@y", ""), "Basic !!!", "Digest x"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got, err := d.Authenticate(header)
		known := !got.IsStranger()
		if err != nil && known {
			t.Errorf("%v together with error %v", got, err)
		}
		if _, ok := d.Account(got.ID); known && !ok {
			t.Errorf("nobody knows %v", got)
		}
	})
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(users))
	f.Add([]byte(`{"users":[{"id":1,"login":"a","role":"editor","token":"t"}]}`))
	f.Add([]byte(`{"users":[null]}`))
	f.Add([]byte(`{"users":[{"id":1e99}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "users.json")
		write(t, path, string(data))
		d, err := account.Open(path, clock, nil)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("error does not name the file: %v", err)
			}
			return
		}
		for _, a := range d.All() {
			if got, ok := d.Account(a.ID); !ok || got != a {
				t.Errorf("account %d is %v, want %v", a.ID, got, a)
			}
			if _, err := d.Authenticate(basic(a.Login, "a token that is in no file")); !errors.Is(
				err,
				account.ErrWrongToken,
			) {
				t.Errorf("login %q: got error %v", a.Login, err)
			}
		}
	})
}
