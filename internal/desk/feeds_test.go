package desk_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

const feedsPath = "/desk/account/feeds"

var feedLink = regexp.MustCompile(
	`<code class="link">http://[^/]+(/feeds/([0-9a-f]{64})/events\.ics)</code>`,
)

// makeFeed makes a feed, and returns its path and its secret.
func (b *browser) makeFeed(pairs ...string) (path, secret string) {
	b.t.Helper()
	got := b.post(feedsPath, append(pairs, "do", "add")...)
	link := feedLink.FindStringSubmatch(got.body)
	if got.status != 200 || link == nil || got.header.Get("Cache-Control") != "no-store" ||
		got.header.Get("Referrer-Policy") != "same-origin" {
		b.t.Fatal(got.status, got.header, got.body)
	}
	return link[1], link[2]
}

// feedRows returns the feeds on the page, as texts.
func feedRows(body string) (rows []string) {
	for _, m := range regexp.MustCompile(`(?s)class="line">(.*?)<input type="hidden" name="name"`).FindAllStringSubmatch(body, -1) {
		rows = append(
			rows,
			strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], "")),
		)
	}
	return rows
}

// An account of each role makes a feed, whose address is on that page alone, and reads by it what
// it sees. Another account neither sees nor removes it, and it ends as soon as its own account
// removes it.
func TestSecretFeeds(t *testing.T) {
	t.Parallel()
	var accounts *account.Directory
	w := newWorld(t, func(o *api.Options) { accounts = o.Accounts })
	accounts.RecordUses(filepath.Join(t.TempDir(), "used.json"))
	t.Cleanup(accounts.Close)
	w.put(&store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"})
	e := eventOf(3, store.Private, "Rehearsal")
	e.Categories = []int64{1}
	w.put(e, eventOf(1, store.Publish, "Concert"))
	reads := map[account.Role]bool{
		account.Administrator: true,
		account.Editor:        true,
		account.Author:        true,
	}
	for _, role := range roles {
		b := w.as(role)
		other := w.as(account.Administrator)
		reader := w.browser()
		if role == account.Administrator {
			other = w.as(account.Editor)
		}
		path, secret := b.makeFeed("name", "choir", "categories[]", "1", "months", "6")
		got := reader.get(path)
		if got.status != 200 || strings.Contains(got.body, "Rehearsal") != reads[role] ||
			strings.Contains(got.body, "Concert") {
			t.Errorf("%s reads %d %s", role, got.status, got.body)
		}
		size := (len(got.body) + 1023) / 1024
		events := map[bool]string{true: "1 event", false: "0 events"}[reads[role]]
		want := []string{
			fmt.Sprintf("choir categories=1&amp;months=6 Music · %s · %d kB · Last read: "+
				"Saturday, May 10, 2031 at 12:00\u202fPM", events, size),
		}
		page := b.get(feedsPath)
		if diff := cmp.Diff(want, feedRows(page.body)); diff != "" {
			t.Errorf("%s: the list (-want +got):\n%s", role, diff)
		}
		if strings.Contains(w.ways()+page.body+b.get("/desk/account").body, secret) {
			t.Errorf("%s: the secret is shown again", role)
		}
		if got := other.post(feedsPath, "do", "remove", "name", "choir", "login", string(role)); got.status != 404 ||
			strings.Contains(other.get(feedsPath).body, "choir") ||
			reader.get(path).status != 200 {
			t.Errorf("another account removes the feed of %s: %d", role, got.status)
		}
		if got := b.post(feedsPath, "do", "remove", "name", "choir"); got.location != feedsPath+"?done=removed" ||
			reader.get(path).status != 404 {
			t.Errorf("%s removes its feed: %d", role, got.status)
		}
	}
}

// A feed that is not made comes back in its form, with the reason.
func TestRefusedFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Subscriber)
	for i := range account.FeedsMost - 1 {
		b.makeFeed("name", fmt.Sprint("feed ", i), "query", "?search=a")
	}
	for want, form := range map[string][]string{
		"without a colon":          {"name", "a:b"},
		"at most 100 characters":   {"name", strings.Repeat("ä", 101)},
		"no other feed":            {"name", "feed 3"},
		"“Months ahead” cannot":    {"months", "0", "name", "new"},
		"which is no parameter":    {"query", "page=2", "name", "new"},
		"such as categories=music": {"query", "search=a b", "name", "new"},
		"status must be publish":   {"query", "status=draft", "months", "3", "name", "new"},
	} {
		got := b.post(feedsPath, append(form, "do", "add")...)
		if fields := fields(got.body); got.status != 422 || !strings.Contains(got.body, want) ||
			fields["name"] == "" ||
			feedLink.MatchString(got.body) {
			t.Errorf("%s: %d %v\n%s", want, got.status, fields, got.body)
		}
	}
	path, _ := b.makeFeed(
		"query",
		"when=week&tags=choir",
	) // without a name, the last that there may be
	if got := w.browser().get(path); got.status != 400 ||
		!strings.Contains(b.get(feedsPath).body, "asks for something that is gone") {
		t.Error("a feed whose tag is gone:", got.status)
	}
	if got := b.post(feedsPath, "do", "add", "name", "more"); got.status != 422 ||
		!strings.Contains(got.body, "at most 20 feeds") {
		t.Error("one more feed:", got.status, got.body)
	}
}

