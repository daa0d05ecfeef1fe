package site_test

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Files of a sitemap have, together, every address once that everybody finds, and no other,
// however many there may be in each; all of them are pages. A file that nobody changed is not
// sent again.
func TestSitemaps(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	ask := func(path, tag string) (int, string, string) {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"If-None-Match",
			tag,
		)
		return rec.Code, rec.Body.String(), rec.Header().Get("ETag")
	}
	want := []string{
		"/event/child/",
		"/event/locked/",
		"/event/one/",
		"/event/past/",
		"/event/three/",
		"/event/two/",
		"/events/category/2024/",
		"/events/category/cafe/",
		"/events/category/music/",
		"/events/category/music/jazz/",
		"/events/category/music/jazz/bebop/",
		"/events/tag/free-entry/",
		"/events/tag/kids/",
		"/organizer/ann/",
		"/organizer/bob/",
		"/venue/barn/",
		"/venue/hall/",
		"/venue/lone/",
		"/venue/ruin/",
	}
	for _, most := range []int{1, 4, 5, 18, len(want), 50_000} {
		h = sample.Visited(t, c) // which remembers no file of another size
		h.(*api.Server).Pages.SitemapMost = most
		_, index, tag := ask("/de/sitemap.xml", "")
		files := []string{"/sitemap.xml"}
		if most < len(want) {
			files = nil
			for i := range (len(want) + most - 1) / most {
				files = append(files, fmt.Sprint("/sitemap.xml?part=", i+1))
			}
			var named []string
			for _, found := range sample.Located.FindAllStringSubmatch(index, -1) {
				named = append(named, strings.TrimPrefix(found[1], "/de"))
			}
			if diff := cmp.Diff(files, named); diff != "" ||
				!strings.Contains(index, "<sitemapindex ") {
				t.Errorf("%d in a file: files (-want +got):\n%s", most, diff)
			}
		}
		if status, _, _ := ask("/de/sitemap.xml", tag); status != http.StatusNotModified {
			t.Errorf("%d in a file: %d for what did not change", most, status)
		}
		var got []string
		for _, file := range files {
			status, body, _ := ask("/de"+file, "")
			found := sample.Located.FindAllStringSubmatch(body, -1)
			if status != http.StatusOK || len(found) == 0 || len(found) > most ||
				!strings.Contains(body, "<urlset ") {
				t.Errorf(
					"%s: %d with %d addresses, at most %d may be in it",
					file,
					status,
					len(found),
					most,
				)
			}
			for _, address := range found {
				path := html.UnescapeString(strings.TrimPrefix(address[1], "/de"))
				got = append(got, path)
				if (address[2] == "") != (strings.Contains(path, "/tag/") || strings.Contains(path, "/category/")) {
					t.Errorf("%s was last changed %q", path, address[2])
				}
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d in a file (-want +got):\n%s", most, diff)
		}
		for _, part := range []string{"0", "-1", "x", "9223372036854775807", "99999999999999999999", fmt.Sprint(len(files) + 1)} {
			if status, body, _ := ask("/sitemap.xml?part="+part, ""); status != http.StatusNotFound {
				t.Errorf("part %s: %d %.100s", part, status, body)
			}
		}
	}
	for _, path := range want {
		if status, _, _ := ask("/de"+path, ""); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
	_, _, tag := ask("/sitemap.xml", "")
	c.Change(t, store.Venues, "Lone", func(r store.Record) { r.(*store.Venue).Slug = "alone" })
	if status, body, _ := ask("/sitemap.xml", tag); status != http.StatusOK ||
		!strings.Contains(body, "/venue/alone/") {
		t.Errorf("after a change: %d %.300s", status, body)
	}
}
