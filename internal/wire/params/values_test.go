// Accessors return the sent value, else the default, else nothing.

package params_test

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	check := func(table params.Table, query string) params.Values {
		v, err := table.Check(read(t, ofQuery(query)), env(t))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := check(params.EventList, "")
	if v.Int("page") != 1 || v.Int("per_page") != 10 || v.Int("post_parent") != 0 ||
		v.Float("geoloc_radius") != 40 ||
		v.Float("geoloc_lat") != 0 {
		t.Error("a number is not its default")
	}
	if v.Bool("strict_dates") || v.Bool("featured") || v.Text("search") != "" ||
		v.IDs("venue") != nil ||
		v.Statuses("status") != nil {
		t.Error("something that was not sent is there")
	}
	zone := caltime.UTC()
	for name, want := range map[string]string{
		"start_date": "2026-11-19 18:59:00",
		"end_date":   "2028-11-20 23:48:12",
		"ends_after": "0001-01-01 00:00:00",
	} {
		if got := v.Date(name, zone).Wall.Format(caltime.Layout); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"page", "start_date", "search"} {
		if v.Has(name) || v.Null(name) {
			t.Errorf("%s was sent", name)
		}
	}
	v = check(params.EventList, "page=3&geoloc_radius=2.5&start_date=tomorrow")
	if !v.Has("page") || v.Int("page") != 3 || v.Float("geoloc_radius") != 2.5 {
		t.Error("a default is before what was sent")
	}
	if !check(params.CategoryList, "").Bool("hide_empty") ||
		check(params.CategoryList, "hide_empty=0").Bool("hide_empty") {
		t.Error("hide_empty")
	}
	if v := check(params.VenueUpdate[1:], ""); v.Text("zip") != "" || v.Bool("show_map") ||
		v.Image("image") != (params.ImageRef{}) {
		t.Error("null is a value")
	}
}

// Words are meant in the zone that the caller names, not in the site's.
func TestDateInZone(t *testing.T) {
	t.Parallel()
	tokyo, err := caltime.LoadZone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	v, err := params.EventList.Check(read(t, ofQuery("start_date=today")), env(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		zone *caltime.Zone
		want time.Time
	}{{env(t).Site, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}, {tokyo, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}} {
		if got := v.Date("start_date", tt.zone).Wall; !got.Equal(tt.want) {
			t.Errorf("today in %s is %v, want %v", tt.zone, got, tt.want)
		}
	}
}

func TestNulls(t *testing.T) {
	t.Parallel()
	s := ofJSON(`{"password":null,"title":null,"excerpt":""}`)
	s.Path = map[string]string{"id": "10"}
	v, err := params.EventUpdate.Check(read(t, s), env(t))
	if err != nil {
		t.Fatal(err)
	}
	if !v.Null("password") || v.Has("password") || !v.Null("title") || v.Null("excerpt") ||
		!v.Has("excerpt") ||
		v.Null("slug") ||
		v.Has("slug") {
		t.Error("null, empty and not sent are not told apart")
	}
}

// A table that is part of another has places of its own for its rows.
func TestPartsOfTables(t *testing.T) {
	t.Parallel()
	all := params.EventList
	for from := range all {
		for to := from; to <= len(all); to++ {
			part := all[from:to]
			v, err := part.Check(read(t, ofQuery("page=3&order=desc&colour=red")), env(t))
			if err != nil {
				t.Fatal(err)
			}
			for i := range all {
				name := all[i].Name
				inside := from <= i && i < to
				if !inside {
					mustPanic(t, "Has of "+name, func() { v.Has(name) })
				} else if sent := name == "page" || name == "order"; v.Has(name) != sent {
					t.Fatalf("rows %d to %d: %s was sent: %t", from, to, name, sent)
				}
			}
		}
	}
}

func TestPoint(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                          "",
		"geoloc_lat=1&geoloc_lng=2": "point",
		"geoloc_lat=1":              "geoloc_lng must be given",
		"geoloc_lng=1":              "geoloc_lat must be given",
	} {
		v, err := params.EventList.Check(read(t, ofQuery(query)), env(t))
		if err != nil {
			t.Fatal(err)
		}
		lat, lng, ok, err := v.Point("geoloc_lat", "geoloc_lng")
		switch {
		case want == "point":
			if !ok || err != nil || lat != 1 || lng != 2 {
				t.Errorf("%s: %v, %v, %t, %v", query, lat, lng, ok, err)
			}
		case ok || (err == nil) != (want == ""):
			t.Errorf("%s: %t, %v", query, ok, err)
		case err != nil && !strings.HasPrefix(err.(*params.Invalid).Complaints[0].Reason, want):
			t.Errorf("%s: %+v", query, err)
		}
	}
}

func TestMistakesOfOursPanic(t *testing.T) {
	t.Parallel()
	v, err := params.EventList.Check(read(t, ofQuery("page=3")), env(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, mistake := range map[string]func(){
		"Has of no row":  func() { v.Has("colour") },
		"Null of no row": func() { v.Null("colour") },
		"Int of no row":  func() { v.Int("colour") },
		"Any of no row":  func() { v.Any("colour") },
		"Date of no row": func() { v.Date("colour", nil) },
		"row of no name": func() { v.Has("") },
		"Date of a page": func() { v.Date("page", nil) },
		"Text of a page": func() { v.Text("page") },
		"zero Values":    func() { new(params.Values).Text("page") },
	} {
		mustPanic(t, name, mistake)
	}
}

func mustPanic(t *testing.T, name string, mistake func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	mistake()
}
