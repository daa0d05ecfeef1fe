// Operations: the effects of routes, independent of the forms of request and answer.

package api

import (
	"cmp"
	"net/http"

	"almanac/internal/api/front"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/store"
)

// An Op is one operation of the specification: its parameters, the right that it needs and its
// effect. Several methods and routes may lead to one Op. Listed, Localized and the other functions
// of this file return a copy of an operation with one more trait.
type Op struct {
	Name   string // "events.list"
	Params params.Table
	Serve  func(*Call) (*respond.Response, error)

	// Change stores what a request asks for, and makes no answer; nil in operations that only read.
	Change func(*Call) (Change, error)

	// permit is the condition for the caller and the record in the path; nil is none. It looks at
	// the caller and the path alone, since it is asked before a body is read, after the parameters
	// were checked, and for the Allow header.
	permit *permission

	// Choose returns the operation that answers a GET request in its place; nil answers each
	// request itself.
	Choose func(s *Server, b *front.Base, hr *http.Request) *Op
	// refuse makes the answer to a request that is refused; nil is JSON.
	refuse func(r *Call, e *Error) (*respond.Response, error)
	// enter finds the caller of a request, and the language; nil looks at Authorization.
	enter func(*Call) error
	// exists reports whether a server has the routes of the operation; nil is always.
	exists  func(*Server) bool
	control bool            // NewControl made it
	rights  []account.Right // with the trait signed: those that Serve itself asks for

	checks  checks        // before it
	links   []*params.Row // parameters that the links between the pages of a list repeat
	format  *feed.Format  // of the documents that it answers with; nil is JSON
	formats []*Op         // the same operation in formats that Accept may name
	traits  traits
}

// Traits are facts about an operation that some check or answer asks for.
type traits uint16

const (
	unlisted     traits = 1 << iota // the index leaves its route out: programs compare routes with those they know
	localized                       // its answer has texts of a language
	negotiated                      // a header field of the request selects the form of the answer
	page                            // it answers with a page for people, and needs no JSON
	uploads                         // its body may be a picture, which is longer than other bodies
	neutral                         // its routes are at the neutral base address alone
	secret                          // its address opens it, and is in no answer
	signed                          // it asks for an account by itself
	keepsRecords                    // whatever its method, it changes sign-ins at most
	listing                         // its answers are lists, which depend on the time
	kept                            // its answers to strangers are kept in their state of the store
	constant                        // and in every other state
)

func (op *Op) is(t traits) bool {
	return op.traits&t != 0
}

// Checks are the levels of checking before an operation. Each level leaves out more than the level
// before it.
type checks int

const (
	allChecks   checks = iota
	withoutBody        // it reads no body, and takes no place among the working requests
	noChecks           // it asks for no login either, and counts no requests
)

// NewChange makes an operation that writes: it makes its Change, and show answers with that.
func NewChange(
	op Op,
	show func(*Call, Change) (*respond.Response, error),
) *Op {
	op.Serve = func(r *Call) (*respond.Response, error) {
		change, err := op.Change(r)
		if err != nil {
			return nil, err
		}
		return show(r, change)
	}
	return &op
}

// Unlisted returns an operation that the index leaves out.
func Unlisted(op *Op) *Op {
	return op.with(unlisted)
}

func (op *Op) with(t traits) *Op {
	of := *op
	of.traits |= t
	return &of
}

// Localized returns an operation whose answer has texts of the language of the request.
func Localized(op *Op) *Op {
	return op.with(localized)
}

// Negotiates returns an operation whose answer depends on Accept.
func Negotiates(op *Op) *Op {
	return op.with(negotiated)
}

// Constant returns an operation whose answers depend on nothing but the address.
func Constant(op *Op) *Op {
	return op.with(kept | constant)
}

// Listed returns an operation whose answers are lists, which are kept and link to their other
// pages.
func Listed(op *Op) *Op {
	of := op.with(listing | kept)
	of.links = op.Params.Links()
	return of
}

// NewPage makes an operation that answers with a page for people, and refuses with one.
func NewPage(
	name string,
	serve func(*Call) (*respond.Response, error),
	refuse func(*Call, *Error) (*respond.Response, error),
) *Op {
	op := listOp(name, params.EventList, serve).with(unlisted | localized | page)
	op.refuse = refuse
	return op
}

