package desk_test

import (
	"regexp"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/wire/params"
)

// otherFields are the fields of the forms for members of the API that have other names there.
var otherFields = map[string]string{
	"events.start_date":          "date",
	"events.end_date":            "ends",
	"events.all_day":             "starts",
	"events.hide_from_listings":  "hide",
	"events.timezone":            "zone",
	"events.recurrence":          "repeat",
	"events.date_utc":            "publish",
	"events.event_status_reason": "reason",
	"events.rescheduled":         "tell",
	"venues.venue":               "name",
	"organizers.organizer":       "name",
}

// Reasons of members that no form has.
const (
	byButton  = "a button of the page changes it"
	later     = "the page of the event has it, not that of a new one"
	ofWriter  = "it is the writer, and the present"
	ofMap     = "pages show no map of others"
	ofMachine = "programs set it, and keepers do not"
)

// elsewhere are the members that no field of a form has, with the reason.
var elsewhere = map[string]string{
	"events.author":              ofWriter,
	"events.excerpt":             ofMachine,
	"events.status":              byButton,
	"events.show_map":            ofMap,
	"events.show_map_link":       ofMap,
	"events.ticketed":            ofMachine,
	"events.post_parent":         ofMachine,
	"events.event_status":        byButton,
	"events.event_status_reason": later,
	"events.rescheduled":         later,
	"venues.author":              ofWriter,
	"venues.date":                ofWriter,
	"venues.date_utc":            ofWriter,
	"venues.status":              byButton,
	"venues.show_map":            ofMap,
	"venues.show_map_link":       ofMap,
	"venues.province":            ofMachine,
	"venues.state":               ofMachine,
	"venues.stateprovince":       ofMachine,
	"venues.image":               ofMachine,
	"venues.geo_lat":             ofMachine,
	"venues.geo_lng":             ofMachine,
	"organizers.author":          ofWriter,
	"organizers.date":            ofWriter,
	"organizers.date_utc":        ofWriter,
	"organizers.status":          byButton,
	"organizers.image":           ofMachine,
	"categories.slug":            ofMachine,
	"categories.parent":          ofMachine,
	"tags.slug":                  ofMachine,
}

// Each member that a program may send has its field in the form, or a reason to have none, so that
// nobody forgets the form of a new one.
func TestFormsHaveMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin := w.as(account.Administrator)
	admin.post("/desk/categories/new", "name", "Music") // a form offers the categories there are
	names := regexp.MustCompile(` name="([a-z_]+)(?:\[\])?"`)
	for path, table := range map[string]params.Table{
		"events":     params.EventCreate,
		"venues":     params.VenueCreate,
		"organizers": params.OrganizerCreate,
		"categories": params.CategoryCreate,
		"tags":       params.TagCreate,
	} {
		shown := map[string]bool{}
		for _, m := range names.FindAllStringSubmatch(admin.get("/desk/"+path+"/new").body, -1) {
			shown[m[1]] = true
		}
		for _, row := range table {
			member := path + "." + row.Name
			name, isOther := otherFields[member]
			if !isOther {
				name = row.Name
			}
			switch {
			case !shown[name] && elsewhere[member] == "":
				t.Errorf("%s: no field of the form has it; add one, or the reason to this test", member)
			case shown[name] && elsewhere[member] != "":
				t.Errorf("%s has a field, and a reason to have none", member)
			}
		}
	}
}
