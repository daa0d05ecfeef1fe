package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

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
	c := &changeServer{t: t, o: o, clock: caltime.Frozen(sample.Evening)}
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
		users = append(users, account.User{
			Account: account.Account{
				ID:    roleIDs[role],
				Login: string(role),
				Role:  role,
			},
			Token: token,
		})
	}
	accounts, err := account.Memory(users...)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.store, err = store.Open(c.o); err != nil {
		c.t.Fatal(err)
	}
	c.Handler, err = api.New(api.Options{
		Store:      c.store,
		Accounts:   accounts,
		Clock:      c.clock,
		NoLimits:   c.limit == nil,
		Limits:     c.limit,
		Passwords:  password.NewKeeper(1),
		MaxPerPage: 1000,
	}, almanactest.Routes)
	if err != nil {
		c.t.Fatal(err)
	}
}

// ask asks as a role, which must be answered with a status.
func (c *changeServer) ask(role account.Role, method, path, body string, want int) string {
	c.t.Helper()
	rec := apitest.Serve(
		c,
		method,
		v1+path,
		body,
		"Authorization",
		apitest.Bearer(leakTokens[role]),
		"Content-Type",
		"application/json",
	)
	if rec.Code != want {
		c.t.Fatalf(
			"%s %s %s as %q: %d, want %d: %s",
			method,
			path,
			body,
			role,
			rec.Code,
			want,
			rec.Body,
		)
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

// A revisionList is the revisions of a record on the wire.
type revisionList struct {
	Revisions []struct {
		Number    int64
		Operation string
		Account   *struct {
			ID    int64
			Login string
		}
		Changes map[string]struct{ Old, New json.RawMessage }
	}
	Total int
}

// revisions asks for the revisions of a record.
func (c *changeServer) revisions(role account.Role, path string) (list revisionList) {
	c.t.Helper()
	text := c.ask(role, "GET", path+"/revisions?per_page=50", "", 200)
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
	return list
}

// told returns revisions in short, the newest first.
func (l revisionList) told() (lines []string) {
	for _, r := range l.Revisions {
		login := "nobody"
		if r.Account != nil {
			login = r.Account.Login
		}
		lines = append(
			lines,
			r.Operation+" by "+login+": "+strings.Join(slices.Sorted(maps.Keys(r.Changes)), " "),
		)
	}
	return lines
}

// onDiskAndInMemory runs a test of a server over a directory, and of one over a store in memory.
func onDiskAndInMemory(t *testing.T, f func(t *testing.T, c *changeServer)) {
	t.Parallel()
	t.Run("disk", func(t *testing.T) {
		f(t, startChanges(t, store.Options{
			Dir:      t.TempDir(),
			Snapshot: -1,
		}))
	})
	t.Run("memory", func(t *testing.T) { f(t, startChanges(t, store.Options{})) })
}

const concertJSON = `{"title":"Concert","start_date":"2031-07-01 20:00","end_date":"2031-07-01 22:00"`

// A record is restored as each of its revisions left it, also from the trash, and undo can be
// undone.
func TestRevisions(t *testing.T) {
	onDiskAndInMemory(t, func(t *testing.T, c *changeServer) {
		hall := c.add("editor", "venues", `{"venue":"Hall"}`)
		id := c.add(
			"author",
			"events",
			fmt.Sprintf(concertJSON+`,"description":"Old.","venue":%d}`, hall),
		)
		at := fmt.Sprint("/events/", id)
		c.ask("editor", "PATCH", at, `{"title":"Recital","password":"very secret"}`, 200)
		c.ask("author", "DELETE", at, "", 200)
		list := c.revisions("author", at)
		want := []string{
			"trashed by author: slug status url website",
			"changed by editor: password title",
			"created by author: ",
		}
		var second struct {
			revisionList
			Next     string `json:"next_rest_url"`
			Previous string `json:"previous_rest_url"`
		}
		text := c.ask("author", "GET", at+"/revisions?per_page=1&page=2", "", 200)
		if err := json.Unmarshal([]byte(text), &second); err != nil || second.Total != 3 ||
			!strings.HasSuffix(second.Next, "page=3") || second.Previous == "" {
			t.Errorf("the second page (%v): %s", err, text)
		}
		if diff := cmp.Diff(want[1:2], second.told()); diff != "" {
			t.Errorf("told by the second page (-want, +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, list.told()); diff != "" {
			t.Errorf("told (-want, +got):\n%s", diff)
		}
		if title := list.Revisions[1].Changes["title"]; string(
			title.Old,
		)+string(
			title.New,
		) != `"Concert""Recital"` {
			t.Errorf("the title changed from %s to %s", title.Old, title.New)
		}
		restore := func(role account.Role, i, want int) string {
			t.Helper()
			return c.ask(
				role,
				"POST",
				fmt.Sprintf("%s/revisions/%d/restore", at, list.Revisions[i].Number),
				"",
				want,
			)
		}
		if text := restore("author", 0, 400); !strings.Contains(text, "not in the trash") {
			t.Errorf("a revision in the trash is refused with %s", text)
		}
		restore("contributor", 1, 403)
		restore("", 1, 401)
		for _, undo := range []struct {
			i     int
			title string
		}{{1, "Recital"}, {2, "Concert"}, {1, "Recital"}, {1, "Recital"}, {2, "Concert"}} { // undo of undo
			text := restore("author", undo.i, 200)
			for _, part := range []string{`"title":"` + undo.title + `"`, `"slug":"concert"`, `"status":"publish"`, `"author":"` +
				fmt.Sprint(roleIDs["author"]) + `"`, `"venue":"Hall"`} {
				if !strings.Contains(text, part) {
					t.Errorf("%d is restored without %s: %s", undo.i, part, text)
				}
			}
		}
		if text := c.ask("", "GET", at, "", 403); !strings.Contains(text, "password") {
			t.Errorf("restoring took the password away: %s", text)
		}
		if text := c.ask("author", "GET", at+"/revisions", "", 200); strings.Contains(
			text,
			"very secret",
		) ||
			strings.Contains(text, "pbkdf2") {
			t.Errorf("a password is shown: %s", text)
		}
		c.ask("author", "POST", at+"/revisions/1/restore", "", 404)
		c.ask("author", "GET", at+"/revisions?page=99", "", 404)
		c.ask("author", "GET", "/events/4711/revisions", "", 404)
		c.ask("author", "GET", fmt.Sprint("/events/", hall, "/revisions"), "", 403)
		c.ask("editor", "GET", fmt.Sprint("/events/", hall, "/revisions"), "", 400)

		// Nothing of the time before is shown to a new author who may edit no records but these.
		c.ask(
			"editor",
			"PATCH",
			at,
			fmt.Sprintf(`{"author":%d,"status":"draft"}`, roleIDs["contributor"]),
			200,
		)
		c.ask("contributor", "PATCH", at, `{"title":"Mine"}`, 200)
		if diff := cmp.Diff([]string{"changed by contributor: title", "changed by editor: "}, c.revisions("contributor", at).told()); diff != "" {
			t.Errorf("told a new author (-want, +got):\n%s", diff)
		}
		restore("contributor", 2, 404)

		// Links that are gone are named.
		c.ask("editor", "PATCH", at, `{"venue":[]}`, 200)
		c.ask("editor", "DELETE", fmt.Sprint("/venues/", hall), "", 200)
		if text := restore("editor", 2, 400); !strings.Contains(
			text,
			fmt.Sprint("the venue ", hall),
		) {
			t.Errorf("a link that is gone is refused with %s", text)
		}
		if err := c.store.Check(); err != nil {
			t.Error(err)
		}
	})
}

// A date of a series comes back from the trash to its series, as its revision left it.
func TestRestoredDateOfSeries(t *testing.T) {
	onDiskAndInMemory(t, func(t *testing.T, c *changeServer) {
		id := c.add("editor", "events", concertJSON+`,"recurrence":{"rule":"FREQ=DAILY;COUNT=3"}}`)
		at := fmt.Sprint("/events/", id)
		c.ask("editor", "PATCH", at, `{"title":"Another"}`, 200)
		number := c.revisions("editor", at).Revisions[0].Number
		c.ask("editor", "DELETE", at, "", 200)
		text := c.ask(
			"editor",
			"POST",
			fmt.Sprintf("%s/revisions/%d/restore", at, number),
			"",
			200,
		)
		if !strings.Contains(text, `"recurrence":{"series":`) ||
			!strings.Contains(text, `"changed":true`) ||
			!strings.Contains(text, "Another") {
			t.Errorf("restored as %s", text)
		}
		if err := c.store.Check(); err != nil {
			t.Error(err)
		}
	})
}

// Events, series and children go along to the other record, while others write, and old addresses
// lead there.
func TestMerge(t *testing.T) {
	onDiskAndInMemory(t, func(t *testing.T, c *changeServer) {
		ids := map[string][2]int64{}
		for kind, name := range map[string]string{
			"venues":     "venue",
			"organizers": "organizer",
			"categories": "name",
			"tags":       "name",
		} {
			ids[kind] = [2]int64{
				c.add("editor", kind, `{"`+name+`":"From"}`),
				c.add("editor", kind, `{"`+name+`":"Into"}`),
			}
		}
		links := fmt.Sprintf(
			`,"venue":%d,"organizer":[%d,%d],"categories":[%d],"tags":[%d]`,
			ids["venues"][0],
			ids["organizers"][0],
			ids["organizers"][1],
			ids["categories"][0],
			ids["tags"][0],
		)
		event := c.add("editor", "events", concertJSON+links+`}`)
		trashed := c.add("editor", "events", concertJSON+links+`}`)
		c.ask("editor", "DELETE", fmt.Sprint("/events/", trashed), "", 200)
		c.add("editor", "events", concertJSON+links+`,"recurrence":{"rule":"FREQ=DAILY;COUNT=2"}}`)
		child := c.add(
			"editor",
			"categories",
			fmt.Sprintf(`{"name":"Child","parent":%d}`, ids["categories"][0]),
		)
		c.ask(
			"editor",
			"POST",
			fmt.Sprint("/categories/", ids["categories"][0], "/merge"),
			fmt.Sprintf(`{"into":%d}`, child),
			400,
		)
		var others sync.WaitGroup
		for range 4 {
			others.Go(func() {
				for range 5 {
					c.add(
						"author",
						"events",
						concertJSON+fmt.Sprintf(`,"venue":%d}`, ids["venues"][1]),
					)
				}
			})
		}
		for kind, pair := range ids {
			at := fmt.Sprintf("/%s/%d/merge", kind, pair[0])
			into := fmt.Sprintf(`{"into":%d}`, pair[1])
			c.ask("author", "POST", at, into, 403)
			c.ask("editor", "POST", at, `{}`, 400)
			c.ask("editor", "POST", at, fmt.Sprintf(`{"into":%d}`, pair[0]), 400)
			c.ask("editor", "POST", at, fmt.Sprintf(`{"into":%d}`, event), 400)
			if text := c.ask("editor", "POST", at, into, 200); idIn(t, text) != pair[1] {
				t.Errorf("%s: not the other record stays: %s", kind, text)
			}
			if kind == "venues" || kind == "organizers" {
				kept := fmt.Sprintf("/%s/%d/merge", kind, pair[1])
				c.ask(
					"editor",
					"POST",
					kept,
					fmt.Sprintf(`{"into":%d}`, pair[0]),
					400,
				) // in the trash
				c.ask("editor", "POST", at, into, 410)
			} else {
				c.ask("editor", "POST", at, into, 400)
			}
			if got := c.revisions("editor", fmt.Sprintf("/%s/%d", kind, pair[1])).Revisions[0].Operation; got != "merged" {
				t.Errorf("%s: the operation is %q", kind, got)
			}
		}
		others.Wait()
		_ = c.store.View(func(v *store.View) error {
			for k, kind := range map[store.Kind]string{
				store.Venues:     "venues",
				store.Organizers: "organizers",
				store.Categories: "categories",
				store.Tags:       "tags",
			} {
				pair := ids[kind]
				if left, series := v.EventsOf(k, pair[0]), v.SeriesOf(k, pair[0]); len(
					left,
				)+len(
					series,
				) > 0 {
					t.Errorf("%s: %d events and %d series are left", kind, len(left), len(series))
				}
				if got := len(v.EventsOf(k, pair[1])); got < 4 ||
					len(v.SeriesOf(k, pair[1])) != 1 {
					t.Errorf("%s: the other record has %d events", kind, got)
				}
				if former := v.ByFormer(k, "from"); !slices.ContainsFunc(
					former,
					func(r store.Record) bool { return r.Key() == pair[1] },
				) {
					t.Errorf("%s: the old slug leads to %v", kind, former)
				}
			}
			if got := v.Event(event).Organizers; !slices.Equal(
				got,
				[]int64{ids["organizers"][1]},
			) {
				t.Errorf("an event that had both organizers has %v", got)
			}
			if got := v.Term(store.Categories, child).Parent; got != ids["categories"][1] {
				t.Errorf("the child is below %d", got)
			}
			return nil
		})
		if err := c.store.Check(); err != nil {
			t.Error(err)
		}
	})
}

// A page of revisions with long texts is cut, and its links lead to all others. A revision that is
// longer than a page is one.
func TestRevisionsOfLongTexts(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{})
	text := func(i int, letter string) string {
		return fmt.Sprintf(`"%d xxxxxxx%s"`, i, strings.Repeat(letter, 196_000))
	}
	at := fmt.Sprint(
		"/events/",
		c.add("editor", "events", concertJSON+`,"description":`+text(0, "x")+`}`),
	)
	letters := []string{"x", "x", "x", "x", `\\`, `\\`, "", ""}
	for i, letter := range letters {
		c.ask(
			"editor",
			"PATCH",
			at,
			`{"description":`+text(i+1, letter)+`,"excerpt":`+text(i+1, letter)+`}`,
			200,
		)
	}
	type page struct {
		revisionList
		Next     string `json:"next_rest_url"`
		Previous string `json:"previous_rest_url"`
	}
	read := func(address string) (list page) {
		t.Helper()
		_, path, _ := strings.Cut(address, v1)
		answer := c.ask("editor", "GET", path, "", 200)
		if err := json.Unmarshal([]byte(answer), &list); err != nil {
			t.Fatalf("%v: %.1000s", err, answer)
		}
		if n := len(list.Revisions); n > 1 && len(answer) > 1<<20+2000 || n == 0 ||
			list.Total != len(letters)+1 {
			t.Fatalf("%s: %d of %d revisions in %d bytes", path, n, list.Total, len(answer))
		}
		return list
	}
	var got, want []string
	last := page{Next: v1 + at + "/revisions"}
	for last.Next != "" {
		last = read(last.Next)
		for _, one := range last.Revisions {
			got = append(
				got,
				fmt.Sprintf(
					"%.13s %.13s",
					one.Changes["description"].Old,
					one.Changes["description"].New,
				),
			)
		}
	}
	for i := len(letters); i > 0; i-- {
		want = append(want, fmt.Sprintf(`"<p>%d xxxxxxx "<p>%d xxxxxxx`, i-1, i))
	}
	if diff := cmp.Diff(append(want, " "), got); diff != "" {
		t.Errorf("along the links (-want, +got):\n%s", diff)
	}
	n := len(last.Revisions)
	for last.Previous != "" {
		last = read(last.Previous)
		n += len(last.Revisions)
	}
	if n != len(want)+1 {
		t.Errorf("%d revisions backwards, want %d", n, len(want)+1)
	}
}

// The log of a record is pruned: its revisions begin later, and the rest can be restored.
func TestRevisionsOfPrunedLog(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{
		Dir:      t.TempDir(),
		Snapshot: -1,
		Segment:  1,
		Keep:     time.Hour,
	})
	id := c.add("editor", "venues", `{"venue":"One"}`)
	at := fmt.Sprint("/venues/", id)
	c.ask("editor", "PATCH", at, `{"venue":"Two"}`, 200)
	first := c.revisions("editor", at).Revisions[1].Number
	for range 3 {
		c.clock.Set(c.clock.Now().Add(48 * time.Hour))
		c.ask("editor", "PATCH", at, fmt.Sprintf(`{"city":"%d"}`, c.clock.Now().Day()), 200)
		if err := c.store.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	list := c.revisions("editor", at)
	if last := list.Revisions[len(list.Revisions)-1]; list.Total >= 5 ||
		last.Operation != "written" ||
		len(last.Changes) > 0 {
		t.Errorf("%d revisions after pruning, the first is %+v", list.Total, last)
	}
	c.ask("editor", "POST", fmt.Sprintf("%s/revisions/%d/restore", at, first), "", 404)
	c.ask(
		"editor",
		"POST",
		fmt.Sprintf("%s/revisions/%d/restore", at, list.Revisions[list.Total-1].Number),
		"",
		200,
	)
}

// Few requests for revisions wait, and one whose client has left waits no more, because each reads
// the whole log.
func TestManyRevisions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := guard(t, almanactest.Options{}, &store.Event{Title: "Concert"})
		const path = "/events/1/revisions"
		reserved := make(chan struct{})
		api.HoldHistories(g.Handler.(*api.Server), reserved)
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, v1+path, nil)
			r.Header.Set("Authorization", "Bearer "+g.token)
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			expect(t, "one whose client has left", w, 503, "rest_too_busy", "1")
		})
		synctest.Wait()
		expect(
			t,
			"one more than may wait",
			g.ask(here, g.token, "GET", path, ""),
			503,
			"rest_too_busy",
			"1",
		)
		leave()
		waiting.Wait()
		close(reserved)
		synctest.Wait()
		expect(t, "after all that", g.ask(here, g.token, "GET", path, ""), 200, "", "")
	})
}
