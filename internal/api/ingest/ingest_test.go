package ingest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/tools/apitest"
	"almanac/internal/write/intake"
	"almanac/store"
)

// A calendar is a server on a store whose transactions call put for each password that they store,
// "" too.
type calendar struct {
	*almanactest.Server
	handler http.Handler // of the same accounts
	put     func(password string)
}

func newCalendar(t *testing.T) *calendar {
	t.Helper()
	c := &calendar{put: func(string) {}}
	hash := func(password string) string {
		c.put(password)
		return password
	}
	s, err := store.Open(store.Options{Now: time.Now, HashPassword: hash})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tokens := map[account.Role]string{
		account.Administrator: "administrator",
		account.Author:        "author",
	}
	c.Server = almanactest.Start(t, almanactest.Options{Store: s, Tokens: tokens})
	if c.handler, _, err = almanactest.Handler(almanactest.Options{
		Store:  s,
		Tokens: tokens,
	}); err != nil {
		t.Fatal(err)
	}
	return c
}

// body is a request with n events that have some more members, in which %[1]d is the number of the
// event.
func body(n int, strict bool, members string) string {
	var items []string
	for i := range n {
		items = append(
			items,
			fmt.Sprintf(
				`{"kind":"events","file":"f","position":%d,"record":{"global_id":"a.example?id=%[1]d",
			"title":"E","timezone":"UTC","start_date":"2031-05-10 10:00:00","end_date":"2031-05-10 11:00:00"%s}}`,
				i+1,
				strings.ReplaceAll(members, "#", fmt.Sprint(i+1)),
			),
		)
	}
	return fmt.Sprintf(`{"strict":%t,"items":[%s]}`, strict, strings.Join(items, ","))
}

// send imports a body and returns the outcomes of its events, or the code of the error.
func (c *calendar) send(t *testing.T, role account.Role, body string) map[string]int {
	t.Helper()
	status, answer := apitest.Do(t, c.As(role), "POST", c.URL+"/_almanac/import", body)
	if status != http.StatusOK {
		return map[string]int{fmt.Sprint(answer["code"]): status}
	}
	report, _ := answer["report"].(map[string]any)
	outcomes := map[string]int{}
	if records, ok := report["records"].(map[string]any); ok {
		events, _ := records["events"].(map[string]any)
		for _, outcome := range events {
			outcomes[outcome.(string)]++
		}
	}
	if refusals, ok := report["refusals"].([]any); ok {
		outcomes["refused"] = len(refusals)
	}
	return outcomes
}

// events returns all events of the store, and the number of its transactions.
func (c *calendar) events(t *testing.T) (events []*store.Event, transactions uint64) {
	t.Helper()
	err := c.Store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			events = append(events, r.(*store.Event))
		}
		transactions = v.Seq()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events, transactions
}

// No password is hashed inside of a transaction, neither of an author nor of an administrator, and
// an event that has the password already stays as it is.
func TestPasswords(t *testing.T) {
	t.Parallel()
	for _, role := range []account.Role{account.Author, account.Administrator} {
		for _, strict := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, strict %t", role, strict), func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t)
				c.put = func(stored string) {
					if stored != "" && !password.IsHash(stored) {
						t.Errorf("a transaction has the password %q", stored)
					}
				}
				for _, step := range []struct {
					name, members string
					want          map[string]int
				}{
					{"new", `,"password":"p#"`, map[string]int{"created": 5}},
					{"again", `,"password":"p#"`, map[string]int{"unchanged": 5}},
					{"changed", `,"password":"q#"`, map[string]int{"updated": 5}},
				} {
					if diff := cmp.Diff(step.want, c.send(t, role, body(5, strict, step.members))); diff != "" {
						t.Errorf("%s (-want, +got):\n%s", step.name, diff)
					}
				}
				events, _ := c.events(t)
				stored := map[string]bool{}
				for _, e := range events {
					stored[e.Password] = true
					if number := strings.TrimPrefix(e.Origins[0], "a.example?id="); !password.Matches(
						e.Password,
						"q"+number,
					) {
						t.Errorf("event %s does not open with its password", number)
					}
				}
				if len(stored) != 5 {
					t.Errorf("%d passwords have %d hashes", 5, len(stored))
				}
			})
		}
	}
}

// A refused record costs no hash: nobody else's event changes.
func TestPasswordOfOthers(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	if diff := cmp.Diff(map[string]int{
		"created": 1,
	}, c.send(t, account.Administrator, body(1, false, ""))); diff != "" {
		t.Fatal(diff)
	}
	want := map[string]int{"refused": 1, "created": 1}
	if diff := cmp.Diff(want, c.send(t, account.Author, body(2, false, `,"password":"p"`))); diff != "" {
		t.Error(diff)
	}
}