// listOp makes the operation that reads a list.
func listOp(name string, table params.Table, serve func(*Call) (*respond.Response, error)) *Op {
	return Listed(&Op{Name: name, Params: table, Serve: serve})
}

// NewAlias makes the operation that answers as another one does, at an address that stands for its
// parameters. Translate sets these, or returns the answer of an address that leads elsewhere.
func NewAlias(of *Op, translate func(*Call) (*respond.Response, error)) *Op {
	op := *of
	op.traits = of.traits &^ negotiated
	op.Serve = func(r *Call) (*respond.Response, error) {
		if answer, err := translate(r); answer != nil || err != nil {
			return answer, err
		}
		return of.Serve(r)
	}
	return &op
}

// Uploads returns an operation whose body may be a picture.
func Uploads(op *Op) *Op {
	return op.with(uploads)
}

// DeskPath is the path of the desk. Browsers send its cookies below it alone.
const DeskPath = "/desk/"

// NewDesk makes an operation of the desk, which answers with a page in the language of its reader,
// and refuses with one. Servers without Options.Sessions have no route for it. Its routes are at
// the neutral base address alone: cookies have one path.
func NewDesk(
	op Op,
	enter func(*Call) error,
	refuse func(*Call, *Error) (*respond.Response, error),
) *Op {
	op.Params = params.None
	op.enter = enter
	op.refuse = refuse
	op.traits = unlisted | neutral
	op.exists = func(s *Server) bool {
		return s.Sessions != nil
	}
	return &op
}

// NewSecret makes an operation that answers as another one does, at an address that opens it:
// enter finds the caller by that.
func NewSecret(name string, of *Op, enter func(*Call) error) *Op {
	op := *of
	op.Name = name
	op.enter = enter
	op.traits = of.traits&^negotiated | secret
	return &op
}

// Keeps returns an operation that changes no record, account or setting, whatever its method.
func Keeps(op *Op) *Op {
	return op.with(keepsRecords)
}

// SignedIn returns an operation that asks by itself for an account with all of the rights.
func SignedIn(op *Op, rights ...account.Right) *Op {
	of := op.with(signed)
	of.rights = rights
	return of
}

// Guarded returns an operation that asks for a right, and for more than that where may is not nil.
func Guarded(op *Op, right account.Right, may func(r *Call, v *store.Reader) bool) *Op {
	of := *op
	of.permit = needs(right)
	if may != nil {
		of.permit.may = may
	}
	return &of
}

// GuardedAs returns an operation for callers who may use another one.
func GuardedAs(op, other *Op) *Op {
	of := *op
	of.permit = other.permit
	return &of
}

// IsOpenTo reports whether the caller of a request may use the operation on the record in the
// path.
func (op *Op) IsOpenTo(
	r *Call,
	v *store.Reader,
) bool {
	return op.permit == nil || op.permit.may(r, v)
}

// ForAlso returns an operation that only servers with Options.Also have a route for.
func ForAlso(op *Op) *Op {
	return op.where(func(s *Server) bool {
		return s.also
	})
}

func (op *Op) where(exists func(*Server) bool) *Op {
	of := *op
	of.exists = func(s *Server) bool {
		return exists(s) && (op.exists == nil || op.exists(s))
	}
	return &of
}

// ForPages returns an operation that servers without pages have no route for.
func ForPages(op *Op) *Op {
	return op.where(func(s *Server) bool {
		return s.Pages.Theme != nil
	})
}

// ForProposals returns a page that only servers with Options.Submissions have a route for.
func ForProposals(op *Op) *Op {
	return op.where(func(s *Server) bool {
		return s.Submissions != nil && s.Pages.Theme != nil
	})
}

// IsPage reports whether it answers with a page for people.
func (op *Op) IsPage() bool {
	return op.is(page)
}

// IsWhole reports whether it answers with all that is found.
func (op *Op) IsWhole() bool {
	return op.formatOrJSON().Whole
}

// formatOrJSON returns the format of the answers.
func (op *Op) formatOrJSON() *feed.Format {
	return cmp.Or(op.format, &inJSON)
}

// inJSON is the format of operations without one, as far as lists and their links ask for it.
var inJSON = feed.Format{Between: ","}
