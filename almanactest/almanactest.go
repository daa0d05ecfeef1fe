// Package almanactest runs almanac inside a Go test: the whole server, in memory, on a free port
// of the loopback interface, in a few milliseconds.
//
//	srv := almanactest.NewServer(t)
//	srv.Seed(store.Event{Title: "Concert", Start: noon, End: evening})
//	resp, err := srv.Client().Get(srv.URL + "/cal/events/v1/events")
//
// Nothing is faked: requests go through net/http to the handler, routes and store of the program.
// Servers share nothing, so tests may run in parallel, each with several servers. A server ends
// with its test, and checks its store then. Its log, with a line per request, is in the output of
// the test.
//
// The test also sets the time (Clock), restores states (Snapshot, Restore, Reset), injects faults
// (Fault), and reads the requests (Requests). World shares one server between many parallel tests,
// each with a copy of the seeded state, which is faster. Programs in other processes use the
// routes below /_almanac/, see docs/testing.md.
package almanactest

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // zones without the files of the system

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/people/password"
	"almanac/internal/serve/fixture"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// Options configure a server. The zero value has the defaults of the program.
type Options struct {
	Now        time.Time // the clock stands at this instant; zero is real time
	Zone       string    // the site's time zone, as "Europe/Paris"; "" is UTC
	PerPage    int       // default page size; 0 is 10
	MaxPerPage int       // larger pages are cut to this; 0 is 50
	Currency   string    // of a cost that carries none: an ISO 4217 code or a symbol; "" is $
	Also       string    // a further path of the API, as /wp-json/tribe/events/v1; "" is none

	// Worlds lets requests that name a world in Almanac-World be in it, as those
	// of the clients of World are. WorldTTL is how long one is kept that was made
	// by a request and is not asked for; 0 is 10 minutes.
	Worlds   bool
	WorldTTL time.Duration

	// TLS serves over TLS and HTTP/2. The clients of the server trust its certificate; other
	// clients get it from Server.Certificate.
	TLS bool

	NoPages bool // the API alone is served, without pages for people, as with -pages=false

	CacheBytes int64 // cache of answers; 0 is 256 MiB, negative is none
	Explain    bool  // lists say in X-Almanac-Plan how they were found

	// StrictInput refuses writes that say what nothing is made of, such as a misspelt
	// member, which are told so in X-Almanac-Ignored otherwise.
	StrictInput bool

	Limits   *Limits // nil has those of DefaultLimits
	NoLimits bool    // nothing that a client does is refused for being too much

	// FailUnexpected fails the test at its end, or the end of its world, if there were requests
	// that no route takes and no Fault decided. Reset forgets them.
	FailUnexpected bool

	// Tokens are the tokens of the accounts by role. Missing ones are generated.
	Tokens map[Role]string

	// Observe is told of every exchange, by the goroutine that answers it: to compare
	// answers with the OpenAPI document, or to count what was asked. It may be called
	// by several goroutines at once. Exchanges of worlds and those that a Fault decides
	// are among them; the control routes are too.
	Observe func(Exchange)

	// Store is served instead of a new one in memory, when it is not nil. It
	// stays the caller's, to check and to close after the server has ended, and
	// its own clock stamps what is written.
	Store *store.Store
}

// A Role decides what an account may do.
type Role = account.Role

// The roles. Each has all rights of the later ones.
const (
	Administrator = account.Administrator
	Editor        = account.Editor
	Author        = account.Author
	Contributor   = account.Contributor
	Subscriber    = account.Subscriber
)

// Limits are how much a client may ask for; a Rate is a number of requests in a time.
type (
	Limits = admission.Limits
	Rate   = limit.Rate
)

// DefaultLimits returns the limits of the program, to change some of them.
func DefaultLimits() Limits { return admission.Default() }

// A Clock is the clock of a server.
type Clock = caltime.Clock

// An Exchange is a request with its answer, as Options.Observe is told of it.
type Exchange = api.Exchange

// A Server is a running server. Its methods may be called by several
// goroutines at once.
type Server struct {
	URL   string       // "http://127.0.0.1:54321", no slash at the end
	Token string       // of the administrator
	Store *store.Store // the served store, to read and to change
	Clock *Clock       // the server's, to set, advance, freeze and resume

	Certificate *x509.Certificate // self-signed, for the server's address; nil without Options.TLS

	tb      testing.TB
	fixture *fixture.Server
	world   *fixture.World
	zone    *caltime.Zone
	tokens  map[Role]string
	wire    http.RoundTripper
	worlds  *atomic.Int64 // that were made, of the server
}

// roles are those of the accounts, in the order of their ids, from 1.
var roles = [...]account.Role{
	account.Administrator,
	account.Editor,
	account.Author,
	account.Contributor,
	account.Subscriber,
}

// NewServer starts a server with the zero Options.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	return Start(tb, Options{})
}

