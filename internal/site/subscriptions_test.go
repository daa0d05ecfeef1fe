package site_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/feed"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// subscribed is a calendar with something for each address that the original serves
// calendars and feeds at. Its today is 20 November 2026.
func subscribed(t *testing.T) *sample.Calendar {
	t.Helper()
	c := sample.New(t)
	music := c.Add(&store.Term{Name: "Music"})
	jazz := c.Add(&store.Term{Name: "Jazz & Blues", Slug: "jazz-blues", Parent: music})
	c.Add(&store.Term{Name: "List", Slug: "list", Parent: music})
	outdoor := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Outdoor"})
	hall := c.Add(&store.Venue{Name: "Hall"})
	ann := c.Add(&store.Organizer{Name: "Ann"})
	c.Add(&store.Venue{Post: store.Post{Status: store.Draft}, Name: "Cellar"})
	event := func(title, start, end string, e store.Event) {
		e.Title = title
		e.Start = sample.Local(t, start)
		e.End = sample.Local(t, end)
		e.Timezone = "America/New_York"
		c.Add(&e)
	}
	event("Old", "2025-06-01 20:00:00", "2025-06-01 22:00:00", store.Event{})
	event("Summer", "2026-06-01 20:00:00", "2026-06-01 22:00:00", store.Event{})
	event("Yesterday", "2026-11-19 00:00:00", "2026-11-19 23:59:59", store.Event{AllDay: true})
	event("Running", "2026-11-18 10:00:00", "2026-11-25 18:00:00", store.Event{
		Categories: []int64{music},
	})
	event("Morning", "2026-11-20 08:00:00", "2026-11-20 09:00:00", store.Event{})
	event("Late", "2026-11-30 23:59:59", "2026-11-30 23:59:59", store.Event{})
	event("Midnight", "2026-12-12 00:00:00", "2026-12-12 00:00:00", store.Event{})
	event("Fair", "2026-12-12 00:00:01", "2026-12-12 23:59:59", store.Event{})
	event("Hidden", "2026-12-20 20:00:00", "2026-12-20 22:00:00", store.Event{
		HideFromListings: true,
	})
	event("Locked", "2026-12-21 20:00:00", "2026-12-21 22:00:00", store.Event{
		Password: "pw",
		Post: store.Post{
			Description: "within",
		},
	})
	event("Jazz", "2026-12-31 21:00:00", "2027-01-01 03:00:00", store.Event{
		Categories: []int64{jazz},
		Tags:       []int64{outdoor},
		Venues:     []int64{hall},
	})
	event("Market", "2027-01-05 18:00:00", "2027-01-05 23:00:00", store.Event{
		Tags:       []int64{outdoor},
		Organizers: []int64{ann},
		Featured:   true,
	})
	event("May", "2031-05-10 10:00:00", "2031-05-10 12:00:00", store.Event{
		Categories: []int64{music},
		Tags:       []int64{outdoor},
	})
	for _, status := range []store.Status{store.Draft, store.Private, store.Future} {
		event(
			string(status),
			"2026-12-12 10:00:00",
			"2026-12-12 12:00:00",
			store.Event{Post: store.Post{
				Status: status,
				Date:   sample.Evening.AddDate(1, 0, 0),
			}},
		)
	}
	event("Gone", "2026-12-12 10:00:00", "2026-12-12 12:00:00", store.Event{Post: store.Post{
		Status: store.Trash,
		Slug:   "gone__trashed",
		Former: []string{"gone"},
	}})
	event("Never", "2026-12-12 10:00:00", "2026-12-12 12:00:00",
		store.Event{Post: store.Post{Status: store.Trash, Slug: "never__trashed", WasDraft: true}})
	return c
}

// extensionOf are the extensions of formats, by their types.
var extensionOf = map[string]string{
	feed.Calendar.Media: ".ics",
	feed.RSS.Media:      ".rss",
	feed.Atom.Media:     ".atom",
}