// A large import is many transactions, so that others write in between. A strict one is one, and
// has a bound. Wrong bodies store nothing.
func TestSteps(t *testing.T) {
	t.Parallel()
	most := intake.StrictMost
	long := strings.Repeat("x", 20<<10)
	tags := func(n int) string { return `,"tags":[""` + strings.Repeat(`,"t"`, n-1) + `]` }
	fields := func(n int) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, `,"k%d":"v"`, i%100)
		}
		return `,"custom_fields":{` + all.String()[1:] + `}`
	}
	for _, test := range []struct {
		name, body string
		want       map[string]int
		low, high  uint64 // transactions
	}{
		{"small", body(100, false, ""), map[string]int{"created": 100}, 1, 1},
		{"many records", body(2000, false, ""), map[string]int{"created": 2000}, 6, 20},
		{"long records", body(40, false, `,"description":"`+long+`"`), map[string]int{
			"created": 40,
		}, 2, 4},
		{"records with many places", body(300, false, `,"organizer":[{"organizer":"A#","global_id":"a.example?id=9#"},
			{"organizer":"B#","global_id":"a.example?id=8#"}]`), map[string]int{
			"created": 300,
		}, 2, 4},
		{"records with many tags", body(10, false, strings.Replace(tags(500), `""`, `"#"`, 1)), map[string]int{
			"created": 10,
		}, 5, 10},
		{"records with many members", body(100, false, strings.Repeat(`,"x":1`, 400)), map[string]int{
			"created": 100,
		}, 4, 8},
		{"records with many custom fields", body(300, false, fields(100)), map[string]int{
			"created": 300,
		}, 4, 8},
		{"too many custom fields", body(1, false, fields(1001)), map[string]int{
			"refused": 1,
		}, 0, 0},
		{"too many tags", body(1, false, tags(501)), map[string]int{"refused": 1}, 0, 0},
		{"too many members", body(1, false, strings.Repeat(`,"x":1`, 1000)), map[string]int{
			"refused": 1,
		}, 0, 0},
		{"too many members of a venue", body(1, false, `,"venue":{"venue":"V"`+strings.Repeat(`,"x":1`, 1000)+`}`),
			map[string]int{"created": 1, "refused": 1}, 1, 1},
		{"too long a lineage", body(1, false, `,"global_id_lineage":[""`+strings.Repeat(`,"x"`, 500)+`]`), map[string]int{
			"refused": 1,
		}, 0, 0},
		{"strict", body(600, true, ""), map[string]int{"created": 600}, 1, 1},
		{"strict with a wrong one", body(600, true, `,"status":"p#"`), map[string]int{
			"refused": 1,
		}, 0, 0},
		{"strict, too much", body(most, true, ""), map[string]int{
			"rest_invalid_param": 400,
		}, 0, 0},
		{"strict, too many custom fields", body(700, true, fields(100)), map[string]int{
			"rest_invalid_param": 400,
		}, 0, 0},
		{"strict, too many links", body(11, true, strings.Replace(tags(500), `""`, `"#"`, 1)), map[string]int{
			"rest_invalid_param": 400,
		}, 0, 0},
		{"strict with long records", body(40, true, `,"description":"`+long+`"`), map[string]int{
			"created": 40,
		}, 1, 1},
		{"without items", `{}`, map[string]int{"rest_missing_callback_param": 400}, 0, 0},
		{"without records", `{"items":[]}`, map[string]int{}, 0, 0},
		{"no object", `[]`, map[string]int{"rest_invalid_param": 400}, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			if diff := cmp.Diff(test.want, c.send(t, account.Administrator, test.body)); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
			if events, n := c.events(t); len(events) != test.want["created"] || n < test.low ||
				n > test.high {
				t.Errorf(
					"%d events in %d transactions, want %d to %d",
					len(events),
					n,
					test.low,
					test.high,
				)
			}
		})
	}
}

