package desk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var (
	now   = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	roles = account.Roles() // their accounts have the ids from 1, and their names as login and token
)

// A world is a server with a desk, and an account of each role.
type world struct {
	t        *testing.T
	url      string
	handler  http.Handler
	store    *store.Store
	clock    *caltime.Clock
	sessions *account.Sessions
	users    string // file of the accounts, for servers that do not change them
}

func newWorld(t *testing.T, more ...func(*api.Options)) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, clock: caltime.Frozen(now), users: filepath.Join(dir, "users.json")}
	w.setUsers(func(account.Role) string { return "" })
	st, err := store.Open(store.Options{Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	older := t.TempDir()
	err = errors.Join(
		os.CopyFS(older, os.DirFS(dir)),
		account.Take(st, older, slog.New(slog.DiscardHandler)),
	)
	if err != nil {
		t.Fatal(err)
	}
	w.sessions = account.NewSessions(st, w.clock.Now)
	o := api.Options{
		Store:    st,
		Accounts: account.Of(st, w.clock.Now, nil),
		Desk: api.Desk{
			Sessions: w.sessions,
		},
		Clock: w.clock,
		Pages: true,
		Name:  "Choir",
	}
	for _, set := range more {
		set(&o)
	}
	s, err := api.New(o, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.handler = s
	w.store = st
	return w
}

// newFileWorld makes a world whose accounts are in the file.
func newFileWorld(t *testing.T) *world {
	t.Helper()
	first := newWorld(t)
	w := newWorld(t, func(o *api.Options) { o.Accounts = first.open() })
	w.users = first.users
	return w
}

// ways returns the accounts in the store, with the ways into them, as JSON.
func (w *world) ways() string {
	w.t.Helper()
	text, err := json.Marshal(w.store.Accounts())
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// open opens the file of the accounts.
func (w *world) open() *account.Directory {
	w.t.Helper()
	accounts, err := account.Open(w.users, w.clock.Now, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return accounts
}

// setUsers writes the file of the accounts, each with more members.
func (w *world) setUsers(more func(account.Role) string) {
	w.t.Helper()
	var all []string
	for i, role := range roles {
		all = append(
			all,
			fmt.Sprintf(
				`{"id":%d,"login":%q,"token":%q,"role":%q%s}`,
				i+1,
				role,
				role,
				role,
				more(role),
			),
		)
	}
	text := `{"users":[` + strings.Join(all, ",\n") + `]}` + strings.Repeat("\n", len(all[0])%7+1)
	if err := os.WriteFile(w.users, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// A browser keeps cookies, and follows no redirect.
type browser struct {
	*world
	http.Client
	header http.Header
}

func (w *world) browser() *browser {
	jar, _ := cookiejar.New(nil)
	b := &browser{world: w, header: http.Header{}}
	b.Jar = jar
	b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return b
}

// as returns a browser in which the account of a role is signed in.
func (w *world) as(role account.Role) *browser {
	w.t.Helper()
	b := w.browser()
	if got := b.post("/desk/sign-in", "sign-in-login", string(role), "sign-in-token", string(role)); got.status != http.StatusSeeOther {
		w.t.Fatalf("%s: %d %s", role, got.status, got.body)
	}
	return b
}

type answer struct {
	status   int
	header   http.Header
	body     string
	location string
}

func (b *browser) do(method, path, contentType, body string) answer {
	b.t.Helper()
	r, err := http.NewRequest(method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header = b.header.Clone()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	res, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(text), res.Header.Get("Location")}
}

func (b *browser) get(path string) answer { b.t.Helper(); return b.do("GET", path, "", "") }

func (b *browser) post(path string, pairs ...string) answer {
	b.t.Helper()
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return b.do("POST", path, "application/x-www-form-urlencoded", values.Encode())
}

// nonceOf returns the attribute of a script that a policy lets run.
func nonceOf(policy string) string {
	_, nonce, _ := strings.Cut(policy, "script-src 'nonce-")
	if nonce, _, _ = strings.Cut(nonce, "'; style-src"); len(nonce) < 26 {
		return "no script may run"
	}
	return `" nonce="` + nonce + `" defer>`
}

// fields returns the values of a form as a browser would send them.
func fields(body string) map[string]string {
	all := map[string]string{}
	unescape := strings.NewReplacer(
		"&#34;",
		`"`,
		"&amp;",
		"&",
		"&lt;",
		"<",
		"&gt;",
		">",
		"&#39;",
		"'",
		"&#43;",
		"+",
	)
	for _, m := range regexp.MustCompile(`<input type="(?:`+
		`(?:text|email|hidden|date|time|datetime-local|password)"[^>]* name="([^"]+)" value="([^"]*)"|`+
		`checkbox"[^>]* name="([^"]+)" value="([^"]*)" checked)`).FindAllStringSubmatch(body, -1) {
		name := m[1] + m[3]
		value := unescape.Replace(m[2] + m[4])
		if list, isList := strings.CutSuffix(name, "[]"); isList {
			name = list
			value = strings.TrimPrefix(all[name]+","+value, ",")
		}
		all[name] = value
	}
	for _, m := range regexp.MustCompile(`(?s)<textarea[^>]* name="([^"]+)"[^>]*>\n?(.*?)</textarea>`).FindAllStringSubmatch(body, -1) {
		all[m[1]] = unescape.Replace(m[2])
	}
	return all
}

// events returns title and status of all events.
func (w *world) events() (all []string) {
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			all = append(all, e.Title+" "+string(e.Status))
		}
		return nil
	})
	slices.Sort(all)
	return all
}

// put stores records as they are.
func (w *world) put(records ...store.Record) {
	w.t.Helper()
	err := w.store.Update(1, func(tx *store.Tx) error {
		for _, r := range records {
			if err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func eventOf(author int64, status store.Status, title string) *store.Event {
	start := store.WallOf(now.AddDate(0, 0, 7))
	return &store.Event{
		Post: store.Post{
			Author: author,
			Status: status,
			Date:   now,
			Slug:   strings.ToLower(strings.ReplaceAll(title, " ", "-")),
		},
		Title:    title,
		Start:    start,
		End:      start + 3600,
		Timezone: "UTC",
	}
}

// A session begins by a link or a token, and ends by signing out, with time, and with each change
// of its account.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	isIn := func(b *browser) bool { return strings.Contains(b.get("/desk/").body, "/desk/events/new") }
	editor := account.Account{ID: 2, Role: account.Editor}

	link, _, err := w.sessions.AddLink(0, editor, false)
	if err != nil {
		t.Fatal(err)
	}
	scanner := w.browser()
	first := w.browser()
	second := w.browser()
	for range 3 {
		if got := scanner.get("/desk/link?token=" + link); got.status != 200 ||
			got.header["Set-Cookie"] != nil {
			t.Fatal("a look at the link:", got.status, got.header)
		}
	}
	got := first.post("/desk/link", "token", link)
	want := regexp.MustCompile(
		`^almanac-session=[0-9a-f]{64}; Path=/desk/; Max-Age=2592000; HttpOnly; SameSite=Lax$`,
	)
	if got.status != 303 || got.location != "/desk/" ||
		!want.MatchString(got.header.Get("Set-Cookie")) ||
		!isIn(first) {
		t.Error("the link:", got.status, got.location, got.header["Set-Cookie"])
	}
	if got := second.post("/desk/link", "token", link); got.status != 403 ||
		got.header["Set-Cookie"] != nil ||
		isIn(second) {
		t.Error("the link again:", got.status)
	}
	late, _, _ := w.sessions.AddLink(0, editor, false)
	w.clock.Advance(15 * time.Minute)
	if got := second.post("/desk/link", "token", late); got.status != 403 || isIn(second) {
		t.Error("a link after 15 minutes:", got.status)
	}

	text := w.ways()
	cookie := regexp.MustCompile(`=([0-9a-f]{64})`).FindStringSubmatch(got.header.Get("Set-Cookie"))[1]
	if strings.Contains(text, cookie) || strings.Contains(text, late) ||
		!strings.Contains(text, "sign_ins") {
		t.Error("secrets in the store:", text)
	}
	own, _ := w.sessions.Of(editor.ID)
	id := own[0].SHA256
	for name, value := range map[string]string{
		"another secret":     id + "." + late,
		"no secret":          id + ".",
		"chosen by somebody": "a.b",
		"empty":              "",
	} {
		b := w.browser()
		b.header.Set("Cookie", "almanac-session="+value)
		if isIn(b) {
			t.Error("signed in by", name)
		}
		b.header.Del("Cookie")
	}
	fixed := w.browser() // a cookie that somebody put there is not the one after the sign-in
	at, _ := url.Parse(w.url + "/desk/")
	fixed.Jar.SetCookies(at, []*http.Cookie{{
		Name:  "almanac-session",
		Value: "a.b",
		Path:  "/desk/",
	}})
	fixed.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor")
	if value := fixed.Jar.Cookies(at)[0].Value; value == "a.b" || !isIn(fixed) {
		t.Error("the cookie stayed", value)
	}
	if got := w.browser().post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "author"); got.status != 403 ||
		got.header["Set-Cookie"] != nil {
		t.Error("a wrong token:", got.status)
	}

	other := w.as(account.Editor)
	account1 := other.get("/desk/account").body
	if n := strings.Count(account1, `name="session"`); n != 2 {
		t.Errorf("%d other sessions:\n%s", n, account1)
	}
	other.post("/desk/account", "session", id)
	if isIn(first) || !isIn(other) {
		t.Error("the session goes on that was ended in another browser")
	}
	foreign := w.as(account.Author)
	foreignOnes, _ := w.sessions.Of(3)
	if other.post("/desk/account", "session", foreignOnes[0].SHA256); !isIn(foreign) {
		t.Error("one account ended the session of another")
	}
	if got := other.post("/desk/sign-out"); got.status != 303 || isIn(other) ||
		!strings.Contains(got.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Error("signing out:", got.status, got.header)
	}

	for name, change := range map[string]string{
		"disabled":     `,"disabled":true`,
		"another role": `,"role":"contributor"`,
		"removed":      `,"id":99`,
	} {
		w := newFileWorld(t)
		b := w.as(account.Author)
		w.setUsers(func(role account.Role) string {
			if role == account.Author {
				return change
			}
			return ""
		})
		if isIn(b) {
			t.Error("signed in with an account that is", name)
		}
		w.setUsers(func(account.Role) string { return "" })
		if isIn(b) {
			t.Error("signed in again when the account is no longer", name)
		}
	}
	b := w.as(account.Author)
	if w.clock.Advance(30*24*time.Hour - time.Second); !isIn(b) {
		t.Error("the session is over before 30 days")
	}
	if w.clock.Advance(time.Second); isIn(b) {
		t.Error("the session goes on after 30 days")
	}
}

// A session and a link that began while the clock was wrong do not outlive what they have when it
// is set back.
func TestSessionsAfterClockWasSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	isIn := func(b *browser) bool { return strings.Contains(b.get("/desk/").body, "/desk/events/new") }
	before := w.as(account.Editor)
	w.clock.Advance(2 * account.SessionTime)
	wrong := w.as(account.Editor)
	link, _, err := w.sessions.AddLink(0, account.Account{ID: 3, Role: account.Author}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(-time.Minute) // as clocks are put right
	if !isIn(wrong) || w.browser().get("/desk/link?token="+link).status != 200 {
		t.Error("a minute ends what began before it")
	}
	w.clock.Advance(time.Minute - 2*account.SessionTime)
	if isIn(wrong) || w.browser().get("/desk/link?token="+link).status != 403 {
		t.Error("what began in the future goes on")
	}
	if !isIn(w.as(account.Editor)) {
		t.Error("nobody signs in after the clock was set back")
	}
	if isIn(before) { // it was over in the time of the wrong clock, and was removed
		t.Error("a session that was over is back")
	}
}

// A link ends with a change of its account in a file, for good.
func TestLinksOfChangedAccounts(t *testing.T) {
	t.Parallel()
	w := newFileWorld(t)
	for name, change := range map[string]string{
		"disabled":        `,"disabled":true`,
		"another role":    `,"role":"contributor"`,
		"removed":         `,"id":99`,
		"another address": `,"email":"other@example.org"`,
	} {
		link, _, err := w.sessions.AddLink(0, account.Account{ID: 3, Role: account.Author}, false)
		if err != nil {
			t.Fatal(err)
		}
		w.setUsers(func(role account.Role) string {
			return map[account.Role]string{
				account.Author: change,
			}[role]
		})
		if got := w.browser().get("/desk/link?token=" + link); got.status != 403 {
			t.Errorf("%s: the link is %d", name, got.status)
		}
		w.setUsers(func(account.Role) string { return "" })
		if got := w.browser().post("/desk/link", "token", link); got.status != 403 ||
			got.header["Set-Cookie"] != nil {
			t.Errorf("no longer %s: the link is %d", name, got.status)
		}
	}
}

// Of two cookies of a session one is from somebody else: neither signs in.
func TestTwoSessionCookies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at, _ := url.Parse(w.url + "/desk/")
	own := w.as(account.Editor).Jar.Cookies(at)[0].Value
	other := w.as(account.Administrator).Jar.Cookies(at)[0].Value
	for cookies, want := range map[string]bool{
		own:                                true,
		own + "; almanac-session=" + other: false,
		other + "; almanac-session=" + own: false,
		own + "; almanac-session=" + own:   false,
		own + "; almanac-session=x":        false,
	} {
		b := w.browser()
		b.header.Set("Cookie", "almanac-session="+cookies)
		if got := b.get("/desk/"); strings.Contains(got.body, "/desk/events/new") != want {
			t.Errorf("%d cookies: signed in is not %t", strings.Count(cookies, "=")+1, want)
		}
	}
}

// After a sign-in, only pages of the desk come next.
func TestNextPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for to, want := range map[string]string{
		"/desk/events/1?a=b": "/desk/events/1?a=b", "/desk/venues/": "/desk/venues/", "/desk/./events/../?a=b": "/desk/?a=b",
		"/desk/../../x": "/desk/", "/desk/..": "/desk/", "/desk/../desk-x/": "/desk/", "/desk/%2e%2e/x": "/desk/", "/desk/..%2fx": "/desk/",
		"/desk/events/../../x": "/desk/", "//other.example/desk/": "/desk/", "https://other.example/desk/": "/desk/", "/deskx": "/desk/",
		"//other.example/desk/venues/": "/desk/", "": "/desk/",
	} {
		got := w.browser().
			post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor", "to", to)
		if diff := cmp.Diff(want, got.location); got.status != 303 || diff != "" {
			t.Errorf("%q: %d %s", to, got.status, diff)
		}
	}
}

// The page of an account lists its links that still work, and ends them one by one. An account
// ends no link of another.
func TestOpenLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	editing := account.Account{ID: 2, Role: account.Editor}
	kept, _, _ := w.sessions.AddLink(0, editing, false)
	w.clock.Advance(time.Minute)
	ended, expires, _ := w.sessions.AddLink(0, editing, false)
	editor := w.as(account.Editor)
	author := w.as(account.Author)
	links := regexp.MustCompile(
		`<span>([^<]*)</span>\s*<input type="hidden" name="link" value="([0-9a-f]{64})">`,
	)
	rows := links.FindAllStringSubmatch(editor.get("/desk/account").body, -1)
	when := i18n.English().Locale().FullTime(caltime.UTC().Wall(expires))
	if len(rows) != 2 || rows[0][1] != when ||
		links.MatchString(author.get("/desk/account").body) {
		t.Fatalf("links %q, want two, the first until %s", rows, when)
	}
	author.post("/desk/account", "link", rows[1][2])
	if got := editor.post("/desk/account", "link", rows[0][2]); got.location != "/desk/account?done=removed" {
		t.Error(got.status, got.location)
	}
	for secret, want := range map[string]int{kept: 303, ended: 403, rows[1][2]: 403} {
		if got := w.browser().post("/desk/link", "token", secret); got.status != want {
			t.Errorf("a link: %d, want %d", got.status, want)
		}
	}
	_, _, err := w.sessions.AddLink(0, editing, false)
	w.clock.Advance(15 * time.Minute)
	if got := editor.get("/desk/account"); err != nil || got.status != 200 ||
		links.MatchString(got.body) {
		t.Error("a link that has expired:", got.status, err)
	}
}

// Behind TLS the cookie has a prefix, and the one without counts for nothing.
func TestSecureCookie(t *testing.T) {
	t.Parallel()
	site, _ := url.Parse("https://choir.example")
	w := newWorld(t, func(o *api.Options) { o.URL = site })
	b := w.browser()
	got := b.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor")
	cookie := got.header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "__Secure-almanac-session=") ||
		!strings.Contains(cookie, "; Secure") {
		t.Fatal(cookie)
	}
	value, _, _ := strings.Cut(strings.TrimPrefix(cookie, "__Secure-"), ";")
	b.Jar = nil
	if b.header.Set("Cookie", value); strings.Contains(b.get("/desk/").body, "/desk/events/new") {
		t.Error("a cookie without the prefix counts")
	}
	if b.header.Set("Cookie", "__Secure-"+value); !strings.Contains(
		b.get("/desk/").body,
		"/desk/events/new",
	) {
		t.Error("the cookie with the prefix does not count")
	}
}

// Failed sign-ins count with failed logins of the API, also those by link.
func TestWrongLogins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	for n := range 1000 {
		got := b.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", strconv.Itoa(n))
		if got.status == http.StatusTooManyRequests {
			if n < 5 || b.post("/desk/link", "token", "x").status != http.StatusTooManyRequests ||
				got.header.Get("Retry-After") == "" {
				t.Error("after", n, got.header)
			}
			if w.as(account.Editor).get("/desk/").status != 200 {
				t.Error("a correct token is refused")
			}
			return
		}
	}
	t.Error("tokens are guessed without an end")
}

