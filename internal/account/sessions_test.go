package account_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/account"

	"github.com/google/go-cmp/cmp"
)

// Two processes share the links and sessions of a file, and another role ends the sessions of an
// account for good.
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
	server := all[0]
	command := all[1]
	zoe := account.Account{ID: 7, Login: "zoe", Role: account.Author}
	users, err := account.Memory(account.User{Account: zoe})
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := command.AddLink(zoe, false)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := server.Linked(link, users); a != zoe || err != nil {
		t.Errorf("the link of another process is that of account %+v, %v", a, err)
	}
	cookie, err := server.Begin(zoe, link, account.Session{Language: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.Linked(link, users); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("a link that another process used: %v", err)
	}
	isSignedIn := func(when string, want bool) {
		t.Helper()
		if one, a, err := command.Find(cookie, users); (a == zoe && one.Language == "fr") != want ||
			err != nil {
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
	if _, _, err := command.AddLink(zoe, false); err != nil {
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

// Sessions and links belong to one account: no other account uses, lists or ends them. They end
// with their time and with a change of the account, and the file forgets those that are over.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	now := noon
	all, err := account.OpenSessions(path, func() time.Time { return now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	ann := account.Account{ID: 6, Login: "ann", Role: account.Author}
	zoe := account.Account{ID: 7, Login: "zoe", Role: account.Author}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	type numbers struct{ OfAnn, OfZoe, InFile [2]int } // of sessions and links
	compare := func(when string, want numbers) {
		t.Helper()
		var file struct{ Sessions, Links []any }
		text, err := os.ReadFile(path)
		must(err)
		must(json.Unmarshal(text, &file))
		got := numbers{InFile: [2]int{len(file.Sessions), len(file.Links)}}
		for of, n := range map[int64]*[2]int{ann.ID: &got.OfAnn, zoe.ID: &got.OfZoe} {
			sessions, links, err := all.Of(of)
			must(err)
			*n = [2]int{len(sessions), len(links)}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	users := func(is account.Account) *account.Directory {
		t.Helper()
		d, err := account.Memory(account.User{Account: is})
		must(err)
		return d
	}
	find := func(when, cookie string, is, want account.Account) {
		t.Helper()
		_, got, err := all.Find(cookie, users(is))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", when, err, diff)
		}
	}

	link, _, err := all.AddLink(zoe, false)
	must(err)
	if _, err := all.Begin(ann, link, account.Session{}); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("the link of another account: %v", err)
	}
	_, err = all.Begin(ann, "", account.Session{})
	must(err)
	cookie, err := all.Begin(zoe, "", account.Session{})
	must(err)
	sessions, links, err := all.Of(zoe.ID)
	must(err)
	must(all.End(ann.ID, sessions[0].ID))
	must(all.End(ann.ID, links[0].SHA256))
	compare("at first", numbers{[2]int{1, 0}, [2]int{1, 1}, [2]int{2, 1}})

	now = now.Add(15 * time.Minute)
	if _, err := all.Linked(link, users(zoe)); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("an expired link: %v", err)
	}
	compare("after the time of the link", numbers{[2]int{1, 0}, [2]int{1, 0}, [2]int{2, 1}})
	find("with the account as it was", cookie, zoe, zoe)
	editor := zoe
	editor.Role = account.Editor
	find("with another role", cookie, editor, account.Account{})
	find("with the former role again", cookie, zoe, account.Account{})
	compare("after another role", numbers{[2]int{1, 0}, [2]int{0, 0}, [2]int{1, 0}})

	cookie, err = all.Begin(zoe, "", account.Session{})
	must(err)
	must(all.EndChanged(account.Roll{
		Users: []account.Listed{{
			Account: ann,
		}, {
			Account:  zoe,
			Disabled: true,
		}},
	}))
	find("after the account was disabled", cookie, zoe, account.Account{})
	compare("after the account was disabled", numbers{[2]int{1, 0}, [2]int{0, 0}, [2]int{1, 0}})

	cookie, err = all.Begin(zoe, "", account.Session{})
	must(err)
	now = now.Add(account.SessionTime)
	find("after the time of sessions", cookie, zoe, account.Account{})
	compare("after the time of sessions", numbers{[2]int{0, 0}, [2]int{0, 0}, [2]int{2, 0}})
	_, err = all.Begin(ann, "", account.Session{})
	must(err)
	compare("after a new session", numbers{[2]int{1, 0}, [2]int{0, 0}, [2]int{1, 0}})

	cookie, err = all.Begin(zoe, "", account.Session{})
	must(err)
	for range 49 {
		_, err = all.Begin(zoe, "", account.Session{})
		must(err)
	}
	find("with as many sessions as one has", cookie, zoe, zoe)
	_, err = all.Begin(zoe, "", account.Session{})
	must(err)
	find("after one session more", cookie, zoe, account.Account{})
	compare("after one session more", numbers{[2]int{1, 0}, [2]int{50, 0}, [2]int{51, 0}})
}
