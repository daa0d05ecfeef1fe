// Operations: the effects of routes, independent of the forms of request and answer.

package rest

import (
	"net/http"
	"strings"
	"time"

	"almanac/i18n"
	"almanac/internal/account"
	"almanac/internal/feed"
	"almanac/internal/front"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/internal/write"
	"almanac/store"
)

// An Op is one operation of the specification: its parameters, who may do it
// and what it does. Several methods and routes may lead to one Op.
type Op struct {
	Name   string // "events.list"
	Params params.Table

	// permit decides whether the caller may do it to the record in the path; nil lets everybody. It looks at
	// the caller and the path alone, since it is asked before a body is read, after the parameters were
	// checked, and for the Allow header.
	permit *permission

	serve func(r *request) (*respond.Response, error)

	list  bool          // it returns a list, which may be remembered
	one   bool          // it returns a record, and that answer may be remembered
	links []*params.Row // parameters that the links between the pages of a list repeat
	texts bool          // its answer has texts of a language

	feeds  bool         // it also answers in other formats (inFormats)
	format *feed.Format // of the documents that it answers with; nil is JSON
	html   bool         // it answers with pages for people, and refuses with them
	late   bool         // its answers are remembered by the parameters that the address stands for

	// negotiated says that a header field of the request selects the form of the answer.
	negotiated bool
	// choose returns the operation that answers a GET request in its place; nil if it answers itself.
	choose func(h *handler, hr *http.Request) *Op

	// unlisted leaves it out of the index, whose routes programs compare with
	// those they know.
	unlisted bool

	noBody  bool // it is answered without a body, a slot or the calendar
	open    bool // and whoever asks, however often, with whatever login
	people  bool // it is of pages, and servers without them have no such route
	control bool // it is about tenants, and servers without them have no such route
}

// listOp makes the operation that reads a list.
func listOp(name string, table params.Table, serve func(*request) (*respond.Response, error)) *Op {
	return &Op{Name: name, Params: table, serve: serve, list: true, links: table.Links()}
}

// extension returns that of the documents that the operation answers with, "" for JSON.
func (op *Op) extension() string {
	if op.format == nil {
		return ""
	}
	return op.format.Extension
}

// isWhole reports whether it answers with all that is found.
func (op *Op) isWhole() bool { return op.format != nil && op.format.Whole }

// form returns what the pieces of its answers are remembered by: "" for JSON.
func (op *Op) form() string {
	if op.format == nil {
		return ""
	}
	return op.Name
}

// media returns the type of these, "" for JSON.
func (op *Op) media() string {
	if op.format == nil {
		return ""
	}
	return op.format.Media
}

// A request is the state of a request for its operation.
type request struct {
	*Server
	base   *front.Base
	route  *route
	op     *Op
	http   *http.Request
	tenant Tenant
	store  *store.Store // of the tenant
	now    time.Time    // of the tenant, the same throughout the request
	site   *front.Site  // where it was asked

	language i18n.Language // of the texts in the answer
	caller   account.Account
	matched  bool              // the route takes the path, and the login did not fail
	path     map[string]string // by name, decoded
	body     []byte            // as sent
	unlocker unlocker          // the events that the password of the request opens
	hashed   string            // the password that was sent to be stored
	in       *params.Input     // nil until it was read
	valued   []string          // parameters whose values were asked for, when somebody observes
	buffers  *buffers
	asksPage string          // page cache key: the language, and the address as asked
	address  string          // the alias that was asked; "" for the operation's own address
	list     respcache.Key   // that is asked for, if it may be remembered
	asked    respond.Request // options of the response
	done     func()          // called when it is answered; nil is nothing

	working, memory       hold // a place among the working requests, and the memory of the body
	reserved, space, turn hold // memory of the answer or document, and the turn to make it
}

// env returns what parameters are checked against.
func (r *request) env(v *store.Reader) params.Env {
	env := params.Env{
		Now: r.now, Site: r.zone, PerPage: r.perPage, Namespace: r.base.Namespace, Zones: &r.zones,
		Known: known{v, r.accounts, r.caller, r.op.list}, Items: r.bounds.Items,
		Statuses: r.badStatuses,
	}
	if r.observe != nil {
		env.Read = func(row *params.Row) { r.valued = append(r.valued, row.Name) }
	}
	return env
}

// values checks the parameters, then the right to do it.
func (r *request) values(v *store.Reader) (params.Values, error) {
	values, err := r.op.Params.Check(r.in, r.env(v))
	if err != nil {
		return values, err
	}
	if r.op.permit != nil && !r.op.permit.may(r, v) {
		return values, r.refusal()
	}
	return values, nil
}

// refusal is the answer to a caller who lacks the right.
func (r *request) refusal() error {
	if r.caller.ID == 0 {
		return errStranger
	}
	return errForbidden
}

// view runs f on the current state with the checked parameters. It runs it again
// when it has asked for protected events that the password sent has to be tried
// on, which takes too long to be done inside: f begins anew each time.
func (r *request) view(f func(v *store.View, values params.Values) error) error {
	for {
		err := r.store.View(func(v *store.View) error {
			values, err := r.values(&v.Reader)
			if err != nil {
				return err
			}
			return f(v, values)
		})
		if len(r.unlocker.pending) == 0 {
			return err
		}
		if err := r.try(r.unlocker.pending); err != nil {
			return err
		}
	}
}

// update checks the request on the current state, so that refusals cost the
// writer nothing, then runs f in a transaction, where everything is checked
// again.
func (r *request) update(f func(tx *store.Tx, values params.Values) error) error {
	if err := r.noteIgnored(); err != nil {
		return err
	}
	var values params.Values
	err := r.store.View(func(v *store.View) (err error) {
		values, err = r.values(&v.Reader)
		return err
	})
	if err != nil {
		return err
	}
	if err := r.hash(values); err != nil {
		return err
	}
	spent := 0
	err = r.store.Update(r.caller.ID, func(tx *store.Tx) error {
		values, err := r.values(&tx.Reader)
		if err != nil {
			return err
		}
		if err := f(tx, values); err != nil {
			return err
		}
		spent, err = r.spend(tx)
		return err
	})
	if err != nil {
		r.bounds.log.Return(rateKey{account: r.caller.ID}, spent) // nothing was written
	}
	return err
}

// renderer shows records to the caller.
func (r *request) renderer(from render.Source) render.Renderer {
	return render.Renderer{
		Source: from, Origin: r.site.Origin, API: r.site.API, Identity: r.store.Identity(), Site: r.zone, Zones: &r.zones, Currency: r.currency,
		Readable: r.mayRead, Unlocked: r.unlocked, Methods: r.termMethods, Slugs: r.slugs,
	}
}

// editor writes records for the caller.
func (r *request) editor() write.Editor {
	return write.Editor{
		Caller: r.caller, Now: r.now, Site: r.zone, Zones: &r.zones, Currency: r.currency,
		Page: render.Renderer{Origin: r.site.Origin, Slugs: r.slugs}.EventPage,
		Hash: func(string) string { return r.hashed },
	}
}

// id returns the id in the path.
func (r *request) id() int64 { return parseID(r.path["id"]) }

// slug returns the slug in the path, as slugs are stored.
func (r *request) slug() string { return storedSlug(r.path["slug"]) }

// bySlug reports whether the route names its record by slug.
func (r *request) bySlug() bool { _, ok := r.path["slug"]; return ok }

// storedSlug writes a slug as it is stored: lower case, everything beyond
// ASCII percent-encoded in lower-case hex.
func storedSlug(s string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