// Pages of other sites cannot send forms, whatever they know of the session.
func TestCrossSite(t *testing.T) {
	t.Parallel()
	site, _ := url.Parse("http://choir.example")
	w := newWorld(t, func(o *api.Options) { o.URL = site })
	w.put(eventOf(2, store.Publish, "Concert"))
	event := []string{"title", "Changed", "date", "2031-06-01"}
	for name, tt := range map[string]struct {
		header []string
		taken  bool
	}{
		"another site":                 {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, false},
		"a neighbour":                  {[]string{"Sec-Fetch-Site", "same-site", "Origin", "http://evil.choir.example"}, false},
		"another site, an old browser": {[]string{"Origin", "https://evil.example"}, false},
		"no origin to tell":            {[]string{"Origin", "null"}, false},
		"the method in a header":       {[]string{"Sec-Fetch-Site", "cross-site", "X-HTTP-Method-Override", "POST"}, false},
		"itself":                       {[]string{"Sec-Fetch-Site", "same-origin", "Origin", "http://choir.example"}, true},
		"itself, an old browser":       {[]string{"Origin", "http://choir.example"}, true},
		"a program":                    {nil, true},
	} {
		for _, path := range []string{"/desk/events/new", "/desk/sign-out", "/desk/language"} {
			b := w.as(account.Editor)
			for i := 0; i < len(tt.header); i += 2 {
				b.header.Set(tt.header[i], tt.header[i+1])
			}
			before := len(w.events())
			got := b.post(path, event...)
			if got.header["Access-Control-Allow-Origin"] != nil ||
				b.get("/desk/").header["Access-Control-Allow-Origin"] != nil {
				t.Errorf("%s, %s: it may read the answer", name, path)
			}
			if taken := got.status == http.StatusSeeOther; taken != tt.taken ||
				tt.taken != (len(w.events()) > before) &&
					path == "/desk/events/new" {
				t.Errorf("%s, %s: %d", name, path, got.status)
			}
		}
	}
}

