// The tables: complete, in order, and without a mistake that shows at start.

package params_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/wire/params"
)

func TestRows(t *testing.T) {
	t.Parallel()
	for _, name := range tableNames() {
		seen := map[string]bool{}
		own := false
		for _, r := range tables[name] {
			switch {
			case r.Name == "" || r.Doc == "" || strings.Trim(r.Name+r.Doc, "abcdefghijklmnopqrstuvwxyz_.") != "":
				t.Errorf("%s: a row named %q, described by %q", name, r.Name, r.Doc)
			case seen[r.Name]:
				t.Errorf("%s: two rows named %q", name, r.Name)
			case own && !r.Own:
				t.Errorf("%s: %s, of the specification, stands behind an addition", name, r.Name)
			case r.Path && !r.Required:
				t.Errorf("%s: %s is in the path and not required", name, r.Name)
			case r.Default != nil && r.Dynamic != nil:
				t.Errorf("%s: %s has two defaults", name, r.Name)
			}
			seen[r.Name] = true
			own = r.Own
			if number, is := r.Value(env(t)).(int); is {
				t.Errorf(
					"%s: the default of %s is %d of type int, want int64 or float64",
					name,
					r.Name,
					number,
				)
			}
			switch r.Kind {
			case params.ID,
				params.Digits,
				params.Slug,
				params.IDs,
				params.TermIDs,
				params.Terms,
				params.TermRefs,
				params.Links:
				if r.Of == params.Nothing && !r.Path {
					t.Errorf("%s: %s is of nothing", name, r.Name)
				}
			}
			if got, ok := tables[name].Row(r.Name); !ok || got.Doc != r.Doc {
				t.Errorf("%s: Row does not find %s", name, r.Name)
			}
		}
		if _, ok := tables[name].Row("no such name"); ok {
			t.Errorf("%s: Row finds what is not there", name)
		}
	}
}

// The parameters of the specification, section by section: ! is required,
// = has that default, and what follows a | is an addition.
func TestSpecification(t *testing.T) {
	t.Parallel()
	const (
		states = "event_status event_status_reason rescheduled"
		event  = "author date date_utc title! description slug excerpt status timezone all_day=false start_date! end_date! image " +
			"cost website=null " +
			"show_map show_map_link hide_from_listings sticky featured categories=null tags=null venue=null organizer=null"
		venue = "author date date_utc venue! description=null status show_map=null show_map_link=null address=null city=null country=null " +
			"province=null state=null zip=null phone=null stateprovince=null website=null image=null | geo_lat geo_lng"
		organizer = "author=null date=null date_utc=null organizer!=null description=null status=null phone=null website=null " +
			"email=null image=null"
		list  = "page=1 per_page=12 search event has_events only_with_upcoming=false status | include exclude order orderby"
		terms = "page=1 per_page=12 search exclude include order orderby hide_empty=true post event slug"
	)
	optional := func(s string) string { return strings.ReplaceAll(s, "!", "") }
	withoutSlug := strings.Replace(optional(event), " slug", "", 1)
	want := map[string]string{
		"Index": "namespace=cal/events/v1 context=view",
		"None":  "", "Changes": "| since per_page=100", "MediaCreate": "| title alt caption focus_x=50 focus_y=50",
		"EventList": "page=1 per_page=12 start_date=2026-11-19 18:59:00 end_date=2028-11-20 23:48:12 starts_before starts_after " +
			"ends_before ends_after strict_dates=false " +
			"search categories tags venue organizer featured status geoloc geoloc_lat geoloc_lng include post_parent ticketed | " +
			"geoloc_radius=40 order orderby modified_after modified_before slug password series first_of_series when free event_status months " +
			"search_names",
		"EventCreate": event + " | virtual_url ticketed post_parent " + states + " recurrence password",
		"EventRead":   "id! password",
		"EventUpdate": "id! password " + optional(
			event,
		) + " | virtual_url ticketed post_parent " + states + " recurrence scope=this",
		"EventDelete":       "id! password | scope=this",
		"EventReadBySlug":   "slug! | password",
		"EventUpdateBySlug": "slug " + withoutSlug + " | virtual_url ticketed post_parent " + states + " recurrence password scope=this",
		"EventDeleteBySlug": "slug! | password scope=this",
		"SeriesList":        "| page=1 per_page=12 include password", "SeriesRead": "| id! password",
		"VenueList": list, "VenueCreate": venue, "VenueRead": "id!", "VenueUpdate": "id! " + optional(venue),
		"VenueReadBySlug": "slug!", "VenueUpdateBySlug": "slug! " + optional(venue),
		"OrganizerList": list, "OrganizerCreate": organizer, "OrganizerRead": "id!", "OrganizerUpdate": "id! " + optional(organizer),
		"OrganizerReadBySlug": "slug!", "OrganizerUpdateBySlug": "slug! " + optional(organizer),
		"CategoryList":   strings.Replace(terms, "post", "parent post", 1),
		"CategoryCreate": "name! description slug parent", "CategoryRead": "id!", "CategoryUpdate": "id! name description slug parent",
		"TagList": terms, "TagCreate": "name! description slug", "TagRead": "id!", "TagUpdate": "id! name description slug",
	}
	e := env(t)
	e.PerPage = 12
	e.Namespace = "cal/events/v1"
	for _, name := range tableNames() {
		var words []string
		for _, r := range tables[name] {
			word := r.Name
			if r.Required {
				word += "!"
			}
			switch value := r.Value(e); value {
			case nil:
			case params.Null:
				word += "=null"
			default:
				word += fmt.Sprint("=", value)
			}
			if r.Own && !slices.Contains(words, "|") {
				words = append(words, "|")
			}
			words = append(words, word)
		}
		if diff := cmp.Diff(want[name], strings.Join(words, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNullIsShownAsNull(t *testing.T) {
	t.Parallel()
	text, err := params.Null.MarshalJSON()
	if string(text) != "null" || err != nil {
		t.Errorf("%s, %v", text, err)
	}
}

// A check needs no memory beside that of its result.
func TestCheckAllocates(t *testing.T) {
	e := env(t)
	in := read(t, ofQuery(""))
	for _, name := range tableNames() {
		table := tables[name]
		if required := slices.ContainsFunc(table, func(r params.Row) bool { return r.Required }); required ||
			len(table) == 0 {
			continue
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = table.Check(in, e) }); n > 2 {
			t.Errorf(
				"%s: %v allocations, want one for the values and one for what was sent",
				name,
				n,
			)
		}
	}
}
