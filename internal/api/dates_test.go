// The six dates of a list of events, and the window without them.

package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"
)

// around is a calendar about the tenth of April: a name says when it is.
func around(t *testing.T) *sample.Calendar {
	t.Helper()
	c := sample.New(t)
	for _, e := range []struct{ name, start, end, zone string }{
		{"three days", "2031-04-09 10:00:00", "2031-04-11 10:00:00", ""},
		{"into the tenth", "2031-04-09 22:00:00", "2031-04-10 02:00:00", ""},
		{"whole day", "2031-04-10 00:00:00", "2031-04-10 23:59:59", ""},
		{"first hour", "2031-04-10 00:00:00", "2031-04-10 01:00:00", ""},
		{"Tokyo", "2031-04-10 08:00:00", "2031-04-10 09:00:00", "Asia/Tokyo"},
		{"to the last second but one", "2031-04-10 20:00:00", "2031-04-10 23:59:58", ""},
		{"over midnight", "2031-04-10 23:00:00", "2031-04-11 01:00:00", ""},
		{"from the last second but one", "2031-04-10 23:59:58", "2031-04-11 00:30:00", ""},
		{"next day", "2031-04-11 00:00:00", "2031-04-11 02:00:00", ""},
	} {
		c.Add(&store.Event{
			Title:    e.name,
			Start:    sample.Local(t, e.start),
			End:      sample.Local(t, e.end),
			Timezone: e.zone,
		})
	}
	return c
}

func TestDateFilters(t *testing.T) {
	t.Parallel()
	c := around(t)
	for _, l := range []listing{
		{"", "start_date=2031-04-10&end_date=2031-04-10", "whole day, first hour, Tokyo, to the last second but one"},
		{"", "start_date=2031-04-11&end_date=2031-04-10", ""},
		{"", "starts_before=2031-04-10",
			"three days, into the tenth, whole day, first hour, Tokyo, to the last second but one, over midnight, from the last second but one"},
		{"", "starts_after=2031-04-10", "next day"},
		{"", "ends_before=2031-04-10", "into the tenth, first hour, Tokyo, to the last second but one"},
		{"", "ends_after=2031-04-10", "three days, over midnight, from the last second but one, next day"},
		// The stricter parameter of two replaces the other.
		{"", "start_date=2031-04-11&starts_after=2031-04-09&ends_before=2031-04-11",
			"whole day, first hour, Tokyo, to the last second but one, over midnight, from the last second but one, next day"},
		{"", "starts_after=2031-04-09&end_date=2031-04-10&ends_before=2031-04-10", "first hour, Tokyo, to the last second but one"},
		{"", "starts_after=2031-04-09&ends_after=2031-04-10", "over midnight, from the last second but one, next day"},
		// A date elsewhere counts by its day in UTC, and so does a moment.
		{"", "starts_after=2031-04-10T20:00:00-05:00", ""},
		{"", "starts_after=2031-04-11T08:00:00%2B09:00", "next day"},
		{"", "starts_after=1933631999", "next day"}, // the last second of the tenth, in UTC
		// Strictly, a date is read as UTC and taken to the second.
		{"", "strict_dates=true&starts_after=2031-04-11T03:59:57Z", "from the last second but one, next day"},
		{"", "strict_dates=on&starts_after=2031-04-11 03:59:58", "next day"},
		{"", "strict_dates=yes&starts_before=2031-04-10 04:00:00", "three days, into the tenth"},
		{"", "strict_dates=1&start_date=2031-04-10 04:00:00&end_date=2031-04-10 13:00:00", "first hour, Tokyo"},
		{"", "strict_dates=no&start_date=2031-04-10 20:00:00&end_date=2031-04-10", "whole day, first hour, Tokyo, to the last second but one"},
	} {
		if got := c.List(t, "", "/events?"+l.query); got != l.want {
			t.Errorf("%s\n got %s\nwant %s", l.query, got, l.want)
		}
	}
}