// TestVaryOfSubscriptions asks for a feed at the address of a page: the address alone selects its
// form.
func TestVaryOfSubscriptions(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	for _, path := range []string{"/events/?ical=1", "/events/feed/", "/events/feed/atom/", "/event/late/ical/"} {
		resp, err := http.Get(c.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if vary := strings.Split(resp.Header.Get("Vary"), ", "); resp.StatusCode != http.StatusOK ||
			slices.Contains(vary, "Accept") {
			t.Errorf("%s: %d, Vary %q", path, resp.StatusCode, vary)
		}
	}
}

// Every address at which the original serves a calendar or a feed answers with what it is
// for, below every base address, with and without the slash at its end.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	const (
		ics, rss, atom = ".ics ", ".rss ", ".atom "
		upcoming       = "Running, Morning, Late, Midnight, Fair, Locked, Jazz, Market, May"
		whole          = ics + "Summer, Running, Yesterday, Morning, Late, Midnight, Fair, Locked, Jazz, Market, May"
		december       = ics + "Midnight, Fair, Locked, Jazz"
		music, outdoor = "Running, Jazz, May", "Jazz, Market, May"
		typed          = "/?post_type=tribe_events"
	)

	for _, tt := range []struct{ address, want string }{
		// The whole list.
		{"/events/?ical=1", whole}, {"/events/list/?ical=1", whole}, {"/events/?ical=1&eventDisplay=list", whole},
		{typed + "&ical=1", whole}, {typed + "&ical=1&eventDisplay=list", whole}, {"/events/ical/", whole}, {"/?ical=1", whole},
		{"/events/list/page/2/?ical=1", whole}, {"/events/page/2/?ical=1", whole}, {"/events/list/ical/", whole},
		{"/events/?outlook-ical=1", whole},
		{"/events/?ical=0", whole}, {"/events/?ical", whole}, {"/events/?ical[]=1", whole}, {"/events/?ical=1&ical=1", whole},
		{"/events/?ical=1&start_date=2031-01-01&end_date=x&posts_per_page=1&tribe_display=month&per_page=1&page=7", whole},
		{"/events/?ical=1&tribe-bar-date=&tribe-bar-search=&tribe_events_cat=&tag=&eventDisplay=", whole},
		{"/events/?ical=1&eventDisplay=photo", whole}, {"/events/?ical=1&status=draft&password=pw&orderby=title&include=1&expand=x", whole},
		{"/events/?ical=1&_envelope=1&_jsonp=f&context=edit", whole}, {"/EVENTS/List/?ical=1", whole},
		// Past ones, and those from a day on.
		{"/events/list/?eventDisplay=past&ical=1", ics + "Old, Summer, Yesterday"}, {"/events/past/?ical=1", ics + "Old, Summer, Yesterday"},
		{typed + "&eventDisplay=past&feed=rss2", rss + "Yesterday, Summer, Old"},
		{"/events/list/?tribe-bar-date=2031-05-10&ical=1", ics + "May"}, {"/events/?tribe-bar-date=2031-05-11&ical=1", ics},
		{typed + "&tribe-bar-date=2027-01-01&ical=1&eventDisplay=list", ics + "Jazz, Market, May"},
		{"/events/list/?tribe-bar-date=2027-01&ical=1", ics + "Jazz, Market, May"},
		{"/events/list/?tribe-bar-date=2025-06-01&ical=1", strings.Replace(whole, ics, ics+"Old, ", 1)},
		// Months and days.
		{"/events/2026-12/?ical=1", december}, {"/events/month/2026-12/?ical=1", december},
		{"/events/month/?eventDisplay=month&tribe-bar-date=2026-12&ical=1", december},
		{"/events/?eventDisplay=month&tribe-bar-date=2027-01&ical=1", ics + "Jazz, Market"},
		{"/events/month/?ical=1", ics + "Running, Yesterday, Morning, Late"}, {"/events/2035-01/?ical=1", ics},
		{"/events/2026-12-12/?ical=1", ics + "Midnight, Fair"}, {"/events/day/2026-12-12/?ical=1", ics + "Midnight, Fair"},
		{"/events/2026-11-30/?ical=1", ics + "Late"}, {"/events/2026-12-01/?ical=1", ics}, {"/events/today/?ical=1", ics + "Running, Morning"},
		{"/events/day/?ical=1", ics + "Running, Morning"}, {"/events/2024-02-29/?ical=1", ics},
		// Of something.
		{"/events/category/music/?ical=1", ics + music}, {"/events/category/music/list/?ical=1", ics + music},
		{"/events/category/music/jazz-blues/?ical=1", ics + "Jazz"}, {"/events/category/nothing/jazz-blues/?outlook-ical=1", ics + "Jazz"},
		{"/events/category/music/list/page/3/?ical=1", ics + music}, {"/events/category/music/2026-12/ical/", ics + "Jazz"},
		{"/events/category/list/?ical=1", ics}, {"/events/category/music%2Fjazz-blues/?ical=1", ics + "Jazz"},
		{typed + "&tribe_events_cat=music&ical=1&eventDisplay=list", ics + music}, {"/?tribe_events_cat=music&ical=1", ics + music},
		{"/events/tag/outdoor/?ical=1", ics + outdoor}, {"/events/tag/outdoor/list/?ical=1", ics + outdoor},
		{"/tag/outdoor/?ical=1", ics + outdoor}, {typed + "&tag=outdoor&ical=1", ics + outdoor},
		{"/events/category/music/?tag=outdoor&ical=1", ics + "Jazz, May"},
		{"/events/featured/?ical=1", ics + "Market"}, {"/events/list/featured/?ical=1", ics + "Market"},
		{"/events/?featured=1&ical=1", ics + "Market"},
		{"/events/?ical=1&tribe-bar-search=market", ics + "Market"},
		{"/venue/hall/?ical=1", ics + "Jazz"}, {"/organizer/ann/?ical=1", ics + "Market"}, {"/?tribe_venue=hall&ical=1", ics + "Jazz"},
		// One event.
		{"/event/may/?ical=1", ics + "May"}, {"/event/old/?ical=1", ics + "Old"}, {"/event/hidden/?ical=1", ics + "Hidden"},
		{"/event/may/ical/", ics + "May"}, {"/event/may/?outlook-ical=1", ics + "May"}, {"/?tribe_events=may&ical=1", ics + "May"},
		{typed + "&p={May}&ical=1", ics + "May"}, {"/event/locked/?ical=1", ics + "Locked"}, {"/event/MAY?ical=1", ics + "May"},
		{"/events/?ical=1&event_ids[]={Old}", ics + "Old"}, {"/events/?ical=1&event_ids={May},{Old}", ics + "Old, May"},
		// Feeds.
		{"/events/feed/", rss + upcoming}, {typed + "&feed=rss2", rss + upcoming}, {"/events/feed/rss2/", rss + upcoming},
		{"/events/category/music/feed/", rss + music}, {"/events/tag/outdoor/feed/", rss + outdoor},
		{"/tag/outdoor/feed/", rss + "May, Market, Jazz"},
		{"/events/list/feed/", rss + upcoming}, {"/events/month/feed/", rss + "Running, Yesterday, Morning, Late"},
		{"/events/feed/atom/", atom + upcoming}, {"/events/?feed=atom", atom + upcoming}, {"/events/category/music/?feed=rss2", rss + music},
		// Unknown and withdrawn events.
		{"/event/draft/?ical=1", "404"}, {"/event/private/?ical=1", "404"}, {"/event/future/?ical=1", "404"}, {"/event/nothing/?ical=1", "404"},
		{"/event/gone/?ical=1", "410"}, {"/event/never/?ical=1", "404"}, {typed + "&p={Gone}&ical=1", "410"},
		{typed + "&p={Never}&ical=1", "404"},
		{typed + "&p={Hall}&ical=1", "404"}, {typed + "&p=may&ical=1", "404"}, {typed + "&p=&ical=1", "404"}, {"/?tribe_events=&ical=1", "404"},
		{typed + "&p=99999999999999999999&ical=1", "404"}, {"/?tribe_events[]=may&tribe_events[]=old&ical=1", "404"},
		{"/events/category/nothing/?ical=1", "404"}, {"/events/tag/nothing/?ical=1", "404"}, {"/tag/nothing/feed/", "404"},
		{typed + "&tribe_events_cat=nothing&ical=1", "404"}, {"/venue/nothing/?ical=1", "404"}, {"/venue/cellar/?ical=1", "404"},
		{"/organizer/hall/?ical=1", "404"}, {"/events/category/?ical=1", "404"}, {"/events/tag/a/b/?ical=1", "404"},
		{"/events/category/music%00/?ical=1", "404"}, {"/event/a%2Fb/?ical=1", "404"}, {"/events/whatever/?ical=1", "404"},
		{"/events/2026-13/?ical=1", "404"}, {"/events/2026-02-30/?ical=1", "404"}, {"/events/0000-00/?ical=1", "404"},
		{"/events/9999-12/?ical=1", "404"}, {"/events/0999-12-31/?ical=1", "404"}, {"/events/2026-12-1/?ical=1", "404"},
		{"/events/?ical=1&tribe-bar-date=2026-02-30", "400"}, {"/events/?ical=1&tribe-bar-date=tomorrow", "400"},
		{"/events/?ical=1&tribe-bar-date[]=2026-12&tribe-bar-date[]=2026-11", "400"}, {"/events/?ical=1&event_ids[]=x", "400"},
		{"/events/?ical=1&event_ids[]=0", "400"}, {"/events/?ical=1&event_ids=", "400"},
		{"/events/?ical=1&tribe-bar-search=" + strings.Repeat("x", 10_000), "414"}, {"/events/?ical=1&tribe-bar-search=%ff", "400"},
		{"/event/may/feed/", "404"}, {"/event/may/?feed=rss2", "404"}, {"/events/feed/xyz/", "404"}, {"/events/?feed=xyz", "404"},
		// Without a word of a calendar or a feed they are addresses of pages.
		{"/events/", "200"}, {"/events/list/", "200"}, {"/event/may/", "200"}, {"/venue/hall/", "200"}, {"/tag/outdoor/", "200"},
		{"/events/category/music/", "200"}, {"/events/?icals=1", "200"},
	} {
		for _, base := range []string{"", "/de"} {
			for _, address := range []string{tt.address, strings.TrimSuffix(strings.Replace(tt.address, "/?", "?", 1), "/")} {
				if base == "" && !strings.HasPrefix(address, "/") {
					address = "/" + address // of the root nothing else is left
				}
				resp, body := c.Page(t, http.MethodGet, "", base+address)
				got := fmt.Sprint(resp.StatusCode)
				if extension := extensionOf[resp.Header.Get("Content-Type")]; extension != "" {
					got = extension + " " + strings.Join(sample.Titles(t, extension, body), ", ")
				}
				if got != tt.want {
					t.Errorf("%s%.200s:\n got %s\nwant %s", base, address, got, tt.want)
				}
				if strings.Contains(body, "within") {
					t.Errorf("%s%s: what is protected is shown: %s", base, address, body)
				}
			}
		}
	}
}

