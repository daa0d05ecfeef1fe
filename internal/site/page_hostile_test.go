// Pages for clients that mean harm, and of stores that have ended.

package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// pagesOf serves the pages of a store with the limits that servers have, at an address of its own.
func pagesOf(t *testing.T, s *store.Store, cacheBytes int64) *api.Server {
	t.Helper()
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(api.Options{
		Store:      s,
		Accounts:   accounts,
		Pages:      true,
		CacheBytes: cacheBytes,
		URL:        &url.URL{Scheme: "https", Host: "calendar.example.org"},
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// page asks for a page as browsers do.
func page(h http.Handler, path string, fields ...string) *httptest.ResponseRecorder {
	return apitest.Serve(
		h,
		http.MethodGet,
		"https://calendar.example.org"+path,
		"",
		append([]string{"Accept", "text/html"}, fields...)...)
}

// Pages are read from a store that takes no writes any more, because it lost its lock or was
// closed.
func TestPagesOfUnavailableStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	write := func(title string) error {
		return s.Update(1, func(tx *store.Tx) error {
			return tx.Put(&store.Event{
				Post: store.Post{
					Slug:   title,
					Status: store.Publish,
				},
				Title:    title,
				Timezone: "UTC",
				Start:    4_000_000_000,
				End:      4_000_003_600,
			})
		})
	}
	if err := write("kept"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Skip(err)
	}
	if err := write("lost"); err == nil {
		t.Fatal("a store without its lock was written")
	}
	h := pagesOf(t, s, 0)
	read := func(what string) {
		for _, path := range []string{"/events/", "/event/kept/", "/events/month/2096-10/", "/embed/events/", "/sitemap.xml"} {
			if w := page(h, path); w.Code != http.StatusOK ||
				!strings.Contains(w.Body.String(), "kept") {
				t.Errorf("%s of a store that %s: %d %.300s", path, what, w.Code, w.Body)
			}
		}
	}
	read("is latched")
	s.Close()
	read("is closed")
}

// However many different pages are asked for, what a server remembers of them has a budget, and
// is no more than that.
func TestMemoryOfPagesAlone(t *testing.T) {
	race.AloneInTurn(t)
	c := sample.Fair(t)
	const kept, asked, slack = 2 << 20, 1000, 12 << 20
	h := pagesOf(t, c.Store, kept)
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	ask := func(from, to int) {
		for i := from; i < to; i++ {
			text := fmt.Sprint(strings.Repeat("word ", 200), i)
			path := []string{
				"/events/?tribe-bar-search=" + url.QueryEscape(text), fmt.Sprint("/events/month/?x=", url.QueryEscape(text)),
				fmt.Sprint("/", []string{"de", "ar", "ja"}[i/7%3], "/events/category/music/?tribe-bar-date=2", 100+i%800, "-01-01&a=", i),
				fmt.Sprint("/events/2", 100+i%800, "-01-", 10+i%20, "/"), fmt.Sprint("/event/one/?", url.QueryEscape(text)),
				"/event/" + strings.Repeat("n", 200) + fmt.Sprint(i) + "/", fmt.Sprint("/venue/hall/?venue=", i, "&tags=", i),
			}[i%7]
			for range 2 { // the second answer comes from the cache
				if w := page(h, path); w.Code != http.StatusOK && w.Code != http.StatusNotFound {
					t.Fatalf("%s: %d", path, w.Code)
				}
			}
		}
	}
	before := heap()
	ask(0, asked)
	full := heap()
	ask(asked, 2*asked)
	after := heap()
	t.Logf(
		"the heap has %d KB more after %d pages, and %d KB after as many again",
		(full-before)>>10,
		asked,
		(after-full)>>10,
	)
	if full-before > kept+16<<20+slack || after-full > kept {
		t.Errorf("the heap grows by %d bytes, and by %d again", full-before, after-full)
	}
	runtime.KeepAlive(h)
}

// Queries and headers that are large, many or broken get the page, or a page that says no.
func TestLargeRequestsForPages(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := guardedSite(t, c)
	const most = 8 << 10
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/events/?" + strings.Repeat("a", most), 200}, {"/events/?" + strings.Repeat("a", most+1), 414},
		{"/events/?x=" + strings.Repeat("%41", most), 414}, {"/events/?" + strings.Repeat("a&", most/2), 200},
		{"/events/?" + strings.Repeat("tags=1&", most/8), 404}, {"/events/?" + strings.Repeat("tribe-bar-search[]=x&", 300), 200},
		{"/events/?tribe-bar-search=" + strings.Repeat("a+", 500), 200}, {"/events/?tribe-bar-search=" + strings.Repeat("a+", 501), 404},
		{"/events/month/?tags=" + strings.Repeat("x", 1001), 404}, {"/events/?tribe-bar-search=%ff%00%e2%80%ae", 404},
		{"/events/?event_ids=" + strings.Repeat("1,", 600) + "1", 404}, {"/events/?tribe-bar-date=" + strings.Repeat("9", 5000), 404},
		{"/events/?categories=" + strings.Repeat("9", 5000), 404}, {"/events/list/page/" + strings.Repeat("9", 5000) + "/", 404},
		{"/events/category/" + strings.Repeat("a/", 3000), 404}, {"/event/" + strings.Repeat("a", 60_000) + "/", 404},
		{"/events/?" + strings.Repeat("%", 5000), 200}, {"/events/month/?tribe-bar-date=0000-00-00", 404},
	} {
		w := page(h, tt.path)
		if media := w.Header().Get("Content-Type"); w.Code != tt.status ||
			!strings.HasPrefix(media, "text/html") ||
			w.Body.Len() > 200_000 ||
			!strings.HasSuffix(w.Body.String(), "</html>\n") {
			t.Errorf(
				"%.60s (%d bytes): %d, want %d; %s, %d bytes",
				tt.path,
				len(tt.path),
				w.Code,
				tt.status,
				media,
				w.Body.Len(),
			)
		}
	}
	want := page(h, "/events/").Body.String()
	for _, fields := range [][]string{
		{"Accept-Language", strings.Repeat("de;q=0.1, ", 5000)}, {"Cookie", strings.Repeat("a=b; ", 20_000)},
		{"If-None-Match", strings.Repeat(`"x", W/"y", `, 5000)}, {"Accept-Encoding", strings.Repeat("br;q=1, ", 5000)},
		{"Range", "bytes=" + strings.Repeat("0-0,", 5000)}, {"Via", strings.Repeat("1.1 a, ", 5000)},
		{"X-Forwarded-For", strings.Repeat("1.2.3.4, ", 5000)}, {"Authorization", "Basic " + strings.Repeat("A", 50_000)},
		{"If-Modified-Since", strings.Repeat("x", 50_000)}, {"Prefer", strings.Repeat("return=minimal, ", 3000)},
	} {
		w := page(h, "/events/", fields...)
		if w.Code != http.StatusOK && fields[0] != "Authorization" ||
			w.Code == http.StatusOK && w.Body.String() != want {
			t.Errorf(
				"%s of %d bytes: %d, %d bytes, want %d",
				fields[0],
				len(fields[1]),
				w.Code,
				w.Body.Len(),
				len(want),
			)
		}
	}
}
