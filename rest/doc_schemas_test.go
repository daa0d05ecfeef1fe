// A validator of JSON values against the schemas of the document.

package rest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A validator holds values to schemas, with the words that the document uses.
// Members that a schema does not name are mistakes: the document lacks them.
type validator struct {
	t   *testing.T
	doc any
}

func (v validator) check(place string, schema, value any) {
	v.t.Helper()
	for _, complaint := range v.complaints(place, schema, value) {
		v.t.Error(complaint)
	}
}

var schemaWords = regexp.MustCompile(`^(\$ref|allOf|oneOf|type|enum|nullable|required|properties|additionalProperties|items|minimum|minLength|title|description|format|default)$`)

func (v validator) complaints(place string, schema, value any) (found []string) {
	v.t.Helper()
	s := resolve(v.t, v.doc, schema)
	complain := func(format string, args ...any) { found = append(found, place+": "+fmt.Sprintf(format, args...)) }
	for word := range s {
		if !schemaWords.MatchString(word) {
			v.t.Fatalf("the test does not know %q", word)
		}
	}
	if value == nil && s["nullable"] == true {
		return nil
	}
	if all, ok := s["allOf"].([]any); ok {
		for _, one := range all {
			found = append(found, v.complaints(place, one, value)...)
		}
	}
	if forms, ok := s["oneOf"].([]any); ok {
		matched := 0
		var why []string
		for _, one := range forms {
			below := v.complaints(place, one, value)
			if len(below) == 0 {
				matched++
			}
			why = append(why, below...)
		}
		if matched != 1 {
			complain("%v has %d of the forms, want 1: %s", value, matched, strings.Join(why, "; "))
		}
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
		for i, item := range value {
			if items, ok := s["items"]; ok {
				found = append(found, v.complaints(fmt.Sprintf("%s/%d", place, i), items, item)...)
			}
		}
	case map[string]any:
		found = append(found, v.members(place, s, value)...)
	}
	return found
}

// members holds the members of an object to its schema.
func (v validator) members(place string, s, value map[string]any) (found []string) {
	v.t.Helper()
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := value[name.(string)]; !ok {
			found = append(found, fmt.Sprintf("%s: no %s", place, name))
		}
	}
	properties, named := s["properties"].(map[string]any)
	for name, member := range value {
		below, ok := properties[name]
		if !ok {
			below, ok = s["additionalProperties"]
		}
		switch {
		case ok:
			found = append(found, v.complaints(place+"/"+name, below, member)...)
		case named:
			found = append(found, fmt.Sprintf("%s/%s: not documented", place, name))
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

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
