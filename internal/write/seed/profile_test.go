package seed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/almanactest"
	"almanac/internal/tools/contract"
	"almanac/internal/write/seed"
	"almanac/store"
)

// Built-in seeds can be planted at every time and place without refusals, and their content has
// the same size everywhere.
func TestProfiles(t *testing.T) {
	t.Parallel()
	clocks := []string{
		"2026-11-21T23:30:00Z", "2028-02-29T12:00:00Z", "2031-01-01T00:00:00Z", "2031-03-30T01:30:00Z", "2031-05-10T12:00:00Z",
		"2031-10-26T01:30:00Z", "2031-11-02T05:30:00Z", "2031-12-31T23:59:59Z", "2037-12-31T11:00:00Z", "2099-06-30T10:00:00Z",
		"1999-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
	}
	zones := []string{
		"UTC",
		"America/New_York",
		"Pacific/Kiritimati",
		"Pacific/Pago_Pago",
		"Asia/Kathmandu",
		"Australia/Lord_Howe",
		"Europe/London",
	}
	sizes := map[string][]int{ // numbers of single events
		"@small": {
			store.Events:     10,
			store.Venues:     3,
			store.Organizers: 2,
			store.Categories: 4,
			store.Tags:       3,
			store.Images:     1,
			store.AllSeries:  0,
		},
		"@city": {
			store.Events:     519,
			store.Venues:     20,
			store.Organizers: 20,
			store.Categories: 28,
			store.Tags:       18,
			store.Images:     2,
			store.AllSeries:  2,
		},
		"@torture": {
			store.Events:     140,
			store.Venues:     11,
			store.Organizers: 53,
			store.Categories: 28,
			store.Tags:       66,
			store.Images:     3,
			store.AllSeries:  11,
		},
	}
	for _, name := range seed.ProfileNames() {
		for i, clock := range clocks {
			for j, zone := range zones {
				if (testing.Short() || name != "@small") && i%len(zones) != j {
					continue // each time at one place covers each place once or twice
				}
				t.Run(fmt.Sprint(name, " ", clock, " ", zone), func(t *testing.T) {
					t.Parallel()
					now, err := time.Parse(time.RFC3339, clock)
					if err != nil {
						t.Fatal(err)
					}
					c := newCalendarAt(t, now, zone) // checked at the end
					if err := c.plantFile(name); err != nil {
						t.Fatal(err)
					}
					again := c.recurring()
					for k, want := range sizes[name] {
						got := c.count(store.Kind(k))
						if k == int(store.Events) {
							got -= again
						}
						if got != want {
							t.Errorf("%d %v, want %d", got, store.Kind(k), want)
						}
					}
				})
			}
		}
	}
}

// recurring returns the number of events of series. Every series has several, and their ids follow
// those of all other events.
func (c *calendar) recurring() (n int) {
	c.Helper()
	_ = c.View(func(v *store.View) error {
		var last int64
		for r := range v.Each(store.Events) {
			if r.(*store.Event).Recurrence == nil {
				last = max(last, r.Key())
			}
		}
		for _, s := range v.SeriesByID() {
			events := v.Instances(s.ID)
			if n += len(events); len(events) < 2 && s.Event.Title != "Every leap day" {
				c.Errorf("%s has %d events", s.Event.Title, len(events))
			}
			for _, e := range events {
				if e.ID < last {
					c.Errorf("%s %v has the id %d, before %d", e.Title, e.Start, e.ID, last)
				}
			}
		}
		return nil
	})
	return n
}

// Series change no other record of a built-in seed, except ids of images inside events: other
// tests depend on them.
func TestProfilesWithoutSeries(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"@city", "@torture"} {
		text, err := seed.Profile(name)
		if err != nil {
			t.Fatal(err)
		}
		last, err := os.ReadFile("profiles/" + name[1:] + "-recurring.json")
		if err != nil {
			t.Fatal(err)
		}
		without, cut := strings.CutSuffix(string(text), string(last))
		if !cut {
			t.Fatalf("%s does not end with its series", name)
		}
		whole := newCalendar(t)
		part := newCalendar(t)
		whole.mustPlant(string(text))
		part.mustPlant(without)
		now := records(whole.Store)
		for id, want := range records(part.Store) {
			if strings.HasPrefix(id, "images") {
				continue
			}
			if diff := cmp.Diff(want, now[id], cmpopts.IgnoreFields(store.Post{}, "Image")); diff != "" {
				t.Errorf("%s: %s (-without series, +with them): %s", name, id, diff)
			}
		}
	}
}

