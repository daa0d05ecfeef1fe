// Parameters and bodies of the document, made of the tables of package params: the type of a row
// follows from its kind, not from the type that the index gives it.

package openapi

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A docParameter is a parameter in a path or a query.
type docParameter struct {
	In          string  `json:"in"`
	Schema      *schema `json:"schema"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Name        string  `json:"name"`
	Style       string  `json:"style,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
}

// A docBody describes the body of a request: the same fields as JSON and as a form.
type docBody struct {
	Required bool          `json:"required"`
	Content  jsonio.Object `json:"content"`
}

// media is the schema of a body, with what one looks like.
type media struct {
	Schema   *schema        `json:"schema"`
	Examples *jsonio.Object `json:"examples,omitempty"`
}

// jsonContent is a body of JSON. name is that of its example, "" for none.
func jsonContent(s *schema, name string) *jsonio.Object {
	body := media{Schema: s}
	if name != "" {
		body.Examples = &jsonio.Object{}
		body.Examples.Add(name, map[string]string{"$ref": "#/components/examples/" + name})
	}
	var content jsonio.Object
	content.Add("application/json", body)
	return &content
}

// addText adds that a body can be a text of a media type.
func addText(content *jsonio.Object, mediaType string) {
	name, _, _ := strings.Cut(mediaType, ";")
	content.Add(name, media{schemaOf("string"), nil})
}

// pathParameters describes the variables of a route. They are the same for all its operations; one
// table has them.
func (d *API) pathParameters(rt *Route) []docParameter {
	var list []docParameter
	seen := map[string]bool{}
	for _, op := range rt.Operations {
		for i := range op.Params {
			if row := &op.Params[i]; row.Path && !seen[row.Name] {
				seen[row.Name] = true
				list = append(list, docParameter{
					In:          "path",
					Schema:      rowSchema(row),
					Description: d.text(row.Doc),
					Required:    true,
					Name:        row.Name,
				})
			}
		}
	}
	return list
}

// queryParameters describes what is sent in a query. Lists are sent as one
// value with commas; of a name that is repeated the last value counts.
func (d *API) queryParameters(t params.Table) []docParameter {
	var list []docParameter
	for i := range t {
		row := &t[i]
		if row.Path {
			continue
		}
		p := docParameter{
			In:          "query",
			Schema:      rowSchema(row),
			Description: d.text(row.Doc),
			Required:    row.Required,
			Name:        row.Name,
		}
		p.Schema.Default = d.defaultOf(row)
		if p.Schema.Type == "array" {
			p.Style = "form"
			p.Explode = new(bool)
		}
		list = append(list, p)
	}
	return list
}

// defaultOf returns the default of a row, or nil. A default that moves with the
// clock would be wrong as soon as it is read, and null says no more than none.
func (d *API) defaultOf(row *params.Row) any {
	if row.Kind == params.Date {
		return nil
	}
	if value := row.Value(params.Env{
		PerPage:   d.PerPage,
		Namespace: d.Namespace,
	}); value != params.Null {
		return value
	}
	return nil
}

// body refers to the schema of the request that creates or updates a record.
func (d *API) body(g group, verb string) *docBody {
	name := inputName(g, verb)
	b := &docBody{Required: verb == "create", Content: *jsonContent(ref(name), name)}
	b.Content.Add("application/x-www-form-urlencoded", media{Schema: ref(name)})
	if name == "MediaCreate" { // a file, alone or in a form
		b.Content = jsonio.Object{}
		for _, kind := range []string{"image/jpeg", "image/png", "image/gif", "image/webp"} {
			b.Content.Add(kind, media{Schema: &schema{Type: "string", Format: "binary"}})
		}
		b.Content.Add("multipart/form-data", media{Schema: ref(name)})
	}
	return b
}

// inputName names the schema of a request: "EventCreate".
func inputName(g group, verb string) string { return g.one + strings.ToUpper(verb[:1]) + verb[1:] }

