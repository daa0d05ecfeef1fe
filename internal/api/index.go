// The index of the namespace, the root of a base address and the answers to OPTIONS (section 4.1 of the
// specification). They are derived from the list of routes and the tables of their parameters.

package api

import (
	"net/http"
	"regexp"
	"strings"

	"almanac/internal/jsonout"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// Index answers GET of the namespace with its routes.
var Index = Localized(&Op{Name: "index", Params: params.Index, Serve: serveIndex})

// Root answers GET of a base address with a list of its services, for clients that know only the address of a
// site.
var Root = Localized(&Op{Name: "root", Params: params.None, Serve: serveRoot})

// describeRoute answers OPTIONS of every route. Nothing that its path names is
// looked up, and no rights are asked for.
var describeRoute = Localized(&Op{Name: "options", Params: params.None, Serve: serveOptions})

// A routeDescription is a route in the index.
type routeDescription struct {
	Namespace string           `json:"namespace"`
	Methods   []string         `json:"methods"`
	Endpoints []endpoint       `json:"endpoints"`
	Links     map[string]hrefs `json:"_links,omitempty"` // of routes without variables
}

// hrefs is the addresses of one kind of link.
type hrefs []href

// href is one link.
type href struct {
	Href string `json:"href"`
}

// An endpoint is an operation in the index.
type endpoint struct {
	Methods []string `json:"methods"`
	Args    any      `json:"args"` // an object of arguments; [] when there are none
}

// An argument is a parameter in the index.
type argument struct {
	Default     any            `json:"default,omitempty"`
	Description string         `json:"description"`
	Type        string         `json:"type,omitempty"`
	Format      string         `json:"format,omitempty"`
	Items       *argumentItems `json:"items,omitempty"`
	Enum        []string       `json:"enum,omitempty"`
	Required    bool           `json:"required"`
}

type argumentItems struct {
	Type string `json:"type"`
}

// A description is a request for the texts that describe the API.
type description struct{ *Call }

// serveIndex answers GET /cal/events/v1.
func serveIndex(call *Call) (*respond.Response, error) {
	r := description{call}
	var routes jsonout.Object
	r.describeRoutes(&routes)
	var index jsonout.Object
	index.Add("namespace", r.Base.Namespace)
	index.Add("routes", routes)
	index.Add("_links", map[string]hrefs{"up": {{Href: r.Site.Origin + r.Base.Prefix + "/"}}})
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(index), Links: r.siblings()}, nil
}

// serveRoot answers GET of a base address. Several namespaces may be served below it: that of the service, and
// a namespace that existing clients know.
func serveRoot(call *Call) (*respond.Response, error) {
	r := description{call}
	var namespaces []string
	var routes jsonout.Object
	for _, b := range r.Front.Bases() {
		if b.Prefix == r.Base.Prefix {
			at := *call
			at.Base = b
			description{&at}.describeRoutes(&routes)
			namespaces = append(namespaces, b.Namespace)
		}
	}
	var root jsonout.Object
	root.Add("name", "almanac")
	root.Add("description", r.Language.Text("api.description"))
	root.Add("url", r.Site.Origin)
	root.Add("home", r.Site.Origin)
	root.Add("namespaces", namespaces)
	root.Add("routes", routes)
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(root), Links: r.siblings(),
		Header: r.Discovery(r.URL("/"))}, nil
}

// Discovery returns the header fields by which programs that know the original find the API.
func (r *Target) Discovery(root string) map[string]string {
	return map[string]string{"X-TEC-API-VERSION": "v1", "X-TEC-API-ROOT": root, "X-TEC-API-ORIGIN": r.Site.Origin}
}

// siblings leads to the same route in the other languages (RFC 8288, section
// 3.4.1). Only answers that describe the API have any: all others have no texts
// of a language.
func (r description) siblings() []string {
	var links []string
	for _, b := range r.Front.Bases() {
		language := b.Language.Tag
		switch {
		case b == r.Base || b.Namespace != r.Base.Namespace:
			continue
		case b.Prefix == "" && b.Host == "":
			language = "x-default"
		}
		path := strings.ReplaceAll(strings.TrimSuffix(r.route.pattern, "{$}"), "{name}", r.Path["name"])
		if below, ok := r.route.below(); ok {
			path = "/" + b.Namespace + below
		}
		links = append(links, "<"+r.Front.Origin(b, r.Site.Origin)+b.Prefix+path+`>; rel="alternate"; hreflang="`+language+`"`)
	}
	return links
}

// serveOptions answers OPTIONS.
func serveOptions(call *Call) (*respond.Response, error) {
	r := description{call}
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(r.describe(r.route))}, nil
}

// describeRoutes adds the routes of the base's namespace, in the order of the
// list.
func (r description) describeRoutes(routes *jsonout.Object) {
	for _, rt := range r.routes {
		if below, ok := rt.below(); ok && !rt.ops[0].op.is(unlisted) {
			routes.Add("/"+r.Base.Namespace+expression(below), r.describe(rt))
		}
	}
}

// below returns the path of a route below the namespace, "" for the namespace
// itself. It reports whether the route is in the namespace at all.
func (rt *route) below() (string, bool) {
	below, ok := strings.CutPrefix(rt.pattern, "/"+Namespace)
	return below, ok && (below == "" || below[0] == '/')
}

// variableForms has the regular expressions that the index shows for the variables of paths.
var variableForms = map[string]string{
	"id": `\d+`, "day": `[^/]+`, "slug": `[^/]+`, "language": `[^/]+`, "name": `[^/]+`, "path": `.+`,
}

// variable is a variable in the pattern of a route. {$} is none.
var variable = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// variablesOf returns the names of the variables of a path. It panics when one has
// no form: a mistake of ours, found at start.
func variablesOf(path string) (names []string) {
	for _, found := range variable.FindAllStringSubmatch(path, -1) {
		if variableForms[found[1]] == "" {
			panic("api: no form of the variable " + found[1] + " of " + path + "; add it to variableForms")
		}
		names = append(names, found[1])
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

// describe describes a route. One outside the namespace belongs to none.
func (r description) describe(rt *route) routeDescription {
	path := strings.TrimSuffix(rt.pattern, "{$}")
	address := r.Site.Origin + r.Base.Prefix + path
	var d routeDescription
	if below, ok := rt.below(); ok {
		d.Namespace, address = r.Base.Namespace, r.URL(below)
	}
	for _, ro := range rt.ops {
		d.Methods = append(d.Methods, ro.methods...)
		d.Endpoints = append(d.Endpoints, endpoint{ro.methods, r.arguments(ro.op.Params)})
	}
	if rt.variables == nil {
		d.Links = map[string]hrefs{"self": {{Href: address}}}
	}
	return d
}

// arguments describes the parameters of a table, with the defaults that are in
// force now.
func (r description) arguments(t params.Table) any {
	var args jsonout.Object
	env := r.env(nil)
	for i := range t {
		row := &t[i]
		if row.Unlisted {
			continue
		}
		arg := argument{
			Default: row.Value(env), Description: r.Language.Text(row.Doc),
			Type: row.Type, Format: row.Format, Enum: row.Enum, Required: row.Required,
		}
		if row.Items != "" {
			arg.Items = &argumentItems{row.Items}
		}
		args.Add(row.Name, arg)
	}
	if args.Len() == 0 {
		return []any{}
	}
	return args
}
