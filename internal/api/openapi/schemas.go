// The schemas of the document: records, lists and errors. The schemas of the original come first,
// under its names and with its members in its order, but with the types that are really sent.

package openapi

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/text/cost"
	"almanac/internal/text/jsonio"
	"almanac/store/record"
)

// A schema is a schema object of OpenAPI 3.0.
type schema struct {
	Ref         string         `json:"$ref,omitempty"` // nothing may stand beside it
	Title       string         `json:"title,omitempty"`
	Type        any            `json:"type,omitempty"` // a name; in 3.1 also a list of names
	Format      string         `json:"format,omitempty"`
	Description string         `json:"description,omitempty"`
	Nullable    bool           `json:"nullable,omitempty"`
	Enum        []any          `json:"enum,omitempty"`
	Default     any            `json:"default,omitempty"`
	Minimum     any            `json:"minimum,omitempty"`
	MinLength   int            `json:"minLength,omitempty"`
	Items       *schema        `json:"items,omitempty"`
	Required    []string       `json:"required,omitempty"`
	Properties  *jsonio.Object `json:"properties,omitempty"`
	Additional  *schema        `json:"additionalProperties,omitempty"`
	OneOf       []*schema      `json:"oneOf,omitempty"`
	AllOf       []*schema      `json:"allOf,omitempty"`
}

// schemaPath is where schemas are in the document.
const schemaPath = "#/components/schemas/"

func ref(name string) *schema       { return &schema{Ref: schemaPath + name} }
func arrayOf(items *schema) *schema { return &schema{Type: "array", Items: items} }

// schemaOf returns the schema of a short form: the name of a type, a format or a schema. "[]"
// stands before the items of a list, "{}" before the members of an object, "|" between
// alternatives, and "|null" behind a value that may be null.
func schemaOf(form string) *schema {
	if form, ok := strings.CutSuffix(form, "|null"); ok {
		s := schemaOf(form)
		s.Nullable = true
		return s
	}
	if forms := strings.Split(form, "|"); len(forms) > 1 {
		s := &schema{}
		for _, one := range forms {
			s.OneOf = append(s.OneOf, schemaOf(one))
		}
		return s
	}
	if items, ok := strings.CutPrefix(form, "[]"); ok {
		return arrayOf(schemaOf(items))
	}
	if members, ok := strings.CutPrefix(form, "{}"); ok {
		return &schema{Type: "object", Additional: schemaOf(members)}
	}
	switch form {
	case "any":
		return &schema{}
	case "false":
		return &schema{Type: "boolean", Enum: []any{false}}
	case "id":
		return &schema{Type: "integer", Minimum: 1}
	case "name":
		return &schema{Type: "string", MinLength: 1}
	case "uri", "date-time":
		return &schema{Type: "string", Format: form}
	case "double":
		return &schema{Type: "number", Format: form}
	}
	if 'A' <= form[0] && form[0] <= 'Z' {
		return ref(form)
	}
	return &schema{Type: form}
}

// describe adds a text. Beside a reference it would not be read, so the
// reference goes one deeper.
func (s *schema) describe(text string) *schema {
	if s.Ref != "" {
		s = &schema{AllOf: []*schema{s}}
	}
	s.Description = text
	return s
}

// A property is a member of an object. Its name ends in a question mark when it
// is not always there.
type property struct {
	name   string
	schema *schema
	of     string // the schema with the member's text; "" for its own
}

// properties reads members that commas divide: of each its name, the short form of its schema, and
// the schema with its text.
func properties(members string) (all []property) {
	for one := range strings.SplitSeq(members, ",") {
		words := append(strings.Fields(one), "")
		all = append(all, property{words[0], schemaOf(words[1]), words[2]})
	}
	return all
}