// The default window begins with the day of yesterday's last minute in UTC, and
// is two years long.
func TestDefaultWindow(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const days = "start_date=2026-11-20 00:00:00"
	for _, tt := range []struct{ query, want string }{
		{"", days + "&end_date=2028-11-21 23:59:59"},
		{"end_date=tomorrow", days + "&end_date=2026-11-22 23:59:59"},
		{"start_date=now", "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59"},
		{"start_date=2031", "start_date=1970-01-01 00:00:00&end_date=2028-11-21 23:59:59"},
		{"start_date=2031-04-10", "start_date=2031-04-10 00:00:00&end_date=2033-04-10 23:59:59"},
		{"start_date=2026/11/25T06:00", "start_date=2026-11-25 00:00:00&end_date=2028-11-25 23:59:59"},
		{"start_date=2026-1-5 9:3:0", "start_date=2026-01-05 00:00:00&end_date=2028-11-21 23:59:59"},
		{"start_date=1900-01-01&end_date=9999-12-31 23:59:59", "start_date=1900-01-01 00:00:00&end_date=9999-12-31 23:59:59"},
		{"strict_dates=1", "start_date=2026-11-20 23:59:00&end_date=2028-11-21 00:00:00&strict_dates=1"},
		{"ends_after=yesterday", "ends_after=2026-11-20 23:59:59"},
		{"starts_before=2031-04-10&start_date=2031-01-01", "start_date=2031-01-01 00:00:00&starts_before=2031-04-10 23:59:59"},
	} {
		status, body := c.Get(t, "", "/events?"+tt.query)
		if status != http.StatusOK {
			t.Errorf("%s: %d %v", tt.query, status, body["message"])
			continue
		}
		got := strings.TrimPrefix(link(t, body, "rest_url"), "page=1&per_page=10&")
		if got = strings.Replace(got, "&status=publish", "", 1); strings.TrimPrefix(
			got,
			"status=publish&",
		) != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.query, got, tt.want)
		}
	}
}

// A running event that began before the window is not in it, unless asked for.
func TestRunningEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for _, e := range [][3]string{
		{"over", "2026-11-18 10:00:00", "2026-11-19 10:00:00"}, {"running", "2026-11-19 10:00:00", "2026-11-25 10:00:00"},
		{"today", "2026-11-20 00:00:00", "2026-11-20 01:00:00"}, {"beyond", "2028-11-21 10:00:00", "2028-11-22 10:00:00"},
	} {
		c.Add(&store.Event{Title: e[0], Start: sample.Local(t, e[1]), End: sample.Local(t, e[2])})
	}
	for query, want := range map[string]string{
		"":                      "today",
		"ends_after=yesterday":  "running, beyond",
		"ends_after=2026-11-19": "running, today, beyond",
	} {
		if got := c.List(t, "", "/events?"+query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

// Coordinates are decimal numbers. Other notations of numbers, which only some programming
// languages know, are refused, and change nothing.
func TestCoordinates(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	hall := &store.Venue{Name: "Hall", Geo: &store.Geo{Lat: 40, Lng: -73}}
	c.Add(hall)
	for _, tt := range []struct {
		lat, lng string // as JSON
		want     string
	}{
		{`"0x1p3"`, `10`, "geo_lat"},
		{`10`, `"1_0"`, "geo_lng"},
		{`"0b1"`, `"Infinity"`, "geo_lat"},
		{`"8.5"`, `1.05e1`, `"geo_lat":8.5,"geo_lng":10.5,`},
		{`-0.0`, `"-0"`, `"geo_lat":0,"geo_lng":0,`},
		{`1e-400`, `-1e-400`, `"geo_lat":0,"geo_lng":0,`},
	} {
		before := c.Snapshot()
		body := fmt.Sprintf(`{"geo_lat":%s,"geo_lng":%s}`, tt.lat, tt.lng)
		status, answer := apitest.Do(
			t,
			c.As(account.Editor),
			"PATCH",
			fmt.Sprintf("%s%s/venues/%d", c.URL, v1, hall.ID),
			body,
		)
		_, shown := c.Send(t, "", "GET", v1+"/venues/{Hall}?_fields=geo_lat,geo_lng,show_map")
		if strings.HasPrefix(tt.want, "geo") {
			if status != http.StatusBadRequest ||
				!strings.Contains(answer["message"].(string), tt.want) ||
				!strings.Contains(string(shown), `"geo_lat":40,"geo_lng":-73,`) {
				t.Errorf("%s: %d %v; then %s", body, status, answer["message"], shown)
			}
			continue
		}
		if status != http.StatusOK || !strings.Contains(string(shown), tt.want) {
			t.Errorf("%s: %d; shown as %s, want %s", body, status, shown, tt.want)
		}
		c.Restore(before)
	}
}