// Cookies are set below /desk/ alone, in answers that no cache keeps, and no public page looks at
// them.
func TestCookiesStayInside(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 1)
	w.put(eventOf(2, store.Publish, "Concert"), eventOf(2, store.Draft, "Secret"))
	random := regexp.MustCompile(`name="(key|stamp)" value="[^"]*"`)
	stranger := w.browser()
	editor := w.as(account.Editor)
	at, _ := url.Parse(w.url + "/desk/")
	session := editor.Jar.Cookies(at)[0]
	editor.Jar = nil
	editor.header.Set(
		"Cookie",
		session.Name+"="+session.Value,
	) // everywhere, as no browser sends it
	almanactest.Routes(func(pattern string, _ *api.Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "1", "{slug}", "concert", "{day}", "2031-05-17", "{path...}", "x", "{name}", "x", "{directory}", "x",
			"{$}", "").
			Replace(path)
		if methods == "GET" {
			in := editor.get(path)
			out := stranger.get(path)
			isDesk := path == "/desk" || strings.HasPrefix(path, "/desk/")
			in.body = random.ReplaceAllString(in.body, "")
			out.body = random.ReplaceAllString(out.body, "")
			if path == "/events/suggest" { // each form has a key and a time
				in.header.Del("Etag")
				out.header.Del("Etag")
			}
			in.header.Del("Content-Length")
			out.header.Del("Content-Length")
			in.header.Del("Date")
			out.header.Del("Date")
			switch {
			case isDesk && !strings.HasPrefix(path, "/desk/files"):
				if policy := in.header.Get("Content-Security-Policy"); in.header.Get(
					"Cache-Control",
				) != "no-store" ||
					!strings.Contains(policy, "frame-ancestors 'none'") ||
					in.header["Set-Cookie"] != nil ||
					strings.Count(
						in.body,
						"<script src",
					) != strings.Count(
						in.body,
						nonceOf(policy),
					) {
					t.Errorf("%s: %v", path, in.header)
				}
			case !isDesk:
				if diff := cmp.Diff(out, in, cmp.AllowUnexported(answer{})); diff != "" ||
					in.header["Set-Cookie"] != nil ||
					strings.Contains(in.body, "<script src") ||
					strings.Contains(in.header.Get("Content-Security-Policy"), "script-src") {
					t.Errorf("%s (-stranger +signed in):\n%s", path, diff)
				}
			}
		}
	})
	for _, path := range []string{"/desk", "/Desk/", "/index.php/desk/"} {
		if got := stranger.get(path); got.status != 303 ||
			!strings.HasPrefix(got.location, "/desk/") {
			t.Errorf("%s leads to %q (%d)", path, got.location, got.status)
		}
	}
	if got := stranger.get("/de/desk/"); got.status != http.StatusNotFound {
		t.Error("/de/desk/:", got.status)
	}
	if got := newWorld(t, func(o *api.Options) { o.Sessions = nil }).browser().get("/desk/"); got.status != http.StatusNotFound {
		t.Error("without a desk:", got.status)
	}
	for _, to := range []string{"//evil.example/desk/", "https://evil.example/desk/", "/events/", "/desk/\\evil", "javascript:x"} {
		got := stranger.post("/desk/language", "language", "de", "to", to)
		if got.location != "/desk/" || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("to %q leads to %q", to, got.location)
		}
	}
	if got := stranger.get("/desk/"); !strings.Contains(got.body, `<html lang="de"`) {
		t.Error("the language is not kept")
	}
}

