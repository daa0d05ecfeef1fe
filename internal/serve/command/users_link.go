// The command users link: an address that signs in to the desk once.

package command

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/people/account"
)

func (s *usersSettings) linkFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.url,
		"url",
		"",
		"public `address` of the site, as in serve; without it that of the server that has the "+
			"directory open, else http://127.0.0.1:8080",
	)
}

// address returns the address of the site: that of -url, or of the server.
func (r *usersRun) address(s *usersSettings) (string, error) {
	if s.url == "" {
		return r.site, nil
	}
	site, err := url.Parse(s.url)
	if err != nil || !isSite(site) {
		return "", cli.Usage(
			fmt.Errorf("-url %q: must be an address such as https://calendar.example.org", s.url),
		)
	}
	return site.String(), nil
}

// linkUser prints the address of a link, alone on stdout.
func linkUser(r *usersRun, s *usersSettings, args []string) error {
	site, err := r.address(s)
	if err != nil {
		return err
	}
	a, ok := r.accounts.Named(args[0])
	if !ok {
		return fmt.Errorf("%w: %q, or it is disabled", account.ErrNoUser, args[0])
	}
	secret, expires, err := account.NewSessions(r.store, r.now).AddLink(0, a, s.invite)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		r.stderr,
		"whoever opens this address before %s signs in to the desk as %q, once:\n",
		expires.Format(time.RFC3339),
		a.Login,
	)
	_, err = fmt.Fprintln(r.stdout, linkOf(site, secret))
	return err
}

// linkOf returns the address of a link.
func linkOf(site, secret string) string {
	return strings.TrimSuffix(site, "/") + api.DeskPath + "link?token=" + secret
}
