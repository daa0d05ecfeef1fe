// How pages write types, members and addresses.

package openapi

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// Type writes the type of a schema as HTML.
func (p *page) Type(s *schema) template.HTML { return template.HTML(p.typeOf(s)) }

func (p *page) typeOf(s *schema) string {
	var text string
	switch {
	case len(s.AllOf) == 1:
		return p.typeOf(s.AllOf[0])
	case s.Ref != "":
		name := template.HTMLEscapeString(strings.TrimPrefix(s.Ref, schemaPath))
		return fmt.Sprintf(
			`<a href="%s"><code dir="ltr">%s</code></a>`,
			template.HTMLEscapeString(p.SchemaHref(name)),
			name,
		)
	case len(s.OneOf) > 0:
		text = p.typeOf(s.OneOf[0])
		for _, other := range s.OneOf[1:] {
			text = string(p.fill("page.or", "{type}", text, "{other}", p.typeOf(other)))
		}
	case s.Type == "array":
		text = string(p.fill("page.list-of", "{type}", p.typeOf(s.Items)))
	case len(s.Enum) > 0:
		var values []string
		for _, value := range s.Enum {
			values = append(values, string(code(value)))
		}
		text = string(p.fill("page.one-of", "{values}", strings.Join(values, ", ")))
	case s.Type == nil:
		text = "JSON"
	case s.Format != "":
		text = string(prose(fmt.Sprintf("`%s (%s)`", s.Type, s.Format)))
	default:
		text = string(prose(fmt.Sprintf("`%s`", s.Type)))
	}
	if s.Nullable {
		text += ", " + string(p.T("page.null"))
	}
	return text
}

// Notes says what else there is to a value, each a short text.
func (p *page) Notes(s *schema) []template.HTML {
	var notes []template.HTML
	note := func(key string, value any) {
		notes = append(notes, p.fill(key, "{value}", string(code(value))))
	}
	if s.Default != nil {
		note("page.default", s.Default)
	}
	if s.Minimum != nil && s.Minimum != 0 {
		note("page.least", s.Minimum)
	}
	return notes
}

// A memberList is the description of an object.
type memberList struct {
	Page *page
	Name string // of its schema
	Rows []row
}

// A row is one member.
type row struct {
	Name     string
	Schema   *schema
	Required bool
}

// Members returns the members of an object.
func (p *page) Members(s *namedSchema) memberList {
	all := memberList{Page: p, Name: s.Name}
	if s.Schema.Properties != nil {
		for name, property := range s.Schema.Properties.All() {
			all.Rows = append(
				all.Rows,
				row{name, property.(*schema), slices.Contains(s.Schema.Required, name)},
			)
		}
	}
	return all
}

// Schemas returns the schemas of an answer's body, none or one.
func (a docResponse) Schemas() []*schema {
	if a.Content == nil {
		return nil
	}
	for _, content := range a.Content.All() {
		return []*schema{content.(media).Schema}
	}
	return nil
}

// code writes a value as it is written in JSON, but a text without quotation
// marks unless it is empty.
func code(value any) template.HTML {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	var text string
	if json.Unmarshal(data, &text) != nil || text == "" {
		text = string(data)
	}
	return prose("`" + text + "`")
}

// GroupHref returns the address of a group's page.
func (p *page) GroupHref(name string) string { return p.Docs + "/" + name }

// OperationHref returns the address of an operation, and SchemaHref that of a schema.
func (p *page) OperationHref(group string, o *pageOperation) string {
	return p.GroupHref(group) + "#" + o.OperationID
}

func (p *page) SchemaHref(name string) string {
	return p.GroupHref(groups[homeOf(name)].name) + "#schema-" + name
}

// As says that something is as in another operation of the page.
func (p *page) As(o *pageOperation) template.HTML {
	link := `<a href="#` + template.HTMLEscapeString(
		o.OperationID,
	) + `">` + string(
		prose(o.Summary),
	) + `</a>`
	return p.fill("page.same", "{operation}", link)
}
