package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/site"
	"almanac/internal/text/caltime"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var (
	now     = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	formats = []string{".ics", ".csv", ".rss", ".atom", ".feed.json"}
)

// A world is a server with an account of each role, which has the role as login and token, and
// with a secret feed that has no filter.
type world struct {
	t       *testing.T
	handler http.Handler
	store   *store.Store
	log     bytes.Buffer
	secrets map[string]string // by login
	answers []string          // bodies and headers of all answers
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t:       t,
		secrets: map[string]string{},
	}
	clock := caltime.Frozen(now)
	var users []string
	for i, role := range account.Roles() {
		users = append(
			users,
			fmt.Sprintf(`{"id":%d,"login":%q,"role":%q,"token":"t-%s"}`, i+1, role, role, role),
		)
	}
	st, err := store.Open(store.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w.store = st
	older := t.TempDir()
	text := `{"users":[` + strings.Join(users, ",") + `]}`
	err = os.WriteFile(filepath.Join(older, "users.json"), []byte(text), 0o600)
	if err == nil {
		err = account.Take(st, older, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range account.Roles() {
		w.secrets[string(role)] = w.feed(string(role), "")
	}
	err = st.Update(1, func(tx *store.Tx) error {
		start := store.WallOf(now.AddDate(0, 0, 7))
		for i, status := range []store.Status{store.Publish, store.Draft, store.Pending, store.Private, store.Future, store.Trash} {
			for author, title := range map[int64]string{
				2: "editor",
				3: "author",
			} { // ids of the accounts
				e := &store.Event{
					Title:    "Event " + string(status) + " " + title,
					Timezone: "UTC",
					Start:    start + store.Wall(i),
					End:      start + 3600,
					Post: store.Post{
						Author:   author,
						Status:   status,
						Date:     now.AddDate(0, -1, 0),
						Modified: now.AddDate(0, -1, 0),
					},
				}
				if status == store.Future {
					e.Date = now.AddDate(1, 0, 0)
				}
				if err := tx.Put(e); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.handler, err = api.New(api.Options{
		Store:    st,
		Accounts: account.Of(st, clock.Now, nil),
		Clock:    clock,
		Pages:    true,
		Shared:   time.Minute,
		Also:     "/wp-json/tribe/events/v1",
		Logger: slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{
			Level: slog.LevelDebug,
		})),
	},
		almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// change changes the accounts.
func (w *world) change(f func(*account.Users) error) {
	w.t.Helper()
	if err := account.Change(w.store, now, f); err != nil {
		w.t.Fatal(err)
	}
}

// feed makes a secret feed.
func (w *world) feed(login, filter string) (secret string) {
	w.t.Helper()
	w.change(func(u *account.Users) (err error) {
		secret, _, err = u.AddFeed(login, "", filter, time.Time{})
		return err
	})
	return secret
}

// ask sends a request with header fields.
func (w *world) ask(method, target string, fields ...string) *httptest.ResponseRecorder {
	w.t.Helper()
	var body *strings.Reader
	r := httptest.NewRequest(method, "http://example.com"+target, nil)
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "body" {
			body = strings.NewReader(fields[i+1])
			r = httptest.NewRequest(method, "http://example.com"+target, body)
			r.Header.Set("Content-Type", "application/json")
			continue
		}
		r.Header.Set(fields[i], fields[i+1])
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	w.answers = append(w.answers, fmt.Sprint(target, " ", rec.Header(), rec.Body)[len(target):])
	return rec
}

var title = regexp.MustCompile(`Event [a-z]+ [a-z]+`)

// titles returns the events of a feed.
func titles(rec *httptest.ResponseRecorder) string {
	all := title.FindAllString(strings.ReplaceAll(rec.Body.String(), "\r\n ", ""), -1)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// A secret feed has the events that its account sees with a token at the public address, in every
// format and language, and by every notation of the address. No other account, no parameter and no
// body changes that.
func TestFeedsOfRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const everything = "Event draft author, Event draft editor, Event future author, Event future editor, Event pending author, " +
		"Event pending editor, Event private author, Event private editor, Event publish author, Event publish editor"
	const public = "Event publish author, Event publish editor"
	want := map[string]string{
		"administrator": everything,
		"editor":        everything,
		"author": "Event draft author, Event future author, " +
			"Event pending author, Event private author, " + public,
		"contributor": public,
		"subscriber":  public,
	}
	for login, secret := range w.secrets {
		for _, format := range formats {
			for range 3 { // the answer is remembered
				if got := titles(w.ask("GET", "/feeds/"+secret+"/events"+format)); got != want[login] {
					t.Errorf("%s%s: %s", login, format, cmp.Diff(want[login], got))
				}
			}
			if got := titles(w.ask("GET", "/cal/events/v1/events"+format, "Authorization", "Bearer t-"+login)); got != want[login] {
				t.Errorf("with a token, %s%s: %s", login, format, cmp.Diff(want[login], got))
			}
			if got := titles(w.ask("GET", "/cal/events/v1/events"+format)); got != public {
				t.Errorf("everybody has of %s: %s", format, got)
			}
		}
	}
	own := "/feeds/" + w.feed(
		"editor",
		"status=private,publish&months=12&search=author",
	) + "/events.ics"
	wanted := "Event private author, Event publish author"
	for name, rec := range map[string]*httptest.ResponseRecorder{
		"as it is":        w.ask("GET", own),
		"a query":         w.ask("GET", own+"?status=any&starts_after=2032-01-01&_fields=id&_envelope=1&password=x"),
		"a body":          w.ask("GET", own, "body", `{"status":"any","search":"event"}`),
		"another account": w.ask("GET", own, "Authorization", "Bearer t-subscriber"),
		"no account":      w.ask("GET", own, "Authorization", "Bearer nobody's"),
		"a language":      w.ask("GET", "/de"+own),
		"the other path":  w.ask("GET", "/wp-json"+own),
		"rest_route":      w.ask("GET", "/?rest_route="+url.QueryEscape(own)),
		"capitals":        w.ask("GET", strings.ToUpper(own)),
		"index.php":       w.ask("GET", "/index.php"+own+"/"),
		"slashes":         w.ask("GET", strings.ReplaceAll(own, "/events", "//events")),
		"escaped":         w.ask("GET", "/%66eeds"+own[len("/feeds"):]),
	} {
		if got := titles(rec); got != wanted || rec.Code != http.StatusOK {
			t.Errorf("%s: %d %s", name, rec.Code, cmp.Diff(wanted, got))
		}
	}
	german := w.ask("GET", "/de/feeds/"+w.secrets["editor"]+"/events.rss").Body.String()
	if !strings.Contains(german, "<language>de</language>") {
		t.Errorf("the language of the address is not that of the feed: %s", german)
	}
	w.noSecrets()
}

// noSecrets looks for the secrets in everything that was answered or logged.
func (w *world) noSecrets() {
	w.t.Helper()
	accounts, err := json.Marshal(w.store.Accounts())
	if err != nil {
		w.t.Fatal(err)
	}
	for login, secret := range w.secrets {
		for where, text := range map[string]string{
			"log":     w.log.String(),
			"store":   string(accounts),
			"answers": strings.Join(w.answers, "\n"),
		} {
			if at := strings.Index(strings.ToLower(text), secret); at >= 0 {
				w.t.Errorf(
					"the secret of %s is in the %s: %.300s",
					login,
					where,
					text[max(0, at-200):],
				)
			}
		}
	}
	if !strings.Contains(w.log.String(), "path=/feeds/***/events.ics") {
		w.t.Errorf("the log has no request of a feed: %.2000s", &w.log)
	}
}

// One reader keeps an answer and asks for it again by its tag. Shared caches do not, and no other
// site learns the address.
func TestHeaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, format := range formats {
		path := "/feeds/" + w.secrets["editor"] + "/events" + format
		first := w.ask("GET", path, "Origin", "https://elsewhere.example")
		same := w.ask("GET", path, "If-None-Match", first.Header().Get("ETag"))
		head := w.ask("HEAD", path)
		if first.Code != http.StatusOK || head.Code != http.StatusOK ||
			same.Code != http.StatusNotModified ||
			same.Body.Len() > 0 {
			t.Errorf("%s: %d, %d, and with its tag %d", format, first.Code, head.Code, same.Code)
		}
		for _, rec := range []*httptest.ResponseRecorder{first, same, head} {
			h := rec.Header()
			got := []string{
				h.Get("Cache-Control"),
				h.Get("Referrer-Policy"),
				h.Get("X-Robots-Tag"),
				h.Get("Access-Control-Allow-Credentials"),
				strings.Join(h["Link"], ","),
			}
			want := []string{"private, no-cache", "no-referrer", "noindex", ""}
			if diff := cmp.Diff(want, got[:4]); diff != "" || strings.Contains(got[4], "events.") {
				t.Errorf("%s: %d: %s %s", format, rec.Code, diff, got[4])
			}
		}
		for _, sign := range []string{"SOURCE", `rel="self"`, `rel="next"`, "feed_url", "next_url", "/feeds"} {
			if strings.Contains(first.Body.String(), sign) {
				t.Errorf("%s: %s is in %.1000s", format, sign, first.Body)
			}
		}
	}
	paged := w.ask("GET", "/feeds/"+w.feed("editor", "per_page=2")+"/events.rss")
	if n := strings.Count(paged.Body.String(), "<item>"); n != 2 ||
		strings.Contains(paged.Body.String(), `"next"`) ||
		len(paged.Header()["Link"]) != 1 {
		t.Errorf("a page of two: %d items, %v", n, paged.Header()["Link"])
	}
	id := func(path string) string {
		return regexp.MustCompile(`(?m)^<id>.*</id>$`).
			FindString(w.ask("GET", path, "Authorization", "Bearer t-editor").Body.String())
	}
	ids := []string{
		id("/feeds/" + w.secrets["editor"] + "/events.atom"),
		id("/feeds/" + w.secrets["author"] + "/events.atom"),
		id("/cal/events/v1/events.atom"),
	}
	if slices.Sort(ids); ids[0] == "" || len(slices.Compact(ids)) != 3 {
		t.Errorf("the ids of three feeds are %v", ids)
	}
	w.noSecrets()
}

// A text that is no secret of a feed now is answered like every other text: with the same bytes,
// and never from the cache.
func TestRefusedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := map[string]string{}
	revoked := w.feed("editor", "")
	w.secrets["revoked"] = revoked
	tags := map[string]string{}
	for login, secret := range w.secrets {
		for range 3 {
			tags[login] = w.ask("GET", "/feeds/"+secret+"/events.ics").Header().Get("ETag")
		}
		old[login] = secret
	}
	w.change(func(u *account.Users) error {
		if err := u.RevokeFeed("editor", "feed-2"); err != nil {
			return err
		}
		_, err := u.Disable("author", false)
		if err == nil {
			_, err = u.Remove("contributor", false)
		}
		return err
	})
	for _, format := range append(formats, ".none") {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			unknown := w.ask(method, "/feeds/"+strings.Repeat("0", 64)+"/events"+format)
			if method != "OPTIONS" && unknown.Code != http.StatusNotFound {
				t.Errorf("%s %s: %d", method, format, unknown.Code)
			}
			for name, secret := range map[string]string{
				"revoked":  revoked,
				"disabled": old["author"],
				"removed":  old["contributor"],
				"a token":  "t-editor",
				"short":    "x",
				"long":     strings.Repeat("f", 900),
				"a hash":   strings.Repeat("ab", 32),
			} {
				login := map[string]string{
					"disabled": "author",
					"removed":  "contributor",
					"revoked":  "revoked",
				}[name]
				got := w.ask(
					method,
					"/feeds/"+secret+"/events"+format,
					"If-None-Match",
					tags[login],
				)
				if got.Code != unknown.Code ||
					!bytes.Equal(got.Body.Bytes(), unknown.Body.Bytes()) {
					t.Errorf(
						"%s %s: %s: %d %s, not as unknown: %d %s",
						method,
						format,
						name,
						got.Code,
						got.Body,
						unknown.Code,
						unknown.Body,
					)
				}
				if diff := cmp.Diff(unknown.Header(), got.Header()); diff != "" {
					t.Errorf("%s %s: %s: %s", method, format, name, diff)
				}
			}
		}
	}
	for _, path := range []string{"/feeds", "/feeds/" + revoked, "/feeds/" + w.secrets["editor"], "/feeds//events.ics"} {
		if rec := w.ask("GET", path, "Accept", "text/html"); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}

	// With another role, the same address has the events that the role sees, and another tag.
	path := "/feeds/" + w.secrets["editor"] + "/events.ics"
	w.change(
		func(u *account.Users) error { _, err := u.SetRole("editor", account.Subscriber, false); return err },
	)
	for range 3 {
		rec := w.ask("GET", path, "If-None-Match", tags["editor"])
		if got := titles(rec); rec.Code != http.StatusOK ||
			got != "Event publish author, Event publish editor" ||
			rec.Header().Get("ETag") == tags["editor"] {
			t.Errorf("a subscriber from now on: %d %s", rec.Code, got)
		}
	}
	filtered := w.feed("author", "status=private")
	w.change(func(u *account.Users) error {
		_, err := u.Enable("author")
		if err == nil {
			_, err = u.SetRole("author", account.Subscriber, false)
		}
		return err
	})
	if rec := w.ask("GET", "/feeds/"+filtered+"/events.ics"); rec.Code != http.StatusBadRequest ||
		titles(rec) != "" {
		t.Errorf("a filter beyond the role: %d %s", rec.Code, rec.Body)
	}
	w.noSecrets()
}

func TestCheckFilter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		role         account.Role
		query, error string
	}{
		{account.Subscriber, "", ""}, {account.Subscriber, "?categories=choir&tags=a,b&months=12", ""},
		{account.Subscriber, "venue=7&organizer[]=3&include=1,2&series=none&first_of_series=true", ""},
		{account.Subscriber, "start_date=today&end_date=2032-01-01&when=week&per_page=20&expand=true&status_prefix=false", ""},
		{account.Editor, "status=any", ""}, {account.Editor, "status=private,publish", ""},
		{account.Subscriber, "status=private", "the filter: status must be publish: other records are not shown to you."},
		{account.Editor, "status=privat", "the filter: status must be a list of publish, future, draft, pending, private and trash, or any."},
		{account.Editor, "months=0&geoloc_lat=x",
			"the filter: geoloc_lat must be a number in decimal digits. months must be a whole number from 1 to 1200."},
		{account.Editor, "category=choir", `the filter has ["category"], which is no parameter that a feed keeps; docs/feeds.md names them`},
		{account.Editor, "password=pw&page=2&_fields=id", `the filter has ["_fields" "page" "password"], which is no parameter that a feed ` +
			`keeps; docs/feeds.md names them`},
		{account.Editor, "tags=a b", `the filter "tags=a b" must be a query as it stands in an address, such as categories=music&months=12`},
		{account.Editor, "tags=%zz", `the filter "tags=%zz" must be a query as it stands in an address, such as categories=music&months=12`},
		{account.Editor, "search=" + strings.Repeat("x", 1993), ""},
		{account.Editor, "search=" + strings.Repeat("x", 1994), "the filter has 2001 bytes, at most 2000 are kept"},
	} {
		got, err := site.CheckSecretFilter(account.Account{ID: 1, Role: tt.role}, tt.query, now)
		if fmt.Sprint(err) != tt.error && (err != nil || tt.error != "") ||
			err == nil && got != strings.TrimPrefix(tt.query, "?") {
			t.Errorf("%s: %q: %q with error %v, want %q", tt.role, tt.query, got, err, tt.error)
		}
	}
}
