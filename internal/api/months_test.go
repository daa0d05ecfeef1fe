// Lists and feeds of the events of the coming months.

package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// The window of months=N ends with the day N months after today, in lists and in every format of
// feeds, and moves on with the clock.
func TestMonths(t *testing.T) {
	t.Parallel()
	c := almanactest.Start(t, almanactest.Options{})
	from := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	rng := rand.New(rand.NewPCG(37, 4))
	type interval struct {
		title      string
		start, end time.Time
	}
	var all []interval
	var records []any
	for i := range 500 {
		start := from.Add(time.Duration(i) * 53 * time.Hour)
		s := interval{
			fmt.Sprintf("Concert %d", i),
			start,
			start.Add(time.Duration(rng.IntN(100)) * time.Hour),
		}
		all = append(all, s)
		records = append(records, &store.Event{
			Title:    s.title,
			Timezone: "UTC",
			Start:    store.WallOf(s.start),
			End:      store.WallOf(s.end),
		})
	}
	c.Seed(records...)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	clock := caltime.Frozen(from)
	h, err := api.New(api.Options{
		Store:      c.Store,
		Accounts:   accounts,
		Clock:      clock,
		NoLimits:   true,
		MaxPerPage: 1000,
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(below string) string {
		t.Helper()
		rec := apitest.Serve(h, http.MethodGet, "http://example.com"+v1+"/events"+below, "")
		if rec.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", below, rec.Code, rec.Body)
		}
		return rec.Body.String()
	}
	title := regexp.MustCompile(`Concert \d+`)
	found := func(below, sign string) map[string]bool {
		got := map[string]bool{}
		for line := range strings.Lines(ask(below)) {
			if strings.Contains(line, sign) {
				got[title.FindString(line)] = true
			}
		}
		return got
	}
	for range 60 {
		now := from.Add(time.Duration(rng.IntN(3*365*24*3600)) * time.Second)
		clock.Set(now)
		n := 1 + rng.IntN(30)
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		for range n {
			first = first.AddDate(0, 1, 0)
		}
		after := first.AddDate(0, 0, now.Day()) // the midnight that ends the last day
		within := func(start time.Time) map[string]bool {
			want := map[string]bool{}
			for _, s := range all {
				if !s.start.Before(start) && s.end.Before(after) {
					want[s.title] = true
				}
			}
			return want
		}
		query := fmt.Sprintf("months=%d&start_date=2030-01-01", n)
		for below, sign := range map[string]string{
			".ics?":                     "SUMMARY:",
			".csv?":                     "Concert",
			".rss?per_page=1000&":       "<title>Concert",
			".atom?per_page=1000&":      "<title>Concert",
			".feed.json?per_page=1000&": `"title":"Concert`,
		} {
			if diff := cmp.Diff(within(from), found(below+query, sign)); diff != "" {
				t.Fatalf("%s%s at %v (-want +got):\n%s", below, query, now, diff)
			}
		}
		year, month, day := now.Date()
		back := time.Date(year-1, month, day, 0, 0, 0, 0, time.UTC)
		if diff := cmp.Diff(within(back), found(fmt.Sprint(".csv?months=", n), "Concert")); diff != "" {
			t.Fatalf("months=%d from a year ago on at %v (-want +got):\n%s", n, now, diff)
		}
		var list struct {
			Total int
			Next  string `json:"next_rest_url"`
		}
		if err := json.Unmarshal([]byte(ask("?per_page=1&"+query)), &list); err != nil {
			t.Fatal(err)
		}
		if want := len(within(from)); list.Total != want ||
			want > 1 && !strings.Contains(list.Next, fmt.Sprintf("months=%d", n)) ||
			strings.Contains(list.Next, "end_date") {
			t.Fatalf("%s at %v: %+v, want %d", query, now, list, want)
		}
	}
}

func TestMonthsRefuses(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	play(t, c, "/events?", []listing{
		{
			"",
			"months=0",
			"rest_invalid_param months",
		}, {"", "months=1201", "rest_invalid_param months"},
		{
			"",
			"months=x",
			"rest_invalid_param months",
		}, {"", "months=2&end_date=2031-01-01", "rest_invalid_param months"},
		{
			"",
			"months=2&ends_before=2031-01-01",
			"rest_invalid_param months",
		}, {"", "months=2&when=week", "rest_invalid_param when"},
		{
			"",
			"months=1200",
			"",
		}, {"", "months=2&starts_after=2026-01-01&ends_after=2026-01-01", ""},
	})
}