// inputSchemas adds the schemas of requests. The two addresses of a record take the same fields.
func (d *API) inputSchemas(all *jsonio.Object) {
	seen := map[string]bool{}
	for _, rt := range d.Routes {
		for _, op := range rt.Operations {
			g, verb := op.part()
			name := inputName(g, verb)
			if verb != "create" && verb != "update" || seen[name] {
				continue
			}
			seen[name] = true
			all.Add(name, d.inputSchema(name, op.Params, verb == "create"))
		}
	}
}

// inputSchema describes the fields of a table. Defaults are those of a new
// record: an update leaves alone what is not sent.
func (d *API) inputSchema(name string, t params.Table, create bool) *schema {
	s := &schema{
		Type:        "object",
		Description: d.text("schema." + name),
		Properties:  &jsonio.Object{},
	}
	for i := range t {
		row := &t[i]
		if row.Path {
			continue
		}
		field := rowSchema(row)
		field.Description = d.text(row.Doc)
		if create && row.Required {
			s.Required = append(s.Required, row.Name)
		} else if create {
			field.Default = d.defaultOf(row)
		}
		s.Properties.Add(row.Name, field)
	}
	if name == "MediaCreate" {
		s.Required = []string{"file"}
		s.Properties.Add("file", (&schema{
			Type:   "string",
			Format: "binary",
		}).describe(d.text("media.file")))
	}
	return s
}

// statuses are the statuses that clients can set.
var statuses = []any{
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
}

// forms are the short forms of the values of kinds, which are the same in every row.
var forms = map[params.Kind]string{
	params.Page: "id", params.Months: "id", params.ID: "id", params.Bool: "boolean", params.Truthy: "boolean", params.LenientBool: "boolean",
	params.Any: "string", params.Optional: "string", params.Zone: "string", params.Date: "string", params.Password: "string|null",
	params.URL: "uri", params.Image: "id|string|false", params.Include: "[]id", params.IDs: "[]id", params.TermIDs: "[]id",
}

// rowSchema returns the values that a row takes.
func rowSchema(row *params.Row) *schema {
	if form, ok := forms[row.Kind]; ok {
		return schemaOf(form)
	}
	switch row.Kind {
	case params.Digits:
		return &schema{Type: "integer", Minimum: 0}
	case params.Text, params.Choice, params.Choices, params.Slug:
		s := schemaOf("name")
		if row.Empty {
			s.MinLength = 0
		}
		for _, one := range row.Enum {
			s.Enum = append(s.Enum, one)
		}
		if row.Kind == params.Choices {
			return arrayOf(s)
		}
		return s
	case params.Status:
		return &schema{Type: "string", Enum: statuses}
	case params.Statuses:
		return arrayOf(&schema{Type: "string", Enum: append(slices.Clip(statuses), "any")})
	case params.Number, params.Latitude, params.Longitude:
		return &schema{Type: "number", Format: row.Format}
	case params.Cost:
		one := schemaOf("string|number")
		return &schema{OneOf: append(slices.Clip(one.OneOf), arrayOf(one))}
	case params.IDsOrNone:
		return &schema{OneOf: []*schema{schemaOf("[]id"), {Type: "string", Enum: []any{"none"}}}}
	case params.Terms, params.TermRefs:
		return arrayOf(schemaOf("id|name"))
	case params.Recurring:
		var members jsonio.Object
		members.Add("rule", schemaOf("string|null"))
		members.Add("rdates", schemaOf("[]string"))
		members.Add("exdates", schemaOf("[]string"))
		return &schema{
			OneOf: []*schema{{
				Type:       "object",
				Properties: &members,
				Nullable:   true,
			}, {
				Type: "string",
			}},
		}
	case params.Links:
		if row.Of == params.Organizer {
			return arrayOf(schemaOf("id|OrganizerCreate"))
		}
		return arrayOf(schemaOf("id|VenueCreate"))
	}
	panic(fmt.Sprintf("openapi: no schema for the kind of %s", row.Name))
}
