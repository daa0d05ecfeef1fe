package seed_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/almanactest"
	"almanac/internal/write/intake"
	"almanac/internal/write/seed"
	"almanac/move/files"
	"almanac/store"
)

// exported returns the export of a store.
func exported(t testing.TB, s *store.Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := seed.Write(&b, s, seed.Pictures{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An export leaves out the dates that an event does not have.
func TestExportWithoutDates(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{"events":[{"title":"E","start_date":"2031-05-20 18:00","end_date":"@start"}]}`)
	if text := exported(t, c.Store); strings.Contains(text, "1970") {
		t.Error(text)
	}
}

// readItems returns the records of a file, and passes the rest of a listing to page.
func readItems(
	t testing.TB,
	r io.Reader,
	file string,
	page func(files.Page),
) (items []intake.Item) {
	t.Helper()
	err := files.Reader{}.Read(
		r,
		file,
		func(item intake.Item) error { items = append(items, item); return nil },
		page,
	)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func records(s *store.Store) map[string]store.Record {
	all := map[string]store.Record{}
	_ = s.View(func(v *store.View) error {
		for k := range store.AllSeries + 1 {
			for r := range v.Each(k) {
				all[fmt.Sprintf("%v/%d", k, r.Key())] = r
			}
		}
		return nil
	})
	return all
}

// shown returns all answers for an administrator, with the entity tags of single records.
func shown(t testing.TB, s *store.Store) map[string]string {
	t.Helper()
	handler, token, err := almanactest.Handler(almanactest.Options{
		Store: s,
		Now:   noon,
		Zone:  "Europe/Paris",
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	read := func(path string, tagged bool) string {
		request := httptest.NewRequest("GET", "http://calendar.example/cal/events/v1"+path, nil)
		request.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		all[path] = fmt.Sprint(answer.Code, " ", answer.Body)
		if tagged {
			all[path] += " " + answer.Header().Get("ETag")
		}
		return answer.Body.String()
	}
	const status = "status=publish,future,draft,pending,private,trash"
	for path, names := range map[string][]string{
		"/events": {"?per_page=50&orderby=id&starts_after=0001-01-01&" + status, "?per_page=50&starts_before=9999-12-31&" + status,
			"?start_date=2031-01-01&search=b"},
		"/venues":     {"?per_page=50&" + status},
		"/organizers": {"?per_page=50&" + status},
		"/categories": {"?per_page=50&hide_empty=0"},
		"/tags":       {"?per_page=50&hide_empty=0"},
	} {
		for _, name := range names {
			next := path + name
			for next != "" {
				var page struct {
					Next string `json:"next_rest_url"`
				}
				if err := json.Unmarshal([]byte(read(next, false)), &page); err != nil {
					t.Fatal(err)
				}
				_, next, _ = strings.Cut(page.Next, "/v1")
			}
		}
	}
	for name := range records(s) {
		read("/"+name, true)
		if strings.HasPrefix(name, "events") {
			read("/"+name+"?password=open", true)
		}
	}
	return all
}

// roundTrip plants the export of a store in another store, at another time and place, and compares
// both in every way.
func roundTrip(t testing.TB, s *store.Store) {
	t.Helper()
	document := exported(t, s)
	c := newCalendarAt(t, noon.AddDate(3, 0, 0), "Asia/Kathmandu")
	c.mustPlant(document)
	if diff := cmp.Diff(records(s), records(c.Store), cmpopts.IgnoreFields(store.Meta{}, "Rev")); diff != "" {
		t.Fatalf("records (-exported, +planted):\n%s", diff)
	}
	if again := exported(t, c.Store); again != document {
		t.Fatalf("exported again (-first, +second):\n%s", cmp.Diff(document, again))
	}
	if diff := cmp.Diff(shown(t, s), shown(t, c.Store)); diff != "" {
		t.Fatalf("over HTTP (-exported, +planted):\n%s", diff)
	}
}

func TestRoundTripRandom(t *testing.T) {
	t.Parallel()
	stores := 30
	if testing.Short() {
		stores = 10
	}
	for n := range stores {
		c := newCalendar(t)
		w := &writer{Rand: rand.New(rand.NewPCG(2031, uint64(n)))}
		w.fill(t, c.Store)
		roundTrip(t, c.Store)
	}
}

func TestRoundTripGenerated(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	if _, err := almanactest.Generate(c.Store, 250); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, c.Store)
}

// Lists saved from sites can be planted and imported; both results survive export and planting.
func TestRoundTripSaved(t *testing.T) {
	t.Parallel()
	files := []string{
		"../../../testdata/import/lindmoor.json",
		"../../../testdata/import/lindmoor-categories.json",
		"../../../testdata/import/lindmoor-newer.json",
		"../../../testdata/import/millstreet.json",
	}
	if dir := os.Getenv("ALMANAC_SAMPLES"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no samples in %s (%v)", dir, err)
		}
		files = append(files, more...)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			planted := newCalendar(t)
			if err := planted.plantFile(name); err != nil {
				t.Fatal(err)
			}
			if planted.count(store.Events)+planted.count(store.Categories) == 0 {
				t.Error("nothing was planted")
			}
			roundTrip(t, planted.Store)

			imported := newCalendar(t)
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			items := readItems(t, f, name, nil)
			err = imported.Update(1, func(tx *store.Tx) error {
				_, err := intake.Batch{
					Items: items,
				}.Apply(tx, intake.Options{
					Site:    imported.options.Site,
					Now:     noon,
					Account: 1,
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, imported.Store)
		})
	}
}

// An export may be edited: removed members get defaults, and changed values are stored unchanged.
func TestEditedExport(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{"venues":[{"venue":"Hall & ` +
		`Co"}],"events":[{"title":"Fair","all_day":true,"start_date":"2031-06-01","end_date":"2031-06-02","venue":1}]}`)
	document := exported(t, c.Store)
	edited := strings.NewReplacer(
		`"start_date": "2031-06-01 00:00:00"`, `"start_date": "2031-06-01 04:00:00"`,
		`"end_date": "2031-06-02 23:59:59"`, `"end_date": "@start+2d"`,
		`"title": "Fair"`, `"title": "Fair &amp; Ball"`,
		`      "slug": "fair",`+"\n", ``,
		`      "modified_utc": "2031-05-10 12:00:00",`+"\n", ``,
		`"venue": [1]`, `"venue": "$hall"`,
		`"venue": "Hall & Co",`, `"$name": "hall", "venue": "Hall & Co",`,
	).Replace(document)
	c = newCalendar(t)
	c.mustPlant(edited)
	e := all[*store.Event](c, store.Events)["fair-ball"]
	want := &store.Event{
		Post: store.Post{
			Meta:     e.Meta,
			Author:   7,
			Status:   store.Publish,
			Date:     noon,
			Modified: noon,
			Slug:     "fair-ball",
		},
		Title:    "Fair &amp; Ball",
		AllDay:   true,
		Start:    store.WallOf(time.Date(2031, 6, 1, 4, 0, 0, 0, time.UTC)),
		End:      store.WallOf(time.Date(2031, 6, 3, 23, 59, 59, 0, time.UTC)),
		Timezone: "America/New_York",
		Venues:   []int64{1},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("(-want, +got):\n%s\nof %s", diff, edited)
	}
}

// An empty store has an export too, and a failing disk is an error.
func TestWrite(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	if got := exported(t, c.Store); got != "{\n  \"exact\": true\n}\n" {
		t.Errorf("an empty store is %s", got)
	}
	roundTrip(t, c.Store)
	if _, err := almanactest.Generate(c.Store, 200); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 100_000} {
		if err := seed.Write(&fullDisk{room}, c.Store, seed.Pictures{}); err != errFull {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

var errFull = fmt.Errorf("no space left")

type fullDisk struct{ room int }

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// An export with series can be edited: names stand for ids, dates are relative.
func TestExactSeries(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{"exact":true,
		"series":[{"$name":"choir","title":"Choir","start_date":"@today 19:00","end_date":"@start+2h","timezone":"Europe/Paris",
			"rule":"FREQ=WEEKLY;COUNT=4","exdates":["@start+3w","@today+2w 19:00"],"post_parent":"$first"}],
		"events":[{"$name":"first","title":"Choir","start_date":"@today 19:00 Europe/Paris","end_date":"@start+2h",
				"recurrence":{"series":"$choir","start":"@today 19:00"}},
			{"title":"Concert","start_date":"@today+1w 20:00 Europe/Paris","end_date":"@start+2h",
				"recurrence":{"series":"$choir","start":"@today+1w 19:00","changed":["title","start_date"]}}]}`)
	day := func(n int) store.Wall { return store.WallOf(time.Date(2031, 5, 10+n, 19, 0, 0, 0, time.UTC)) }
	_ = c.View(func(v *store.View) error {
		s := v.SeriesByID()[0]
		if diff := cmp.Diff([]store.Wall{day(14), day(21)}, s.EXDates); diff != "" ||
			s.Event.Start != day(0) ||
			s.Event.Parent == 0 {
			t.Errorf("exceptions (-want, +got): %s of %+v", diff, s)
		}
		places := []store.Recurrence{{
			Series: s.ID,
			Start:  day(0),
		}, {
			Series:  s.ID,
			Start:   day(7),
			Changed: []string{"start_date", "title"},
		}}
		for i, want := range places {
			if diff := cmp.Diff(&want, v.Instances(s.ID)[i].Recurrence); diff != "" {
				t.Errorf("event %d (-want, +got): %s", i, diff)
			}
		}
		return nil
	})
	roundTrip(t, c.Store)
}

// A recurring event of a seed creates a series, as a request would; its other events follow all
// records of the seed. Its export is exact.
func TestSeries(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{"events":[
		{"$name":"choir","title":"Choir","start_date":"@next-tuesday 19:00","end_date":"@start+2h","tags":["Song"],"post_parent":"$fair",
			"modified":"@yesterday",
			"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=2;UNTIL=@start+8w","exdates":["@start+2w"],"rdates":["@next-friday"]}},
		{"$name":"fair","title":"Fair","start_date":"@today","end_date":"@start+1h"},
		{"title":"Tea","slug":"tea","start_date":"@today 16:00","end_date":"@start+1h","status":"draft",
			"recurrence":"RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20310511T160000"},
		{"title":"Watch","start_date":"@today 16:00","end_date":"@start+1h","recurrence":{"rule":"FREQ=MONTHLY"}}]}`)
	var got []string
	_ = c.View(func(v *store.View) error {
		for _, s := range v.SeriesByID() {
			got = append(
				got,
				fmt.Sprintf("%d %s %q parent %d", s.ID, s.Event.Slug, s.Rule, s.Event.Parent),
			)
			for i, e := range v.Instances(s.ID) {
				if e.Modified != s.Event.Modified || e.Parent != s.Event.Parent ||
					len(e.Tags) != len(s.Event.Tags) {
					t.Errorf("%+v is not like %+v", e, s.Event)
				}
				if s.Event.Title == "Watch" { // an infinite series
					if want := store.WallOf(noon.AddDate(0, i, 0)) + 4*3600; e.Start != want {
						t.Errorf("event %d starts at %v, want %v", i, e.Start, want)
					}
				} else {
					got = append(got, fmt.Sprint(e.ID, " ", e.Start, " ", e.Slug))
				}
			}
		}
		return nil
	})
	want := []string{
		`5 choir "FREQ=WEEKLY;UNTIL=20310708T230000Z;INTERVAL=2" parent 2`,
		"1 2031-05-13 19:00:00 choir-2031-05-13", "6 2031-05-16 19:00:00 choir-2031-05-16", "7 2031-06-10 19:00:00 choir-2031-06-10",
		"8 2031-06-24 19:00:00 choir-2031-06-24", "9 2031-07-08 19:00:00 choir-2031-07-08",
		`10 tea "FREQ=DAILY;COUNT=3" parent 0`, "3 2031-05-10 16:00:00 tea", "11 2031-05-12 16:00:00 tea-2031-05-12",
		`12 watch "FREQ=MONTHLY" parent 0`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	roundTrip(t, c.Store)
}

// The lists of series are enough to restore them, and a second import changes nothing.
func TestImportSeries(t *testing.T) {
	t.Parallel()
	from := newCalendarAt(t, noon, "America/New_York")
	if err := from.plantFile("@torture"); err != nil {
		t.Fatal(err)
	}
	ask := asker(t, from.Store, true)
	to := newCalendarAt(t, noon, "America/New_York")
	load := func() {
		for path := "/events?per_page=50&orderby=id&starts_after=0001-01-01&status=publish,draft"; path != ""; {
			answer := ask("GET", path, "")
			items := readItems(
				t,
				strings.NewReader(answer),
				path,
				func(page files.Page) { _, path, _ = strings.Cut(page.Next, "/v1") },
			)
			err := to.Update(1, func(tx *store.Tx) error {
				_, err := intake.Batch{Items: items}.Apply(tx, to.options)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	series := func(c *calendar) map[string][]string {
		found := map[string][]string{}
		_ = c.View(func(v *store.View) error {
			for _, s := range v.SeriesByID() {
				for _, e := range v.Instances(s.ID) {
					if e.Status != store.Trash {
						name := s.Event.Title + " " + s.Rule
						found[name] = append(
							found[name],
							fmt.Sprint(e.Recurrence.Start, e.Slug, e.Recurrence.Changed),
						)
					}
				}
			}
			return nil
		})
		return found
	}
	load()
	want := series(from)
	// A list shows nothing of it but its name, so that nothing of it comes in.
	delete(want, "Behind a password again and again FREQ=WEEKLY;COUNT=2")
	if diff := cmp.Diff(want, series(to)); diff != "" || len(series(to)) != 10 {
		t.Errorf("(-shown, +imported):\n%s", diff)
	}
	before := records(to.Store)
	load()
	if diff := cmp.Diff(before, records(to.Store)); diff != "" {
		t.Errorf("imported again (-before, +after):\n%s", diff)
	}
}
