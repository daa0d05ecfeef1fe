package account_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// change changes the accounts of a store, and returns their records as JSON without what the store
// adds, one on each line.
func change(t testing.TB, st *store.Store, f func(*account.Users) error) string {
	t.Helper()
	if err := account.Change(st, noon, f); err != nil {
		t.Fatal(err)
	}
	return records(t, st)
}

func records(t testing.TB, st *store.Store) string {
	t.Helper()
	var all strings.Builder
	enc := json.NewEncoder(&all)
	for _, a := range *st.Accounts() {
		a := *a
		a.Rev = 0
		if err := enc.Encode(a); err != nil {
			t.Fatal(err)
		}
	}
	return strings.ReplaceAll(all.String(), `,"rev":0`, "")
}

// two is two accounts.
var two = `{"users": [
	{"login":"admin", "id": 1, "role": "administrator", "tokens": [{"name":"first","sha256":"` + sum("first") + `"},
	 {"name":"next","sha256":"` + sum("next") + `","expires":"2031-05-11T12:00:00Z"}]},
	{"id": 4, "login": "Zoe", "role": "author", "email": "zoe@example.org"}
]}`

func TestChange(t *testing.T) {
	t.Parallel()
	first := `{"name":"first","sha256":"` + sum("first") + `"}`
	next := `{"name":"next","expires":"2031-05-11T12:00:00Z","sha256":"` + sum("next") + `"}`
	const start = `{"id":1,"login":"admin","role":"administrator"`
	const zoe = `{"id":4,"login":"Zoe","role":"author","email":"zoe@example.org"`
	const by = `,"by":"taken"}` + "\n"
	const end = "}\n"
	root := start + `,"tokens":[` + first + "," + next + "]" + by
	tests := []struct {
		name string
		f    func(u *account.Users) error
		want string
	}{
		{"nothing", func(*account.Users) error { return nil }, root + zoe + by},
		{"add", func(u *account.Users) error {
			a, err := u.Add(account.Account{
				Login: "ann",
				Role:  account.Editor,
				Email: "ann@example.org",
			})
			if a.ID != 8 {
				t.Errorf("Add gave id %d, want that after the highest author", a.ID)
			}
			return err
		}, root + zoe + by + `{"id":8,"login":"ann","role":"editor","email":"ann@example.org"` + end},
		{"add with an id", func(u *account.Users) error {
			_, err := u.Add(account.Account{ID: 9, Login: "ann", Role: account.Editor})
			return err
		}, root + zoe + by + `{"id":9,"login":"ann","role":"editor"` + end},
		{
			"remove",
			func(u *account.Users) error { _, err := u.Remove("zoe", false); return err },
			root + `{"id":4,"login":"Zoe","removed":true` + end,
		},
		{"add after remove", func(u *account.Users) error {
			_, err := u.Remove("zoe@example.org", false)
			_, err2 := u.Add(account.Account{Login: "Zoe", Role: account.Editor})
			return errors.Join(err, err2)
		}, root + `{"id":4,"login":"Zoe","removed":true` + end + `{"id":8,"login":"Zoe","role":"editor"` + end},
		{
			"disable",
			func(u *account.Users) error { _, err := u.Disable("ZOE", false); return err },
			root + zoe + `,"disabled":true` + end,
		},
		{
			"disable by force",
			func(u *account.Users) error { _, err := u.Disable("admin", true); return err },
			start + `,"disabled":true,"tokens":[` + first + "," + next + "]" + end + zoe + by,
		},
		{"disable and enable", func(u *account.Users) error {
			_, err := u.Disable("zoe", false)
			_, err2 := u.Enable("zoe")
			return errors.Join(err, err2)
		}, root + zoe + end},
		{
			"revoke",
			func(u *account.Users) error { _, err := u.Revoke("admin", "first"); return err },
			start + `,"tokens":[` + next + "]" + end + zoe + by,
		},
		{"revoke one after the other", func(u *account.Users) error {
			_, err := u.Revoke("admin", "first")
			_, err2 := u.Revoke("admin", "next")
			return errors.Join(err, err2)
		}, start + end + zoe + by},
		{"revoke all", func(u *account.Users) error {
			of, n, err := u.RevokeAll("admin", "")
			if of.ID != 1 || n != (account.Ended{Tokens: 2}) {
				t.Errorf("RevokeAll of %+v gave %+v", of, n)
			}
			return err
		}, start + end + zoe + by},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			st := taken(t, two)
			if err := st.Update(1, func(tx *store.Tx) error {
				return tx.Put(&store.Venue{Post: store.Post{Author: 7}, Name: "Hall"})
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, change(t, st, test.f)); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}

// A refused change leaves the accounts as they are.
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
		}, nil, `id 4: ids up to 4 have been used`},
		{"an id between others", func(u *account.Users) error {
			_, err := u.Add(account.Account{ID: 3, Login: "a", Role: account.Editor})
			return err
		}, nil, `id 3: ids up to 4 have been used, and none is given twice`},
		{"an id that was removed", func(u *account.Users) error {
			_, err := u.Remove("zoe", false)
			_, err2 := u.Add(account.Account{ID: 4, Login: "a", Role: account.Editor})
			return errors.Join(err, err2)
		}, nil, `id 4: ids up to 4 have been used`},
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
			st := taken(t, two)
			before := records(t, st)
			err := account.Change(st, noon, test.f)
			if err == nil || test.is != nil && !errors.Is(err, test.is) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if diff := cmp.Diff(before, records(t, st)); diff != "" {
				t.Errorf("the accounts were changed (-before +after):\n%s", diff)
			}
		})
	}
}

// A new token works until it expires or is revoked, in a directory that stays open.
func TestTokens(t *testing.T) {
	t.Parallel()
	st := taken(t, two)
	now := noon
	d := account.Of(st, func() time.Time { return now }, nil)
	var token, name string
	text := change(t, st, func(u *account.Users) (err error) {
		token, name, err = u.AddToken("zoe", "", noon.Add(time.Hour))
		return err
	})
	if strings.Contains(text, token) || !strings.Contains(text, sum(token)) || name != "token-1" {
		t.Errorf("token %s, called %q, in the store:\n%s", token, name, text)
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
	change(t, st, func(u *account.Users) error { _, err := u.Disable("zoe", false); return err })
	works(false)
	change(t, st, func(u *account.Users) error { _, err := u.Enable("zoe"); return err })
	works(true)
	change(
		t,
		st,
		func(u *account.Users) error { _, err := u.Revoke("zoe", "token-1"); return err },
	)
	works(false)
}
