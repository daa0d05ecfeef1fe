// A small validator for the schemas of the document.

package conform

import (
	"fmt"
	"slices"
	"strings"
)

// schemaPath is where schemas are in the document.
const schemaPath = "#/components/schemas/"

// words are those of a schema that are understood here. Another is a mistake:
// what it asks for would not be checked.
var words = []string{
	"$ref", "allOf", "oneOf", "type", "enum", "nullable", "required", "properties", "additionalProperties", "items", "minimum", "minLength",
	"title", "description", "format", "default",
}

// A validator holds one value to schemas.
type validator struct {
	doc  map[string]any
	seen map[string]bool // properties that were there, as "Event.title"
}

// complaints says what in a value is not as a schema has it. place is where the
// value is.
func (v *validator) complaints(place string, schema, value any) (found []string) {
	name := ""
	if ref, ok := member(schema, "$ref").(string); ok {
		name = strings.TrimPrefix(ref, schemaPath)
	}
	return v.named(place, name, resolve(v.doc, schema), value)
}

// named is complaints for a schema that has a name in the document.
func (v *validator) named(place, name string, s map[string]any, value any) (found []string) {
	complain := func(format string, args ...any) { found = append(found, place+": "+fmt.Sprintf(format, args...)) }
	for word := range s {
		if !slices.Contains(words, word) {
			complain("the schema says %q, which is not understood here", word)
		}
	}
	if value == nil && s["nullable"] == true {
		return found
	}
	all, _ := s["allOf"].([]any)
	for _, one := range all {
		found = append(found, v.complaints(place, one, value)...)
	}
	if forms, ok := s["oneOf"].([]any); ok {
		found = append(found, v.oneOf(place, forms, value)...)
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, value) {
		complain("%v is none of %v", value, enum)
	}
	if want, ok := s["type"].(string); ok && !hasType(value, want) {
		complain("%T %v, want %s", value, value, want)
		return found
	}
	switch value := value.(type) {
	case string:
		if least, ok := s["minLength"].(float64); ok && len(value) < int(least) {
			complain("%q is too short", value)
		}
	case float64:
		if least, ok := s["minimum"].(float64); ok && value < least {
			complain("%v is below %v", value, least)
		}
	case []any:
		items, ok := s["items"]
		for i, item := range value {
			if ok {
				found = append(found, v.complaints(fmt.Sprintf("%s/%d", place, i), items, item)...)
			}
		}
	case map[string]any:
		found = append(found, v.members(place, name, s, value)...)
	}
	return found
}

// oneOf wants a value to have exactly one of several forms.
func (v *validator) oneOf(place string, forms []any, value any) []string {
	matched := 0
	var why []string
	for _, form := range forms {
		below := v.complaints(place, form, value)
		if len(below) == 0 {
			matched++
		}
		why = append(why, below...)
	}
	if matched == 1 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v has %d of the forms, want 1: %s", place, value, matched, strings.Join(why, "; "))}
}

// members holds the members of an object to its schema.
func (v *validator) members(place, name string, s, value map[string]any) (found []string) {
	required, _ := s["required"].([]any)
	for _, one := range required {
		if _, ok := value[one.(string)]; !ok {
			found = append(found, fmt.Sprintf("%s: no %s", place, one))
		}
	}
	properties, closed := s["properties"].(map[string]any)
	for one, member := range value {
		below, ok := properties[one]
		if ok {
			v.seen[name+"."+one] = true
		} else {
			below, ok = s["additionalProperties"]
		}
		switch {
		case ok:
			found = append(found, v.complaints(place+"/"+one, below, member)...)
		case closed:
			found = append(found, fmt.Sprintf("%s/%s: not documented", place, one))
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
func resolve(doc map[string]any, schema any) map[string]any {
	s, _ := schema.(map[string]any)
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	target, _ := member(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any)
	return target
}

// member walks down the members of a value; nil is none.
func member(value any, path ...string) any {
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}
