// The index of a namespace: its routes with their methods and arguments.

package openapi

import (
	"regexp"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
)

// A describedRoute is a route in the index.
type describedRoute struct {
	Namespace string     `json:"namespace"`
	Methods   []string   `json:"methods"`
	Endpoints []endpoint `json:"endpoints"`
	Links     any        `json:"_links,omitempty"` // of routes without variables
}

// Link returns the links of an object that has one.
func Link(relation, address string) any {
	return map[string][]map[string]string{relation: {{"href": address}}}
}

// An endpoint is an operation in the index.
type endpoint struct {
	Methods []string `json:"methods"`
	Args    any      `json:"args"` // an object of arguments; [] when there are none
}

// An argument is a parameter in the index.
type argument struct {
	Default     any               `json:"default,omitempty"`
	Description string            `json:"description"`
	Type        string            `json:"type,omitempty"`
	Format      string            `json:"format,omitempty"`
	Items       map[string]string `json:"items,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Required    bool              `json:"required"`
}

// Index adds the listed routes to an object, in their order, as they are below an address. The
// environment has the defaults that are in force now.
func (d *API) Index(routes *jsonio.Object, address string, env params.Env) {
	for _, rt := range d.Routes {
		if !rt.Unlisted {
			routes.Add("/"+d.Namespace+expression(rt.Path), d.Describe(rt, address+rt.Path, env))
		}
	}
}

// Describe describes a route as the index does.
func (d *API) Describe(rt Route, address string, env params.Env) any {
	described := describedRoute{Namespace: d.Namespace}
	for _, op := range rt.Operations {
		described.Methods = append(described.Methods, op.Methods...)
		described.Endpoints = append(
			described.Endpoints,
			endpoint{op.Methods, d.arguments(op.Params, env)},
		)
	}
	if !variable.MatchString(rt.Path) {
		described.Links = Link("self", address)
	}
	return described
}

// arguments describes the parameters of a table.
func (d *API) arguments(t params.Table, env params.Env) any {
	var args jsonio.Object
	for i := range t {
		row := &t[i]
		if row.Unlisted {
			continue
		}
		arg := argument{
			Default:     row.Value(env),
			Description: d.text(row.Doc),
			Type:        row.Type,
			Format:      row.Format,
			Enum:        row.Enum,
			Required:    row.Required,
		}
		if row.Items != "" {
			arg.Items = map[string]string{"type": row.Items}
		}
		args.Add(row.Name, arg)
	}
	if args.Len() == 0 {
		return []any{}
	}
	return args
}

// variableForms has the regular expressions that the index shows for the variables of paths.
var variableForms = map[string]string{
	"id":        `\d+`,
	"number":    `\d+`,
	"day":       `[^/]+`,
	"slug":      `[^/]+`,
	"language":  `[^/]+`,
	"name":      `[^/]+`,
	"directory": `[0-9a-f]+`,
	"path":      `.+`,
	"secret":    `[0-9a-f]+`,
}

// variable is a variable in the pattern of a route. {$} is none.
var variable = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// VariablesOf returns the names of the variables of a path. It panics when one has
// no form: a mistake of ours, found at start.
func VariablesOf(path string) (names []string) {
	for _, part := range strings.Split(path, "{")[1:] {
		name, _, _ := strings.Cut(part, "}")
		name = strings.TrimSuffix(name, "...")
		if name == "$" {
			continue
		}
		if variableForms[name] == "" {
			panic("openapi: no form of the variable " + name + " of " + path + "; add it to variableForms")
		}
		names = append(names, name)
	}
	return names
}

// expression returns a path with its variables as groups of a regular expression.
func expression(path string) string {
	return variable.ReplaceAllStringFunc(path, func(braced string) string {
		name := strings.TrimSuffix(braced[1:len(braced)-1], "...")
		return "(?P<" + name + ">" + variableForms[name] + ")"
	})
}
