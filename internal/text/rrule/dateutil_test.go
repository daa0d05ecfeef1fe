package rrule_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/rrule"
)

// differences has the properties of sets that python3-dateutil 2.9 reads differently,
// and the text of RFC 5545. If dateutil gives other dates for such a set, the set must
// have the dates that dateutil gives for the same rule without the property.
var differences = map[string]string{
	"leap second": "3.3.12: second 60 is second 59 for who has no leap seconds; dateutil refuses it",
	"week without a day": "3.3.10: what a rule does not say is taken from DTSTART, so BYWEEKNO without a day means its weekday; " +
		"dateutil takes all seven",
	"weeks at the edge of a year": "3.3.10: weeks have the numbers of ISO 8601, also those of which a year has a few days; " +
		"dateutil counts the weeks of the year before by the days of this one, and those of the year after not from the end",
	"position in the first week": "3.3.10: BYSETPOS picks from the dates of a whole week; " +
		"dateutil has the first week begin at DTSTART",
	"weekdays with and without a number": "3.3.10: BYDAY is a list of which any entry may match; dateutil wants one of either kind to match",
	"number of a weekday that a month does not have": "3.3.10: 6MO to 53MO of a month are dates that do not exist, and ignored; " +
		"dateutil takes days of other months, or fails",
	"start that the rule does not give": "3.8.5.3: DTSTART is the first date, and counts; dateutil ignores it if the rule does not give it",
	"skipped readings": "3.3.5: a time that is skipped has the offset before, and comes after others or is one with them; " +
		"dateutil gives it in its place, and counts with it what UNTIL allows",
	"refused": "3.3.10: a rule whose times are in none of its periods gives no date; dateutil refuses it",
}

// Sets of all kinds have the dates of python3-dateutil, or differ for a known reason.
// The table has 500; .ci/recurrence makes 20,000.
func TestDateutil(t *testing.T) {
	t.Parallel()
	name := os.Getenv("ALMANAC_RECURRENCE")
	if name == "" {
		name = "testdata/dateutil.jsonl"
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zones := map[string]*time.Location{}
	sets := 0
	dates := 0
	found := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct {
			Text         string
			From, Before int64
			Dates, Plain []int64
			Differences  []string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		s, err := rrule.ParseSet(c.Text, func(name string) (*time.Location, error) {
			if zones[name] == nil {
				if zones[name], err = time.LoadLocation(name); err != nil {
					return nil, err
				}
			}
			return zones[name], nil
		})
		if err != nil {
			t.Errorf("%s\n%v", c.Text, err)
			continue
		}
		const most = 8 // as recurrence.py
		got := []int64{}
		for date := range s.Between(time.Unix(c.From, 0), time.Unix(c.Before, 0)) {
			if got = append(got, date.Unix()); len(got) == most {
				break
			}
		}
		sets++
		dates += len(got)
		want := c.Dates
		if c.Plain != nil && !cmp.Equal(want, got) {
			if want = c.Plain; len(c.Differences) == 0 {
				t.Errorf("%s\nhas other dates for no reason", c.Text)
			}
			for _, d := range c.Differences {
				if differences[d] == "" {
					t.Errorf("%s\nthere is no difference %q", c.Text, d)
				}
			}
			found[strings.Join(c.Differences, " + ")]++
		}
		if diff := cmp.Diff(texts(s, want), texts(s, got)); diff != "" {
			t.Errorf(
				"%s\nfrom %d before %d, differences %q (-dateutil, +got)\n%s",
				c.Text,
				c.From,
				c.Before,
				c.Differences,
				diff,
			)
		}
	}
	if sets < 500 || dates < 1000 {
		t.Errorf("only %d sets with %d dates were compared", sets, dates)
	}
	t.Logf("%d sets with %d dates", sets, dates)
	for d, n := range found {
		t.Logf("%5d differ: %s", n, d)
	}
	for d, why := range differences {
		t.Logf("%s: %s", d, why)
	}
}

func texts(s *rrule.Set, dates []int64) (all []string) {
	for _, d := range dates {
		t := time.Unix(d, 0).UTC()
		if s.Zone != nil {
			t = t.In(s.Zone)
		}
		all = append(all, t.Format("Mon 2006-01-02 15:04:05 -0700"))
	}
	return all
}