// object describes an object whose members are properties.
func (d *API) object(name string, members []property) *schema {
	s := &schema{
		Type:        "object",
		Description: d.text("schema." + name),
		Properties:  &jsonio.Object{},
	}
	for _, p := range members {
		member, optional := strings.CutSuffix(p.name, "?")
		if !optional {
			s.Required = append(s.Required, member)
		}
		s.Properties.Add(member, p.schema.describe(d.text(cmp.Or(p.of, name)+"."+member)))
	}
	return s
}

// schemas returns all schemas of the document.
func (d *API) schemas() jsonio.Object {
	var all jsonio.Object
	add := func(name string, members []property) { all.Add(name, d.object(name, members)) }
	add(
		"ImageSize",
		properties(
			"width integer, height integer, mime-type? string, url uri, filesize? integer, uncropped? boolean",
		),
	)
	costs := properties(
		"currency_symbol string, currency_position string, values []string, currency_code string",
	)
	costs[1].schema.Enum = []any{"", cost.Prefix, cost.Postfix, cost.Suffix}
	add("CostDetails", costs)
	add("Term", termProperties())
	add(
		"Image",
		properties(
			"url uri, id integer, extension? string, width? integer, height? integer, sizes? {}ImageSize, "+
				"filesize? integer, original_image? string",
		),
	)
	add("Media", mediaProperties())
	add(
		"DateDetails",
		properties(
			"year string, month string, day string, hour string, minutes string, seconds string",
		),
	)
	add("Recurrence", properties("series integer, rule string, start string, changed boolean, "+
		"made? []integer, kept? []integer, removed? []integer"))
	add("CustomField", properties("label string, value string"))
	add("Event", eventProperties())
	next := d.object("SeriesNext", properties("id integer Record, start_date string Event"))
	next.Nullable = true
	all.Add("SeriesNext", next)
	add("Series", seriesProperties())
	add("Venue", venueProperties())
	add("Organizer", organizerProperties())

	for _, g := range groups {
		if g.schema != "" {
			all.Add(listName(g), d.list(g))
		}
	}
	revision := properties(
		"number integer revision, modified date-time, operation string, account object|null, changes {}object",
	)
	revision[2].schema.Enum = []any{
		"created",
		"changed",
		"published",
		"trashed",
		"restored",
		"merged",
		"written",
	}
	add("Revision", revision)
	all.Add("RevisionList", d.list(group{"revisions", "Revision", "Revision"}))
	add("TermURLs", properties("self uri, collection uri, up? uri"))
	d.inputSchemas(&all)
	add(
		"Error",
		properties("code string, message string, data ErrorData, additional_data? []integer"),
	)
	// Names of missing parameters are a list, reasons against bad ones an object, and details an
	// empty list when there are none: as existing clients know them.
	add(
		"ErrorData",
		properties(
			"status integer, params? []string|{}string, details? []any|{}object, term_id? integer, "+
				"json_error_code? integer, json_error_message? string",
		),
	)
	return all
}

// postProperties are the members that events, venues and organizers begin with,
// as far as the status.
func postProperties(author string) []property {
	return properties(
		"id integer Record, global_id string Record, global_id_lineage []string Record, " + author + " string Record, " +
			"date string Record, date_utc string Record, modified string Record, modified_utc string Record, " +
			"status string Record, url uri Record",
	)
}

// plainProperties describes plain fields. Events always have them, and their flags may be null;
// other records leave out empty texts.
func plainProperties[T any](
	optional string,
	fields []record.Field[T],
	from, to string,
) (all []property) {
	for _, f := range record.PlainFields(fields, from, to) {
		p := property{name: f.Member() + optional, schema: schemaOf("string")}
		if f.IsFlag() {
			p = property{
				name: f.Member(),
				schema: &schema{
					Type:     "boolean",
					Nullable: optional == "",
				},
			}
		} else if p.name == "phone?" || p.name == "website?" {
			p.of = "Record"
		}
		all = append(all, p)
	}
	return all
}