// The December of the original: its calendar of the month and ours have the same events. (The
// moment, the address and the events are those of a recorded answer.)
func TestSubscribedMonth(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Clock.Set(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC))
	var want []string
	for _, e := range [][3]string{
		{"Overnight party", "2026-12-05 22:00:00", "2026-12-06 04:00:00"},
		{"Midnight to midnight", "2026-12-10 00:00:00", "2026-12-11 00:00:00"},
		{"Same start A", "2026-12-12 18:00:00", "2026-12-12 19:00:00"}, {"Same start B", "2026-12-12 18:00:00", "2026-12-12 20:00:00"},
		{`Rock & Roll "Night" -- it's 5 o'clock...`, "2026-12-15 20:00:00", "2026-12-15 23:00:00"},
		{"Émile & Zoë – naïve café", "2026-12-18 19:30:00", "2026-12-18 21:00:00"},
		{"Crossing year", "2026-12-31 21:00:00", "2027-01-01 03:00:00"},
	} {
		c.Add(&store.Event{
			Title:    e[0],
			Start:    sample.Local(t, e[1]),
			End:      sample.Local(t, e[2]),
			Timezone: "America/New_York",
		})
		stamp := strings.NewReplacer("-", "", ":", "", " ", "T")
		want = append(
			want,
			"DTSTART;TZID=America/New_York:"+stamp.Replace(e[1]),
			"DTEND;TZID=America/New_York:"+stamp.Replace(e[2]),
			"SUMMARY:"+e[0],
		)
	}
	for title, at := range map[string]string{
		"Three days fair": "2026-11-27 00:00:00",
		"Next":            "2027-01-10 10:00:00",
	} {
		c.Add(&store.Event{
			Title:    title,
			Start:    sample.Local(t, at),
			End:      sample.Local(t, at) + 3*86_400 - 1,
			Timezone: "America/New_York",
		})
	}
	c.Add(&store.Event{
		Title:            "Hidden from listings",
		Start:            sample.Local(t, "2026-12-13 18:00:00"),
		End:              sample.Local(t, "2026-12-13 19:00:00"),
		HideFromListings: true,
	})
	_, body := c.Page(t, http.MethodGet, "", "/events/2026-12/?ical=1")
	var got []string
	for _, line := range regexp.MustCompile(`(?m)^(DTSTART;|DTEND;|SUMMARY:).*$`).FindAllString(body, -1) {
		got = append(got, strings.TrimRight(line, "\r"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("December (-of the original, +ours):\n%s", diff)
	}
}

// Legacy feeds have the common properties of answers: tags that hold for a day, HEAD, compression,
// cached answers, and 404 for other methods.
func TestSubscriptionManners(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	c.Page(
		t,
		http.MethodGet,
		"",
		"/cal/events/v1/events",
	) // hosts are known from their second request on
	for _, address := range []string{"/events/?ical=1", "/events/list/?ical=1", "/events/month/?ical=1", "/events/feed/", "/event/may/?ical=1",
		"/tag/outdoor/?ical=1"} {
		first, body := c.Page(t, http.MethodGet, "", address)
		tag := first.Header.Get("ETag")
		for range 3 {
			resp, again := c.Page(t, http.MethodGet, "", address, "If-None-Match", `"x"`)
			if again != body || resp.Header.Get("ETag") != tag || tag == "" {
				t.Errorf(
					"%s, again: the tag %s, was %s (-first, +again):\n%s",
					address,
					resp.Header.Get("ETag"),
					tag,
					cmp.Diff(body, again),
				)
			}
		}
		if !strings.Contains(body, strings.ReplaceAll(c.URL+address, "&", "&amp;")) {
			t.Errorf("%s does not name its address: %s", address, body)
		}
		if resp, _ := c.Page(t, http.MethodGet, "", address, "If-None-Match", tag); resp.StatusCode != http.StatusNotModified {
			t.Errorf("%s with its tag: %d, want 304", address, resp.StatusCode)
		}
		if resp, packed := c.Page(t, http.MethodGet, "", address, "Accept-Encoding", "gzip"); len(
			body,
		) > 2000 &&
			(resp.Header.Get("Content-Encoding") != "gzip" || len(packed) >= len(body)) {
			t.Errorf(
				"%s compressed: %v, %d bytes of %d",
				address,
				resp.Header,
				len(packed),
				len(body),
			)
		}
		resp, none := c.Page(t, http.MethodHead, "", address)
		if none != "" || resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") != tag ||
			resp.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %v", address, resp.StatusCode, resp.Header)
		}
	}
	for _, tt := range []struct {
		method, address string
		want            int
	}{
		{http.MethodOptions, "/events/?ical=1", 200}, {http.MethodPost, "/events/?ical=1", 404}, {http.MethodDelete, "/event/may/?ical=1", 404},
		{http.MethodPost, "/?ical=1", 404}, {http.MethodGet, "/cal/events/v1/events?ical=1", 200},
		{http.MethodGet, "/?ical=1&rest_route=/cal/events/v1/events/{May}", 200}, {http.MethodGet, "/events/?ical=1&rest_route=/nothing", 404},
	} {
		resp, _ := c.Page(t, tt.method, "", tt.address)
		if json := strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json"); resp.StatusCode != tt.want ||
			!json {
			t.Errorf(
				"%s %s: %d %s, want %d and JSON",
				tt.method,
				tt.address,
				resp.StatusCode,
				resp.Header.Get("Content-Type"),
				tt.want,
			)
		}
	}
	for address, name := range map[string]string{
		"/events/?ical=1":    "events.ics",
		"/event/may/?ical=1": "may.ics",
	} {
		resp, _ := c.Page(t, http.MethodGet, "", address)
		if got, want := resp.Header.Get("Content-Disposition"), `attachment; filename="`+name+`"`; got != want {
			t.Errorf("%s: Content-Disposition is %q, want %q", address, got, want)
		}
	}
	tags := func(at time.Time) (all []string) {
		c.Clock.Set(at)
		for _, address := range []string{"/events/?ical=1", "/events/today/?ical=1", "/events/feed/",
			"/events/list/?eventDisplay=past&ical=1"} {
			resp, _ := c.Page(t, http.MethodGet, "", address)
			all = append(all, resp.Header.Get("ETag"))
		}
		return all
	}
	today := tags(sample.Evening)
	if diff := cmp.Diff(today, tags(sample.Evening.Add(4*time.Hour+59*time.Minute))); diff != "" { // a minute before midnight in New York
		t.Errorf("tags change during the day (-evening, +night):\n%s", diff)
	}
	for i, tag := range tags(sample.Evening.Add(5 * time.Hour)) {
		if tag == today[i] {
			t.Errorf("the tag %d is that of yesterday", i)
		}
	}
}

