// Package api answers requests over HTTP: it finds the operation of a request, refuses requests
// over a limit or without a right, and writes the result of the operation.
//
//	s, err := api.New(api.Options{Store: st, Accounts: accounts}, routes)
//	http.Serve(listener, s)
//
// It promises that the checks before every operation are the same, in the same order (see
// handler); that a refused request changes no record, but for what earlier transactions of a long
// change have stored; and that a read changes none either, except that PublishDue stores what the
// time has made due. Answers are equal, byte for
// byte, whether they were cached or not. Package render has the form of records, package write the
// effect of a write, package access the rights, and package site the pages for people, whose
// operations use the same Call.
//
// Package front finds the base address of a request, which has a mux, a language and an absolute
// address; operations learn no more of the address than that. Operations return a respond.Response
// or an error, which package respond writes.
//
// The files, in the order in which a request meets them:
//
//   - the request: server.go (Options, New, routes), currency.go (the site's currency), tenant.go
//     (the store and the time of a request, which a layer around the server may choose, and records
//     that are due there), renamed.go (words that a site chose);
//   - checks: handler.go (all checks in order), limits.go, reading.go, access.go, password.go;
//   - operations: op.go (operations), call.go (common parts), list.go, list_events.go, window.go,
//     links.go and steps.go (lists), feeds.go, document.go and whole.go (their other formats),
//     item.go (records), events.go, series.go, linked.go, terms.go, index.go, describe.go,
//     service.go, legacy.go (the namespace wp/v2);
//   - answers: errors.go, tags.go, kept.go (answers that are kept);
//   - reports: record.go (to access logs, metrics and tests).
package api

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/i18n"
	"almanac/internal/api/admission"
	"almanac/internal/api/front"
	"almanac/internal/api/openapi"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/password"
	"almanac/internal/people/submission"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/render"
	"almanac/store"
	"almanac/store/cache"
)

// Namespace is the path of the service below a base address (section 9 of the
// specification).
const Namespace = front.Namespace

// A Desk is the state of the server that the desk alone uses.
type Desk struct {
	Sessions    *account.Sessions                    // nil: there is no desk
	DeskUser    string                               // header field with a login, from trusted proxies; "" is none
	Submissions *submission.Room                     // of proposals; nil: nobody proposes without an account
	Counts      func() (time.Time, map[string]int64) // the start, and the requests that each limit refused; may be nil
	Flags       store.Settings                       // settings that flags decide, but for the logo
	LogoFile    string                               // logo that a flag decides; "" is none
	Machine     string                               // zone of the machine; "" is unknown
	Sent        *submission.Once                     // forms that were sent; New makes it
}

// Options says what a server serves. Store and Accounts are needed.
type Options struct {
	Store    *store.Store
	Accounts *account.Directory
	Desk
	Clock         *caltime.Clock      // nil is the system's
	Site          *caltime.Zone       // the site's zone; nil is UTC
	DayEnds       time.Duration       // after midnight: pages have a night that ends by then on its first day; 0: on both
	URL           *url.URL            // public address of the site; nil takes the host of each request
	PerPage       int                 // default page size; 0 is 10
	MaxPerPage    int                 // larger pages are cut to this; 0 is 50
	Name          string              // name of the calendar; "" is the host of the site
	Currency      string              // of a cost that carries none: an ISO 4217 code or a symbol; "" is $
	Also          string              // a further path of the API, as /wp-json/tribe/events/v1
	Language      i18n.Language       // of the neutral address; the zero value is English
	Languages     []i18n.Language     // base addresses beside the neutral one; nil is every language there is
	Hosts         map[string]*url.URL // hosts of languages with their own, by tag; needs URL
	Negotiate     bool                // the neutral address describes itself in the language of Accept-Language
	Passwords     *password.Keeper    // compares passwords of events; nil makes one
	CacheBytes    int64               // kept answers; 0 is 256 MiB, less than 0 keeps none
	DocumentBytes int64               // whole documents in memory, compressed; 0 is 256 MiB
	Pages         bool                // pages for people, at the addresses that records show
	Look          pages.Look          // how these look
	EventBase     string              // first segment of the addresses of events; "" is event
	EventsBase    string              // and of lists of events; "" is events
	Words         map[string][]string // of the site, that stand for ours in addresses of pages
	Explain       bool                // lists say in X-Almanac-Plan how they were found
	Observe       func(Exchange)      // called after each exchange, by its goroutine; may be nil
	Logger        *slog.Logger        // nil discards
	Limits        *admission.Limits   // nil is admission.Default
	Trusted       []netip.Prefix      // proxies whose statements about clients are trusted
	NoLimits      bool                // nothing is refused for being too much; for tests
	Shared        time.Duration       // cache lifetime of public answers; 0 is none

	// Stopping is closed when the server is about to end: its health is that it is not
	// ready, while it answers what it has begun. Nil is never closed.
	Stopping <-chan struct{}

	// ReadOnly refuses whatever would change a record, an account or a setting, and publishes
	// nothing that is scheduled. People still sign in and out.
	ReadOnly bool

	// StrictInput refuses writes with names that no parameter has, or with a body that is not
	// read. Otherwise X-Almanac-Ignored tells of these.
	StrictInput bool

	// Tenant returns what a request is served from, in the place of Store and Clock.
	// Nil serves every request from these.
	Tenant func(*http.Request) Tenant
	// AllowHeaders are header fields that pages of other sites may send beside those
	// that every server allows. Only answers to requests that ask which fields they may send
	// name them.
	AllowHeaders []string
}

