package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

const longSeries = `{"title":"Fair","status":"draft","start_date":"2031-01-01 10:00:00","end_date":"2031-01-01 11:00:00",` +
	`"recurrence":"RRULE:FREQ=DAILY;COUNT=365","description":%q,"excerpt":%[1]q}`

// A series with a long text costs no more log than one event with this text and a series with a
// short one: when it is made, when all of its events change, and when they go to the trash.
func TestLongSeriesCostsItsTextOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := onDisk(t, dir, admission.Limits{Log: 8 << 20, Body: 1 << 20})
	cost := func(method, path, body string, status int) int64 {
		t.Helper()
		before := logged(t, dir)
		expect(t, method+" "+path, g.ask(here, "contributor", method, path, body), status, "", "")
		return logged(t, dir) - before
	}
	long := strings.Repeat("word ", 8_000)
	one := cost(
		"POST",
		"/events",
		strings.Replace(fmt.Sprintf(longSeries, long), "COUNT=365", "COUNT=1", 1),
		201,
	)
	small := cost("POST", "/events", fmt.Sprintf(longSeries, "short"), 201)
	if one < int64(2*len(long)) || small < 365*250 {
		t.Fatalf("one date costs %d bytes, and 365 small ones %d", one, small)
	}
	most := one + small + 365*100 // which events name the other one, slugs in the trash
	if n := cost("POST", "/events", fmt.Sprintf(longSeries, long), 201); n > most {
		t.Errorf(
			"a long series costs %d bytes; its first date %d, and a short series %d",
			n,
			one,
			small,
		)
	}
	var event string
	_ = g.store.View(func(v *store.View) error {
		all := v.SeriesByID()
		event = fmt.Sprintf("/events/%d", v.Instances(all[len(all)-1].ID)[0].ID)
		return nil
	})
	if n := cost("PATCH", event+"?scope=all", `{"title":"Market"}`, 200); n > most {
		t.Errorf("its change costs %d bytes", n)
	}
	if n := cost("DELETE", event+"?scope=all", "", 200); n > most {
		t.Errorf("its removal costs %d bytes", n)
	}
	if err := g.store.Check(); err != nil {
		t.Error(err)
	}
}

// A series over the budget is refused before any event of it is made.
func TestLongSeriesOverTheBudget(t *testing.T) {
	t.Parallel()
	made := 0
	g := budgeted(t, admission.Limits{Log: 256 << 10, Body: 1 << 20}, &made)
	body := fmt.Sprintf(longSeries, strings.Repeat("word ", 8_000))
	const events = 1 + 365 // with that of the series
	expect(
		t,
		"within the budget",
		g.ask(here, "contributor", "POST", "/events", body),
		201,
		"",
		"",
	)
	if made != events {
		t.Fatalf("%d events were made, want %d", made, events)
	}
	w := g.ask(here, "contributor", "POST", "/events", body)
	expect(t, "over the budget", w, 429, "rest_too_many_requests", w.Header().Get("Retry-After"))
	if made != events {
		t.Errorf("%d events were made for a series that was refused", made-events)
	}
	expect(t, "an editor", g.ask(here, "editor", "POST", "/events", body), 201, "", "")
}

