package adopt

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/write/intake"
	"almanac/store"
)

// With a login, drafts are read too. The password is in no output and in no file of the archive,
// and answers of different accounts are not in one archive.
func TestLogin(t *testing.T) {
	t.Parallel()
	const token = "alm_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	old := almanactest.Start(t, almanactest.Options{
		NoLimits: true,
		Tokens: map[account.Role]string{
			account.Editor:     token,
			account.Subscriber: token + "0",
		},
	})
	status := func(s store.Status) func(*store.Event) { return func(e *store.Event) { e.Status = s } }
	old.Seed(
		almanactest.Event("Public").Starting("+1 day"),
		almanactest.Event("Draft").Starting("+2 days").With(status(store.Draft)),
		almanactest.Event("Private").Starting("+3 days").With(status(store.Private)),
	)
	dir := t.TempDir()
	password := filepath.Join(dir, "password")
	archive := filepath.Join(dir, "archive")
	if err := os.WriteFile(password, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-archive",
		archive,
		"-data",
		filepath.Join(dir, "data"),
		"-password-file",
		password,
	}
	stdout, stderr, err := adoptNow(
		t,
		t.Context(),
		append(args, "-dry-run", "-login", "editor", old.URL)...)
	if err != nil || !slices.Contains(rows(stdout), "events 3 3") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	said := stdout + stderr
	_, _, err = adoptNow(
		t,
		t.Context(),
		"-archive",
		archive,
		"-data",
		filepath.Join(dir, "data"),
		old.URL,
	)
	if err == nil || !strings.Contains(err.Error(), "name another directory") {
		t.Errorf("an archive has answers to two logins: %v", err)
	}
	said += fmt.Sprint(err)
	stdout, stderr, err = adoptNow(t, t.Context(), append(args, "-login", "editor", old.URL)...)
	if said += stdout + stderr; err != nil || !slices.Contains(rows(stdout), "events 3 3 3") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	subscriber := filepath.Join(dir, "subscriber")
	_, _, err = adoptNow(
		t,
		t.Context(),
		"-dry-run",
		"-archive",
		subscriber,
		"-login",
		"subscriber",
		"-password-file",
		password,
		old.URL,
	)
	if err == nil || !strings.Contains(err.Error(), "login or its password is wrong") {
		t.Errorf("a wrong password: %v", err)
	}
	said += fmt.Sprint(err)
	if err := os.WriteFile(password, []byte(token+"0"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = adoptNow(
		t,
		t.Context(),
		"-dry-run",
		"-archive",
		subscriber,
		"-login",
		"subscriber",
		"-password-file",
		password,
		old.URL,
	)
	if err == nil ||
		!strings.Contains(err.Error(), `may the account "subscriber" edit events there?`) {
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

// Damage in an archive is named, but for half a line at the end; a list that is missing is read,
// and not imported without the site.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	old := oldSite(t)
	archive := filepath.Join(t.TempDir(), "archive")
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
		_, _, err := adoptNow(
			t,
			t.Context(),
			"-data",
			filepath.Join(t.TempDir(), "data"),
			"-archive",
			archive,
			old.URL,
		)
		if err == nil || !strings.Contains(err.Error(), "events.jsonl:") ||
			!strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(events, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, err := adoptNow(
		t,
		t.Context(),
		"-data",
		filepath.Join(t.TempDir(), "data"),
		"-archive",
		archive,
		old.URL,
	)
	if err == nil {
		t.Errorf("an archive without its last page is whole: %s", stderr)
	}
	a, err := openArchive(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, _, err := adoptNow(t, t.Context(), "-archive", archive, old.URL); err == nil {
		t.Error("two processes have an archive open")
	}
}

// A closed site is told with the ways around its API, and leaves no archive behind.
func TestClosedSite(t *testing.T) {
	t.Parallel()
	site := front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	archive := filepath.Join(t.TempDir(), "a")
	_, _, err := adoptNow(t, t.Context(), "-archive", archive, site)
	if _, statErr := os.Stat(archive); statErr == nil {
		t.Error("there is an archive")
	}
	for _, part := range []string{"Cloudflare", "almanac/", "export of WordPress", "calendar file"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("said %v, want %s in it", err, part)
		}
	}
}

// fake is a site with lists of records, and a picture.
func fake(t *testing.T, lists map[string]string, pictures *atomic.Int64) string {
	t.Helper()
	var site string
	site = front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, r *http.Request) bool {
		_, name, isAPI := strings.Cut(r.URL.Path, "/tribe/events/v1/")
		switch {
		case strings.HasSuffix(r.URL.Path, ".png"):
			pictures.Add(1)
			if err := png.Encode(w, image.NewGray(image.Rect(0, 0, 2, 3))); err != nil {
				t.Error(err)
			}
		case isAPI && lists[name] != "":
			fmt.Fprint(w, strings.ReplaceAll(lists[name], "SITE", site))
		case isAPI:
			fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, name)
		default:
			fmt.Fprint(w, "<html>")
		}
		return true
	})
	return site
}