func eventProperties() []property {
	last := properties(
		"post_parent integer, event_status string, event_status_reason? string, previous_start_date? string, " +
			"recurrence? Recurrence, json_ld? object Record, is_virtual? boolean, virtual_url? string",
	)
	last[1].schema.Enum = []any{"scheduled", record.Canceled, record.Postponed}
	return slices.Concat(
		postProperties("author"),
		properties("rest_url uri, title string, "+
			"description string Record, excerpt string Record, slug string Record, image false|Image, all_day boolean|null, "+
			"start_date string, start_date_details DateDetails, end_date string, end_date_details DateDetails, "+
			"utc_start_date string, utc_start_date_details DateDetails, utc_end_date string, utc_end_date_details DateDetails, "+
			"timezone string, timezone_abbr string, cost string, cost_details CostDetails, cost_text? string, website string"),
		plainProperties("", record.EventFields, "show_map", "ticketed"),
		properties(
			"categories []Term, tags []Term, venue Venue|[]Venue, organizer []Organizer, custom_fields []any|{}CustomField Record",
		),
		plainProperties("", record.EventFields, "ticketed", "virtual_url"),
		last,
	)
}

func seriesProperties() []property {
	return properties(
		"id integer Record, status string Record, title string Event, slug string, rule string Recurrence, text string, " +
			"start_date string, end_date string, all_day boolean|null, timezone string, exdates []string, rdates []string, " +
			"horizon string|null, total integer, next SeriesNext, earlier integer|null, later integer|null, rest_url uri, events_url uri",
	)
}

// aboutProperties are the members of venues and organizers with a text or a picture.
const aboutProperties = "description? string Record, excerpt? string Record, slug? string Record, image? Image Record"

func venueProperties() []property {
	return slices.Concat(
		postProperties("author?"),
		properties("venue? string, "+aboutProperties),
		plainProperties(
			"?",
			record.VenueFields,
			"show_map",
			"",
		),
		plainProperties("?", record.VenueFields, "address", "show_map"),
		properties(
			"geo_lat? double, geo_lng? double, custom_fields? {}CustomField Record, json_ld? object Record",
		),
	)
}

func organizerProperties() []property {
	return slices.Concat(
		postProperties("author?"),
		properties("organizer? string, "+aboutProperties),
		plainProperties(
			"?",
			record.OrganizerFields,
			"phone",
			"",
		),
		properties("custom_fields? {}CustomField Record, json_ld? object Record"),
	)
}

// mediaProperties are the members of an uploaded picture: of an image, and its texts, its author
// and its dates.
func mediaProperties() []property {
	return properties(
		"url uri Image, id integer Record, extension string Image, width integer Image, " +
			"height integer Image, filesize integer Image, " +
			"sizes? {}ImageSize Image, mime_type string, title string media, alt string media, caption string media, " +
			"focus_x integer media, focus_y integer media, " +
			"author string Record, date string Record, date_utc string Record, modified string Record, modified_utc string Record, rest_url uri",
	)
}

// termProperties are the members of a term on its own routes and inside an event; required are the
// common ones.
func termProperties() []property {
	return properties(
		"id integer, name string, slug string, taxonomy string, description string, parent? integer, count integer, " +
			"url? uri, urls TermURLs, meta? []any, _links? object, term_group? integer, term_taxonomy_id? integer, filter? string",
	)
}

// listName names the schema of a list: "EventList".
func listName(g group) string { return g.one + "List" }

// list describes one page of a list.
func (d *API) list(g group) *schema {
	s := d.object(
		"List",
		properties(
			"rest_url uri, next_rest_url? uri, previous_rest_url? uri, total integer, total_pages integer",
		),
	)
	s.Title = g.name
	s.Required = append([]string{g.name}, s.Required...)
	var members jsonio.Object
	members.Add(g.name, arrayOf(ref(g.schema)).describe(d.text("List.items")))
	for name, value := range s.Properties.All() {
		members.Add(name, value)
	}
	s.Properties = &members
	return s
}