// A Server is the handler. It is safe for concurrent use.
type Server struct {
	store    *store.Store
	clock    *caltime.Clock
	tenant   func(*http.Request) Tenant // nil: store and clock are those of every request
	Accounts *account.Directory
	Desk
	Zone      *caltime.Zone // the site's
	zones     caltime.Zones
	Pages     *pages.Design
	passwords *password.Keeper
	log       *slog.Logger
	routes    []*route // in the order of the list
	root      *Op      // of the root of the site; nil if there is none
	Front     *front.Front
	answers   *cache.Cache[answerKey, *keptAnswer] // nil: none is kept
	documents *documents
	texts     sync.Map       // by textKey: []byte
	observe   func(Exchange) // or nil
	also      bool           // see Options.Also
	bounds    *admission.Bounds
	stopping  <-chan struct{}
	ReadOnly  bool // see Options.ReadOnly
	settings
	fingerprint []byte // of the settings and of the program
}

// A route is one path with the operations of its methods.
type route struct {
	pattern   string   // "/cal/events/v1/events/{id}"
	variables []string // in the pattern: "id" or "slug"
	extension string   // behind the last variable: ".ics"
	extended  []*route // routes that differ in their extension alone
	ops       []routeOp
	allowOpen []string // value of the Allow header for strangers, who may not write
}

type routeOp struct {
	methods []string
	op      *Op
}

// New makes a server. routes calls its argument for every route, as
// "GET /cal/events/v1/events", several methods with commas between them. The
// mux of a base address panics when two routes are one, as http.ServeMux does.
func New(o Options, routes func(on func(pattern string, op *Op))) (*Server, error) {
	if o.Limits == nil {
		o.Limits = new(admission.Default())
	}
	if o.NoLimits {
		o.Limits = nil
	}
	s := &Server{
		store:     o.Store,
		clock:     cmp.Or(o.Clock, caltime.System()),
		tenant:    o.Tenant,
		Accounts:  o.Accounts,
		Desk:      o.Desk,
		Zone:      cmp.Or(o.Site, caltime.UTC()),
		log:       cmp.Or(o.Logger, slog.New(slog.DiscardHandler)),
		answers:   newAnswers(o.CacheBytes),
		documents: newDocuments(cmp.Or(o.DocumentBytes, documentBytes)),
		bounds:    admission.New(o.Limits),
		observe:   o.Observe,
		passwords: o.Passwords,
		stopping:  o.Stopping,
		also:      o.Also != "",
		ReadOnly:  o.ReadOnly,
		Pages:     pages.NewDesign(o.Look, docsStyle),
		settings: settings{
			perPage:    o.PerPage,
			MaxPerPage: cmp.Or(o.MaxPerPage, 50),
			name:       o.Name,
			Slugs:      slugsOf(o),
			language:   cmp.Or(o.Language.Tag, i18n.English().Tag),
			dayEnds:    store.Wall(o.DayEnds / time.Second),
			pages:      o.Pages,
			about:      o.Look.About,
			links:      o.Look.Links,
			explain:    o.Explain,
			strict:     o.StrictInput,
			negotiate:  o.Negotiate,
		},
	}
	s.Sent = new(submission.Once)
	if o.Shared > 0 {
		s.shared = respond.SharedFor(o.Shared)
	}
	if len(o.AllowHeaders) > 0 {
		s.allowedMore = respond.MoreFields(o.AllowHeaders)
	}
	s.words = render.WordsIn(s.language).With(o.Words)
	s.perPage = min(cmp.Or(s.perPage, 10), s.MaxPerPage)
	if s.passwords == nil {
		s.passwords = password.NewKeeper(password.Iterations)
	}
	if s.observe == nil {
		s.observe = testOnlyObserve
	}
	s.zoneName = s.Zone.Name()
	s.limits = s.bounds.Limits
	s.submissions = s.Submissions != nil
	s.policy = s.Pages.EmbedPolicy
	s.assets = slices.Sorted(maps.Keys(s.Pages.Files))
	switch {
	case o.Pages && o.Look.Theme != nil:
		s.Pages.Theme = func() (*pages.Theme, error) {
			return o.Look.Theme, nil
		}
		s.themeName = o.Look.Theme.Name
	case o.Pages:
		s.Pages.Theme = ourTheme
	}
	s.addRoutes(routes)
	if err := s.checkSlugs(o.Also); err != nil {
		return nil, err
	}
	if err := s.checkWords(o); err != nil {
		return nil, err
	}
	languages := o.Languages
	if languages == nil {
		languages = i18n.Languages()
	}
	var err error
	s.Front, err = front.New(front.Options{
		URL:       o.URL,
		Also:      o.Also,
		Language:  o.Language,
		Languages: languages,
		Hosts:     o.Hosts,
		Negotiate: o.Negotiate,
		Proxies:   o.Trusted,
		Mux:       s.muxOf,
	})
	if err != nil {
		return nil, err
	}
	for _, b := range s.Front.Bases() {
		s.addresses += fmt.Sprintf(
			"%s%s%s %s\n",
			s.Front.Origin(b, ""),
			b.Prefix,
			b.Namespace,
			b.Language.Lang(),
		)
	}
	own := s.Front.Neutral().Language.Locale() // the others have their week and clock for ever
	s.addresses += own.Week().Days()[0].String() + own.Clock()
	s.currency = currencyOf(o.Currency, s.Front.Neutral().Language)
	s.fingerprint = s.settings.fingerprint()
	return s, nil
}

