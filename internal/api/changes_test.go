package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/api"
	"almanac/internal/apitest"
	"almanac/internal/caltime"
	"almanac/internal/password"
	"almanac/internal/race"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// changesPage is an answer of GET /changes.
type changesPage struct {
	Changes []struct {
		Kind      string
		ID        int64
		Operation string
		Modified  string
	}
	Token string
	More  bool
}

// A changeServer is a server over a store that can be started again, with all roles.
type changeServer struct {
	t     *testing.T
	o     store.Options
	clock *caltime.Clock
	limit *admission.Limits
	store *store.Store
	http.Handler
}

func startChanges(t *testing.T, o store.Options) *changeServer {
	t.Helper()
	c := &changeServer{t: t, o: o, clock: caltime.Frozen(evening)}
	c.o.Now = c.clock.Now
	c.start()
	t.Cleanup(func() { c.store.Close() })
	return c
}

// start starts the server, again if there was one.
func (c *changeServer) start() {
	c.t.Helper()
	if c.store != nil {
		if err := c.store.Check(); err != nil {
			c.t.Error(err)
		}
		c.store.Close()
	}
	var users []account.User
	for role, token := range leakTokens {
		users = append(users, account.User{Account: account.Account{ID: roleIDs[role], Login: string(role), Role: role}, Token: token})
	}
	accounts, err := account.Memory(users...)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.store, err = store.Open(c.o); err != nil {
		c.t.Fatal(err)
	}
	c.Handler, err = api.New(api.Options{Store: c.store, Accounts: accounts, Clock: c.clock, NoLimits: c.limit == nil, Limits: c.limit,
		Passwords: password.NewKeeper(1), MaxPerPage: 1000}, almanactest.Routes)
	if err != nil {
		c.t.Fatal(err)
	}
}

// ask asks as a role, which must be answered with a status.
func (c *changeServer) ask(role account.Role, method, path, body string, want int) string {
	c.t.Helper()
	rec := apitest.Serve(c, method, v1+path, body, "Authorization", apitest.Bearer(leakTokens[role]), "Content-Type", "application/json")
	if rec.Code != want {
		c.t.Fatalf("%s %s %s as %q: %d, want %d: %s", method, path, body, role, rec.Code, want, rec.Body)
	}
	return rec.Body.String()
}

// add posts a record and returns its id.
func (c *changeServer) add(role account.Role, kind, body string) int64 {
	c.t.Helper()
	return idIn(c.t, c.ask(role, "POST", "/"+kind, body, 201))
}

func idIn(t *testing.T, text string) int64 {
	t.Helper()
	var made struct{ ID int64 }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.ID == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	return made.ID
}

// changes asks for the changes after a token.
func (c *changeServer) changes(role account.Role, token string) (page changesPage) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.ask(role, "GET", "/changes?since="+token, "", 200)), &page); err != nil {
		c.t.Fatal(err)
	}
	return page
}

// told asks for changes and writes them as "created events 12".
func (c *changeServer) told(role account.Role, token string) (told []string) {
	c.t.Helper()
	for _, change := range c.changes(role, token).Changes {
		told = append(told, fmt.Sprint(change.Operation, " ", change.Kind, " ", change.ID))
	}
	return told
}

// tokens are those of now of everybody.
func (c *changeServer) tokens() map[account.Role]string {
	c.t.Helper()
	all := map[account.Role]string{}
	for _, role := range everybody {
		page := c.changes(role, "")
		if len(page.Changes) > 0 || page.More || page.Token == "" {
			c.t.Fatalf("without a token %q is told %+v", role, page)
		}
		all[role] = page.Token
	}
	return all
}

// expect looks what everybody is told since some tokens: authors as strangers, unless more is
// said of them, editors and administrators as others who see all.
func (c *changeServer) expect(what string, since map[account.Role]string, anonymous, authors, editors []string) {
	c.t.Helper()
	for role, want := range map[account.Role][]string{"": anonymous, account.Subscriber: anonymous, account.Contributor: anonymous,
		account.Author: authors, account.Editor: editors, account.Administrator: editors} {
		if diff := cmp.Diff(want, c.told(role, since[role])); diff != "" {
			c.t.Errorf("%s: what %q is told (-want +got):\n%s", what, role, diff)
		}
	}
}