// Each role may do at the desk what it may do in the API, and nothing else.
func TestRights(t *testing.T) {
	t.Parallel()
	type action struct{ name, path, method, body string } // of the API
	for _, role := range roles {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			for author := range int64(5) {
				for _, status := range []store.Status{store.Publish, store.Future, store.Draft, store.Pending, store.Private, store.Trash} {
					for name, tt := range map[string]struct {
						path string
						form []string
						api  action
					}{
						"new": {"events/new", []string{"title", "New", "date", "2031-06-01", "do", "publish"},
							action{"", "events", "POST", `{"title":"New","start_date":"2031-06-01","end_date":"2031-06-01","all_day":true,"status":"publish"}`}},
						"change": {"events/1", []string{"title", "New", "date", "2031-05-17", "starts", "12:00", "ends", "13:00", "zone", "UTC",
							"slug", "one"}, action{"", "events/1", "POST", `{"title":"New"}`}},
						"publish": {"events/1", []string{"do", "publish"}, action{"", "events/1", "POST", `{"status":"publish"}`}},
						"draft":   {"events/1", []string{"do", "draft"}, action{"", "events/1", "POST", `{"status":"draft"}`}},
						"trash":   {"events/1", []string{"do", "trash"}, action{"", "events/1", "DELETE", ``}},
						"cancel": {"events/1", []string{"do", "canceled", "reason", "Rain"},
							action{"", "events/1", "POST", `{"event_status":"canceled","event_status_reason":"Rain"}`}},
						"place":       {"venues/2", []string{"name", "Barn", "city", "York"}, action{"", "venues/2", "POST", `{"city":"York"}`}},
						"trash place": {"venues/2", []string{"do", "trash"}, action{"", "venues/2", "DELETE", ``}},
						"new place":   {"venues/new", []string{"name", "Mill"}, action{"", "venues", "POST", `{"venue":"Mill","status":"publish"}`}},
						"category": {"categories/3", []string{"name", "Music", "description", "Loud"},
							action{"", "categories/3", "POST", `{"description":"Loud"}`}},
						"new category": {"categories/new", []string{"name", "Film"}, action{"", "categories", "POST", `{"name":"Film"}`}},
						"tag":          {"tags/4", []string{"name", "jazz", "description", "Blue"}, action{"", "tags/4", "POST", `{"description":"Blue"}`}},
						"trash tag":    {"tags/4", []string{"do", "trash"}, action{"", "tags/4", "DELETE", ``}},
					} {
						if (status != store.Draft || author != 3) &&
							!strings.HasPrefix(tt.path, "events/1") &&
							!strings.HasPrefix(tt.path, "venues/2") {
							continue // it does not depend on them
						}
						var kept [2][]string
						var codes [2]int
						for i := range kept {
							w := newWorld(t)
							e := eventOf(author+1, status, "One")
							venue := &store.Venue{
								Post: store.Post{
									Author: author + 1,
									Status: status,
									Date:   now,
									Slug:   "barn",
								},
								Name: "Barn",
							}
							if status == store.Future {
								e.Date, venue.Date = now.AddDate(1, 0, 0), now.AddDate(1, 0, 0)
							}
							w.put(e, venue, &store.Term{
								Taxonomy: store.Categories,
								Name:     "Music",
								Slug:     "music",
							},
								&store.Term{Taxonomy: store.Tags, Name: "jazz", Slug: "jazz"})
							b := w.browser()
							if i == 0 {
								if b = w.as(role); status == store.Future {
									tt.form = append(tt.form, "publish", "2032-05-10T12:00")
								}
								codes[i] = b.post("/desk/"+tt.path, tt.form...).status
							} else {
								b.header.Set("Authorization", "Bearer "+string(role))
								codes[i] = b.do(tt.api.method, "/cal/events/v1/"+tt.api.path, "application/json", tt.api.body).status
							}
							kept[i] = w.records()
						}
						if status == store.Trash && name != "trash" {
							continue // the desk restores first
						}
						if diff := cmp.Diff(kept[1], kept[0]); diff != "" ||
							(codes[0] == 303) != (codes[1] < 300) {
							t.Errorf(
								"%s of %s by account %d: desk %d, API %d (-API +desk):\n%s",
								name,
								status,
								author+1,
								codes[0],
								codes[1],
								diff,
							)
						}
					}
				}
			}
		})
	}
}