// The page warns of feeds that readers refuse, and measures none beyond 2 MB.
func TestLargeFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all []store.Record
	for i := range 1112 {
		e := eventOf(2, store.Publish, fmt.Sprint("BEGIN:VEVENT ", i))
		e.Title = "BEGIN:VEVENT"
		e.Start = e.Start + store.Wall(60*i)
		e.End = e.End + store.Wall(60*i)
		all = append(all, e)
	}
	w.put(all...)
	long := eventOf(2, store.Draft, "Long")
	long.Description = strings.Repeat("abcdefg ", 3<<17)
	w.put(long)
	b := w.as(account.Editor)
	for name, query := range map[string]string{
		"many": "status=publish",
		"few":  "status=publish&starts_before=2031-05-17",
		"long": "status=draft",
	} {
		b.makeFeed("name", name, "query", query)
	}
	err := account.Change(w.store, now, func(u *account.Users) error {
		_, _, err := u.AddFeed("editor", "soon", "", now.Add(time.Hour))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(feedRows(b.get(feedsPath).body), "\n")
	for _, want := range []string{`(?m)^many status=publish 1,112 events · \d+ kB This is a lot: .* 1 MB or 1,111 events\.`,
		`(?m)^few status=publish&amp;starts_before=2031-05-17 720 events · \d+ kB$`, `(?m)^long status=draft &gt; 2 MB This is a lot`,
		`(?m)^soon All events that you may see &gt; 2 MB · Until: Saturday, May 10, 2031 at 1:00`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	path, _ := b.makeFeed()
	b.header.Set("If-None-Match", b.get(path).header.Get("ETag")) // the page has another tag
	if got := b.get(feedsPath); got.status != 200 || !strings.Contains(got.body, "feed-1") {
		t.Error("with a condition:", got.status)
	}
}

// The searches of all feeds on the page together read no more texts than one search may: the sizes
// of the others are not said. Their addresses still answer.
func TestSearchesOfFeeds(t *testing.T) {
	t.Parallel()
	limits := admission.Default()
	limits.Search = 600 << 10
	w := newWorld(t, func(o *api.Options) { o.Limits = &limits })
	var all []store.Record
	for i := range 200 {
		e := eventOf(2, store.Publish, fmt.Sprint("Concert ", i))
		e.Description = strings.Repeat("big band ", 250)
		all = append(all, e)
	}
	w.put(all...)
	b := w.as(account.Subscriber)
	paths := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		paths[name], _ = b.makeFeed("name", name, "query", `search=%22big+band%22`)
	}
	b.makeFeed("name", "word", "query", "search=band")
	rows := feedRows(b.get(feedsPath).body)
	size := " 200 events · 983 kB"
	phrase := " search=%22big&#43;band%22"
	want := []string{
		"one" + phrase + size,
		"two" + phrase,
		"three" + phrase,
		"word search=band" + size,
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("the feeds (-want +got):\n%s", diff)
	}
	if got := w.browser().get(paths["three"]); got.status != 200 ||
		!strings.Contains(got.body, "Concert 7") {
		t.Error("a feed without a size:", got.status)
	}
}

// Where accounts cannot be changed the page says so. Accounts below editor pay for changes from
// their budget of the log.
func TestFixedFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *api.Options) {
		fixed, err := account.Memory(account.User{
			Account: account.Account{
				ID:    4,
				Login: "contributor",
				Role:  account.Contributor,
			},
			Token: "contributor",
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Accounts = fixed
	})
	b := w.as(account.Contributor)
	if got := b.get(feedsPath).body; !strings.Contains(got, "in memory") ||
		strings.Contains(got, `value="add"`) {
		t.Error(got)
	}
	if got := b.post(feedsPath, "do", "add", "name", "choir"); got.status != 403 {
		t.Error(got.status)
	}
	w = newWorld(
		t,
		func(o *api.Options) { l := admission.Default(); l.Log = 128 << 10; o.Limits = &l },
	)
	for role, want := range map[account.Role]string{
		account.Author: "[200 200 429]",
		account.Editor: "[200 200 200]",
	} {
		b := w.as(role)
		got := []int{}
		for range 3 {
			got = append(
				got,
				b.post(feedsPath, "do", "add", "query", url.PathEscape("search=a")).status,
			)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", role, got, want)
		}
	}
}
