// The command users: the accounts and their tokens, while a server runs or not.

package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/cli"
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
	data, users, role, email, name, expires, url, filter string

	id                                        int
	noToken, force, all, json, revoke, invite bool
	elsewhere                                 bool // -users was given without -data: nothing says which log it belongs to
}

// usersCommands are the commands for the accounts, with their numbers of arguments.
var usersCommands = cli.Table{
	usersCommand(
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
	usersCommand(
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
	usersCommand(
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
	usersCommand(
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
	usersCommand(
		"role",
		"LOGIN ROLE",
		"give an account another role",
		(*usersSettings).forceFlag,
		2,
		2,
		setRole,
	),
	usersCommand(
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
	usersCommand(
		"feed",
		"LOGIN",
		"make a secret address of a feed and print it, or revoke one",
		(*usersSettings).feedFlags,
		1,
		1,
		changeFeed,
	),
	usersCommand(
		"token",
		"LOGIN",
		"make another token and print it",
		(*usersSettings).tokenFlags,
		1,
		1,
		addToken,
	),
	usersCommand(
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

// usersCommand makes one of the commands. Flags may stand before and after arguments. Only where
// the accounts are can be given by the environment, too.
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
			f.StringVar(
				&s.users,
				"users",
				"",
				"`file` of the accounts; without it users.json in the data directory",
			)
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
			data := false
			f.Visit(func(fl *flag.Flag) { data = data || fl.Name == "data" })
			s.elsewhere = s.users != "" && !data
			makes := name == "add" &&
				s.users == "" // the data directory of a server that was never started
			if dir := filepath.Dir(s.file()); !makes && !isDirectory(dir) {
				return cli.Usage(
					fmt.Errorf(
						"there is no directory %q; give the data directory of a server with -data, or its file of "+
							"accounts with -users",
						dir,
					),
				)
			}
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

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// accountsFile returns the file of the accounts of a data directory, if it is no other.
func accountsFile(data, users string) string {
	return cmp.Or(users, filepath.Join(data, account.FileName))
}

func (s *usersSettings) file() string { return accountsFile(s.data, s.users) }

// change changes the file, and writes into the log what was changed.
func (s *usersSettings) change(
	ctx context.Context,
	p cli.Process,
	f func(*account.Users) error,
) error {
	now := caltime.System().Now()
	err := account.Change(ctx, s.file(), now, s.noted(ctx, p, now, f))
	if errors.Is(err, account.ErrLastAdmin) {
		return fmt.Errorf("%w; make another one first, or say -force", err)
	}
	return err
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

func addUser(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
	role, err := account.ParseRole(s.role)
	if s.role == "" {
		err = errors.New("say which role the account has")
	}
	if err != nil {
		return cli.Usage(
			fmt.Errorf(
				"-role: %w (administrator, editor, author, contributor or subscriber)",
				err,
			),
		)
	}
	if s.id < 0 {
		return cli.Usage(fmt.Errorf("-id %d: must be 1 or more", s.id))
	}
	expires, err := s.expiry(caltime.System().Now())
	if err != nil {
		return err
	}
	if s.users == "" {
		if err := store.CheckDir(s.data); err != nil {
			return cli.Usage(fmt.Errorf("-data: %w", err))
		}
		if err := os.MkdirAll(s.data, 0o700); err != nil {
			return cli.Usage(fmt.Errorf("-data: %w; give a directory that can be written to", err))
		}
	}
	// Whatever the file says: it may be new, or an older one.
	used, err := store.LastAccount(ctx, s.data)
	if err != nil && s.id == 0 {
		return fmt.Errorf(
			"it cannot be read which ids accounts have had: %w, or give an id with -id that is surely higher than all of them",
			err,
		)
	}
	var a account.Account
	var token, name string
	err = s.change(ctx, p, func(u *account.Users) (err error) {
		u.Reserve(used)
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
	fmt.Fprintf(p.Stderr, "%q was added, with id %d as %s\n", a.Login, a.ID, a.Role)
	if s.noToken {
		return nil
	}
	return showToken(p, token, name, a.Login, expires)
}

// setRole changes the role of an account.
func setRole(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
	role, err := account.ParseRole(args[1])
	if err != nil {
		return cli.Usage(err)
	}
	set := func(u *account.Users, login string, force bool) (account.Account, error) {
		return u.SetRole(login, role, force)
	}
	return reported(
		"%q is "+string(role)+" from now on, with the tokens that it has",
		set,
	)(
		ctx,
		s,
		args,
		p,
	)
}

func addToken(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
	expires, err := s.expiry(caltime.System().Now())
	if err != nil {
		return err
	}
	var token, name string
	err = s.change(ctx, p, func(u *account.Users) (err error) {
		token, name, err = u.AddToken(args[0], s.name, expires)
		return err
	})
	if err == nil {
		err = showToken(p, token, name, args[0], expires)
	}
	return err
}

// showToken prints a token, alone on stdout, so that a script can take it.
func showToken(p cli.Process, token, name, login string, expires time.Time) error {
	until := "does not expire"
	if !expires.IsZero() {
		until = "expires at " + expires.UTC().Format(time.RFC3339)
	}
	fmt.Fprintf(p.Stderr, "token %q of %q, which %s; it is shown this once:\n", name, login, until)
	_, err := fmt.Fprintln(p.Stdout, token)
	return err
}

// reported returns a command that makes a change, which -force may need, and says what happened to
// whom.
func reported(
	said string,
	change func(u *account.Users, login string, force bool) (account.Account, error),
) func(context.Context,
	*usersSettings, []string, cli.Process) error {
	return func(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
		var a account.Account
		err := s.change(ctx, p, func(u *account.Users) (err error) {
			a, err = change(u, args[0], s.force)
			return err
		})
		if err == nil {
			_, err = fmt.Fprintf(p.Stdout, said+"\n", a.Login)
		}
		return err
	}
}

func revokeToken(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
	switch {
	case s.all && len(args) < 2:
		return s.revokeAll(ctx, strings.Join(args, ""), p)
	case s.all || len(args) < 2:
		return cli.Usage(errors.New(
			"users revoke: give a login and the name of a token, or -all"))
	}
	var n int
	err := s.change(ctx, p, func(u *account.Users) (err error) {
		n, err = u.Revoke(args[0], args[1])
		return err
	})
	if err == nil {
		_, err = fmt.Fprintf(
			p.Stdout,
			"%s of %q revoked\n",
			counted(n, "token", "tokens"),
			args[0],
		)
	}
	return err
}

// revokeAll ends all ways into an account, or with login "" into every account, and says what they
// were.
func (s *usersSettings) revokeAll(ctx context.Context, login string, p cli.Process) error {
	if s.elsewhere {
		return cli.Usage(errors.New(
			"users revoke -all: give -data, too: sign-ins are in the data directory"))
	}
	var of account.Account
	var tokens, feeds int
	err := s.change(ctx, p, func(u *account.Users) (err error) {
		of, tokens, feeds, err = u.RevokeAll(login)
		return err
	})
	if err != nil {
		return err
	}
	sessions, err := s.sessions(p)
	if err != nil {
		return err
	}
	signIns, links, err := sessions.EndAll(of.ID, "") // the id 0 is every account
	if err != nil {
		return err
	}
	whose := "all accounts"
	if login != "" {
		whose = strconv.Quote(of.Login)
	}
	_, err = fmt.Fprintf(p.Stdout, "%s, %s, %s and %s of %s ended\n",
		counted(tokens, "token", "tokens"), counted(feeds, "feed", "feeds"),
		counted(signIns, "sign-in", "sign-ins"), counted(links, "link", "links"), whose)
	return err
}