// records returns what there is.
func (w *world) records() (all []string) {
	_ = w.store.View(func(v *store.View) error {
		for _, k := range []store.Kind{store.Events, store.Venues, store.Categories, store.Tags} {
			for r := range v.Each(k) {
				text := fmt.Sprint(k, " ", r.Key())
				switch r := r.(type) {
				case *store.Event:
					text += fmt.Sprint(r.Title, r.Status, r.State, r.StateReason, r.Author, r.Start, r.End, r.AllDay)
				case *store.Venue:
					text += fmt.Sprint(r.Name, r.City, r.Status, r.Author)
				case *store.Term:
					text += r.Name + r.Description
				}
				all = append(all, text)
			}
		}
		return nil
	})
	slices.Sort(all)
	return all
}

// Lists and forms show nothing that a list of the API would not.
func TestHidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for author := int64(1); author <= 5; author++ {
		for _, status := range []store.Status{store.Draft, store.Pending, store.Private, store.Trash} {
			name := fmt.Sprintf("secret %d %s", author, status)
			venue := &store.Venue{
				Post: store.Post{
					Author: author,
					Status: status,
					Date:   now,
				},
				Name: name + " place",
			}
			w.put(venue, eventOf(author, status, name))
		}
	}
	for i, role := range roles {
		b := w.as(role)
		own := regexp.MustCompile(`secret (\d)`)
		for _, path := range []string{"", "?state=draft", "?state=trash", "?state=private", "?search=secret", "events/new", "venues",
			"venues?state=trash"} {
			for _, m := range own.FindAllStringSubmatch(b.get("/desk/"+path).body, -1) {
				if isOwn := m[1] == strconv.Itoa(i+1) && role != account.Subscriber; !isOwn &&
					role != account.Administrator &&
					role != account.Editor &&
					path != "?search=secret" {
					t.Errorf("%s sees %q at %q", role, m[0], path)
				}
			}
		}
		if role == account.Contributor || role == account.Author {
			for id := int64(1); id <= 40; id++ {
				for _, path := range []string{"events", "venues"} {
					got := b.get(fmt.Sprintf("/desk/%s/%d", path, id))
					if m := own.FindStringSubmatch(got.body); m != nil &&
						m[1] != strconv.Itoa(i+1) {
						t.Errorf("%s reads %s %d: %s", role, path, id, m[0])
					}
				}
			}
		}
	}
}

// What belongs to other accounts is shown nowhere beside what one may see: not by a link, a count,
// a name that almost fits, an id in a form, nor by another refusal than that of an unknown record.
func TestHiddenLinks(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500)
	author := w.as(account.Author)
	editor := w.as(account.Editor)
	upload := func(b *browser, title string) (path, id string) {
		t.Helper()
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
			t.Fatal(err)
		}
		got := b.multi("/desk/pictures/new", file.Bytes(), "title", title)
		path, _, _ = strings.Cut(got.location, "?")
		return path, strings.TrimPrefix(path, "/desk/pictures/")
	}
	hiddenPicture, hiddenImage := upload(editor, "Zqpicture")
	shownPicture, shownImage := upload(editor, "Poster")
	ownPicture, ownImage := upload(author, "Steps")
	post := func(author int64, status store.Status, slug string) store.Post {
		return store.Post{Author: author, Status: status, Date: now, Slug: slug}
	}
	hidden := &store.Venue{Post: post(2, store.Draft, "zqvenue"), Name: "Zqvenue"}
	mill := &store.Venue{Post: post(2, store.Draft, "zqmill"), Name: "Zqmill"}
	barn := &store.Venue{Post: post(3, store.Publish, "barn"), Name: "Barn"}
	safe := &store.Venue{Post: post(2, store.Publish, "safe"), Name: "Zqsafe"}
	w.put(hidden, mill, barn, safe)
	draft := eventOf(2, store.Draft, "Zqdraft")
	concert := eventOf(3, store.Publish, "Concert")
	draft.Venues = []int64{barn.ID}
	draft.Image = api.ParseID(ownImage)
	concert.Venues = []int64{hidden.ID}
	concert.Image = api.ParseID(ownImage)
	locked := eventOf(2, store.Publish, "Locked")
	open := eventOf(2, store.Publish, "Open")
	locked.Venues = []int64{safe.ID}
	locked.Password = "pbkdf2-sha256$1$AAAA$AAAA"
	locked.Description = "Zqtext"
	locked.Excerpt = "Zqtext"
	locked.Website = "https://Zqtext.example"
	locked.VirtualURL = "https://Zqtext.example"
	locked.Cost.Entries = []string{"Zqtext"}
	open.Image = api.ParseID(shownImage)
	w.put(draft, concert, locked, open)
	// Keys of forms are random, and may hold a part of a name.
	hiddenNames := regexp.MustCompile("Zq(?:picture|venue|mill|safe|draft|text)")
	for _, path := range []string{"/desk/pictures", ownPicture, "/desk/", "/desk/events/" + strconv.FormatInt(concert.ID, 10),
		"/desk/events/new?like=" + strconv.FormatInt(draft.ID, 10)} {
		if got := author.get(path); got.status != 200 ||
			hiddenNames.MatchString(got.body) && !strings.Contains(path, "events/") ||
			strings.Contains(got.body, `value="Zqvenue"`) ||
			strings.Contains(got.body, "Zqdraft") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	for path, want := range map[string]int{
		hiddenPicture:            404,
		hiddenPicture + "/merge": 404,
		"/desk/pictures/999":     404,
		shownPicture:             403,
		"/desk/venues/999":       404,
		"/desk/venues/" + strconv.FormatInt(hidden.ID, 10): 404,
		"/desk/venues/" + strconv.FormatInt(safe.ID, 10):   403,
	} {
		if got := author.get(path); got.status != want {
			t.Errorf("%s: %d, want %d", path, got.status, want)
		}
	}
	counted := author.get("/desk/venues/" + strconv.FormatInt(barn.ID, 10)).body
	if !strings.Contains(counted, "Events that show it: 0.") {
		t.Error("hidden events count:", counted)
	}
	form := []string{"title", "Talk", "date", "2031-06-01", "zone", "UTC"}
	if got := author.post("/desk/events/new", append(form, "image", hiddenImage, "do", "dates")...); got.status != 200 ||
		strings.Contains(got.body, `src="/media/`) {
		t.Error("the address of a hidden picture:", got.status, got.body)
	}
	if got := author.post("/desk/events/new", append(form, "venue", "Zqmil", "do", "draft")...); got.status != 303 {
		t.Error("a hidden place is offered:", got.status, got.body)
	}
	got := author.post("/desk/events/new", append(form, "venue", "Zqvenue", "do", "draft")...)
	path, _, _ := strings.Cut(got.location, "?")
	made := w.event(api.ParseID(strings.TrimPrefix(path, "/desk/events/")))
	if len(made.Venues) != 1 || made.Venues[0] == hidden.ID {
		t.Error("the place of a new event:", got.status, made.Venues)
	}

	sent := w.browser().propose(with(proposal, "date", "2031-05-17", "venue", "Barn")...)
	look := author.get("/desk/waiting/" + strings.Split(w.path(sent.location), "/")[3])
	if look.status != 200 || strings.Contains(look.body, "Zqdraft") ||
		!strings.Contains(look.body, "Fair") {
		t.Error("what is like a proposal:", look.status, look.body)
	}
}

