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

// someone is an account as a file has it.
func someone(id int64, login, role string, tokens ...AccountToken) *Account {
	return &Account{Meta: Meta{ID: id}, Login: login, Role: role, Tokens: tokens}
}

// told returns what the log of a directory tells of accounts, as file and number have it.
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

func TestRollDifferences(t *testing.T) {
	t.Parallel()
	first := AccountToken{Name: "first", Fingerprint: "1"}
	next := AccountToken{Name: "next", Expires: "2031-01-01T00:00:00Z", Fingerprint: "2"}
	later := next
	forged := first
	unmarked := first
	later.Expires = "2032-01-01T00:00:00Z"
	forged.Fingerprint = "3"
	unmarked.Fingerprint = ""
	disabled := someone(2, "ann", "editor", first, next)
	addressed := someone(2, "ann", "editor", first, next)
	disabled.Disabled = true
	addressed.Email = "ann@example.org"
	known := []*Account{
		someone(1, "admin", "administrator", unmarked),
		someone(2, "ann", "editor", first, next),
		{Meta: Meta{ID: 4}, Removed: true},
	}
	admin := known[0]
	feed := first
	filtered := first
	filtered.Filter = "tags=choir"
	fed := someone(2, "ann", "editor", first, next)
	fed.Feeds = []AccountToken{feed}
	for _, tt := range []struct {
		name string
		file Roll
		want []Effect
	}{
		{"the same, in another order", Roll{Accounts: known[:2], Last: 4}, nil},
		{"a role", Roll{
			Accounts: []*Account{admin, someone(2, "ann", "administrator", first, next)},
			Last:     0,
		},
			[]Effect{{Accounts, 2, "changed", "ann", []string{"role editor to administrator"}}}},
		{"another login", Roll{
			Accounts: []*Account{admin, someone(2, "Ann", "editor", first, next)},
			Last:     0,
		},
			[]Effect{{Accounts, 2, "changed", "Ann", []string{"login"}}}},
		{"an address", Roll{
			Accounts: []*Account{admin, addressed},
			Last:     0,
		}, []Effect{{Accounts, 2, "changed", "ann", []string{"email"}}}},
		{"disabled", Roll{
			Accounts: []*Account{admin, disabled},
			Last:     0,
		}, []Effect{{Accounts, 2, "disabled", "ann", nil}}},
		{"tokens", Roll{
			Accounts: []*Account{admin, someone(2, "ann", "editor", next, AccountToken{
				Plain: true,
			})},
			Last: 0,
		},
			[]Effect{{Accounts, 2, "changed", "ann", []string{"token in plain text made", `token "first" revoked`}}}},
		{"a token under the name of another", Roll{
			Accounts: []*Account{admin, someone(2, "ann", "editor", forged, later)},
			Last:     0,
		},
			[]Effect{{Accounts, 2, "changed", "ann", []string{`token "first" replaced`, `token "next" replaced`}}}},
		{"the key of marks is new", Roll{
			Accounts: []*Account{someone(1, "admin", "administrator", first), known[1]},
			Last:     0,
		},
			[]Effect{{Accounts, 1, "changed", "admin", []string{`token "first" can be told from others`}}}},
		{"two", Roll{
			Accounts: []*Account{admin, known[1], someone(7, "zoe", "author"), someone(4, "bob", "author")},
			Last:     9,
		},
			[]Effect{{Accounts, 4, "restored", "bob", []string{"role author"}}, {Accounts, 7, "created", "zoe", []string{"role author"}},
				{Accounts, 9, "removed", "", nil}}},
		{"all are gone", Roll{}, []Effect{{Accounts, 1, "removed", "admin", nil}, {Accounts, 2, "removed", "ann", nil}}},
		{"a feed", Roll{
			Accounts: []*Account{admin, fed},
		}, []Effect{{Accounts, 2, "changed", "ann", []string{`feed "first" made`}}}},
	} {
		equal(t, tt.name, tt.want, tt.file.Differences(known))
	}
	refiltered := *fed
	refiltered.Feeds = []AccountToken{filtered}
	equal(
		t,
		"another filter",
		[]Effect{{Accounts, 2, "changed", "ann", []string{`feed "first" replaced`}}},
		Roll{
			Accounts: []*Account{admin, &refiltered},
		}.Differences([]*Account{known[0], fed, known[2]}),
	)
	equal(
		t,
		"a feed less",
		[]Effect{{Accounts, 2, "changed", "ann", []string{`feed "first" revoked`}}},
		Roll{Accounts: known[:2]}.Differences([]*Account{known[0], fed, known[2]}),
	)
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
	note := func(want int, accounts ...*Account) {
		t.Helper()
		noted, err := s.NoteAccounts(ByReload, Roll{Accounts: accounts})
		if err != nil || len(noted) != want {
			t.Fatalf("noted %v, error %v, want %d", noted, err, want)
		}
	}
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
	note(3, admin, ann, bob)
	note(0, admin, ann, bob)
	put(t, s, &Venue{Name: "Hall"})
	note(1, admin, ann)
	gone := s.Seq()
	for range 5 {
		must(t, s.Snapshot(t.Context()))
		now = now.Add(20 * 24 * time.Hour)
		put(t, s, &Venue{Name: "Hall"})
	}
	ann = someone(2, "ann", "author")
	note(1, admin, ann)
	must(t, s.Check())
	if first := segmentsOf(t, reading(t, dir))[0]; first <= gone {
		t.Fatalf("the log begins with transaction %d: it was to be pruned past %d", first, gone)
	}
	now3 := []string{"administrator admin", "author ann", "removed"}
	check("pruned", dir, now3...)
	if last, err := LastAccount(t.Context(), dir); err != nil || last != 3 {
		t.Errorf("the last account is %d, error %v", last, err)
	}

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

	// In memory they are forked with all else.
	must(t, s.View(func(v *View) error {
		if got := v.Accounts(); len(got) != 3 || !got[2].Removed {
			t.Errorf("accounts %v", got)
		}
		return nil
	}))
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
	_, err = s.NoteAccounts(ByFound, Roll{Accounts: []*Account{someone(2, "ann", "editor")}})
	must(t, err)
	if head(&after); before != after {
		t.Error("what an account sees has changed")
	}
	for _, f := range []func(tx *Tx) error{
		func(tx *Tx) error { return tx.Remove(Accounts, 2) },
		func(tx *Tx) error { return tx.Put(&Account{Login: "x", Role: "editor", By: ByFound}) },
		func(tx *Tx) error {
			return tx.Put(&Account{
				Meta: Meta{
					ID: 3,
				},
				Login: "x",
				Role:  "editor",
				By:    "me",
			})
		},
		func(tx *Tx) error {
			return tx.Put(&Account{
				Meta: Meta{
					ID: 3,
				},
				Role:    "x",
				Removed: true,
				By:      ByFound,
			})
		},
		func(tx *Tx) error { return tx.Put(&Account{Meta: Meta{ID: 3}, By: ByFound}) },
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
	admin := Roll{Accounts: []*Account{someone(1, "admin", "administrator")}}
	for _, roll := range []Roll{admin, admin, {Last: 5}} {
		_, err := l.NoteAccounts(ByCommand, roll)
		must(t, err)
	}
	must(t, l.Close())
	equal(t, "segments", before, segmentsOf(t, reading(t, dir)))
	equal(t, "content", []string{"removed", "removed"}, told(t, dir))
	s, err = Open(Options{Dir: dir})
	must(t, err)
	must(t, s.Check(), s.Close())
	equal(t, "transactions", uint64(4), s.Seq())
}