// Lists and single records of a planted seed can be read, page by page.
func TestProfilesOverHTTP(t *testing.T) {
	t.Parallel()
	for _, name := range seed.ProfileNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := contract.Start(t, almanactest.Options{Now: noon, Zone: "America/New_York"})
			srv.SeedFile(name)
			get := func(client *http.Client, url string, to any) {
				t.Helper()
				resp, err := client.Get(url)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if err := json.NewDecoder(resp.Body).Decode(to); err != nil ||
					resp.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s, %v", url, resp.Status, err)
				}
			}
			for path, want := range map[string]int{
				"/events?per_page=50": 5,
				"/events?per_page=50&orderby=id&starts_after=0001-01-01&status=publish,future,draft,pending,private,trash": 10,
				"/venues?per_page=50":                  3,
				"/organizers?per_page=50":              2,
				"/categories?hide_empty=0&per_page=50": 4,
				"/tags?hide_empty=0&per_page=50":       3,
			} {
				seen := map[int64]string{} // with their status
				var page struct {
					Events, Venues, Organizers, Categories, Tags []struct {
						ID     int64
						Status string
					}
					Total int
					Next  string `json:"next_rest_url"`
				}
				for next := srv.URL + "/cal/events/v1" + path; next != ""; next = page.Next {
					page.Next = ""
					page.Events = nil
					get(srv.Client(), next, &page)
					for _, r := range append(append(append(append(page.Events, page.Venues...), page.Organizers...), page.Categories...), page.Tags...) {
						seen[r.ID] = r.Status
					}
				}
				if len(seen) != page.Total || len(seen) < want {
					t.Errorf(
						"%s: read %d of %d, want %d at least",
						path,
						len(seen),
						page.Total,
						want,
					)
				}
				if strings.HasPrefix(path, "/events?per_page=50&orderby") {
					for id, status := range seen {
						if status == "trash" || id%5 > 0 && name == "@city" {
							continue // which is read in lists alone
						}
						e := map[string]any{}
						if get(srv.Client(), fmt.Sprintf("%s/cal/events/v1/events/%d?password=open", srv.URL, id), &e); e["id"] != float64(
							id,
						) {
							t.Errorf("event %d is %v", id, e)
						}
					}
				}
			}
		})
	}
}

