package api_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/almanactest"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/store"
)

// onDisk makes a server whose store is in a directory; the token of each role is
// its name.
func onDisk(t *testing.T, dir string, limits admission.Limits) *guarded {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
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

// logged returns the bytes of the log of a directory.
func logged(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	segments, err := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range segments {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}

const draft = `{"title":"Fair","start_date":"2031-01-01","end_date":"2031-01-02","status":"draft","description":%q}`

// An account below editor writes so much log in an hour, however little it changes
// of its records, and no other account has less for it.
func TestLogBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const budget = 1 << 20
		dir := t.TempDir()
		g := onDisk(t, dir, admission.Limits{Log: budget})
		long := fmt.Sprintf(draft, strings.Repeat("word ", 20_000))
		expect(
			t,
			"a draft with a long text",
			g.ask(here, "contributor", "POST", "/events", long),
			201,
			"",
			"",
		)
		changes := 0
		change := func(token string) int {
			changes++
			return g.ask(
				here,
				token,
				"PATCH",
				"/events/1",
				fmt.Sprintf(`{"title":"Fair %d"}`, changes),
			).Code
		}
		for range 100 { // far more than the budget has room for
			if change("contributor") != 200 {
				break
			}
		}
		if n := logged(t, dir); n > budget || n < budget-(200<<10) {
			t.Errorf("%d bytes of log by a budget of %d", n, budget)
		}
		seq := g.store.Seq()
		before := logged(t, dir)
		w := g.ask(here, "contributor", "PATCH", "/events/1", `{"title":"Once more"}`)
		seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		expect(t, "over the budget", w, 429, "rest_too_many_requests", strconv.Itoa(seconds))
		if seconds < 60 || seconds > 3600/8 {
			t.Errorf("to be repeated after %d s", seconds)
		}
		if g.store.Seq() != seq || logged(t, dir) != before {
			t.Error("what was refused was stored")
		}
		expect(
			t,
			"a small record, in what is left",
			g.ask(here, "contributor", "POST", "/events", fmt.Sprintf(draft, "Short.")),
			201,
			"",
			"",
		)
		expect(t, "another account", g.ask(here, "author", "POST", "/events", long), 201, "", "")
		for range 15 {
			if status := change("editor"); status != 200 {
				t.Errorf("an editor is answered %d", status)
			}
		}
		expect(t, "reading", g.ask(here, "contributor", "GET", "/events/1", ""), 200, "", "")

		// A write that is refused or changes nothing costs nothing.
		time.Sleep(time.Hour)
		for range 30 {
			expect(
				t,
				"a bad parameter",
				g.ask(here, "contributor", "PATCH", "/events/1", `{"start_date":"no"}`),
				400,
				"rest_invalid_param",
				"",
			)
		}
		n := 0
		for ; n < 100 && change("contributor") == 200; n++ {
		}
		if n < 9 || n == 100 {
			t.Errorf("an hour later %d changes were taken", n)
		}
		if err := g.store.Check(); err != nil {
			t.Error(err)
		}
	})
}

// A record that is larger than the whole budget can be written once in so long.
func TestLogBudgetOfLess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := onDisk(t, t.TempDir(), admission.Limits{Log: 10 << 10})
		long := fmt.Sprintf(draft, strings.Repeat("word ", 20_000))
		expect(t, "the first", g.ask(here, "author", "POST", "/events", long), 201, "", "")
		if w := g.ask(here, "author", "POST", "/events", fmt.Sprintf(draft, "Short.")); w.Code != 429 {
			t.Errorf("then a small one: %d", w.Code)
		}
		time.Sleep(11 * time.Hour)
		expect(
			t,
			"half a day later",
			g.ask(here, "author", "POST", "/events", fmt.Sprintf(draft, "Short.")),
			201,
			"",
			"",
		)
	})
}

// With little room on the disk only those write who can mend things.
func TestLittleRoom(t *testing.T) {
	t.Parallel()
	g := onDisk(t, t.TempDir(), admission.Limits{Free: 1 << 60})
	if _, err := g.store.Free(); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	for _, role := range []string{"contributor", "author"} {
		expect(
			t,
			role,
			g.ask(here, role, "POST", "/events", fmt.Sprintf(draft, "Short.")),
			503,
			"rest_store_unavailable",
			"60",
		)
	}
	if g.store.Seq() != 0 {
		t.Error("what was refused was stored")
	}
	for _, role := range []string{"editor", "administrator"} {
		expect(
			t,
			role,
			g.ask(here, role, "POST", "/events", fmt.Sprintf(draft, "Short.")),
			201,
			"",
			"",
		)
	}
	expect(t, "reading", g.ask(here, "author", "GET", "/events", ""), 200, "", "")
	g = onDisk(t, t.TempDir(), admission.Limits{Free: 1})
	expect(
		t,
		"with room",
		g.ask(here, "author", "POST", "/events", fmt.Sprintf(draft, "Short.")),
		201,
		"",
		"",
	)
}
