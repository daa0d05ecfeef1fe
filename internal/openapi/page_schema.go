// How the page writes types and commands.

package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// Type writes the type of a schema as HTML.
func (p *page) Type(s *schema) template.HTML { return template.HTML(p.typeOf(s)) }

func (p *page) typeOf(s *schema) string {
	fill := func(key string, pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(string(p.T(key)))
	}
	var text string
	switch {
	case len(s.AllOf) == 1:
		return p.typeOf(s.AllOf[0])
	case s.Ref != "":
		name := template.HTMLEscapeString(strings.TrimPrefix(s.Ref, schemaPath))
		return fmt.Sprintf(`<a href="#schema-%s"><code dir="ltr">%[1]s</code></a>`, name)
	case len(s.OneOf) > 0:
		text = p.typeOf(s.OneOf[0])
		for _, other := range s.OneOf[1:] {
			text = fill("page.or", "{type}", text, "{other}", p.typeOf(other))
		}
	case s.Type == "array":
		text = fill("page.list-of", "{type}", p.typeOf(s.Items))
	case len(s.Enum) > 0:
		var values []string
		for _, value := range s.Enum {
			values = append(values, string(code(value)))
		}
		text = fill("page.one-of", "{values}", strings.Join(values, ", "))
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
		notes = append(notes, template.HTML(strings.ReplaceAll(string(p.T(key)), "{value}", string(code(value)))))
	}
	if s.Default != nil {
		note("page.default", s.Default)
	}
	if s.Minimum != nil && s.Minimum != 0 {
		note("page.least", s.Minimum)
	}
	return notes
}

// rows is a table of the members of an object.
type rows struct {
	Page *page
	Rows []row
}

// A row is one member.
type row struct {
	Name     string
	Schema   *schema
	Required bool
}

// Rows returns the members of an object.
func (p *page) Rows(s *schema) rows {
	r := rows{Page: p}
	if s.Properties != nil {
		for name, property := range s.Properties.All() {
			r.Rows = append(r.Rows, row{name, property.(*schema), slices.Contains(s.Required, name)})
		}
	}
	return r
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

// curl returns a command that asks for an operation.
func (p *page) curl(o *pageOperation) string {
	var b strings.Builder
	b.WriteString("curl")
	if method := o.Methods[0]; method != "GET" && o.RequestBody == nil {
		b.WriteString(" -X " + method)
	}
	if o.Account {
		b.WriteString(` -H "Authorization: Bearer $TOKEN"`)
	}
	if o.RequestBody != nil {
		b.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d '" + compactJSON(exampleOf(o.inputExample())) + "' \\\n ")
	}
	b.WriteString(" '" + p.Address + p.filled(o) + "'")
	return b.String()
}

// inputExample names the example of what is sent.
func (o *pageOperation) inputExample() string {
	for _, content := range o.RequestBody.Content.All() {
		for name := range content.(media).Examples.All() {
			return name
		}
	}
	return ""
}

// filled returns the path of an operation with the variables of an example.
func (p *page) filled(o *pageOperation) string {
	path := strings.ReplaceAll(o.Path, "{language}", "de")
	for _, g := range groups {
		if g.name != o.Tags[0] || g.one == "" {
			continue
		}
		var record struct {
			ID   json.Number `json:"id"`
			Slug string      `json:"slug"`
		}
		if json.Unmarshal(exampleOf(g.one), &record) == nil {
			path = strings.NewReplacer("{id}", record.ID.String(), "{slug}", record.Slug).Replace(path)
		}
	}
	if path == "/events" && o.Reads() {
		path += "?per_page=3&search=concert"
	}
	return path
}

func compactJSON(data []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return ""
	}
	return b.String()
}
