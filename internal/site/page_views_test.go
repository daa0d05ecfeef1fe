// Views of the calendar, and their filters.

package site_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// look asks for a page as a browser does.
func look(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	rec := apitest.Serve(h, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html")
	if rec.Code != http.StatusOK {
		t.Fatalf("%s: %d %.300s", path, rec.Code, rec.Body)
	}
	return rec.Body.String()
}

// textOf returns the text that an expression finds, without tags, in single spaces.
func textOf(body, expression string) string {
	found := regexp.MustCompile(`(?s)` + expression).FindString(body)
	found = regexp.MustCompile(`(?s)<span class="hidden.*?</span>|<p class="hidden.*?</p>`).
		ReplaceAllString(found, "")
	found = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found, " "))
	return strings.Join(strings.Fields(strings.Map(plainSpaces, found)), " ")
}

// A day and the cell of a month have the events that touch it, those without length at its
// midnight too, and not those that end with the day before.
func TestPageDays(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	event := func(title, start, end string, more store.Event) {
		more.Title = title
		more.Start = sample.Local(t, start)
		more.End = sample.Local(t, end)
		c.Add(&more)
	}
	event("Late", "2027-03-08 20:00:00", "2027-03-09 00:00:00", store.Event{})
	event("Midnight", "2027-03-09 00:00:00", "2027-03-09 00:00:00", store.Event{})
	event("Night", "2027-03-09 22:00:00", "2027-03-10 02:00:00", store.Event{
		Cost: store.Cost{
			Entries: []string{"0"},
		},
	})
	event("Fair", "2027-03-09 00:00:00", "2027-03-11 23:59:59", store.Event{AllDay: true})
	event("Camp", "2027-03-12 18:00:00", "2027-03-14 14:00:00", store.Event{Featured: true})
	h := sample.Visited(t, c)
	cell := func(day string) string {
		body := regexp.MustCompile(` data-text="(\d+)">`).
			ReplaceAllString(look(t, h, "/events/month/2027-03/"), ">$1")
		return textOf(body, `datetime="`+day+`"><span aria-hidden[^>]*>\d+</span>.*?</td>`)
	}
	for _, tt := range []struct{ day, cell, list string }{
		{"2027-03-08", "8 8:00 PM Late", "Late 8:00 PM – 12:00 AM"},
		{"2027-03-09", "9 All day Fair until March 11 12:00 AM Midnight 10:00 PM Night",
			"Midnight 12:00 AM Fair All day until Thursday, March 11 Night 10:00 PM – 2:00 AM Free"},
		{"2027-03-10", "10 until 2:00 AM Night", "Fair All day until Thursday, March 11 Night until 2:00 AM Free"},
		{"2027-03-11", "11", "Fair All day last day"},
		{"2027-03-12", "12 6:00 PM Camp until March 14", "Camp 6:00 PM until Sunday, March 14 Featured"},
		{"2027-03-13", "13", "Camp until Sunday, March 14 Featured"},
		{"2027-03-14", "14 until 2:00 PM Camp", "Camp until 2:00 PM Featured"},
	} {
		if diff := cmp.Diff(tt.cell, strings.TrimPrefix(cell(tt.day), `datetime="`+tt.day+`"> `)); diff != "" {
			t.Errorf("the cell of %s (-want, +got):\n%s", tt.day, diff)
		}
		if diff := cmp.Diff(tt.list, textOf(look(t, h, "/events/"+tt.day+"/"), `<ol>.*</ol>`)); diff != "" {
			t.Errorf("the day %s (-want, +got):\n%s", tt.day, diff)
		}
	}
	for path, want := range map[string]string{
		"/event/late/":     "Monday, March 8, 2027 8:00 PM – 12:00 AM",
		"/event/night/":    "Tuesday, March 9, 2027 10:00 PM – 2:00 AM",
		"/event/fair/":     "Tue, Mar 9 – Thu, Mar 11, 2027",
		"/event/midnight/": "Tuesday, March 9, 2027 12:00 AM",
		"/event/camp/":     "Friday, March 12, 2027 at 6:00 PM – Sunday, March 14, 2027 at 2:00 PM",
	} {
		if got := textOf(look(t, h, path), `<p class="date">.*?</p>`); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// A cancelled event of several days is announced and struck on each of its days.
func TestPageCancelledDays(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.Add(&store.Event{
		Title: "Camp",
		Start: sample.Local(t, "2027-03-12 18:00:00"),
		End:   sample.Local(t, "2027-03-14 14:00:00"),
		State: store.Canceled,
	})
	body := look(t, sample.Visited(t, c), "/events/month/2027-03/")
	marks := regexp.MustCompile(`<span class="state">Cancelled</span> <a href="[^"]*" class="struck"[^>]*><bdi>Camp`).
		FindAllString(body, -1)
	if len(marks) != 3 {
		t.Errorf("%d days are announced and struck, want 3: %q", len(marks), marks)
	}
}

// The day zero of local times is a day like any other.
func TestPageDayZero(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	err := c.Store.Update(
		1,
		func(tx *store.Tx) (err error) { // a seed takes 0 for a date that is not said
			for _, e := range [][3]string{{"Late", "1969-12-31 20:00:00", "1970-01-01 00:00:00"},
				{"Midnight", "1970-01-01 00:00:00", "1970-01-01 00:00:00"}, {"Long", "1970-01-01 10:00:00", "1970-01-02 00:00:00"}} {
				post := store.Post{
					Status: store.Publish,
					Date:   sample.Evening,
					Slug:   strings.ToLower(e[0]),
				}
				err = errors.Join(err, tx.Put(&store.Event{
					Post:     post,
					Title:    e[0],
					Timezone: "America/New_York",
					Start:    sample.Local(t, e[1]),
					End:      sample.Local(t, e[2]),
				}))
			}
			return err
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	h := sample.Visited(t, c)
	for path, want := range map[string]string{
		"/events/1969-12-31/":      "Late",
		"/events/1970-01-01/":      "Midnight, Long",
		"/events/1970-01-02/":      "",
		"/events/week/1970-01-01/": "Late, Midnight, Long",
		"/events/month/1970-01/":   "Midnight, Long",
		"/events/month/1969-12/":   "Late",
	} {
		var got []string
		for _, match := range shownTitles.FindAllStringSubmatch(look(t, h, path), -1) {
			got = append(got, match[1])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s shows %q, want %s", path, got, want)
		}
	}
}

// A month with very many events, which are found day by day, has the same cells as its weeks, but
// for those that the month cuts.
func TestPageFullMonth(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	month := sample.Local(t, "2027-03-01 00:00:00")
	rng := rand.New(rand.NewPCG(1, 2))
	var all []any
	for i := range 1300 {
		start := month + store.Wall(rng.IntN(33*48)-48)*1800
		end := start + store.Wall(rng.IntN(4)*rng.IntN(50))*1800
		status := []store.Status{store.Publish, store.Draft}[i%9/8]
		all = append(all, &store.Event{
			Post: store.Post{
				Status: status,
			},
			Title: fmt.Sprint("Event ", i),
			Start: start,
			End:   end,
		})
	}
	c.Seed(all...)
	h := sample.Visited(t, c)
	cells := func(path string) map[string]string {
		found := map[string]string{}
		for _, cell := range regexp.MustCompile(`(?s)<td.*?</td>`).FindAllString(look(t, h, path), -1) {
			if day := regexp.MustCompile(`datetime="([^"]*)"`).FindStringSubmatch(cell); day != nil {
				found[day[1]] = cell
			}
		}
		return found
	}
	want := map[string]string{}
	got := cells("/events/month/2027-03/")
	for day := range 31 {
		name := (month + store.Wall(day)*86_400).Time().Format(time.DateOnly)
		if want[name] = cells("/events/week/" + name + "/")[name]; day < 6 || day > 26 {
			delete(want, name)
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-of weeks, +of the month):\n%s", diff)
	}
}

// A list says what it is narrowed by, with a link that lifts it; the views and pages beside it,
// and its feeds, are of the same events.
func TestPageNarrowed(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	for _, tt := range []struct{ path, said, titles string }{
		{"/events/?categories={Music}&organizer={Ann}", "Category: Music Organizer: Ann 2 events Show all events", "One, Two"},
		{"/events/?tags={Free Entry}&venue={Hall}", "Tag: Free Entry Venue: Hall 1 event Show all events", "One"},
		{"/events/?featured=true&tribe-bar-search=Two", "Search: Two Featured 1 event Show all events", "Two"},
		{"/events/category/jazz/?organizer={Bob}", "Category: Jazz Organizer: Bob 1 event Show all events", "Two"},
		{"/events/?tribe-bar-date=2031-04-10&categories={Music}", "Category: Music From: Thursday, April 10, 2031 2 events Show all events",
			"One, Two"},
		{"/events/month/2031-04/?categories={Music}", "Category: Music 2 events Show all events", "One, Two"},
		{"/events/2031-04-10/?venue={Hall}", "Venue: Hall 1 event Show all events", "One"},
	} {
		path := regexp.MustCompile(`\{([^}]*)\}`).
			ReplaceAllStringFunc(tt.path, func(name string) string {
				return fmt.Sprint(c.IDs[strings.Trim(name, "{}")])
			})
		body := look(t, h, path)
		if got := textOf(body, `<p class="said".*?</p>`); got != tt.said {
			t.Errorf("%s says %q, want %q", tt.path, got, tt.said)
		}
		var got []string
		for _, match := range shownTitles.FindAllStringSubmatch(body, -1) {
			got = append(got, match[1])
		}
		if strings.Join(got, ", ") != tt.titles {
			t.Errorf("%s shows %q, want %s", tt.path, got, tt.titles)
		}
		_, query, _ := strings.Cut(path, "?")
		asked, _ := url.ParseQuery(query)
		asked.Del("tribe-bar-date")
		for _, view := range regexp.MustCompile(`(?s)<nav class="views".*?</nav>`).FindAllString(body, 1) {
			for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(view, -1) {
				u, err := url.Parse(html.UnescapeString(link[1]))
				for name := range asked {
					if err != nil || u.Query().Get(name) != asked.Get(name) {
						t.Errorf("%s: the view %s is of other events", tt.path, link[1])
					}
				}
			}
		}
		for _, feed := range regexp.MustCompile(`<a href="([^"]*events\.csv[^"]*)"`).FindAllStringSubmatch(body, -1) {
			rows := apitest.Serve(
				h,
				http.MethodGet,
				html.UnescapeString(feed[1])+"&start_date=2031-04-01&end_date=2031-05-01",
				"",
			).Body.String()
			if n := strings.Count(strings.TrimSpace(rows), "\n"); n != strings.Count(
				tt.titles,
				",",
			)+1 {
				t.Errorf("%s: its feed %s has %d events", tt.path, feed[1], n)
			}
		}
	}
}

// The form offers what is used, and keeps what was chosen.
func TestPageChoices(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	options := func(path, name string) (found []string) {
		choice := regexp.MustCompile(`(?s)<select id="` + name + `".*?</select>`).
			FindString(look(t, h, path))
		for _, match := range regexp.MustCompile(`<option value="\d+"( selected)?>([^<]*)`).FindAllStringSubmatch(choice, -1) {
			found = append(found, html.UnescapeString(match[2])+match[1])
		}
		return found
	}
	for name, want := range map[string][]string{
		"categories": {"Bebop & Bop", "Café", "Jazz", "Music", "The Year"},
		"tags":       {"Free Entry", "Kids"},
		"venue":      {"Bärn", "Hall", "Ruin"},
		"organizer":  {"Ann", "Bob"},
	} {
		if diff := cmp.Diff(want, options("/events/", name)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", name, diff)
		}
	}
	if got := options(fmt.Sprint("/events/?organizer=", c.IDs["Bob"]), "organizer"); !cmp.Equal(
		got,
		[]string{"Ann", "Bob selected"},
	) {
		t.Errorf("after Bob was chosen: %q", got)
	}
	if got := options("/events/category/music/", "categories"); got != nil {
		t.Errorf("the page of a category offers others: %q", got)
	}
}

// Of very many venues, choices are looked for among the newest ones: writers wait for it.
func TestPageChoicesOfMany(t *testing.T) {
	t.Parallel()
	const most = 10_000
	c := sample.New(t)
	start := sample.Local(t, "2031-05-10 12:00:00")
	fair := &store.Event{Title: "Fair", Start: start, End: start, Timezone: "UTC"}
	fair.Slug = "fair"
	fair.Status = store.Publish
	err := c.Store.Update(1, func(tx *store.Tx) error {
		for i := range most + 1 { // the later ones by name are newer
			hall := &store.Venue{Name: fmt.Sprintf("Hall %05d", i)}
			hall.Slug = fmt.Sprint("hall-", i)
			hall.Status = store.Publish
			hall.Date = time.Unix(int64(i), 0)
			if err := tx.Put(hall); err != nil {
				return err
			}
			fair.Venues = append(fair.Venues, hall.ID)
		}
		return tx.Put(fair)
	})
	if err != nil {
		t.Fatal(err)
	}
	body := look(t, sample.Visited(t, c), "/events/")
	got := regexp.MustCompile(`<option value="\d+">(Hall \d+)`).FindAllStringSubmatch(body, -1)
	if len(got) != 50 || got[0][1] != "Hall 00001" || got[49][1] != "Hall 00050" {
		t.Errorf("%d venues are offered: %q", len(got), got)
	}
}

// An empty view says so, and links to the nearest events.
func TestPageEmpty(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	for _, tt := range []struct {
		path, want string
		links      []string
	}{
		{"/events/month/2031-01/", "There are no events on these dates. Next event: Thursday, April 10, 2031 Show all events",
			[]string{"/events/2031-04-10/", "/events/"}},
		{"/events/2031-04-11/", "There are no events on these dates. Past events Show all events", []string{"/events/past/", "/events/"}},
		{"/events/?tribe-bar-search=zither", "Nothing was found. Try other words, another date or fewer filters. Past events Show all events",
			[]string{"/events/past/?tribe-bar-search=zither", "/events/"}},
		{"/venue/ruin/", "There are no events here at the moment. Past events", []string{"/venue/ruin/past/"}},
	} {
		empty := regexp.MustCompile(`(?s)<div class="empty">.*?</div>`).
			FindString(look(t, h, tt.path))
		if got := textOf(empty, `.*`); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
		var links []string
		for _, link := range regexp.MustCompile(`href="http://example\.com([^"]*)"`).FindAllStringSubmatch(empty, -1) {
			links = append(links, link[1])
			look(t, h, html.UnescapeString(link[1]))
		}
		if diff := cmp.Diff(tt.links, links); diff != "" {
			t.Errorf("%s: links (-want, +got):\n%s", tt.path, diff)
		}
	}
}

// Search engines are told of exactly the events that are shown, and of nothing that a password
// protects.
func TestPageLinkedData(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	for path, want := range map[string]string{
		"/events/":                "Event One, Event Two, Event Three, Event Child",
		"/events/month/2031-04/":  "Event One, Event Two, Event Three, Event Child",
		"/events/2031-04-10/":     "Event One, Event Two, Event Three, Event Child",
		"/events/category/music/": "Event One, Event Two",
		"/venue/hall/":            "Place Hall, Event One",
		"/organizer/ann/":         "Organization Ann, Event One, Event Two",
		"/event/two/":             "Event Two",
		"/event/locked/":          "",
		"/events/month/2031-05/":  "",
	} {
		var got []string
		type object struct {
			Context string `json:"@context"`
			Type    string `json:"@type"`
			Name    string
		}
		for _, script := range regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindAllStringSubmatch(
			look(t, h, path), -1) {
			var data []object // as the original has it, of which clients take the first
			if err := json.Unmarshal([]byte(script[1]), &data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			for _, one := range data {
				got = append(got, one.Type+" "+one.Name)
				if !strings.HasSuffix(one.Context, "://schema.org") {
					t.Errorf("%s: the context of %s is %q", path, one.Name, one.Context)
				}
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", path, got, want)
		}
	}
}

// An event that is over says so first, and leads to the next of its series.
func TestPageOver(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	body := look(t, h, "/event/past/")
	if over := strings.Index(body, "This event is over."); over < 0 ||
		over > strings.Index(body, "<h1") {
		t.Error("an event that is over does not say so before its title")
	}
	if strings.Contains(look(t, h, "/event/one/"), "This event is over.") {
		t.Error("an event that is not over says that it is")
	}
}

// A month of 200 events, with at most six shown on a day, is at most 20 KB of compressed HTML.
func TestPageWeight(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	titles := strings.Fields(
		"Advent Vespers by Candlelight with the Chamber Choir and Friends of Old Music in the Parish Hall after " +
			"Sunday Service for Families Children Beginners Improvers Veterans of Every Instrument Workshop Concert Rehearsal Lecture " +
			"Exhibition Guided Walk Market Dance Film Poetry Reading Quiz Supper",
	)
	for i := range 200 {
		n := i % 22
		title := fmt.Sprintf(
			"%s %s: %s",
			titles[(i*7)%len(titles)],
			titles[(i*11+3)%len(titles)],
			strings.Join(titles[n:n+9], " "),
		)
		day := 1 + i%30
		if i < 18 {
			day = 15 // which has eighteen more than others
		}
		start := sample.Local(t, fmt.Sprintf("2027-04-%02d %02d:%02d:00", day, 8+i%13, i*5%60))
		venue := c.Add(&store.Venue{
			Name:    fmt.Sprint(titles[i%len(titles)], " Hall ", i%12),
			Address: fmt.Sprint(i%12, " Church Lane"),
			City:    "Springfield",
		})
		c.Add(&store.Event{
			Post: store.Post{
				Description: strings.Join(titles, " "),
			},
			Title:  title,
			Start:  start,
			End:    start + 5400,
			Venues: []int64{venue},
		})
	}
	h := sample.Visited(t, c)
	body := look(t, h, "/events/month/2027-04/")
	for _, cell := range regexp.MustCompile(`(?s)<td.*?</td>`).FindAllString(body, -1) {
		onPaper := strings.Count(cell, `<li class="rest`)
		if n := strings.Count(cell, "<bdi>"); n-onPaper > 6 {
			t.Errorf("a cell has %d events, %d of them on paper alone", n, onPaper)
		}
	}
	more := regexp.MustCompile(`<a class="more" href="http://example\.com(/events/2027-04-15/)">(\d+) more</a>`).
		FindStringSubmatch(body)
	if more == nil || more[2] == "0" {
		t.Fatal("a full day does not lead to the others")
	}
	day := look(t, h, more[1])
	if n, want := len(shownTitles.FindAllString(day, -1)), fmt.Sprint(6); fmt.Sprint(
		n-6,
	) != more[2] {
		t.Errorf("the day has %d events, the cell %s and %s more", n, want, more[2])
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(body))
	w.Close()
	t.Logf("%d bytes, compressed %d", len(body), packed.Len())
	if packed.Len() > 20<<10 {
		t.Errorf("the month has %d bytes, compressed", packed.Len())
	}
}

// The page of a venue does not name it again beside each of its events; that of an organizer does.
func TestPagePlaces(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	hall := c.Add(&store.Venue{Post: store.Post{Slug: "hall"}, Name: "Hall", City: "Springfield"})
	yard := c.Add(&store.Venue{Post: store.Post{Slug: "yard"}, Name: "Yard"})
	ann := c.Add(&store.Organizer{Post: store.Post{Slug: "ann"}, Name: "Ann"})
	noon := sample.Local(t, "2027-03-09 12:00:00")
	c.Add(&store.Event{
		Title:      "One",
		Start:      noon,
		End:        noon + 3600,
		Venues:     []int64{hall, yard},
		Organizers: []int64{ann},
	})
	h := sample.Visited(t, c)
	for range 2 { // parts of pages are remembered
		for path, want := range map[string]string{
			"/venue/hall/":    "Yard",
			"/venue/yard/":    "Hall, Springfield",
			"/organizer/ann/": "Hall, Springfield and Yard",
		} {
			if got := textOf(look(t, h, path), `<p class="facts">.*?</p>`); got != want {
				t.Errorf("%s: One is at %q, want %q", path, got, want)
			}
		}
	}
}

// Read without its style, as in text browsers, a page says each date once, and words apart.
func TestPageWithoutStyle(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	hall := c.Add(&store.Venue{Name: "Hall"})
	noon := sample.Local(t, "2027-03-09 12:00:00")
	c.Add(&store.Event{
		Title:    "One",
		Start:    noon,
		End:      noon + 3600,
		Venues:   []int64{hall},
		Cost:     store.Cost{Entries: []string{"5"}},
		Featured: true,
	})
	h := sample.Visited(t, c)
	for _, tt := range []struct{ path, expression, want string }{
		{"/events/2027-03-09/", `<h1>(?s:.*?)</h2>`, "Tuesday, March\u00a09, 2027\n\n\n\n\n\nOne"},
		{"/events/?tribe-bar-date=2027-03-09", `<h2>.*?</h2>`, "Tuesday, March 9, 2027"},
		{"/events/2027-03-09/", `<p class="facts">.*?</p>`, "Featured Hall $5 "},
		{"/events/month/2027-03/", `<h2 class="date"><a.*?</h2>`, "Tuesday, March 9"}, {"/events/month/2027-03/", `<th .*?</th>`, "Sunday"},
	} {
		found := regexp.MustCompile(tt.expression).FindString(look(t, h, tt.path))
		if got := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found, ""); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
}

// No line break parts the day of a date from its month, and a range is parted behind its sign. An
// empty search offers all events once, and a featured event is called so once.
func TestPageLines(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	camp := store.Event{
		Post: store.Post{
			Slug: "camp",
		},
		Title:    "Camp",
		Featured: true,
		Start:    sample.Local(t, "2027-03-12 18:00:00"),
		End:      sample.Local(t, "2027-03-14 14:00:00"),
	}
	c.Add(&camp)
	c.Add(&store.Event{
		Post: store.Post{
			Slug: "fair",
		},
		Title:  "Fair",
		AllDay: true,
		Start:  sample.Local(t, "2027-03-09 00:00:00"),
		End:    sample.Local(t, "2027-03-10 23:59:59"),
	})
	h := sample.Visited(t, c)
	for _, tt := range []struct{ path, expression, want string }{
		{"/de/event/camp/", `<p class="date">.*?</p>`, `<p class="date"><time datetime="2027-03-12T18:00">Freitag, 12.~März 2027 um~18:00 – ` +
			`</time><time datetime="2027-03-14T14:00">Sonntag, 14.~März 2027 um~14:00</time></p>`},
		{"/event/fair/", `<p class="date">.*?</p>`, `<p class="date"><time datetime="2027-03-09">Tue, Mar~9 – </time>` +
			`<time datetime="2027-03-10">Wed, Mar~10, 2027</time></p>`},
		{"/de/events/2027-03-12/", `<h1>.*?</h1>`, "<h1>Freitag, 12.~März 2027</h1>"},
		{"/de/events/2027-03-12/", `<span class="note">.*?</span>`, `<span class="note">bis Sonntag, 14.~März</span>`},
		{"/events/featured/", `<p class="said".*?</p>`, `<p class="said" role="status"><span>1 event</span> ` +
			`<span><a href="http://example.com/events/">Show all events</a></span></p>`},
		{"/events/?tribe-bar-search=zither", `<p class="said".*?</p>`, `<p class="said" role="status"><span>Search: <bdi>zither</bdi></span> ` +
			`<span>0 events</span></p>`},
	} {
		shown := strings.NewReplacer("\u2009", " ", "\u00a0", "~")
		if got := shown.Replace(regexp.MustCompile(tt.expression).FindString(look(t, h, tt.path))); got != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.path, got, tt.want)
		}
	}
}

// A search that has to read more texts than the limit shows a month without them, and without
// links to the months beside it.
func TestMonthOfWideSearch(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for n := range 300 {
		c.Add(&store.Event{
			Title: fmt.Sprint("Jazz night ", n),
			Start: sample.Local(t, "2031-03-07 19:00:00"),
			End:   sample.Local(t, "2031-03-07 20:00:00"),
		})
	}
	resp, body := c.Page(t, "GET", "", "/events/month/2031-05/?tribe-bar-search=%22jazz+night%22")
	if resp.StatusCode != http.StatusOK || strings.Contains(body, "/events/month/2031-03/") {
		t.Errorf("%s:\n%s", resp.Status, body)
	}
}

// Paper has the events of a day that a month in a window leads to, and how many more there are.
func TestMonthOnPaper(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for i := range 9 + 20 {
		start := sample.Local(t, "2031-05-10 20:00:00")
		if i >= 9 {
			start += 86_400
		}
		c.Add(&store.Event{
			Title:    fmt.Sprint("Concert ", i),
			Start:    start,
			End:      start + 3600,
			Timezone: "America/New_York",
		})
	}
	_, page := c.Page(t, http.MethodGet, "", "/events/month/2031-05/")
	var got []string
	for _, day := range []string{"2031-05-10", "2031-05-11"} {
		cell := regexp.MustCompile(`(?s)datetime="` + day + `.*?</td>`).FindString(page)
		rest := regexp.MustCompile(`<li class="rest">.*?</li>`).FindAllString(cell, -1)
		more := regexp.MustCompile(`class="more"[^>]*>([^<]*)<`).FindStringSubmatch(cell)
		got = append(
			got,
			fmt.Sprint(strings.Count(cell, "Concert"), " ", len(rest), " ", more[1], " ",
				strings.TrimRight(textOf(rest[len(rest)-1], `.*`), "0123456789")),
		)
	}
	want := []string{"9 3 3 more 8:00 PM Concert ", "16 11 14 more 4 more"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(
			"events, on paper alone, in the window, and on paper at the end (-want, +got):\n%s",
			diff,
		)
	}
}
