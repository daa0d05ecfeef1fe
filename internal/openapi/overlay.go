// What turns the English document into that of another language.

package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"almanac/internal/jsonout"
)

// An Overlay is an OpenAPI Overlay 1.0 document: a list of changes to an OpenAPI
// document, for tools that keep one description and show it in many languages.
type Overlay struct {
	Overlay string      `json:"overlay"`
	Info    overlayInfo `json:"info"`
	Extends string      `json:"extends"` // address of the document that it is for
	Actions []action    `json:"actions"`
}

type overlayInfo struct {
	Title   string `json:"title"`
	Version string `json:"version"`
}

// An action sets members of one object.
type action struct {
	Target string            `json:"target"` // JSONPath (RFC 9535) of the object
	Update map[string]string `json:"update"` // its texts
}

// Overlay returns what changes the texts of the document of another API, at the
// address given, into those of this one. Both must have the same routes.
func (d *API) Overlay(from *API, address string) (*Overlay, error) {
	o := &Overlay{Overlay: "1.0.0", Info: overlayInfo{d.text("api.title"), "1.0.0"}, Extends: address}
	before, err := generic(from.Document("", Version30))
	if err != nil {
		return nil, err
	}
	after, err := generic(d.Document("", Version30))
	if err != nil {
		return nil, err
	}
	o.compare("$", before, after)
	if o.Actions == nil { // there must be one
		o.Actions = []action{{"$.info", map[string]string{"title": d.text("api.title")}}}
	}
	return o, nil
}

// generic returns a document as what JSON knows.
func generic(doc Document) (any, error) {
	data, err := jsonout.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var value any
	return value, json.Unmarshal(data, &value)
}

// compare adds the actions for an object and all that is inside it.
func (o *Overlay) compare(path string, before, after any) {
	switch before := before.(type) {
	case []any:
		for i, item := range before {
			o.compare(fmt.Sprintf("%s[%d]", path, i), item, after.([]any)[i])
		}
	case map[string]any:
		after := after.(map[string]any)
		update := map[string]string{}
		names := slices.Sorted(maps.Keys(before))
		for _, name := range names {
			if text, ok := after[name].(string); ok && text != before[name] {
				update[name] = text
			}
		}
		if len(update) > 0 {
			o.Actions = append(o.Actions, action{path, update})
		}
		for _, name := range names {
			o.compare(path+step(name), before[name], after[name])
		}
	}
}

// step returns the member of a name as JSONPath has it.
func step(name string) string {
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || i > 0 && '0' <= c && c <= '9') {
			return "['" + name + "']" // no name here has a quotation mark
		}
	}
	return "." + name
}