// Each caller is told the changes of visible records: a record that becomes visible is created, a record that
// disappears is removed, whatever has happened to it, and hidden records are not told.
func TestChanges(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{})
	since := c.tokens()
	const when = `"start_date":"2031-01-01 12:00:00","end_date":"2031-01-01 13:00:00"`
	hall := c.add(account.Author, "venues", `{"venue":"Hall"}`)
	one := c.add(account.Author, "events", fmt.Sprintf(`{"title":"One",%s,"venue":%d}`, when, hall))
	shut := c.add(account.Editor, "events", fmt.Sprintf(`{"title":"Shut",%s,"venue":%d,"password":"pw"}`, when, hall))
	line := func(operation, kind string, id int64) string { return fmt.Sprint(operation, " ", kind, " ", id) }
	events := []string{line("created", "events", one), line("created", "events", shut)}
	all := append([]string{line("created", "venues", hall)}, events...)
	c.expect("new records", since, all, all, all)

	c.ask(account.Editor, "PATCH", fmt.Sprint("/venues/", hall), `{"status":"draft"}`, 200)
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/venues/", hall), `{"city":"Albany"}`, 200)
	changed := []string{line("changed", "venues", hall)}
	c.expect("a draft", since, nil, changed, changed)
	for role, token := range since {
		sees := role == account.Author || role == account.Editor || role == account.Administrator
		if got := c.changes(role, token).Token; (got == token) == sees {
			t.Errorf("the token of %q, after a draft was changed: %q, and %q before", role, got, token)
		}
	}

	// A caller who may see the events is shown more of them, but not the content of protected ones.
	since = c.tokens()
	c.ask(account.Editor, "PATCH", fmt.Sprint("/venues/", hall), `{"status":"publish"}`, 200)
	c.expect("a venue that is published", since, []string{line("created", "venues", hall), line("changed", "events", one)}, changed, changed)
	since = c.tokens()
	c.ask(account.Editor, "PATCH", fmt.Sprint("/venues/", hall), `{"status":"private"}`, 200)
	c.expect("a venue that is private", since, []string{line("removed", "venues", hall), line("changed", "events", one)}, changed, changed)

	// A password closes an event, which is there.
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"password":"pw"}`, 200)
	changed = []string{line("changed", "events", one)}
	c.expect("a password", since, changed, changed, changed)
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"hide_from_listings":true}`, 200)
	removed := []string{line("removed", "events", one)}
	c.expect("hidden from lists", since, removed, removed, removed)
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"title":"Uno"}`, 200)
	c.expect("a change of what is hidden from lists", since, nil, nil, nil)
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"hide_from_listings":false}`, 200)
	created := []string{line("created", "events", one)}
	c.expect("shown again", since, created, created, created)
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"status":"draft"}`, 200)
	c.expect("withdrawn", since, removed, changed, changed)
	since = c.tokens()
	c.ask(account.Author, "PATCH", fmt.Sprint("/events/", one), `{"status":"publish","date":"2026-11-22 00:00:00"}`, 200)
	c.expect("scheduled", since, nil, changed, changed)
	c.clock.Set(evening.AddDate(0, 0, 2))
	c.expect("published when it was time", since, created, changed, changed)
	since = c.tokens()
	c.ask(account.Author, "DELETE", fmt.Sprint("/events/", one), "", 200)
	c.expect("in the trash", since, removed, removed, removed)

	// All that happened to it is told once, as it ended.
	since = c.tokens()
	c.ask(account.Editor, "PATCH", fmt.Sprint("/events/", one), `{"status":"publish"}`, 200)
	c.ask(account.Editor, "PATCH", fmt.Sprint("/events/", one), `{"title":"Eins"}`, 200)
	c.clock.Set(evening.AddDate(0, 0, 3))
	c.ask(account.Editor, "PATCH", fmt.Sprint("/events/", one), `{"title":"Ein"}`, 200)
	c.expect("several changes", since, created, created, created)
	if got := c.changes("", since[""]).Changes[0].Modified; got != evening.AddDate(0, 0, 3).Format(time.RFC3339) {
		t.Errorf("it was changed at %s", got)
	}
	c.ask(account.Editor, "DELETE", fmt.Sprint("/events/", one), "", 200)
	c.expect("there and gone", since, nil, nil, nil)

	since = c.tokens()
	free := c.add(account.Editor, "tags", `{"name":"Free"}`)
	c.expect("a tag", since, []string{line("created", "tags", free)}, []string{line("created", "tags", free)},
		[]string{line("created", "tags", free)})
	since = c.tokens()
	c.ask(account.Editor, "DELETE", fmt.Sprint("/tags/", free), "", 200)
	gone := []string{line("removed", "tags", free)}
	c.expect("a tag that is gone", since, gone, gone, gone)
}

// A token belongs to one store, one account and one role: any other is 410, and says how to begin again. A
// token older than the retained changes is 410, too.
func TestChangesTokens(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{Dir: t.TempDir(), Keep: 30 * 24 * time.Hour})
	other := startChanges(t, store.Options{})
	c.add(account.Editor, "tags", `{"name":"Free"}`)
	other.add(account.Editor, "tags", `{"name":"Open"}`)
	mine, theirs := c.tokens(), other.tokens()
	forgotten := func(role account.Role, what, token string) {
		t.Helper()
		body := c.ask(role, "GET", "/changes?since="+token, "", 410)
		if !strings.Contains(body, `"rest_changes_forgotten"`) || !strings.Contains(body, "Begin again: ask without since") {
			t.Errorf("%s: %s", what, body)
		}
	}
	for _, role := range everybody {
		for _, owner := range everybody {
			if owner != role {
				forgotten(role, "the token of another", mine[owner])
			}
		}
		forgotten(role, "that of another store", theirs[role])
		forgotten(role, "a part of it", mine[role][1:])
		forgotten(role, "more than it", mine[role]+"A")
		forgotten(role, "forged", strings.Repeat("A", len(mine[role])))
		for i := range mine[role] {
			letter := byte('A')
			if mine[role][i] == 'A' {
				letter = 'B'
			}
			forgotten(role, "another letter", mine[role][:i]+string(letter)+mine[role][i+1:])
		}
	}
	forgotten("", "what is none", "huge"+strings.Repeat("9", 5000))
	forgotten("", "a number", "18446744073709551615")

	// Tokens outlive a restart and quiet times, and what is after them no longer than it is kept.
	jazz := c.add(account.Editor, "tags", `{"name":"Jazz"}`)
	c.start()
	want := []string{fmt.Sprint("created tags ", jazz)}
	c.expect("after a restart", mine, want, want, want)
	now := c.tokens()
	c.clock.Set(evening.AddDate(0, 0, 29))
	c.expect("29 days later", mine, want, want, want)
	c.clock.Set(evening.AddDate(0, 0, 31))
	for _, role := range everybody {
		forgotten(role, "31 days later", mine[role])
	}
	c.expect("a quiet month", now, nil, nil, nil)
	// Hidden changes do not expire a stranger's token.
	for day := 31; day < 90; day += 10 {
		c.clock.Set(evening.AddDate(0, 0, day))
		c.add(account.Editor, "venues", `{"venue":"Draft","status":"draft"}`)
		page := c.changes("", now[""])
		if len(page.Changes) > 0 {
			t.Errorf("a stranger is told %+v", page)
		}
		now[""] = page.Token
	}
}

// Hidden changes leave the token of a caller as it is, until there are very many.
func TestChangesTellNothing(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{})
	c.add(account.Editor, "tags", `{"name":"Free"}`)
	since := c.tokens()
	write := func(n int) {
		err := c.store.Update(2, func(tx *store.Tx) error {
			for range n {
				if err := tx.Put(&store.Venue{Post: store.Post{Status: store.Draft, Author: 2}, Name: "Hidden"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	write(4000)
	for _, role := range []account.Role{"", account.Subscriber, account.Author} {
		if got := c.changes(role, since[role]); got.Token != since[role] || got.More || len(got.Changes) > 0 {
			t.Errorf("%q is told %+v, and had %s", role, got, since[role])
		}
		if got := c.changes(role, ""); got.Token != since[role] {
			t.Errorf("the token of %q is now %s, and was %s", role, got.Token, since[role])
		}
	}
	write(5000)
	page := c.changes("", since[""])
	if len(page.Changes) > 0 || !page.More || page.Token == since[""] {
		t.Errorf("after 9,001 hidden steps: %+v", page)
	}
	if page = c.changes("", page.Token); len(page.Changes) > 0 || page.More {
		t.Errorf("after the last hidden steps: %+v", page)
	}
}

// A copied is the copy of a client that follows the changes: each record as he last read it.
type copied struct {
	role  account.Role
	token string
	has   map[string]string
}

// kindsOfCopies are the kinds in lists, with the query for all records of each.
var kindsOfCopies = []string{"events", "venues", "organizers", "categories", "tags", "series"}

// shownOf is the part of a record that a copy keeps: fields that no other record changes, and the ids of the
// venues, organizers and parents that an event shows.
func shownOf(t *testing.T, record map[string]any) string {
	t.Helper()
	ids := func(member string) (all []any) {
		list, _ := record[member].([]any)
		for _, one := range list {
			all = append(all, one.(map[string]any)["id"])
		}
		if one, ok := record[member].(map[string]any); ok {
			all = append(all, one["id"])
		}
		return all
	}
	recurrence, _ := record["recurrence"].(map[string]any)
	return fmt.Sprint(record["title"], record["venue"] == nil, record["name"], record["status"], record["modified_utc"], record["rule"],
		record["description"], ids("venue"), ids("organizer"), ids("post_parent"), recurrence["series"])
}

// lists reads all that a role finds.
func (c *changeServer) lists(role account.Role) map[string]string {
	c.t.Helper()
	all := map[string]string{}
	for _, kind := range kindsOfCopies {
		path := "/" + kind + "?hide_empty=false&per_page=1000"
		if kind == "events" {
			path += "&starts_after=2000-01-01"
		}
		var list map[string]any
		rec := apitest.Serve(c, "GET", v1+path, "", "Authorization", apitest.Bearer(leakTokens[role]))
		if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil || rec.Code != 200 {
			c.t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
		}
		for _, one := range list[kind].([]any) {
			record := one.(map[string]any)
			all[fmt.Sprintf("%s %v", kind, record["id"])] = shownOf(c.t, record)
		}
	}
	return all
}

// follow reads the changes and what they are about, page by page.
func (c *changeServer) follow(copy *copied, r *rand.Rand) {
	c.t.Helper()
	for more := true; more; {
		query := fmt.Sprintf("/changes?since=%s&per_page=%d", copy.token, 1+r.IntN(5))
		rec := apitest.Serve(c, "GET", v1+query, "", "Authorization", apitest.Bearer(leakTokens[copy.role]))
		if rec.Code == 410 { // too much has changed
			copy.token = c.changes(copy.role, "").Token
			copy.has = c.lists(copy.role)
			return
		}
		var page changesPage
		if err := json.Unmarshal(rec.Body.Bytes(), &page); err != nil || rec.Code != 200 || page.More && page.Token == copy.token {
			c.t.Fatalf("%s as %q: %d %s", query, copy.role, rec.Code, rec.Body)
		}
		shown := c.lists(copy.role) // a read of each shows the same
		for _, change := range page.Changes {
			key := fmt.Sprintf("%s %d", change.Kind, change.ID)
			if _, listed := shown[key]; listed != (change.Operation != "removed") {
				c.t.Fatalf("%q is told that %s was %s, and finds it: %t", copy.role, key, change.Operation, listed)
			}
			if change.Operation == "removed" {
				delete(copy.has, key)
			} else {
				copy.has[key] = shown[key]
			}
		}
		copy.token, more = page.Token, page.More
	}
}

// scribble writes anything as anybody. A refused write is ignored.
func (c *changeServer) scribble(r *rand.Rand) {
	roles := []account.Role{account.Editor, account.Author, account.Contributor, account.Administrator}
	role := roles[r.IntN(len(roles))]
	statuses := []string{"publish", "draft", "pending", "private", "publish"}
	pick := func(kinds ...store.Kind) (id int64) {
		var ids []int64
		_ = c.store.View(func(v *store.View) error {
			for _, k := range kinds {
				for record := range v.Each(k) {
					ids = append(ids, record.Key())
				}
			}
			return nil
		})
		slices.Sort(ids)
		if len(ids) > 0 {
			id = ids[r.IntN(min(len(ids), 12))] // the same ones again and again
		}
		return id
	}
	body := map[string]any{"status": statuses[r.IntN(len(statuses))], "description": fmt.Sprint(r.IntN(1000))}
	method, path := "POST", ""
	switch kind := kindsOfCopies[r.IntN(5)]; kind {
	case "categories", "tags":
		path = "/" + kind
		body = map[string]any{"name": fmt.Sprint("T", r.IntN(1e6))}
		if r.IntN(2) == 0 {
			method, path = []string{"PATCH", "DELETE"}[r.IntN(2)], fmt.Sprintf("%s/%d", path, pick(store.Categories, store.Tags))
		}
	default:
		path = "/" + kind
		switch kind {
		case "venues":
			body["venue"] = fmt.Sprint("V", r.IntN(1e6))
		case "organizers":
			body["organizer"] = fmt.Sprint("O", r.IntN(1e6))
		default:
			body["title"], body["start_date"], body["end_date"] = fmt.Sprint("E", r.IntN(1e6)), "2031-01-01 12:00:00", "2031-01-01 13:00:00"
			for _, link := range []struct {
				member string
				kind   store.Kind
			}{{"venue", store.Venues}, {"organizer", store.Organizers}, {"post_parent", store.Events}} {
				if id := pick(link.kind); id > 0 && r.IntN(2) == 0 {
					body[link.member] = id
				}
			}
			switch r.IntN(8) {
			case 0:
				body["hide_from_listings"] = true
			case 1:
				body["hide_from_listings"] = false
			case 2:
				body["password"] = "pw"
			case 3:
				body["date"], body["status"] = c.clock.Now().Add(time.Duration(r.IntN(60))*time.Minute).Format(caltime.Layout), "publish"
			case 4:
				body["recurrence"] = map[string]any{"rrule": "FREQ=DAILY;COUNT=3"}
			}
		}
		id := map[string]int64{"events": pick(store.Events), "venues": pick(store.Venues), "organizers": pick(store.Organizers)}[kind]
		switch r.IntN(8) {
		case 0, 1, 2, 3, 4:
			method, path = "PATCH", fmt.Sprintf("%s/%d", path, id)
		case 5:
			method, path = "DELETE", fmt.Sprintf("%s/%d", path, id)
		}
	}
	text, _ := json.Marshal(body)
	apitest.Serve(c, method, v1+path, string(text), "Authorization", apitest.Bearer(leakTokens[role]), "Content-Type", "application/json")
}

// A client that follows the changes has the contents of the lists, for every caller and after any writes: at
// any size of pages, after restarts, and when an expired token makes it begin again.
func TestChangesModelAlone(t *testing.T) {
	race.Alone(t)
	seeds := uint64(6)
	if long {
		seeds = 100
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 20))
			o := store.Options{Steps: []int{0, 40}[seed%2], Segment: 20_000, Snapshot: 30_000, Keep: 2 * time.Hour}
			if seed%3 != 0 {
				o.Dir = t.TempDir()
			}
			c := startChanges(t, o)
			var copies []*copied
			for _, role := range everybody {
				copies = append(copies, &copied{role, c.changes(role, "").Token, c.lists(role)})
			}
			for range 60 {
				for range r.IntN(8) {
					c.scribble(r)
				}
				if r.IntN(3) == 0 {
					c.clock.Advance(time.Duration(r.IntN(30)) * time.Minute)
				}
				if o.Dir != "" && r.IntN(6) == 0 {
					c.start()
				}
				for _, copy := range copies {
					if r.IntN(3) > 0 {
						continue
					}
					c.follow(copy, r)
					if lists := c.lists(copy.role); !maps.Equal(lists, copy.has) {
						t.Fatalf("the copy of %q (-lists +copy):\n%s", copy.role, cmp.Diff(lists, copy.has))
					}
				}
			}
			if n := len(slices.Collect(maps.Keys(copies[4].has))); n < 30 {
				t.Errorf("editors see %d records in the end", n)
			}
			if err := c.store.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