// Pictures come along once, from the site, into a running server too.
func TestPictures(t *testing.T) {
	t.Parallel()
	var pictures atomic.Int64
	site := fake(
		t,
		map[string]string{
			"events": `{"total":1,"total_pages":1,"events":[{"id":7,"global_id":"127.0.0.1?id=7","title":"Choir",
		"slug":"choir","url":"SITE/event/choir/","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00","timezone":"UTC",
		"all_day":false,"image":{"id":8,"url":"SITE/wp-content/uploads/a.png","width":2,"height":3}}]}`,
		},
		&pictures,
	)
	ours := almanactest.Start(t, almanactest.Options{NoLimits: true})
	archive := filepath.Join(t.TempDir(), "archive")
	for range 2 {
		stdout, stderr, err := adoptNow(
			t,
			t.Context(),
			"-to",
			ours.URL,
			"-token",
			ours.Token,
			"-archive",
			archive,
			"-fetch-pictures",
			site,
		)
		if err != nil || !slices.Contains(rows(stdout), "events 1 1 1") {
			t.Fatalf("%v\n%s%s", err, stdout, stderr)
		}
	}
	shown, _ := fetch(t, ours.URL+v1+"/events/by-slug/choir")["image"].(map[string]any)
	if address, _ := shown["url"].(string); !strings.HasPrefix(address, "/") ||
		pictures.Load() != 1 {
		t.Errorf("the picture is %v, and was fetched %d times", shown, pictures.Load())
	}
}

// Pictures come from the host that was named, at its port, and from no other private address,
// whatever records say of their site.
func TestPrivatePictures(t *testing.T) {
	t.Parallel()
	private := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a private address was asked for %s", r.URL)
	}))
	defer private.Close()
	var pictures atomic.Int64
	site := fake(t, map[string]string{"events": `{"total":1,"total_pages":1,"events":[{
		"id":7,"global_id":"127.0.0.1?id=7","title":"Choir","url":"` + private.URL + `/event/choir/",
		"start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00","image":"/reboot",
		"description":"<img src='SITE/b.png'><img src='http://localhost/c.png'>"}]}`}, &pictures)
	data := filepath.Join(t.TempDir(), "data")
	for range 2 {
		archive := filepath.Join(t.TempDir(), "archive")
		_, stderr, err := adoptNow(t, t.Context(), "-data", data, "-archive", archive,
			"-fetch-pictures", site)
		private := strings.Count(stderr, "is an address of a private network")
		refused := strings.Count(stderr, " (images ")
		if err == nil || refused != 2 || private != 2 || pictures.Load() != 1 {
			t.Errorf("%d refused, %d fetched: %v\n%s", refused, pictures.Load(), err, stderr)
		}
	}
}

