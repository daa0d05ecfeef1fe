// The schemas of the document: records, lists and errors. The schemas of the original come first, under its
// names and with its members in its order, but with the types that are really sent.

package openapi

import (
	"slices"
	"strings"

	"almanac/internal/cost"
	"almanac/internal/jsonout"
	"almanac/store"
)

// A schema is a schema object of OpenAPI 3.0.
type schema struct {
	Ref         string          `json:"$ref,omitempty"` // nothing may stand beside it
	Title       string          `json:"title,omitempty"`
	Type        any             `json:"type,omitempty"` // a name; in 3.1 also a list of names
	Format      string          `json:"format,omitempty"`
	Description string          `json:"description,omitempty"`
	Nullable    bool            `json:"nullable,omitempty"`
	Enum        []any           `json:"enum,omitempty"`
	Default     any             `json:"default,omitempty"`
	Minimum     any             `json:"minimum,omitempty"`
	MinLength   int             `json:"minLength,omitempty"`
	Items       *schema         `json:"items,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Properties  *jsonout.Object `json:"properties,omitempty"`
	Additional  *schema         `json:"additionalProperties,omitempty"`
	OneOf       []*schema       `json:"oneOf,omitempty"`
	AllOf       []*schema       `json:"allOf,omitempty"`
}

// schemaPath is where schemas are in the document.
const schemaPath = "#/components/schemas/"

func ref(name string) *schema        { return &schema{Ref: schemaPath + name} }
func arrayOf(items *schema) *schema  { return &schema{Type: "array", Items: items} }
func typed(name string) *schema      { return &schema{Type: name} }
func formatted(t, f string) *schema  { return &schema{Type: t, Format: f} }
func oneOf(forms ...*schema) *schema { return &schema{OneOf: forms} }

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

// object describes an object whose members are properties.
func (d *API) object(name string, properties []property) *schema {
	s := &schema{Type: "object", Description: d.text("schema." + name), Properties: &jsonout.Object{}}
	for _, p := range properties {
		member, optional := strings.CutSuffix(p.name, "?")
		if !optional {
			s.Required = append(s.Required, member)
		}
		of := name
		if p.of != "" {
			of = p.of
		}
		s.Properties.Add(member, p.schema.describe(d.text(of+"."+member)))
	}
	return s
}

// schemas returns all schemas of the document.
func (d *API) schemas() jsonout.Object {
	var all jsonout.Object
	add := func(name string, properties ...property) { all.Add(name, d.object(name, properties)) }
	add("ImageSize",
		property{name: "width", schema: typed("integer")},
		property{name: "height", schema: typed("integer")},
		property{name: "mime-type?", schema: typed("string")},
		property{name: "url", schema: formatted("string", "uri")},
		property{name: "filesize?", schema: typed("integer")},
		property{name: "uncropped?", schema: typed("boolean")},
	)
	add("CostDetails",
		property{name: "currency_symbol", schema: typed("string")},
		property{name: "currency_position", schema: &schema{Type: "string", Enum: []any{"", cost.Prefix, cost.Postfix, cost.Suffix}}},
		property{name: "values", schema: arrayOf(typed("string"))},
		property{name: "currency_code", schema: typed("string")},
	)
	add("Term", termProperties()...)
	add("Image",
		property{name: "url", schema: formatted("string", "uri")},
		property{name: "id", schema: typed("integer")},
		property{name: "extension?", schema: typed("string")},
		property{name: "width?", schema: typed("integer")},
		property{name: "height?", schema: typed("integer")},
		property{name: "sizes?", schema: &schema{Type: "object", Additional: ref("ImageSize")}},
		property{name: "filesize?", schema: typed("integer")},
		property{name: "original_image?", schema: typed("string")},
	)
	add("DateDetails",
		property{name: "year", schema: typed("string")},
		property{name: "month", schema: typed("string")},
		property{name: "day", schema: typed("string")},
		property{name: "hour", schema: typed("string")},
		property{name: "minutes", schema: typed("string")},
		property{name: "seconds", schema: typed("string")},
	)
	add("Recurrence",
		property{name: "series", schema: typed("integer")},
		property{name: "rule", schema: typed("string")},
		property{name: "start", schema: typed("string")},
		property{name: "changed", schema: typed("boolean")},
		property{name: "made?", schema: arrayOf(typed("integer"))},
		property{name: "kept?", schema: arrayOf(typed("integer"))},
		property{name: "removed?", schema: arrayOf(typed("integer"))},
	)
	add("Event", eventProperties()...)
	next := d.object("SeriesNext", []property{{"id", typed("integer"), "Record"}, {"start_date", typed("string"), "Event"}})
	next.Nullable = true
	all.Add("SeriesNext", next)
	add("Series", seriesProperties()...)
	add("Venue", venueProperties()...)
	add("Organizer", organizerProperties()...)

	for _, g := range groups {
		if g.schema != "" {
			all.Add(listName(g), d.list(g))
		}
	}
	operation := &schema{Type: "string", Enum: []any{"created", "changed", "removed"}}
	add("Change",
		property{name: "kind", schema: &schema{Type: "string", Enum: kinds()}},
		property{name: "id", schema: typed("integer"), of: "Record"},
		property{name: "operation", schema: operation},
		property{name: "modified", schema: formatted("string", "date-time")},
	)
	add("Changes",
		property{name: "changes", schema: arrayOf(ref("Change"))},
		property{name: "token", schema: typed("string")},
		property{name: "more", schema: typed("boolean")},
	)
	add("TermURLs",
		property{name: "self", schema: formatted("string", "uri")},
		property{name: "collection", schema: formatted("string", "uri")},
		property{name: "up?", schema: formatted("string", "uri")},
	)
	d.inputSchemas(&all)
	add("Error", errorProperties()...)
	add("ErrorData", errorDataProperties()...)
	return all
}

// postProperties are the members that events, venues and organizers begin with,
// as far as the status.
func postProperties(author string) []property {
	return []property{
		{"id", typed("integer"), "Record"},
		{"global_id", typed("string"), "Record"},
		{"global_id_lineage", arrayOf(typed("string")), "Record"},
		{author, typed("string"), "Record"},
		{"date", typed("string"), "Record"},
		{"date_utc", typed("string"), "Record"},
		{"modified", typed("string"), "Record"},
		{"modified_utc", typed("string"), "Record"},
		{"status", typed("string"), "Record"},
		{"url", formatted("string", "uri"), "Record"},
	}
}

// hidden is a flag that is null in an event whose password is not known.
func hidden() *schema { return &schema{Type: "boolean", Nullable: true} }

// plainProperties describes plain fields. Events always have them, and their flags may be null; other
// records leave out empty texts.
func plainProperties[T any](optional string, fields []store.Field[T], from, to string) (all []property) {
	for _, f := range store.PlainFields(fields, from, to) {
		p := property{name: f.Member() + optional, schema: typed("string")}
		if f.IsFlag() {
			p = property{name: f.Member(), schema: &schema{Type: "boolean", Nullable: optional == ""}}
		} else if p.name == "phone?" || p.name == "website?" {
			p.of = "Record"
		}
		all = append(all, p)
	}
	return all
}

func eventProperties() []property {
	noImage := &schema{Type: "boolean", Enum: []any{false}}
	return slices.Concat(postProperties("author"), []property{
		{name: "rest_url", schema: formatted("string", "uri")},
		{name: "title", schema: typed("string")},
		{"description", typed("string"), "Record"},
		{"excerpt", typed("string"), "Record"},
		{"slug", typed("string"), "Record"},
		{name: "image", schema: oneOf(noImage, ref("Image"))},
		{name: "all_day", schema: hidden()},
		{name: "start_date", schema: typed("string")},
		{name: "start_date_details", schema: ref("DateDetails")},
		{name: "end_date", schema: typed("string")},
		{name: "end_date_details", schema: ref("DateDetails")},
		{name: "utc_start_date", schema: typed("string")},
		{name: "utc_start_date_details", schema: ref("DateDetails")},
		{name: "utc_end_date", schema: typed("string")},
		{name: "utc_end_date_details", schema: ref("DateDetails")},
		{name: "timezone", schema: typed("string")},
		{name: "timezone_abbr", schema: typed("string")},
		{name: "cost", schema: typed("string")},
		{name: "cost_details", schema: ref("CostDetails")},
		{name: "website", schema: typed("string")},
	}, plainProperties("", store.EventFields, "show_map", "ticketed"), []property{
		{name: "categories", schema: arrayOf(ref("Term"))},
		{name: "tags", schema: arrayOf(ref("Term"))},
		{name: "venue", schema: oneOf(ref("Venue"), arrayOf(ref("Venue")))},
		{name: "organizer", schema: arrayOf(ref("Organizer"))},
		{name: "custom_fields", schema: arrayOf(&schema{})},
	}, plainProperties("", store.EventFields, "ticketed", ""), []property{
		{name: "post_parent", schema: typed("integer")},
		{name: "recurrence?", schema: ref("Recurrence")},
		{"json_ld?", typed("object"), "Record"},
	})
}

func seriesProperties() []property {
	return []property{
		{"id", typed("integer"), "Record"},
		{"status", typed("string"), "Record"},
		{"title", typed("string"), "Event"},
		{name: "slug", schema: typed("string")},
		{"rule", typed("string"), "Recurrence"},
		{name: "text", schema: typed("string")},
		{name: "start_date", schema: typed("string")},
		{name: "end_date", schema: typed("string")},
		{name: "all_day", schema: hidden()},
		{name: "timezone", schema: typed("string")},
		{name: "exdates", schema: arrayOf(typed("string"))},
		{name: "rdates", schema: arrayOf(typed("string"))},
		{name: "horizon", schema: &schema{Type: "string", Nullable: true}},
		{name: "total", schema: typed("integer")},
		{name: "next", schema: ref("SeriesNext")},
		{name: "rest_url", schema: formatted("string", "uri")},
		{name: "events_url", schema: formatted("string", "uri")},
	}
}

func venueProperties() []property {
	return slices.Concat(postProperties("author?"), []property{
		{name: "venue?", schema: typed("string")},
		{"description?", typed("string"), "Record"},
		{"excerpt?", typed("string"), "Record"},
		{"slug?", typed("string"), "Record"},
		{"image?", ref("Image"), "Record"},
	}, plainProperties("?", store.VenueFields, "show_map", ""), plainProperties("?", store.VenueFields, "address", "show_map"), []property{
		{name: "geo_lat?", schema: formatted("number", "double")},
		{name: "geo_lng?", schema: formatted("number", "double")},
		{"json_ld?", typed("object"), "Record"},
	})
}

func organizerProperties() []property {
	return slices.Concat(postProperties("author?"), []property{
		{name: "organizer?", schema: typed("string")},
		{"description?", typed("string"), "Record"},
		{"excerpt?", typed("string"), "Record"},
		{"slug?", typed("string"), "Record"},
		{"image?", ref("Image"), "Record"},
	}, plainProperties("?", store.OrganizerFields, "phone", ""), []property{{"json_ld?", typed("object"), "Record"}})
}

// termProperties are the members of a term on its own routes and inside an event; required are the common ones.
func termProperties() []property {
	return []property{
		{name: "id", schema: typed("integer")},
		{name: "name", schema: typed("string")},
		{name: "slug", schema: typed("string")},
		{name: "taxonomy", schema: typed("string")},
		{name: "description", schema: typed("string")},
		{name: "parent?", schema: typed("integer")},
		{name: "count", schema: typed("integer")},
		{name: "url?", schema: formatted("string", "uri")},
		{name: "urls", schema: ref("TermURLs")},
		{name: "meta?", schema: arrayOf(&schema{})},
		{name: "_links?", schema: typed("object")},
		{name: "term_group?", schema: typed("integer")},
		{name: "term_taxonomy_id?", schema: typed("integer")},
		{name: "filter?", schema: typed("string")},
	}
}

// listName names the schema of a list: "EventList".
func listName(g group) string { return g.one + "List" }

// list describes one page of a list.
func (d *API) list(g group) *schema {
	s := d.object("List", []property{
		{name: "rest_url", schema: formatted("string", "uri")},
		{name: "next_rest_url?", schema: formatted("string", "uri")},
		{name: "previous_rest_url?", schema: formatted("string", "uri")},
		{name: "total", schema: typed("integer")},
		{name: "total_pages", schema: typed("integer")},
	})
	s.Title = g.name
	s.Required = append([]string{g.name}, s.Required...)
	var members jsonout.Object
	members.Add(g.name, arrayOf(ref(g.schema)).describe(d.text("List.items")))
	for name, value := range s.Properties.All() {
		members.Add(name, value)
	}
	s.Properties = &members
	return s
}

func errorProperties() []property {
	return []property{
		{name: "code", schema: typed("string")},
		{name: "message", schema: typed("string")},
		{name: "data", schema: ref("ErrorData")},
		{name: "additional_data?", schema: arrayOf(typed("integer"))},
	}
}

// errorDataProperties are the members of an error beside its code. Names of missing parameters are a list,
// reasons against bad ones an object, and details an empty list when there are none: as existing clients know
// them.
func errorDataProperties() []property {
	return []property{
		{name: "status", schema: typed("integer")},
		{name: "params?", schema: oneOf(arrayOf(typed("string")), &schema{Type: "object", Additional: typed("string")})},
		{name: "details?", schema: oneOf(arrayOf(&schema{}), &schema{Type: "object", Additional: typed("object")})},
		{name: "term_id?", schema: typed("integer")},
		{name: "json_error_code?", schema: typed("integer")},
		{name: "json_error_message?", schema: typed("string")},
	}
}
