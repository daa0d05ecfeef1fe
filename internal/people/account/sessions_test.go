package account_test

import (
	"errors"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A change of an account in the store ends its sessions and links in the same line: another role,
// and a time of being disabled.
func TestSessionsOfStore(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	users := account.Of(st, clock, nil)
	sessions := account.NewSessions(st, clock)
	link, _, err := sessions.AddLink(admin.ID, zoe, false)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := sessions.Linked(link, users); a != zoe || err != nil {
		t.Errorf("the link is that of account %+v, %v", a, err)
	}
	begin := func(link string) (cookie string) {
		t.Helper()
		cookie, err := sessions.Begin(zoe, link, account.Session{Language: "fr"})
		if err != nil {
			t.Fatal(err)
		}
		return cookie
	}
	isSignedIn := func(when, cookie string, want bool) {
		t.Helper()
		if one, a, err := sessions.Find(cookie, users); (a == zoe && one.Language == "fr") != want ||
			err != nil {
			t.Errorf("%s: the session is %+v of %v, %v", when, one, a, err)
		}
	}
	cookie := begin(link)
	if _, err := sessions.Linked(link, users); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("a link that was used: %v", err)
	}
	isSignedIn("at first", cookie, true)
	isSignedIn("with a name of an older program", "0123."+cookie, true)
	isSignedIn("with no secret", "", false)
	setRole := func(u *account.Users, role account.Role) error {
		_, err := u.SetRole("zoe", role, false)
		return err
	}
	change(t, st, func(u *account.Users) error { return setRole(u, account.Author) })
	isSignedIn("after the same role", cookie, true)
	change(t, st, func(u *account.Users) error { return setRole(u, account.Editor) })
	change(t, st, func(u *account.Users) error { return setRole(u, account.Author) })
	isSignedIn("after another role", cookie, false)

	cookie = begin("")
	if link, _, err = sessions.AddLink(0, zoe, true); err != nil {
		t.Fatal(err)
	}
	change(t, st, func(u *account.Users) error { _, err := u.Disable("zoe", false); return err })
	if _, err := sessions.Begin(zoe, "", account.Session{}); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("a session of a disabled account: %v", err)
	}
	change(t, st, func(u *account.Users) error { _, err := u.Enable("zoe"); return err })
	isSignedIn("after it was disabled", cookie, false)
	if _, err := sessions.Linked(link, users); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("a link after it was disabled: %v", err)
	}

	cookie = begin("")
	other := begin("")
	here, _, _ := sessions.Find(cookie, users)
	change(t, st, func(u *account.Users) error {
		_, n, err := u.RevokeAll("Zoe", here.SHA256)
		if n != (account.Ended{Tokens: 1, SignIns: 1}) {
			t.Errorf("ended %+v", n)
		}
		return err
	})
	isSignedIn("here after revoke all", cookie, true)
	isSignedIn("elsewhere after revoke all", other, false)
	change(t, st, func(u *account.Users) error { _, err := u.Remove("zoe", false); return err })
	isSignedIn("after the account was removed", cookie, false)
}

// Sessions and links belong to one account: no other account uses, lists or ends them. They end
// with their time and with another role of an account that a file has, and the store forgets those
// of an account that are over with its next change.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	now := noon
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all := account.NewSessions(st, func() time.Time { return now })
	ann := account.Account{ID: 6, Login: "ann", Role: account.Author}
	zoe := account.Account{ID: 7, Login: "zoe", Role: account.Author}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	type numbers struct{ OfAnn, OfZoe, InStore [2]int } // of sessions and links
	compare := func(when string, want numbers) {
		t.Helper()
		var got numbers
		for _, a := range *st.Accounts() {
			got.InStore[0] += len(a.SignIns)
			got.InStore[1] += len(a.Links)
		}
		for of, n := range map[int64]*[2]int{ann.ID: &got.OfAnn, zoe.ID: &got.OfZoe} {
			sessions, links := all.Of(of)
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

	link, _, err := all.AddLink(0, zoe, false)
	must(err)
	if _, err := all.Begin(ann, link, account.Session{}); !errors.Is(err, account.ErrNoLink) {
		t.Errorf("the link of another account: %v", err)
	}
	_, err = all.Begin(ann, "", account.Session{})
	must(err)
	cookie, err := all.Begin(zoe, "", account.Session{})
	must(err)
	sessions, links := all.Of(zoe.ID)
	must(all.End(ann.ID, sessions[0].SHA256))
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
	now = now.Add(account.SessionTime)
	find("after the time of sessions", cookie, zoe, account.Account{})
	compare("after the time of sessions", numbers{[2]int{0, 0}, [2]int{0, 0}, [2]int{2, 0}})
	_, err = all.Begin(ann, "", account.Session{})
	must(err)
	compare("after a new session", numbers{[2]int{1, 0}, [2]int{0, 0}, [2]int{2, 0}})

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