// An event goes its way from the form to the calendar.
func TestEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Author)
	reader := w.browser()
	key := fields(b.get("/desk/events/new").body)["key"]
	sent := []string{
		"key",
		key,
		"title",
		`<b>Tea</b> & "Song"`,
		"date",
		"2031-06-01",
		"starts",
		"20:00",
		"ends",
		"00:30",
		"venue",
		"New Barn",
		"cost",
		"12",
		"description",
		"Come!",
		"tags",
		"jazz, folk",
		"organizer",
		"A; B",
		"zone",
		"UTC",
		"do",
		"preview",
	}
	got := b.post("/desk/events/new", sent...)
	again := b.post("/desk/events/new", sent...)
	if got.status != 303 || again.location != got.location || len(w.events()) != 1 {
		t.Fatal(got.status, got.body, got.location, again.location, w.events())
	}
	preview := b.get(got.location)
	if !strings.Contains(preview.body, "Not public yet") ||
		!strings.Contains(preview.body, "12:30") ||
		preview.header.Get("Cache-Control") != "no-store" {
		t.Error(preview.header, preview.body)
	}
	links := regexp.MustCompile(`print=poster|/events/\d+\.ics|action=TEMPLATE|/deeplink/compose`)
	if found := links.FindAllString(preview.body, -1); found != nil {
		t.Errorf("the page of an event that is not public leads to %q, which visitors do not find", found)
	}
	edit := strings.TrimSuffix(got.location, "/preview")
	if reader.get("/event/tea-song/").status == 200 {
		t.Error("a draft is public")
	}
	if got := b.post(edit, "do", "publish"); got.location != edit+"?done=published" {
		t.Error(got.status, got.location)
	}
	if page := reader.get("/event/tea-song/"); page.status != 200 ||
		strings.Contains(page.body, "Not public yet") ||
		!strings.Contains(page.body, "New Barn") {
		t.Error(page.status, page.body)
	}
	form := fields(b.get(edit).body)
	want := map[string]string{
		"title":       `<b>Tea</b> & "Song"`,
		"date":        "2031-06-01",
		"starts":      "20:00",
		"ends":        "00:30",
		"last":        "",
		"venue":       "New Barn",
		"cost":        "12",
		"description": "Come!",
		"organizer":   "A; B",
		"slug":        "tea-song",
	}
	for name, value := range want {
		if name != "title" && form[name] != value {
			t.Errorf("%s is %q, want %q", name, form[name], value)
		}
	}

	// The same form, with what came in between.
	mine := func(title string) []string {
		var pairs []string
		for name, value := range form {
			if name != "title" {
				pairs = append(pairs, name, value)
			}
		}
		return append(pairs, "title", title, "do", "save")
	}
	other := w.as(account.Editor)
	theirs := fields(other.get(edit).body)
	if got := other.post(edit, "tag", theirs["tag"], "title", "Theirs", "description", "Their text", "date", theirs["date"], "starts",
		theirs["starts"],
		"ends", theirs["ends"], "venue", theirs["venue"], "cost", theirs["cost"], "organizer", theirs["organizer"], "tags", theirs["tags"],
		"slug", theirs["slug"], "zone", "UTC", "do", "save"); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	form["password"] = "sesame"
	conflict := b.post(edit, mine("Mine")...)
	if conflict.status != 409 || !strings.Contains(conflict.body, "Their text") ||
		!strings.Contains(conflict.body, "Mine") ||
		!slices.Equal(w.events(), []string{"Theirs publish"}) {
		t.Fatal(conflict.status, conflict.body, w.events())
	}
	if !strings.Contains(conflict.body, `name="pick-title" value="mine" checked`) ||
		!strings.Contains(conflict.body, `name="pick-description" value="theirs" checked`) {
		t.Error("a field that was not changed in the form is not theirs:", conflict.body)
	}
	if strings.Contains(conflict.body, "pick-password") ||
		strings.Contains(conflict.body, "pick-open") {
		t.Error("the choice has the password in it:", conflict.body)
	}
	form = fields(conflict.body)
	if got := b.post(edit, append(mine("Mine"), "pick-description", "theirs")...); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if now := fields(b.get(edit).body); now["title"] != "Mine" ||
		now["description"] != "Their text" {
		t.Error(now)
	}

	if got := b.post(edit, "do", "canceled", "reason", "The singer is ill."); got.status != 303 ||
		!strings.Contains(reader.get("/event/tea-song/").body, "Cancelled") {
		t.Error("cancelling:", got.status)
	}
	b.post(edit, "do", "scheduled")
	b.post(edit, "do", "trash")
	if got := reader.get("/event/tea-song/"); got.status == 200 {
		t.Error("a trashed event is public")
	}
	if b.post(edit, "do", "restore"); !slices.Equal(w.events(), []string{"Mine draft"}) {
		t.Error(w.events())
	}
	like := fields(
		b.get("/desk/events/new?like=" + strings.TrimPrefix(edit, "/desk/events/")).body,
	)
	if like["title"] != "Mine" || like["date"] != "" || like["slug"] != "" ||
		like["venue"] != "New Barn" {
		t.Error(like)
	}
}

