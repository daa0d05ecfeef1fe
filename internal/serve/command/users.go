// The command users: the accounts and their tokens, while a server runs or not.

package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// usesName is the file of the times when tokens were used, in the data directory.
const usesName = "users-used.json"

// Users is the commands for the accounts.
var Users = cli.Command{
	Name:      "users",
	Arguments: "COMMAND",
	Summary:   "add, list and disable accounts, make and revoke tokens",
	Run:       users,
	Help:      usersHelp,
}

// usersSettings are the flags of all commands for users. Each has some of them.
type usersSettings struct {
	data, role, email, name, expires, url, filter string
	id                                            int
	noToken, force, all, json, revoke, invite     bool

	sent []string // the whole command
}

// A usersRun is where a command for users runs: in the process that has the directory open.
type usersRun struct {
	store          *store.Store
	accounts       *account.Directory
	now            func() time.Time
	site           string // address of the server
	stdout, stderr io.Writer
}

// change changes the accounts.
func (r *usersRun) change(f func(*account.Users) error) error {
	if !r.accounts.MayChange() {
		return errors.New("the accounts are in the file of -users, which somebody else manages")
	}
	err := account.Change(r.store, r.now(), f)
	if errors.Is(err, account.ErrLastAdmin) {
		return fmt.Errorf("%w; make another one first, or say -force", err)
	}
	return err
}

// A usersChange is a command for users that needs the store.
type usersChange func(r *usersRun, s *usersSettings, args []string) error

// A usersWay runs a change with the store of a directory.
type usersWay func(ctx context.Context, s *usersSettings, p cli.Process, run func(*usersRun) error) error

// usersCommands are the commands for the accounts.
var usersCommands = usersTable(usersAnywhere)

// usersTable returns the commands, with their numbers of arguments, and the way of those that
// change something.
func usersTable(way usersWay) cli.Table {
	changing := func(
		name, arguments, summary string,
		flags func(*usersSettings, *cli.FlagSet),
		least, most int,
		change usersChange,
	) cli.Command {
		run := func(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
			return way(ctx, s, p, func(r *usersRun) error { return change(r, s, args) })
		}
		return usersCommand(name, arguments, summary, flags, least, most, run)
	}
	return cli.Table{
		changing(
			"add",
			"LOGIN",
			"add an account and print its first token",
			(*usersSettings).addFlags,
			1,
			1,
			addUser,
		),
		usersCommand(
			"list",
			"",
			"print accounts and tokens",
			func(s *usersSettings, f *cli.FlagSet) { f.BoolVar(&s.json, "json", false, "as JSON") },
			0,
			0,
			listUsers,
		),
		changing(
			"disable",
			"LOGIN",
			"refuse all tokens of an account",
			(*usersSettings).forceFlag,
			1,
			1,
			reported(
				"%q is disabled: its tokens are refused until it is enabled",
				(*account.Users).Disable,
			),
		),
		changing(
			"enable",
			"LOGIN",
			"accept them again",
			func(*usersSettings, *cli.FlagSet) {},
			1,
			1,
			reported(
				"%q is enabled",
				func(u *account.Users, login string, _ bool) (account.Account, error) { return u.Enable(login) },
			),
		),
		changing(
			"remove",
			"LOGIN",
			"remove an account; its records stay",
			(*usersSettings).forceFlag,
			1,
			1,
			reported(
				"%q was removed; records of it stay, and no other account gets its id",
				(*account.Users).Remove,
			),
		),
		changing(
			"role",
			"LOGIN ROLE",
			"give an account another role",
			(*usersSettings).forceFlag,
			2,
			2,
			setRole,
		),
		changing(
			"link",
			"LOGIN",
			"print an address that signs in to the desk, once and within 15 minutes",
			func(s *usersSettings, f *cli.FlagSet) {
				f.BoolVar(
					&s.invite,
					"invite",
					false,
					"make an invitation: the address works for 7 days",
				)
				s.linkFlags(f)
			},
			1,
			1,
			linkUser,
		),
		changing(
			"feed",
			"LOGIN",
			"make a secret address of a feed and print it, or revoke one",
			(*usersSettings).feedFlags,
			1,
			1,
			changeFeed,
		),
		changing(
			"token",
			"LOGIN",
			"make another token and print it",
			(*usersSettings).tokenFlags,
			1,
			1,
			addToken,
		),
		changing(
			"revoke",
			"[LOGIN [NAME]]",
			"remove a token by its name, or end all ways in with -all",
			func(s *usersSettings, f *cli.FlagSet) {
				f.BoolVar(
					&s.all,
					"all",
					false,
					"end tokens, secret feeds, sign-ins and links of the account; without a LOGIN, of every account",
				)
			},
			0,
			2,
			revokeToken,
		),
	}
}

