package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/i18n"
)

// Every address of its calendar that a sample in the directory that ALMANAC_SAMPLES names has
// anywhere answers after the import, in a site of each language: pages, calendars and feeds. A
// redirect leads to an answer. Addresses of the API have the ids of the old site, and are not
// asked.
func TestSampleAddresses(t *testing.T) {
	t.Parallel()
	samples := os.Getenv("ALMANAC_SAMPLES")
	files, err := filepath.Glob(filepath.Join(samples, "*.json"))
	if samples == "" || err != nil || len(files) == 0 {
		t.Skip("ALMANAC_SAMPLES names no directory with saved calendars")
	}
	for _, file := range files {
		dir, env := programs(t)
		shell(t, dir, env, "almanac-move import -partial -data data '"+file+"'")
		paths := ownPaths(t, file)
		for _, l := range i18n.Languages() {
			server := start(t, dir, env, "almanac serve -data data -also /wp-json/tribe/events/v1 -language "+l.Tag)
			for _, path := range paths {
				answer, err := http.Get(server.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					t.Errorf("%s in %s: %s: %s %.200s", filepath.Base(file), l.Tag, path, answer.Status, text)
				}
			}
			server.stop()
		}
		t.Logf("%s: %d addresses", filepath.Base(file), len(paths))
	}
}

// webAddress finds addresses in texts.
var webAddress = regexp.MustCompile(`https?://[^\s"'<>]+`)

// ownPaths returns the paths of the calendar that a saved list of a site has, with those of
// calendars and feeds that the site has beside its pages.
func ownPaths(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	site, err := url.Parse(list["rest_url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	isCalendar := calendarPaths(t)
	found := map[string]bool{"/events/": true, "/events/?ical=1": true, "/events/feed/": true}
	var see func(value any)
	see = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, member := range value {
				see(member)
			}
		case []any:
			for _, item := range value {
				see(item)
			}
		case string:
			for _, address := range webAddress.FindAllString(value, -1) {
				at, err := url.Parse(address)
				if err != nil || at.Host != site.Host || !isCalendar.MatchString(at.Path) ||
					strings.HasPrefix(at.Path, "/wp-json/") { // records have other ids here
					continue
				}
				found[at.RequestURI()] = true
				if at.RawQuery == "" {
					found[at.EscapedPath()+"?ical=1"] = true
				}
				if strings.HasPrefix(at.Path, "/events/category/") || strings.HasPrefix(at.Path, "/events/tag/") {
					found[at.EscapedPath()+"feed/"] = true
				}
			}
		}
	}
	see(list["events"])
	return slices.Sorted(maps.Keys(found))
}