// The titles of the events of @torture are true.
func TestTorture(t *testing.T) {
	t.Parallel()
	c := newCalendarAt(t, noon, "Europe/Paris")
	if err := c.plantFile("@torture"); err != nil {
		t.Fatal(err)
	}
	events := map[string]*store.Event{}
	slugs := map[string]bool{}
	statuses := map[store.Status]bool{}
	for _, r := range records(c.Store) {
		if e, ok := r.(*store.Event); ok {
			events[e.Title], slugs[e.Slug], statuses[e.Status] = e, true, true
		}
	}
	zones := newZones(t)
	lasts := func(title string) time.Duration {
		e := events[title]
		if e == nil {
			t.Fatalf("there is no event %q", title)
		}
		return zones.instant(e.End, e.Timezone).Sub(zones.instant(e.Start, e.Timezone))
	}
	for title, want := range map[string]time.Duration{
		"A day of 25 hours":               25*time.Hour - time.Second,
		"A day of 23 hours":               23*time.Hour - time.Second,
		"A day of 22 hours":               22*time.Hour - time.Second,
		"A day of 23 and a half hours":    23*time.Hour + 30*time.Minute - time.Second,
		"Fortnight festival":              14*24*time.Hour - time.Second,
		"Across an hour that is missing":  time.Hour,
		"Across an hour that comes twice": 3 * time.Hour,
		"Of no length":                    0,
		"Of one second":                   time.Second,
		"Leap day":                        24*time.Hour - time.Second,
		"Across the day that never was":   48*time.Hour - time.Second,
	} {
		if got := lasts(title); got != want {
			t.Errorf("%s lasts %v, want %v", title, got, want)
		}
	}
	for title, want := range map[string]string{
		"Starts in an hour that is missing": "2032-03-14 03:30:00",
		"A day that begins at one":          "2032-03-28 01:30:00",
		"In an hour that comes twice":       "2031-11-02 01:00:00",
		"A day that never was":              "2011-12-31 12:00:00",
		"Today, first of all":               "2031-05-11 00:00:00",
		"Today, last of all":                "2031-05-10 00:00:00",
		"Now, where it is yesterday":        "2031-05-10 01:00:00",
		"Leap day":                          "2032-02-29 00:00:00",
		"A year after the leap day":         "2033-02-28 12:00:00",
		"An offset of odd seconds":          "1971-06-01 12:00:00",
		"The first second of all":           "0001-01-01 00:00:00",
	} {
		if got := events[title].Start.String(); got != want {
			t.Errorf("%s starts at %s, want %s", title, got, want)
		}
	}
	if n := len(events["Fifty organizers"].Organizers); n != 50 {
		t.Errorf("%d organizers, want 50", n)
	}
	if len(statuses) != 6 {
		t.Errorf("the statuses are %v", statuses)
	}
	for _, slug := range []string{"cafe", "cafe-2", "cafe-3", "cafe-4", "cafe-5", "many-of-the-same-30", "2031"} {
		if !slugs[slug] {
			t.Errorf("no event has the slug %s", slug)
		}
	}
	if events["Behind a password"].Password == "" ||
		events["Behind a password"].Password == events["Cafe"].Password {
		t.Error("no event has a password")
	}
	starts := map[string][]string{}
	_ = c.View(func(v *store.View) error {
		for _, s := range v.SeriesByID() {
			for _, e := range v.Instances(s.ID) {
				starts[s.Event.Title] = append(starts[s.Event.Title], e.Start.String()[5:16])
			}
			if s.Horizon != 0 {
				starts[s.Event.Title] = append(starts[s.Event.Title], "and so on")
			}
		}
		return nil
	})
	want := map[string][]string{
		"Daily in an hour that is missing once": {
			"03-12 02:30",
			"03-13 02:30",
			"03-14 03:30",
			"03-15 02:30",
		},
		"Daily in an hour that comes twice once": {"11-01 01:30", "11-02 01:30", "11-03 01:30"},
		"Hourly through an hour that comes twice": {
			"11-02 00:00",
			"11-02 01:00",
			"11-02 02:00",
			"11-02 03:00",
			"11-02 04:00",
		},
		"Every leap day": {"02-29 00:00", "and so on"},
		"On the 31st": {
			"01-31 12:00",
			"03-31 12:00",
			"05-31 12:00",
			"07-31 12:00",
			"08-31 12:00",
		},
		"Across midnight": {
			"05-16 23:00",
			"05-17 23:00",
			"05-23 23:00",
			"05-24 23:00",
			"05-30 23:00",
			"05-31 23:00",
		},
		"With dates beside the rule": {
			"05-12 10:00",
			"05-15 10:00",
			"05-22 15:00",
			"05-26 10:00",
			"06-09 10:00",
			"06-16 10:00",
		},
		"Dates without a rule":              {"05-12 11:00", "05-13 11:00", "06-11 11:00"},
		"A draft that comes again":          {"05-12 12:00", "06-02 12:00", "07-07 12:00"},
		"Behind a password again and again": {"05-12 13:00", "05-19 13:00"},
		"With exceptions": {
			"05-11 18:00",
			"05-12 20:00",
			"05-13 18:00",
			"05-14 18:00",
		},
	}
	if diff := cmp.Diff(want, starts); diff != "" {
		t.Errorf("series (-want, +got): %s", diff)
	}
	parents := 0
	for id := events["At the end of the tree"].Categories[0]; id != 0; parents++ {
		_ = c.View(
			func(v *store.View) error { id = v.Term(store.Categories, id).Parent; return nil },
		)
	}
	if parents != store.LevelsMost {
		t.Errorf("the tree has %d levels, want %d", parents, store.LevelsMost)
	}
}

func BenchmarkPlant(b *testing.B) {
	for _, name := range seed.ProfileNames() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := store.Open(store.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := seed.PlantFile(s, name, seed.Options{Now: noon}); err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
