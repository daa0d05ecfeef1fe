// From a request to an operation and back to an answer.

package api

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A handler makes an operation answer a route below a base address.
type handler struct {
	server *Server
	base   *front.Base
	route  *route // nil if no route takes the request
	op     *Op
}

// ServeHTTP answers a request.
func (h *handler) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	h = h.negotiate(hr)
	r := h.call(hr)
	defer r.reserved.End() // also of an answer that breaks off
	answer, err := r.guarded(r.answer)
	if r.Done != nil {
		if failed := r.Done(); failed != nil {
			err = failed
		}
	}
	var refused *Error
	if err != nil {
		r.readQuery()
		refused = ErrorOf(err, r.Log)
		answer = h.answerRefused(r, refused)
	}
	if r.matched {
		r.Asked.Allow = r.allowed()
	}
	r.tell(w, refused)
	if r.observe == nil {
		respond.Write(w, &r.Asked, answer)
	} else {
		o := &observer{ResponseWriter: w}
		respond.Write(o, &r.Asked, answer)
		r.tellObserver(o)
	}
	if r.Log.Enabled(hr.Context(), slog.LevelDebug) {
		r.Log.Debug(
			"request",
			"method", hr.Method,
			"path", front.RedactPath(hr.URL.Path),
			"query", front.RedactQuery(hr.URL.RawQuery),
			"status", answer.Status,
			"account", r.Caller.ID,
		)
	}
}

// call returns the call of a request, before any check.
func (h *handler) call(hr *http.Request) *Call {
	s := h.server
	site := s.Front.Site(h.base, hr)
	root := site.Pages
	if h.base.Neutral(hr.URL.Path) != "" {
		root = site.Index
	}
	r := &Call{
		Server: s,
		Tenant: s.tenantOf(hr),
		Input: Input{
			HTTP: hr,
		},
		reserved: s.bounds.Reservations(hr.Context()),
		Target: Target{
			Base:     h.base,
			Site:     site,
			Language: h.base.Language,
			Op:       h.op,
			route:    h.route,
		},
		Asked: respond.Request{
			Request:    hr,
			HeadMeant:  hr.Method == http.MethodHead && front.Sent(hr).Method != http.MethodHead,
			Root:       root,
			Language:   h.base.Tag,
			Fields:     s.allowedMore,
			Shared:     s.shared,
			Secret:     h.op.is(secret),
			Own:        h.op.is(neutral),
			Negotiated: h.op.is(negotiated) || s.Pages.Theme != nil && h.choosesLikeRoot(hr),
		},
	}
	if h.op.is(localized) {
		r.Language, r.Asked.Chosen = s.Front.Language(h.base, hr)
		r.Asked.Language = []string{r.Language.Tag}
	}
	r.Asked.Turn = func() func() {
		end, _ := s.documents.turn(r.Key()) // who has none after some time goes on without
		return end
	}
	return r
}

// choosesLikeRoot reports whether Accept decides between a page and JSON: at the root, and at
// addresses of no route outside of the API.
func (h *handler) choosesLikeRoot(hr *http.Request) bool {
	if h.route == nil {
		return h.server.root != nil && h.server.root.Choose != nil &&
			h.base.Neutral(hr.URL.Path) == ""
	}
	return h.route.pattern == rootPattern
}

// rootPattern is the route that answers browsers with a page, and programs with JSON.
const rootPattern = "/{$}"

// guarded makes an answer, and turns a mistake of ours into an error: a client gets an answer, and
// the log the place.
func (r *Call) guarded(make func() (*respond.Response, error)) (
	answer *respond.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer = nil
			err = fmt.Errorf("panic in %s: %v\n%s", r.Op.Name, p, debug.Stack())
		}
	}()
	return make()
}

// answer makes the answer. The order of the checks is: host, limits of all requests, account,
// nonce, route, writes to a server that only reads, right, body, then those of the operation
// itself.
func (r *Call) answer() (*respond.Response, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	if host := r.HTTP.Host; host != "" && host != r.Site.Host && !front.IsHost(host) {
		return nil, badHost(host)
	}
	if r.Op.checks < noChecks {
		if err := r.admit(); err != nil {
			return nil, err
		}
		if err := r.authenticate(); err != nil {
			return nil, err
		}
	}
	r.reserved.For(r.Key())
	if r.Caller.IsStranger() && r.hasNonce() {
		return nil, errNonce
	}
	if r.route == nil || !r.readPath() {
		return nil, r.noRoute()
	}
	r.matched = true
	if r.ReadOnly && !r.Op.is(keepsRecords) && !isSafe(r.HTTP.Method) {
		return nil, errReadOnly
	}
	if r.Op.checks >= withoutBody {
		return r.Op.Serve(r)
	}
	if !r.ReadOnly {
		r.PublishDue()
	}
	key, mayKeep := r.answerKey()
	state := r.Store.State()
	if mayKeep {
		if answer := r.keptAnswer(key); answer != nil {
			return answer, nil
		}
	}
	answer, err := r.run()
	if err == nil && mayKeep {
		r.keep(key, state, answer)
	}
	return answer, err
}

