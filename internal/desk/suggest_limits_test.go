package desk_test

import (
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/tools/race"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Forms that a program sends, or that come too often, too late or from another site, come back
// with their text and store nothing.
func TestProposalsRefused(t *testing.T) {
	t.Parallel()
	w, log := proposing(t, account.Author, 2)
	b := w.browser()
	stamp := fields(b.get("/events/suggest/").body)["stamp"]
	long := strings.Repeat("ü", 201)
	for _, tt := range []struct {
		name   string
		after  time.Duration
		pairs  []string
		status int
		want   string
	}{
		{"at once", 4 * time.Second, proposal, 422, "once more"},
		{"a forged time", time.Minute, with(proposal, "stamp", "AAAA"+stamp[4:]), 422, "once more"},
		{"a late form", 24*time.Hour + time.Millisecond, proposal, 422, "once more"},
		{"no title at the last moment", 24 * time.Hour, with(proposal, "title", ""), 422, "Enter a title"},
		{"a program", time.Minute, with(proposal, "url", "https://spam.example"), 422, "once more"},
		{"a long title", time.Minute, with(proposal, "title", long), 422, "at most 200 characters"},
		{"no name", time.Minute, with(proposal, "sender", " "), 422, "Enter your name"},
		{"no mail", time.Minute, with(proposal, "email", "a@b@c"), 422, "name@example.org"},
		{"two mails", time.Minute, with(proposal, "email", "a@b.example, c@d.example"), 422, "name@example.org"},
		{"many organizers", time.Minute, with(proposal, "organizer", strings.Repeat("a;", 10)+"a"), 422, "“Organizer” cannot"},
		{"no date", time.Minute, with(proposal, "date", ""), 422, "Enter the date."},
		{"an odd date", time.Minute, with(proposal, "date", "x"), 422, "such as 2031-06-01"},
		{"no day", time.Minute, with(proposal, "date", "2031-02-31"), 422, "February 2031 has 28 days."},
		{"no title", time.Minute, with(proposal, "title", ""), 422, "Enter a title"},
		{"no title and no name", time.Minute, with(with(proposal, "title", ""), "sender", ""), 422, "Enter a title"},
	} {
		stamp := fields(b.get("/events/suggest/").body)["stamp"]
		w.clock.Advance(tt.after)
		got := b.post("/events/suggest/", append([]string{"stamp", stamp}, tt.pairs...)...)
		if got.status != tt.status || !strings.Contains(got.body, tt.want) ||
			!strings.Contains(got.body, "Stalls</textarea>") {
			t.Errorf("%s: %d without %q: %s", tt.name, got.status, tt.want, got.body)
		}
		if again := fields(got.body)["stamp"]; tt.name == "at once" && again != stamp {
			t.Error("the time of a form that was sent at once begins anew")
		}
	}
	var all []string
	for _, m := range complaint.FindAllStringSubmatch(b.propose("title", "").body, -1) {
		all = append(all, m[1])
	}
	if want := "title date sender email"; strings.Join(all, " ") != want {
		t.Errorf("an empty form is complained of at %q, want %s, as the fields stand", all, want)
	}
	b.header.Set("Sec-Fetch-Site", "cross-site")
	if got := b.propose(proposal...); got.status != http.StatusForbidden ||
		!strings.Contains(got.body, "another site") {
		t.Errorf("from another site: %d", got.status)
	}
	b.header.Del("Sec-Fetch-Site")
	w.clock.Advance(time.Hour)
	for i := range 9 {
		b.header.Set("X-Forwarded-For", fmt.Sprintf("2001:db8::%d", i))
		switch got := b.propose(with(proposal, "date", "0000-01-01", "sure", "0000-01-01//")...); {
		case (got.status == http.StatusTooManyRequests) != (i >= 6),
			i == 6 && got.header.Get("Retry-After") == "":
			t.Errorf("the form %d of a network: %d %v", i, got.status, got.header)
		}
	}
	b.header.Set("X-Forwarded-For", "192.0.2.1")
	if len(w.titles()) != 0 || log.Len() > 0 {
		t.Fatalf("stored: %q %s", w.titles(), log)
	}
	form := fields(b.get("/events/suggest/").body)
	w.clock.Advance(time.Minute)
	twice := append([]string{"stamp", form["stamp"], "key", form["key"]}, proposal...)
	if a, b := b.post("/events/suggest/", twice...), b.post("/events/suggest/", twice...); a.location != b.location ||
		a.status != 303 {
		t.Errorf("a form that was sent twice: %d %q and %q", a.status, a.location, b.location)
	}
	b.propose(with(proposal, "title", "Second")...)
	if got := b.propose(with(proposal, "title", "Third")...); got.status != http.StatusServiceUnavailable ||
		!strings.Contains(got.body, "few days") {
		t.Errorf("one too many: %d %s", got.status, got.body)
	}
	w.setUsers(func(r account.Role) string {
		return map[account.Role]string{account.Author: `,"disabled":true`}[r]
	})
	if got := b.propose(proposal...); got.status != http.StatusServiceUnavailable {
		t.Errorf("a disabled owner: %d", got.status)
	}
}

// A client sends few corrections, as it sends few proposals. One too many comes back with its
// text, and is taken later.
func TestCorrectionsLimited(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500)
	b := w.browser()
	address := w.path(b.propose(proposal...).location)
	correct := func(title string) answer {
		t.Helper()
		tag := fields(b.get(address + "?change=1").body)["tag"]
		return b.post(address, with(proposal, "tag", tag, "title", title)...)
	}
	for n := range 5 { // the proposal was the first form
		if got := correct(fmt.Sprint("Fair ", n)); got.status != http.StatusSeeOther {
			t.Fatalf("the correction %d: %d %s", n, got.status, got.body)
		}
	}
	got := correct("Gala")
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" ||
		!strings.Contains(got.body, `value="Gala"`) {
		t.Errorf("one too many: %d %v %s", got.status, got.header, got.body)
	}
	if diff := cmp.Diff([]string{"Fair 4 pending"}, w.titles()); diff != "" {
		t.Errorf("one too many is stored (-want +got):\n%s", diff)
	}
	w.clock.Advance(time.Minute)
	if got := correct("Gala"); got.status != http.StatusSeeOther {
		t.Errorf("a minute later: %d %s", got.status, got.body)
	}
	if diff := cmp.Diff([]string{"Gala pending"}, w.titles()); diff != "" {
		t.Errorf("a minute later (-want +got):\n%s", diff)
	}
}