// Records of one name or start are found by an index: work, and so the number of transactions,
// grows by size alone. Each is known again.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	const n = 2000
	times := `"timezone":"UTC","start_date":"2031-05-10 10:00:00","end_date":"2031-05-10 11:00:00"`
	for name, test := range map[string]struct {
		item string // # is its number
		want map[store.Kind]int
	}{
		"rows with one start": {`"kind":"events","row":true,"record":{"title":"E#",` + times + `}`, map[store.Kind]int{
			store.Events: n,
		}},
		"events of one name": {`"kind":"events","record":{"title":"E",` + times + `}`, map[store.Kind]int{
			store.Events: n,
		}},
		"events with a slug each": {`"kind":"events","record":{"title":"E","slug":"s#",` + times + `}`, map[store.Kind]int{
			store.Events: n,
		}},
		"events with one slug": {`"kind":"events","record":{"title":"E","slug":"s",` + times + `}`, map[store.Kind]int{
			store.Events: n,
		}},
		"series of one name": {`"kind":"series","exact":true,"record":{"title":"S",` + times + `}`, map[store.Kind]int{
			store.AllSeries: n,
		}},
		"venues of one name": {`"kind":"venues","record":{"venue":"V"}`, map[store.Kind]int{
			store.Venues: n,
		}},
		"venues with a slug each": {`"kind":"venues","record":{"venue":"V","slug":"v#"}`, map[store.Kind]int{
			store.Venues: n,
		}},
		"tags of one name": {`"kind":"tags","record":{"name":"T","slug":"t#"}`, map[store.Kind]int{
			store.Tags: n,
		}},
		"places of one name": {place(`"venue":{"venue":"V","address":"A#"}`, times), map[store.Kind]int{
			store.Events: n,
			store.Venues: n,
		}},
		"organizers of one name": {place(`"organizer":{"organizer":"O","email":"a#@a.example"}`, times),
			map[store.Kind]int{store.Events: n, store.Organizers: n}},
		"one place of many records": {place(`"venue":{"venue":"V","address":"A"}`, times), map[store.Kind]int{
			store.Events: n,
			store.Venues: 1,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			items := make([]string, n)
			for i := range items {
				items[i] = `{"file":"f",` + strings.ReplaceAll(
					test.item,
					"#",
					fmt.Sprint(i+1),
				) + `}`
			}
			all := `{"items":[` + strings.Join(items, ",") + `]}`
			var before uint64
			for _, again := range []string{"new", "again"} {
				if got := c.send(t, account.Administrator, all); got["refused"] > 0 ||
					again == "again" && got["updated"]+got["created"] > 0 {
					t.Fatalf("%s: %v", again, got)
				}
				got := map[store.Kind]int{}
				var transactions uint64
				err := c.Store.View(func(v *store.View) error {
					for k := range test.want {
						got[k] = v.Len(k)
					}
					transactions = v.Seq()
					return nil
				})
				if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
					t.Errorf("%s: %v (-want, +got):\n%s", again, err, diff)
				}
				if again == "new" && transactions > 20 ||
					again == "again" && transactions > before {
					t.Errorf("%s: %d transactions", again, transactions)
				}
				before = transactions
			}
		})
	}
}

// place is an item of a calendar with a place or an organizer.
func place(member, times string) string {
	return `"kind":"events","form":"calendar","record":{"title":"E#","global_id":"u#@a.example",` + times + `,` + member + `}`
}

// The work for a client that left ends, and the same request again stores the rest.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{"records": "", "passwords": `,"password":"p#"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			ctx, leave := context.WithCancel(t.Context())
			c.put = func(stored string) {
				if (stored == "") == (members == "") { // the first try of an event with a password is none
					leave()
				}
			}
			all := body(1200, false, members)
			r := httptest.NewRequestWithContext(
				ctx,
				"POST",
				"/_almanac/import",
				strings.NewReader(all),
			)
			r.Header.Set("Authorization", "Bearer author")
			r.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			c.handler.ServeHTTP(answer, r)
			events, _ := c.events(t)
			if answer.Code != http.StatusServiceUnavailable || len(events) == 0 ||
				len(events) > 500 {
				t.Fatalf("%d with %d events: %s", answer.Code, len(events), answer.Body)
			}
			c.put = func(string) {}
			want := map[string]int{"created": 1200 - len(events), "unchanged": len(events)}
			if diff := cmp.Diff(want, c.send(t, account.Author, all)); diff != "" {
				t.Errorf("again (-want, +got):\n%s", diff)
			}
		})
	}
}

// A slug alone makes no record the same: without an id, it has to have the name and the start too.
func TestSlugOfAnother(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	for _, record := range []string{`"title":"A","start_date":"2031-05-10 10:00:00"`, `"title":"B","start_date":"2031-05-10 10:00:00"`,
		`"title":"A","start_date":"2031-05-10 09:00:00"`, `"title":"A","start_date":"2031-05-10 10:00:00"`} {
		c.send(
			t,
			account.Administrator,
			`{"items":[{"kind":"events","file":"f","record":{"slug":"s","timezone":"UTC",
			"end_date":"2031-05-10 11:00:00",`+record+`}}]}`,
		)
	}
	events, _ := c.events(t)
	slugs := map[string]string{}
	for _, e := range events {
		slugs[e.Slug] = e.Title + " " + e.Start.String()
	}
	want := map[string]string{
		"s":   "A 2031-05-10 10:00:00",
		"s-2": "B 2031-05-10 10:00:00",
		"s-3": "A 2031-05-10 09:00:00",
	}
	if diff := cmp.Diff(want, slugs); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// Members that an import reads are not called ignored, and are no mistake with strict input.
func TestMembersAreRead(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		s := almanactest.Start(t, almanactest.Options{
			StrictInput: strict,
			Tokens:      map[account.Role]string{account.Author: "author"},
		})
		send := func(text string) string {
			request, err := http.NewRequest(
				"POST",
				s.URL+"/_almanac/import",
				strings.NewReader(text),
			)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			answer, err := s.As(account.Author).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return fmt.Sprint(answer.StatusCode, answer.Header.Get("X-Almanac-Ignored"))
		}
		if got := send(body(1, true, "")); got != "200" {
			t.Errorf("strict input %t: %s", strict, got)
		}
		want := map[bool]string{false: "200item", true: "400"}[strict]
		if got := send(`{"items":[],"item":1}`); got != want {
			t.Errorf("strict input %t: another member: %s, want %s", strict, got, want)
		}
	}
}
