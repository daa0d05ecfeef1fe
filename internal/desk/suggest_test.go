package desk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/text/caltime"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// proposing is a world with proposals, owned by the account of a role. Clients name their address
// as behind a proxy.
func proposing(
	t *testing.T,
	owner account.Role,
	most int,
	more ...func(*api.Options),
) (*world, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	w := newWorld(t, append(more, func(o *api.Options) {
		if o.Submissions == nil {
			o.Submissions = submission.New(idOf(owner), most, elapsed(o.Clock))
		}
		o.Submissions.Log = &log
		o.Trusted = []netip.Prefix{
			netip.MustParsePrefix("127.0.0.0/8"),
			netip.MustParsePrefix("::1/128"),
		}
	})...)
	return w, &log
}

// elapsed tells how far a clock has come.
func elapsed(clock *caltime.Clock) func() time.Duration {
	start := clock.Now()
	return func() time.Duration { return clock.Now().Sub(start) }
}

// A syncBuffer is a log that a server writes while a test reads it.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(text)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func idOf(role account.Role) int64 {
	for i, r := range roles {
		if r == role {
			return int64(i + 1)
		}
	}
	return 0
}

// proposal is a form that is taken.
var proposal = []string{
	"title",
	"Fair",
	"date",
	"2031-06-01",
	"starts",
	"10:00",
	"ends",
	"12:00",
	"venue",
	"Green",
	"sender",
	"Ann Zqname",
	"email",
	"zqmail@example.org",
	"description",
	"Stalls",
}

// propose fills in the form as a person does: after a while.
func (b *browser) propose(pairs ...string) answer {
	b.t.Helper()
	return b.proposeAt("/events/suggest/", pairs...)
}

func (b *browser) proposeAt(path string, pairs ...string) answer {
	b.t.Helper()
	form := fields(b.get(path).body)
	b.clock.Set(b.clock.Now().Add(5 * time.Second))
	sent := []string{"key", form["key"], "stamp", form["stamp"]}
	return b.post(path, append(sent, pairs...)...)
}

func with(pairs []string, more ...string) (all []string) {
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		for j := 0; j < len(more); j += 2 {
			if more[j] == pairs[i] {
				value = more[j+1]
			}
		}
		all = append(all, pairs[i], value)
	}
	for j := 0; j < len(more); j += 2 {
		if !contains(pairs, more[j]) {
			all = append(all, more[j], more[j+1])
		}
	}
	return all
}

func contains(pairs []string, name string) bool {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == name {
			return true
		}
	}
	return false
}

// path returns the path of an address of the server.
func (w *world) path(address string) string {
	_, below, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return "/" + below
}

