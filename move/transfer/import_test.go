package transfer_test

import (
	"almanac/internal/tools/cmdtest"
	"almanac/store"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file imports calendars and compares what the server then shows with what
// the files say, member by member.

// readListing reads the records of a file.
func readListing(t testing.TB, file, list string) []any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var body object
	if err := json.Unmarshal(data, &body); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return body[list].([]any)
}

// shownEvents asks a server for all events there are.
func shownEvents(t testing.TB, s *cmdtest.Server) []any {
	t.Helper()
	return shown(t, s, "/cal/events/v1/events?starts_after=1990-01-01&per_page=50", "events")
}

// compareFile compares the events of a file with those that a server in the
// zone UTC shows, and returns how many there are in the file.
func compareFile(t testing.TB, file string, events []any) int {
	t.Helper()
	byOrigin := map[string]object{}
	for _, e := range events {
		lineage := e.(object)["global_id_lineage"].([]any)
		if len(lineage) > 1 {
			byOrigin[lineage[1].(string)] = e.(object)
		}
	}
	want := readListing(t, file, "events")
	slugs := map[string]bool{}
	for _, w := range want {
		w := w.(object)
		global := w["global_id"].(string)
		got, ok := byOrigin[global]
		if !ok {
			t.Errorf("%s: %s is not shown", file, global)
			continue
		}
		if slug := got["slug"].(string); slugs[slug] {
			t.Errorf("%s: two events have the slug %s", file, slug)
		} else {
			slugs[slug] = true
		}
		correctTimes(t, w)
		for _, key := range []string{"is_virtual", "virtual_url", "virtual_video_source"} {
			delete(w, key) // shown where people can take part online
		}
		for _, key := range []string{"ticketed", "post_parent", "event_status", "recurrence"} {
			delete(got, key) // ours
		}
		if diff := cmp.Diff(portable(w, w), portable(got, w)); diff != "" {
			t.Errorf("%s: %s (-file, +shown):\n%s", file, global, diff)
		}
	}
	return len(want)
}