// A site that answers anything is read to an end, and nothing of it leads to a panic or to another
// kind of record.
func TestHostileSite(t *testing.T) {
	t.Parallel()
	const event = `{"id":7,"title":"E","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00"`
	for name, test := range map[string]struct{ events, want string }{
		"no records":        {`{"total":"x","total_pages":[],"events":[1,"a",null,[],{},{"id":{}},{"id":"7"}]}`, "events 0 2 0"},
		"the same for ever": {`{"total":1000000,"total_pages":20000,"next_rest_url":"x","events":[` + event + `}]}`, "events 1000000 1 1"},
		"other kinds": {`{"total":1,"images":[{"id":1,"url":"x"}],"series":[{}],"venues":[{"venue":"V"}],"events":[` + event + `}]}`,
			"events 1 1 1"},
		"an export": {`{"exact":true,"total":1,"images":[{"id":1,"url":"x"}],"events":[` + event + `}]}`, "events 1 1 1"},
		"members of any type": {`{"total":1,"events":[` + event + `,"venue":7,"organizer":{"id":[]},"tags":[[{"id":1}]],"ticketed":"x",
			"all_day":[]}]}`, ""},
		"a stamp of its own":     {`{"fetched":{"pass":9,"page":9},"total":1,"events":[` + event + `}]}`, "events 1 1 1"},
		"dates that are no":      {`{"total":1,"events":[{"id":7,"title":"E","start_date":"\u001b[31m\n","date_utc":"x"}]}`, ""},
		"numbers without bound":  {`{"total":99999999999999999999,"total_pages":-5,"events":[` + event + `}]}`, "events 0 1 1"},
		"bytes that are no text": {`{"total":1,"events":[` + event + ",\"description\":\"\xff\xfe\"}]}", ""},
		"deep lists": {`{"total":1,"events":[` + event + `,"venue":` + strings.Repeat("[", 9000) +
			strings.Repeat("]", 9000) + `}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := fake(t, map[string]string{"events": test.events}, nil)
			stdout, stderr, err := adoptNow(
				t,
				t.Context(),
				"-data",
				filepath.Join(t.TempDir(), "data"),
				"-archive",
				filepath.Join(t.TempDir(), "archive"),
				"-partial",
				site,
			)
			if err != nil || test.want != "" && !slices.Contains(rows(stdout), test.want) ||
				strings.Contains(stdout+stderr, "\x1b") {
				t.Errorf("%v\n%s%.2000s", err, stdout, stderr)
			}
			if isMissing := strings.Contains(stderr, "events: 2 of 2 are missing here"); isMissing != (name == "no records") {
				t.Errorf("missing records are told, or not:\n%.2000s", stderr)
			}
		})
	}
}

// A list that disagrees with its total is read three times.
func TestPasses(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	site := front(t, "http://127.0.0.1:1", func(w http.ResponseWriter, r *http.Request) bool {
		_, name, isAPI := strings.Cut(r.URL.Path, "/tribe/events/v1/")
		switch {
		case name == "events" && r.URL.Query().Get("page") == "1":
			asked.Add(1)
			fmt.Fprint(w, `{"total":2,"total_pages":1,"events":[{"id":7,"title":"Choir"}]}`)
		case isAPI:
			fmt.Fprintf(w, `{"%s":[],"total":0,"total_pages":0}`, name)
		default:
			fmt.Fprint(w, "<html>")
		}
		return true
	})
	directory := t.TempDir()
	_, stderr, err := adoptNow(
		t,
		t.Context(),
		"-data",
		filepath.Join(directory, "data"),
		"-archive",
		filepath.Join(directory, "archive"),
		"-partial",
		site,
	)
	if asked.Load() != passesMost ||
		!strings.Contains(stderr, "events: the site says 2 and shows 1") {
		t.Errorf("%d passes, %v:\n%s", asked.Load(), err, stderr)
	}
}

// What a site can make an adoption keep is bounded: bytes of a list on disk, and ids of records in
// memory.
func TestBounds(t *testing.T) {
	t.Parallel()
	page := []byte(`{"events":[{"id":1}],"total":1}`)
	p := &pass{ids: map[int64]bool{}, size: listMost - int64(len(page))}
	if err := p.add("events", stamp{}, page); err != nil {
		t.Error(err)
	}
	const want = "there is no end: the site lists more than 1000000 events, 20000 pages or 4 GiB"
	err := p.add("events", stamp{}, page)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%d bytes: %v, want %s", p.size, err, want)
	}
	table := newTable(&archive{})
	var b strings.Builder
	for id := range 300_000 {
		fmt.Fprintf(&b, `,{"id":1%07d}`, id)
	}
	for n := range 5 {
		venues := strings.ReplaceAll(b.String()[1:], `"id":1`, fmt.Sprintf(`"id":%d`, n+1))
		record := fmt.Sprintf(`{"id":%d,"venue":[%s]}`, n+1, venues)
		table.see(intake.Item{Kind: "events", Record: []byte(record)})
	}
	if n := len(table.ids["venues"]); n != recordsMost {
		t.Errorf("%d ids of venues are kept, want %d", n, recordsMost)
	}
}
