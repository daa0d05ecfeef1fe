// Accounts in the log, and their survival of pruning, backups, restoring and damage.

package store

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"almanac/store/archive"
)

// someone is an account with tokens.
func someone(id int64, login, role string, tokens ...Secret) *Account {
	return &Account{Meta: Meta{ID: id}, Login: login, Role: role, Tokens: tokens}
}

// told returns what ReadAccounts returns of a directory, as texts.
func told(t *testing.T, dir string) (all []string) {
	t.Helper()
	known, err := ReadAccounts(dir)
	must(t, err)
	for _, a := range known {
		text := a.Role + " " + a.Login
		if a.Removed {
			text = "removed"
		}
		all = append(all, text)
	}
	return all
}

// The log tells what became of an account, whichever program wrote the lines.
func TestAccountEffects(t *testing.T) {
	t.Parallel()
	first := Secret{Name: "first", SHA256: "1"}
	next := Secret{Name: "next", Expires: "2031-01-01T00:00:00Z", SHA256: "2"}
	later := next
	later.Expires = "2032-01-01T00:00:00Z"
	forged := first
	forged.SHA256 = "3"
	filtered := first
	filtered.Filter = "tags=choir"
	marked := Secret{Name: "first", Mark: "1"}
	other := Secret{Name: "first", Mark: "2"}
	plain := Secret{Plain: true}
	ann := someone(2, "ann", "editor", first, next)
	with := func(change func(*Account)) *Account {
		a := *ann
		change(&a)
		return &a
	}
	desk := with(func(a *Account) {
		a.SignIns = []SignIn{{SHA256: "4"}, {SHA256: "5"}}
		a.Links = []Link{{SHA256: "6"}}
	})
	for _, tt := range []struct {
		name    string
		was, is *Account
		want    Effect
	}{
		{"new", nil, ann, Effect{
			Verb:    "created",
			Members: []string{"role editor", `token "first" made`, `token "next" made`},
		}},
		{"the same", ann, ann, Effect{Verb: "changed"}},
		{"a role", ann, with(func(a *Account) { a.Role = "author" }),
			Effect{Verb: "changed", Members: []string{"role editor to author"}}},
		{"an address", ann, with(func(a *Account) { a.Email = "ann@example.org" }),
			Effect{Verb: "changed", Members: []string{"email"}}},
		{"disabled", ann, with(func(a *Account) { a.Disabled = true }), Effect{Verb: "disabled"}},
		{"enabled", with(func(a *Account) { a.Disabled = true }), ann, Effect{Verb: "enabled"}},
		{"removed", ann, &Account{Login: "ann", Removed: true}, Effect{Verb: "removed"}},
		{"tokens", ann, with(func(a *Account) { a.Tokens = []Secret{next, plain} }), Effect{
			Verb:    "changed",
			Members: []string{"token in plain text made", `token "first" revoked`},
		}},
		{"tokens under the names of others", ann,
			with(func(a *Account) { a.Tokens = []Secret{forged, later} }),
			Effect{
				Verb:    "changed",
				Members: []string{`token "first" replaced`, `token "next" replaced`},
			}},
		{"feeds", with(func(a *Account) { a.Feeds = []Secret{first} }),
			with(func(a *Account) { a.Feeds = []Secret{filtered, next} }),
			Effect{Verb: "changed", Members: []string{`feed "first" replaced`, `feed "next" made`}}},
		{"signed in", ann, desk, Effect{
			Verb:    "changed",
			Members: []string{"signed in", "signed in", "link made"},
		}},
		{"signed out", desk, with(func(a *Account) { a.SignIns = desk.SignIns[1:] }), Effect{
			Verb:    "changed",
			Members: []string{"sign-in ended", "link ended"},
		}},
		{"marks of an older program", someone(2, "ann", "editor", marked, plain),
			someone(2, "ann", "editor", other, plain),
			Effect{Verb: "changed", Members: []string{`token "first" replaced`}}},
		{"hashes in the place of marks", someone(2, "ann", "editor", marked),
			someone(2, "ann", "editor", first), Effect{Verb: "changed"}},
		{"of a file", nil, &Account{SignIns: desk.SignIns[1:]},
			Effect{Verb: "changed", Members: []string{"signed in"}}},
	} {
		tt.want.Kind = Accounts
		tt.want.ID = tt.is.ID
		tt.want.Name = tt.is.Login
		equal(t, tt.name, tt.want, accountEffect(tt.was, tt.is))
	}
}

