// Calls: requests while they are answered, and the checks that operations share.

package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"almanac/filters"
	"almanac/i18n"
	"almanac/internal/api/admission"
	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/store"
)

// A Call is a request for an operation, while it is answered.
type Call struct {
	*Server
	Target
	Tenant
	Input
	viewer
	Asked respond.Request // options of the response

	unlocker // the events that the password of the request opens
	reserved admission.Reservations
	searched int64     // bytes of texts that the searches of the request read
	until    time.Time // see TrueUntil

	// DocumentMost is how many bytes a document may have, else its making ends with
	// ErrLongDocument; 0 is no limit.
	DocumentMost int
}

// A viewer is the caller of a request, with the rights to records. Package access decides them.
type viewer struct {
	Caller   account.Account
	Session  account.Session // of the desk; the zero Session is none
	Proposal *store.Proposal // of the event that is written; nil keeps the present one

	credentials string // Authorization by which the caller was found; "" for a session or a proxy
}

// A Target is the destination of a request.
type Target struct {
	Base     *front.Base
	Site     *front.Site   // the base address as the client wrote it
	Language i18n.Language // of the texts in the answer
	Op       *Op
	Alias    string // address of a page, in place of parameters; "" is none
	route    *route
	matched  bool // the route takes the path, and the login did not fail
}

// An Input is the content of a request.
type Input struct {
	HTTP          *http.Request     // method and path as understood
	Path          map[string]string // variables of the route by name, decoded
	Body          []byte            // as sent
	ifMatch       string            // condition of a write, as If-Match has it; "" is none
	In            *params.Input     // nil until it was read
	rowsRead      []string          // names of parameters that the operation read, for observers
	sealed        string            // what is stored for the password that was sent
	plans         *write.Plans      // of a transaction that Update runs
	hold          *store.Hold       // of the transactions that Update runs
	ifMatchRecord store.Record      // record that If-Match named in the transaction before
	partial       bool              // a part of the change is stored
	wrote         bool              // a transaction of the request is stored
	plainTitles   bool              // titles in documents do not begin with the state of their event
}

// Pattern returns the pattern of the route, as routes.go has it, "" for none.
func (r *Target) Pattern() string {
	if r.route == nil {
		return ""
	}
	return r.route.pattern
}

// env returns what parameters are checked against.
func (r *Call) env(v *store.Reader) params.Env {
	names := r.Caller
	if r.Proposal != nil {
		names = account.Account{} // a proposal names what everybody sees, whatever the owner of proposals sees
	}
	records := lookup{v, r.Accounts, names, r.Op.is(listing), nil}
	if r.bySlug() && r.Asked.Reads() { // writes name one event
		records.series = r.SeriesNamed
	}
	env := params.Env{
		Now:       r.Now,
		Site:      r.Zone,
		PerPage:   r.perPage,
		Namespace: r.Base.Namespace,
		Zones:     &r.zones,
		Known:     records,
		Items:     r.bounds.Items,
		Statuses: func(asked []string) string {
			return BadStatuses(r.Caller, asked)
		},
	}
	if r.observe != nil {
		env.Read = func(row *params.Row) {
			r.rowsRead = append(r.rowsRead, row.Name)
		}
	}
	return env
}

// values checks the parameters, then the right to do it.
func (r *Call) values(v *store.Reader) (params.Values, error) {
	values, err := r.Op.Params.Check(r.In, r.env(v))
	if err != nil {
		return values, err
	}
	if !r.Op.IsOpenTo(r, v) {
		return values, r.noRight()
	}
	return values, nil
}

// noRight is the answer to a caller who lacks the right.
func (r *viewer) noRight() error {
	if r.Caller.ID == 0 {
		return errStranger
	}
	return ErrForbidden
}

// InView runs f on the current state with the checked parameters. f begins anew when it has met
// passwords.
func (r *Call) InView(f func(v *store.View, values params.Values) error) error {
	return r.untilTried(func() error {
		return r.Store.View(func(v *store.View) error {
			values, err := r.values(&v.Reader)
			if err != nil {
				return err
			}
			return f(v, values)
		})
	})
}

// Update checks the request on the current state, so that refusals cost the writer nothing, then
// runs f in a transaction, where everything is checked again. When f needs the dates of a series,
// it begins anew with them: nobody else waits for them. A change that is too much for one
// transaction is made in several: f returns write.ErrMore, and begins anew with what is left.
func (r *Call) Update(f func(tx *store.Tx, values params.Values) error) error {
	if err := r.NoteIgnored(); err != nil {
		return err
	}
	var values params.Values
	err := r.Store.View(func(v *store.View) (err error) {
		values, err = r.values(&v.Reader)
		return err
	})
	if err != nil {
		return err
	}
	if err := r.sealPassword(values); err != nil {
		return err
	}
	r.plans = new(write.Plans)
	r.hold = new(store.Hold)
	defer r.Store.Release(r.hold)
	r.partial = false
	for {
		err := r.write(f)
		var unplanned *write.Unplanned
		switch {
		case errors.As(err, &unplanned):
			unplanned.Plan()
		case errors.Is(err, write.ErrMore):
			r.partial = true
		default:
			return err
		}
	}
}