// An account that may not make events owns no proposals, although these are made with the rights
// of a contributor.
func TestProposalsOfASubscriber(t *testing.T) {
	t.Parallel()
	w, log := proposing(t, account.Subscriber, 500)
	got := w.browser().propose(proposal...)
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
		t.Errorf("proposed: %d %v %s", got.status, got.header, got.body)
	}
	if len(w.titles()) != 0 || log.Len() > 0 {
		t.Errorf("stored: %q %s", w.titles(), log)
	}
}

// Proposals have a budget of the log that is theirs alone.
func TestProposalsBudget(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w := newWorld(t, func(o *api.Options) {
		o.Store = st
		o.Submissions = submission.New(idOf(account.Author), 500, elapsed(o.Clock))
		limits := admission.Default()
		limits.Log = 16 << 10
		limits.Free = 0
		o.Limits = &limits
	})
	b := w.browser()
	statuses := map[int]int{}
	for range 30 {
		statuses[b.propose(proposal...).status]++
		w.clock.Advance(time.Minute)
	}
	if statuses[303] == 0 || statuses[429] == 0 || statuses[303]+statuses[429] != 30 {
		t.Errorf("statuses: %v", statuses)
	}
	if got := w.as(account.Author).post("/desk/events/new", "title", "Own", "date", "2031-06-02", "do", "draft"); got.status != 303 {
		t.Errorf("the owner itself: %d %s", got.status, got.body)
	}
}

// A flood from many addresses fills neither memory nor disk, and ordinary readers are answered.
// Editors decline all with few actions.
func TestProposalsFloodAlone(t *testing.T) {
	race.AloneInTurn(t)
	w, log := proposing(t, account.Author, 500)
	b := w.browser()
	statuses := map[int]int{}
	var before, after runtime.MemStats
	stamp := fields(b.get("/events/suggest/").body)["stamp"]
	w.clock.Advance(time.Minute)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 10_000 {
		if i%500 == 0 {
			w.clock.Advance(30 * time.Second)
			if got := b.get("/events/"); got.status != http.StatusOK {
				t.Fatalf("a reader: %d", got.status)
			}
		}
		b.header.Set("X-Forwarded-For", fmt.Sprintf("192.0.%d.%d", i%500/250, i%250))
		statuses[b.post("/events/suggest/", append([]string{"stamp", stamp}, with(proposal, "title", fmt.Sprint("Spam ", i))...)...).status]++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	waiting := 0
	_ = w.store.View(func(v *store.View) error { waiting = v.Len(store.Events); return nil })
	if lines := strings.Count(log.String(), "\n"); waiting != 500 || lines != 500 ||
		statuses[303] != 500 ||
		statuses[503] == 0 ||
		statuses[429] == 0 ||
		statuses[303]+statuses[503]+statuses[429] != 10_000 {
		t.Errorf("%d wait, %d lines, statuses %v", waiting, lines, statuses)
	}
	editor := w.as(account.Editor) // opens Waiting, ticks all, declines, and answers the question
	picked := []string{"do", "decline"}
	tick := regexp.MustCompile(`name="id\[\]" value="(\d+)"[^>]* checked>`)
	for _, m := range tick.FindAllStringSubmatch(editor.get("/desk/waiting?all=1").body, -1) {
		picked = append(picked, "id[]", m[1])
	}
	asked := editor.post("/desk/events", picked...)
	done := editor.post(
		"/desk/events",
		append(picked, "sure", "1", "reason", "Spam", "to", "/desk/waiting")...)
	if !strings.Contains(asked.body, "500") || done.location != "/desk/waiting?done=declined" ||
		strings.Count(strings.Join(w.titles(), "\n"), " trash") != 500 {
		t.Errorf("declined: %d %q", done.status, done.location)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("memory grew by %d MB", grown>>20)
	}
}
