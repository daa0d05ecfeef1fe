// Checking members of records against their table.

package seed

import (
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

const (
	nameMember    = "$name"    // name for references to the record
	commentMember = "$comment" // note for readers
)

// required are the mandatory members of each kind.
var required = map[store.Kind][]string{
	store.Events:     {"start_date", "end_date"},
	store.Venues:     {"venue"},
	store.Organizers: {"organizer"},
	store.Categories: {"name"},
	store.Tags:       {"name"},
	store.Images:     {"url"},
	store.AllSeries:  {"start_date", "end_date"},
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

// forms are the values that the members of a class may have: their first bytes, with 0 for all
// numbers, and a description.
var forms = map[intake.Class]struct{ kinds, text string }{
	intake.Text:        {`"0`, "a text"},
	intake.Truth:       {`"0tf`, "true or false"},
	intake.WholeNumber: {`"0`, "a whole number"},
	intake.Decimal:     {`"0`, "a number"},
	intake.EventDate:   {`"0`, "a date, which is a text"},
	intake.SiteDate:    {`"0`, "a date, which is a text"},
	intake.Recurring: {
		`"{`,
		`an object such as {"rule":"FREQ=WEEKLY;BYDAY=TU"}, or a text such as "RRULE:FREQ=WEEKLY;BYDAY=TU"`,
	},
	intake.TextList: {`[`, "a list of texts"},
}

// fit returns the required form of a member's value if the value has another, else "". It does not
// parse numbers in texts.
func fit(m intake.Member, v *jsonio.Value) (must string) {
	form := forms[m.Base()]
	if v.IsNull() || strings.IndexByte(form.kinds, v.Kind()) >= 0 ||
		v.IsNumber() && strings.Contains(form.kinds, "0") {
		return ""
	}
	return form.text
}

// one returns a kind in the singular, with its article.
func one(k store.Kind) string {
	return map[store.Kind]string{
		store.Events:     "an event",
		store.Venues:     "a venue",
		store.Organizers: "an organizer",
		store.Categories: "a category",
		store.Tags:       "a tag",
		store.Images:     "an image",
		store.AllSeries:  "a series",
	}[k]
}
