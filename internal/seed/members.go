// The members of records: one table, which checking and references go by.

package seed

import (
	"slices"
	"strings"

	"almanac/internal/jsonin"
	"almanac/store"
)

// Members that are for the seed alone.
const (
	nameMember    = "$name"    // what others refer to the record by
	commentMember = "$comment" // what people want to note
)

// A class is what a member may hold.
type class int

const (
	plainText   class = iota // a text, or a number, which is taken as it is written
	truth                    // true or false
	wholeNumber              // or its digits as a text
	decimal                  // the same
	eventDate                // a date, by the clocks of the event's zone
	siteDate                 // a date, by the clocks of the site, or in UTC
	reference                // a record of a kind, or a list of them
	textList                 // a list of texts
	freeForm                 // what the member says
	derived                  // anything: it follows from other members, and is not taken
)

// A row is a member that records of a kind have.
type row struct {
	name  string
	class class
	to    store.Kind // of a reference
}

// rows returns a row for each of some names.
func rows(c class, names string) (all []row) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, row{name: name, class: c})
	}
	return all
}

// The members that events, venues and organizers have in common, and categories
// and tags.
var (
	postRows = slices.Concat(
		rows(wholeNumber, `id author`), rows(plainText, `slug status description excerpt`), rows(truth, `undated local_date was_draft`),
		rows(siteDate, `date date_utc modified modified_utc`), rows(textList, `global_id_lineage`), rows(derived, `global_id url json_ld`),
		[]row{{"image", reference, store.Images}})
	termRows = slices.Concat(
		rows(wholeNumber, `id`), rows(plainText, `name slug description`),
		rows(derived, `term_group term_taxonomy_id taxonomy count filter url urls meta _links`))
)

// table has the members of each kind.
var table = map[store.Kind][]row{
	store.Events: slices.Concat(postRows,
		rows(plainText, `title timezone website currency_symbol currency_code currency_position password stored_password`),
		rows(eventDate, `start_date end_date`), rows(freeForm, `cost cost_details`),
		rows(truth, `all_day show_map show_map_link hide_from_listings sticky featured ticketed`),
		rows(derived, `rest_url timezone_abbr start_date_details end_date_details utc_start_date utc_start_date_details utc_end_date
			utc_end_date_details custom_fields`),
		[]row{
			{"categories", reference, store.Categories}, {"tags", reference, store.Tags}, {"venue", reference, store.Venues},
			{"organizer", reference, store.Organizers}, {"post_parent", reference, store.Events},
		}),
	store.Venues: slices.Concat(postRows,
		rows(plainText, `venue address city country province state zip phone website stateprovince`), rows(decimal, `geo_lat geo_lng`),
		rows(truth, `show_map show_map_link`)),
	store.Organizers: slices.Concat(postRows, rows(plainText, `organizer phone website email`)),
	store.Categories: slices.Concat(termRows, []row{{"parent", reference, store.Categories}}),
	store.Tags:       slices.Concat(termRows, rows(derived, `parent`)),
	store.Images: slices.Concat(rows(wholeNumber, `id width height filesize`), rows(plainText, `url extension original_image`),
		rows(freeForm, `sizes`)),
}

// required are the members that records of a kind cannot do without.
var required = map[store.Kind][]string{
	store.Events: {"start_date", "end_date"}, store.Venues: {"venue"}, store.Organizers: {"organizer"},
	store.Categories: {"name"}, store.Tags: {"name"}, store.Images: {"url"},
}

// rowOf returns the row of a member.
func rowOf(k store.Kind, name string) (row, bool) {
	for _, r := range table[k] {
		if r.name == name {
			return r, true
		}
	}
	return row{}, false
}

// namesOf returns the members that a record may be written with.
func namesOf(k store.Kind) (names []string) {
	for _, r := range table[k] {
		if r.class != derived {
			names = append(names, r.name)
		}
	}
	return names
}

// fits says what a member of a class must be, if a value is not that. Whether a
// text is a number is asked later.
func (c class) fits(v *jsonin.Value) (must string) {
	is := func(kinds string) bool {
		return v.IsNull() || v.IsNumber() && strings.Contains(kinds, "0") || strings.IndexByte(kinds, v.Kind()) >= 0
	}
	switch {
	case c == plainText && !is(`"0`):
		return "a text"
	case c == truth && !is(`tf"0`):
		return "true or false"
	case c == wholeNumber && !is(`"0`):
		return "a whole number"
	case c == decimal && !is(`"0`):
		return "a number"
	case (c == eventDate || c == siteDate) && !is(`"0`):
		return "a date, which is a text"
	case c == textList && !is(`[`):
		return "a list of texts"
	}
	return ""
}

// one returns a kind in the singular, with its article.
func one(k store.Kind) string {
	return map[store.Kind]string{
		store.Events: "an event", store.Venues: "a venue", store.Organizers: "an organizer",
		store.Categories: "a category", store.Tags: "a tag", store.Images: "an image",
	}[k]
}
