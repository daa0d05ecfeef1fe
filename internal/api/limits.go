// How much clients may ask for, and how much at once.

package api

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/limit"
	"almanac/internal/respond"
	"almanac/store"
)

// Limits bounds what requests are and how many there may be. A field that is 0
// is no limit.
type Limits struct {
	Body      int64 // bytes of a body; more is a 413
	Depth     int   // how deep lists and objects nest in JSON; deeper is a 400
	Query     int   // bytes of a query; more is a 414
	Items     int   // of a list in one parameter; more is a 400
	Answer    int64 // bytes of stored texts in a page; the first record always fits
	Search    int64 // bytes of texts that one search may read; more is a 400
	Requests  int   // that are worked on at the same time; more is a 503
	Log       int64 // bytes of log per hour of an account below editor; else 429
	Free      int64 // bytes of free disk below which such accounts get a 503
	BodyBytes int64 // bytes of bodies in memory, else 503; account: half, anonymous: an eighth

	// Rates of a client; more is a 429. A client is an address, or a /64 of IPv6. For the passwords of events
	// it is the account if the caller has one.
	Rate      limit.Rate // requests of all kinds
	Logins    limit.Rate // that fail
	Passwords limit.Rate // of events, that are wrong
}

// DefaultLimits returns the limits of a server that is told nothing else.
func DefaultLimits() Limits {
	return Limits{
		Body: 1 << 20, Depth: 64, Query: 8 << 10, Items: 500, Answer: 32 << 20, Search: 32 << 20,
		Requests:  512, // far more than processors, so that writers fill batches, and too few to fill memory
		BodyBytes: 64 << 20,
		Log:       64 << 20,
		Free:      64 << 20,
		// Tokens have 256 random bits, so that this is about noise: half a suite of
		// tests with wrong tokens passes.
		Logins: limit.Rate{N: 100, Per: time.Minute},
		// Somebody who tries what they remember does not notice; a list of ten
		// thousand words takes most of a day.
		Passwords: limit.Rate{N: 10, Per: time.Minute},
	}
}

// bounds is the limits of a server with what is used of them.
type bounds struct {
	Limits
	places                           *budget // of requests that are worked on
	bodyBudget, documents, answers   *budget // bytes of request bodies, of documents, and of other answers
	requests, logins, passwords, log *buckets
}

type (
	budget  = limit.Budget[rateKey]
	hold    = limit.Hold[rateKey]
	buckets = limit.Buckets[rateKey]
)

// A rateKey is a client whose requests count together: an account, so that strangers
// behind the same address do not use up its own share, or else an address.
type rateKey struct {
	account int64
	client  netip.Prefix
}

// newBounds makes the bounds that options ask for. They count by a clock of
// their own, since that of a server may stand still or be set.
func newBounds(o Options) bounds {
	b := bounds{Limits: DefaultLimits()}
	switch {
	case o.NoLimits:
		b.Limits = Limits{}
	case o.Limits != nil:
		b.Limits = *o.Limits
	}
	if b.Requests > 0 {
		b.places = limit.NewTurns[rateKey](b.Requests, 0)
	}
	b.bodyBudget = newBodies(b.BodyBytes)
	if !o.NoLimits {
		b.documents = limit.NewBudget(documentsBytes, documentsShare, 0)
	}
	b.answers = limit.NewBudget(answersBytes, func(rateKey) int64 { return answersBytes / 2 }, 0) // others are made in parts
	elapsed := caltime.Stopwatch()
	b.requests, b.logins = limit.New[rateKey](b.Rate, elapsed), limit.New[rateKey](b.Logins, elapsed)
	b.passwords = limit.New[rateKey](b.Passwords, elapsed)
	if b.Log > 0 {
		b.log = limit.New[rateKey](limit.Rate{N: kilobytes(b.Log), Per: time.Hour}, elapsed)
	}
	return b
}

// most returns a limit as a number to compare with.
func most(n int64) int64 {
	if n == 0 {
		return math.MaxInt64
	}
	return n
}

// client returns the address of the request as a key.
func (r *Call) client() rateKey { return rateKey{client: limit.Client(r.Front.Client(r.HTTP))} }

// admit refuses what is too much before anything of it is read.
func (r checking) admit() error {
	if r.bounds.requests != nil {
		if wait, ok := r.bounds.requests.Take(r.client()); !ok {
			return tooMany("rate", wait, fmt.Sprintf("No more than %v requests are answered.", r.bounds.Rate))
		}
	}
	if n := r.bounds.Query; int64(len(r.HTTP.URL.RawQuery)) > most(int64(n)) {
		return &Error{Status: http.StatusRequestURITooLong, Code: "rest_query_too_long", limit: "max-query-kb",
			Message: fmt.Sprintf("A query must not be longer than %d bytes. Send long texts in the body.", n)}
	}
	return nil
}

// authenticate finds the caller. A login that fails takes a token of the client; when there is none the answer
// is that, not the error of the login.
//
// A correct login is never refused, whatever other clients behind the same address did: behind a proxy that is
// not trusted, all clients have one address, and any of them could lock out the rest. It costs no security: a
// token that this program makes has 256 random bits, so the speed of guesses does not matter. Tokens of test
// accounts may be short; they are not protected.
func (r checking) authenticate() error {
	login := r.HTTP.Header["Authorization"]
	if len(login) == 0 {
		return nil
	}
	caller, err := r.accounts.Authenticate(login[0])
	if err != nil {
		if wait, ok := r.bounds.logins.Take(r.client()); !ok {
			return tooMany("wrong-logins", wait, fmt.Sprintf("No more than %v logins may fail.", r.bounds.Logins))
		}
		return err
	}
	r.Caller = caller
	return nil
}

