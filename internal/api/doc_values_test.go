// Values for everything that the document says can be sent.

package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// also has the further parameters that some parameters need.
var also = map[string]string{
	"geoloc_lat":    "&geoloc_lng=1",
	"geoloc_lng":    "&geoloc_lat=1",
	"geoloc_radius": "&geoloc_lat=1&geoloc_lng=1",
}

// value returns a value that a parameter of a list takes.
func (x *exercise) value(name string) string {
	if value, ok := map[string]string{
		"page": "1", "per_page": "2", "strict_dates": "true", "search": "a", "featured": "false", "status": "publish", "geoloc": "true",
		"ticketed": "false",
		"order":    "asc", "slug": "whole", "categories": "2", "tags": "3", "venue": "2", "organizer": "3", "event": "4", "post": "4",
		"post_parent": "4",
		"parent":      "1", "include": exercised[x.kind].whole, "exclude": exercised[x.kind].whole, "has_events": "true",
		"only_with_upcoming": "true", "hide_empty": "false",
		"orderby": "id", "version": "3.1", "namespace": "cal/events/v1", "context": "view",
		"geoloc_lat": "1", "geoloc_lng": "1", "geoloc_radius": "9",
		"series": "11", "first_of_series": "true", "expand": "true", "since": "",
		"when": "week", "free": "true", "months": "6", "search_names": "true", "event_status": "scheduled,canceled", "status_prefix": "false",
	}[name]; ok {
		return value
	}
	return "2027-01-01" // a date
}

// body returns a body with every field of the operation except some, "" for one
// without.
func (x *exercise) body(except ...string) string {
	if !x.sendsAll() {
		return ""
	}
	fields := map[string]any{}
	for i := range x.op.Params {
		if row := &x.op.Params[i]; !row.Path && !slices.Contains(except, row.Name) {
			fields[row.Name] = x.field(row.Name)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(text)
}

// field returns a value that a field of a body takes.
func (x *exercise) field(name string) any {
	if value, ok := map[string]any{
		"into":   map[string]int{"venues": 7, "organizers": 9, "categories": 1, "tags": 4}[x.kind],
		"author": 1, "date": "2026-11-20 10:00:00", "date_utc": "2026-11-20 10:00:00", "status": "publish", "timezone": "Europe/Paris",
		"all_day": false, "start_date": "2027-01-01 10:00", "end_date": "2027-01-01 11:00", "image": 1, "cost": "$5",
		"website": "https://w.example.org", "virtual_url": "https://m.example.org",
		"show_map": true, "show_map_link": true, "hide_from_listings": false, "sticky": true, "featured": true, "ticketed": true,
		"post_parent": 0,
		"categories":  []int{2}, "tags": []int{3}, "organizer": []int{3}, "venue": []int{2}, "parent": 1, "geo_lat": 1.5, "geo_lng": 2.5,
		"recurrence": map[string]any{"rule": "FREQ=WEEKLY;COUNT=2"}, "scope": "all",
		"event_status": "canceled", "rescheduled": false,
	}[name]; ok && name != strings.TrimSuffix(x.kind, "s") {
		return value
	}
	return "sent " + name + " " + strconv.Itoa(len(x.method))
}

// TestExercisedFields sees that the values above are as the document has them.
func TestExercisedFields(t *testing.T) {
	schemas := map[string]string{
		"events":     "Event",
		"venues":     "Venue",
		"organizers": "Organizer",
		"categories": "Category",
		"tags":       "Tag",
	}
	done := map[string]bool{}
	eachOperation(func(method, path string, op *Op) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		x := &exercise{t: t, method: method, path: path, op: op, kind: kind}
		verb := map[bool]string{true: "Update", false: "Create"}[x.item()]
		if _, ok := schemas[kind]; !ok || !x.sendsAll() || done[kind+verb] {
			return
		}
		done[kind+verb] = true
		var value any
		if err := json.NewDecoder(bytes.NewReader([]byte(x.body()))).Decode(&value); err != nil {
			t.Fatal(err)
		}
		for _, complaint := range document().Value(schemas[kind]+verb, value) {
			t.Error(complaint)
		}
	})
	if want := 2 * len(schemas); len(done) != want {
		t.Errorf("%d bodies, want %d: %v", len(done), want, slices.Sorted(maps.Keys(done)))
	}
}
