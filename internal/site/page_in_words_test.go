package site_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/render"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// addressesInWords are addresses in which words of ours stand in braces.
var addressesInWords = []string{
	"/events/{month}/", "/events/{month}/2031-05/", "/events/{list}/", "/events/{today}/",
	"/events/{page}/2/", "/events/{list}/{page}/2/", "/events/{list}/page/2/",
	"/events/{list}/?eventDisplay=past&a=%2F%2Fevil.example", "/events/{list}/{featured}/",
	"/events/{month}/2027-01/{featured}/", "/events/2027-01/{featured}/", "/events/{featured}/",
	"/events/{category}/music/", "/events/{category}/music/jazz-blues/{month}/",
	"/events/category/music/jazz-blues/{list}/{featured}/", "/events/{category}/music/{page}/1/",
	"/events/{category}/music/{day}/2031-05-10/", "/events/category/music/{day}/2031-05-10/",
	"/events/{category}/music/{today}/", "/events/{tag}/outdoor/", "/events/{tag}/outdoor/{list}/",
	"/{venue}/hall/", "/{organizer}/ann/", "/events/{week}/2031-05-12/", "/events/{photo}/",
	"/events/{map}/", "/events/{summary}/", "/event/choir/{all}/", "/event/may/{page}/1/",
	"/embed/events/{month}/2031-05/", "/embed/{venue}/hall/?compact",
	"/events/{list}/?ical=1", "/events/{month}/2026-12/?ical=1", "/events/{category}/music/?ical=1",
	"/events/{category}/music/{list}/ical/", "/events/category/music/{today}/ical/",
	"/events/{category}/music/feed/", "/events/{tag}/outdoor/feed/atom/", "/{venue}/hall/?ical=1",
	"/{organizer}/ann/feed/", "/event/choir/{all}/?ical=1", "/events/{featured}/ical/",
}