func (s *usersSettings) forceFlag(f *cli.FlagSet) {
	f.BoolVar(&s.force, "force", false, "do it even if no administrator is left")
}

func (s *usersSettings) addFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.role,
		"role",
		"",
		"`role`: administrator, editor, author, contributor or subscriber",
	)
	f.StringVar(&s.email, "email", "", "e-mail `address`, by which the account is known too")
	f.IntVar(
		&s.id,
		"id",
		0,
		"`number` of the account, higher than that of every account that ever was; without it the next one",
	)
	f.BoolVar(&s.noToken, "no-token", false, "make no token: for authors who send no requests")
	s.tokenFlags(f)
}

func (s *usersSettings) tokenFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.name,
		"name",
		"",
		"`name` of the token, to revoke it by; without it token-1, or the next that is free",
	)
	f.StringVar(
		&s.expires,
		"expires",
		"never",
		"`when` the token expires: 90d, 12h, or a date, as 2031-12-31, at the end of which it does in UTC",
	)
}

// usersCommand makes one of the commands. Flags may stand before and after arguments. Only the
// directory can be given by the environment, too.
func usersCommand(
	name, arguments, summary string,
	flags func(*usersSettings, *cli.FlagSet),
	least, most int,
	run func(context.Context, *usersSettings, []string, cli.Process) error,
) cli.Command {
	declared := func() (*cli.FlagSet, *usersSettings) {
		synopsis := strings.TrimSpace(
			"almanac users "+name+" [flags] "+arguments,
		) + ": " + summary + "."
		return cli.Declare("users "+name, synopsis, func(s *usersSettings, f *cli.FlagSet) {
			flags(s, f)
			f.NoVariables()
			f.StringVar(&s.data, "data", "almanac-data", "data `directory`")
		})
	}
	return cli.Command{
		Name:      name,
		Arguments: arguments,
		Summary:   summary,
		Run: func(ctx context.Context, args []string, p cli.Process) error {
			f, s := declared()
			rest, helped, err := f.Parse(args, p)
			if helped || err != nil {
				return err
			}
			if len(rest) < least || len(rest) > most {
				given := ""
				if len(rest) > 0 {
					given = fmt.Sprintf(", not %q", rest)
				}
				return cli.Usage(
					fmt.Errorf(
						"users %s takes %s%s (see almanac help users %s)",
						name,
						cmp.Or(arguments, "no argument"),
						given,
						name,
					),
				)
			}
			s.sent = append([]string{name}, args...)
			return run(ctx, s, rest, p)
		},
		Help: func(_ []string, p cli.Process) error {
			f, _ := declared()
			return f.Help(p.Stdout)
		},
	}
}

// users runs one of the commands.
func users(ctx context.Context, args []string, p cli.Process) error {
	if len(args) == 0 {
		return cli.Usage(
			fmt.Errorf(
				"users: say what to do: %s (see almanac help users)",
				usersCommands.Names(),
			),
		)
	}
	if cli.IsHelp(args[0]) {
		return usersHelp(args[1:], p)
	}
	c, err := usersCommands.Find("command users", args[0], "")
	if err != nil {
		return err
	}
	return c.Run(ctx, args[1:], p)
}

