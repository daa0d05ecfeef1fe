// Package openapi describes the service in OpenAPI 3.0 and 3.1 (section 4.1 of
// the specification). Nothing is written twice: paths and methods come from the
// list of routes, parameters and bodies from the tables in package params, words
// from a language, examples from a server that gave them.
//
// An API has the description in three forms: Document returns the OpenAPI document, Page
// and Search return the same for people, as pages of HTML, and Index has the routes with
// their arguments, as clients of the original know them.
package openapi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"almanac/i18n"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
)

// An API is the subject of the document: the routes at one base address, in the words of one
// language.
type API struct {
	Routes    []Route
	Language  i18n.Language
	Text      func(key string) string // of the language, for tests; nil asks the language
	PerPage   int                     // default page size
	Namespace string                  // of the base address, which defaults may name
}

// A Route is a path below the namespace with its operations.
type Route struct {
	Path       string // "/events/{id}"; "" is the namespace itself
	Operations []Operation
	Unlisted   bool // the index leaves it out
}

// An Operation is the effect of some methods on a path.
type Operation struct {
	Methods []string
	Name    string // "events.read-by-slug"
	Params  params.Table
	Guarded bool     // asks for an account
	Media   string   // type of the documents that it answers with; "" for JSON
	Also    []string // types that Accept may ask for in the place of JSON
}

// A Document is an OpenAPI document. Its keys come in the order that readers of
// the original know, and then ours.
type Document struct {
	OpenAPI    string              `json:"openapi"`
	Info       docInfo             `json:"info"`
	Components docComponents       `json:"components"`
	Servers    []map[string]string `json:"servers"`
	Tags       []docTag            `json:"tags"`
	Security   []requirement       `json:"security"`
	Paths      jsonio.Object       `json:"paths"`
}

type docInfo struct {
	Version     string `json:"version"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

type docComponents struct {
	Schemas         jsonio.Object `json:"schemas"`
	SecuritySchemes jsonio.Object `json:"securitySchemes"`
	Examples        jsonio.Object `json:"examples"`
}

type docTag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// A requirement names a way to sign in, with its scopes, which are always empty.
type requirement map[string][]string

// A securityScheme is a way to sign in.
type securityScheme struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme"`
	Description string `json:"description"`
}

// A docOperation is one method of a path.
type docOperation struct {
	Tags        []string       `json:"tags"`
	Summary     string         `json:"summary"`
	OperationID string         `json:"operationId"`
	Parameters  []docParameter `json:"parameters,omitempty"`
	RequestBody *docBody       `json:"requestBody,omitempty"`
	Responses   jsonio.Object  `json:"responses"`
	Security    []requirement  `json:"security,omitempty"` // nil is that of the document
}

// A Version is one of OpenAPI.
type Version string

// The versions that documents are written in. The first is the default.
const (
	Version30 Version = "3.0"
	Version31 Version = "3.1"
)

// Document describes the API at an address.
func (d *API) Document(address string, version Version) Document {
	doc := Document{
		OpenAPI: "3.0.3",
		Info:    docInfo{"1.0.0", d.text("api.title"), d.text("api.description")},
		Servers: []map[string]string{{"url": address}},
		Paths:   d.paths(),
	}
	doc.Components.Schemas = d.schemas()
	doc.Components.SecuritySchemes.Add(
		"basic",
		securityScheme{"http", "basic", d.text("security.basic")},
	)
	doc.Components.SecuritySchemes.Add(
		"bearer",
		securityScheme{"http", "bearer", d.text("security.bearer")},
	)
	doc.Components.Examples = examples()
	for _, g := range groups {
		doc.Tags = append(doc.Tags, docTag{g.name, d.text("group." + g.name)})
	}
	doc.Security = append([]requirement{{}}, signedIn()...) // reading needs no account
	if version == Version31 {
		doc.OpenAPI = "3.1.0"
		doc.modernize()
	}
	return doc
}

// text returns the text of a key.
func (d *API) text(key string) string {
	if d.Text != nil {
		return d.Text(key)
	}
	return d.Language.Text(key)
}

// signedIn has the alternative ways to sign in.
func signedIn() []requirement {
	return []requirement{{"basic": {}}, {"bearer": {}}}
}

// A group is operations on one kind of records.
type group struct {
	name   string // of the operations and of the list: "events"
	one    string // its schemas begin with it: "EventCreate"
	schema string // of a record: "Event"
}

// groups are in the order of the specification. The last holds what describes
// the service itself.
var groups = []group{
	{"events", "Event", "Event"},
	{"series", "Series", "Series"},
	{"venues", "Venue", "Venue"},
	{"organizers", "Organizer", "Organizer"},
	{"categories", "Category", "Term"},
	{"tags", "Tag", "Term"},
	{"media", "Media", "Media"},
	{name: "service", one: "Error"},
}

// terms reports whether the records are terms: they have no trash, and an
// unknown one is a bad parameter.
func (g group) terms() bool { return g.schema == "Term" }

// part returns the group of an operation and its verb within it: "events.read"
// and "events.read-by-slug" are both read of events.
func (op *Operation) part() (group, string) {
	name, verb, ok := strings.Cut(op.Name, ".")
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
	if !ok || i < 0 {
		return groups[len(groups)-1], op.Name
	}
	return groups[i], strings.TrimSuffix(verb, "-by-slug")
}

// methodOrder is the order of a path's methods in the document.
var methodOrder = []string{
	http.MethodGet,
	http.MethodPost,
	http.MethodPut,
	http.MethodPatch,
	http.MethodDelete,
}

// paths describes every route of the namespace. Its keys are relative to the
// namespace; the address of the server ends with that.
func (d *API) paths() jsonio.Object {
	var paths jsonio.Object
	for i := range d.Routes {
		rt := &d.Routes[i]
		var operations jsonio.Object
		for _, method := range methodOrder {
			for j := range rt.Operations {
				if op := &rt.Operations[j]; slices.Contains(op.Methods, method) {
					operations.Add(strings.ToLower(method), d.operation(rt, op, method))
				}
			}
		}
		paths.Add(cmp.Or(rt.Path, "/"), operations)
	}
	return paths
}

// operation describes what a method does to a path.
func (d *API) operation(rt *Route, op *Operation, method string) docOperation {
	g, verb := op.part()
	if op.Media != "" {
		_, pages := op.Params.Row("page")
		switch {
		case strings.Contains(rt.Path, "{"):
			verb = "read"
		case pages:
			verb = "list"
		default:
			verb = "document"
		}
	}
	o := docOperation{
		Tags:        []string{g.name},
		Summary:     d.text(summary(op.Name)),
		OperationID: camel(op.Name),
		Parameters:  d.pathParameters(rt),
		Responses:   d.responses(g, verb, method, op),
	}
	if method != op.Methods[0] {
		o.OperationID += camel("-" + strings.ToLower(method)) // ids are unique
	}
	if verb == "create" || verb == "update" {
		o.RequestBody = d.body(g, verb)
	} else {
		o.Parameters = append(o.Parameters, d.queryParameters(op.Params)...)
	}
	if op.Guarded {
		o.Security = signedIn()
	}
	return o
}

// summary returns the key of the text that says what an operation does: the kinds of records share
// some texts.
func summary(name string) string {
	if _, verb, _ := strings.Cut(name, "."); verb == "revisions" || verb == "restore" ||
		verb == "merge" {
		name = verb
	}
	return "op." + name
}

// camel writes the name of an operation as a name in programs:
// "events.read-by-slug" is eventsReadBySlug.
func camel(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == '-' })
	for i, word := range words {
		if i > 0 || name[0] == '-' {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}