// wordy serves a calendar with two events on a page, in a language.
func wordy(t *testing.T, tag string, sites render.Words) (*sample.Calendar, http.Handler) {
	t.Helper()
	c := subscribed(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	language, _ := i18n.Find(tag)
	return c, sample.Site(t, c, api.Options{PerPage: 2, Language: language, Words: sites})
}

// Each address in the words of another language leads to the same address in ours, and calendars
// and feeds answer there as they do at ours: where the language is that of the site, and below the
// address of the language.
func TestAddressesInOtherLanguages(t *testing.T) {
	t.Parallel()
	_, english := wordy(t, "en", nil)
	rows, err := os.ReadFile("testdata/words.txt") // the words of The Events Calendar
	if err != nil {
		t.Fatal(err)
	}
	languages := 0
	for row := range strings.Lines(string(rows)) {
		fields := strings.Fields(row)
		tag := fields[0]
		var pairs []string
		for _, pair := range fields[1:] {
			ours, word, _ := strings.Cut(pair, "=")
			pairs = append(pairs, "{"+ours+"}", word)
		}
		languages++
		c, own := wordy(t, tag, nil)
		for _, h := range []struct {
			http.Handler
			base string
		}{{own, ""}, {own, "/" + tag}, {sample.Site(t, c, api.Options{PerPage: 2}), "/" + tag}} {
			for _, address := range addressesInWords {
				theirs := strings.NewReplacer(pairs...).Replace(address)
				ours := strings.NewReplacer("{", "", "}", "").Replace(address)
				if !strings.Contains(theirs, "{") && theirs != ours {
					sameThere(t, h, h.base+theirs, h.base+ours)
				}
			}
		}
		if word := strings.NewReplacer(pairs...).Replace("/events/{month}/"); askFor(english, word).Code != http.StatusNotFound {
			t.Errorf("%s is a page in English", word)
		}
	}
	if want := len(i18n.Languages()) - 1; languages != want {
		t.Errorf("%d languages, want %d", languages, want)
	}
}

// sameThere compares what an address, in each of its spellings, has with what ours has.
func sameThere(t *testing.T, h http.Handler, theirs, ours string) {
	t.Helper()
	path, query, _ := strings.Cut(theirs, "?")
	capital := (&url.URL{Path: path}).EscapedPath()
	small := strings.ToLower(capital)
	if strings.HasPrefix(theirs, "/pt-") || strings.HasPrefix(theirs, "/zh-") {
		small = capital // upper case stays in links of feeds
	}
	want := askFor(h, ours)
	if want.Code != http.StatusOK {
		t.Errorf("%s: %d", ours, want.Code)
	}
	for _, spelling := range []string{path, capital, small, strings.TrimSuffix(path, "/")} {
		if query != "" {
			spelling += "?" + query
		}
		got := askFor(h, spelling)
		if strings.Contains(want.Header().Get("Content-Type"), "html") {
			if to := got.Header().Get("Location"); got.Code != http.StatusMovedPermanently ||
				to != "http://example.com"+ours {
				t.Errorf("%s: %d to %q, want %s", spelling, got.Code, to, ours)
			}
		} else if diff := cmp.Diff(want.Body.String(), got.Body.String()); diff != "" || got.Code != http.StatusOK {
			t.Errorf("%s: %d (-want +got):\n%s", spelling, got.Code, diff)
		}
	}
}

// A slug that is a word stays the slug of its record, a word of no meaning where it stands is
// nothing, and nothing leads to another host.
func TestWordsBesideSlugs(t *testing.T) {
	t.Parallel()
	c, _ := wordy(t, "de", nil)
	month := c.Add(&store.Term{Name: "Monat"})
	c.Add(&store.Term{Name: "Below Month", Slug: "liste", Parent: month})
	var music int64
	_ = c.Store.View(func(v *store.View) error {
		music = v.BySlug(store.Categories, "music").Key()
		return nil
	})
	c.Add(&store.Term{Name: "Day of Music", Slug: "tag", Parent: music})
	c.Add(&store.Term{Name: "Kind", Slug: "kategorie", Taxonomy: store.Tags})
	c.Add(&store.Venue{Name: "Veranstalter"})
	german, _ := i18n.Find("de")
	h := sample.Site(t, c, api.Options{Language: german, EventBase: "termin", EventsBase: "termine"})
	long := strings.Repeat("/monat", 100_000/len("/monat"))
	for _, tt := range [][2]string{
		{"/termine/category/monat/", "Monat"}, {"/termine/kategorie/monat/", "/termine/category/monat/"},
		{"/termine/category/monat/liste/", "Below Month"},
		{"/termine/kategorie/monat/liste/", "/termine/category/monat/liste/"},
		{"/termine/category/monat/liste/2031-05/", "Mai 2031"},
		{"/termine/category/monat/monat/", "/termine/category/monat/month/"},
		{"/termine/kategorie/jazz-blues/monat/", "/termine/category/music/jazz-blues/month/"},
		{"/termine/category/none/jazz-blues/monat/", "/termine/category/music/jazz-blues/month/"},
		{"/termine/category/music/tag/", "Day of Music"},
		{"/termine/category/music/tag/2031-05-10/", "Samstag, 10.\u00a0Mai 2031"},
		{"/termine/category/monat/tag/2031-05-10/", "/termine/category/monat/day/2031-05-10/"},
		{"/termine/tag/outdoor/", "Outdoor"}, {"/termine/tag/kategorie/", "Kind"},
		{"/termine/schlagwort/kategorie/", "/termine/tag/kategorie/"}, {"/termine/tag/monat/", "404"},
		{"/venue/veranstalter/", "Veranstalter"}, {"/veranstaltungsort/veranstalter/", "/venue/veranstalter/"},
		{"/veranstalter/veranstalter/", "404"}, {"/veranstaltungsort/", "404"}, {"/veranstaltungsort/hall/nichts/", "404"},
		{"/termine/kategorie/", "404"}, {"/termine/kategorie/nichts/", "404"}, {"/termine/monat/liste/", "404"},
		{"/termine/tag/2031-05-10/", "404"}, {"/termine/seite/", "404"}, {"/termine/seite/x/", "404"},
		{"/termine/seite/99/", "/termine/page/99/"}, {"/monat/", "404"}, {"/kategorie/music/", "404"},
		{"/termine/mois/", "404"}, {"/fr/termine/mois/", "/fr/termine/month/"}, {"/fr/termine/monat/", "404"},
		{"/en/termine/monat/", "404"}, {"/en/termine/monat/?ical=1", "404"}, {"/events/monat/?a=b", "/termine/monat/?a=b"},
		{"/TERMINE/Monat/2031-05", "/termine/month/2031-05/"}, {"//termine//monat//", "/termine/month/"},
		{"/termine/monat/?x=//evil.example", "/termine/month/?x=//evil.example"},
		{"/veranstaltungsort/%2f%2fevil.example/", "404"}, {"/termine/kategorie/%2f%2fevil.example/", "404"},
		{"/termine/kategorie/..%2f..%2fmusic/", "/termine/category/music/"},
		{"/termine/kategorie//evil.example/music/", "/termine/category/music/"},
		{"/termine/mon%61t/", "/termine/month/"}, {"/termine/%25/", "404"}, {"/termine/monat%2500/", "404"},
		{"/termine/mona%F4/", "404"},
		{"/termine/kategorie" + long, "/termine/category/monat/month/"},
		{"/termine/category" + long, "/termine/category/monat/month/"},
		{"/termine" + long, "404"}, {"/veranstaltungsort/old/?ical=1", "404"},
	} {
		if got := known(t, h, tt[0]); got != tt[1] {
			t.Errorf("%.100s: %q, want %q", tt[0], got, tt[1])
		}
	}
}

// The words of a language hold at its own host alone, whatever was asked at the others before, and
// whatever language the reader prefers.
func TestWordsOfHosts(t *testing.T) {
	t.Parallel()
	c, _ := wordy(t, "en", nil)
	english := i18n.English()
	german, _ := i18n.Find("de")
	h := sample.Site(t, c, api.Options{
		Language:  english,
		Negotiate: true,
		URL:       &url.URL{Scheme: "http", Host: "example.com"},
		Hosts:     map[string]*url.URL{"de": {Scheme: "http", Host: "termine.example"}},
		Languages: []i18n.Language{english, german},
	})
	for range 2 {
		for _, tt := range [][2]string{
			{"http://example.com/events/monat/", "404 "},
			{"http://termine.example/events/monat/", "301 http://termine.example/events/month/"},
			{"http://example.com/events/monat/?ical=1", "404 "},
			{"http://termine.example/events/monat/?ical=1", "200 "},
			{"http://example.com/veranstaltungsort/hall/", "404 "},
			{"http://termine.example/veranstaltungsort/hall/", "301 http://termine.example/venue/hall/"},
		} {
			rec := apitest.Serve(h, http.MethodGet, tt[0], "", "Accept", "text/html", "Accept-Language", "de")
			got := fmt.Sprint(rec.Code, " ", rec.Header().Get("Location"))
			if got != tt[1] {
				t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
			}
		}
	}
}

// A site has words of its own beside those of its language, in that language alone, and they count
// before those.
func TestWordsOfSites(t *testing.T) {
	t.Parallel()
	_, h := wordy(t, "de", render.Words{
		"venue":    {"spielort", "зал"},
		"category": {"sparte"},
		"month":    {"übersicht", "liste"},
		"day":      {"am"},
		"today":    {"am"},
	})
	for _, tt := range [][2]string{
		{"/spielort/hall/", "/venue/hall/"}, {"/de/spielort/hall/", "/de/venue/hall/"}, {"/fr/spielort/hall/", "404"},
		{"/зал/hall/", "/venue/hall/"}, {"/%D0%B7%D0%B0%D0%BB/hall/", "/venue/hall/"}, {"/venue/hall/", "Hall"},
		{"/events/sparte/music/%C3%9Cbersicht/2031-05/", "/events/category/music/month/2031-05/"},
		{"/events/sparte/music/am/2031-05-10/", "/events/category/music/day/2031-05-10/"},
		{"/events/sparte/music/am/", "/events/category/music/today/"}, {"/events/liste/", "/events/month/"},
		{"/veranstaltungsort/hall/", "/venue/hall/"}, {"/events/kategorie/music/", "/events/category/music/"},
	} {
		if got := known(t, h, tt[0]); got != tt[1] {
			t.Errorf("%s: %q, want %q", tt[0], got, tt[1])
		}
	}
}
