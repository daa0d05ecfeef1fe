package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/serve/fixture"
	"almanac/internal/site"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// The list of routes tells the truth: with the operation of another line, a route answers
// otherwise or does something else. Of two lines with the same operation nothing is asked.
func TestExchangedOperations(t *testing.T) {
	t.Parallel()
	x := newExchange(t)
	byName := map[string]*api.Op{}
	for i, op := range x.ops {
		if other := byName[op.Name]; other != nil && other != op {
			t.Errorf("%s: another operation is called %s, too", x.patterns[i], op.Name)
		}
		byName[op.Name] = op
	}
	n := len(x.ops)
	want := x.answers(x.ops)
	for shift := 1; shift <= n/2; shift++ {
		if os.Getenv("ALMANAC_LONG") == "" && shift > 8 && shift%7 != 0 {
			continue // lines that are alike stand near each other
		}
		got := x.answers(slices.Concat(x.ops[shift:], x.ops[:shift]))
		for i := range n {
			other := (i + shift) % n
			if x.ops[i] == x.ops[other] || got[i] != want[i] {
				continue
			}
			exchanged := slices.Clone(x.ops)
			exchanged[i], exchanged[other] = x.ops[other], x.ops[i]
			if x.answers(exchanged)[other] == want[other] {
				t.Errorf(
					"%s and %s answer the same when their operations are exchanged: make them one, or two (%.200s)",
					x.patterns[i],
					x.patterns[other],
					want[i],
				)
			}
		}
	}
}

// An exchange is a calendar, in which routes are asked that have the operations of others.
type exchange struct {
	*testing.T
	options  fixture.Options
	patterns []string
	ops      []*api.Op         // of the patterns
	ids      map[string][2]int // of records by their kind
	numbers  map[string]string // of a revision of the first one
	files    map[string]string // paths of files by their patterns
	picture  string
}

