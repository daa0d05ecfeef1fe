// Package conform holds what a server answers to the OpenAPI document that the
// server gives of itself. It is for tests, and no part of the program.
//
//	checker, err := conform.New(document)
//	for _, complaint := range checker.Check(exchange) { … }
//	for _, gap := range checker.Gaps() { … }  // what no exchange has shown
//
// An answer must have a status of its operation, or be an error like the
// default one, and a body of the schema for that status; members that a schema
// does not name are mistakes of the document.
package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// An Exchange is a request and its answer.
type Exchange struct {
	Path   string   // of the document: "/events/{id}"
	Method string   // "GET"
	Sent   []string // names of the parameters, those in the path and the body too
	Status int
	Type   string // media type of the answer, without parameters; "" is that of JSON
	Body   []byte // nil is not looked at, and of another type than JSON it is not either
}

// jsonType is the media type of JSON.
const jsonType = "application/json"

// A Checker holds exchanges to one document. It is safe for concurrent use.
type Checker struct {
	doc   map[string]any
	never string // description of statuses that are listed and never sent

	mu   sync.Mutex
	seen map[string]bool // what exchanges have shown
}

// New makes a checker for a document of OpenAPI 3.0. Statuses whose description
// is never are listed for others and not expected to be seen.
func New(document []byte, never string) (*Checker, error) {
	c := &Checker{never: never, seen: map[string]bool{}}
	if err := json.Unmarshal(document, &c.doc); err != nil {
		return nil, fmt.Errorf("conform: the document: %w", err)
	}
	return c, nil
}

// Check says what in an exchange is not as the document has it.
func (c *Checker) Check(e Exchange) []string {
	place := e.Method + " " + e.Path
	operation, ok := member(c.doc, "paths", e.Path, strings.ToLower(e.Method)).(map[string]any)
	if !ok {
		return []string{place + ": not documented"}
	}
	c.note(place)
	c.sent(place, operation, e.Sent)
	status := fmt.Sprint(e.Status)
	response := member(operation, "responses", status)
	if response == nil && e.Status >= 400 {
		status, response = "default", member(operation, "responses", "default")
	}
	place += " " + status
	switch {
	case response == nil:
		return []string{place + ": the status is not documented"}
	case member(response, "description") == c.never:
		return []string{place + ": documented as never sent"}
	}
	c.note(place)
	if e.Type != jsonType && member(response, "content", e.Type) != nil {
		c.note(place + " " + e.Type)
		return nil
	}
	schema := member(response, "content", jsonType, "schema")
	if schema == nil || e.Body == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(e.Body, &value); err != nil {
		return []string{fmt.Sprintf("%s: %v in %.200q", place, err, e.Body)}
	}
	v := validator{doc: c.doc, seen: map[string]bool{}}
	found := v.complaints(place, schema, value)
	if len(found) == 0 {
		c.mu.Lock()
		maps.Copy(c.seen, v.seen)
		c.mu.Unlock()
	}
	return found
}

// Value says what in a value is not as a schema of the document has it: for what
// is sent.
func (c *Checker) Value(schema string, value any) []string {
	v := validator{doc: c.doc, seen: map[string]bool{}}
	return v.complaints(schema, map[string]any{"$ref": schemaPath + schema}, value)
}

// sent notes the parameters of an exchange that the document has.
func (c *Checker) sent(place string, operation map[string]any, names []string) {
	documented := parameters(c.doc, operation)
	for _, name := range names {
		if slices.Contains(documented, name) {
			c.note(place + " ?" + name)
		}
	}
}

// parameters returns the names of all that can be sent to an operation: in the
// path, the query and the body.
func parameters(doc, operation map[string]any) []string {
	var names []string
	list, _ := operation["parameters"].([]any)
	for _, p := range list {
		names = append(names, member(p, "name").(string))
	}
	if body := member(operation, "requestBody", "content", "application/json", "schema"); body != nil {
		properties, _ := member(resolve(doc, body), "properties").(map[string]any)
		names = slices.AppendSeq(names, maps.Keys(properties))
	}
	return names
}

func (c *Checker) note(place string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[place] = true
}

// Gaps returns what the document has and no exchange has shown, sorted:
// operations, their parameters and statuses, and the properties of answers.
func (c *Checker) Gaps() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var gaps []string
	want := func(place string) {
		if !c.seen[place] {
			gaps = append(gaps, place)
		}
	}
	answered := map[string]bool{}
	for path, operations := range member(c.doc, "paths").(map[string]any) {
		for method, o := range operations.(map[string]any) {
			operation := o.(map[string]any)
			place := strings.ToUpper(method) + " " + path
			want(place)
			for _, name := range parameters(c.doc, operation) {
				want(place + " ?" + name)
			}
			for status, response := range operation["responses"].(map[string]any) {
				if member(response, "description") == c.never || status == "default" {
					continue
				}
				want(place + " " + status)
				content, _ := member(response, "content").(map[string]any)
				for name := range content {
					if name != jsonType {
						want(place + " " + status + " " + name)
					}
				}
				if schema := member(content, jsonType, "schema"); schema != nil {
					properties(c.doc, schema, "", answered)
				}
			}
		}
	}
	for property := range answered {
		want(property)
	}
	slices.Sort(gaps)
	return gaps
}

// properties collects the properties of a schema and of all that it leads to, as
// "Event.title".
func properties(doc map[string]any, schema any, name string, all map[string]bool) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		name = strings.TrimPrefix(ref, schemaPath)
		s = resolve(doc, s)
	}
	for _, word := range []string{"items", "additionalProperties"} {
		properties(doc, s[word], name, all)
	}
	for _, word := range []string{"oneOf", "allOf"} {
		forms, _ := s[word].([]any)
		for _, form := range forms {
			properties(doc, form, name, all)
		}
	}
	members, _ := s["properties"].(map[string]any)
	for property, below := range members {
		if place := name + "." + property; !all[place] {
			all[place] = true
			properties(doc, below, place, all)
		}
	}
}