// ServeHTTP finds the base address and the route of a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	b, hr := s.Front.Locate(hr)
	b.Mux().ServeHTTP(w, hr)
}

// ourTheme is read once, for the first page: tests start many servers that are asked for none.
var ourTheme = sync.OnceValues(func() (*pages.Theme, error) {
	return pages.NewTheme(nil)
})

// addRoutes reads the list of routes.
func (s *Server) addRoutes(routes func(func(string, *Op))) {
	byPath := map[string]*route{}
	routes(func(pattern string, op *Op) {
		if op != nil && op.exists != nil && !op.exists(s) {
			return
		}
		methods, path, ok := strings.Cut(pattern, " ")
		if !ok || op == nil {
			panic("api: route without method or operation: " + pattern)
		}
		if path == rootPattern {
			s.root = op
		}
		rt := byPath[path]
		if rt == nil {
			rt = &route{pattern: path, variables: openapi.VariablesOf(path)}
			if i := strings.LastIndexByte(path, '}'); i >= 0 &&
				strings.HasPrefix(path[i+1:], ".") {
				rt.extension = path[i+1:]
				plain := byPath[path[:i+1]]
				plain.extended = append(plain.extended, rt)
			}
			byPath[path] = rt
			s.routes = append(s.routes, rt)
		}
		rt.ops = append(rt.ops, routeOp{strings.Split(methods, ","), op})
	})
	for _, rt := range s.routes {
		rt.allowOpen = []string{
			strings.Join(rt.methods(func(op *Op) bool {
				return op.permit == nil
			}), ", "),
		}
	}
}

// muxOf makes the mux of a base address.
func (s *Server) muxOf(b *front.Base) *http.ServeMux {
	main := http.NewServeMux()
	words := http.NewServeMux()
	led := map[string]bool{} // patterns of main that lead to words
	for _, rt := range s.routes {
		if rt.extension != "" || !rt.isAt(b) {
			continue // requests with an extension come to the route without
		}
		_, meant := s.Slugs.Meant(rt.pattern)
		mux := main
		list, _, isWord := strings.Cut(rt.pattern, "/{id}/")
		if isWord { // a word there would conflict with by-slug/{slug}
			mux = words
		}
		lead := func(method string) { // without a method, ServeMux would redirect to the path with a slash
			if pattern := method + " " + b.Path(list+"/{id}/{path...}"); isWord && !led[pattern] {
				main.Handle(pattern, words)
				led[pattern] = true
			}
		}
		for _, ro := range rt.ops {
			for _, method := range ro.methods {
				lead(method)
				mux.Handle(method+" "+s.pathOf(b, rt), &handler{s, b, rt, ro.op})
				if !meant {
					mux.Handle(method+" "+b.Path(rt.pattern), &handler{s, b, rt, pageRedirect})
				}
			}
		}
		for _, pattern := range s.inWords(b, rt.pattern) {
			for _, ro := range rt.ops {
				for _, method := range ro.methods {
					mux.Handle(method+" "+b.Path(pattern), &handler{s, b, rt, ro.op})
				}
			}
		}
		lead("OPTIONS")
		mux.Handle("OPTIONS "+s.pathOf(b, rt), &handler{s, b, rt, describeRoute})
	}
	for _, mux := range []*http.ServeMux{main, words} {
		mux.Handle("/", &handler{s, b, nil, NoRoute})
	}
	return main
}

// NoRoute answers what no route takes.
var NoRoute = &Op{
	Name: "none",
	Serve: func(*Call) (*respond.Response, error) {
		return nil, ErrNoRoute
	},
}

// isAt reports whether a base address has the route.
func (rt *route) isAt(b *front.Base) bool {
	return !rt.ops[0].op.is(neutral) || b.Prefix == "" && b.Host == "" && b.Namespace == Namespace
}