// guess takes a token for a password of an event that may be wrong.
//
// Unlike a login, a right password is refused too while there is none: people
// choose passwords, and the answer would tell. A server that let the right one in
// whatever else comes from an address would answer as many guesses as come from
// it. Strangers do not touch a caller with an account, and a password that is
// known to be wrong is answered without a token.
func (u *unlocker) guess(r *Call) error {
	if wait, ok := r.bounds.passwords.Take(r.rateKey()); !ok {
		return tooMany("wrong-passwords", wait, fmt.Sprintf("No more than %v wrong passwords are compared.", r.bounds.Passwords))
	}
	u.taken++
	return nil
}

// searchesWaiting is how many searches that read texts may wait for others: more
// would wait for longer than clients do.
const searchesWaiting = 32

func (r *Call) rateKey() rateKey {
	if r.Caller.IsStranger() {
		return r.client()
	}
	return rateKey{account: r.Caller.ID}
}

// acquire takes a place among the requests that are worked on. Requests take it
// when they have been read, and leave it before they are answered, so that a
// client that sends or reads slowly holds none; and what is known without work
// (304, lists that are kept) needs none.
func (r checking) acquire() error {
	r.working = r.bounds.places.Hold(rateKey{})
	return r.working.Grow(r.HTTP.Context(), 1)
}

// An answer up to answerAlways bytes is made in memory, and a longer one while all of these take no more than
// answersBytes, and those for one client no more than half.
const (
	answerAlways = 64 << 10
	answersBytes = 64 << 20
)

// heldParts counts for an answer that is sent in long parts, twice.
const heldParts = 256 << 10

// hold reserves memory for an answer until it has been sent, and reports whether there is room.
func (r *reservations) hold(bytes int) bool {
	return bytes <= max(answerAlways, int(r.reserved.Size())) ||
		bytes <= respond.HeldMost && r.holdShared(min(2*bytes, respond.HeldMost)) // twice, so that it is asked seldom
}

// holdShared is hold for a text that is in memory for others too, however long.
func (r *reservations) holdShared(bytes int) bool {
	return bytes <= answerAlways || r.reserved.Grow(r.ctx, int64(bytes)) == nil
}

// Buffer returns memory for the answer, which Hold takes back.
func (r *reservations) Buffer() []byte { return r.buffers.body[:0] }

// Hold reserves memory for a text that is the answer, until that has been sent.
func (r *reservations) Hold(text []byte) error {
	r.buffers.body = text
	if !r.holdShared(len(text)) { // it may wait for long until it is read
		r.dropBody()
		return limit.ErrBusy
	}
	return nil
}

// MayQuery reports whether the query of a request is not too long to be read.
func (s *Server) MayQuery(hr *http.Request) bool {
	return int64(len(hr.URL.RawQuery)) <= most(int64(s.bounds.Query))
}

// dropBody forgets a body that must not be in memory.
func (r *reservations) dropBody() {
	r.buffers.body = nil
	r.reserved.End()
}

// tooMany refuses a client until some time has passed.
func tooMany(limit string, wait time.Duration, message string) *Error {
	return &Error{Status: http.StatusTooManyRequests, Code: "rest_too_many_requests", limit: limit,
		Message: message + " Come again after the seconds in Retry-After.", retry: wait}
}

// tooLarge refuses a body.
func (r checking) tooLarge() *Error {
	message := fmt.Sprintf("The body of a request must not be larger than %d bytes.", r.bounds.Body)
	if kind := r.HTTP.Header.Get("Content-Type"); strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "image/") {
		message += " " + errFile.Message // it will be one for this number of bytes
	}
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: "rest_body_too_large", limit: "max-body-kb", Message: message}
}

// errNoRoom answers a write when the disk is nearly full.
var errNoRoom = &Error{Status: http.StatusServiceUnavailable, Code: "rest_store_unavailable", retry: time.Minute, limit: "min-free-mb",
	Message: "The disk is nearly full: until there is more room only editors and administrators change anything. The calendar is as it was."}

// spend takes what a transaction adds to the log out of the caller's budget, and
// refuses it when there is too little left of that or of the disk. The log keeps
// whole records, so that a small change of a large one costs as much as the
// record; without a budget one account could fill the disk within the hour.
// Editors have none, nor a limit to the disk: somebody has to mend things.
func (r *Call) spend(tx *store.Tx) (spent int, err error) {
	if r.Caller.May(account.EditOthers) || r.bounds.Log == 0 && r.bounds.Free == 0 {
		return 0, nil
	}
	bytes, err := tx.Reserve(r.bounds.Free)
	if errors.Is(err, store.ErrNoRoom) {
		return 0, errNoRoom
	}
	if err != nil || bytes == 0 {
		return 0, err
	}
	spent = kilobytes(bytes)
	if wait, ok := r.bounds.log.TakeN(rateKey{account: r.Caller.ID}, spent); !ok {
		return 0, tooMany("max-log-mb", wait, fmt.Sprintf("An account of your role may not write more than %d kilobytes of records in an hour.",
			kilobytes(r.bounds.Log)))
	}
	return spent, nil
}

// kilobytes returns bytes in kilobytes, rounded up.
func kilobytes(bytes int64) int { return int((bytes + 1023) >> 10) }
