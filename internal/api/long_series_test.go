package api_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/admission"
	"almanac/store"
)

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
	const made = `{"title":"Fair","status":"draft","start_date":"2031-01-01 10:00:00","end_date":"2031-01-01 11:00:00",` +
		`"recurrence":"RRULE:FREQ=DAILY;COUNT=365","description":%q,"excerpt":%[1]q}`
	long := strings.Repeat("word ", 8_000)
	one := cost("POST", "/events", strings.Replace(fmt.Sprintf(made, long), "COUNT=365", "COUNT=1", 1), 201)
	small := cost("POST", "/events", fmt.Sprintf(made, "short"), 201)
	if one < int64(2*len(long)) || small < 365*250 {
		t.Fatalf("one date costs %d bytes, and 365 small ones %d", one, small)
	}
	most := one + small + 365*100 // which events name the other one, slugs in the trash
	if n := cost("POST", "/events", fmt.Sprintf(made, long), 201); n > most {
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
