// Package rest answers requests: the operations of the specification, how
// records look on the wire, errors, and the manners of HTTP around them.
//
// New makes one http.Handler of a store, accounts, a clock and the list of
// routes. Inside there is one mux per base address, which knows its absolute
// address and its language; an operation never learns more of where it was
// asked than that. Operations return an answer or an error; only write.go
// writes.
package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync/atomic"

	"almanac/account"
	"almanac/caltime"
	"almanac/i18n"
	"almanac/store"
)

// Namespace is the path of the service below a base address (section 9 of the
// specification).
const Namespace = "cal/events/v1"

// Limits of what is read.
const maxBody = 1 << 20 // bytes of a body

// Options says what a server serves. Store and Accounts are needed.
type Options struct {
	Store      *store.Store
	Accounts   *account.Directory
	Clock      *caltime.Clock  // nil is the system's
	Site       *caltime.Zone   // the site's zone; nil is UTC
	URL        *url.URL        // public address of the site; nil takes the host of each request
	PerPage    int             // default page size; 0 is 10
	MaxPerPage int             // larger pages are cut to this; 0 is 50
	Currency   string          // put before a cost that carries none; "" is $
	Also       string          // a further path of the API, as /wp-json/tribe/events/v1
	Languages  []i18n.Language // base addresses beside the neutral one; nil is every language there is
	CacheBytes int64           // of renderings that are kept; 0 is 256 MiB, less than 0 keeps none
	Explain    bool            // lists say in X-Almanac-Plan how they were found
	Logger     *slog.Logger    // nil discards
}

// A Server is the handler. It is safe for concurrent use.
type Server struct {
	store      *store.Store
	accounts   *account.Directory
	clock      *caltime.Clock
	zone       *caltime.Zone // the site's
	zones      caltime.Zones
	home       string // public address, no slash at the end; "" for the host of each request
	perPage    int
	maxPerPage int
	currency   string
	log        *slog.Logger
	bases      []*base // that of -also first, the neutral one last
	kept       *kept   // nil keeps nothing
	siteCount  atomic.Uint32
	settings   []byte // fingerprint of all that is above
	explain    bool
}

// A base is one base address: a path prefix with a language, and the mux of
// the routes below it.
type base struct {
	prefix    string // "", "/fr", "/wp-json"
	namespace string // "cal/events/v1", "tribe/events/v1"
	language  i18n.Language
	routes    []*route // in the order of the list
	mux       *http.ServeMux
	doc       func() []byte // the description of the API, kept
	sites     sites
	tag       []string // of the language, as a header has it
}

// A route is one path with the operations of its methods.
type route struct {
	pattern   string   // "/cal/events/v1/events/{id}"
	variables []string // in the pattern: "id" or "slug"
	ops       []routeOp
	open      []string // value of the Allow header for strangers, who may not write
}

type routeOp struct {
	methods []string
	op      *Op
}