// correctTimes corrects what a file derives from wall clock and zone, where it
// is wrong, and returns it local dates as a site in UTC shows them.
func correctTimes(t testing.TB, event object) {
	t.Helper()
	zone := time.FixedZone("", 0)
	name := event["timezone"].(string)
	if hours, ok := strings.CutPrefix(name, "UTC"); ok {
		h, err := strconv.Atoi(hours)
		if err != nil {
			t.Fatal(err)
		}
		zone = time.FixedZone(name, h*60*60)
	} else {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range []string{"start_date", "end_date"} {
		at, err := time.ParseInLocation(time.DateTime, event[end].(string), zone)
		if err != nil {
			t.Fatal(err)
		}
		event["utc_"+end] = at.UTC().Format(time.DateTime)
		event["utc_"+end+"_details"] = object{
			"year":    at.UTC().Format("2006"),
			"month":   at.UTC().Format("01"),
			"day":     at.UTC().Format("02"),
			"hour":    at.UTC().Format("15"),
			"minutes": at.UTC().Format("04"),
			"seconds": at.UTC().Format("05"),
		}
		if end == "start_date" {
			event["timezone_abbr"], _ = at.Zone()
		}
	}
}

// portable makes a copy of a record without what is different on each site: ids
// and addresses, how many events a term has, the author, local dates, the scheme of a website that
// lacks it. file is
// the record in the file, which says what is its own page and its own slug.
func portable(record, file object) object {
	p := maps.Clone(record)
	if p["website"] == p["url"] {
		p["website"] = "its own page"
	}
	if website, ok := p["website"].(string); ok && strings.HasSuffix(website, ".example") &&
		!strings.Contains(website, ":") {
		p["website"] = "http://" + website // which pages of the old site add
	}
	if slug, ok := p["slug"].(string); ok && slug != file["slug"] {
		if number, ok := strings.CutPrefix(slug, file["slug"].(string)+"-"); ok &&
			strings.Trim(number, "0123456789-") == "" {
			p["slug"] = file["slug"] // shared by the days of a series there
		}
	}
	if lineage, ok := p["global_id_lineage"].([]any); ok {
		p["global_id_lineage"] = lineage[len(lineage)-1:]
	}
	for _, key := range []string{"id", "author", "url", "rest_url", "global_id", "date", "modified", "count", "urls", "term_taxonomy_id"} {
		delete(p, key)
	}
	if parent, ok := p["parent"].(float64); ok {
		p["parent"] = parent != 0
	}
	for key, value := range p {
		switch value := value.(type) {
		case object:
			inner, ok := file[key].(object)
			if !ok {
				inner = object{}
			}
			p[key] = portable(value, inner)
		case []any:
			p[key] = slices.Clone(value)
			for i, item := range value {
				if item, ok := item.(object); ok {
					p[key].([]any)[i] = portable(item, item)
				}
			}
			slices.SortStableFunc(p[key].([]any), byName)
		}
	}
	return p
}

// byName orders terms.
func byName(a, b any) int {
	x, _ := a.(object)
	y, _ := b.(object)
	nameX, _ := x["name"].(string)
	nameY, _ := y["name"].(string)
	return strings.Compare(nameX, nameY)
}

// Imported records have the members of the files.
func TestImport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := []string{
		sample("lindmoor.json"),
		sample("millstreet.json"),
		sample("lindmoor-categories.json"),
	}
	exit, stdout, stderr := runImport(t, append([]string{"-data", dir}, files...)...)
	if exit != 0 {
		t.Fatalf("exit status %d\n%s", exit, stderr)
	}
	const table = `
              created  updated  left alone  refused
      events        8        0           0        0
      venues        3        0           0        0
  organizers        3        0           0        0
  categories        6        0           0        0
        tags        1        0           0        0
      images        2        0           0        0
pictures left where they are: 2; give -pictures DIRECTORY to take files along, or -fetch-pictures
`
	if diff := cmp.Diff(table[1:], stdout); diff != "" {
		t.Errorf("table (-want, +got):\n%s", diff)
	}
	if strings.Contains(stderr, "virtual") {
		t.Errorf("members that say nothing were reported:\n%s", stderr)
	}

	again := mustImport(t, append([]string{"-data", dir}, files...)...)
	if diff := cmp.Diff([]int{0, 0, 8 + 3 + 3 + 6 + 1 + 2, 0}, sums(t, again)); diff != "" {
		t.Errorf("sums of the second import (-want, +got):\n%s", diff)
	}

	s := startServer(t, "-data", dir)
	events := shownEvents(t, s)
	if len(events) != 8 {
		t.Errorf("%d events are shown, want 8", len(events))
	}
	for _, file := range files[:2] {
		compareFile(t, file, events)
	}
	askOldAddresses(t, s, files[0])
	parents := map[string]any{}
	categories := shown(
		t,
		s,
		"/cal/events/v1/categories?hide_empty=false&per_page=50",
		"categories",
	)
	for _, c := range categories {
		c := c.(object)
		if up := c["parent"].(float64); up != 0 {
			at := slices.IndexFunc(
				categories,
				func(other any) bool { return other.(object)["id"] == up },
			)
			parents[c["slug"].(string)] = categories[at].(object)["slug"]
		}
	}
	if diff := cmp.Diff(map[string]any{
		"shanties":   "music-song",
		"work-songs": "music-song",
		"music-song": "all-sound",
	}, parents); diff != "" {
		t.Errorf("parents of categories (-want, +got):\n%s", diff)
	}
}

