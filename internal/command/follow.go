// The command follow: a server that keeps a copy of another one.

package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/follow"
	"almanac/internal/rest"
	"almanac/store"
)

// Follow keeps a copy of the log and the accounts of another server, and serves reads
// from it. Otherwise it is Serve.
func Follow(routes Routes, confine Confiner, hangups Hangups) Command {
	return service{routes: routes, confine: confine, hangups: hangups}.follower()
}

func followFlags() (*flagSet, *settings) {
	f, s := newFlags("follow", "almanac follow URL [flags]: keep a copy of the server at URL, and serve reads from it. ALMANAC_TOKEN has a "+
		"token of an administrator there. The flags are those of serve; what is in memory, or comes from the first server, is refused."),
		&settings{}
	s.flags(f)
	return f, s
}

func (g service) follower() Command {
	return Command{"follow", "URL [flags]", "keep a copy of another server",
		func(ctx context.Context, args []string, p Process) error {
			f, s := followFlags()
			urls, helped, err := f.parseAll(args, p)
			if helped || err != nil {
				return err
			}
			switch {
			case len(urls) != 1:
				return usageError{errors.New("name the address of one server, such as https://calendar.example.org (see almanac help follow)")}
			case s.memory || s.seed != "" || s.users != "" || s.clock != "" || s.token != "":
				return usageError{errors.New("-memory, -seed, -users, -clock and -token: a copy is on a disk, and all of it is the first server's")}
			}
			if s.first, err = newFirstServer(ctx, urls[0], p.Getenv("ALMANAC_TOKEN")); err != nil {
				return err
			}
			return g.serve(ctx, s, nil, p)
		},
		func(_ []string, p Process) error {
			f, _ := followFlags()
			return f.help(p.Stdout)
		},
	}
}

// begin makes the copy of an archive, if there is none yet.
func (s *settings) begin(ctx context.Context, log *slog.Logger) error {
	if s.first == nil || s.data == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.data, "log")); !errors.Is(err, fs.ErrNotExist) {
		return nil // what is wrong with it is said when it is opened
	}
	log.Info("there is no copy yet: beginning with an archive", "first", s.first.site)
	return s.take(ctx, "without-log", log)
}

// take makes the copy of an archive. What there is of a former one is kept aside.
func (s *settings) take(ctx context.Context, aside string, log *slog.Logger) error {
	archive, err := s.first.Archive(ctx)
	if err != nil {
		return err
	}
	defer archive.Close()
	done, err := store.Renew(ctx, s.data, aside, store.RestoreOptions{Archive: archive, Follow: true, Logger: log})
	if err != nil {
		return fmt.Errorf("%s: %w", s.first.site, err)
	}
	log.Info("the copy has begun", "first", s.first.site, "seq", done.Seq, "bytes", done.Bytes)
	return nil
}

// asides are directories with former copies, in that of the copy: named after their last
// transaction.
const asides = "until-"

// renewed returns the store. A copy that cannot go on, as the first server has removed the
// lines that come next, is set aside, and another one taken: that it is older is certain,
// and that all of it is there too is not, so that nothing of it is removed.
func (s *settings) renewed(ctx context.Context, st *store.Store, log *slog.Logger, open func() (*store.Store, error)) (
	*store.Store, error) {
	state := st.State()
	if s.first == nil || !s.first.pruned(ctx, state.Seq(), state.Head()) {
		return st, nil
	}
	aside := fmt.Sprint(asides, state.Seq())
	former, err := filepath.Glob(filepath.Join(s.data, asides+"*"))
	switch {
	case err != nil:
	case len(former) > 0:
		err = fmt.Errorf("%s is still there, of the last time: when nothing in it is missed, remove it and start again", former[0])
	default:
		log.Warn("the copy was away for too long: the first server has removed what comes next. Beginning anew with an archive",
			"first", s.first.site, "seq", state.Seq(), "former", filepath.Join(s.data, aside))
		if err = st.Close(); err == nil {
			err = s.take(ctx, aside, log)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the copy in %s, up to transaction %d, was away for too long, and another one cannot take its "+
			"place: %w", s.data, state.Seq(), err), st.Close())
	}
	return open()
}

// follower returns what follows the first server, nil when there is none.
func (s *settings) follower(ctx context.Context, st *store.Store, log *slog.Logger) (*follow.Follower, error) {
	if s.first == nil {
		return nil, nil
	}
	path := filepath.Join(s.data, usersName)
	accounts, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if accounts, err = s.first.Accounts(ctx); err == nil {
			err = account.Replace(ctx, path, accounts)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the accounts: %w", err)
	}
	return follow.New(follow.Options{
		Store: st, First: s.first, Name: s.first.site, Dir: s.data, Accounts: accounts, Elapsed: caltime.Stopwatch(), Log: log,
		Replace: func(ctx context.Context, text []byte) error { return account.Replace(ctx, path, text) },
	}), nil
}

// followingOf tells health how far a follower is.
func followingOf(f *follow.Follower) func() rest.Following {
	if f == nil {
		return nil
	}
	return func() rest.Following {
		lag := f.Lag()
		return rest.Following{Connected: lag.Connected, Behind: lag.Behind, Seconds: lag.Time.Seconds()}
	}
}
