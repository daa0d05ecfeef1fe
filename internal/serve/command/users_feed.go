// The command users feed: secret addresses of feeds.

package command

import (
	"errors"
	"fmt"

	"almanac/internal/cli"
	"almanac/internal/people/account"
	"almanac/internal/site"
)

func (s *usersSettings) feedFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.name,
		"name",
		"",
		"`name` of the feed, to revoke it by; without it feed-1, or the next that is free",
	)
	f.StringVar(
		&s.filter,
		"filter",
		"",
		"`query` of the list of events, as categories=choir&months=12; without it everything that the account sees",
	)
	f.StringVar(
		&s.expires,
		"expires",
		"never",
		"`when` the feed expires: 90d, 12h, or a date, as 2031-12-31, at the end of which it does in UTC",
	)
	f.BoolVar(&s.revoke, "revoke", false, "revoke the feed with the name")
	s.linkFlags(f)
}

// changeFeed makes a feed and prints its address, alone on stdout, or revokes one.
func changeFeed(r *usersRun, s *usersSettings, args []string) error {
	if s.revoke {
		return r.revokeFeed(args[0], s.name)
	}
	origin, err := r.address(s)
	if err != nil {
		return err
	}
	now := r.now()
	expires, err := s.expiry(now)
	if err != nil {
		return err
	}
	var secret, name string
	err = r.change(func(u *account.Users) error {
		a, err := u.Account(args[0])
		if err != nil {
			return err
		}
		filter, err := site.CheckSecretFilter(a, s.filter, now)
		if err != nil {
			return cli.Usage(fmt.Errorf("-filter: %w", err))
		}
		secret, name, err = u.AddFeed(a.Login, s.name, filter, expires)
		return err
	})
	if err != nil {
		return err
	}
	until := ""
	if !expires.IsZero() {
		until = ", until " + expires.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	fmt.Fprintf(
		r.stderr,
		"feed %q of %q: whoever has this address reads it%s. It is shown this once; the other formats end in .rss, "+
			".atom, .feed.json and .csv:\n",
		name,
		args[0],
		until,
	)
	_, err = fmt.Fprintln(r.stdout, site.SecretAddress(origin, secret))
	return err
}

func (r *usersRun) revokeFeed(login, name string) error {
	if name == "" {
		return cli.Usage(errors.New("users feed -revoke: give the name of the feed with -name"))
	}
	err := r.change(func(u *account.Users) error { return u.RevokeFeed(login, name) })
	if err == nil {
		_, err = fmt.Fprintf(r.stdout, "feed %q of %q is revoked\n", name, login)
	}
	return err
}
