// The description of the API in OpenAPI 3.0 (section 4.1 of the specification).
// Nothing of it is written twice: paths and methods come from the list of
// routes, parameters and bodies from the tables in package params, words from
// the language of the base address.

package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"almanac/params"
	"almanac/wire"
)

// Doc answers GET /doc.
var Doc = &Op{Name: "doc", Params: params.None, serve: serveDoc}

// A document is an OpenAPI document. Its keys come in the order that readers of
// the original know, and then ours.
type document struct {
	OpenAPI    string              `json:"openapi"`
	Info       docInfo             `json:"info"`
	Components docComponents       `json:"components"`
	Servers    []docServer         `json:"servers"`
	Tags       []docTag            `json:"tags"`
	Security   []map[string]scopes `json:"security"`
	Paths      wire.Object         `json:"paths"`
}

type docInfo struct {
	Version     string `json:"version"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

type docComponents struct {
	Schemas         wire.Object `json:"schemas"`
	SecuritySchemes wire.Object `json:"securitySchemes"`
}

type docServer struct {
	URL string `json:"url"`
}

type docTag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// scopes is what a way to sign in is asked for; ours have none.
type scopes []string

// A securityScheme is a way to sign in.
type securityScheme struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme"`
	Description string `json:"description"`
}

// A docOperation is one method of a path.
type docOperation struct {
	Tags        []string            `json:"tags"`
	Summary     string              `json:"summary"`
	OperationID string              `json:"operationId"`
	Parameters  []docParameter      `json:"parameters,omitempty"`
	RequestBody *docBody            `json:"requestBody,omitempty"`
	Responses   wire.Object         `json:"responses"`
	Security    []map[string]scopes `json:"security,omitempty"` // nil is that of the document
}

// A describer writes the document of one base address. What it writes depends
// on nothing else but the settings of the server.
type describer struct {
	base    *base
	text    func(key string) string // in the language of the base
	perPage int
}

// serveDoc answers GET /doc.
func serveDoc(r *request) (*response, error) {
	text := r.base.doc()
	address, err := wire.Marshal(docServer{r.api("/")})
	if err != nil {
		return nil, err
	}
	return &response{status: http.StatusOK, body: json.RawMessage(bytes.Replace(text, nowhere, address, 1))}, nil
}

// nowhere stands for the address in the document that is kept: it alone changes
// with the host of a request.
var nowhere = []byte(`{"url":""}`)

// describe gives the document of a base address, without the address itself. It
// is made when it is first asked for.
func (s *Server) describe(b *base) func() []byte {
	return sync.OnceValue(func() []byte {
		d := describer{b, b.language.Text, s.perPage}
		text, err := wire.Marshal(d.document(""))
		if err != nil {
			panic(err) // it is made of constants
		}
		return text
	})
}

// document describes the API at an address.
func (d *describer) document(address string) document {
	doc := document{
		OpenAPI: "3.0.0",
		Info:    docInfo{"1.0.0", d.text("api.title"), d.text("api.description")},
		Servers: []docServer{{address}},
		Paths:   d.paths(),
	}
	doc.Components.Schemas = d.schemas()
	doc.Components.SecuritySchemes.Add("basic", securityScheme{"http", "basic", d.text("security.basic")})
	doc.Components.SecuritySchemes.Add("bearer", securityScheme{"http", "bearer", d.text("security.bearer")})
	for _, g := range groups {
		doc.Tags = append(doc.Tags, docTag{g.name, d.text("group." + g.name)})
	}
	doc.Security = append([]map[string]scopes{{}}, signedIn()...) // reading needs no account
	return doc
}

// signedIn is the ways to sign in, any of which will do.
func signedIn() []map[string]scopes {
	return []map[string]scopes{{"basic": {}}, {"bearer": {}}}
}

// A group is operations on one kind of records.
type group struct {
	name   string // of the operations and of the list: "events"
	one    string // schemas of what is sent begin with it: "EventCreate"
	schema string // of a record: "Event"
}

// groups are in the order of the specification. The last holds what describes
// the service itself.
var groups = []group{
	{"events", "Event", "Event"},
	{"venues", "Venue", "Venue"},
	{"organizers", "Organizer", "Organizer"},
	{"categories", "Category", "Term"},
	{"tags", "Tag", "Term"},
	{name: "service"},
}

// terms reports whether the records are terms: they have no trash, and an
// unknown one is a bad parameter.
func (g group) terms() bool { return g.schema == "Term" }

// part gives the group of an operation and its verb within it: "events.read"
// and "events.read-by-slug" are both read of events.
func (op *Op) part() (group, string) {
	name, verb, ok := strings.Cut(op.Name, ".")
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
	if !ok || i < 0 {
		return groups[len(groups)-1], op.Name
	}
	return groups[i], strings.TrimSuffix(verb, "-by-slug")
}

// methodOrder is the order of a path's methods in the document.
var methodOrder = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// paths describes every route of the namespace. Its keys are relative to the
// namespace; the address of the server ends with that.
func (d *describer) paths() wire.Object {
	var paths wire.Object
	for _, rt := range d.base.routes {
		below, ok := rt.below()
		if !ok {
			continue
		}
		if below == "" {
			below = "/"
		}
		var operations wire.Object
		for _, method := range methodOrder {
			for _, ro := range rt.ops {
				if slices.Contains(ro.methods, method) {
					operations.Add(strings.ToLower(method), d.operation(rt, ro, method))
				}
			}
		}
		paths.Add(below, operations)
	}
	return paths
}

// operation describes what a method does to a path.
func (d *describer) operation(rt *route, ro routeOp, method string) docOperation {
	g, verb := ro.op.part()
	o := docOperation{
		Tags:        []string{g.name},
		Summary:     d.text("op." + ro.op.Name),
		OperationID: camel(ro.op.Name),
		Parameters:  d.pathParameters(rt),
		Responses:   d.responses(g, verb, method),
	}
	if method != ro.methods[0] {
		o.OperationID += camel("-" + strings.ToLower(method)) // ids are unique
	}
	if verb == "create" || verb == "update" {
		o.RequestBody = d.body(g, verb)
	} else {
		o.Parameters = append(o.Parameters, d.queryParameters(ro.op.Params)...)
	}
	if ro.op.permit != nil {
		o.Security = signedIn()
	}
	return o
}

// camel writes the name of an operation as a name in programs:
// "events.read-by-slug" is eventsReadBySlug.
func camel(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == '-' })
	for i, word := range words {
		if i > 0 || name[0] == '-' {
			words[i] = upper(word)
		}
	}
	return strings.Join(words, "")
}
