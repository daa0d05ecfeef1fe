// How much clients may ask for, and how much at once.

package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/store"
)

// admit refuses what is too much before anything of it is read.
func (r *Call) admit() error {
	if r.bounds.Arrivals != nil {
		if wait, ok := r.bounds.Arrivals.Take(r.client()); !ok {
			return tooMany(
				"rate",
				wait,
				fmt.Sprintf("No more than %v requests are answered.", r.bounds.Rate),
			)
		}
	}
	if !r.MayQuery(r.HTTP) {
		return &Error{
			Status: http.StatusRequestURITooLong,
			Code:   "rest_query_too_long",
			limit:  "max-query-kb",
			Message: fmt.Sprintf(
				"A query must not be longer than %d bytes. Send long texts in the body.",
				r.bounds.Query,
			),
		}
	}
	return nil
}

// client returns the address of the request as a key.
func (r *Call) client() admission.Key {
	return admission.Key{Client: limit.Client(r.Front.Client(r.HTTP))}
}

// MayQuery reports whether the query of a request is not too long to be read.
func (s *Server) MayQuery(hr *http.Request) bool {
	return int64(len(hr.URL.RawQuery)) <= admission.Most(s.bounds.Query)
}

// tooMany refuses a client until some time has passed.
func tooMany(limit string, wait time.Duration, message string) *Error {
	return &Error{
		Status:  http.StatusTooManyRequests,
		Code:    "rest_too_many_requests",
		limit:   limit,
		Message: message + " Come again after the seconds in Retry-After.",
		retry:   wait,
	}
}

// authenticate finds the caller. A login that fails takes a token of the client; when there is
// none the answer is that, not the error of the login.
//
// A correct login is never refused, whatever other clients behind the same address did: behind a
// proxy that is not trusted, all clients have one address, and any of them could lock out the
// rest. It costs no security: a token that this program makes has 256 random bits, so the speed of
// guesses does not matter. Tokens of test accounts may be short; they are not protected.
func (r *Call) authenticate() error {
	if r.Op.enter != nil {
		return r.Op.enter(r)
	}
	if a, ok := r.HTTP.Context().Value(callerKey{}).(account.Account); ok {
		r.Caller = a
		return nil
	}
	authorization := r.HTTP.Header["Authorization"]
	if len(authorization) == 0 {
		return nil
	}
	var err error
	r.Caller, err = r.login(authorization[0])
	r.credentials = authorization[0]
	return err
}

// As returns a context in which requests are those of an account, without a login.
func As(ctx context.Context, a account.Account) context.Context {
	return context.WithValue(ctx, callerKey{}, a)
}

// callerKey is the key of a context with the account of requests.
type callerKey struct{}

// login returns the account of the value of an Authorization header.
func (r *Call) login(header string) (account.Account, error) {
	a, err := r.Accounts.Authenticate(header)
	if err != nil {
		err = r.FailedLogin(err)
	}
	return a, err
}

// FailedLogin counts a login that failed, and returns the error that answers it.
func (r *Call) FailedLogin(err error) error {
	if wait, ok := r.bounds.FailedLogins.Take(r.client()); !ok {
		return tooMany(
			"wrong-logins",
			wait,
			fmt.Sprintf("No more than %v logins may fail.", r.bounds.Logins),
		)
	}
	return err
}

// identify finds the caller of a request again that is stored in several transactions: an account
// that was disabled, removed or given another role meanwhile, or whose token was revoked, writes
// no more.
func (r *Call) identify() error {
	if r.Caller.IsStranger() {
		return nil
	}
	now, ok := r.Accounts.Enabled(r.Caller.ID)
	if ok && r.credentials != "" {
		var err error
		now, err = r.Accounts.Authenticate(r.credentials)
		if err != nil {
			return err
		}
	}
	if !ok || now.ID != r.Caller.ID || now.Role != r.Caller.Role {
		return account.ErrUnknownToken
	}
	return nil
}

// Key returns the client whose requests count together.
func (r *Call) Key() admission.Key {
	if r.Proposal != nil {
		return admission.Proposals
	}
	if r.Caller.IsStranger() {
		return r.client()
	}
	return admission.Key{Account: r.Caller.ID}
}

// tooLarge refuses a body.
func (r *Call) tooLarge() *Error {
	if r.Op.is(uploads) {
		return Over(
			http.StatusRequestEntityTooLarge,
			"rest_picture_too_large",
			"max-picture-mb",
			fmt.Sprintf(
				"A picture must not be larger than %d bytes (-max-picture-mb): save it smaller, or with less quality.",
				r.bounds.Picture,
			),
			0,
		)
	}
	message := fmt.Sprintf(
		"The body of a request must not be larger than %d bytes.",
		r.bounds.Body,
	)
	if kind := r.HTTP.Header.Get("Content-Type"); strings.HasPrefix(kind, "multipart/") ||
		strings.HasPrefix(kind, "image/") {
		message += " " + errFile.Message // it will be one for this number of bytes
	}
	return &Error{
		Status:  http.StatusRequestEntityTooLarge,
		Code:    "rest_body_too_large",
		limit:   "max-body-kb",
		Message: message,
	}
}