// A person proposes an event, corrects it and sees what becomes of it. Nothing of it is public
// until an editor publishes it, even if the owner of proposals may publish.
func TestProposal(t *testing.T) {
	t.Parallel()
	var lines syncBuffer
	w, log := proposing(t, account.Editor, 500, func(o *api.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{
			Level: slog.LevelDebug,
		}))
	})
	w.put(&store.Venue{
		Name: "Green Hall",
		Post: store.Post{
			Author: 1,
			Status: store.Publish,
			Date:   now,
		},
	},
		&store.Venue{Name: "Zqvenue", Post: store.Post{Author: 2, Status: store.Draft, Date: now}})
	b := w.browser()
	for path, want := range map[string]string{
		"/events/":            `/events/suggest/">Suggest an event</a>`,
		"/de/events/":         `/de/events/suggest/">Veranstaltung vorschlagen</a>`,
		"/de/events/suggest/": "Ihr Name",
		"/events/suggest/":    "Green Hall",
	} {
		if got := b.get(path); got.status != http.StatusOK || !strings.Contains(got.body, want) ||
			strings.Contains(got.body, "Zqvenue") {
			t.Errorf("%s: %d without %q: %s", path, got.status, want, got.body)
		}
	}
	similar := b.propose(with(proposal, "venue", "Green Hal")...)
	if similar.status != http.StatusUnprocessableEntity ||
		!strings.Contains(similar.body, "Green Hall") {
		t.Errorf("a similar place: %d %s", similar.status, similar.body)
	}
	if hidden := b.propose(with(proposal, "place", "2")...); hidden.status != http.StatusUnprocessableEntity {
		t.Errorf("a hidden place: %d", hidden.status)
	}
	sent := b.propose(
		with(
			proposal,
			"description",
			`<script>x</script><b>Stalls</b>`,
			"slug",
			"own",
			"status",
			"publish",
			"do",
			"publish",
			"password",
			"x",
			"sticky",
			"1",
			"featured",
			"1",
			"categories[]",
			"Newcat",
			"tags",
			"newtag",
			"author",
			"1",
			"place",
			"new",
			"image",
			"1",
		)...)
	if sent.status != http.StatusSeeOther ||
		!regexp.MustCompile(`/events/suggest/\d+/[A-Z2-7]{26}/$`).MatchString(sent.location) {
		t.Fatalf("%d %s %s", sent.status, sent.location, sent.body)
	}
	if len(sent.header["Set-Cookie"]) > 0 {
		t.Errorf("a cookie: %v", sent.header)
	}
	address := w.path(sent.location)
	var got store.Event
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			got = *r.(*store.Event)
		}
		place := v.Venue(got.Venues[0])
		if v.Len(store.Categories)+v.Len(store.Tags) > 0 || place.Status == store.Publish ||
			place.Name != "Green" {
			t.Errorf("something is public, or the place is another: %+v", place)
		}
		return nil
	})
	if got.Status != store.Pending || got.Author != 2 || got.Slug+got.Password != "" ||
		got.Sticky ||
		got.Featured ||
		got.Image != 0 ||
		strings.Contains(got.Description, "script") ||
		got.Proposal.Email != "zqmail@example.org" ||
		strings.Contains(address, got.Proposal.Key) {
		t.Errorf("stored: %+v", got)
	}
	var note submission.Note
	if err := json.Unmarshal(log.Bytes(), &note); err != nil || note.ID != got.ID ||
		note.Title != "Fair" ||
		strings.Contains(log.String(), "qmail") {
		t.Errorf("note %q: %v", log, err)
	}
	thanks := b.get(address)
	if thanks.status != http.StatusOK || strings.Contains(thanks.body, "<form method=\"post\"") {
		t.Errorf("the form again: %d %s", thanks.status, thanks.body)
	}
	for _, want := range []string{"Thank you", "An editor will read it", "<bdi>Fair</bdi>", `>` + sent.location + `</code>`,
		`href="?change=1"`, `href="` + strings.Replace(sent.location, w.url, w.url+"/de", 1) + `"`} {
		if !strings.Contains(thanks.body, want) {
			t.Errorf("no %q for who has proposed: %s", want, thanks.body)
		}
	}
	page := b.get(address + "?change=1")
	if page.status != http.StatusOK || !strings.Contains(page.body, "zqmail@example.org") ||
		!strings.Contains(page.body, `value="Green"`) {
		t.Fatalf("%d %s", page.status, page.body)
	}
	for name, want := range map[string]string{
		"Cache-Control":   "no-store",
		"Referrer-Policy": "no-referrer",
		"X-Robots-Tag":    "noindex",
	} {
		if page.header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, page.header.Get(name), want)
		}
	}
	for _, link := range regexp.MustCompile(`<link [^>]*>`).FindAllString(page.body+thanks.body, -1) {
		if strings.Contains(link, "/events/suggest/"+fmt.Sprint(got.ID)) {
			t.Errorf("the page tells search engines its address: %s", link)
		}
	}
	for _, wrong := range []string{address[:len(address)-2] + "A/", "/events/suggest/1/" + address[len(address)-27:], "/events/suggest/999/x/",
		fmt.Sprintf("/events/suggest/%d/%s/", got.ID, got.Proposal.Key)} {
		if wrong == address {
			continue
		}
		for _, a := range []answer{b.get(wrong), b.post(wrong, "do", "withdraw"), w.as(account.Administrator).get(wrong)} {
			if a.status != http.StatusNotFound {
				t.Errorf("%s: %d", wrong, a.status)
			}
		}
	}
	secret := strings.Split(address, "/")[4]
	for _, other := range []string{strings.ToUpper(address), strings.ReplaceAll(address, "/suggest", "//suggest"), "/?x=" + address,
		strings.Replace(address, "suggest", "sugg%65st", 1), "/de" + address,
		strings.TrimSuffix(address, "/") + "?a=b"} {
		b.get(other)
	}
	if text := lines.String(); !strings.Contains(text, "suggest") ||
		strings.Contains(strings.ToUpper(text), secret) {
		t.Errorf("the log has the secret %s: %s", secret, text)
	}
	w.clock.Set(w.clock.Now().Add(10 * time.Minute))
	form := fields(page.body)
	edited := b.post(
		address,
		with(proposal, "tag", form["tag"], "title", "Fair 2", "venue", "Green")...)
	if edited.status != http.StatusSeeOther {
		t.Fatalf("corrected: %d %s", edited.status, edited.body)
	}
	if again := b.post(address, with(proposal, "tag", form["tag"], "title", "Fair 3")...); again.status != http.StatusPreconditionFailed {
		t.Errorf("corrected from an older state: %d", again.status)
	}
	w.noProposals(b, "Fair", "qmail", "qname")
	editor := w.as(account.Editor)
	if got := editor.post(fmt.Sprintf("/desk/events/%d", got.ID), "do", "publish"); got.status != http.StatusSeeOther {
		t.Fatalf("published: %d %s", got.status, got.body)
	}
	w.noProposals(b, "qmail", "qname")
	if got := b.get(address); !strings.Contains(got.body, "Published.") ||
		!strings.Contains(got.body, "/event/fair-2/") ||
		strings.Contains(got.body, "<form method=\"post\"") {
		t.Errorf("after publication: %s", got.body)
	}
	if got := b.post(address, with(proposal, "title", "Mine")...); got.status != http.StatusConflict {
		t.Errorf("corrected after publication: %d", got.status)
	}
	other := w.path(b.propose(with(proposal, "title", "Other", "place", "new")...).location)
	if got := b.post(other, "do", "withdraw"); got.status != http.StatusSeeOther {
		t.Errorf("withdrawn: %d %s", got.status, got.body)
	}
	if got := b.get(other); !strings.Contains(got.body, "Withdrawn.") ||
		strings.Contains(got.body, "qmail") {
		t.Errorf("after a withdrawal: %s", got.body)
	}
	if diff := cmp.Diff([]string{"Fair 2 publish", "Other trash"}, w.titles()); diff != "" {
		t.Error(diff)
	}
}

