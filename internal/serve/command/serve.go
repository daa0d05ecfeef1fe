// Package command has the commands of the program: serve, which answers requests, and commands
// that create, check, move and restore data.
//
// Package cli has the frame of a command: its flags, its arguments and its Process. main has the
// Table of all commands.
//
//	serve.go            serve, from its flags to its end, with settings.go, network.go, service.go and sandbox.go
//	audit.go            audit, with report.go, its page
//	users.go            users, with users_link.go, users_feed.go and users_list.go
//	import.go …         one file for each other command
package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/cli/build"
	"almanac/internal/cli/socket"
	"almanac/internal/cli/systemd"
	"almanac/internal/people/account"
	"almanac/internal/people/submission"
	"almanac/internal/serve/accesslog"
	"almanac/internal/serve/confine"
	"almanac/internal/serve/fixture"
	"almanac/internal/serve/httpd"
	"almanac/internal/text/caltime"
	"almanac/internal/write/seed"
	"almanac/store"
)

// A Confiner confines the process, as confine.Process does.
type Confiner func(confine.Rights) (confine.State, error)

// Routes calls its argument for every route that a server answers.
type Routes func(on func(pattern string, op *api.Op))

// A Service is a server: it serves its routes until the process is told to end. When it is ready,
// and before it listens to anybody, the process gives up by Confine what it needs no more.
type Service struct {
	Routes  Routes
	Confine Confiner           // nil: the process is not the server's alone and stays free
	Hangups Hangups            // nil: nobody says that a log file was moved
	Observe func(api.Exchange) // nil, or a test that sees every exchange

	sizes store.Options // of segments and snapshots; tests that kill a server need small ones
}

// Command is the command serve.
func (g Service) Command() cli.Command {
	return cli.New(
		"serve",
		"",
		"serve",
		"almanac [serve] [flags]: serve the calendar.",
		(*settings).served,
		g.serve,
	)
}

