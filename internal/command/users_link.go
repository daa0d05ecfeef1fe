// The command users link: an address that signs in to the desk once.

package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/account"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/cli"
)

const sessionsName = "sessions.json" // in the data directory: the sessions of the desk

func (s *usersSettings) linkFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.url,
		"url",
		"http://127.0.0.1:8080",
		"public `address` of the site, as in serve",
	)
}

// linkUser prints the address of a link, alone on stdout.
func linkUser(_ context.Context, s *usersSettings, args []string, p cli.Process) error {
	site, err := url.Parse(s.url)
	if err != nil || !isSite(site) {
		return cli.Usage(
			fmt.Errorf("-url %q: must be an address such as https://calendar.example.org", s.url),
		)
	}
	if s.elsewhere {
		return cli.Usage(
			errors.New("users link: give -data, too: links are in the data directory"),
		)
	}
	users, err := account.Read(s.file(), caltime.System().Now())
	if err != nil {
		return err
	}
	a, err := users.Account(args[0])
	if err != nil {
		return err
	}
	sessions, err := s.sessions(p)
	if err != nil {
		return err
	}
	secret, expires, err := sessions.AddLink(a, s.invite)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		p.Stderr,
		"whoever opens this address before %s signs in to the desk as %q, once:\n",
		expires.Format(time.RFC3339),
		a.Login,
	)
	_, err = fmt.Fprintln(p.Stdout, linkOf(site.String(), secret))
	return err
}

// sessions opens the sessions of the data directory.
func (s *usersSettings) sessions(p cli.Process) (*account.Sessions, error) {
	path := filepath.Join(s.data, sessionsName)
	return account.OpenSessions(path, caltime.System().Now, warnings(p))
}

// linkOf returns the address of a link.
func linkOf(site, secret string) string {
	return strings.TrimSuffix(site, "/") + api.DeskPath + "link?token=" + secret
}

// endSessions ends the sessions of accounts that a command changed.
func (s *usersSettings) endSessions(p cli.Process, after account.Roll) error {
	if s.elsewhere {
		return nil // the server ends them
	}
	sessions, err := s.sessions(p)
	if err != nil {
		return err
	}
	return sessions.EndChanged(after)
}
