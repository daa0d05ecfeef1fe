// Every filter has a model in the full scans.

package filters_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"almanac/filters"
	"almanac/internal/wire/params"
)

// A set counts the fields of a filter in which queries differ from one that asks for everything.
type set map[string]int

func (s set) note(filter, everything any) {
	asked := reflect.ValueOf(filter)
	all := reflect.ValueOf(everything)
	for i := range asked.NumField() {
		if asked.Type().Field(i).IsExported() &&
			!reflect.DeepEqual(asked.Field(i).Interface(), all.Field(i).Interface()) {
			s[asked.Type().Field(i).Name]++
		}
	}
}

// ofPages are fields that no parameter sets: a model of the days of pages has them (site:
// TestPageDaysOfModel), and Written is of lists for clients of the original.
var ofPages = []string{"Calendar", "Gone", "Runs", "Among", "Written"}

// The full scans know each parameter by which lists are filtered: a row of the tables without a
// field here fails, and so does a field that no random query sets, of which the scans would not
// notice that it has no effect.
func TestFullScansSetEveryFilter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t, rng, 250)
	events := set{}
	posts := set{}
	terms := set{}
	for range 2_000 {
		events.note(*randomEvents(rng, w).Events, *filters.AllEvents())
		posts.note(randomPosts(rng, w).Posts, filters.Posts{})
		terms.note(*randomTerms(rng, w), filters.Terms{})
	}
	// The fields behind each parameter; "" is none, where a list is cut, or shown in another way.
	linked := map[string]string{
		"page":               "",
		"per_page":           "",
		"search":             "Search",
		"event":              "Event Opens",
		"has_events":         "HasEvents",
		"only_with_upcoming": "Upcoming Ended",
		"status":             "Statuses Viewer Kind",
		"include":            "Include",
		"exclude":            "Exclude",
		"order":              "Desc",
		"orderby":            "OrderBy",
	}
	ofTerms := map[string]string{
		"page":       "",
		"per_page":   "",
		"search":     "Search",
		"exclude":    "Exclude",
		"include":    "Include",
		"order":      "Desc",
		"orderby":    "OrderBy",
		"hide_empty": "HideEmpty",
		"parent":     "Parent",
		"post":       "Event Opens",
		"event":      "Event Taxonomy",
		"slug":       "Slug",
	}
	for _, list := range []struct {
		name   string
		table  params.Table
		set    set
		fields map[string]string
		filter any
	}{
		{"events", params.EventList, events, map[string]string{"page": "", "per_page": "", "start_date": "Start End", "end_date": "Start End",
			"starts_before": "Start", "starts_after": "Start", "ends_before": "End", "ends_after": "End", "strict_dates": "Start End",
			"when": "Day Lasting", "months": "", "search": "Search", "search_names": "Names", "categories": "Categories",
			"tags": "Tags", "venue": "Venues",
			"organizer": "Organizers", "featured": "Featured", "status": "Statuses Viewer", "geoloc": "Located", "geoloc_lat": "Near",
			"geoloc_lng": "Near", "geoloc_radius": "Near", "include": "Include", "post_parent": "Parent", "ticketed": "Ticketed", "order": "Desc",
			"orderby": "OrderBy", "modified_after": "ModifiedAfter", "modified_before": "ModifiedBefore", "slug": "Slug", "password": "Opens",
			"series": "Series Recurring HiddenSeries", "first_of_series": "FirstOfSeries", "free": "Free", "event_status": "States"},
			filters.Events{}},
		{"venues", params.VenueList, posts, linked, filters.Posts{}},
		{"organizers", params.OrganizerList, posts, linked, filters.Posts{}},
		{"categories", params.CategoryList, terms, ofTerms, filters.Terms{}},
		{"tags", params.TagList, terms, ofTerms, filters.Terms{}},
	} {
		behind := map[string]bool{}
		for _, row := range list.table {
			fields, ok := list.fields[row.Name]
			if !ok {
				t.Errorf(
					"the full scan of %s has no model of the parameter %s",
					list.name,
					row.Name,
				)
			}
			for field := range strings.FieldsSeq(fields) {
				behind[field] = true
			}
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(list.filter)) {
			if !field.IsExported() || slices.Contains(ofPages, field.Name) {
				continue
			}
			if list.set[field.Name] == 0 {
				t.Errorf("the full scan of %s asks no query with %s", list.name, field.Name)
			}
			if !behind[field.Name] && list.name != "tags" {
				t.Errorf("no parameter of %s sets %s", list.name, field.Name)
			}
			delete(behind, field.Name)
		}
		for field := range behind {
			t.Errorf("a filter of %s has no field %s", list.name, field)
		}
	}
}
