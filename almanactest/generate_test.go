package almanactest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// generated fills a store and returns its records by kind and id.
func generated(
	t testing.TB,
	n int,
) (*almanactest.Calendar, map[store.Kind]map[int64]store.Record) {
	t.Helper()
	s := apitest.Store(t, nil)
	c, err := almanactest.Generate(s, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	records := map[store.Kind]map[int64]store.Record{}
	_ = s.View(func(v *store.View) error {
		for k, ids := range map[store.Kind][]int64{
			store.Categories: c.Categories,
			store.Tags:       c.Tags,
			store.Venues:     c.Venues,
			store.Organizers: c.Organizers,
			store.Events:     c.Events,
		} {
			records[k] = map[int64]store.Record{}
			for _, id := range ids {
				records[k][id] = v.Get(k, id)
			}
			if got := v.Len(k); got != len(ids) || len(records[k]) != len(ids) ||
				!slices.IsSorted(ids) {
				t.Errorf("%d %s are stored, %d were named", got, k, len(ids))
			}
		}
		return nil
	})
	return c, records
}

// many is a number of events at which the categories have three levels.
const many = 25_000

var manyMade struct {
	once     sync.Once
	calendar *almanactest.Calendar
	records  map[store.Kind]map[int64]store.Record
}

// generatedMany returns what is generated for many events: once, for all tests.
func generatedMany(t *testing.T) (*almanactest.Calendar, map[store.Kind]map[int64]store.Record) {
	t.Helper()
	m := &manyMade
	m.once.Do(func() { m.calendar, m.records = generated(t, many) })
	if m.calendar == nil {
		t.Fatal("another test tells why there is no calendar")
	}
	return m.calendar, m.records
}

func TestGenerateIsTheSameAlone(t *testing.T) {
	race.Alone(t)
	c, records := generated(t, 2500) // more than one transaction
	again, repeated := generated(t, 2500)
	if diff := cmp.Diff(c, again); diff != "" {
		t.Errorf("calendars (-first, +second):\n%s", diff)
	}
	if diff := cmp.Diff(records, repeated); diff != "" {
		t.Errorf("records (-first, +second):\n%s", diff)
	}
}

func TestGenerateNumbersAlone(t *testing.T) {
	race.Alone(t)
	for _, test := range []struct{ events, categories, tags, venues int }{
		{0, 8, 8, 8},
		{1, 8, 8, 8},
		{many, 50, 500, 1250},
	} {
		t.Run(fmt.Sprint(test.events), func(t *testing.T) {
			t.Parallel()
			var c *almanactest.Calendar
			if test.events == many {
				c, _ = generatedMany(t)
			} else {
				c, _ = generated(t, test.events)
			}
			want := []int{
				test.categories,
				test.tags,
				test.venues,
				test.venues,
				test.events,
				20_000,
			}
			got := []int{
				len(c.Categories),
				len(c.Tags),
				len(c.Venues),
				len(c.Organizers),
				len(c.Events),
				len(c.Words),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf(
					"categories, tags, venues, organizers, events, words (-want, +got):\n%s",
					diff,
				)
			}
		})
	}
}

// The documented shares are true for many events.
func TestGenerateSharesAlone(t *testing.T) {
	race.Alone(t)
	c, records := generatedMany(t)
	counts := map[string]int{}
	count := func(what string, is bool) {
		if is {
			counts[what]++
		}
	}
	first := store.WallOf(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	last := store.WallOf(time.Date(2033, 1, 1, 0, 0, 0, 0, time.UTC))
	var bytes, later int
	var before store.Wall
	used := map[string]int{}
	for _, id := range c.Events {
		e := records[store.Events][id].(*store.Event)
		count("featured", e.Featured)
		count("ticketed", e.Ticketed)
		count("priced", len(e.Entries) > 0)
		count("draft", e.Status == store.Draft)
		count("hidden", e.HideFromListings)
		count("protected", e.Password == "open")
		count("short", time.Hour <= lasting(e) && lasting(e) <= 4*time.Hour)
		count("days", e.AllDay && lasting(e) > 24*time.Hour && lasting(e) < 10*24*time.Hour)
		count("months", lasting(e) >= 30*24*time.Hour)
		count("two categories", len(e.Categories) == 2)
		count("two paragraphs", strings.Contains(e.Description, "\n\n"))
		count("no tags", len(e.Tags) == 0)
		count("four tags", len(e.Tags) == 4)
		for year := 2030; year <= 2032; year++ {
			count(fmt.Sprint(year), e.Start.Time().Year() == year)
		}
		if e.Start < first || e.Start >= last || e.Start%(15*60) != 0 || len(e.Categories) < 1 || len(e.Venues) != 1 || len(e.Organizers) != 1 ||
			e.Date.Year() != 2029 ||
			e.Modified.Before(e.Date) ||
			e.Modified.Year() != 2029 {
			t.Fatalf("event %d is %+v", id, e)
		}
		bytes += len(e.Title) + len(e.Description)
		if e.Start > before {
			later++
		}
		before = e.Start
		for word := range strings.FieldsSeq(strings.ToLower(e.Description)) {
			used[strings.Trim(word, ",.")]++
		}
	}
	for _, test := range []struct {
		what        string
		least, most int // of 10,000
	}{
		{"featured", 900, 1100}, {"ticketed", 1850, 2150}, {"priced", 2850, 3150}, {"draft", 60, 140}, {"hidden", 25, 80}, {"protected", 1, 25},
		{"short", 9500, 9800}, {"days", 230, 370}, {"months", 25, 80},
		{"two categories", 4800, 5200}, {"two paragraphs", 1700, 2300}, {"no tags", 1800, 2200}, {"four tags", 1800, 2200},
		{"2030", 3150, 3500}, {"2031", 3150, 3500}, {"2032", 3150, 3500},
	} {
		if got := counts[test.what] * 10_000 / many; got < test.least || got > test.most {
			t.Errorf(
				"of 10,000 events %d are %s, want %d to %d",
				got,
				test.what,
				test.least,
				test.most,
			)
		}
	}
	if mean := bytes / many; mean < 580 || mean > 660 {
		t.Errorf("the texts have %d bytes on average, want about 600", mean)
	}
	if later < many*45/100 || later > many*55/100 {
		t.Errorf("%d events start after the one made before them, want about half", later)
	}
	if common, rare := used[c.Words[0]], used[c.Words[len(c.Words)-1]]; common < 1000*max(
		1,
		rare,
	) ||
		len(used) < 15_000 {
		t.Errorf(
			"of %d words the most common is used %d times, the rarest %d times",
			len(used),
			common,
			rare,
		)
	}
}

func lasting(e *store.Event) time.Duration { return time.Duration(e.End-e.Start) * time.Second }

func TestGenerateTreeAlone(t *testing.T) {
	race.Alone(t)
	c, records := generatedMany(t)
	levels := map[int]int{}
	for _, id := range c.Categories {
		level := 0
		parent := func(id int64) int64 { return records[store.Categories][id].(*store.Term).Parent }
		for above := parent(id); above != 0; above = parent(above) {
			level++
		}
		levels[level]++
	}
	if diff := cmp.Diff(map[int]int{0: 5, 1: 25, 2: 20}, levels); diff != "" {
		t.Errorf("categories by level (-want, +got):\n%s", diff)
	}
	used := map[int64]int{}
	for _, e := range records[store.Events] {
		for _, id := range e.(*store.Event).Categories {
			used[id]++
		}
	}
	if most, least := used[c.Categories[0]], used[c.Categories[len(c.Categories)-1]]; most < 5*least ||
		least == 0 {
		t.Errorf("the first category is used %d times, the last %d times", most, least)
	}
	located := 0
	for _, v := range records[store.Venues] {
		if v := v.(*store.Venue); v.Geo != nil && v.Address != "" && v.City != "" &&
			v.Country != "" {
			located++
		}
	}
	if located*2 != len(c.Venues) {
		t.Errorf("%d of %d venues are located, want half", located, len(c.Venues))
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		generated(b, 10_000)
	}
}
