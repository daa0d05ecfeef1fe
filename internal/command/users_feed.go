// The command users feed: secret addresses of feeds.

package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"almanac/internal/account"
	"almanac/internal/caltime"
	"almanac/internal/cli"
	"almanac/internal/secretfeed"
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
func changeFeed(ctx context.Context, s *usersSettings, args []string, p cli.Process) error {
	if s.revoke {
		return s.revokeFeed(ctx, args[0], p)
	}
	site, err := url.Parse(s.url)
	if err != nil || !isSite(site) {
		return cli.Usage(
			fmt.Errorf("-url %q: must be an address such as https://calendar.example.org", s.url),
		)
	}
	now := caltime.System().Now()
	expires, err := s.expiry(now)
	if err != nil {
		return err
	}
	var secret, name string
	err = s.change(ctx, p, func(u *account.Users) error {
		a, err := u.Account(args[0])
		if err != nil {
			return err
		}
		filter, err := secretfeed.CheckFilter(a, s.filter, now)
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
		p.Stderr,
		"feed %q of %q: whoever has this address reads it%s. It is shown this once; the other formats end in .rss, "+
			".atom, .feed.json and .csv:\n",
		name,
		args[0],
		until,
	)
	_, err = fmt.Fprintln(p.Stdout, secretfeed.Address(site.String(), secret))
	return err
}

func (s *usersSettings) revokeFeed(ctx context.Context, login string, p cli.Process) error {
	if s.name == "" {
		return cli.Usage(errors.New("users feed -revoke: give the name of the feed with -name"))
	}
	err := s.change(ctx, p, func(u *account.Users) error { return u.RevokeFeed(login, s.name) })
	if err == nil {
		_, err = fmt.Fprintf(p.Stdout, "feed %q of %q is revoked\n", s.name, login)
	}
	return err
}