// usersHelp says what the commands do, or what one of them takes.
func usersHelp(args []string, p cli.Process) error {
	if len(args) > 0 {
		c, err := usersCommands.Find("command users", args[0], "")
		if err != nil {
			return err
		}
		return c.Help(nil, p)
	}
	var b strings.Builder
	b.WriteString(
		"almanac users COMMAND [flags]: the accounts of a server, which takes changes at once.\n\n",
	)
	for _, c := range usersCommands {
		fmt.Fprintf(&b, "    almanac users %-20s  %s\n", c.Name+" "+c.Arguments, c.Summary)
	}
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

// usersAnywhere has the server that has the directory open run a change, or this process.
func usersAnywhere(
	ctx context.Context,
	s *usersSettings,
	p cli.Process,
	_ func(*usersRun) error,
) error {
	var answer bytes.Buffer
	d := &directory{path: s.data, log: warnings(p)}
	err := d.do(ctx, "POST /users", url.Values{"argument": s.sent}, &answer)
	var printed usersPrinted
	if json.Unmarshal(answer.Bytes(), &printed) == nil {
		_, failed := io.WriteString(p.Stderr, printed.Stderr)
		_, failed2 := io.WriteString(p.Stdout, printed.Stdout)
		err = errors.Join(err, failed, failed2)
	}
	return err
}

// A usersPrinted is what a change prints.
type usersPrinted struct{ Stdout, Stderr string }

// users runs the change that arguments ask for, and writes what that prints, as JSON.
func (d *directory) users(
	ctx context.Context,
	asked url.Values,
	_ io.Reader,
	out io.Writer,
) error {
	arguments := asked["argument"]
	if len(arguments) == 0 {
		return cli.Usage(errors.New("users: there is no argument"))
	}
	way := func(_ context.Context, _ *usersSettings, p cli.Process, run func(*usersRun) error) error {
		here := &usersRun{
			store:    d.store,
			accounts: d.accounts,
			now:      d.now,
			site:     cmp.Or(d.site, "http://127.0.0.1:8080"),
			stdout:   p.Stdout,
			stderr:   p.Stderr,
		}
		if d.store != nil {
			return run(here)
		}
		return d.opened(arguments[0] == "add", here, run)
	}
	c, err := usersTable(way).Find("command users", arguments[0], "")
	if err != nil {
		return err
	}
	var stdout, stderr strings.Builder
	err = c.Run(ctx, arguments[1:], cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: &stdout,
		Stderr: &stderr,
	})
	printed := usersPrinted{stdout.String(), stderr.String()}
	return errors.Join(err, json.NewEncoder(out).Encode(printed))
}

// opened runs a change with the store of a directory that no server has open. The command add
// makes one that a server was never started with.
func (d *directory) opened(isNew bool, here *usersRun, run func(*usersRun) error) (err error) {
	if isNew {
		if err = store.CheckDir(d.path); err != nil {
			err = cli.Usage(fmt.Errorf("-data: %w", err))
		}
	} else {
		err = checkData(d.path)
	}
	if err != nil {
		return err
	}
	here.now = caltime.System().Now
	// No file is made or removed if there is a log: a server of another user can go on with all.
	here.store, err = store.Open(store.Options{
		Dir:      d.path,
		Now:      here.now,
		Logger:   d.log,
		Segment:  math.MaxInt64,
		Snapshot: -1,
	})
	if err != nil {
		return err
	}
	here.accounts = account.Of(here.store, here.now, d.log)
	if err = account.Take(here.store, d.path, d.log); err == nil {
		err = run(here)
	}
	return errors.Join(err, here.store.Close())
}

// expiry reads -expires; zero is never.
func (s *usersSettings) expiry(now time.Time) (time.Time, error) {
	if s.expires == "" || s.expires == "never" {
		return time.Time{}, nil
	}
	if ahead, err := cli.ParseKeep(s.expires); err == nil && ahead > 0 {
		return now.Add(ahead), nil
	}
	if date, err := time.Parse(time.DateOnly, s.expires); err == nil {
		return date.AddDate(0, 0, 1), nil
	}
	if at, err := time.Parse(time.RFC3339, s.expires); err == nil {
		return at, nil
	}
	return time.Time{},
		cli.Usage(
			fmt.Errorf(
				"-expires %q: must be a number of days or hours, as 90d or 12h, or a date, as 2031-12-31, or never",
				s.expires,
			),
		)
}

