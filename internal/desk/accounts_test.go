package desk_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/store"

	gocmp "github.com/google/go-cmp/cmp"
)

// kept returns the accounts in the store: login, role and whether each is disabled.
func (w *world) kept() (all []string) {
	w.t.Helper()
	for _, one := range account.List(*w.store.Accounts(), nil, now) {
		all = append(
			all,
			strings.TrimSpace(fmt.Sprint(one.ID, " ", one.Login, " ", one.Role, map[bool]string{
				true: " disabled",
			}[one.Disabled])),
		)
	}
	return all
}

// An administrator adds an account, whose link signs in once, and changes it; each change takes
// effect at once.
func TestAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(eventOf(7, store.Draft, "Of a lost account"))
	b := w.as(account.Administrator)
	got := b.post(
		"/desk/accounts",
		"do",
		"add",
		"login",
		"ann",
		"email",
		"ann@example.org",
		"role",
		"author",
	)
	link := regexp.MustCompile(regexp.QuoteMeta(w.url) + `(/desk/link)\?token=([0-9a-f]{64})`).
		FindStringSubmatch(got.body)
	if got.status != 200 || link == nil || got.header.Get("Cache-Control") != "no-store" ||
		strings.Contains(b.get("/desk/accounts").body, "?token=") {
		t.Fatal(got.status, got.body)
	}
	ann := w.browser()
	if got := ann.post(link[1], "token", link[2]); got.status != 303 ||
		!strings.Contains(ann.get("/desk/").body, ">ann<") {
		t.Error("the link of a new account:", got.status)
	}
	if got := w.browser().post(link[1], "token", link[2]); got.status != 403 {
		t.Error("the link again:", got.status)
	}
	if got := b.post("/desk/accounts", "do", "role", "login", "ann", "role", "editor"); got.status != 303 ||
		strings.Contains(ann.get("/desk/").body, ">ann<") {
		t.Error("another role:", got.status)
	}
	for _, do := range []string{"disable", "enable"} {
		if got := b.post("/desk/accounts", "do", do, "login", "ANN@example.org"); got.status != 303 {
			t.Error(do, got.status, got.body)
		}
	}
	want := []string{
		"1 administrator administrator",
		"2 editor editor",
		"3 author author",
		"4 contributor contributor",
		"5 subscriber subscriber",
	}
	if diff := gocmp.Diff(append(want, "8 ann editor"), w.kept()); diff != "" { // 7 was an account once
		t.Error(diff)
	}
	for name, form := range map[string][]string{
		"a login twice":          {"do", "add", "login", "Ann", "role", "author"},
		"a login with a colon":   {"do", "add", "login", "a:b", "role", "author"},
		"no login":               {"do", "add", "role", "author"},
		"no such role":           {"do", "add", "login", "ben", "role", "king"},
		"no such account":        {"do", "disable", "login", "ben"},
		"a link for nobody":      {"do", "link", "login", "ben"},
		"the last administrator": {"do", "disable", "login", "administrator"},
		"the last one's role":    {"do", "role", "login", "administrator", "role", "editor"},
	} {
		if got := b.post("/desk/accounts", form...); got.status != 422 && got.status != 404 ||
			strings.Contains(got.body, "?token=") {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if diff := gocmp.Diff(append(want, "8 ann editor"), w.kept()); diff != "" {
		t.Error("refused changes:", diff)
	}
	w.put(&store.Image{URL: "https://elsewhere.example/a.png"}) // "Pictures" has uploads alone
	if got := b.get("/desk/server"); got.status != 200 ||
		!strings.Contains(got.body, "<dt>Events</dt><dd><bdi>1<") ||
		!strings.Contains(got.body, "<dt>Pictures</dt><dd><bdi>0<") {
		t.Error(got.status, got.body)
	}
}

// Accounts that the server may not change are shown, with the reason; a link for one of them is no
// change.
func TestFixedAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) {
		fixed, err := account.Memory(account.User{
			Account: account.Account{
				ID:    1,
				Login: "administrator",
				Role:  account.Administrator,
			},
			Token: "administrator",
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Accounts = fixed
	})
	b := w.as(account.Administrator)
	for _, path := range []string{"/desk/accounts", "/desk/account/stolen", feedsPath} {
		if got := b.get(path).body; !strings.Contains(got, "keeps its accounts in memory") ||
			strings.Contains(got, "in a file") || strings.Contains(got, `value="add"`) {
			t.Error(path, got)
		}
	}
	if got := b.post("/desk/accounts", "do", "add", "login", "ann", "role", "author"); got.status != 403 {
		t.Error(got.status)
	}
	if got := b.post("/desk/accounts", "do", "link", "login", "administrator"); !strings.Contains(
		got.body,
		"/desk/link?token=",
	) {
		t.Error(got.status, got.body)
	}
	w = newWorld(t, func(o *api.Options) {
		o.Accounts = w.open()
	})
	if got := w.as(account.Administrator).get("/desk/accounts").body; !strings.Contains(got, "in a file that this server may not change") ||
		strings.Contains(got, "in memory") {
		t.Error(got)
	}
}

