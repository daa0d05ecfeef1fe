// A checker must complain, and must miss what was not shown.

package openapitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const thing = `{
  "components": {"schemas": {
    "Thing": {"type": "object", "required": ["id"], "properties": {
      "id": {"type": "integer", "minimum": 1},
      "name": {"type": "string", "nullable": true},
      "kind": {"type": "string", "enum": ["a", "b"]},
      "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}},
      "part": {"oneOf": [{"$ref": "#/components/schemas/Part"}, {"type": "array", "items": {}}]}}},
    "Part": {"type": "object", "properties": {"size": {"type": "number"}}},
    "Error": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}}},
  "paths": {"/things/{id}": {"get": {
    "parameters": [{"name": "id", "in": "path"}, {"name": "context", "in": "query"}],
    "responses": {
      "200": {"description": "One.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
      "201": {"description": "Never."},
      "404": {"description": "None.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}},
      "default": {"description": "Else.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}}}}}
}`

func checker(t *testing.T) *Checker {
	t.Helper()
	c, err := newChecker([]byte(thing), "Never.")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name   string
		path   string // "" is that of a thing
		status int
		body   string
		right  bool
	}{
		{"whole", "", 200, `{"id":1,"name":"x","kind":"a","parts":[{"size":1.5}],"part":[]}`, true},
		{"null where it may be", "", 200, `{"id":1,"name":null}`, true},
		{"one of two forms", "", 200, `{"id":1,"part":{"size":2}}`, true},
		{"an error", "", 404, `{"code":"none"}`, true},
		{"an error by default", "", 409, `{"code":"other"}`, true},
		{"a member is missing", "", 200, `{}`, false},
		{"a member that is not documented", "", 200, `{"id":1,"more":2}`, false},
		{"another type", "", 200, `{"id":"1"}`, false},
		{"half a number", "", 200, `{"id":1.5}`, false},
		{"below the least", "", 200, `{"id":0}`, false},
		{"none of the values", "", 200, `{"id":1,"kind":"c"}`, false},
		{"none of the forms", "", 200, `{"id":1,"part":"x"}`, false},
		{"null where it may not be", "", 200, `{"id":1,"kind":null}`, false},
		{"wrong further inside", "", 200, `{"id":1,"parts":[{"size":"big"}]}`, false},
		{"no JSON", "", 200, `{`, false},
		{"an error of another form", "", 500, `{"message":"x"}`, false},
		{"a status that is not documented", "", 202, `{}`, false},
		{"a status that is never sent", "", 201, `{}`, false},
		{"another path", "/other", 200, `{"id":1}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = "/things/{id}"
			}
			found := checker(t).check(exchange{
				Path:   path,
				Method: http.MethodGet,
				Status: test.status,
				Body:   []byte(test.body),
			})
			if (len(found) == 0) != test.right {
				t.Errorf("complaints: %q", found)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	c := checker(t)
	ask := func(status int, body string, sent ...string) {
		t.Helper()
		if found := c.check(exchange{
			Path:   "/things/{id}",
			Method: http.MethodGet,
			Sent:   sent,
			Status: status,
			Body:   []byte(body),
		}); found != nil {
			t.Fatal(found)
		}
	}
	ask(200, `{"id":1,"name":"x","parts":[]}`, "id", "unknown")
	want := []string{
		"Error.code",
		"GET /things/{id} 404",
		"GET /things/{id} ?context",
		"Part.size",
		"Thing.kind",
		"Thing.part",
	}
	if diff := cmp.Diff(want, c.Gaps()); diff != "" {
		t.Errorf("after one exchange (-want +got):\n%s", diff)
	}
	ask(404, `{"code":"none"}`, "id", "context")
	ask(200, `{"id":1,"kind":"a","part":{"size":1}}`, "id")
	if gaps := c.Gaps(); gaps != nil {
		t.Errorf("after all: %q", gaps)
	}
}

// A schema with an unknown keyword would not be checked.
func TestUnknownWord(t *testing.T) {
	unknown := strings.Replace(thing, `"minimum": 1`, `"maximum": 1`, 1)
	if _, err := newChecker([]byte(unknown), "Never."); err == nil ||
		!strings.Contains(err.Error(), `unknown field "maximum"`) {
		t.Errorf("error %v", err)
	}
}