// askOldAddresses asks a server at the addresses that the events of a file had: each has to be a
// page of the event, or its calendar.
func askOldAddresses(t testing.TB, s *cmdtest.Server, file string) {
	t.Helper()
	client := *s.Client
	client.CheckRedirect = nil // it goes where it is led
	for _, e := range readListing(t, file, "events") {
		page, err := url.Parse(e.(object)["url"].(string))
		if err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{page.Path, page.Path + "?ical=1", "/de" + page.Path, fmt.Sprintf("/?p=%.0f", e.(object)["id"])} {
			request, err := http.NewRequest(http.MethodGet, s.URL+address, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept", "text/html")
			answer, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			name := html.UnescapeString(e.(object)["title"].(string))
			if strings.HasSuffix(address, "ical=1") { // as it was typed
				name = strings.NewReplacer("–", "-", "’", "'").Replace(name)
			}
			if answer.StatusCode != http.StatusOK ||
				!strings.Contains(html.UnescapeString(string(body)), name) {
				t.Errorf("%s: %s, without %q", address, answer.Status, name)
			}
		}
	}
}

// A newer file updates what it has, an older one nothing.
func TestImportNewer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustImport(t, "-data", dir, sample("lindmoor.json"))
	table := mustImport(t, "-data", dir, sample("lindmoor-newer.json"))
	// Two events and the venue of one are created; an older event, a protected venue and their
	// other members stay.
	if got := sums(t, table); got[0] != 0 || got[1] != 3 || got[3] != 0 {
		t.Errorf("import of a newer file:\n%s", table)
	}
	if got := sums(t, mustImport(t, "-data", dir, sample("lindmoor-newer.json"))); got[0] != 0 ||
		got[1] != 0 {
		t.Errorf("importing the newer file again changed something: %v", got)
	}
	if got := sums(t, mustImport(t, "-data", dir, sample("lindmoor.json"))); got[0] != 0 ||
		got[1] != 0 {
		t.Errorf("importing the older file again changed something: %v", got)
	}

	type summary struct {
		Title, Start, Venue string
		Tags                int
		Sticky              bool
	}
	got := map[string]summary{}
	for _, e := range shownEvents(t, startServer(t, "-data", dir)) {
		e := e.(object)
		venue, _ := e["venue"].(object)
		name, _ := venue["venue"].(string)
		got[e["slug"].(string)] = summary{
			e["title"].(string),
			e["start_date"].(string),
			name,
			len(e["tags"].([]any)),
			e["sticky"].(bool),
		}
	}
	want := map[string]summary{
		"shanty-night": {
			"Shanty Night: moved",
			"2031-03-09 19:00:00",
			"Old Quay",
			0,
			false,
		},
		"free-st-elmos-day-treat": {
			"Free St Elmo&#8217;s Day Treat",
			"2031-06-02 00:00:00",
			"Lighthouse Park",
			0,
			true,
		},
		"midnight-swim": {"Midnight Swim", "2031-12-31 23:00:00", "", 0, false},
		"pier-yoga-2031-07-01": {
			"Pier Yoga",
			"2031-07-01 08:00:00",
			"Lighthouse Park",
			0,
			true,
		},
		"pier-yoga-2031-07-08": {
			"Pier Yoga",
			"2031-07-08 08:00:00",
			"Lighthouse Park",
			0,
			false,
		},
		"pier-yoga-2031-07-15": {
			"Pier Yoga",
			"2031-07-15 08:00:00",
			"Lighthouse Park",
			0,
			false,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events after a newer file (-want, +got):\n%s", diff)
	}
}

// Refused records are reported and the import continues; with -strict it stops, and their batch is
// not stored.
func TestImportRefusals(t *testing.T) {
	t.Parallel()
	server := startServer(t, "-memory")
	targets := map[string][]string{
		"directory": {"-data", t.TempDir()},
		"server":    {"-to", server.URL, "-token", server.Token},
	}
	for name, target := range targets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exit, stdout, stderr := runImport(
				t,
				append(target, "-strict", sample("refused.json"))...)
			if exit != 1 ||
				!strings.Contains(stderr, "record 2 (events lindmoor.example?id=402)") ||
				strings.Contains(stderr, "id=403") {
				t.Errorf("strict: exit status %d\n%s", exit, stderr)
			}
			if diff := cmp.Diff([]int{0, 0, 0, 1}, sums(t, stdout)); diff != "" {
				t.Errorf("strict: sums (-want, +got):\n%s", diff)
			}

			exit, _, stderr = runImport(t, append(target, "-partial", sample("refused.json"))...)
			if exit != 0 || strings.Contains(stderr, "were refused") {
				t.Errorf("partial: exit status %d\n%s", exit, stderr)
			}
			exit, stdout, stderr = runImport(t, append(target, sample("refused.json"))...)
			if exit != 1 ||
				!strings.Contains(
					stderr,
					"almanac: records or pictures were refused, and the others stored: ",
				) {
				t.Errorf("exit status %d\n%s", exit, stderr)
			}
			if diff := cmp.Diff([]int{0, 0, 3, 7}, sums(t, stdout)); diff != "" {
				t.Errorf("sums (-want, +got):\n%s", diff)
			}
			for _, part := range []string{
				`refused.json: record 2 (events lindmoor.example?id=402): has the status "tribe-ignored"`,
				`record 3 (events lindmoor.example?id=403): time zone "Mars/Olympus"`,
				`record 4 (events lindmoor.example?id=404): ends at 2031-05-01 09:00:00`,
				`record 5 (events lindmoor.example?id=405): start_date must be a date`,
				`record 6 (events lindmoor.example?id=406): has neither title`,
				`record 7 (events): is not an object`,
				`record 8 (in it, venues lindmoor.example?id=399): is protected`,
				`events have a key "attendance"`,
			} {
				if strings.Count(stderr, part) != 1 {
					t.Errorf("%q is not reported once:\n%s", part, stderr)
				}
			}
		})
	}
}

