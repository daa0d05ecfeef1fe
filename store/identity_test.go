// The identity of the calendar: where it is kept, and how damage and crashes leave it.

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// identified returns a source of one identity, for Options.
func identified(name string) func() string { return func() string { return name } }

// A directory gets its identity once, and keeps it when the line is pruned, in archives and in
// states of the past.
func TestIdentity(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	clock := testTime
	use := func(o Options, f func(*Store)) {
		t.Helper()
		clock = clock.Add(time.Hour)
		o.Dir = dir
		o.Now = func() time.Time { return clock }
		s, err := Open(o)
		must(t, err)
		f(s)
		must(t, s.Check(), s.Close())
	}
	expect := func(at, want string) {
		t.Helper()
		s, err := Peek(Options{Dir: at})
		must(t, err)
		if got := s.Identity(); got != want {
			t.Errorf("%s: identity %q, want %q", filepath.Base(at), got, want)
		}
		r, err := Verify(t.Context(), at, VerifyOptions{})
		if err != nil || len(r.Findings) > 0 || r.Identity != want {
			t.Errorf(
				"%s: verified with identity %q, findings %v, error %v",
				filepath.Base(at),
				r.Identity,
				r.Findings,
				err,
			)
		}
		must(t, s.Close())
	}
	add := func(s *Store) {
		t.Helper()
		must(t, s.Update(1, func(tx *Tx) error { return tx.Put(&Venue{Name: "Hall"}) }))
	}

	// One that was made before the first version that has identities.
	use(Options{}, add)
	expect(dir, "")
	use(Options{Identity: identified("first.example")}, add)
	expect(dir, "first.example")
	use(Options{
		Identity: func() string { t.Error("it has one already"); return "other.example" },
	}, func(s *Store) {
		must(t, s.Snapshot(t.Context()))
		add(s)
	})
	expect(dir, "first.example")

	log, err := OpenAccountLog(dir, func() time.Time { return clock }, nil)
	must(t, err)
	before, err := log.SetIdentity("second.example")
	if must(t, err, log.Close()); before != "first.example" {
		t.Errorf("the log had %q", before)
	}
	expect(dir, "second.example")

	past := func(point archive.Point, want string) {
		t.Helper()
		to := fmt.Sprint(dir, " at ", point.Seq)
		_, err := Restore(t.Context(), to, RestoreOptions{From: dir, Point: point, Now: testTime})
		must(t, err)
		expect(to, want)
	}
	past(archive.Point{Seq: 1}, "")
	past(archive.Point{Seq: 2}, "first.example")
	past(archive.Point{Seq: 3}, "first.example")
	past(archive.Point{}, "second.example")

	// The lines go, and the snapshots have it.
	use(Options{Keep: -1, Segment: 1}, func(s *Store) {
		for range 3 {
			add(s)
			must(t, s.Snapshot(t.Context()))
		}
	})
	for tr, err := range History(dir, nil) {
		if must(t, err); tr.Change.Identity != "" {
			t.Errorf("transaction %d is still there", tr.Seq)
		}
	}
	expect(dir, "second.example")
	_, err = Backup(t.Context(), dir+".tar", BackupOptions{Dir: dir, Now: testTime}.Pack)
	must(t, err)
	archive, err := os.Open(dir + ".tar")
	must(t, err)
	defer archive.Close()
	_, err = Restore(t.Context(), dir+" restored", RestoreOptions{Archive: archive, Now: testTime})
	must(t, err)
	expect(dir+" restored", "second.example")

	// A manifest that says another one is found, also when its own checksum is right.
	name := filepath.Join(
		dir+" restored",
		wal.SnapshotName(snapshotsOf(t, reading(t, dir+" restored"))[0]),
		"manifest.json",
	)
	text, err := os.ReadFile(name)
	must(t, err)
	m, err := wal.ParseManifest(text, record.SnapshotFiles)
	must(t, err)
	m.Identity = "forged.example"
	text, err = wal.EncodeSealed(m)
	must(t, err, os.WriteFile(name, text, 0o600))
	r, err := Verify(t.Context(), dir+" restored", VerifyOptions{})
	if err != nil || len(r.Findings) == 0 {
		t.Errorf("a forged manifest: error %v, findings %v", err, r.Findings)
	}
}

// A snapshot that no line names is held to the log as well.
func TestIdentityOfSnapshot(t *testing.T) {
	t.Parallel()
	m := newMemFiles()
	s, err := open(Options{Identity: identified("first.example"), Snapshot: -1}, m)
	must(t, err, s.Close())
	at := s.State().at
	at.Identity = "forged.example"
	must(t, record.WriteSnapshot(m, at, testTime, [kinds][]Record{}))
	r, err := verifyFiles(t.Context(), m, VerifyOptions{})
	if err != nil || len(r.Findings) != 1 ||
		!strings.Contains(
			r.Findings[0].Error(),
			`its identity is "forged.example", and the log leads to "first.example"`,
		) {
		t.Errorf("error %v, findings %v", err, r.Findings)
	}
}

// An id that a record had at a site of the same identity stays reserved when a snapshot was made.
func TestReservedIDs(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir(), Identity: identified("first.example")})
	must(t, err)
	put(t, s, &Event{Post: Post{Origins: []string{"first.example?id=500"}}})
	must(t, s.Snapshot(t.Context()))
	event := &Event{}
	put(t, s, event)
	equal(t, "id", int64(501), event.ID)
	must(t, s.Close())
}

// Whenever the machine stops while a directory gets its identity, the next start finds either none
// or the whole line, and goes on with one identity.
func TestIdentityCrash(t *testing.T) {
	t.Parallel()
	for _, survives := range []survival{none, all, some} {
		for n := 1; ; n++ {
			m := newMemFiles()
			m.dieAt = n
			s, err := open(Options{Identity: identified("first.example"), Snapshot: -1}, m)
			if err == nil {
				must(t, s.Close())
			}
			told := err == nil
			left := m.crash(survives, uint64(n))
			s, err = open(Options{Identity: identified("second.example"), Snapshot: -1}, left)
			must(t, err)
			got := s.Identity()
			must(t, s.Check(), s.Close())
			if got != "first.example" && (told || got != "second.example") {
				t.Errorf("dead before operation %d: identity %q", n, got)
			}
			if r, err := verifyFiles(t.Context(), left, VerifyOptions{}); err != nil ||
				len(r.Findings) > 0 ||
				r.Identity != got {
				t.Errorf(
					"dead before operation %d: identity %q, findings %v, error %v",
					n,
					r.Identity,
					r.Findings,
					err,
				)
			}
			if told {
				break
			}
		}
	}
}
