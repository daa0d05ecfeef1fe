package account_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
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
		if all[i], err = account.OpenSessions(path, clock, slog.New(slog.DiscardHandler)); err != nil {
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
	if a, err := server.Linked(link, users); a != zoe || err != nil {
		t.Errorf("the link of another process is that of account %+v, %v", a, err)
	}
	cookie, err := server.Begin(zoe, link, "fr")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.Linked(link, users); !errors.Is(err, account.ErrNoLink) {
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
	links := func(want int) {
		t.Helper()
		if _, all, err := server.Of(zoe.ID); len(all) != want || err != nil {
			t.Errorf("%d links, want %d: %v", len(all), want, err)
		}
	}
	if _, _, err := command.AddLink(zoe); err != nil {
		t.Fatal(err)
	}
	if err := server.EndChanged(roll(account.Author)); err != nil {
		t.Fatal(err)
	}
	isSignedIn("with the same role", true)
	links(1)
	moved := roll(account.Author)
	moved.Users[0].Email = "zoe@example.org"
	if err := server.EndChanged(moved); err != nil {
		t.Fatal(err)
	}
	isSignedIn("after another address", true)
	links(0)
	if err := server.EndChanged(roll(account.Editor)); err != nil {
		t.Fatal(err)
	}
	isSignedIn("after another role", false)

	if err := os.WriteFile(path, []byte(`{"sessions":`), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if _, err := account.OpenSessions(path, clock, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Errorf("a start with a damaged file: %v", err)
	}
	if !strings.Contains(log.String(), path+".broken") {
		t.Errorf("the log does not name what was set aside: %s", &log)
	}
}