// Another language keeps what was typed, in the form of a new proposal and in that of one that
// waits. It stores nothing and complains about nothing, and the form goes on from there. A
// language with a host of its own is a link.
func TestProposalInAnotherLanguage(t *testing.T) {
	t.Parallel()
	site, _ := url.Parse("https://choir.example")
	own, _ := url.Parse("https://koor.example")
	w, _ := proposing(t, account.Author, 500)
	hosted, _ := proposing(t, account.Author, 500, func(o *api.Options) {
		o.URL = site
		o.Hosts = map[string]*url.URL{"nl": own}
	})
	button := regexp.MustCompile(
		`<button class="quiet" name="do" value="language" formaction="([^"]*)" formnovalidate lang="([^"]*)"`,
	)
	to := func(body, language string) string {
		t.Helper()
		for _, m := range button.FindAllStringSubmatch(body, -1) {
			if m[2] == language {
				return m[1]
			}
		}
		t.Fatalf("no button for %s: %s", language, body)
		return ""
	}
	b := w.browser()
	w.put(&store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"})
	page := b.get("/events/suggest/")
	for _, want := range []string{`name="sender" value="" dir="auto" autocomplete="name"`, `<input type="email"`, `autocomplete="email"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the form has no %s", want)
		}
	}
	if strings.Contains(page.body, `<a href="`+w.url+`/de/events/suggest/"`) {
		t.Error("a link leaves the form without what was typed")
	}
	form := fields(page.body)
	half := []string{
		"key",
		form["key"],
		"stamp",
		form["stamp"],
		"title",
		"Fair & <b>",
		"starts",
		"25:00",
		"email",
		"nobody",
		"sender",
		"Ann",
		"description",
		"Stalls\nand more",
		"categories[]",
		"1",
		"free",
		"1",
		"do",
		"language",
	}
	german := b.post(w.path(to(page.body, "de")), half...)
	typed := fields(german.body)
	want := map[string]string{
		"title":  "Fair & <b>",
		"starts": "25:00",
		"email":  "nobody",
		"sender": "Ann",
		"key":    form["key"],
		"stamp":  form["stamp"],
	}
	for name, value := range want {
		if typed[name] != value {
			t.Errorf("%s is %q, want %q", name, typed[name], value)
		}
	}
	if german.status != 200 || !strings.Contains(german.body, `<html lang="de"`) ||
		!strings.Contains(german.body, "Stalls\nand more</textarea>") ||
		!strings.Contains(
			german.body,
			`name="categories[]" value="1" checked`,
		) || strings.Contains(german.body, `class="problem"`) ||
		len(w.titles()) != 0 {
		t.Errorf("in German: %d %s", german.status, german.body)
	}
	w.clock.Advance(5 * time.Second)
	sent := b.post(
		"/de/events/suggest/",
		append([]string{"key", form["key"], "stamp", form["stamp"]}, proposal...)...)
	if sent.status != 303 {
		t.Fatalf("sent from German: %d %s", sent.status, sent.body)
	}
	address := w.path(sent.location)
	page = b.get(address + "?change=1")
	tag := fields(page.body)["tag"]
	french := b.post(
		w.path(to(page.body, "fr")),
		with(proposal, "title", "Another", "tag", tag, "do", "language")...)
	if french.status != 200 || !strings.Contains(french.body, `<html lang="fr"`) ||
		fields(french.body)["title"] != "Another" ||
		fields(french.body)["tag"] != tag {
		t.Errorf("in French: %d %s", french.status, french.body)
	}
	if diff := cmp.Diff([]string{"Fair pending"}, w.titles()); diff != "" {
		t.Error(diff)
	}
	link := `<a href="https://koor.example/events/suggest/" lang="nl"`
	if got := hosted.browser().get("/events/suggest/"); !strings.Contains(got.body, link) {
		t.Errorf("no %s: %s", link, got.body)
	}
}

// A clock that is set back lets people propose: what is left of the time before counts for nobody.
func TestProposalsAfterClockWasSetBack(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Contributor, 500, func(o *api.Options) {
		o.Submissions = submission.New(idOf(account.Contributor), 500, caltime.Stopwatch())
	})
	b := w.browser()
	open := fields(b.get("/events/suggest/").body)
	w.clock.Advance(-24 * time.Hour)
	send := func(title string) answer {
		w.clock.Advance(5 * time.Second)
		return b.post(
			"/events/suggest/",
			with(proposal, "key", open["key"], "stamp", open["stamp"], "title", title)...)
	}
	got := send("Fair")
	if got.status != http.StatusUnprocessableEntity {
		t.Errorf("a form of the future: %d", got.status)
	}
	open = fields(got.body)
	if got = send("Fair"); got.status != http.StatusSeeOther {
		t.Errorf("the form again: %d %s", got.status, got.body)
	}
	if got = b.propose(with(proposal, "title", "Dance")...); got.status != http.StatusSeeOther {
		t.Errorf("another form: %d %s", got.status, got.body)
	}
}

// The form and the address of a proposal are below the word that the site has for lists, and below
// each language.
func TestProposalElsewhere(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500, func(o *api.Options) {
		o.EventBase = "event"
		o.EventsBase = "termine"
	})
	b := w.browser()
	for _, path := range []string{"/termine/suggest/", "/de/termine/suggest/"} {
		sent := b.proposeAt(path, proposal...)
		address := w.path(sent.location)
		if !strings.HasPrefix(address, path) {
			t.Errorf("%s leads to %s: %d %s", path, address, sent.status, sent.body)
		} else if got := b.get(address); got.status != http.StatusOK {
			t.Errorf("%s: %d", address, got.status)
		} else if policy := b.get(path).header.Get("Referrer-Policy"); policy != "same-origin" {
			t.Errorf("%s: %q, with which browsers send no origin", path, policy)
		}
		b.header.Set("Origin", "null") // as browsers do from a page without a referrer
		if got := b.post(address, "do", "withdraw"); got.status != http.StatusSeeOther {
			t.Errorf("%s: %d", address, got.status)
		}
		b.header.Del("Origin")
	}
}

// titles returns the events with their states.
func (w *world) titles() (all []string) {
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			all = append(all, e.Title+" "+string(e.Status))
		}
		return nil
	})
	slices.Sort(all)
	return all
}

// noProposals looks for texts of proposals wherever strangers, and other accounts with a token,
// read records.
func (w *world) noProposals(b *browser, texts ...string) {
	w.t.Helper()
	paths := []string{
		"/events/",
		"/events/month/2031-06/",
		"/event/fair-2/",
		"/sitemap.xml",
		"/cal/events/v1/venues",
		"/cal/events/v1/changes",
	}
	for _, path := range []string{"events", "events.ics", "events.csv", "events.rss", "events.atom", "events.feed.json", "events/1",
		"events/1/revisions", "events/2", "events/2/revisions", "events/2.ics"} {
		paths = append(paths, "/cal/events/v1/"+path, "/cal/events/v1/"+path+"?status=any")
	}
	for _, role := range append([]account.Role{""}, roles...) {
		b.header.Set("Authorization", "Bearer "+string(role))
		if role == "" {
			b.header.Del("Authorization")
		}
		for _, path := range paths {
			got := b.get(path)
			for _, text := range texts {
				if strings.Contains(got.body, text) && (role == "" || text[0] == 'q') {
					w.t.Errorf("%s of %q: %q in %s", path, role, text, got.body)
				}
			}
		}
	}
	b.header.Del("Authorization")
}

// A recorder writes which account a request was of.
type recorder struct {
	http.ResponseWriter
	to *syncBuffer
}

func (r recorder) Record(
	one api.Record,
) {
	fmt.Fprintf(r.to, "%s by %q\n", one.Operation, one.Login)
}

// A proposal names what everybody sees, whoever sends it: neither a token nor the account that
// owns proposals, with whose rights it is stored, brings more places to choose from.
func TestProposalOfCaller(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 500)
	hall := &store.Venue{
		Name: "Zqhall",
		Post: store.Post{
			Author: 2,
			Status: store.Draft,
			Date:   now,
		},
	}
	own := &store.Venue{Name: "Zqown", Post: store.Post{Author: 3, Status: store.Draft, Date: now}}
	w.put(hall, own)
	b := w.browser()
	b.header.Set("Authorization", "Bearer editor")
	if got := b.get("/events/suggest/"); got.status != 200 || strings.Contains(got.body, `"Zq`) {
		t.Errorf("places to choose from: %d %s", got.status, got.body)
	}
	var told syncBuffer // as the access log is
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.handler.ServeHTTP(recorder{rw, &told}, r)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	sent := b.propose(with(proposal, "venue", "Zqhall")...)
	if sent.status != 303 {
		t.Fatal(sent.status, sent.body)
	}
	want := "page.suggest by \"\"\npage.propose by \"\"\n"
	if diff := cmp.Diff(want, told.String()); diff != "" {
		t.Errorf("accounts in the log (-want +got):\n%s", diff)
	}
	address := w.path(sent.location)
	id := api.ParseID(strings.Split(address, "/")[3])
	if e := w.event(id); len(e.Venues) != 1 || e.Venues[0] == hall.ID {
		t.Errorf("the place of a proposal is that of another account: %v", e.Venues)
	}
	chosen := b.propose(with(proposal, "title", "Dance", "place", fmt.Sprint(own.ID))...)
	if chosen.status != 303 {
		t.Fatal(chosen.status, chosen.body)
	}
	dance := api.ParseID(strings.Split(w.path(chosen.location), "/")[3])
	if e := w.event(dance); len(e.Venues) != 1 || e.Venues[0] == own.ID {
		t.Errorf(
			"the place of a proposal is the one of the owner that it names by its id: %v",
			e.Venues,
		)
	}
	page := b.get(address + "?change=1")
	if strings.Contains(page.body, "Zqown") {
		t.Errorf("places of the owner to choose from: %s", page.body)
	}
	w.clock.Advance(time.Minute)
	corrected := with(proposal, "venue", "Zqown", "tag", fields(page.body)["tag"])
	if got := b.post(address, corrected...); got.status != 303 {
		t.Fatal(got.status, got.body)
	}
	if e := w.event(id); len(e.Venues) != 1 || e.Venues[0] == own.ID {
		t.Errorf("the place of a corrected proposal is that of the owner: %v", e.Venues)
	}
}

// Proposals that come at the same time are counted and stored one after the other.
func TestProposalsAtOnce(t *testing.T) {
	t.Parallel()
	const clients = 24
	w, _ := proposing(t, account.Author, 1)
	stamp := fields(w.browser().get("/events/suggest/").body)["stamp"]
	w.clock.Advance(time.Minute)
	form := append([]string{"stamp", stamp}, proposal...)
	statuses := make(chan int, clients)
	var start sync.WaitGroup
	start.Add(1)
	for i := range clients {
		b := w.browser()
		b.header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))
		go func() {
			start.Wait()
			statuses <- b.post("/events/suggest/", form...).status
		}()
	}
	start.Done()
	got := map[int]int{}
	for range clients {
		got[<-statuses]++
	}
	want := map[int]int{http.StatusSeeOther: 1, http.StatusServiceUnavailable: clients - 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if all := w.titles(); len(all) != 1 {
		t.Errorf("stored: %q", all)
	}
}