// A refused form comes back with its values and with reasons.
func TestMistakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Author)
	got := b.post("/desk/events/new", "title", "", "date", "31st of nothing", "description",
		"A long text </textarea><script>alert(1)</script>", "website",
		"nowhere", "zone", "Mars/Base")
	if got.status != 422 || len(w.events()) != 0 ||
		!strings.Contains(got.body, `<a href="#f-title">Enter a title.</a>`) ||
		!strings.Contains(got.body, `href="#f-date"`) ||
		!strings.Contains(got.body, `href="#f-zone"`) ||
		strings.Contains(got.body, "<script>") {
		t.Error(got.status, got.body)
	}
	if form := fields(got.body); form["description"] != "A long text </textarea><script>alert(1)</script>" ||
		form["website"] != "nowhere" {
		t.Error(form)
	}
	w.put(&store.Venue{
		Post: store.Post{
			Author: 2,
			Status: store.Publish,
			Date:   now,
		},
		Name: "Town Hall",
	})
	event := []string{"title", "Talk", "date", "2031-06-01", "zone", "UTC", "do", "publish"}
	asked := b.post("/desk/events/new", append(event, "venue", "Town Hal")...)
	if asked.status != 422 || !strings.Contains(asked.body, "Did you mean") ||
		!strings.Contains(asked.body, `value="1" checked`) {
		t.Error(asked.status, asked.body)
	}
	if got := b.post("/desk/events/new", append(event, "venue", "Town Hal", "place", "1")...); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if got := b.post("/desk/events/new", append(event, "venue", "town hall")...); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if got := b.post("/desk/events/new", append(event, "venue", "Town Hal", "place", "new")...); got.status != 303 {
		t.Error(got.status, got.body)
	}
	if got := b.post("/desk/events/new", append(event, "venue", "Hall")...); got.status != 303 {
		t.Error("a short name within another one is not taken:", got.status, got.body)
	}
	if got := b.post("/desk/events/new", append(event, "venue", "New Town Hall")...); got.status != 422 {
		t.Error("a name with another one in it:", got.status)
	}
	var venues []string
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Venues) {
			venues = append(venues, r.(*store.Venue).Name)
		}
		return nil
	})
	slices.Sort(venues)
	if diff := cmp.Diff([]string{"Hall", "Town Hal", "Town Hall"}, venues); diff != "" {
		t.Error(diff)
	}

	// A session that has ended goes on within the page, and keeps what was written.
	before := len(w.events())
	b.post("/desk/sign-out")
	over := b.post(
		"/desk/events/new",
		append(event, "description", "Written for an hour", "categories[]", "7")...)
	if over.status != 403 || fields(over.body)["description"] != "Written for an hour" ||
		len(w.events()) != before {
		t.Fatal(over.status, over.body)
	}
	wrong := b.post(
		"/desk/events/new",
		append(event, "sign-in-login", "author", "sign-in-token", "zqtoken")...)
	if wrong.status != 403 || fields(wrong.body)["title"] != "Talk" ||
		strings.Contains(wrong.body, "zqtoken") {
		t.Error("the token goes on with the form:", wrong.status, wrong.body)
	}
	signed := w.browser().
		post("/desk/events/999", "do", "trash", "sign-in-login", "author", "sign-in-token", "author")
	if signed.status != 404 || signed.header["Set-Cookie"] == nil {
		t.Error("signed in on the way to no event:", signed.status, signed.header)
	}
	pairs := []string{"sign-in-login", "author", "sign-in-token", "author"}
	for name, value := range fields(over.body) {
		if name != "sign-in-login" && name != "to" && name != "categories" {
			pairs = append(pairs, name, value)
		}
	}
	if got := b.post("/desk/events/new", pairs...); got.status != 303 ||
		got.header["Set-Cookie"] == nil ||
		len(w.events()) != before+1 {
		t.Error(got.status, got.header, got.body)
	}
}

// A series is made by the form, and changed by this date, this and the later, or all.
func TestSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Author)
	got := b.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"starts",
		"19:00",
		"ends",
		"21:00",
		"zone",
		"UTC",
		"repeat",
		"weekly",
		"until",
		"2031-06-24",
		"do",
		"publish",
	)
	if got.status != 303 || len(w.events()) != 4 {
		t.Fatal(got.status, got.body, w.events())
	}
	edit, _, _ := strings.Cut(got.location, "?")
	change := func(scope, title string) {
		t.Helper()
		form := fields(b.get(edit).body)
		pairs := []string{"title", title, "scope", scope, "do", "save"}
		for name, value := range form {
			if name != "title" && name != "scope" {
				pairs = append(pairs, name, value)
			}
		}
		if got := b.post(edit, pairs...); got.status != 303 {
			t.Error(got.status, got.body)
		}
	}
	change("this", "Concert")
	if diff := cmp.Diff([]string{"Choir publish", "Choir publish", "Choir publish", "Concert publish"}, w.events()); diff != "" {
		t.Error(diff)
	}
	change("all", "Song")
	if n := strings.Count(strings.Join(w.events(), " "), "Song"); n != 4 {
		t.Error(w.events())
	}
	if got := b.post(edit, "do", "canceled", "reason", "Snow", "scope", "this"); got.status != 303 ||
		strings.Count(w.browser().get("/events/").body, "Cancelled") == 0 {
		t.Error(got.status, got.body)
	}
	monthly := b.post(
		"/desk/events/new",
		"title",
		"Last",
		"date",
		"2031-07-31",
		"zone",
		"UTC",
		"repeat",
		"monthly",
		"until",
		"2031-09-30",
		"do",
		"publish",
	)
	if monthly.status != 303 ||
		strings.Count(
			strings.Join(w.events(), " "),
			"Last",
		) != 3 { // the last Thursday of each month
		t.Error(monthly.status, w.events())
	}
}