// addUser adds an account, with a token if -no-token is not given.
func addUser(r *usersRun, s *usersSettings, args []string) error {
	if s.role == "" {
		return cli.Usage(errors.New(
			"-role: say which role the account has: administrator, editor, author, contributor " +
				"or subscriber",
		))
	}
	role, err := account.ParseRole(s.role)
	if err != nil {
		return cli.Usage(fmt.Errorf("-role: %w", err))
	}
	if s.id < 0 {
		return cli.Usage(fmt.Errorf("-id %d: must be 1 or more", s.id))
	}
	expires, err := s.expiry(r.now())
	if err != nil {
		return err
	}
	var a account.Account
	var token, name string
	err = r.change(func(u *account.Users) (err error) {
		a, err = u.Add(account.Account{
			ID:    int64(s.id),
			Login: args[0],
			Role:  role,
			Email: s.email,
		})
		if err == nil && !s.noToken {
			token, name, err = u.AddToken(a.Login, s.name, expires)
		}
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(r.stderr, "%q was added, with id %d as %s\n", a.Login, a.ID, a.Role)
	if s.noToken {
		return nil
	}
	return r.showToken(token, name, a.Login, expires)
}

// setRole changes the role of an account.
func setRole(r *usersRun, s *usersSettings, args []string) error {
	role, err := account.ParseRole(args[1])
	if err != nil {
		return cli.Usage(err)
	}
	set := func(u *account.Users, login string, force bool) (account.Account, error) {
		return u.SetRole(login, role, force)
	}
	report := "%q is " + string(role) + " from now on, with the tokens that it has"
	return reported(report, set)(r, s, args)
}

// addToken makes a token for an account.
func addToken(r *usersRun, s *usersSettings, args []string) error {
	expires, err := s.expiry(r.now())
	if err != nil {
		return err
	}
	var token, name string
	err = r.change(func(u *account.Users) (err error) {
		token, name, err = u.AddToken(args[0], s.name, expires)
		return err
	})
	if err == nil {
		err = r.showToken(token, name, args[0], expires)
	}
	return err
}

// showToken prints a token, alone on stdout, so that a script can take it.
func (r *usersRun) showToken(token, name, login string, expires time.Time) error {
	until := "does not expire"
	if !expires.IsZero() {
		until = "expires at " + expires.UTC().Format(time.RFC3339)
	}
	fmt.Fprintf(r.stderr, "token %q of %q, which %s; it is shown this once:\n", name, login, until)
	_, err := fmt.Fprintln(r.stdout, token)
	return err
}

// reported returns a command that makes a change, which -force may need, and reports the account.
func reported(
	report string,
	change func(u *account.Users, login string, force bool) (account.Account, error),
) usersChange {
	return func(r *usersRun, s *usersSettings, args []string) error {
		var a account.Account
		err := r.change(func(u *account.Users) (err error) {
			a, err = change(u, args[0], s.force)
			return err
		})
		if err == nil {
			_, err = fmt.Fprintf(r.stdout, report+"\n", a.Login)
		}
		return err
	}
}

// revokeToken removes a token of an account, or ends all ways into it or into every account.
func revokeToken(r *usersRun, s *usersSettings, args []string) error {
	switch {
	case s.all && len(args) < 2:
		return r.revokeAll(strings.Join(args, ""))
	case s.all || len(args) < 2:
		return cli.Usage(errors.New(
			"users revoke: give a login and the name of a token, or -all"))
	}
	var n int
	err := r.change(func(u *account.Users) (err error) {
		n, err = u.Revoke(args[0], args[1])
		return err
	})
	if err == nil {
		_, err = fmt.Fprintf(
			r.stdout,
			"%s of %q revoked\n",
			counted(n, "token", "tokens"),
			args[0],
		)
	}
	return err
}

// revokeAll ends all ways into an account, or with login "" into every account, and prints their
// numbers.
func (r *usersRun) revokeAll(login string) error {
	var of account.Account
	var n account.Ended
	err := r.change(func(u *account.Users) (err error) {
		of, n, err = u.RevokeAll(login, "")
		return err
	})
	if err != nil {
		return err
	}
	whose := "all accounts"
	if login != "" {
		whose = strconv.Quote(of.Login)
	}
	_, err = fmt.Fprintf(r.stdout, "%s, %s, %s and %s of %s ended\n",
		counted(n.Tokens, "token", "tokens"), counted(n.Feeds, "feed", "feeds"),
		counted(n.SignIns, "sign-in", "sign-ins"), counted(n.Links, "link", "links"), whose)
	return err
}