// Start starts a server. It has an account of each role, whose login is the
// name of the role, with the ids 1 (administrator) to 5 (subscriber).
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := &Server{tb: tb}
	err := s.open(o, logTo(tb.Output()), func(serving api.Options) (err error) {
		s.fixture, err = fixture.New(fixture.Options{
			Options:        serving,
			Worlds:         o.Worlds,
			WorldTTL:       o.WorldTTL,
			FailUnexpected: o.FailUnexpected,
		}, routes)
		return err
	})
	if err != nil {
		tb.Fatalf("almanactest: %v", err)
	}
	s.world = s.fixture.Own()
	server := httptest.NewUnstartedServer(s.fixture)
	if o.TLS {
		server.EnableHTTP2 = true // as the program does
		server.StartTLS()
	} else {
		server.Start()
	}
	s.URL = server.URL
	s.Certificate = server.Certificate()
	s.wire = server.Client().Transport
	tb.Cleanup(func() {
		if err := s.fixture.Close(); err != nil { // faults that wait do so no longer
			tb.Errorf("almanactest: %v", err)
		}
		server.Close()
		if o.Store != nil {
			return
		}
		if err := s.Store.Check(); err != nil {
			tb.Errorf("almanactest: the store is not sound at the end of the test: %v", err)
		}
		if err := s.Store.Close(); err != nil {
			tb.Errorf("almanactest: %v", err)
		}
	})
	return s
}

// logTo makes the log of a test, with a line per request.
func logTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Handler returns what a server answers with, and the administrator's token: for
// programs without a test, such as benchmarks, and for those that listen
// themselves. Options.Store is needed. It logs nothing, and is no fixture: there
// are no faults, no request log and no worlds.
func Handler(o Options) (handler http.Handler, token string, err error) {
	if o.Store == nil {
		return nil, "", errors.New("almanactest: a handler needs Options.Store")
	}
	var s Server
	err = s.open(o, slog.New(slog.DiscardHandler), func(serving api.Options) (err error) {
		handler, err = api.New(serving, routes)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("almanactest: %w", err)
	}
	return handler, s.Token, nil
}

// Routes calls its argument for every route that is served, with the operation
// behind it: for tests that look at all of them.
func Routes(on func(pattern string, op *api.Op)) { routes(on) }

// open makes what the server is made of, and calls serve with it.
func (s *Server) open(o Options, log *slog.Logger, serve func(api.Options) error) error {
	s.Store = o.Store
	s.Clock = caltime.System()
	s.zone = caltime.UTC()
	s.tokens = map[Role]string{}
	s.worlds = new(atomic.Int64)
	if !o.Now.IsZero() {
		s.Clock = caltime.Frozen(o.Now)
	}
	var err error
	if o.Zone != "" {
		if s.zone, err = caltime.LoadZone(o.Zone); err != nil {
			return err
		}
	}
	var users []account.User
	for i, role := range roles {
		if s.tokens[role] = o.Tokens[role]; s.tokens[role] == "" {
			s.tokens[role] = account.NewToken()
		}
		users = append(users, account.User{
			Account: account.Account{ID: int64(i + 1), Login: string(role), Role: role},
			Token:   s.tokens[role],
		})
	}
	s.Token = s.tokens[account.Administrator]
	accounts, err := account.Memory(users...)
	if err != nil {
		return err
	}
	// A few iterations, since nothing is at stake and tests have no time.
	passwords := password.NewKeeper(1000)
	if s.Store == nil {
		if s.Store, err = store.Open(store.Options{
			Now:          s.Clock.Now,
			Logger:       log,
			HashPassword: passwords.HashNow,
		}); err != nil {
			return err
		}
	}
	err = serve(api.Options{
		Store:       s.Store,
		Accounts:    accounts,
		Clock:       s.Clock,
		Site:        s.zone,
		DayEnds:     6 * time.Hour,
		PerPage:     o.PerPage,
		MaxPerPage:  o.MaxPerPage,
		Currency:    o.Currency,
		Also:        o.Also,
		CacheBytes:  o.CacheBytes,
		Explain:     o.Explain,
		StrictInput: o.StrictInput,
		Logger:      log,
		Passwords:   passwords,
		Pages:       !o.NoPages,
		Limits:      o.Limits,
		NoLimits:    o.NoLimits,
		Observe:     o.Observe,
	})
	if err != nil && o.Store == nil {
		s.Store.Close() // it was made here
	}
	return err
}

// Client returns a client whose requests come from the administrator.
func (s *Server) Client() *http.Client { return s.As(account.Administrator) }

// As returns a client whose requests come from the account of a role; "" is the
// stranger, who has none. A request with an Authorization of its own keeps it,
// and one to another server gets none. The client follows no redirect, as there
// are none.
func (s *Server) As(role Role) *http.Client {
	s.tb.Helper()
	token, ok := s.tokens[role]
	if !ok && role != "" {
		s.tb.Fatalf(
			"almanactest: there is no role %q; there are %v, and \"\" for the stranger",
			role,
			roles,
		)
	}
	return &http.Client{
		Transport:     &signer{host: s.URL, token: token, world: s.world.Name(), wire: s.wire},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A signer signs the requests to one server, and says which world they are for.
type signer struct {
	host, token, world string
	wire               http.RoundTripper
}

func (t *signer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host != t.host {
		return t.wire.RoundTrip(r)
	}
	r = r.Clone(r.Context()) // a RoundTripper must not change what it is given
	if t.token != "" && r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	if t.world != "" && r.Header.Get("Almanac-World") == "" {
		r.Header.Set("Almanac-World", t.world)
	}
	return t.wire.RoundTrip(r)
}
