// Examples on pages: commands, and what they answer.

package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"almanac/internal/text/jsonio"
)

// First is a command that asks for the first thing that readers want, and Answer
// what it answers, abbreviated.
func (p *page) First() string { return "curl '" + p.Address + "/events?per_page=1'" }

// Answer is the example of a list, with the members that say most.
func (p *page) Answer() string {
	var list struct {
		Events []map[string]json.RawMessage
		Total  json.RawMessage
	}
	if err := json.Unmarshal(exampleOf("EventList"), &list); err != nil || len(list.Events) == 0 {
		panic(fmt.Sprint("openapi: no list in the example: ", err))
	}
	b := bytes.NewBufferString("{\n  \"events\": [{\n")
	for _, name := range []string{"id", "title", "start_date", "timezone", "cost"} {
		fmt.Fprintf(b, "    %q: %s,\n", name, list.Events[0][name])
	}
	fmt.Fprintf(b, "    …\n  }],\n  \"total\": %s,\n  …\n}", list.Total)
	return b.String()
}

// Example returns the example of a schema, "" if it has none.
func (p *page) Example(name string) string {
	data, _ := exampleFiles.ReadFile("examples/" + name + ".json")
	return strings.TrimSpace(string(data))
}

// Curl returns a command that asks for an operation.
func (p *page) Curl(o *pageOperation) string {
	var b strings.Builder
	b.WriteString("curl")
	if method := o.Methods[0]; method != "GET" && o.RequestBody == nil {
		b.WriteString(" -X " + method)
	}
	if o.Account {
		b.WriteString(` -H "Authorization: Bearer $TOKEN"`)
	}
	switch {
	case o.RequestBody == nil:
	case p.inputOf(o.RequestBody).Name == "MediaCreate":
		b.WriteString(" \\\n  -F file=@poster.jpg -F alt='A choir' \\\n ")
	default:
		data, _ := jsonio.Marshal(exampleOf(p.inputOf(o.RequestBody).Name)) // on one line
		b.WriteString(
			" \\\n  -H 'Content-Type: application/json' \\\n  -d '" + string(data) + "' \\\n ",
		)
	}
	b.WriteString(" '" + p.Address + p.filled(o) + "'")
	return b.String()
}

// filled returns the path of an operation with the variables of an example.
func (p *page) filled(o *pageOperation) string {
	path := strings.ReplaceAll(o.Path, "{language}", p.Language.Tag)
	for _, g := range groups {
		if g.name != o.Tags[0] || g.schema == "" {
			continue
		}
		var record struct {
			ID   json.Number `json:"id"`
			Slug string      `json:"slug"`
		}
		if json.Unmarshal(exampleOf(g.one), &record) == nil {
			path = strings.NewReplacer("{id}", record.ID.String(), "{slug}", record.Slug).
				Replace(path)
		}
	}
	if path == "/events" && o.Methods[0] == "GET" {
		path += "?per_page=3&search=concert"
	}
	return path
}