// A running server takes the same, in as many requests as needed.
func TestImportTo(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory")
	dir := t.TempDir()
	files := []string{
		sample("lindmoor-categories.json"),
		sample("lindmoor.json"),
		sample("millstreet.json"),
	}
	offline := mustImport(t, append([]string{"-data", dir}, files...)...)
	online := mustImport(t, append([]string{"-to", s.URL, "-token", s.Token}, files...)...)
	if diff := cmp.Diff(offline, online); diff != "" {
		t.Errorf("tables (-directory, +server):\n%s", diff)
	}
	events := shownEvents(t, s)
	for _, file := range files[1:] {
		compareFile(t, file, events)
	}
	if got := sums(t, mustImport(t, append([]string{"-to", s.URL + "/cal/events/v1/", "-token", s.Token}, files...)...)); got[0]+
		got[1]+got[3] != 0 {
		t.Errorf("the second import changed something: %v", got)
	}
}

// A record larger than a request is refused alone; its neighbours are sent in requests of their
// own.
func TestImportLarge(t *testing.T) {
	t.Parallel()
	var events []object
	add := func(id int, description string) {
		events = append(events, object{
			"id":          id,
			"global_id":   fmt.Sprintf("large.example?id=%d", id),
			"title":       "Large",
			"description": description,
			"start_date":  "2031-01-01 10:00:00",
			"end_date":    "2031-01-01 11:00:00",
			"timezone":    "UTC",
			"slug":        "large",
			"website":     "",
		})
	}
	for id := range 1500 {
		add(id+1, strings.Repeat("a", 1000))
	}
	add(9001, strings.Repeat("b", 1<<20))
	add(9002, strings.Repeat("c", 3<<18))
	data, err := json.Marshal(object{"events": events})
	if err != nil {
		t.Fatal(err)
	}
	file := tempFile(t, "large.json", string(data))
	s := startServer(t, "-memory")
	exit, stdout, stderr := runImport(t, "-to", s.URL, "-token", s.Token, file)
	if exit != 1 ||
		!strings.Contains(stderr, "large.example?id=9001") &&
			!strings.Contains(stderr, "record 1501") {
		t.Errorf("exit status %d\n%s", exit, stderr)
	}
	if diff := cmp.Diff([]int{1501, 0, 0, 1}, sums(t, stdout)); diff != "" {
		t.Errorf("sums (-want, +got):\n%s", diff)
	}
}

