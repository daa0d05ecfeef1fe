package account_test

import (
	"bytes"
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

// recorder returns accounts whose uses are recorded, with the clock of the test.
func recorder(
	st *store.Store,
	uses string,
	now *time.Time,
	log *bytes.Buffer,
) *account.Directory {
	clock := func() time.Time { return *now }
	d := account.Of(st, clock, slog.New(slog.NewTextHandler(log, nil)))
	d.RecordUses(uses)
	return d
}

// used lists the times of use by user and name of the token.
func used(t *testing.T, st *store.Store, uses string) map[string]string {
	t.Helper()
	times, err := account.ReadUses(uses)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, l := range account.List(*st.Accounts(), times, noon) {
		for _, token := range l.Tokens {
			if !token.Used.IsZero() {
				all[l.Login+" "+token.Name] = token.Used.Format(time.RFC3339)
			}
		}
	}
	return all
}

func TestUses(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	file := filepath.Join(t.TempDir(), "used.json")
	var log bytes.Buffer
	now := noon.Add(-30 * time.Minute)
	d := recorder(st, file, &now, &log)
	use := func(header string, works bool) {
		t.Helper()
		if _, err := d.Authenticate(header); (err == nil) != works {
			t.Errorf("%s at %v: %v", header, now, err)
		}
	}
	use("Bearer first", true)
	use("Bearer old", true) // until noon
	use("Bearer abcd EFGH 1234", true)
	now = noon
	use("Bearer old", false)
	use("Bearer gone", false)
	now = noon.Add(3*time.Hour + 59*time.Minute)
	use(basic("admin", "first"), true)
	d.Close()
	want := map[string]string{
		"admin first": "2031-05-10T15:00:00Z",
		"admin old":   "2031-05-10T11:00:00Z",
		"Zoe token-1": "2031-05-10T11:00:00Z",
	}
	if diff := cmp.Diff(want, used(t, st, file)); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("first")) || bytes.Contains(data, []byte(sum("first"))) {
		t.Errorf("tokens are in the file: %s", data)
	}

	// Another server continues, and removes tokens that no longer exist.
	change(
		t,
		st,
		func(u *account.Users) error { _, err := u.Revoke("admin", "old"); return err },
	)
	now = noon.Add(24 * time.Hour)
	d = recorder(st, file, &now, &log)
	use("Bearer first", true)
	d.Close()
	use("Bearer first", true) // refused, but used
	want = map[string]string{"admin first": "2031-05-11T12:00:00Z", "Zoe token-1": "2031-05-10T11:00:00Z"}
	if diff := cmp.Diff(want, used(t, st, file)); diff != "" {
		t.Errorf("after a restart (-want, +got):\n%s", diff)
	}
	if data, err = os.ReadFile(file); err != nil ||
		strings.Contains(string(data), sum("old")[:16]) {
		t.Errorf("a token that is gone is remembered: %s, %v", data, err)
	}
	if log.Len() > 0 {
		t.Errorf("logged:\n%s", &log)
	}
}

// A token in constant use is written once an hour.
func TestUsesAreWrittenRarely(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	file := filepath.Join(t.TempDir(), "used.json")
	var log bytes.Buffer
	now := noon
	d := recorder(st, file, &now, &log)
	if _, err := d.Authenticate("Bearer first"); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	d = recorder(st, file, &now, &log)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				if _, err := d.Authenticate("Bearer first"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	d.Close()
	if err := os.Remove(file); err != nil {
		t.Errorf("the first use was not written: %v", err)
	}

	now = noon.Add(time.Minute)
	d = recorder(st, file, &now, &log)
	now = noon.Add(-time.Hour) // the clock is set back
	write(t, file, `{"tokens":{"`+sum("first")[:16]+`":"2031-05-10T12:00:00Z"}}`)
	d.Close()
	d = recorder(st, file, &now, &log)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := d.Authenticate("Bearer first"); err != nil {
			t.Fatal(err)
		}
	}
	d.Close()
	if _, err := os.Stat(file); err == nil {
		t.Error("an earlier use was written over a later one")
	}
}

// A file that cannot be read or written is logged once, and authentication works.
func TestUsesWithoutFile(t *testing.T) {
	t.Parallel()
	st := taken(t, users)
	file := filepath.Join(t.TempDir(), "used.json")
	write(t, file, `{"tokens":{"a":"yesterday"}}`)
	var log bytes.Buffer
	now := noon
	d := recorder(st, file, &now, &log)
	if !strings.Contains(log.String(), "written anew") {
		t.Errorf("a bad file was not reported: %s", &log)
	}
	d.Close()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	log.Reset()
	d = recorder(st, file, &now, &log)
	log.Reset()
	for range 3 {
		if a, err := d.Authenticate("Bearer first"); err != nil || a != admin {
			t.Errorf("%v, %v", a, err)
		}
		now = now.Add(time.Hour)
	}
	d.Close()
	if n := strings.Count(log.String(), "not written"); n != 1 {
		t.Errorf("reported %d times:\n%s", n, &log)
	}
}