// serve runs the server until ctx ends.
func (g Service) serve(ctx context.Context, s *settings, _ []string, p cli.Process) error {
	log := slog.New(logHandler(p))
	o, err := s.options(log)
	if err != nil {
		return cli.Usage(err)
	}
	if o.Look, err = s.pages.look(); err != nil {
		return cli.Usage(err)
	}
	if !s.memory {
		// Before a file of a log is made in it.
		if err := store.CheckDir(s.data); err != nil {
			return cli.Usage(fmt.Errorf("-data: %w", err))
		}
	}
	o.Observe = g.Observe
	o.Flags = s.chosen(&o)
	o.LogoFile = s.pages.logo
	o.Machine = machineZone(p)
	// Everything that can fail comes before the accounts: the token of the first
	// administrator is shown once, by a server that is ready.
	trial := o
	if s.desk { // whose addresses are taken
		trial.Sessions = &account.Sessions{}
	}
	if _, err := api.New(trial, g.Routes); err != nil {
		return cli.Usage(err)
	}
	if err := s.confinable(g.Confine); err != nil {
		return err
	}
	var tls *httpd.Certificate
	if s.cert != "" || s.key != "" {
		if tls, err = httpd.OpenCertificate(s.cert, s.key, log); err != nil {
			return cli.Usage(err)
		}
	}
	listener, metrics, err := s.listen(p, log)
	if err != nil {
		return cli.Usage(err)
	}
	defer listener.Close()
	var m *httpd.Meters
	if metrics != nil {
		defer metrics.Close()
	}
	if metrics != nil || s.desk {
		m = httpd.NewMeters(g.Routes)
		o.Counts = m.Counts
	}
	manager, err := systemd.Connect(p.Getenv)
	if err != nil {
		log.Warn("the service manager is not told how the server is", "err", err)
	}
	defer manager.Close()

	if _, err := os.Stat(s.data); errors.Is(err, fs.ErrNotExist) { // and is made later
		if s.lacksOwner() {
			return cli.Usage(s.noOwner())
		}
		if s.seed != "" {
			if _, err := seed.ReadFile(s.seed); err != nil {
				return cli.Usage(fmt.Errorf("-seed: %w", err))
			}
		}
	}
	requests, proposals, endNotes, err := s.note(p, g.Hangups, log)
	if err != nil {
		return cli.Usage(err)
	}
	defer endNotes()
	n := httpd.NewRequests(requests, s.slow, log, m)

	sizes := g.sizes
	sizes.HashPassword = o.Passwords.HashNow
	sizes.Identity = firstIdentity(o.URL, log)
	if m != nil {
		sizes.Writing = m.Writing
	}
	if o.Store, err = s.open(o.Clock, log, sizes, p.Stderr); err != nil {
		return err
	}
	defer o.Store.Close()
	fresh := o.Store.Untouched() // the first administrator owns seeded records
	_ = o.Store.View(
		func(v *store.View) error { fresh = fresh && v.Len(store.Accounts) == 0; return nil },
	)
	if err := s.plant(o); err != nil {
		return err
	}
	first := &firstToken{path: s.tokenPath(p)}
	if o.Accounts, err = s.accounts(o, first); err != nil {
		return cli.Usage(err)
	}
	defer o.Accounts.Close()
	if s.desk {
		sessions := o.Store
		if s.memory { // a world of a fixture, or a former state, has the same sessions
			if sessions, err = store.Open(store.Options{}); err != nil {
				return err
			}
			defer sessions.Close()
		}
		o.Sessions = account.NewSessions(sessions, o.Clock.Now)
	}
	if o.Submissions, err = s.room(o, proposals); err != nil {
		return cli.Usage(err)
	}
	s.warnOfRoom(o)
	if s.exitWithParent {
		var cancel context.CancelFunc
		ctx, cancel = withParent(ctx, p.Stdin)
		defer cancel()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o.Stopping = ctx.Done()
	handler, endHandler, err := s.handler(o, g.Routes)
	if err != nil {
		return err
	}
	defer endHandler()
	with := s.http
	with.Handler = handler
	with.Listener = listener
	with.Certificate = tls
	with.Requests = n
	with.Log = log
	server := httpd.New(with)
	site := s.address(listener.Addr())
	endCommands, err := s.answerCommands(ctx, o, handler, cmp.Or(s.home, site), log)
	if err != nil {
		return err
	}
	defer endCommands()
	confined, err := s.confine(g.Confine, log)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	if metrics != nil {
		go httpd.ServeMetrics(ctx, metrics, m, handler.(httpd.Measured), o.Store)
	}
	if err := s.link(o, p, first, site); err != nil {
		log.Warn(
			"there is no link to the first page: almanac users link admin makes one",
			"err",
			err,
		)
	}
	s.warn(listener.Addr(), log)
	s.warnOpen(log)
	if fresh && !s.memory && o.Site.String() == "UTC" {
		log.Info("times are in UTC; -timezone Europe/Berlin sets the zone of the site to another")
	}
	log.Info(
		"ready",
		"address",
		listener.Addr().String(),
		"version",
		build.Read().Version,
		"confined",
		confined,
	)
	// Behind the lines of the log, where people on a terminal see it.
	if err := s.ready(p, listener.Addr(), metrics, first); err != nil {
		return err
	}
	manager.Notify("READY=1", "STATUS=Listening on "+listener.Addr().String())
	go giveBack(ctx)
	go manager.Watch(
		ctx,
		func() { _ = o.Store.View(func(*store.View) error { return nil }) },
	) // a lock that nobody releases ends it

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	manager.Notify("STOPPING=1")
	unexpected := endHandler() // faults that wait end
	server.Shutdown(ctx)
	endCommands()
	return errors.Join(unexpected, o.Store.Close())
}

// answerCommands has operations done for commands until end is called. A system that cannot make
// the socket is no reason not to serve.
func (s *settings) answerCommands(
	ctx context.Context,
	o api.Options,
	handler http.Handler,
	site string,
	log *slog.Logger,
) (end func(), err error) {
	if s.memory {
		return func() {}, nil
	}
	d := &directory{
		path:     s.data,
		log:      log,
		store:    o.Store,
		accounts: o.Accounts,
		now:      o.Clock.Now,
		site:     site,
		measure:  handler.(httpd.Measured).Measure,
		handler:  handler,
		readOnly: o.ReadOnly,
	}
	end, err = socket.Serve(ctx, s.data, d.operations(), log)
	if err == nil || cli.Status(err) == 2 {
		return end, err
	}
	log.Warn("commands reach this server only when it is stopped", "err", err)
	return func() {}, nil
}

// handler makes what answers requests, which is a fixture when nothing is on a disk,
// and its end.
func (s *settings) handler(
	o api.Options,
	routes Routes,
) (handler http.Handler, end func() error, err error) {
	if !s.memory {
		server, err := renewed(o, routes)
		return server, func() error { return nil }, err
	}
	f, err := fixture.New(fixture.Options{
		Options:        o,
		Worlds:         s.worlds,
		WorldTTL:       s.worldTTL,
		FailUnexpected: s.unexpected == "fail",
		Renewed:        func(o api.Options) (func() *api.Server, error) { return renewed(o, routes) },
	}, routes)
	return f, f.Close, err
}

// commandTime is how long a start waits for a command that has the directory open.
const commandTime = 2 * time.Second

// open opens the store.
func (s *settings) open(
	clock *caltime.Clock,
	log *slog.Logger,
	sizes store.Options,
	stderr io.Writer,
) (*store.Store, error) {
	progress := cli.NewProgress(stderr, caltime.System().Now, 0, false)
	defer progress.Clear()
	o := store.Options{
		Dir:          s.data,
		Now:          clock.Now,
		Logger:       log,
		Keep:         s.keep,
		Segment:      sizes.Segment,
		Snapshot:     sizes.Snapshot,
		HashPassword: sizes.HashPassword,
		Writing:      sizes.Writing,
		Identity:     sizes.Identity,
		Progress:     progress.Reach,
		Spare:        true,
	}
	if s.keep == 0 {
		o.Keep = -1 // to the store 0 is for ever
	}
	if s.memory {
		o.Dir = ""
	} else if s.data == "" {
		return nil, cli.Usage(errors.New("-data: give a directory, or -memory to write no file"))
	}
	st, err := store.Open(o)
	late := time.After(commandTime)
	for errors.Is(err, store.ErrInUse) && !socket.IsServed(s.data) {
		select { // a command that has it open takes a moment
		case <-late:
			return nil, cli.Usage(err)
		case <-time.After(commandTime / 100):
			st, err = store.Open(o)
		}
	}
	var corrupt *store.CorruptError
	switch {
	case err == nil, errors.As(err, &corrupt), store.IsFormat(err):
		return st, err
	case errors.Is(err, store.ErrInUse):
		return nil, cli.Usage(err) // says what to do
	default:
		return nil, cli.Usage(
			fmt.Errorf("-data: %w; give a directory that can be written to", err),
		)
	}
}

// accounts returns the accounts of a file, or those of the store, with those of an older directory.
// A directory that never had one gets an administrator, whose token is kept here and never again.
func (s *settings) accounts(o api.Options, first *firstToken) (d *account.Directory, err error) {
	now := o.Clock.Now
	switch {
	case s.users != "":
		d, err = account.Open(s.users, now, o.Logger)
	case s.memory:
		return s.administrator(first)
	default:
		d = account.Of(o.Store, now, o.Logger)
		if err = account.Take(o.Store, s.data, o.Logger); err == nil && account.IsEmpty(o.Store) {
			err = s.begin(o, first)
		}
	}
	if err == nil && !s.memory {
		d.RecordUses(filepath.Join(s.data, usesName))
	}
	return d, err
}

// administrator returns one account, which is in memory.
func (s *settings) administrator(first *firstToken) (*account.Directory, error) {
	first.id = 1
	token := cmp.Or(s.token, account.NewToken())
	if err := first.keep(func() (string, error) { return token, nil }); err != nil {
		return nil, err
	}
	return account.Memory(account.User{
		Account: account.Account{
			ID:    first.id,
			Login: firstLogin,
			Role:  account.Administrator,
		},
		Token: token,
	})
}

// firstLogin is the login of the first administrator.
const firstLogin = "admin"

// lacksOwner reports whether the first administrator, who is alone, is not the owner of proposals.
func (s *settings) lacksOwner() bool {
	return s.users == "" && s.submissions != "" && !strings.EqualFold(s.submissions, firstLogin)
}

// begin puts the first administrator into the store.
func (s *settings) begin(o api.Options, first *firstToken) error {
	if s.lacksOwner() {
		return s.noOwner()
	}
	return first.keep(func() (token string, err error) {
		err = account.Change(o.Store, o.Clock.Now(), func(u *account.Users) error {
			a, err := u.Add(account.Account{Login: firstLogin, Role: account.Administrator})
			if err == nil {
				token, _, err = u.AddToken(firstLogin, "first", time.Time{})
			}
			if err == nil && s.desk && s.tokenFile == "" {
				first.secret, err = u.AddLink(firstLogin)
			}
			first.id = a.ID
			return err
		})
		return token, err
	})
}

// room returns the room of proposals, nil if there are none.
func (s *settings) room(o api.Options, log *accesslog.Log) (*submission.Room, error) {
	if s.submissions == "" {
		return nil, nil
	}
	a, ok := o.Accounts.Named(s.submissions)
	if !ok || !a.May(account.CreateOwn) {
		return nil, s.noOwner()
	}
	room := submission.New(a.ID, s.submissionsMost, caltime.Stopwatch())
	if log != nil {
		room.Log = log
	}
	return room, nil
}

// noOwner returns the error for a login of no account that may own proposals.
func (s *settings) noOwner() error {
	return fmt.Errorf(
		"-submissions %q: must be the login of an account that may write, and that is not disabled; "+
			"almanac users list names them",
		s.submissions,
	)
}

// plant loads the seed into an empty store. A store that was ever written to is
// left alone, so that a server can be started again with the same flags.
func (s *settings) plant(o api.Options) error {
	if s.seed == "" {
		return nil
	}
	if !o.Store.Untouched() {
		o.Logger.Info("the store is not empty, the seed is left out", "seed", s.seed)
		return nil
	}
	site := settled(o, o.Store.Settings()).Site
	err := seed.PlantFile(o.Store, s.seed, seed.Options{
		Site:    site,
		Now:     o.Clock.Now(),
		Account: account.First,
	})
	if err != nil {
		return cli.Usage(fmt.Errorf("-seed: %s", strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	return nil
}

// address returns the address of the site on this machine.
func (s *settings) address(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String()) // of TCP
	if ip := net.ParseIP(host); ip.IsUnspecified() {
		host = "localhost"
	}
	if s.cert != "" {
		return "https://" + net.JoinHostPort(host, port)
	}
	return "http://" + net.JoinHostPort(host, port)
}

// ready says where the server is: to programs in one line of JSON, to people on a terminal in
// sentences.
func (s *settings) ready(
	p cli.Process,
	addr net.Addr,
	metrics net.Listener,
	first *firstToken,
) error {
	site := s.address(addr)
	read := ""
	if metrics != nil {
		read = "http://" + metrics.Addr().String() + "/metrics"
	}
	if systemd.IsTerminal(p.Stdout) && !s.json {
		text := "The calendar is at " + site + " until you press Ctrl-C.\n"
		if first.shown != "" {
			text += "The token of the administrator, for programs, is shown this once: " + first.shown + "\n"
		}
		if first.link != "" {
			text += "Open this address to begin. It signs you in, once and within 15 minutes:\n" + first.link + "\n"
		}
		_, err := io.WriteString(p.Stdout, text)
		return err
	}
	return json.NewEncoder(p.Stdout).Encode(struct {
		URL   string `json:"url"`
		API   string `json:"api"`
		PID   int    `json:"pid"`
		Token string `json:"token,omitempty"`
		File  string `json:"token_file,omitempty"`
		Desk  string `json:"desk,omitempty"`

		Metrics string `json:"metrics,omitempty"`
	}{site, site + "/" + api.Namespace + "/", os.Getpid(), first.shown, first.written, first.link, read})
}
