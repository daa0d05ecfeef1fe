// The index of the namespace, the root of a base address and the answers to OPTIONS (section 4.1
// of the specification). They are derived from the list of routes and the tables of their
// parameters.

package api

import (
	"net/http"
	"strings"
	"time"

	"almanac/internal/api/openapi"
	"almanac/internal/api/respond"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
)

// Index answers GET of the namespace with its routes.
var Index = Localized(&Op{Name: "index", Params: params.Index, Serve: serveIndex})

// Root answers GET of a base address with a list of its services, for clients that know only the
// address of a site.
var Root = Localized(&Op{Name: "root", Params: params.None, Serve: serveRoot})

// describeRoute answers OPTIONS of every route. Nothing that its path names is
// looked up, and no rights are asked for.
var describeRoute = Localized(&Op{Name: "options", Params: params.None, Serve: serveOptions})

// serveIndex answers GET /cal/events/v1.
func serveIndex(r *Call) (*respond.Response, error) {
	var routes jsonio.Object
	api := r.describeAPI(r.Base, r.Language)
	address := r.Site.API
	if r.isLegacy() {
		api = r.describeLegacy(r.Language)
		address = r.legacyURL("")
	}
	api.Index(&routes, address, r.env(nil))
	var index jsonio.Object
	index.Add("namespace", api.Namespace)
	index.Add("routes", routes)
	index.Add("_links", openapi.Link("up", r.Site.Origin+r.Base.Prefix+"/"))
	return &respond.Response{
		Status: http.StatusOK,
		Body:   jsonBody(index),
		Links:  r.siblings(),
	}, nil
}

// serveRoot answers GET of a base address. Several namespaces may be served below it: that of the
// service, and a namespace that existing clients know.
func serveRoot(r *Call) (*respond.Response, error) {
	var namespaces []string
	var routes jsonio.Object
	for _, b := range r.Front.Bases() {
		if b.Prefix == r.Base.Prefix {
			api := r.describeAPI(b, r.Language)
			env := r.env(nil)
			env.Namespace = b.Namespace
			api.Index(&routes, r.Site.API, env)
			namespaces = append(namespaces, b.Namespace)
		}
		if b.Prefix == r.Base.Prefix && b.Namespace != Namespace {
			old := r.describeLegacy(r.Language)
			if old.Index(&routes, r.Site.Origin+b.Prefix+"/"+legacy, r.env(nil)); len(
				old.Routes,
			) > 0 {
				namespaces = append(namespaces, legacy)
			}
		}
	}
	var root jsonio.Object
	root.Add("name", r.SiteName())
	root.Add("description", r.Language.Text("api.description"))
	root.Add("url", r.Site.Origin)
	root.Add("home", r.Site.Origin)
	now := r.Now.UTC().Truncate(time.Second) // as precise as a Wall
	root.Add("gmt_offset", r.Zone.Wall(now).Sub(now).Hours())
	root.Add("timezone_string", r.zoneName)
	root.Add("namespaces", namespaces)
	root.Add("routes", routes)
	return &respond.Response{
		Status: http.StatusOK,
		Body:   jsonBody(root),
		Links:  r.siblings(),
		Header: r.Discovery(r.URL("/")),
	}, nil
}

// Discovery returns the header fields by which programs that know the original find the API.
func (r *Target) Discovery(root string) map[string]string {
	return map[string]string{
		"X-TEC-API-VERSION": "v1",
		"X-TEC-API-ROOT":    root,
		"X-TEC-API-ORIGIN":  r.Site.Origin,
	}
}

// siblings leads to the same route in the other languages (RFC 8288, section
// 3.4.1). Only answers that describe the API have any: records have no texts of a
// language, and pages name their own in their HTML.
func (r *Call) siblings() []string {
	var links []string
	for _, b := range r.Front.Bases() {
		language := b.Language.Tag
		switch {
		case b == r.Base || b.Namespace != r.Base.Namespace:
			continue
		case b.Prefix == "" && b.Host == "":
			language = "x-default"
		}
		path := strings.ReplaceAll(
			strings.TrimSuffix(r.route.pattern, "{$}"),
			"{name}",
			r.Path["name"],
		)
		if below, ok := r.route.below(); ok {
			path = "/" + b.Namespace + below
		}
		links = append(
			links,
			"<"+r.Front.Origin(
				b,
				r.Site.Origin,
			)+b.Prefix+path+`>; rel="alternate"; hreflang="`+language+`"`,
		)
	}
	return links
}

// serveOptions answers OPTIONS. A route outside the namespace belongs to none.
func serveOptions(r *Call) (*respond.Response, error) {
	api := openapi.API{Language: r.Language, Namespace: r.Base.Namespace}
	rt := r.route.describe()
	address := r.URL(rt.Path)
	if _, ok := r.route.below(); !ok {
		api.Namespace = ""
		address = r.Site.Origin + r.Base.Prefix + rt.Path
	}
	return &respond.Response{
		Status: http.StatusOK,
		Body:   jsonBody(api.Describe(rt, address, r.env(nil))),
	}, nil
}

// below returns the path of a route below the namespace, "" for the namespace
// itself. It reports whether the route is in the namespace at all.
func (rt *route) below() (string, bool) {
	below, ok := strings.CutPrefix(rt.pattern, "/"+Namespace)
	return below, ok && (below == "" || below[0] == '/')
}
