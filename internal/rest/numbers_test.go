// Numbers as requests write them and answers show them.

package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/account"
	"almanac/internal/resttest"
	"almanac/store"
)

// Coordinates are decimal numbers. Other notations of numbers, which only some programming languages know, are
// refused, and change nothing.
func TestCoordinates(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	hall := &store.Venue{Name: "Hall", Geo: &store.Geo{Lat: 40, Lng: -73}}
	c.add(hall)
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
		status, answer := resttest.Do(t, c.As(account.Editor), "PATCH", fmt.Sprintf("%s%s/venues/%d", c.URL, api, hall.ID), body)
		_, shown := c.send(t, "", "GET", api+"/venues/{Hall}?_fields=geo_lat,geo_lng,show_map")
		if strings.HasPrefix(tt.want, "geo") {
			if status != http.StatusBadRequest || !strings.Contains(answer["message"].(string), tt.want) ||
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