// budgeted makes a server on disk that counts the events which transactions make.
func budgeted(t *testing.T, limits admission.Limits, made *int) *guarded {
	t.Helper()
	s, err := store.Open(store.Options{
		Dir:          t.TempDir(),
		HashPassword: func(hash string) string { *made++; return hash },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := almanactest.Options{Store: s, Limits: &limits, Tokens: map[account.Role]string{}}
	for _, role := range account.Roles() {
		o.Tokens[role] = string(role)
	}
	g := &guarded{store: s}
	if g.Handler, g.token, err = almanactest.Handler(o); err != nil {
		t.Fatal(err)
	}
	return g
}

// A change of a series over the budget is refused before any event of it is made, by all of its
// forms.
func TestChangeOfSeriesOverTheBudget(t *testing.T) {
	t.Parallel()
	made := 0
	g := budgeted(t, admission.Limits{Log: 470 << 10, Body: 1 << 20}, &made)
	series := fmt.Sprintf(longSeries, "short")
	expect(
		t,
		"within the budget",
		g.ask(here, "contributor", "POST", "/events", series),
		201,
		"",
		"",
	)
	event := fmt.Sprintf("/events/%d?scope=", firstOf(t, g.store))
	if made != 1+365 {
		t.Fatalf("%d events were made", made)
	}
	expect(
		t,
		"its change",
		g.ask(here, "contributor", "PATCH", event+"all", `{"title":"Market"}`),
		200,
		"",
		"",
	)
	made = 0
	for _, over := range [][3]string{
		{"PATCH", "all", `{"title":"Another"}`},
		{"PATCH", "all", `{"start_date":"2031-01-01 10:30:00"}`},
		{"PATCH", "all", `{"recurrence":"RRULE:FREQ=WEEKLY;COUNT=2"}`},
		{"PATCH", "following", `{"title":"Another"}`},
		{"DELETE", "all", ""},
	} {
		w := g.ask(here, "contributor", over[0], event+over[1], over[2])
		expect(
			t,
			strings.Join(over[:], " "),
			w,
			429,
			"rest_too_many_requests",
			w.Header().Get("Retry-After"),
		)
	}
	if made != 0 {
		t.Errorf("%d events were made for changes that were refused", made)
	}
	expect(
		t,
		"a small one",
		g.ask(here, "contributor", "PATCH", event+"this", `{"title":"Once"}`),
		200,
		"",
		"",
	)
	expect(
		t,
		"an editor",
		g.ask(here, "editor", "PATCH", event+"all", `{"title":"Another"}`),
		200,
		"",
		"",
	)
}

// firstOf returns the id of the first event of the last series.
func firstOf(t *testing.T, s *store.Store) (id int64) {
	t.Helper()
	err := s.View(func(v *store.View) error {
		all := v.SeriesByID()
		id = v.Instances(all[len(all)-1].ID)[0].ID
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// The events of a series have so many links together, however they come to them, and an
// administrator may make more. Of what has more, others change one event at a time.
func TestLinksOfSeries(t *testing.T) {
	t.Parallel()
	made := 0
	g := budgeted(t, admission.Limits{Body: 1 << 20}, &made)
	tags := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(`"tag%d"`, i)
		}
		return `"tags":[` + strings.Join(names, ",") + "]"
	}
	series := func(dates, links int) string {
		return fmt.Sprintf(
			`{"title":"Fair","status":"draft","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00",`+
				`"recurrence":"RRULE:FREQ=DAILY;COUNT=%d",%s}`,
			dates,
			tags(links),
		)
	}
	refused := func(what, token, method, path, body string) {
		t.Helper()
		before := made
		seq := g.store.Seq()
		w := g.ask(here, token, method, path, body)
		expect(t, what, w, 400, "rest_invalid_param", "")
		if !strings.Contains(w.Body.String(), `"tags":"tags: the series would have 5`) ||
			!strings.Contains(w.Body.String(), "at most 50000") {
			t.Errorf("%s: %s", what, w.Body)
		}
		if made > before+2 || g.store.Seq() != seq { // a series and an event of it
			t.Errorf(
				"%s: %d events were made, and transactions after %d to %d",
				what,
				made-before,
				seq,
				g.store.Seq(),
			)
		}
	}
	for _, role := range []string{"contributor", "editor"} {
		refused(role, role, "POST", "/events", series(101, 496))
	}
	expect(
		t,
		"as many as there may be",
		g.ask(here, "contributor", "POST", "/events", series(100, 500)),
		201,
		"",
		"",
	)
	event := fmt.Sprint("/events/", firstOf(t, g.store))
	refused(
		"a date more",
		"contributor",
		"PATCH",
		event+"?scope=all",
		`{"recurrence":"RRULE:FREQ=DAILY;COUNT=101"}`,
	)
	refused("one event with more", "contributor", "PATCH", event, "{"+tags(501)+"}")
	refused("all with more", "editor", "PATCH", event+"?scope=all", "{"+tags(501)+"}")
	expect(
		t,
		"another title",
		g.ask(here, "contributor", "PATCH", event+"?scope=all", `{"title":"Market"}`),
		200,
		"",
		"",
	)
	expect(
		t,
		"one with fewer",
		g.ask(here, "contributor", "PATCH", event, "{"+tags(490)+"}"),
		200,
		"",
		"",
	)
	expect(
		t,
		"and with more",
		g.ask(here, "contributor", "PATCH", event, "{"+tags(500)+"}"),
		200,
		"",
		"",
	)
	expect(t, "it goes", g.ask(here, "contributor", "DELETE", event+"?scope=all", ""), 200, "", "")

	expect(
		t,
		"an administrator",
		g.ask(here, "administrator", "POST", "/events", series(110, 500)),
		201,
		"",
		"",
	)
	event = fmt.Sprint("/events/", firstOf(t, g.store))
	for what, change := range map[string]struct{ scope, body string }{
		"its title":    {"all", `{"title":"Market"}`},
		"fewer links":  {"all", "{" + tags(3) + "}"},
		"other links":  {"following", "{" + tags(500) + "}"},
		"single dates": {"all", `{"recurrence":null}`},
	} {
		seq := g.store.Seq()
		w := g.ask(here, "editor", "PATCH", event+"?scope="+change.scope, change.body)
		expect(t, what, w, 400, "rest_invalid_param", "")
		if !strings.Contains(w.Body.String(), `"scope":"scope: the events that it names have 55000`) ||
			!strings.Contains(w.Body.String(), "right would be scope=this") ||
			g.store.Seq() != seq {
			t.Errorf("%s: transactions after %d to %d: %s", what, seq, g.store.Seq(), w.Body)
		}
	}
	refused("one event with more of many", "editor", "PATCH", event, "{"+tags(501)+"}")
	for _, ask := range []struct{ what, token, scope, body string }{
		{"one title", "editor", "this", `{"title":"Market"}`},
		{"one with few links", "editor", "this", "{" + tags(3) + "}"},
		{"few links", "administrator", "all", "{" + tags(3) + "}"},
		{"a title of few links", "editor", "all", `{"title":"Bazaar"}`},
	} {
		w := g.ask(here, ask.token, "PATCH", event+"?scope="+ask.scope, ask.body)
		expect(t, ask.what, w, 200, "", "")
	}
	if err := g.store.Check(); err != nil {
		t.Error(err)
	}
}

// A merge of what very many events name, and its removal, are several transactions, between which
// others write. One that was stopped leaves what it did, and goes on when it is asked for again.
func TestMergeInParts(t *testing.T) {
	t.Parallel()
	const events, most = 1_300, 500
	stop := -1
	made := 0
	s, err := store.Open(store.Options{HashPassword: func(hash string) string {
		if made++; made == stop {
			panic("the server stops")
		}
		return hash
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	g := &guarded{store: s}
	o := almanactest.Options{Store: s, Tokens: map[account.Role]string{account.Editor: "editor"}}
	if g.Handler, g.token, err = almanactest.Handler(o); err != nil {
		t.Fatal(err)
	}
	ids := map[string]int64{}
	venues := [2]int64{}
	err = s.Update(1, func(tx *store.Tx) error {
		above := int64(0)
		for n := range store.LevelsMost { // the last has no room below it
			c := &store.Term{
				Taxonomy: store.Categories,
				Name:     "Deep",
				Slug:     fmt.Sprint("deep", n),
				Parent:   above,
			}
			if err := tx.Put(c); err != nil {
				return err
			}
			above = c.ID
		}
		ids["Deep"] = above
		for _, name := range []string{"All", "Other", "Below"} {
			c := &store.Term{Taxonomy: store.Categories, Name: name, Slug: strings.ToLower(name)}
			if name == "Below" {
				c.Parent = ids["All"]
			}
			if err := tx.Put(c); err != nil {
				return err
			}
			ids[name] = c.ID
		}
		for n := range venues {
			v := &store.Venue{
				Name: "Hall",
				Post: store.Post{
					Status: store.Publish,
					Slug:   fmt.Sprint("hall", n),
				},
			}
			if err := tx.Put(v); err != nil {
				return err
			}
			venues[n] = v.ID
		}
		for i := range events {
			start := store.Wall(i)
			e := &store.Event{
				Title: "Fair",
				Post: store.Post{
					Status: store.Publish,
					Slug:   fmt.Sprint("fair", i),
				},
				Start: start,
				End:   start,
			}
			e.Categories = []int64{ids["All"]}
			e.Venues = []int64{venues[0]}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	have := func(name string, want int) {
		t.Helper()
		_ = s.View(func(v *store.View) error {
			if n := len(v.EventsOf(store.Categories, ids[name])); n != want {
				t.Errorf("%s has %d events, want %d", name, n, want)
			}
			return nil
		})
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
	do := func(method, path, body string, status int, transactions uint64) http.Header {
		t.Helper()
		tag := g.ask(here, "editor", "GET", strings.TrimSuffix(path, "/merge"), "").
			Header().
			Get("ETag")
		before := s.Seq()
		r := apitest.Request(
			method,
			v1+path,
			body,
			"Authorization",
			apitest.Bearer("editor"),
			"If-Match",
			tag,
		)
		w := apitest.Record(g, r)
		if w.Code != status || s.Seq()-before != transactions {
			t.Errorf(
				"%s %s: %d %s after %d transactions",
				method,
				path,
				w.Code,
				w.Body,
				s.Seq()-before,
			)
		}
		return w.Header()
	}
	merge := fmt.Sprintf("/categories/%d/merge", ids["All"])
	do("POST", merge, fmt.Sprintf(`{"into":%d}`, ids["Deep"]), 400, 0)
	have("Deep", 0)
	into := fmt.Sprintf(`{"into":%d}`, ids["Other"])
	stop = made + most + most/2
	do("POST", merge, into, 500, 1)
	have("All", events-most)
	have("Other", most)
	moved := do("POST", merge, into, 200, 2).Get("X-Almanac-Moved")
	if moved != fmt.Sprintf("events=%d", events-most) {
		t.Errorf("then it says %s", moved)
	}
	have("All", 0)
	have("Other", events)
	do("DELETE", fmt.Sprintf("/categories/%d", ids["Other"]), "", 200, 3)
	have("Other", 0)
	do(
		"POST",
		fmt.Sprintf("/venues/%d/merge", venues[0]),
		fmt.Sprintf(`{"into":%d}`, venues[1]),
		200,
		3,
	)
	_ = s.View(func(v *store.View) error {
		if gone, n := v.Venue(venues[0]), len(v.EventsOf(store.Venues, venues[1])); gone.Status != store.Trash ||
			n != events {
			t.Errorf("the venue that went is %s, and the other has %d events", gone.Status, n)
		}
		if below := v.Term(store.Categories, ids["Below"]); below.Parent != 0 {
			t.Errorf("the category below has the parent %d", below.Parent)
		}
		return nil
	})
}