// hasNonce reports whether a write comes with the nonce of a site's cookie,
// which is worth nothing here. Readers send one too, and need none.
func (r *Input) hasNonce() bool {
	if isSafe(r.HTTP.Method) {
		return false
	}
	return r.HTTP.Header.Get("X-WP-Nonce") != "" || r.HTTP.URL.Query().Has("_wpnonce")
}

// isSafe reports whether requests with a method only read (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// readPath takes the variables of the route from the path. It reports whether
// they have the form that the route asks for (section 4 of the specification).
func (r *Call) readPath() bool {
	r.Path = map[string]string{}
	for _, name := range r.route.variables {
		value := strings.TrimSuffix(r.HTTP.PathValue(name), r.route.extension)
		isNumber := name == "id" || name == "number"
		if value == "" || name != "path" && strings.Contains(value, "/") ||
			isNumber && strings.Trim(value, "0123456789") != "" {
			return false
		}
		r.Path[name] = value
	}
	return true
}

// run reads the request and runs the operation.
func (r *Call) run() (*respond.Response, error) {
	if err := r.refuseUnread(); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	if err := r.reserved.Work(r.HTTP.Method == http.MethodGet || r.HTTP.Method == http.MethodHead); err != nil {
		return nil, err
	}
	defer r.reserved.EndWork()
	if r.Op.is(listing) {
		r.TrueUntil(r.secondEnd())
	}
	return r.Op.Serve(r)
}

// readQuery reads the query of a request that was refused before its parameters were read: the
// parameters of every route select the form of the refusal. A query that is too long is not read.
func (r *Call) readQuery() {
	if r.In == nil && r.MayQuery(r.HTTP) {
		r.In, _ = params.Read(params.Source{
			Method: http.MethodGet,
			Query:  r.HTTP.URL.RawQuery,
		}) // nothing can be wrong without a body
		r.readForm()
	}
}

// readForm reads the parameters of every route that say in what form it is answered.
func (r *Call) readForm() {
	r.Asked.Private = r.In.Sent("password")
	if r.In.Sent("_fields") || r.In.Sent("_envelope") || r.In.Sent("_pretty") ||
		r.In.Sent("_jsonp") {
		r.Asked.Form = &respond.Form{
			Fields:   r.In.Text("_fields"),
			Envelope: r.In.Sent("_envelope"),
			Pretty:   r.In.Sent("_pretty"),
			Callback: r.In.Text("_jsonp"),
		}
	}
}

// answerRefused returns the answer to a request that is refused: a page where there is one, else
// JSON.
func (h *handler) answerRefused(r *Call, e *Error) *respond.Response {
	if refuse := h.refusalPage(r.HTTP); refuse != nil {
		page, err := r.guarded(func() (*respond.Response, error) {
			return refuse(r, e)
		})
		if err == nil {
			return page
		}
		r.Log.Error("a refusal has no page", "err", err)
	}
	return &respond.Response{Status: e.Status, Body: jsonBody(e.body()), Header: e.Header()}
}

// refusalPage returns the function that answers a refused request with a page; nil is JSON. An
// address of no route has the page that the root chooses for it.
func (h *handler) refusalPage(hr *http.Request) func(*Call, *Error) (*respond.Response, error) {
	if h.route == nil && h.choosesLikeRoot(hr) {
		return h.server.root.Choose(h.server, h.base, hr).refuse
	}
	return h.op.refuse
}

// allowed returns the methods of the route that the caller may use now, as the
// value of a header.
func (r *Call) allowed() []string {
	if r.Caller.IsStranger() {
		return r.route.allowOpen
	}
	var methods []string
	_ = r.Store.View(func(v *store.View) error {
		methods = r.route.methods(func(op *Op) bool {
			return op.IsOpenTo(r, &v.Reader)
		})
		return nil
	})
	return []string{strings.Join(methods, ", ")}
}

// methods returns the methods of the operations that may be used.
func (rt *route) methods(may func(*Op) bool) []string {
	var methods []string
	for _, ro := range rt.ops {
		if may(ro.op) {
			methods = append(methods, ro.methods...)
		}
	}
	slices.SortStableFunc(
		methods,
		func(a, b string) int {
			return slices.Index(methodOrder, a) - slices.Index(methodOrder, b)
		},
	)
	return methods
}

// methodOrder is the order of methods in a header.
var methodOrder = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// ParseID reads the digits of a path. A number too large for an id is no
// record's, so it is as good as the largest.
func ParseID(digits string) int64 {
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return id
}

// URL returns the absolute address of a path below the namespace, "" for the
// namespace itself.
func (r *Target) URL(below string) string {
	return r.Site.API + below
}
