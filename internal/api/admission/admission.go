// Package admission bounds what requests ask for, and how much of it is worked on and held in
// memory at once.
//
//	bounds := admission.New(limits)
//	reserved := bounds.Reservations(ctx)
//	defer reserved.End()
//	reserved.For(admission.Key{Account: caller.ID})
//	err := reserved.Work(isRead)
//
// Limits are numbers, which the server has from its options. Reservations belong to one request
// until it is answered: memory of its body, and places to work.
package admission

import (
	"math"
	"net/netip"
	"runtime"
	"time"

	"almanac/internal/people/limit"
	"almanac/internal/text/caltime"
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
	Log       int64 // bytes of log and memory per hour of an account below editor; else 429
	Names     int   // of new terms, venues and organizers per hour of such an account; else 429
	Free      int64 // bytes of free disk below which such accounts get a 503
	BodyBytes int64 // bytes of bodies in memory, else 503; account: half, anonymous: an eighth

	Picture      int64 // bytes of an uploaded picture; more is a 413
	Pixels       int   // pixels of an uploaded JPEG, three times the limit for PNG; 413
	PictureQuota int64 // bytes of an account's pictures, below editor; more is a 507
	Pictures     int64 // bytes of all pictures; more is a 507

	// Rates of a client; more is a 429. A client is an address, or a /64 of IPv6. For the
	// passwords of events it is the account if the caller has one.
	Rate      limit.Rate // requests of all kinds
	Logins    limit.Rate // that fail
	Passwords limit.Rate // of events, that are wrong
}

// Default returns the limits of a server that is told nothing else.
func Default() Limits {
	return Limits{
		Body:         1 << 20,
		Depth:        64,
		Query:        8 << 10,
		Items:        500,
		Answer:       32 << 20,
		Search:       32 << 20,
		Requests:     512, // far more than processors, so that writers fill batches, and too few to fill memory
		BodyBytes:    64 << 20,
		Picture:      20 << 20,
		Pixels:       24_000_000,
		PictureQuota: 1000 << 20,
		Pictures:     10_000 << 20,
		Log:          64 << 20,
		Names:        1000,
		Free:         64 << 20,
		// Tokens have 256 random bits, so that this is about noise: half a suite of
		// tests with wrong tokens passes.
		Logins: limit.Rate{N: 100, Per: time.Minute},
		// Somebody who tries what they remember does not notice; a list of ten
		// thousand words takes most of a day.
		Passwords: limit.Rate{N: 10, Per: time.Minute},
	}
}

// Bounds is the limits of a server with what is used of them.
type Bounds struct {
	Limits
	Places     *limit.Budget[Key] // of requests that are worked on
	Reads      *limit.Budget[Key] // of those that read, a few for each client
	Searches   *limit.Budget[Key] // turns of full-text searches
	Decoding   *limit.Budget[Key] // turns to decode an uploaded picture
	Histories  *limit.Budget[Key] // turns to read the log for revisions
	Imports    *limit.Budget[Key] // imports that are not finished
	Importing  *limit.Budget[Key] // turns of their steps
	bodyBudget *limit.Budget[Key] // bytes of request bodies

	Arrivals, FailedLogins, Guesses *limit.Buckets[Key]
	Written                         *limit.Buckets[Key] // kilobytes of log and memory
	Named                           *limit.Buckets[Key] // new terms, venues and organizers
}

// A Key is a client whose requests count together: an account, so that strangers
// behind the same address do not use up its own share, or else an address.
type Key struct {
	Account int64
	Client  netip.Prefix
}

// Proposals is the key of all that people without an account write. Accounts and addresses have
// other ones.
var Proposals = Key{Account: -2}

// nobody is the key of memory that belongs to no client: of results that are cached for all, and
// of bodies that were read ahead.
var nobody = Key{Account: -1}

// SearchesWaiting is how many searches that read texts may wait for others: more
// would wait for longer than clients do.
const SearchesWaiting = 32

// PicturesWaiting is how many uploaded pictures may wait to be decoded: each takes a second or
// two.
const PicturesWaiting = 16

// HistoriesWaiting is how many requests for revisions may wait for others: each reads the whole
// log.
const HistoriesWaiting = 32

// imports is how many imports may have begun, importsShare how many of one client, and
// importsWaiting how many more may wait: each holds its body.
const imports, importsShare, importsWaiting = 16, 4, 32

// readsMost is how many requests that read are worked on at the same time: each may have a list of
// all events in memory.
const readsMost = 128

// readsWait is how long others wait for their turn at most.
const readsWait = 10 * time.Second

// ReadsAtOnce is how many of them one client has: enough to use all processors, and so few that
// the requests of another client do not wait behind hundreds.
func ReadsAtOnce() int { return min(max(4, 2*runtime.GOMAXPROCS(0)), readsMost/4) }

// New makes the bounds of a server with limits; nil is none. They count by a clock of
// their own, since that of a server may stand still or be set.
func New(limits *Limits) *Bounds {
	var l Limits
	if limits != nil {
		l = *limits
	}
	elapsed := caltime.Stopwatch()
	turns := max(1, runtime.GOMAXPROCS(0)/2)
	b := &Bounds{
		Limits:     l,
		bodyBudget: newBodies(l.BodyBytes),
		Searches:   limit.NewTurns[Key](turns, SearchesWaiting),
		Decoding:   limit.NewTurns[Key](1, PicturesWaiting),
		Histories:  limit.NewTurns[Key](1, HistoriesWaiting),
		Imports: limit.NewBudget(
			imports,
			func(Key) int64 { return importsShare },
			importsWaiting,
		),
		Importing:    limit.NewTurns[Key](1, math.MaxInt),
		Arrivals:     limit.New[Key](l.Rate, elapsed),
		FailedLogins: limit.New[Key](l.Logins, elapsed),
		Guesses:      limit.New[Key](l.Passwords, elapsed),
	}
	if l.Requests > 0 {
		b.Places = limit.NewTurns[Key](l.Requests, 0)
		b.Reads = limit.NewShares[Key](readsMost, ReadsAtOnce(), l.Requests)
	}
	if l.Log > 0 {
		b.Written = limit.New[Key](limit.Rate{N: Kilobytes(l.Log), Per: time.Hour}, elapsed)
	}
	if l.Names > 0 {
		b.Named = limit.New[Key](limit.Rate{N: l.Names, Per: time.Hour}, elapsed)
	}
	return b
}

// Most returns a limit as a number to compare with.
func Most[N int | int64](n N) int64 {
	if n == 0 {
		return math.MaxInt64
	}
	return int64(n)
}

// BodyMost returns how many bytes the body of a request may have, which may be an upload.
func (l *Limits) BodyMost(upload bool) int64 {
	if upload {
		return Most(l.Picture)
	}
	return Most(l.Body)
}

// Kilobytes returns bytes in kilobytes, rounded up.
func Kilobytes(bytes int64) int { return int((bytes + 1023) >> 10) }
