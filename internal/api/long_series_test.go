package api_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/store"
)

const longSeries = `{"title":"Fair","status":"draft","start_date":"2031-01-01 10:00:00","end_date":"2031-01-01 11:00:00",` +
	`"recurrence":"RRULE:FREQ=DAILY;COUNT=365","description":%q,"excerpt":%[1]q}`

// A series with a long text costs no more log than one event with this text and a series with a short one: when it is made,
// when all of its events change, and when they go to the trash.
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
	one := cost("POST", "/events", strings.Replace(fmt.Sprintf(longSeries, long), "COUNT=365", "COUNT=1", 1), 201)
	small := cost("POST", "/events", fmt.Sprintf(longSeries, "short"), 201)
	if one < int64(2*len(long)) || small < 365*250 {
		t.Fatalf("one date costs %d bytes, and 365 small ones %d", one, small)
	}
	most := one + small + 365*100 // which events name the other one, slugs in the trash
	if n := cost("POST", "/events", fmt.Sprintf(longSeries, long), 201); n > most {
		t.Errorf("a long series costs %d bytes; its first date %d, and a short series %d", n, one, small)
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
	s, err := store.Open(store.Options{Dir: t.TempDir(), HashPassword: func(hash string) string { made++; return hash }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := almanactest.Options{Store: s, Limits: &admission.Limits{Log: 256 << 10, Body: 1 << 20}}
	o.Tokens = map[account.Role]string{account.Contributor: "contributor", account.Editor: "editor"}
	g := &guarded{store: s}
	if g.Handler, g.token, err = almanactest.Handler(o); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(longSeries, strings.Repeat("word ", 8_000))
	const events = 1 + 365 // with that of the series
	expect(t, "within the budget", g.ask(here, "contributor", "POST", "/events", body), 201, "", "")
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