// The first of very many refused records are reported, and the rest is counted.
func TestImportManyRefusals(t *testing.T) {
	t.Parallel()
	server := startServer(t, "-memory")
	file := tempFile(t, "many.ics", "BEGIN:VCALENDAR\n"+strings.Repeat("BEGIN:VEVENT\n", 3000))
	for _, target := range [][]string{{"-data", t.TempDir()}, {"-to", server.URL, "-token", server.Token}} {
		exit, stdout, stderr := runImport(t, append(target, file)...)
		named, rest, found := strings.Cut(stderr, file+":1001: record 1000 (events): ")
		if exit != 1 || !found || strings.Count(named, "\n") != 999 ||
			!strings.Contains(rest, "\n2000 more records were refused\n") {
			t.Errorf(
				"exit status %d, %d lines, the last:\n%s",
				exit,
				strings.Count(stderr, "\n"),
				rest,
			)
		}
		if diff := cmp.Diff([]int{0, 0, 0, 3000}, sums(t, stdout)); diff != "" {
			t.Errorf("sums (-want, +got):\n%s", diff)
		}
	}
}

// A mistake in the call stores nothing and says what would be right.
func TestImportMistakes(t *testing.T) {
	t.Parallel()
	used := t.TempDir()
	held, err := store.Open(store.Options{Dir: used})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	s := startServer(t, "-memory")
	broken := tempFile(
		t,
		"broken.json",
		"{\"events\": [\n  {\"title\": \"A\",\n   \"start_date\" \"2031\"}]}",
	)
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	good := sample("millstreet.json")
	tests := []struct {
		name   string
		args   []string
		exit   int
		stderr string
	}{
		{"no file", nil, 2, "name the files"},
		{"a missing file after a good one", []string{good, "no-such.json"}, 2, "no-such.json"},
		{"a directory", []string{"testdata"}, 2, "is a directory"},
		{"standard input twice", []string{"-", "-"}, 2, "once only"},
		{"a bad zone", []string{"-timezone", "Nowhere", good}, 2, "-timezone"},
		{
			"a bad address",
			[]string{"-to", "localhost", "-token", "x", good},
			2,
			"must be the address of a server",
		},
		{"no token", []string{"-to", s.URL, good}, 2, "-token"},
		{"a wrong token", []string{"-to", s.URL, "-token", "wrong", good}, 1, "401"},
		{
			"no almanac there",
			[]string{"-to", other.URL, "-token", "x", good},
			1,
			"404 Not Found: is there an almanac",
		},
		{
			"a directory in use, without an answer",
			[]string{"-data", used, good},
			2,
			"if it is an import, wait for its end",
		},
		{
			"no JSON",
			[]string{broken},
			1,
			"broken.json: line 3, column 17: invalid character '\"' after object key (nothing was stored)",
		},
		{
			"no JSON after a good file",
			[]string{good, broken},
			1,
			"(stored up to record 2 of " + good + ")",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			args := test.args
			if !slices.Contains(args, "-data") && !slices.Contains(args, "-to") {
				args = append([]string{"-data", t.TempDir()}, args...)
			}
			exit, _, stderr := runImport(t, args...)
			if exit != test.exit || !strings.Contains(stderr, test.stderr) {
				t.Errorf(
					"exit status %d, want %d; stderr %q, want %q",
					exit,
					test.exit,
					stderr,
					test.stderr,
				)
			}
		})
	}
}

// Authors may import, contributors may not.
func TestImportRight(t *testing.T) {
	t.Parallel()
	users := tempFile(
		t,
		"users.json",
		`{"users":[{"id":1,"login":"admin","role":"administrator","token":"aaaa"},
		{"id":2,"login":"cy","role":"contributor","token":"cccc"},{"id":3,"login":"al","role":"author","token":"llll"}]}`,
	)
	s := startServer(t, "-memory", "-users", users)
	tests := []struct {
		name, token, body string
		want              int
	}{
		{"a stranger", "", `{"items":[]}`, http.StatusUnauthorized},
		{"a contributor", "cccc", `{"items":[]}`, http.StatusForbidden},
		{"an author", "llll", `{"items":[]}`, http.StatusOK},
		{"nothing to import", "aaaa", `{"items":[]}`, http.StatusOK},
		{"no items", "aaaa", `{}`, http.StatusBadRequest},
		{"items of a wrong type", "aaaa", `{"items":[7]}`, http.StatusBadRequest},
		{"no JSON", "aaaa", `{"items":`, http.StatusBadRequest},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			request, err := http.NewRequest(
				http.MethodPost,
				s.URL+"/_almanac/import",
				strings.NewReader(test.body),
			)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			if test.token != "" {
				request.Header.Set("Authorization", "Bearer "+test.token)
			}
			answer, err := s.Client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != test.want {
				body, _ := io.ReadAll(answer.Body)
				t.Errorf("%s, want %d: %s", answer.Status, test.want, body)
			}
		})
	}
}

