package account_test

import (
	"errors"
	"path/filepath"
	"testing"

	"almanac/internal/account"
)

// Two processes share the links and sessions of a file, and another role ends the sessions of an account for good.
func TestSessionsOfFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	var all [2]*account.Sessions
	for i := range all {
		var err error
		if all[i], err = account.OpenSessions(path, clock); err != nil {
			t.Fatal(err)
		}
	}
	server, command := all[0], all[1]
	zoe := account.Account{ID: 7, Login: "zoe", Role: account.Author}
	users, err := account.Memory(account.User{Account: zoe})
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := command.AddLink(zoe)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := server.Linked(link); id != zoe.ID || err != nil {
		t.Errorf("the link of another process is that of account %d, %v", id, err)
	}
	cookie, err := server.Begin(zoe, link, "fr")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.Linked(link); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("a link that another process used: %v", err)
	}
	isSignedIn := func(when string, want bool) {
		t.Helper()
		if one, a, err := command.Find(cookie, users); (a == zoe && one.Language == "fr") != want || err != nil {
			t.Errorf("%s: the session is %+v of %v, %v", when, one, a, err)
		}
	}
	roll := func(role account.Role) account.Roll {
		return account.Roll{Users: []account.Listed{{Account: account.Account{ID: 7, Role: role}}}}
	}
	if err := server.EndChanged(roll(account.Author)); err != nil {
		t.Fatal(err)
	}
	isSignedIn("with the same role", true)
	if err := server.EndChanged(roll(account.Editor)); err != nil {
		t.Fatal(err)
	}
	isSignedIn("after another role", false)
}