// write runs f in a transaction. The error is write.ErrMore if that is stored and there is more to
// do.
func (r *Call) write(f func(tx *store.Tx, values params.Values) error) error {
	if r.wrote {
		if err := r.identify(); err != nil {
			return err
		}
	}
	var took spending
	var more error
	err := r.Store.Update(r.Caller.ID, func(tx *store.Tx) error {
		defer func() {
			if more == nil { // the next transaction may be made before this one is stored
				tx.Release(r.hold)
			}
		}()
		values, err := r.values(&tx.Reader)
		if err != nil {
			return err
		}
		if err := f(tx, values); errors.Is(err, write.ErrMore) {
			more = err
		} else if err != nil {
			return err
		}
		took, err = r.spend(tx)
		return err
	})
	if err != nil {
		r.giveBack(took) // nothing was written
		return err
	}
	r.wrote = true
	return more
}

// Renderer returns a renderer that shows records to the caller.
func (r *Call) Renderer(from render.Source) render.Renderer {
	show := render.Renderer{
		Source:   from,
		Origin:   r.Site.Origin,
		API:      r.Site.API,
		Identity: r.Store.Identity(),
		Site:     r.Zone,
		Zones:    &r.zones,
		DayEnds:  r.dayEnds,
		Currency: r.currency,
		Locale:   r.Language.Locale(),
		Free:     r.Language.Text("site.free"),
		Readable: r.MayRead,
		Unlocked: r.unlocked,
		Methods:  r.termMethods,
		Slugs:    r.Slugs,
	}
	if r.Op.format != nil {
		show.Word = r.Language.Text
		show.PlainTitles = r.plainTitles
	}
	return show
}

// Calendar returns the days of the site, as pages have them.
func (r *Call) Calendar(v *store.View) *filters.Calendar {
	show := r.Renderer(v)
	return &filters.Calendar{
		Times:     show.Times,
		Elsewhere: v.HasElsewhere(r.Zone.Name()),
		Sticky:    v.HasSticky(),
	}
}

// Editor returns an editor that writes records for the caller.
func (r *Call) Editor() write.Editor {
	return write.Editor{
		Caller:   r.Caller,
		Now:      r.Now,
		Site:     r.Zone,
		Zones:    &r.zones,
		Currency: r.currency,
		Language: r.Front.Neutral().Language.Tag,
		Page:     render.Renderer{Origin: r.Site.Origin, Slugs: r.Slugs}.EventPage,
		Sealed:   r.sealed,
		Plans:    r.plans,
		Hold:     r.hold,
		Proposal: r.Proposal,
		Afford:   r.affords,
	}
}

// As runs f as the part of a call that another operation does, with the parameters that a page
// found for it. The error is a *params.Invalid, a *params.Missing or an *Error.
func (r *Call) As(op *Op, path map[string]string, in *params.Input, f func() error) error {
	input := r.Input
	asked := r.Op
	defer func() {
		r.Input = input
		r.Op = asked
	}()
	r.Input.Path = path
	r.Input.In = in
	r.Input.ifMatch = ""
	r.Op = op
	err := f()
	var invalid *params.Invalid
	var missing *params.Missing
	if err == nil || errors.As(err, &invalid) || errors.As(err, &missing) {
		return err
	}
	return ErrorOf(err, r.Log)
}

// Make makes the change of another operation, on the condition that If-Match would be: with the
// checks, the rights and the effect of a request to its own route. Errors are those of As.
func (r *Call) Make(
	op *Op,
	path map[string]string,
	in *params.Input,
	ifMatch string,
) (change Change, err error) {
	err = r.As(op, path, in, func() (err error) {
		r.ifMatch = ifMatch
		change, err = op.Change(r)
		return err
	})
	return change, err
}

// ID returns the id in the path.
func (r *Input) ID() int64 {
	return ParseID(r.Path["id"])
}

// slug returns the slug in the path, as slugs are stored.
func (r *Input) slug() string {
	return StoredSlug(r.Path["slug"])
}

// bySlug reports whether the route names its record by slug.
func (r *Input) bySlug() bool {
	_, ok := r.Path["slug"]
	return ok
}

// StoredSlug writes a slug as it is stored: lower case, everything beyond
// ASCII percent-encoded in lower-case hex.
func StoredSlug(s string) string {
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