func newExchange(t *testing.T) *exchange {
	t.Helper()
	dir := t.TempDir()
	clock := caltime.Frozen(time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC))
	hash := sha256.Sum256([]byte("secret"))
	users := fmt.Sprintf(
		`{"users":[{"id":1,"login":"admin","token":"token","role":"administrator",`+
			`"feeds":[{"name":"all","sha256":"%s","filter":""}]},`+
			`{"id":2,"login":"keeper","role":"administrator"}]}`,
		hex.EncodeToString(hash[:]),
	)
	if err := os.WriteFile(filepath.Join(dir, "users.json"), []byte(users), 0o600); err != nil {
		t.Fatal(err)
	}
	records, err := store.Open(store.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	if err := account.Take(records, dir, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	accounts := account.Of(records, clock.Now, nil)
	sessions := account.NewSessions(records, clock.Now)
	x := &exchange{
		T:       t,
		ids:     map[string][2]int{},
		numbers: map[string]string{},
		files:   map[string]string{},
		options: fixture.Options{
			Worlds: true,
			Options: api.Options{
				Store:     records,
				Accounts:  accounts,
				Clock:     clock,
				Pages:     true,
				NoLimits:  true,
				Also:      "/wp-json/tribe/events/v1",
				Languages: i18n.Languages()[:1],
				Trusted:   []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
				Desk: api.Desk{
					Sessions:    sessions,
					DeskUser:    "X-User",
					Submissions: submission.New(1, 100, caltime.Stopwatch()),
					// Without choices of these, the page of the settings is made sooner.
					Flags: store.Settings{Region: "DE", Currency: "EUR", Zone: "UTC", Language: "en"},
				},
			},
		},
	}
	routes(func(pattern string, op *api.Op) {
		x.patterns = append(x.patterns, pattern)
		x.ops = append(x.ops, op)
	})
	x.fill()
	return x
}

// fill makes two records of each kind, and finds the files that pages load.
func (x *exchange) fill() {
	x.Helper()
	server := x.serve(x.ops)
	picture := ""
	for _, kind := range []string{"categories", "tags", "venues", "organizers", "events", "media"} {
		var both [2]int
		for i := range both {
			body := x.body(kind, fmt.Sprint(kind, i))
			if kind == "media" {
				var text bytes.Buffer
				if err := png.Encode(&text, image.NewGray(image.Rect(0, 0, 9, 9+i))); err != nil {
					x.Fatal(err)
				}
				x.picture = text.String()
				body = x.picture
			}
			var made struct {
				ID  int
				URL string
			}
			answer := send(server, "POST", "/cal/events/v1/"+kind, body, "")
			if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil || made.ID == 0 {
				x.Fatalf("%s: %d %s (%v)", kind, answer.Code, answer.Body, err)
			}
			both[i] = made.ID
			picture = made.URL
		}
		x.ids[kind] = both
		var past struct {
			Revisions []struct{ Number json.Number }
		}
		answer := send(server, "GET", fmt.Sprintf("/cal/events/v1/%s/%d/revisions", kind, both[0]), "", "")
		if err := json.Unmarshal(answer.Body.Bytes(), &past); err == nil && len(past.Revisions) > 0 {
			x.numbers[kind] = past.Revisions[0].Number.String()
		}
	}
	_, x.files["/media/{directory}/{name}"], _ = strings.Cut(picture, "//localhost")
	secret := sha256.Sum256([]byte("SECRET"))
	proposed := &store.Event{
		Title:    "Proposed",
		Post:     store.Post{Status: store.Pending, Author: 1},
		Proposal: store.Proposal{Key: hex.EncodeToString(secret[:]), Name: "Ann", Email: "ann@example.org"},
	}
	if err := x.options.Store.Update(1, func(tx *store.Tx) error { return tx.Put(proposed) }); err != nil {
		x.Fatal(err)
	}
	x.files["/events/suggest/{number}/{name}"] = fmt.Sprintf("/events/suggest/%d/SECRET", proposed.ID)
	page := send(server, "GET", "/desk/", "", "").Body.String()
	for pattern, form := range map[string]string{
		"/assets/{name}":     `/assets/[\w.-]+`,
		"/desk/files/{name}": `/desk/files/[\w.-]+`,
	} {
		if x.files[pattern] = regexp.MustCompile(form).FindString(page); x.files[pattern] == "" {
			x.Fatalf("no file %s in %s", pattern, page)
		}
	}
}

// body returns what is asked of every operation that writes about a kind of records.
func (x *exchange) body(kind, name string) string {
	members := map[string]any{
		"title":      name,
		"name":       name,
		"start_date": "2031-05-11 20:00",
		"end_date":   "2031-05-11 22:00",
		"into":       x.ids[kind][1],
		"language":   "en",
		"query":      "nothing=1",
	}
	if kind == "venues" || kind == "organizers" {
		members[strings.TrimSuffix(kind, "s")] = name
	}
	text, err := json.Marshal(members)
	if err != nil {
		x.Fatal(err)
	}
	return string(text)
}

// serve returns a server whose routes have some operations.
func (x *exchange) serve(ops []*api.Op) *fixture.Server {
	x.Helper()
	server, err := fixture.New(x.options, func(on func(string, *api.Op)) {
		for i, pattern := range x.patterns {
			on(pattern, ops[i])
		}
	})
	if err != nil {
		x.Fatal(err)
	}
	return server
}

// send sends a request to a world: of one administrator to the API, of another one to the desk,
// where some operations end what lets an account in.
func send(h http.Handler, method, path, body, world string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1"
	r.Host = "localhost"
	for name, value := range map[string]string{
		"Almanac-World": world,
		"Authorization": "Bearer token",
		"Content-Type":  http.DetectContentType([]byte(body)),
		"X-User":        "keeper",
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// random finds the nonces and keys of pages.
var random = regexp.MustCompile(`[A-Z2-7]{26}`)

// answers returns what each route answers, and what it does, with some operations.
func (x *exchange) answers(ops []*api.Op) (all []string) {
	x.Helper()
	server := x.serve(ops)
	defer server.Close()
	for i, pattern := range x.patterns {
		name := fmt.Sprint("w", i)
		world, release, err := server.World(name, nil)
		if err != nil {
			x.Fatal(err)
		}
		if strings.Contains(pattern, "/_almanac/") {
			x.use(world)
			send(server, "GET", "/favicon.ico", "", name)
		}
		method, path, body := x.request(pattern, x.ops[i])
		answer := send(server, method, path, body, name)
		header := answer.Header()
		text := fmt.Sprintln(
			answer.Code,
			header.Get("Location"),
			header.Get("Content-Type"),
			header.Get("Set-Cookie"),
			answer.Body,
			world.Store().Stats(),
			len(world.Requests()),
		)
		release()
		all = append(all, random.ReplaceAllString(text, ""))
	}
	return all
}

// use gives a world what the routes for tests list, change and take back.
func (x *exchange) use(world *fixture.World) {
	x.Helper()
	tag := &store.Term{Taxonomy: store.Tags, Name: "since the seed", Slug: "since"}
	err := world.Store().Update(1, func(tx *store.Tx) error { return tx.Put(tag) })
	if err == nil {
		_, err = world.AddFault(fixture.Fault{Status: 500, Skip: 1000})
	}
	if err != nil {
		x.Fatal(err)
	}
}

// request returns a request to the route of an operation.
func (x *exchange) request(pattern string, op *api.Op) (method, path, body string) {
	methods, path, _ := strings.Cut(pattern, " ")
	method, _, _ = strings.Cut(methods, ",")
	kind := "events"
	for known := range x.ids {
		if strings.HasPrefix(strings.TrimPrefix(path, "/cal/events/v1"), "/"+known) ||
			strings.HasPrefix(path, "/desk/"+known) {
			kind = known
		}
	}
	if strings.Contains(path, "/media") || strings.Contains(path, "/pictures") {
		kind = "media"
	}
	if method != "GET" && method != "DELETE" {
		body = x.body(kind, "new")
		switch {
		case kind == "media" && method == "POST" && !strings.Contains(path, "{"):
			body = x.picture
		case path == "/_almanac/clock":
			body = `{"advance":"1h"}`
		case strings.HasPrefix(path, "/_almanac/"):
			body = `{"name":"none"}`
		}
	}
	if x.files[path] != "" {
		return method, x.files[path], body
	}
	ofPage := op == site.Page || op == site.Embedded
	path = strings.NewReplacer("{$}", "", "{id}", fmt.Sprint(x.ids[kind][0]), "{slug}", kind+"0",
		"{secret}", "secret", "{day}", "2031-05-11", "{path...}", "2031-05", "{number}", x.numbers[kind],
		"/docs/{name}", "/docs/events", "/health/{name}", "/health/ready", "{name}", "none").Replace(path)
	if strings.HasPrefix(path, "/desk/link") {
		keeper, _ := x.options.Accounts.Named("keeper")
		secret, _, err := x.options.Sessions.AddLink(0, keeper, false)
		if err != nil {
			x.Fatal(err)
		}
		path += "?token=" + secret
	}
	if ofPage {
		path += "?ical=1" // frames have no feeds
	}
	return method, path, body
}