// The accounts outlive the lines that told of them: in snapshots, in older states, in archives,
// and when damage is skipped.
func TestAccountsOutlivePruning(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	now := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Hour); return now }
	s, err := Open(Options{
		Dir:      dir,
		Segment:  1,
		Snapshot: -1,
		Keep:     30 * 24 * time.Hour,
		Now:      clock,
	})
	must(t, err)
	closeAfter(t, s)
	check := func(what, dir string, want ...string) {
		t.Helper()
		equal(t, what, want, told(t, dir))
		report, err := Verify(t.Context(), dir, VerifyOptions{})
		if err != nil || report.Findings != nil {
			t.Errorf("%s: error %v, findings %v", what, err, report.Findings)
		}
	}
	admin := someone(1, "admin", "administrator")
	ann := someone(2, "ann", "editor")
	bob := someone(3, "bob", "author")
	put(t, s, admin, ann, bob)
	put(t, s, &Venue{Name: "Hall"})
	put(t, s, &Account{Meta: Meta{ID: 3}, Login: "bob", Removed: true})
	gone := s.Seq()
	for range 5 {
		must(t, s.Snapshot(t.Context()))
		now = now.Add(20 * 24 * time.Hour)
		put(t, s, &Venue{Name: "Hall"})
	}
	ann = someone(2, "ann", "author")
	put(t, s, ann)
	must(t, s.Check())
	if first := segmentsOf(t, reading(t, dir))[0]; first <= gone {
		t.Fatalf("the log begins with transaction %d: it was to be pruned past %d", first, gone)
	}
	now3 := []string{"administrator admin", "author ann", "removed"}
	check("pruned", dir, now3...)

	_, err = Restore(t.Context(), filepath.Join(parent, "older"), RestoreOptions{
		From: dir,
		Point: archive.Point{
			Seq: s.Seq() - 1,
		},
		Now: now,
	})
	must(t, err)
	check(
		"an older state",
		filepath.Join(parent, "older"),
		"administrator admin",
		"editor ann",
		"removed",
	)
	archive := filepath.Join(parent, "archive")
	_, err = Backup(t.Context(), archive, BackupOptions{Dir: dir, Now: now}.Pack)
	must(t, err)
	for _, skip := range []bool{false, true} {
		f, err := os.Open(archive)
		must(t, err)
		to := filepath.Join(parent, map[bool]string{false: "restored", true: "skipped"}[skip])
		_, err = Restore(t.Context(), to, RestoreOptions{Archive: f, SkipDamaged: skip, Now: now})
		must(t, err, f.Close())
		check(to, to, now3...)
	}

	if got := *s.Accounts(); len(got) != 3 || !got[2].Removed {
		t.Errorf("accounts %v", got)
	}
}

// Accounts in the log are visible to nobody: a change of them changes no state of a caller.
func TestAccountsAreUnseen(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	must(t, err)
	closeAfter(t, s)
	put(t, s, &Venue{Post: Post{Status: Publish, Author: 2}, Name: "Hall"})
	var before, after [32]byte
	head := func(into *[32]byte) { _ = s.View(func(v *View) error { *into = v.HeadFor(2); return nil }) }
	head(&before)
	put(t, s, someone(2, "ann", "editor"))
	if head(&after); before != after {
		t.Error("what an account sees has changed")
	}
	put3 := func(a Account) func(*Tx) error {
		a.ID = 3
		return func(tx *Tx) error { return tx.Put(&a) }
	}
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, f := range []func(tx *Tx) error{
		func(tx *Tx) error { return tx.Remove(Accounts, 2) },
		func(tx *Tx) error { return tx.Put(&Account{Login: "x", Role: "editor"}) },
		put3(Account{Login: "x", Role: "editor", By: "me"}),
		put3(Account{Role: "x", Removed: true}),
		put3(Account{Login: "x", Removed: true, SignIns: []SignIn{{SHA256: "1"}}}),
		put3(Account{Login: "x"}),
		put3(Account{Role: "editor"}),
		put3(Account{Disabled: true}),
		put3(Account{SignIns: []SignIn{{Created: late}}}),
		put3(Account{Links: []Link{{Expires: late}}}),
	} {
		if err := s.Update(0, f); err == nil {
			t.Error("an account was put or removed that cannot be")
		}
	}
	must(t, s.Check())
}

// Without a server a command writes the line, in the last segment, and makes no file.
func TestAccountLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := slog.New(slog.DiscardHandler)
	now := func() time.Time { return testTime }
	for _, dir := range []string{filepath.Join(dir, "none"), dir} {
		if l, err := OpenAccountLog(dir, now, log); l != nil || err != nil {
			t.Fatalf("without a log: %v, error %v", l, err)
		}
	}
	s, err := Open(Options{Dir: dir, Segment: 1})
	must(t, err)
	put(t, s, &Venue{Name: "Hall"})
	if _, err := OpenAccountLog(dir, now, log); !errors.Is(err, ErrInUse) {
		t.Errorf("beside a server: error %v", err)
	}
	must(t, s.Snapshot(t.Context()), s.Close())
	before := segmentsOf(t, reading(t, dir))
	l, err := OpenAccountLog(dir, now, log)
	must(t, err)
	put(t, l, someone(1, "admin", "administrator"))
	must(t, l.Close())
	equal(t, "segments", before, segmentsOf(t, reading(t, dir)))
	equal(t, "content", []string{"administrator admin"}, told(t, dir))
	s, err = Open(Options{Dir: dir})
	must(t, err)
	must(t, s.Check(), s.Close())
	equal(t, "transactions", uint64(3), s.Seq())
}
