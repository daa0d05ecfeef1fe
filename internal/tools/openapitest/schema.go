// A small validator for the schemas of the document.

package openapitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schemaPath is where schemas are in the document.
const schemaPath = "#/components/schemas/"

// A schema has the supported keywords of a schema. Another keyword would not be
// checked: it is an error.
type schema struct {
	Ref        string             `json:"$ref"`
	AllOf      []*schema          `json:"allOf"`
	OneOf      []*schema          `json:"oneOf"`
	Type       string             `json:"type"`
	Enum       []any              `json:"enum"`
	Nullable   bool               `json:"nullable"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Additional *schema            `json:"additionalProperties"`
	Items      *schema            `json:"items"`
	Minimum    *float64           `json:"minimum"`
	MinLength  int                `json:"minLength"`

	Title, Description, Format string // which ask for nothing
	Default                    any
}

func (s *schema) UnmarshalJSON(text []byte) error {
	type plain schema
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(s))
}

// A validator holds one value to schemas.
type validator struct {
	doc  *document
	seen map[seen]bool // properties that were there
}

// seen is a property of a schema, whose name may be "".
type seen struct{ schema, property string }

// complaints says what in a value is not as a schema has it, each with the way to it in
// front.
func (v *validator) complaints(s *schema, value any) (found []string) {
	name := ""
	if s.Ref != "" {
		name = strings.TrimPrefix(s.Ref, schemaPath)
		if s = v.doc.Components.Schemas[name]; s == nil {
			return []string{fmt.Sprintf(": there is no schema %q", name)}
		}
	}
	complain := func(format string, args ...any) { found = append(found, ": "+fmt.Sprintf(format, args...)) }
	if value == nil && s.Nullable {
		return nil
	}
	for _, one := range s.AllOf {
		found = append(found, v.complaints(one, value)...)
	}
	if s.OneOf != nil {
		found = append(found, v.oneOf(s.OneOf, value)...)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		complain("%v is none of %v", value, s.Enum)
	}
	if s.Type != "" && !hasType(value, s.Type) {
		complain("%T %v, want %s", value, value, s.Type)
		return found
	}
	switch value := value.(type) {
	case string:
		if len(value) < s.MinLength {
			complain("%q is too short", value)
		}
	case float64:
		if s.Minimum != nil && value < *s.Minimum {
			complain("%v is below %v", value, *s.Minimum)
		}
	case []any:
		for i, item := range value {
			if s.Items != nil {
				for _, complaint := range v.complaints(s.Items, item) {
					found = append(found, fmt.Sprintf("/%d%s", i, complaint))
				}
			}
		}
	case map[string]any:
		found = append(found, v.members(name, s, value)...)
	}
	return found
}

// oneOf wants a value to have exactly one of several forms.
func (v *validator) oneOf(forms []*schema, value any) []string {
	matched := 0
	var why []string
	for _, form := range forms {
		below := v.complaints(form, value)
		if len(below) == 0 {
			matched++
		}
		why = append(why, below...)
	}
	if matched == 1 {
		return nil
	}
	return []string{
		fmt.Sprintf(
			": %v has %d of the forms, want 1: %s",
			value,
			matched,
			strings.Join(why, "; "),
		),
	}
}

// members holds the members of an object to its schema, which may have a name.
func (v *validator) members(name string, s *schema, value map[string]any) (found []string) {
	for _, one := range s.Required {
		if _, ok := value[one]; !ok {
			found = append(found, ": no "+one)
		}
	}
	for one, member := range value {
		below, ok := s.Properties[one]
		if ok {
			v.seen[seen{name, one}] = true
		} else {
			below = s.Additional
		}
		switch {
		case below != nil:
			for _, complaint := range v.complaints(below, member) {
				found = append(found, "/"+one+complaint)
			}
		case s.Properties != nil:
			found = append(found, "/"+one+": not documented")
		}
	}
	return found
}

func hasType(value any, want string) bool {
	switch value := value.(type) {
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case float64:
		return want == "number" || want == "integer" && value == float64(int64(value))
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}

// resolve returns the schema that a reference leads to, or the schema itself.
func (d *document) resolve(s *schema) *schema {
	if s != nil && s.Ref != "" {
		return d.Components.Schemas[strings.TrimPrefix(s.Ref, schemaPath)]
	}
	return s
}
