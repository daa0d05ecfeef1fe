package seed_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/contract"
	"almanac/internal/seed"
	"almanac/store"
)

// Built-in seeds can be planted at every time and place, nothing of them is
// refused, and what grows of them has the same size everywhere.
func TestProfiles(t *testing.T) {
	t.Parallel()
	clocks := []string{
		"2026-11-21T23:30:00Z", "2028-02-29T12:00:00Z", "2031-01-01T00:00:00Z", "2031-03-30T01:30:00Z", "2031-05-10T12:00:00Z",
		"2031-10-26T01:30:00Z", "2031-11-02T05:30:00Z", "2031-12-31T23:59:59Z", "2037-12-31T11:00:00Z", "2099-06-30T10:00:00Z",
		"1999-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
	}
	zones := []string{"UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "Australia/Lord_Howe",
		"Europe/London"}
	sizes := map[string][]int{
		"@small":   {store.Events: 10, store.Venues: 3, store.Organizers: 2, store.Categories: 4, store.Tags: 3, store.Images: 1},
		"@city":    {store.Events: 519, store.Venues: 20, store.Organizers: 20, store.Categories: 28, store.Tags: 18, store.Images: 2},
		"@torture": {store.Events: 140, store.Venues: 11, store.Organizers: 53, store.Categories: 38, store.Tags: 66, store.Images: 3},
	}
	for _, name := range seed.ProfileNames() {
		for i, clock := range clocks {
			for j, zone := range zones {
				if (testing.Short() || name != "@small") && i%len(zones) != j {
					continue // each time at one place, which is each place at a time or two
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
					for k, want := range sizes[name] {
						if got := c.count(store.Kind(k)); got != want {
							t.Errorf("%d %v, want %d", got, store.Kind(k), want)
						}
					}
				})
			}
		}
	}
}

// Lists and single records of what grew can be read, page by page.
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
				if err := json.NewDecoder(resp.Body).Decode(to); err != nil || resp.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s, %v", url, resp.Status, err)
				}
			}
			for path, want := range map[string]int{
				"/events?per_page=50": 5,
				"/events?per_page=50&orderby=id&starts_after=0001-01-01&status=publish,future,draft,pending,private,trash": 10,
				"/venues?per_page=50": 3, "/organizers?per_page=50": 2, "/categories?hide_empty=0&per_page=50": 4, "/tags?hide_empty=0&per_page=50": 3,
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
					page.Next, page.Events = "", nil
					get(srv.Client(), next, &page)
					for _, r := range append(append(append(append(page.Events, page.Venues...), page.Organizers...), page.Categories...), page.Tags...) {
						seen[r.ID] = r.Status
					}
				}
				if len(seen) != page.Total || len(seen) < want {
					t.Errorf("%s: read %d of %d, want %d at least", path, len(seen), page.Total, want)
				}
				if strings.HasPrefix(path, "/events?per_page=50&orderby") {
					for id, status := range seen {
						if status == "trash" || id%5 > 0 && name == "@city" {
							continue // which is read in lists alone
						}
						e := map[string]any{}
						if get(srv.Client(), fmt.Sprintf("%s/cal/events/v1/events/%d?password=open", srv.URL, id), &e); e["id"] != float64(id) {
							t.Errorf("event %d is %v", id, e)
						}
					}
				}
			}
		})
	}
}

// What the events of @torture say in their titles is so.
func TestTorture(t *testing.T) {
	t.Parallel()
	c := newCalendarAt(t, noon, "Europe/Paris")
	if err := c.plantFile("@torture"); err != nil {
		t.Fatal(err)
	}
	events := map[string]*store.Event{}
	slugs, statuses := map[string]bool{}, map[store.Status]bool{}
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
		"A day of 25 hours": 25*time.Hour - time.Second, "A day of 23 hours": 23*time.Hour - time.Second,
		"A day of 22 hours":            22*time.Hour - time.Second,
		"A day of 23 and a half hours": 23*time.Hour + 30*time.Minute - time.Second, "Fortnight festival": 14*24*time.Hour - time.Second,
		"Across an hour that is missing": time.Hour, "Across an hour that comes twice": 3 * time.Hour, "Of no length": 0,
		"Of one second": time.Second,
		"Leap day":      24*time.Hour - time.Second, "Across the day that never was": 48*time.Hour - time.Second,
	} {
		if got := lasts(title); got != want {
			t.Errorf("%s lasts %v, want %v", title, got, want)
		}
	}
	for title, want := range map[string]string{
		"Starts in an hour that is missing": "2032-03-14 03:30:00", "A day that begins at one": "2032-03-28 01:30:00",
		"In an hour that comes twice": "2031-11-02 01:00:00",
		"A day that never was":        "2011-12-31 12:00:00", "Today, first of all": "2031-05-11 00:00:00",
		"Today, last of all":         "2031-05-10 00:00:00",
		"Now, where it is yesterday": "2031-05-10 01:00:00", "Leap day": "2032-02-29 00:00:00",
		"A year after the leap day": "2033-02-28 12:00:00",
		"An offset of odd seconds":  "1971-06-01 12:00:00", "The first second of all": "0001-01-01 00:00:00",
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
	if events["Behind a password"].Password == "" || events["Behind a password"].Password == events["Cafe"].Password {
		t.Error("no event has a password")
	}
	parents := 0
	for id := events["At the end of the tree"].Categories[0]; id != 0; parents++ {
		_ = c.View(func(v *store.View) error { id = v.Term(store.Categories, id).Parent; return nil })
	}
	if parents != 30 {
		t.Errorf("the tree has %d levels, want 30", parents)
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
