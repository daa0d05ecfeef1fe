package adopt

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/store"
)

// With a login, drafts are read too. The password is in no output and in no file of the archive, and answers of different accounts are
// not in one archive.
func TestLogin(t *testing.T) {
	t.Parallel()
	const token = "alm_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	old := almanactest.Start(t, almanactest.Options{NoLimits: true, Tokens: map[account.Role]string{account.Editor: token,
		account.Subscriber: token + "0"}})
	status := func(s store.Status) func(*store.Event) { return func(e *store.Event) { e.Status = s } }
	old.Seed(almanactest.Event("Public").Starting("+1 day"), almanactest.Event("Draft").Starting("+2 days").With(status(store.Draft)),
		almanactest.Event("Private").Starting("+3 days").With(status(store.Private)))
	dir := t.TempDir()
	password, archive := filepath.Join(dir, "password"), filepath.Join(dir, "archive")
	if err := os.WriteFile(password, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-archive", archive, "-data", filepath.Join(dir, "data"), "-password-file", password}
	stdout, stderr, err := adoptNow(t, t.Context(), append(args, "-dry-run", "-login", "editor", old.URL)...)
	if err != nil || !slices.Contains(rows(stdout), "events 3 3") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	said := stdout + stderr
	_, _, err = adoptNow(t, t.Context(), append(args, "-login", "administrator", old.URL)...)
	if err == nil {
		t.Error("an archive has answers of two accounts")
	}
	said += fmt.Sprint(err)
	stdout, stderr, err = adoptNow(t, t.Context(), append(args, "-login", "editor", old.URL)...)
	if said += stdout + stderr; err != nil || !slices.Contains(rows(stdout), "events 3 3 3") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	subscriber := filepath.Join(dir, "subscriber")
	_, _, err = adoptNow(t, t.Context(), "-dry-run", "-archive", subscriber, "-login", "subscriber", "-password-file", password, old.URL)
	if err == nil || !strings.Contains(err.Error(), "login or its password is wrong") {
		t.Errorf("a wrong password: %v", err)
	}
	said += fmt.Sprint(err)
	if err := os.WriteFile(password, []byte(token+"0"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = adoptNow(t, t.Context(), "-dry-run", "-archive", subscriber, "-login", "subscriber", "-password-file", password, old.URL)
	if err == nil || !strings.Contains(err.Error(), `may the account "subscriber" edit events there?`) {
		t.Errorf("an account without rights: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(archive, "*")) // the pattern is right
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		said += string(text)
	}
	if strings.Contains(said, token) || !strings.Contains(said, `"login": "editor"`) {
		t.Errorf("the password is told, or the login is not:\n%s", said)
	}
}

// Damage in an archive is named, but for half a line at the end; a list that is missing is read, and not imported without the site.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	old, archive := oldSite(t), filepath.Join(t.TempDir(), "archive")
	events := filepath.Join(archive, "events.jsonl")
	if _, _, err := adoptNow(t, t.Context(), "-dry-run", "-archive", archive, old.URL); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.IndexByte(whole, '\n') + 1
	for name, text := range map[string][]byte{
		"a letter":        bytes.Replace(whole, []byte(`"title":"`), []byte(`"title":"X`), 1),
		"a line":          slices.Concat(whole[:second], []byte("nothing\n"), whole[second:]),
		"no answer":       slices.Concat(whole[:second], []byte(`{"fetched":{}}`+"\n")),
		"another object":  []byte("{}\n"),
		"an empty line":   slices.Concat([]byte("\n"), whole),
		"a shorter stamp": slices.Concat([]byte(`{"fetched":{"time"`+"\n"), whole),
	} {
		if err := os.WriteFile(events, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := adoptNow(t, t.Context(), "-data", filepath.Join(t.TempDir(), "data"), "-from", archive)
		if err == nil || !strings.Contains(err.Error(), "events.jsonl:") || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(events, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, err := adoptNow(t, t.Context(), "-data", filepath.Join(t.TempDir(), "data"), "-from", archive)
	if err == nil {
		t.Errorf("an archive without its last page is whole: %s", stderr)
	}
	a, err := openArchive(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, _, err := adoptNow(t, t.Context(), "-from", archive); err == nil {
		t.Error("two processes have an archive open")
	}
}

// A closed site is told with the ways around its API.
func TestClosedSite(t *testing.T) {
	t.Parallel()
	site := front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	_, _, err := adoptNow(t, t.Context(), "-archive", filepath.Join(t.TempDir(), "a"), site)
	for _, part := range []string{"Cloudflare", "almanac/test", "export of WordPress", "calendar file"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("said %v, want %s in it", err, part)
		}
	}
}