// These addresses show a caller with an account the lists of that account, and the address of an
// event of a series has that event alone.
func TestSubscriptionsOfOthers(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	_, choir := c.AddSeries(t, store.Event{
		Title: "Choir",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	for _, tt := range []struct {
		role          account.Role
		address, want string
	}{
		{"", "/events/2026-12-12/?ical=1", "Midnight, Fair"}, {account.Subscriber, "/events/2026-12-12/?ical=1", "Midnight, Fair"},
		{account.Editor, "/events/2026-12-12/?ical=1", "Midnight, Fair, draft, private, future"},
		{account.Editor, "/event/draft/?ical=1", "draft"},
		{account.Contributor, "/event/draft/?ical=1", ""}, {account.Editor, "/event/gone/?ical=1", ""},
		{account.Editor, "/venue/cellar/?ical=1", ""},
		{"", "/event/" + choir[1].Slug + "/?ical=1", "Choir"}, {"", "/event/choir/2031-05-13/?ical=1", "Choir"},
		{"", "/event/choir/2031-05-14/?ical=1", ""}, {"", "/event/choir/2031-05/?ical=1", ""},
	} {
		_, body := c.Page(t, http.MethodGet, tt.role, tt.address)
		if got := strings.Join(sample.Titles(t, ".ics", body), ", "); got != tt.want {
			t.Errorf("%s as %q: %s, want %s", tt.address, tt.role, got, tt.want)
		}
		if strings.Contains(body, "Choir") &&
			(!strings.Contains(body, "20310513T190000") || strings.Contains(body, "FREQ=WEEKLY")) {
			t.Errorf("%s: not the event of that day: %s", tt.address, body)
		}
	}
}
