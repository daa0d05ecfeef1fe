package desk_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
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

	"github.com/google/go-cmp/cmp"
)

// tagOf finds the state of a proposal on the page with the decision.
var tagOf = regexp.MustCompile(`name="tag" value="([^"]*)"`)

func (b *browser) tag(path string) string {
	b.t.Helper()
	page := b.get(path)
	m := tagOf.FindStringSubmatch(page.body)
	if m == nil {
		b.t.Fatalf("%s: no decision: %d %s", path, page.status, page.body)
	}
	return strings.ReplaceAll(m[1], "&#34;", `"`)
}

// Whoever may decide sees in the menu of each page how many proposals wait, and in the list who
// sent each, and how long ago.
func TestWaitingCount(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Contributor, 500)
	b := w.browser()
	menu := regexp.MustCompile(
		`href="/desk/waiting"[^>]*>([^<]*)(?: <span class="badge">([^<]*)</span>)?</a>`,
	)
	expect := func(role account.Role, path, want string) {
		t.Helper()
		got := "nothing"
		if m := menu.FindStringSubmatch(w.as(role).get(path).body); m != nil {
			got = strings.TrimSpace(m[1] + " " + m[2])
		}
		if got != want {
			t.Errorf("the menu of %s at %s has %q, want %q", role, path, got, want)
		}
	}
	expect(account.Editor, "/desk/", "Waiting")
	ages := []time.Duration{0, 36 * time.Hour, 48 * time.Hour}
	for i := range ages {
		if got := b.propose(with(proposal, "title", fmt.Sprint("Fair ", i), "sender", fmt.Sprint("Ann ", i))...); got.status != 303 {
			t.Fatal(got.status, got.body)
		}
		w.clock.Advance(ages[(i+1)%len(ages)])
	}
	for _, path := range []string{"/desk/", "/desk/venues", "/desk/waiting"} {
		expect(account.Editor, path, "Waiting 3")
	}
	expect(account.Author, "/desk/", "Waiting") // who decides on nothing of others
	expect(account.Subscriber, "/desk/", "nothing")
	list := w.as(account.Editor).get("/desk/waiting").body
	for _, want := range []string{"Ann 0\u00a0· 4 days ago", "Ann 1\u00a0· 2 days ago", "Ann 2\u00a0· Today"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list has no %q: %s", want, list)
		}
	}
}