// The samples in the directory that ALMANAC_SAMPLES names are shown as they
// are, calendars of real sites. One of them is the
// first page of a longer list.
func TestImportSamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("ALMANAC_SAMPLES")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if dir == "" || err != nil || len(files) == 0 {
		t.Skip("ALMANAC_SAMPLES names no directory with saved calendars")
	}
	data := t.TempDir()
	mustImport(t, append([]string{"-partial", "-data", data}, files...)...)
	if got := sums(t, mustImport(t, append([]string{"-partial", "-data", data}, files...)...)); got[0]+got[1]+got[3] != 0 {
		t.Errorf("the second import changed something: %v", got)
	}
	events := shownEvents(t, startServer(t, "-data", data))
	total := 0
	for _, file := range files {
		total += compareFile(t, file, events)
	}
	if len(events) != total {
		t.Errorf("%d events are shown, the files have %d", len(events), total)
	}
	t.Logf("%d events of %d files are shown as they were saved", total, len(files))
}

// Each address and each slug that the samples in the directory that ALMANAC_SAMPLES names had at
// their sites answers: events, venues, organizers, categories and tags.
func TestImportSampleAddresses(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("ALMANAC_SAMPLES")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if dir == "" || err != nil || len(files) == 0 {
		t.Skip("ALMANAC_SAMPLES names no directory with saved calendars")
	}
	for _, file := range files {
		data := t.TempDir()
		mustImport(t, "-partial", "-data", data, file)
		s := startServer(t, "-data", data, "-also", "/wp-json/tribe/events/v1")
		askOldAddresses(t, s, file)
		asked := map[string]bool{}
		for _, e := range readListing(t, file, "events") {
			e := e.(object)
			askOldSlugs(t, s, asked, "events", e)
			for list, kind := range map[string]string{
				"venue":      "venues",
				"organizer":  "organizers",
				"categories": "categories",
				"tags":       "tags",
			} {
				records, isList := e[list].([]any)
				if !isList && e[list] != nil {
					records = []any{e[list]}
				}
				for _, record := range records {
					askOldSlugs(t, s, asked, kind, record.(object))
				}
			}
		}
		t.Logf("%s: %d addresses", filepath.Base(file), len(asked))
	}
}

// askOldSlugs asks a server for a record of a sample by its slug, and for its page, unless that was
// asked before.
func askOldSlugs(t testing.TB, s *cmdtest.Server, asked map[string]bool, kind string, record object) {
	t.Helper()
	slug := record["slug"].(string)
	var paths []string
	switch kind {
	case "categories":
		paths = []string{
			"/events/category/" + slug + "/",
			"/events/category/" + slug + "/list/?ical=1",
		}
	case "tags":
		paths = []string{"/events/tag/" + slug + "/", "/events/tag/" + slug + "/feed/"}
	default:
		paths = []string{"/" + strings.TrimSuffix(kind, "s") + "/" + slug + "/"}
		for _, root := range []string{v1, "/wp-json/tribe/events/v1"} {
			paths = append(paths, root+"/"+kind+"/by-slug/"+slug)
		}
		if kind == "events" {
			paths = append(paths, v1+"/events?starts_after=1990-01-01&slug="+slug)
		}
	}
	client := *s.Client
	client.CheckRedirect = nil
	for _, path := range paths {
		if asked[path] {
			continue
		}
		asked[path] = true
		answer, err := client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || strings.Contains(string(body), `"total":0`) {
			t.Errorf("%s: %s %.200s", path, answer.Status, body)
		}
	}
}
