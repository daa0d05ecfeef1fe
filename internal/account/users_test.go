package account_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/internal/account"

	"github.com/google/go-cmp/cmp"
)

// change changes a file and returns its new content.
func change(t testing.TB, path string, f func(*account.Users) error) string {
	t.Helper()
	if err := account.Change(t.Context(), path, noon, f); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// odd is a file with unknown members in an unusual order.
var odd = `{"$schema": "x", "users": [
	{"since": 1.50, "login":"admin", "id": 1, "role": "administrator", "tags": ["<&>", {"b":1,"a":2}],
	 "tokens": [{"scope": "all", "name":"first","sha256":"` + sum("first") + `"},
	 {"name":"next","sha256":"` + sum("next") + `","expires":"2031-05-11T12:00:00Z"}]},
	{"id": 4, "login": "Zoe", "role": "author", "email": "zoe@example.org"}
], "later": null, "mark_key": "k"}`

func TestChange(t *testing.T) {
	t.Parallel()
	const rest = `{"$schema":"x","users":[{"since":1.50,"login":"admin","id":1,"role":"administrator",` +
		`"tags":["<&>",{"b":1,"a":2}],"tokens":[%s]%s}%s],"later":null,"mark_key":"k"%s}`
	first := `{"scope":"all","name":"first","sha256":"` + sum("first") + `"}`
	next := `{"name":"next","sha256":"` + sum("next") + `","expires":"2031-05-11T12:00:00Z"}`
	const zoe = `,{"id":4,"login":"Zoe","role":"author","email":"zoe@example.org"%s}`
	both := first + "," + next
	her := fmt.Sprintf(zoe, "")
	tests := []struct {
		name string
		f    func(u *account.Users) error
		want string
	}{
		{
			"nothing",
			func(*account.Users) error { return nil },
			fmt.Sprintf(rest, both, "", her, ""),
		},
		{"add", func(u *account.Users) error {
			a, err := u.Add(account.Account{
				Login: "ann",
				Role:  account.Editor,
				Email: "ann@example.org",
			})
			if a.ID != 5 {
				t.Errorf("Add gave id %d, want 5", a.ID)
			}
			return err
		}, fmt.Sprintf(rest, both, "", her+`,{"id":5,"login":"ann","role":"editor","email":"ann@example.org"}`, "")},
		{"add with an id", func(u *account.Users) error {
			_, err := u.Add(account.Account{ID: 9, Login: "ann", Role: account.Editor})
			return err
		}, fmt.Sprintf(rest, both, "", her+`,{"id":9,"login":"ann","role":"editor","email":""}`, "")},
		{"add after ids that were used", func(u *account.Users) error {
			u.Reserve(11)
			_, err := u.Add(account.Account{Login: "ann", Role: account.Editor})
			return err
		}, fmt.Sprintf(rest, both, "", her+`,{"id":12,"login":"ann","role":"editor","email":""}`, "")},
		{"remove", func(u *account.Users) error { _, err := u.Remove("zoe", false); return err },
			fmt.Sprintf(rest, both, "", "", `,"last_id":4`)},
		{"add after remove", func(u *account.Users) error {
			_, err := u.Remove("zoe@example.org", false)
			_, err2 := u.Add(account.Account{Login: "ann", Role: account.Editor})
			return errors.Join(err, err2)
		}, fmt.Sprintf(rest, both, "", `,{"id":5,"login":"ann","role":"editor","email":""}`, `,"last_id":4`)},
		{
			"remove another than the last",
			func(u *account.Users) error { _, err := u.Remove("admin", true); return err },
			`{"$schema":"x","users":[` + her[1:] + `],"later":null,"mark_key":"k"}`,
		},
		{"disable", func(u *account.Users) error { _, err := u.Disable("ZOE", false); return err },
			fmt.Sprintf(rest, both, "", fmt.Sprintf(zoe, `,"disabled":true`), "")},
		{
			"disable by force",
			func(u *account.Users) error { _, err := u.Disable("admin", true); return err },
			fmt.Sprintf(rest, both, `,"disabled":true`, her, ""),
		},
		{"disable and enable", func(u *account.Users) error {
			_, err := u.Disable("zoe", false)
			_, err2 := u.Enable("zoe")
			return errors.Join(err, err2)
		}, fmt.Sprintf(rest, both, "", her, "")},
		{
			"revoke",
			func(u *account.Users) error { _, err := u.Revoke("admin", "first"); return err },
			fmt.Sprintf(rest, next, "", her, ""),
		},
		{"revoke one after the other", func(u *account.Users) error {
			_, err := u.Revoke("admin", "first")
			_, err2 := u.Revoke("admin", "next")
			return errors.Join(err, err2)
		}, fmt.Sprintf(rest, "", "", her, "")},
		{"revoke all", func(u *account.Users) error {
			of, n, feeds, err := u.RevokeAll("admin")
			if n != 2 || feeds != 0 || of.ID != 1 {
				t.Errorf("RevokeAll of %+v gave %d and %d, want 2 and 0", of, n, feeds)
			}
			return err
		}, strings.Replace(fmt.Sprintf(rest, "", "", her, ""), `,"tokens":[]`, "", 1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "users.json")
			write(t, path, odd)
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			var got, want strings.Builder
			fmt.Fprint(&want, test.want)
			text := change(t, path, test.f)
			if err := compact(&got, text); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
			if !strings.HasPrefix(text, "{\n  \"$schema\": \"x\",\n") ||
				!strings.HasSuffix(text, "}\n") {
				t.Errorf("is not written for people:\n%s", text)
			}
			if info, err := os.Stat(path); err != nil ||
				runtime.GOOS != "windows" && info.Mode() != 0o600 {
				t.Errorf("mode is %v (%v), want 0600", info.Mode(), err)
			}
			if left, _ := filepath.Glob(path + "?*"); len(left) != 1 || left[0] != path+".lock" {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// compact removes the white space of JSON.
func compact(w *strings.Builder, text string) error {
	var b strings.Builder
	quoted := false
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		}
		if quoted || c != ' ' && c != '\n' {
			b.WriteRune(c)
		}
	}
	w.WriteString(b.String())
	if !json.Valid([]byte(text)) {
		return errors.New("not JSON")
	}
	return nil
}

// A refused change leaves the file unchanged.
func TestChangeRefuses(t *testing.T) {
	t.Parallel()
	later := noon.Add(time.Hour)
	tests := []struct {
		name string
		f    func(u *account.Users) error
		is   error
		want string // a part of the message
	}{
		{
			"unknown login",
			func(u *account.Users) error { _, err := u.Remove("bob", false); return err },
			account.ErrNoUser,
			`"bob"; there are admin, Zoe`,
		},
		{
			"unknown login, of a token",
			func(u *account.Users) error { _, _, err := u.AddToken("bob", "", later); return err },
			account.ErrNoUser,
			`"bob"; there are admin, Zoe`,
		},
		{"known login", func(u *account.Users) error {
			_, err := u.Add(account.Account{Login: "ADMIN", Role: account.Editor})
			return err
		}, nil, `there is a user "admin" already: id 1, administrator`},
		{"known address", func(u *account.Users) error {
			_, err := u.Add(account.Account{
				Login: "a",
				Role:  account.Editor,
				Email: "Zoe@example.org",
			})
			return err
		}, nil, `login or e-mail address of user 4 already`},
		{"known id", func(u *account.Users) error {
			_, err := u.Add(account.Account{ID: 4, Login: "a", Role: account.Editor})
			return err
		}, nil, `id 4 is that of "Zoe" already`},
		{"an id between others", func(u *account.Users) error {
			_, err := u.Add(account.Account{ID: 3, Login: "a", Role: account.Editor})
			return err
		}, nil, `id 3: ids up to 4 have been used, and none is given twice`},
		{"an id that was removed", func(u *account.Users) error {
			_, err := u.Remove("zoe", false)
			_, err2 := u.Add(account.Account{ID: 4, Login: "a", Role: account.Editor})
			return errors.Join(err, err2)
		}, nil, `id 4: ids up to 4 have been used`},
		{"an id that was used elsewhere", func(u *account.Users) error {
			u.Reserve(11)
			_, err := u.Add(account.Account{ID: 11, Login: "a", Role: account.Editor})
			return err
		}, nil, `id 11: ids up to 11 have been used`},
		{"no role", func(u *account.Users) error {
			_, err := u.Add(account.Account{
				Login: "a",
				Role:  "chief",
			})
			return err
		}, nil,
			`role is "chief", want administrator, editor, author, contributor or subscriber`},
		{"bad login", func(u *account.Users) error {
			_, err := u.Add(account.Account{Login: "a:b", Role: account.Editor})
			return err
		}, nil, `must not hold colons`},
		{
			"the last administrator",
			func(u *account.Users) error { _, err := u.Remove("admin", false); return err },
			account.ErrLastAdmin,
			`"admin"`,
		},
		{
			"the last administrator, disabled",
			func(u *account.Users) error { _, err := u.Disable("admin", false); return err },
			account.ErrLastAdmin,
			`"admin"`,
		},
		{"the last one that is not disabled", func(u *account.Users) error {
			if _, err := u.Add(account.Account{
				Login: "other",
				Role:  account.Administrator,
			}); err != nil {
				return err
			}
			if _, err := u.Disable("other", false); err != nil {
				return err
			}
			_, err := u.Remove("admin", false)
			return err
		}, account.ErrLastAdmin, `"admin"`},
		{
			"a token twice",
			func(u *account.Users) error { _, _, err := u.AddToken("admin", "first", later); return err },
			nil,
			`has a token "first" already`,
		},
		{
			"a token of the past",
			func(u *account.Users) error { _, _, err := u.AddToken("admin", "", noon); return err },
			nil,
			`would have expired at 2031-05-10T12:00:00Z`,
		},
		{
			"a token with a bad name",
			func(u *account.Users) error { _, _, err := u.AddToken("admin", "a\nb", later); return err },
			nil,
			`"a\nb", must not hold`,
		},
		{
			"unknown token",
			func(u *account.Users) error { _, err := u.Revoke("admin", "last"); return err },
			account.ErrNoToken,
			`"last" of user "admin"; there are first, next`,
		},
		{
			"unknown token of who has none",
			func(u *account.Users) error { _, err := u.Revoke("zoe", "last"); return err },
			account.ErrNoToken,
			`there are none`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "users.json")
			write(t, path, odd)
			err := account.Change(t.Context(), path, noon, test.f)
			if err == nil || test.is != nil && !errors.Is(err, test.is) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if data, _ := os.ReadFile(path); string(data) != odd {
				t.Errorf("the file was changed: %s", data)
			}
		})
	}
	for name, text := range map[string]string{
		"one name twice":         `{"users":[{"id":1,"ID":2,"login":"a","role":"editor"}]}`,
		"one name twice outside": `{"users":[],"Users":[]}`,
		"no users file":          `{"users":`,
		"last_id is no number":   `{"users":[],"last_id":"7"}`,
	} {
		path := filepath.Join(t.TempDir(), "users.json")
		write(t, path, text)
		err := account.Change(t.Context(), path, noon, func(u *account.Users) error {
			_, err := u.Add(account.Account{Login: "b", Role: account.Administrator})
			return err
		})
		if data, _ := os.ReadFile(path); err == nil || string(data) != text {
			t.Errorf("%s: got error %v, and the file %s", name, err, data)
		}
	}
}

// A new token works until it expires or is revoked, in a directory that stays open.
func TestTokens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users.json")
	write(t, path, odd)
	now := noon
	d, err := account.Open(path, func() time.Time { return now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	var token, name string
	text := change(t, path, func(u *account.Users) (err error) {
		token, name, err = u.AddToken("zoe", "", noon.Add(time.Hour))
		return err
	})
	if strings.Contains(text, token) || !strings.Contains(text, sum(token)) || name != "token-1" {
		t.Errorf("token %s, called %q, in the file:\n%s", token, name, text)
	}
	works := func(want bool) {
		t.Helper()
		if a, err := d.Authenticate("Bearer " + token); (err == nil) != want ||
			want && a.Login != "Zoe" {
			t.Errorf("at %v the token is that of %v, %v", now, a, err)
		}
	}
	works(true)
	now = noon.Add(time.Hour)
	works(false)
	now = noon
	change(t, path, func(u *account.Users) error { _, err := u.Disable("zoe", false); return err })
	works(false)
	change(t, path, func(u *account.Users) error { _, err := u.Enable("zoe"); return err })
	works(true)
	change(
		t,
		path,
		func(u *account.Users) error { _, err := u.Revoke("zoe", "token-1"); return err },
	)
	works(false)
}