// An editor looks at proposals one after the other: publishes one with its place, declines one
// with a reason, and is told when the person changed one meanwhile. A restart between forgets
// nothing but the time of open forms.
func TestWaiting(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Contributor, 500)
	b := w.browser()
	w.put(&store.Venue{
		Name: "green",
		Post: store.Post{
			Author: 1,
			Status: store.Publish,
			Date:   now,
		},
	})
	start := store.WallOf(time.Date(2031, 6, 1, 18, 0, 0, 0, time.UTC))
	other := &store.Event{
		Post: store.Post{
			Author: 1,
			Status: store.Publish,
			Date:   now,
			Slug:   "dance",
		},
		Title:    "Dance",
		Start:    start,
		End:      start,
		Timezone: "UTC",
		Venues:   []int64{1},
	}
	w.put(other)
	var addresses []string
	for i := range 4 {
		w.clock.Advance(time.Minute)
		venue := []string{
			"venue",
			[]string{"GREEN", "New place", "GREEN", "GREEN"}[i],
			"title",
			fmt.Sprint("Fair ", i),
			"organizer",
			"Guild",
		}
		got := b.propose(with(proposal, venue...)...)
		if got.status != 303 {
			t.Fatal(got.status, got.body)
		}
		addresses = append(addresses, w.path(got.location))
	}
	editor := w.as(account.Editor)
	list := editor.get("/desk/waiting")
	looks := regexp.MustCompile(`href="(/desk/waiting/\d+)"`).FindAllStringSubmatch(list.body, -1)
	if len(looks) != 4 || !strings.Contains(editor.get("/desk/").body, `href="/desk/waiting"`) {
		t.Fatal(list.status, list.body)
	}
	first := looks[0][1]
	second := looks[1][1]
	third := looks[2][1]
	look := editor.get(first)
	for _, want := range []string{"Ann Zqname, zqmail@example.org", "same place:", ">Dance<", "<h1><bdi>Fair 0", "noindex"} {
		if !strings.Contains(look.body+look.header.Get("X-Robots-Tag"), want) {
			t.Errorf("no %q: %s", want, look.body)
		}
	}
	if strings.Contains(editor.get(second).body, ">Dance<") {
		t.Error("an event at another place is like it")
	}
	for _, role := range []account.Role{account.Author, account.Subscriber} {
		stranger := w.as(role)
		if got := stranger.get(first); got.status < 400 || strings.Contains(got.body, "qmail") {
			t.Errorf("%s: %d", role, got.status)
		}
		if got := stranger.get("/desk/waiting"); strings.Contains(got.body, "Fair") {
			t.Errorf("%s: %s", role, got.body)
		}
		if got := stranger.post(first, "do", "decline", "reason", "x"); got.status < 400 {
			t.Errorf("%s: %d", role, got.status)
		}
	}
	if got := b.get(first); strings.Contains(got.body, "qmail") {
		t.Error("a stranger sees a proposal")
	}
	// After the last one comes the first, and of a long reason the person reads the start.
	last := looks[3][1]
	far := []string{
		"do",
		"decline",
		"reason",
		strings.Repeat("é", 500) + "ü",
		"tag",
		editor.tag(last),
	}
	if got := editor.post(last, far...); got.location != first+"?done=declined" {
		t.Errorf("the last one: %d %q %s", got.status, got.location, got.body)
	}
	if got := b.get(addresses[3]).body; !strings.Contains(got, strings.Repeat("é", 500)) ||
		strings.Contains(got, "éü") {
		t.Errorf("a long reason: %s", got)
	}
	tag := editor.tag(second)
	form := fields(b.get(addresses[1] + "?change=1").body)
	if got := b.post(addresses[1], with(proposal, "tag", form["tag"], "title", "Spam", "venue", "New place", "organizer",
		"Guild")...); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	if got := editor.post(second, "do", "publish", "tag", tag); got.status != 422 ||
		!strings.Contains(got.body, "Somebody else has changed") {
		t.Errorf("published what nobody looked at: %d %s", got.status, got.body)
	}
	if got := editor.post(second, "do", "publish", "tag", editor.tag(second)); got.location != third+"?done=published" {
		t.Errorf("published: %d %q %s", got.status, got.location, got.body)
	}
	if got := editor.get(third + "?done=published").body; !strings.Contains(got, "Published.") {
		t.Errorf("not told: %s", got)
	}
	if got := b.get("/event/spam/").body; !strings.Contains(got, "New place") ||
		!strings.Contains(got, "Guild") ||
		strings.Contains(got, "qmail") {
		t.Errorf("the place is not public: %s", got)
	}
	reason := []string{
		"do",
		"decline",
		"reason",
		" Too <b>far</b>\n away ",
		"tag",
		editor.tag(third),
	}
	if got := editor.post(third, reason...); got.location != first+"?done=declined" {
		t.Errorf("declined: %d %q %s", got.status, got.location, got.body)
	}
	if got := b.get(addresses[2]).body; !strings.Contains(got, "Declined.") ||
		!strings.Contains(got, "Too &lt;b&gt;far&lt;/b&gt; away") {
		t.Errorf("the reason: %s", got)
	}
	if got := editor.post(third, "do", "publish", "tag", ""); got.location != third {
		t.Errorf("published from the trash: %d", got.status)
	}
	w.restart(account.Contributor)
	b = w.browser()
	editor = w.as(account.Editor)
	old := fields(b.get(addresses[0]).body)
	if got := b.post(addresses[0], with(proposal, "tag", old["tag"], "title", "After", "venue", "GREEN")...); got.status != 303 {
		t.Errorf("corrected after a restart: %d %s", got.status, got.body)
	}
	if got := b.get(addresses[2]).body; !strings.Contains(got, "Declined.") {
		t.Errorf("after a restart: %s", got)
	}
	if got := editor.post(first, "do", "decline", "tag", editor.tag(first)); got.location != "/desk/waiting?done=declined" {
		t.Errorf("the last one: %d %q", got.status, got.location)
	}
	if diff := cmp.Diff([]string{"After trash", "Dance publish", "Fair 2 trash", "Fair 3 trash", "Spam publish"}, w.titles()); diff != "" {
		t.Error(diff)
	}
	w.noProposals(b, "qmail", "qname", "Too ")
}