// ErrNoRoom answers a write when the disk is nearly full.
var ErrNoRoom = &Error{
	Status:  http.StatusServiceUnavailable,
	Code:    "rest_store_unavailable",
	retry:   time.Minute,
	limit:   "min-free-mb",
	Message: "The disk is nearly full: until there is more room only editors and administrators change anything. The calendar is as it was.",
}

// spending has the parts of the caller's budgets that a transaction used up.
type spending struct {
	kilobytes int // of Written
	names     int // of Named
}

// spend takes what a transaction adds to the log and to the memory out of the caller's budget, and
// the names that it makes, and refuses it when there is too little left of one of them or of the
// disk. The log keeps whole records, so that a small change of a large one costs as much as the
// record; without a budget one account could fill the disk, or the memory, within the hour.
// Editors have none, nor a limit to the disk: somebody has to mend things.
func (r *Call) spend(tx *store.Tx) (took spending, err error) {
	if r.Caller.May(account.EditOthers) {
		return spending{}, nil
	}
	took.names, err = r.spendNames(tx)
	if err != nil || r.bounds.Log == 0 && r.bounds.Free == 0 {
		return took, err
	}
	bytes, err := tx.Reserve(r.bounds.Free)
	if errors.Is(err, store.ErrNoRoom) {
		return took, ErrNoRoom
	}
	if err != nil || bytes == 0 {
		return took, err
	}
	kilobytes := admission.Kilobytes(bytes + tx.Memory())
	if wait, ok := r.bounds.Written.TakeN(r.Key(), kilobytes); !ok {
		return took, r.overBudget(wait)
	}
	took.kilobytes = kilobytes
	return took, nil
}

// spendNames takes the names that a transaction makes out of the caller's budget.
func (r *Call) spendNames(tx *store.Tx) (names int, err error) {
	if r.bounds.Names == 0 {
		return 0, nil
	}
	var made []string
	for _, k := range namedKinds {
		n := tx.Made(k)
		if n == 0 {
			continue
		}
		if tx.Len(k) > namesMost {
			return 0, tooMany("max-names", time.Hour, fmt.Sprintf(
				"An account of your role may make %s only while there are no more than %d. "+
					"Name those that are there, or ask an editor.", k, namesMost))
		}
		names += n
		made = append(made, fmt.Sprintf("%d %s", n, k))
	}
	if names == 0 {
		return 0, nil
	}
	if wait, ok := r.bounds.Named.TakeN(r.Key(), names); !ok {
		return 0, tooMany("max-names", wait, fmt.Sprintf(
			"An account of your role may not make more than %d categories, tags, venues and organizers in an hour, "+
				"and this would be another %s.", r.bounds.Names, strings.Join(made, ", ")))
	}
	return names, nil
}

// namesMost is how many records of a kind with a name there are until only editors make more:
// lists of names and searches in them walk through all.
const namesMost = 50_000

// namedKinds are the kinds of records that an event makes by their names.
var namedKinds = []store.Kind{store.Categories, store.Tags, store.Venues, store.Organizers}

// overBudget refuses what is over the budget of the caller.
func (r *Call) overBudget(wait time.Duration) error {
	return tooMany(
		"max-log-mb",
		wait,
		fmt.Sprintf(
			"An account of your role may not write more than %d kilobytes of records in an hour.",
			admission.Kilobytes(r.bounds.Log),
		),
	)
}

// giveBack returns what a transaction took that was not stored.
func (r *Call) giveBack(took spending) {
	r.bounds.Written.Return(r.Key(), took.kilobytes)
	r.bounds.Named.Return(r.Key(), took.names)
}

// affords refuses a transaction that will take so many bytes of log and memory at least, as spend
// would at its end.
func (r *Call) affords(bytes int64) error {
	if r.Caller.May(account.EditOthers) {
		return nil
	}
	if wait := r.bounds.Written.Wait(r.Key(), admission.Kilobytes(bytes)); wait > 0 {
		return r.overBudget(wait)
	}
	return nil
}

// Bounds are the limits of the server, and what is used of them.
func (r *Call) Bounds() *admission.Bounds {
	return r.bounds
}

// Over refuses what is over a limit, which a flag sets. After retry, unless it is 0, it makes
// sense to ask again.
func Over(status int, code, limit, message string, retry time.Duration) *Error {
	return &Error{Status: status, Code: code, limit: limit, Message: message, retry: retry}
}
