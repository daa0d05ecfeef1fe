// Checking members of records against their table.

package seed

import (
	"strings"

	"almanac/internal/intake"
	"almanac/internal/jsonin"
	"almanac/store"
)

const (
	nameMember    = "$name"    // name for references to the record
	commentMember = "$comment" // note for readers
)

// required are the mandatory members of each kind.
var required = map[store.Kind][]string{
	store.Events: {"start_date", "end_date"}, store.Venues: {"venue"}, store.Organizers: {"organizer"},
	store.Categories: {"name"}, store.Tags: {"name"}, store.Images: {"url"},
	store.AllSeries: {"start_date", "end_date"},
}

// namesOf returns the valid members of a record.
func namesOf(k store.Kind) (names []string) {
	for _, m := range intake.Table[k] {
		if !m.Is(intake.Derived) {
			names = append(names, m.Name)
		}
	}
	return names
}

// fit returns the required form of a member's value if the value has another, else "". It does not parse numbers in
// texts.
func fit(m intake.Member, v *jsonin.Value) (must string) {
	is := func(kinds string) bool {
		return v.IsNull() || v.IsNumber() && strings.Contains(kinds, "0") || strings.IndexByte(kinds, v.Kind()) >= 0
	}
	switch {
	case m.Is(intake.Text) && !is(`"0`):
		return "a text"
	case m.Is(intake.Truth) && !is(`tf"0`):
		return "true or false"
	case m.Is(intake.WholeNumber) && !is(`"0`):
		return "a whole number"
	case m.Is(intake.Decimal) && !is(`"0`):
		return "a number"
	case (m.Is(intake.EventDate) || m.Is(intake.SiteDate)) && !is(`"0`):
		return "a date, which is a text"
	case m.Is(intake.Recurring) && !is(`{"`):
		return `an object such as {"rule":"FREQ=WEEKLY;BYDAY=TU"}, or a text such as "RRULE:FREQ=WEEKLY;BYDAY=TU"`
	case m.Is(intake.TextList) && !is(`[`):
		return "a list of texts"
	}
	return ""
}

// one returns a kind in the singular, with its article.
func one(k store.Kind) string {
	return map[store.Kind]string{
		store.Events: "an event", store.Venues: "a venue", store.Organizers: "an organizer",
		store.Categories: "a category", store.Tags: "a tag", store.Images: "an image", store.AllSeries: "a series",
	}[k]
}