// The account that a trusted proxy names is signed in for that request, and nobody else whom a
// header names.
func TestUserOfProxy(t *testing.T) {
	t.Parallel()
	near := netip.MustParsePrefix("127.0.0.1/32")
	ask := func(trusted netip.Prefix, values ...string) answer {
		w := newWorld(t, func(o *api.Options) {
			o.Trusted = []netip.Prefix{trusted}
			o.DeskUser = "x-remote-user"
		})
		err := account.Change(w.store, now, func(u *account.Users) error {
			_, err := u.Disable("author", false)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b := w.as(account.Contributor)
		b.header["X-Remote-User"] = values
		return b.get("/desk/account")
	}
	for name, tt := range map[string]struct {
		values []string
		from   netip.Prefix
		want   string // login; "" is the form to sign in
	}{
		"an account":         {[]string{"Editor"}, near, "editor"},
		"unknown":            {[]string{"ann"}, near, ""},
		"disabled":           {[]string{"author"}, near, ""},
		"empty":              {[]string{""}, near, ""},
		"twice":              {[]string{"editor", "editor"}, near, ""},
		"two in one":         {[]string{"editor, editor"}, near, ""},
		"from somebody else": {[]string{"editor"}, netip.MustParsePrefix("10.0.0.0/8"), "contributor"},
		"none":               {nil, near, "contributor"}, // the cookie counts
	} {
		got := ask(tt.from, tt.values...)
		login := regexp.MustCompile(`aria-current="page"><bdi>(\w+)<`).FindStringSubmatch(got.body)
		if (login == nil) != (tt.want == "") || login != nil && login[1] != tt.want {
			t.Errorf("%s: signed in as %q, want %q", name, login, tt.want)
		}
		if isProxy := tt.want == "editor"; strings.Contains(got.body, "proxy") != isProxy ||
			got.header["Set-Cookie"] != nil {
			t.Errorf("%s: %v\n%s", name, got.header, got.body)
		}
	}
	w := newWorld(t, func(o *api.Options) {
		o.Trusted = []netip.Prefix{near}
		o.DeskUser = "X-Remote-User"
	})
	b := w.browser()
	b.header.Set("X-Remote-User", "editor")
	if got := b.post("/desk/sign-out"); got.location != "/desk/account" {
		t.Error("signing out:", got.location)
	}
	for _, path := range []string{"/index.php/desk/events/new", "/Desk/events/new"} { // for which the proxy may ask nobody
		if got := b.post(path, "title", "Evil", "date", "2031-06-01"); got.status != 403 ||
			len(w.events()) != 0 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	b.header.Set("Origin", "https://evil.example")
	if got := b.post("/desk/events/new", "title", "Evil", "date", "2031-06-01"); got.status != 403 ||
		len(w.events()) != 0 {
		t.Error("another site:", got.status)
	}
	b.header.Del("Origin")
	if got := b.do("POST", "/cal/events/v1/events", "application/json", `{"title":"A"}`); got.status != 401 {
		t.Error("the API:", got.status)
	}
}

// Behind a proxy the origin of a form is the address that the proxy says, by http and by https.
func TestCrossSiteBehindProxy(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		func(o *api.Options) { o.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} },
	)
	for _, scheme := range []string{"http", "https"} {
		for origin, taken := range map[string]bool{
			scheme + "://choir.example": true,
			"http://evil.example":       false,
			"https://evil.example":      false,
			"ftp://choir.example":       false,
			"null":                      false,
			map[string]string{
				"http":  "https",
				"https": "http",
			}[scheme] + "://choir.example": false,
			scheme + "://choir.example:8443": false,
			"":                               true,
		} {
			b := w.browser()
			b.header = http.Header{
				"X-Forwarded-Proto": {scheme},
				"X-Forwarded-Host":  {"choir.example"},
				"Origin":            {origin},
			}
			if origin == "" {
				b.header.Del("Origin")
			}
			got := b.post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor")
			if (got.status == 303) != taken || (got.header["Set-Cookie"] != nil) != taken ||
				taken &&
					strings.Contains(
						got.header.Get("Set-Cookie"),
						"__Secure-",
					) != (scheme == "https") {
				t.Errorf("%s from %q: %d %v", scheme, origin, got.status, got.header["Set-Cookie"])
			}
		}
	}
}

// A deskCase is a request to a route of the desk, and the request to the API that needs the same
// right.
type deskCase struct {
	path   string   // id in the path; "" is 1
	form   []string // that is sent
	api    []string // method, path and body; nil is no operation of the API
	min    account.Role
	status store.Status // of the records; "" is draft
	silent bool         // records that the caller may not change are passed over
}

// Every role, and nobody, may do at each route of the desk what it may do at the operation of the
// API, on own and on foreign records.
func TestEveryRoute(t *testing.T) {
	t.Parallel()
	const event = `{"title":"Two","start_date":"2031-06-01 19:00:00","end_date":"2031-06-01 20:00:00","status":"draft"}`
	form := []string{"title", "Two", "date", "2031-06-01", "zone", "UTC", "do", "save"}
	cases := map[string]deskCase{
		"POST /desk/events/new": {form: form, api: []string{"POST", "events", event}},
		"POST /desk/events/{id}": {
			form: []string{"do", "trash"},
			api:  []string{"DELETE", "events/1", ""},
		},
		"GET /desk/events/new":          {api: []string{"POST", "events", event}},
		"GET /desk/events/{id}":         {api: []string{"POST", "events/1", `{"title":"Two"}`}},
		"GET /desk/events/{id}/preview": {api: []string{"POST", "events/1", `{"title":"Two"}`}},
		"POST /desk/events/{id} restore": {
			form:   []string{"do", "restore"},
			api:    []string{"POST", "events/1", `{"status":"draft"}`},
			status: store.Trash,
		},
		"POST /desk/venues/{id} restore": {
			path:   "2",
			form:   []string{"do", "restore"},
			api:    []string{"POST", "venues/2", `{"status":"publish"}`},
			status: store.Trash,
		},
		"POST /desk/events/{id} publish": {
			form:   []string{"do", "publish"},
			api:    []string{"POST", "events/1", `{"title":"One"}`},
			status: store.Publish,
		},
		"POST /desk/venues/new": {
			form: []string{"name", "Two"},
			api:  []string{"POST", "venues", `{"venue":"Two"}`},
		},
		"GET /desk/venues/new":  {api: []string{"POST", "venues", `{"venue":"Two"}`}},
		"GET /desk/venues/{id}": {path: "2", api: []string{"POST", "venues/2", `{"city":"York"}`}},
		"POST /desk/venues/{id}": {
			path: "2",
			form: []string{"name", "One", "city", "York"},
			api:  []string{"POST", "venues/2", `{"city":"York"}`},
		},
		"POST /desk/organizers/new": {
			form: []string{"name", "Two"},
			api:  []string{"POST", "organizers", `{"organizer":"Two"}`},
		},
		"GET /desk/organizers/new": {api: []string{"POST", "organizers", `{"organizer":"Two"}`}},
		"GET /desk/organizers/{id}": {
			path: "3",
			api:  []string{"POST", "organizers/3", `{"phone":"1"}`},
		},
		"POST /desk/organizers/{id}": {
			path: "3",
			form: []string{"do", "trash"},
			api:  []string{"DELETE", "organizers/3", ``},
		},
		"POST /desk/categories/new": {
			form: []string{"name", "Two"},
			api:  []string{"POST", "categories", `{"name":"Two"}`},
		},
		"GET /desk/categories/new": {api: []string{"POST", "categories", `{"name":"Two"}`}},
		"GET /desk/categories/{id}": {
			path: "1",
			api:  []string{"POST", "categories/1", `{"description":"x"}`},
		},
		"POST /desk/categories/{id}": {
			path: "1",
			form: []string{"name", "One", "description", "x"},
			api:  []string{"POST", "categories/1", `{"description":"x"}`},
		},
		"POST /desk/tags/new": {
			form: []string{"name", "Two"},
			api:  []string{"POST", "tags", `{"name":"Two"}`},
		},
		"GET /desk/tags/new": {api: []string{"POST", "tags", `{"name":"Two"}`}},
		"GET /desk/tags/{id}": {
			path: "2",
			api:  []string{"POST", "tags/2", `{"description":"x"}`},
		},
		"POST /desk/tags/{id}": {
			path: "2",
			form: []string{"do", "trash"},
			api:  []string{"DELETE", "tags/2", ``},
		},
		"POST /desk/events": {
			form:   []string{"id", "1", "do", "trash", "sure", "1"},
			api:    []string{"DELETE", "events/1", ""},
			silent: true,
		},
		"POST /desk/events restore": {
			form:   []string{"id", "1", "do", "restore"},
			api:    []string{"POST", "events/1", `{"status":"draft"}`},
			status: store.Trash,
			silent: true,
		},
		"GET /desk/events/{id}/changes": {api: []string{"GET", "events/1/revisions", ""}},
		"POST /desk/events/{id}/changes": {
			form: []string{"number", "{number}"},
			api:  []string{"POST", "events/1/revisions/{number}/restore", ""},
		},
		"GET /desk/venues/{id}/changes": {
			path: "2",
			api:  []string{"GET", "venues/2/revisions", ""},
		},
		"POST /desk/venues/{id}/changes": {
			path: "2",
			form: []string{"number", "{number}"},
			api:  []string{"POST", "venues/2/revisions/{number}/restore", ""},
		},
		"GET /desk/venues/{id}/merge": {
			path: "2",
			api:  []string{"POST", "venues/2/merge", `{"into":4}`},
		},
		"POST /desk/venues/{id}/merge": {
			path: "2",
			form: []string{"into", "4"},
			api:  []string{"POST", "venues/2/merge", `{"into":4}`},
		},
		"GET /desk/organizers/{id}/changes": {
			path: "3",
			api:  []string{"GET", "organizers/3/revisions", ""},
		},
		"POST /desk/organizers/{id}/changes": {
			path: "3",
			form: []string{"number", "{number}"},
			api:  []string{"POST", "organizers/3/revisions/{number}/restore", ""},
		},
		"GET /desk/organizers/{id}/merge": {
			path: "3",
			api:  []string{"POST", "organizers/3/merge", `{"into":5}`},
		},
		"POST /desk/organizers/{id}/merge": {
			path: "3",
			form: []string{"into", "5"},
			api:  []string{"POST", "organizers/3/merge", `{"into":5}`},
		},
		"GET /desk/categories/{id}/changes": {
			path: "1",
			api:  []string{"GET", "categories/1/revisions", ""},
		},
		"POST /desk/categories/{id}/changes": {
			path: "1",
			form: []string{"number", "{number}"},
			api:  []string{"POST", "categories/1/revisions/{number}/restore", ""},
		},
		"GET /desk/categories/{id}/merge": {
			path: "1",
			api:  []string{"POST", "categories/1/merge", `{"into":3}`},
		},
		"POST /desk/categories/{id}/merge": {
			path: "1",
			form: []string{"into", "3"},
			api:  []string{"POST", "categories/1/merge", `{"into":3}`},
		},
		"GET /desk/tags/{id}/changes": {
			path: "2",
			api:  []string{"GET", "tags/2/revisions", ""},
		},
		"POST /desk/tags/{id}/changes": {
			path: "2",
			form: []string{"number", "{number}"},
			api:  []string{"POST", "tags/2/revisions/{number}/restore", ""},
		},
		"GET /desk/tags/{id}/merge": {
			path: "2",
			api:  []string{"POST", "tags/2/merge", `{"into":4}`},
		},
		"POST /desk/tags/{id}/merge": {
			path: "2",
			form: []string{"into", "4"},
			api:  []string{"POST", "tags/2/merge", `{"into":4}`},
		},
		"GET /desk/pictures":     {min: account.Subscriber},
		"GET /desk/pictures/new": {min: account.Author},
		"POST /desk/pictures/new": {
			min: account.Author,
		}, // a form without a file is refused in another way
		"GET /desk/pictures/{id}": {
			path: "6",
			api:  []string{"POST", "media/6", `{"title":"Two"}`},
		},
		"POST /desk/pictures/{id}": {
			path: "6",
			form: []string{"title", "Two"},
			api:  []string{"POST", "media/6", `{"title":"Two"}`},
		},
		"GET /desk/pictures/{id}/merge": {
			path: "6",
			api:  []string{"POST", "media/6/merge", `{"into":7}`},
		},
		"POST /desk/pictures/{id}/merge": {
			path: "6",
			form: []string{"into", "7"},
			api:  []string{"POST", "media/6/merge", `{"into":7}`},
		},
		"GET /desk/waiting": {min: account.Subscriber},
		"GET /desk/waiting/{id}": {
			api:    []string{"POST", "events/1", `{"title":"Two"}`},
			status: store.Pending,
		},
		"POST /desk/waiting/{id}": {
			form:   []string{"do", "publish"},
			api:    []string{"POST", "events/1", `{"status":"publish"}`},
			status: store.Pending,
		},
		"POST /desk/waiting/{id} decline": {
			form:   []string{"do", "decline"},
			api:    []string{"DELETE", "events/1", ""},
			status: store.Pending,
		},
		"GET /desk/account/stolen":  {min: account.Subscriber},
		"POST /desk/account/stolen": {min: account.Subscriber},
		"GET /desk/site":            {min: account.Administrator},
		"POST /desk/site": {
			min:  account.Administrator,
			form: []string{"name", "Choir", "zone", "UTC"},
		},
		"GET /desk/accounts": {min: account.Administrator},
		"POST /desk/accounts": {
			min:  account.Administrator,
			form: []string{"do", "role", "login", "author", "role", "editor"},
		},
		"GET /desk/server":        {min: account.Administrator},
		"GET /desk":               {min: account.Subscriber},
		"GET /desk/venues":        {min: account.Subscriber},
		"GET /desk/organizers":    {min: account.Subscriber},
		"GET /desk/categories":    {min: account.Subscriber},
		"GET /desk/tags":          {min: account.Subscriber},
		"GET /desk/account":       {min: account.Subscriber},
		"POST /desk/account":      {min: account.Subscriber},
		"GET /desk/account/feeds": {min: account.Subscriber},
		"POST /desk/account/feeds": {
			min:  account.Subscriber,
			form: []string{"do", "add", "name", "choir"},
		},
		"GET /desk/files/{name}": {}, // public, as are the following
		"GET /desk/sign-in":      {},
		"POST /desk/sign-in":     {},
		"GET /desk/link":         {},
		"POST /desk/link":        {},
		"POST /desk/sign-out":    {},
		"POST /desk/language":    {},
	}
	walked := map[string]bool{}
	almanactest.Routes(func(pattern string, _ *api.Op) {
		method, path, _ := strings.Cut(pattern, " ")
		if path != "/desk" && !strings.HasPrefix(path, "/desk/") {
			return
		}
		if _, ok := cases[pattern]; !ok {
			t.Errorf("%s has no case: say which operation of the API has its right", pattern)
		}
		for name, c := range cases {
			if of := strings.Split(name, " "); of[0]+" "+of[1] == pattern {
				walked[name] = true
				tryRoute(t, name, method, path, c)
			}
		}
	})
	for name := range cases {
		if !walked[name] {
			t.Errorf("%s is no route", name)
		}
	}
}

// tryRoute compares one case with the API, for each role.
func tryRoute(t *testing.T, name, method, path string, c deskCase) {
	t.Helper()
	const v1 = "/cal/events/v1/"
	if c.api == nil && c.min == "" {
		return // public
	}
	if path == "/desk" {
		path = "/desk/"
	}
	path = strings.NewReplacer("{id}", map[bool]string{
		true:  "1",
		false: c.path,
	}[c.path == ""]).Replace(path)
	allowed := false
	for _, role := range append(slices.Clone(roles), "") {
		for author := int64(1); author <= 5; author++ {
			if author > 1 && (c.api == nil || roles[author-1] != role) {
				continue // the administrator's record, and one's own
			}
			world := func() *world {
				w := newWorld(
					t,
					func(o *api.Options) { o.Submissions = submission.New(1, 500, elapsed(o.Clock)) },
				)
				status, e := cmp.Or(
					c.status,
					store.Draft,
				), eventOf(
					author,
					cmp.Or(c.status, store.Draft),
					"One",
				)
				if status == store.Pending {
					e.Proposal = store.Proposal{Key: "key", Name: "Ann"}
				}
				e.WasDraft = status == store.Trash
				post := func(slug string) store.Post {
					return store.Post{
						Author:   author,
						Status:   status,
						Date:     now,
						Slug:     slug,
						WasDraft: status == store.Trash,
					}
				}
				w.put(e, &store.Venue{
					Post: post("v"),
					Name: "One",
				}, &store.Organizer{
					Post: post("o"),
					Name: "One",
				},
					&store.Term{
						Taxonomy: store.Categories,
						Name:     "One",
						Slug:     "c",
					}, &store.Term{
						Taxonomy: store.Tags,
						Name:     "One",
						Slug:     "t",
					})
				w.put(&store.Venue{
					Post: post("v2"),
					Name: "Other",
				}, &store.Organizer{
					Post: post("o2"),
					Name: "Other",
				},
					&store.Term{
						Taxonomy: store.Categories,
						Name:     "Other",
						Slug:     "c2",
					}, &store.Term{
						Taxonomy: store.Tags,
						Name:     "Other",
						Slug:     "t2",
					})
				w.putPicture(author, "a")
				w.putPicture(author, "c")
				return w
			}
			w := world()
			before := w.records()
			accounts := w.kept()
			b := w.browser()
			if role != "" {
				b = w.as(role)
			}
			var got answer
			if method == "POST" {
				got = b.post(path, w.numbered(path, c.form)...)
			} else {
				got = b.get(path)
			}
			may := got.status == 303 || got.status == 412 || got.status == 422 ||
				got.status == 200 &&
					!strings.Contains(got.body, `name="sign-in-login"`)
			changed := !slices.Equal(before, w.records()) || !slices.Equal(accounts, w.kept())
			if c.silent {
				may = changed
			}
			want := role != "" && slices.Index(roles, role) <= slices.Index(roles, c.min)
			if c.api != nil {
				w := world()
				a := w.browser()
				if role != "" {
					a.header.Set("Authorization", "Bearer "+string(role))
				}
				want = a.do(
					c.api[0],
					v1+w.numbered(path, c.api)[1],
					"application/json",
					c.api[2],
				).status < 300
			}
			allowed = allowed || want
			if may != want || changed && !want || method == "GET" && changed {
				t.Errorf(
					"%s by %q on a record of account %d: %d, changed %v, and the API allows it: %v",
					name,
					role,
					author,
					got.status,
					changed,
					want,
				)
			}
		}
	}
	if !allowed {
		t.Errorf("%s: nobody may, so the test shows nothing", name)
	}
}

// numbered replaces {number} by the number of the newest revision of the record in a path of the
// desk.
func (w *world) numbered(path string, texts []string) (all []string) {
	for _, text := range texts {
		if strings.Contains(text, "{number}") {
			admin := w.browser()
			admin.header.Set("Authorization", "Bearer administrator")
			of := strings.TrimSuffix(strings.TrimPrefix(path, "/desk/"), "/changes")
			got := admin.get("/cal/events/v1/" + of + "/revisions")
			var list struct {
				Revisions []struct{ Number json.Number }
			}
			if err := json.Unmarshal([]byte(got.body), &list); err != nil ||
				len(list.Revisions) == 0 {
				w.t.Fatal(of, err, got.body)
			}
			text = strings.ReplaceAll(text, "{number}", list.Revisions[0].Number.String())
		}
		all = append(all, text)
	}
	return all
}

// putPicture stores a record of a picture without its files, in a directory of one digit.
func (w *world) putPicture(author int64, digit string) {
	directory := strings.Repeat(digit, 32)
	hash := strings.Repeat("b", 64)
	address := store.MediaPath + directory + "/poster.png"
	w.put(&store.Image{
		Author:    author,
		Directory: directory,
		URL:       address,
		Sent:      hash,
		SentBytes: 1,
		Hash:      hash,
		Filesize:  1,
		Type:      "image/png",
		Extension: "png",
		Date:      now,
		Modified:  now,
		Width:     8,
		Height:    8,
	})
}

// When a phone was stolen, one button ends every other way into the account, and tells how many
// there were: other sign-ins, links, tokens and secret feeds. This browser stays signed in, and
// other accounts keep theirs. The log names whoever signs in, and from where.
func TestStolenPhone(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := newWorld(t, func(o *api.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	here := w.as(account.Editor)
	phone := w.as(account.Editor)
	other := w.as(account.Author)
	_, feed := here.makeFeed("name", "choir")
	link, _, err := w.sessions.AddLink(0, account.Account{ID: 2, Role: account.Editor}, true)
	if err != nil {
		t.Fatal(err)
	}
	numbers := regexp.MustCompile(`<dt>([^<]*)</dt><dd>([^<]*)</dd>`)
	told := func(body string) (all []string) {
		for _, one := range numbers.FindAllStringSubmatch(body, -1) {
			all = append(all, one[1]+": "+one[2])
		}
		return all
	}
	want := []string{
		"Sign-ins in other browsers: 1",
		"Sign-in links: 1",
		"Tokens of programs: 1",
		"Secret feeds: 1",
	}
	if got := here.get("/desk/account"); !strings.Contains(
		got.body,
		`<a href="/desk/account/stolen">`,
	) {
		t.Error("the page of the account does not lead there")
	}
	if diff := gocmp.Diff(want, told(here.get("/desk/account/stolen").body)); diff != "" {
		t.Errorf("before (-want, +got):\n%s", diff)
	}
	done := here.post("/desk/account/stolen")
	if diff := gocmp.Diff(want, told(done.body)); diff != "" || done.status != 200 ||
		!strings.Contains(done.body, "This was ended") {
		t.Errorf("ended, %d (-want, +got):\n%s", done.status, diff)
	}
	api := w.browser()
	api.header.Set("Authorization", "Bearer editor")
	for what, got := range map[string]answer{
		"the phone":     phone.get("/desk/account"),
		"its token":     w.browser().post("/desk/sign-in", "sign-in-login", "editor", "sign-in-token", "editor"),
		"the feed":      w.browser().get("/feeds/" + feed + "/events.ics"),
		"the link":      w.browser().post("/desk/link", "token", link),
		"a program":     api.get("/cal/events/v1/events"),
		"a stranger":    w.browser().get("/desk/account/stolen"),
		"another phone": w.browser().post("/desk/account/stolen"),
	} {
		isForm := strings.Contains(got.body, "sign-in-login")
		if strings.Contains(got.body, "/desk/sign-out") || got.status == 200 && !isForm ||
			got.status == 303 {
			t.Errorf("%s: %d", what, got.status)
		}
	}
	for what, b := range map[string]*browser{"this browser": here, "another account": other} {
		if !strings.Contains(b.get("/desk/account").body, "/desk/sign-out") {
			t.Errorf("%s is signed out", what)
		}
	}
	left := []string{
		"Sign-ins in other browsers: 0",
		"Sign-in links: 0",
		"Tokens of programs: 0",
		"Secret feeds: 0",
	}
	if diff := gocmp.Diff(left, told(here.get("/desk/account/stolen").body)); diff != "" {
		t.Errorf("left (-want, +got):\n%s", diff)
	}
	for _, line := range []string{`msg="signed in" login=editor address=127.0.0.1 by=token`,
		`msg="all other ways into an account were ended" login=editor address=127.0.0.1`} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("the log has no %s:\n%s", line, &log)
		}
	}
}

// The link of a new account is an invitation, and works for 7 days. A link for somebody who waits
// works for 15 minutes.
func TestInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := regexp.MustCompile(`/desk/link\?token=([0-9a-f]{64})`)
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	for name, tt := range map[string]struct {
		form  []string
		says  string
		lives time.Duration
	}{
		"a new account":    {[]string{"do", "add", "login", "ann", "role", "author"}, "within 7 days", days(7)},
		"an invitation":    {[]string{"do", "invite", "login", "author"}, "within 7 days", days(7)},
		"a sign-in link":   {[]string{"do", "link", "login", "author"}, "within 15 minutes", 15 * time.Minute},
		"another new name": {[]string{"do", "add", "login", "zoe", "role", "author"}, "within 7 days", days(7)},
	} {
		var links []string
		for range 2 {
			made := w.as(account.Administrator).post("/desk/accounts", tt.form...)
			if tt.form[1] == "add" {
				tt.form[1] = "invite"
			}
			link := secret.FindStringSubmatch(made.body)
			if link == nil || !strings.Contains(made.body, tt.says) {
				t.Fatalf("%s: %d, want %q\n%s", name, made.status, tt.says, made.body)
			}
			links = append(links, link[1])
		}
		w.clock.Advance(tt.lives - time.Second)
		if got := w.browser().post("/desk/link", "token", links[0]); got.status != 303 {
			t.Errorf("%s a second before its end: %d", name, got.status)
		}
		if got := w.browser().post("/desk/link", "token", links[0]); got.status != 403 {
			t.Errorf("%s again: %d", name, got.status)
		}
		w.clock.Advance(time.Second)
		if got := w.browser().post("/desk/link", "token", links[1]); got.status != 403 {
			t.Errorf("%s at its end: %d", name, got.status)
		}
	}
}

