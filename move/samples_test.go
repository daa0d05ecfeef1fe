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
	"almanac/internal/wire/render"
)

// Every address of its calendar that a sample in the directory that ALMANAC_SAMPLES names has
// anywhere answers after the import, in a site of each language: pages, calendars and feeds. So do
// those that the pages of the old site link to, in the words of the language: lists, months, days,
// today, categories, tags, venues and organizers. A redirect leads to an answer. Addresses of the
// API have the ids of the old site, and are not asked.
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
		own := ownPaths(t, file)
		asked := 0
		for _, l := range i18n.Languages() {
			server := start(t, dir, env, "almanac serve -data data -timezone America/Los_Angeles "+ // of all samples
				"-also /wp-json/tribe/events/v1 -language "+l.Tag)
			paths := linkedPaths(t, file, render.WordsIn(l.Tag))
			for _, path := range own {
				paths[path] = ""
			}
			asked += len(paths)
			for _, path := range slices.Sorted(maps.Keys(paths)) {
				answer, err := http.Get(server.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				unfolded := strings.ReplaceAll(string(text), "\r\n ", "")
				if answer.StatusCode != http.StatusOK || !strings.Contains(unfolded, paths[path]) {
					t.Errorf("%s in %s: %s: %s, want %q in %.200s", filepath.Base(file), l.Tag, path, answer.Status,
						paths[path], text)
				}
			}
			server.stop()
		}
		t.Logf("%s: %d addresses", filepath.Base(file), asked)
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

// linkedPaths returns the paths of the lists and of the pages of terms and places that the old site
// links to, in words of a language and in ours, each with a text that its answer has.
func linkedPaths(t *testing.T, file string, words render.Words) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type named struct{ Slug string }
	var list struct {
		Events []struct {
			Slug       string
			Start      string `json:"start_date"`
			Categories []named
			Tags       []named
			Venue      json.RawMessage // a list if there is none
			Organizer  []named
		}
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list.Events) == 0 {
		t.Fatalf("%s: %v", file, err)
	}
	forms := map[string]string{
		"/events/{list}/":                       "",
		"/events/{list}/?ical=1":                "BEGIN:VCALENDAR",
		"/events/{list}/?eventDisplay=past":     "/event/",
		"/events/{list}/{featured}/":            "",
		"/events/{month}/":                      "",
		"/events/{today}/":                      "",
		"/events/{page}/1/":                     "",
		"/events/{list}/{page}/1/?ical=1":       "BEGIN:VCALENDAR",
		"/events/{list}/?tribe-bar-date=DAY":    "",
		"/events/{month}/?tribe-bar-date=MONTH": "",
	}
	if len(list.Events) > 10 { // all are past
		forms["/events/{list}/{page}/2/?eventDisplay=past"] = "/event/"
	}
	for _, e := range list.Events {
		month := e.Start[:len("2031-05")]
		day := e.Start[:len("2031-05-13")]
		page := "/event/" + e.Slug
		forms["/events/{month}/"+month+"/"] = "/event/"
		forms["/events/{month}/"+month+"/?ical=1"] = page
		forms["/events/"+month+"/"] = "/event/"
		forms["/events/"+day+"/"] = page
		forms["/events/"+day+"/?ical=1"] = page
		for kind, terms := range map[string][]named{"category": e.Categories, "tag": e.Tags} {
			for _, term := range terms {
				at := "/events/{" + kind + "}/" + term.Slug + "/"
				for _, below := range []string{"", "feed/", "{list}/", "{month}/", "{today}/", "{page}/1/"} {
					forms[at+below] = ""
				}
				forms[at+"?ical=1"] = "BEGIN:VCALENDAR"
				forms[at+month+"/"] = page
				forms[at+day+"/"] = page
				forms[at+"{day}/"+day+"/"] = page
			}
		}
		places := map[string][]named{"organizer": e.Organizer}
		var venue named
		if json.Unmarshal(e.Venue, &venue) == nil {
			places["venue"] = []named{venue}
		}
		for kind, all := range places {
			for _, place := range all {
				at := "/{" + kind + "}/" + place.Slug + "/"
				forms[at] = ""
				forms[at+"?ical=1"] = "BEGIN:VCALENDAR" // dates of a year ago are in none
			}
		}
	}
	first := list.Events[0].Start
	paths := map[string]string{}
	for form, has := range forms {
		form = strings.NewReplacer("DAY", first[:10], "MONTH", first[:7]).Replace(form)
		inWords := func(word string) string {
			own := strings.Trim(word, "{}")
			if others := words[own]; len(others) > 0 {
				return url.PathEscape(others[0])
			}
			return own
		}
		paths[placeholder.ReplaceAllStringFunc(form, inWords)] = has
	}
	return paths
}

// placeholder is the place of a word in an address.
var placeholder = regexp.MustCompile(`{[a-z]+}`)
