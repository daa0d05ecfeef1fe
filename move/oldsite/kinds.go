package oldsite

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/wire/params"
)

// A Kind is a kind of record with a list of its own.
type Kind struct {
	Name  string       // of the route and the member: events
	Title string       // member with the name of a record
	List  params.Table // parameters of the list
	All   url.Values   // parameters for a list of all
}

// Kinds are all kinds. Events show records of the kinds before them.
var Kinds = []Kind{
	{"categories", "name", params.CategoryList, url.Values{"hide_empty": {"false"}}},
	{"tags", "name", params.TagList, url.Values{"hide_empty": {"false"}}},
	{"venues", "venue", params.VenueList, nil},
	{"organizers", "organizer", params.OrganizerList, nil},
	{"events", "title", params.EventList, url.Values{
		"start_date": {"1900-01-01"},
		"end_date":   {"9000-01-01"},
	}}, // known to all versions
}

// Linked are the kinds of the records in members of events.
var Linked = map[string]string{
	"venue":      "venues",
	"organizer":  "organizers",
	"categories": "categories",
	"tags":       "tags",
}

// Page returns the parameters for a page of the list of all.
func (k Kind) Page(number int) url.Values {
	query := url.Values{"per_page": {strconv.Itoa(PageSize)}, "page": {strconv.Itoa(number)}}
	maps.Copy(query, k.All)
	return query
}

// KindOf returns the kind with a name, which exists.
func KindOf(name string) Kind {
	return Kinds[slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })]
}

// IsProtected reports whether a password hides the content of a record: its flags are null, and
// the name of a venue or organizer is an empty list.
func (k Kind) IsProtected(record Object) bool {
	isNull := func(flag string) bool {
		value, has := record[flag]
		return has && value == nil
	}
	_, isList := record[k.Title].([]any)
	return isList || isNull("all_day") || isNull("show_map")
}

// HasOffset matches zones in which The Events Calendar gives events the summer time of a city.
var HasOffset = regexp.MustCompile(`^UTC[+-]`)

// fixed are the values of parameters by which every record is found.
var fixed = map[string]string{
	"page":               "2",
	"per_page":           "3",
	"status":             "publish",
	"has_events":         "true",
	"only_with_upcoming": "false",
	"strict_dates":       "true",
	"ticketed":           "false",
	"hide_empty":         "true",
	"order":              "desc",
	"orderby":            "slug",
}

// Sample returns a value of a parameter of a list that finds a record, which an event shows, or ""
// if there is none. If the value is an id, of is the kind of its record.
func (k Kind) Sample(row *params.Row, record, event Object) (value, of string) {
	var linked Object
	if records := Records(record[row.Name]); len(records) > 0 {
		linked = records[0]
	}
	var id any
	switch {
	case row.Kind == params.Date && strings.HasPrefix(row.Name, "end"):
		return Text(record["end_date"]), ""
	case row.Kind == params.Date:
		return Text(record["start_date"]), ""
	case row.Kind == params.Terms:
		return Slug(linked), ""
	case row.Name == "featured":
		return Text(record["featured"]), ""
	case row.Name == "search":
		return longest(Text(record[k.Title])), ""
	case row.Name == "slug":
		return Slug(record), ""
	case row.Kind == params.IDs:
		of = Linked[row.Name]
		id = linked["id"]
	case row.Kind == params.Include || row.Kind == params.TermIDs:
		of = k.Name
		id = record["id"]
	case row.Name == "parent":
		of = k.Name
		id = record["parent"]
	case row.Name == "post" || row.Name == "event":
		of = "events"
		id = event["id"]
	default:
		return fixed[row.Name], ""
	}
	if Number(id) == 0 {
		return "", ""
	}
	return Text(id), of
}

// Query returns parameters of a list with a value of Sample.
func (k Kind) Query(row *params.Row, value string, record Object) url.Values {
	query := url.Values{row.Name: {value}}
	switch {
	case row.Name == "page":
		query.Set("per_page", "5")
		return query
	case row.Name == "include" && k.Name == "events": // in The Events Calendar, the default dates count else
		query.Set("starts_after", "1900-01-01")
	case row.Name == "end_date", row.Name == "strict_dates":
		query.Set("start_date", Text(record["start_date"]))
	}
	for name, values := range k.All {
		if !query.Has(name) && row.Kind != params.Date && row.Name != "strict_dates" {
			query[name] = values
		}
	}
	if !query.Has("per_page") {
		query.Set("per_page", strconv.Itoa(PageSize))
	}
	return query
}

// longest returns the longest word of English letters: The Events Calendar finds no other words of
// venues.
func longest(name string) (word string) {
	for _, w := range strings.Fields(name) {
		if len(w) > len(word) &&
			strings.IndexFunc(
				w,
				func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) },
			) < 0 {
			word = w
		}
	}
	return word
}
