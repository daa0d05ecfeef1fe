// Package openapitest checks answers of a server against the OpenAPI document that the
// server serves. It is for tests, and no part of the program.
//
//	checker, err := openapitest.Of(handler, never)
//	watch := openapitest.NewWatch(checker)
//	watch.See(observation)                    // of each exchange
//	for _, gap := range checker.Gaps() { … }  // what no exchange has shown
//
// An answer must have a status of its operation, or be an error like the
// default one, and a body of the schema for that status; members that a schema
// does not name are mistakes of the document.
package openapitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An exchange is a request and its answer.
type exchange struct {
	Path   string   // of the document: "/events/{id}"
	Method string   // "GET"
	Sent   []string // names of the parameters, those in the path and the body too
	Status int
	Type   string // media type of the answer, without parameters; "" is that of JSON
	Body   []byte // not checked if nil, or of another type than JSON
}

// jsonType is the media type of JSON.
const jsonType = "application/json"

// A document has the checked parts of an OpenAPI 3.0 document.
type document struct {
	Paths      map[string]map[string]*operation
	Components struct{ Schemas map[string]*schema }
}

type operation struct {
	Parameters  []struct{ Name string }
	RequestBody content
	Responses   map[string]*response
}

type response struct {
	content
	Description string
}

// content is the schema of a body, by media type.
type content struct {
	Content map[string]struct{ Schema *schema }
}

// A Checker holds exchanges to one document. It is safe for concurrent use.
type Checker struct {
	doc   document
	never string // description of statuses that are listed and never sent

	mu    sync.Mutex
	shown map[string]bool // by exchanges: operations, parameters, statuses and media types
	seen  map[seen]bool   // in answers
}

// newChecker makes a checker for a document of OpenAPI 3.0. Statuses whose description
// is never are listed for others and not expected to be seen.
func newChecker(text []byte, never string) (*Checker, error) {
	c := &Checker{never: never, shown: map[string]bool{}, seen: map[seen]bool{}}
	if err := json.Unmarshal(text, &c.doc); err != nil {
		return nil, fmt.Errorf("openapitest: the document: %w", err)
	}
	return c, nil
}

// check says what in an exchange is not as the document has it.
func (c *Checker) check(e exchange) []string {
	place := e.Method + " " + e.Path
	operation := c.doc.Paths[e.Path][strings.ToLower(e.Method)]
	if operation == nil {
		return []string{place + ": not documented"}
	}
	c.note(place)
	c.sent(place, operation, e.Sent)
	status := strconv.Itoa(e.Status)
	response := operation.Responses[status]
	if response == nil && e.Status >= 400 {
		status = "default"
		response = operation.Responses["default"]
	}
	place += " " + status
	switch {
	case response == nil:
		return []string{place + ": the status is not documented"}
	case response.Description == c.never:
		return []string{place + ": documented as never sent"}
	}
	c.note(place)
	if _, ok := response.Content[e.Type]; ok && e.Type != jsonType {
		c.note(place + " " + e.Type)
		return nil
	}
	schema := response.Content[jsonType].Schema
	if schema == nil || e.Body == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(e.Body, &value); err != nil {
		return []string{fmt.Sprintf("%s: %v in %.200q", place, err, e.Body)}
	}
	v := validator{doc: &c.doc, seen: map[seen]bool{}}
	found := v.complaints(schema, value)
	if len(found) == 0 {
		c.mu.Lock()
		maps.Copy(c.seen, v.seen)
		c.mu.Unlock()
	}
	for i := range found {
		found[i] = place + found[i]
	}
	return found
}

// Value says what in a value is not as a schema of the document has it: for what
// is sent.
func (c *Checker) Value(name string, value any) []string {
	v := validator{doc: &c.doc, seen: map[seen]bool{}}
	found := v.complaints(&schema{Ref: schemaPath + name}, value)
	for i := range found {
		found[i] = name + found[i]
	}
	return found
}

// sent notes the parameters of an exchange that the document has.
func (c *Checker) sent(place string, o *operation, names []string) {
	if len(names) == 0 {
		return
	}
	documented := c.doc.parameters(o)
	for _, name := range names {
		if slices.Contains(documented, name) {
			c.note(place + " ?" + name)
		}
	}
}

// parameters returns the names of all that can be sent to an operation: in the
// path, the query and the body.
func (d *document) parameters(o *operation) (names []string) {
	for _, p := range o.Parameters {
		names = append(names, p.Name)
	}
	if body := d.resolve(o.RequestBody.Content[jsonType].Schema); body != nil {
		names = slices.AppendSeq(names, maps.Keys(body.Properties))
	}
	return names
}

func (c *Checker) note(place string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown[place] = true
}

// Gaps returns what the document has and no exchange has shown, sorted:
// operations, their parameters and statuses, and the properties of answers.
func (c *Checker) Gaps() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var gaps []string
	want := func(place string) {
		if !c.shown[place] {
			gaps = append(gaps, place)
		}
	}
	answered := map[seen]bool{}
	for path, operations := range c.doc.Paths {
		for method, operation := range operations {
			place := strings.ToUpper(method) + " " + path
			want(place)
			for _, name := range c.doc.parameters(operation) {
				want(place + " ?" + name)
			}
			for status, response := range operation.Responses {
				if response.Description == c.never || status == "default" {
					continue
				}
				want(place + " " + status)
				for name, body := range response.Content {
					if name == jsonType {
						c.doc.properties(body.Schema, "", answered)
					} else {
						want(place + " " + status + " " + name)
					}
				}
			}
		}
	}
	for property := range answered {
		if !c.seen[property] {
			gaps = append(gaps, property.schema+"."+property.property)
		}
	}
	slices.Sort(gaps)
	return gaps
}

// properties collects the properties of a schema and of all that it leads to.
func (d *document) properties(s *schema, name string, all map[seen]bool) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name = strings.TrimPrefix(s.Ref, schemaPath)
		s = d.resolve(s)
	}
	for _, below := range slices.Concat([]*schema{s.Items, s.Additional}, s.OneOf, s.AllOf) {
		d.properties(below, name, all)
	}
	for property, below := range s.Properties {
		if place := (seen{name, property}); !all[place] {
			all[place] = true
			d.properties(below, name+"."+property, all)
		}
	}
}