// A session opens by its cookie alone, and only as long as it lasts.
func TestStolenSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at, _ := url.Parse(w.url + "/desk/")
	editor := w.as(account.Editor)
	author := w.as(account.Author)
	stolen := editor.Jar.Cookies(at)[0].Value
	thief := w.browser()
	thief.Jar = nil
	own, _ := w.sessions.Of(2)
	for name, value := range map[string]string{
		"in capitals":           strings.ToUpper(stolen),
		"the hash in the store": own[0].SHA256,
		"cut":                   stolen[:len(stolen)-1],
		"two":                   stolen + stolen,
	} {
		thief.header.Set("Cookie", "almanac-session="+value)
		if strings.Contains(thief.get("/desk/").body, "/desk/events/new") {
			t.Error("signed in by", name)
		}
	}
	thief.header.Set("Cookie", "almanac-session="+stolen)
	if !strings.Contains(thief.get("/desk/").body, "/desk/events/new") {
		t.Error("the cookie itself does not count, so the test shows nothing")
	}
	for _, path := range []string{"/cal/events/v1/events?status=draft", "/events/"} {
		if got := thief.get(path); got.status == 200 && strings.Contains(got.body, "draft") ||
			got.header["Set-Cookie"] != nil {
			t.Error("the cookie counts at", path, got.status)
		}
	}
	editor.post("/desk/sign-out")
	if strings.Contains(thief.get("/desk/").body, "/desk/events/new") {
		t.Error("a stolen cookie outlives the sign-out")
	}
	w.clock.Advance(31 * 24 * time.Hour)
	if got := author.post("/desk/events/new", "title", "Late", "date", "2031-07-01"); got.status != 403 ||
		len(w.events()) != 0 {
		t.Error("an expired cookie writes:", got.status)
	}
}