// restart serves the same store and accounts with another server.
func (w *world) restart(owner account.Role) {
	w.t.Helper()
	s, err := api.New(api.Options{
		Store:    w.store,
		Accounts: account.Of(w.store, w.clock.Now, nil),
		Clock:    w.clock,
		Pages:    true,
		Desk: api.Desk{
			Sessions:    w.sessions,
			Submissions: submission.New(idOf(owner), 500, elapsed(w.clock)),
		},
	}, almanactest.Routes)
	if err != nil {
		w.t.Fatal(err)
	}
	server := httptest.NewServer(s)
	w.t.Cleanup(server.Close)
	w.url = server.URL
}

// Hostile texts in every field are texts on every page of the desk, and at the address of the
// proposal.
func TestHostileProposals(t *testing.T) {
	t.Parallel()
	w, log := proposing(t, account.Editor, 500)
	b := w.browser()
	const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}` + "\u202e"
	const title = hostile + "\u009b\u007f\u200f\U000e0041é"
	sent := b.propose(
		with(
			proposal,
			"title",
			title,
			"venue",
			hostile,
			"organizer",
			hostile,
			"cost",
			hostile,
			"description",
			hostile,
			"sender",
			hostile,
			"email",
			`"<svg/onload=alert(1)>"@example.org`,
		)...)
	if sent.status == 422 { // no address of mail
		sent = b.propose(
			with(
				proposal,
				"title",
				title,
				"venue",
				hostile,
				"organizer",
				hostile,
				"cost",
				hostile,
				"description",
				hostile,
				"sender",
				hostile,
			)...)
	}
	if sent.status != 303 {
		t.Fatal(sent.status, sent.body)
	}
	var note submission.Note
	isHostile := func(r rune) bool { return r < ' ' && r != '\n' || r > '~' }
	if err := json.Unmarshal(log.Bytes(), &note); err != nil ||
		!strings.HasSuffix(note.Title, "é") ||
		strings.ContainsFunc(log.String(), isHostile) {
		t.Errorf("the file of proposals has %+q: %v", log, err)
	}
	editor := w.as(account.Administrator)
	id := strings.Split(w.path(sent.location), "/")[3]
	paths := []string{
		"/desk/",
		"/desk/?state=pending",
		"/desk/waiting",
		"/desk/waiting?all=1",
		"/desk/waiting/" + id,
		"/desk/events/" + id,
		"/desk/events/" + id + "/preview",
		"/desk/events/" + id + "/changes",
		"/desk/venues",
		"/desk/organizers",
	}
	pages := []answer{
		b.get(w.path(sent.location)),
		editor.post("/desk/events", "do", "decline", "id[]", id),
	}
	for _, path := range paths {
		pages = append(pages, editor.get(path))
	}
	pages = append(
		pages,
		editor.post("/desk/events", "do", "decline", "sure", "1", "id[]", id, "reason", hostile),
		b.get(w.path(sent.location)),
		editor.get("/desk/?state=trash"),
	)
	for i, page := range pages {
		if page.status != 200 && page.status != 303 {
			t.Errorf("page %d: %d %s", i, page.status, page.body)
		}
		for _, bad := range []string{"<script>", "<img src=x", "<svg", "onerror=alert(1)>", "\u202e"} {
			if strings.Contains(page.body, bad) {
				t.Errorf("page %d has %q: %s", i, bad, page.body)
			}
		}
	}
}

// A proposal names what everybody sees, and publishing it makes public what was proposed with it
// and nothing else, whatever the account that owns proposals keeps hidden. The pages with the
// button say what becomes public.
func TestProposalsBesideHiddenRecords(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Administrator, 500)
	hidden := store.Post{Author: 1, Status: store.Draft, Date: now}
	w.put(&store.Venue{
		Name: "Zqhome",
		Post: hidden,
	}, &store.Organizer{
		Name: "Zqguild",
		Post: hidden,
	})
	b := w.browser()
	admin := w.as(account.Administrator)
	// states returns the venues and organizers with their status, and which of them events have.
	states := func() (all []string) {
		_ = w.store.View(func(v *store.View) error {
			for _, k := range []store.Kind{store.Venues, store.Organizers} {
				for r := range v.Each(k) {
					of := len(v.EventsOf(k, r.Key()))
					all = append(
						all,
						fmt.Sprint(k, " ", r.Key(), " ", store.PostOf(r).Status, " of ", of),
					)
				}
			}
			return nil
		})
		slices.Sort(all)
		return all
	}
	publish := func(path string) {
		t.Helper()
		if got := admin.post(path, "do", "publish", "tag", admin.tag(path)); got.status != 303 ||
			!strings.HasSuffix(got.location, "published") {
			t.Fatal(got.status, got.location, got.body)
		}
	}

	named := with(proposal, "venue", "Zqhome", "organizer", "zqguild; New; new")
	sent := b.propose(named...)
	if sent.status != 303 {
		t.Fatal(sent.status, sent.body)
	}
	address := w.path(sent.location)
	for _, venue := range []string{"", "Zqhome"} { // the new place, and not another new one
		w.clock.Advance(time.Hour)
		tag := fields(b.get(address + "?change=1").body)["tag"]
		if got := b.post(address, with(named, "tag", tag, "venue", venue)...); got.status != 303 {
			t.Fatal(got.status, got.body)
		}
	}
	form := fields(b.get(address + "?change=1").body)
	if diff := cmp.Diff([]string{"Zqhome", "zqguild; New"}, []string{form["venue"], form["organizer"]}); diff != "" {
		t.Error(diff)
	}
	id := strings.Split(address, "/")[3]
	for _, path := range []string{"/desk/waiting/" + id, "/desk/events/" + id, "/desk/events/" + id + "/preview"} {
		if got := admin.get(path); !strings.Contains(
			got.body,
			"Published with it: New; Zqhome; zqguild",
		) {
			t.Errorf("%s does not say what becomes public: %s", path, got.body)
		}
	}
	publish("/desk/waiting/" + id)
	public := []string{
		"organizers 2 draft of 0",
		"organizers 4 publish of 1",
		"organizers 5 publish of 1",
		"venues 1 draft of 0",
		"venues 3 publish of 1",
	}
	if diff := cmp.Diff(public, states()); diff != "" {
		t.Error(diff)
	}

	// What an editor links to a proposal is hidden from the person, and stays as it is.
	sent = b.propose(with(proposal, "title", "Dance", "venue", "", "organizer", "")...)
	address = w.path(sent.location)
	id = strings.Split(address, "/")[3]
	w.put(&store.Venue{Name: "Zqflat", Post: hidden})
	form = fields(admin.get("/desk/events/" + id).body)
	if got := admin.post("/desk/events/"+id, with(pairsOf(form), "venue", "Zqflat", "do", "save")...); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	for _, path := range []string{address, address + "?change=1"} {
		if got := b.get(path); got.status != 200 || strings.Contains(got.body, "Zqflat") {
			t.Errorf("the person reads the name of a hidden place: %d %s", got.status, got.body)
		}
	}
	if got := admin.get("/desk/waiting/" + id); strings.Contains(got.body, "Published with it") {
		t.Errorf("the page tells what does not become public: %s", got.body)
	}
	publish("/desk/waiting/" + id)
	if diff := cmp.Diff(append(public, "venues 8 draft of 1"), states()); diff != "" {
		t.Error(diff)
	}
}

// pairsOf returns the names and values of a form.
func pairsOf(form map[string]string) (pairs []string) {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		pairs = append(pairs, name, form[name])
	}
	return pairs
}