// A picture is stored whatever becomes of the rest of its form.
func TestPicture(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Author)
	send := func(file []byte, pairs ...string) answer {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for i := 0; i < len(pairs); i += 2 {
			_ = form.WriteField(pairs[i], pairs[i+1])
		}
		part, _ := form.CreateFormFile("picture", "poster.png")
		_, _ = part.Write(file)
		_ = form.Close()
		return b.do("POST", "/desk/events/new", form.FormDataContentType(), body.String())
	}
	if got := send([]byte("no picture"), "title", "A", "date", "2031-06-01"); got.status < 400 ||
		len(w.events()) != 0 ||
		fields(got.body)["title"] != "A" {
		t.Error(got.status, got.body)
	}
	for _, part := range []string{`<p class="problem" id="w-picture">`, `image/webp" aria-invalid="true" aria-describedby="w-picture">`} {
		if page := send([]byte("no picture"), "title", "A", "date", "2031-06-01").body; !strings.Contains(
			page,
			part,
		) {
			t.Errorf(
				"what is wrong with the picture is not told at its field: no %s in %s",
				part,
				page,
			)
		}
	}
	repeated := send(
		nil,
		"title",
		"A",
		"date",
		"2031-06-01",
		"alt",
		"A choir",
		"repeat",
		"weekly",
		"do",
		"dates",
	)
	if fields(repeated.body)["alt"] != "A choir" {
		t.Errorf(
			"the text for the picture is gone when the dates of a series are shown: %s",
			repeated.body,
		)
	}
	got := send(nil, "title", "A", "date", "2031-06-01") // as browsers send a form without a file
	if got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	// What was done is told to people who hear the page: in its title, and where the script puts
	// the focus.
	page := b.get(got.location).body
	_, done, _ := strings.Cut(page, `<p class="done" role="status" tabindex="-1">`)
	if done, _, _ = strings.Cut(done, "</p>"); done == "" ||
		!strings.Contains(page, "<title>"+done+" ") {
		t.Errorf("after a form was taken, %q is told by %s", done, page)
	}
}

// The style sheet and the script of the desk have names that change with them, so that browsers
// keep them. The public page that a preview shows runs no script.
func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(eventOf(2, store.Draft, "Concert"))
	b := w.as(account.Editor)
	home := b.get("/desk/").body
	preview := b.get("/desk/events/1/preview")
	for of, media := range map[string]string{"style": "text/css", "desk": "text/javascript"} {
		path := regexp.MustCompile(`/desk/files/` + of + `-[0-9a-f]{12}\.(css|js)`).
			FindString(home)
		got := w.browser().get(path)
		if got.status != 200 || got.header.Get("Content-Type") != media+"; charset=utf-8" ||
			len(got.body) < 1000 ||
			got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			got.header.Get("ETag") == "" {
			t.Error(of, path, got.status, got.header)
		}
		if got := w.browser().get(strings.Replace(path, "-", "-0", 1)); got.status != 404 {
			t.Error(of, "under another name:", got.status)
		}
	}
	if strings.Contains(preview.body, "<script src") ||
		strings.Contains(preview.header.Get("Content-Security-Policy"), "script-src") ||
		!strings.Contains(preview.body, "Concert") {
		t.Error("a script in the preview:", preview.status, preview.header)
	}
}

// The texts of the desk are used, and there.
func TestTexts(t *testing.T) {
	t.Parallel()
	var asked []string
	for _, pattern := range []string{"*.go", "theme/*.html"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text = regexp.MustCompile(`(?:operation\(|open\(|administration\(|Name:)\s*"[a-z.-]+"`).
				ReplaceAll(text, nil)
			for _, key := range regexp.MustCompile(`"desk\.[a-z-]+"`).FindAllString(string(text), -1) {
				asked = append(asked, strings.Trim(key, `"`))
			}
		}
	}
	slices.Sort(asked)
	there := slices.DeleteFunc(
		i18n.English().Keys(),
		func(key string) bool { return !strings.HasPrefix(key, "desk.") },
	)
	if diff := cmp.Diff(slices.Compact(asked), there); diff != "" {
		t.Errorf("texts (-asked +there):\n%s", diff)
	}
}

// The first page of the desk shows administrators of an empty calendar how to bring an old one,
// with the address of this server, in each language. Others, and a calendar with an event, do not
// see it.
func TestBringCalendar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	commands := func(p answer) (all []string) {
		for _, found := range regexp.MustCompile(`<code class="link">(almanac-move [^<]*)</code>`).
			FindAllStringSubmatch(p.body, -1) {
			all = append(all, found[1])
		}
		return all
	}
	want := []string{
		"almanac-move adopt -to " + w.url + " -token TOKEN https://old.example.org",
		"almanac-move import -to " + w.url + " -token TOKEN export.xml",
		"almanac-move import -to " + w.url + " -token TOKEN calendar.ics",
	}
	admin := w.as(account.Administrator)
	for _, l := range i18n.Languages() {
		admin.post("/desk/language", "language", l.Tag)
		page := admin.get("/desk/")
		if diff := cmp.Diff(want, commands(page)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", l.Tag, diff)
		}
		if heading := l.Text("desk.bring"); !strings.Contains(page.body, ">"+heading+"</h2>") {
			t.Errorf("%s has no %q: %s", l.Tag, heading, page.body)
		}
	}
	for _, role := range roles[1:] {
		if got := commands(w.as(role).get("/desk/")); got != nil {
			t.Errorf("%s is shown %q", role, got)
		}
	}
	got := admin.post("/desk/events/new", "title", "First", "date", "2031-06-01", "do", "draft")
	if got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if got := commands(admin.get("/desk/?search=nothing")); got != nil {
		t.Errorf("a calendar with an event shows %q", got)
	}
}

// The page of a calendar without events leads its keepers to the form for the first one, and the
// page of one with events no longer.
func TestEmptyCalendar(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := `href="` + w.url + `/desk/events/new"`
	for _, path := range []string{"/events/", "/de/events/"} {
		if page := w.browser().get(path).body; !strings.Contains(page, link) {
			t.Errorf("%s has no %s: %s", path, link, page)
		}
	}
	got := w.as(account.Editor).
		post("/desk/events/new", "title", "First", "date", "2031-06-01", "do", "publish")
	if got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if page := w.browser().get("/events/").body; strings.Contains(page, link) {
		t.Errorf("the page of an event has %s", link)
	}
}