// New makes a server. routes calls its argument for every route, as
// "GET /cal/events/v1/events", several methods with commas between them. It
// panics when two routes are one, as http.ServeMux does.
func New(o Options, routes func(on func(pattern string, op *Op))) (*Server, error) {
	s := &Server{
		store: o.Store, accounts: o.Accounts, clock: o.Clock, zone: o.Site,
		perPage: o.PerPage, maxPerPage: o.MaxPerPage, currency: o.Currency, log: o.Logger,
		kept: newKept(o.CacheBytes), explain: o.Explain,
	}
	if o.URL != nil {
		s.home = strings.TrimSuffix(o.URL.String(), "/")
	}
	if s.zone == nil {
		s.zone = caltime.UTC()
	}
	if s.maxPerPage == 0 {
		s.maxPerPage = 50
	}
	if s.perPage == 0 {
		s.perPage = 10
	}
	s.perPage = min(s.perPage, s.maxPerPage)
	if s.currency == "" {
		s.currency = "$"
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.settings = s.fingerprint()
	if o.Also != "" {
		prefix, namespace, err := splitAlso(o.Also)
		if err != nil {
			return nil, err
		}
		s.bases = append(s.bases, s.newBase(prefix, namespace, i18n.English(), routes))
	}
	languages := o.Languages
	if languages == nil {
		languages = i18n.Languages()
	}
	for _, l := range languages {
		s.bases = append(s.bases, s.newBase("/"+l.Tag, Namespace, l, routes))
	}
	s.bases = append(s.bases, s.newBase("", Namespace, i18n.English(), routes))
	return s, nil
}

// splitAlso takes a further path of the API apart: the last three segments are
// its namespace, what is before them the prefix of its links.
func splitAlso(also string) (prefix, namespace string, err error) {
	also = strings.TrimSuffix(also, "/")
	segments := strings.Split(strings.TrimPrefix(also, "/"), "/")
	if !strings.HasPrefix(also, "/") || path.Clean(also) != also || len(segments) < 3 || strings.ContainsAny(also, "{}?#% ") {
		return "", "", fmt.Errorf("%q is no path of an API: it must be like /wp-json/tribe/events/v1", also)
	}
	cut := len(segments) - 3
	if cut > 0 {
		prefix = "/" + strings.Join(segments[:cut], "/")
	}
	return prefix, strings.Join(segments[cut:], "/"), nil
}

// newBase makes the mux of one base address.
func (s *Server) newBase(prefix, namespace string, language i18n.Language, routes func(func(string, *Op))) *base {
	b := &base{prefix: prefix, namespace: namespace, language: language, mux: http.NewServeMux(), tag: []string{language.Tag}}
	b.doc = s.description(b)
	byPath := map[string]*route{}
	routes(func(pattern string, op *Op) {
		methods, path, ok := strings.Cut(pattern, " ")
		if !ok || op == nil {
			panic("rest: route without method or operation: " + pattern)
		}
		rt := byPath[path]
		if rt == nil {
			rt = &route{pattern: path}
			for _, name := range []string{"id", "slug"} {
				if strings.Contains(path, "{"+name+"}") {
					rt.variables = append(rt.variables, name)
				}
			}
			byPath[path] = rt
			b.routes = append(b.routes, rt)
		}
		list := strings.Split(methods, ",")
		rt.ops = append(rt.ops, routeOp{list, op})
		for _, method := range list {
			b.mux.HandleFunc(method+" "+b.path(path), s.handler(b, rt, op))
		}
	})
	for _, rt := range b.routes {
		rt.open = []string{strings.Join(rt.methods(func(op *Op) bool { return op.permit == nil }), ", ")}
		b.mux.HandleFunc("OPTIONS "+b.path(rt.pattern), s.handler(b, rt, describeRoute))
	}
	b.mux.HandleFunc("/", s.handler(b, nil, noRoute))
	return b
}

// path gives the path of a pattern below the base address, in lower case, as
// requests are compared.
func (b *base) path(pattern string) string {
	if below, ok := strings.CutPrefix(pattern, "/"+Namespace); ok {
		return strings.ToLower(b.prefix + "/" + b.namespace + below)
	}
	if pattern == "/{$}" && b.prefix != "" {
		return strings.ToLower(b.prefix)
	}
	return strings.ToLower(b.prefix) + pattern
}

// noRoute answers what no route takes.
var noRoute = &Op{Name: "none", serve: func(*request) (*response, error) { return nil, errNoRoute }}

// ServeHTTP finds the base address and the route of a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	hr = s.settle(hr)
	s.baseOf(hr.URL.Path).mux.ServeHTTP(w, hr)
}

// baseOf gives the base address of a path: that whose namespace it is in, else
// that whose prefix it has.
func (s *Server) baseOf(p string) *base {
	for _, b := range s.bases {
		if hasSegments(p, b.prefix+"/"+b.namespace) {
			return b
		}
	}
	for _, b := range s.bases {
		if b.prefix != "" && hasSegments(p, b.prefix) {
			return b
		}
	}
	return s.bases[len(s.bases)-1]
}

// hasSegments reports whether a path is another or lies below it, whatever the
// letter case.
func hasSegments(p, above string) bool {
	return len(p) >= len(above) && strings.EqualFold(p[:len(above)], above) && (len(p) == len(above) || p[len(above)] == '/')
}
