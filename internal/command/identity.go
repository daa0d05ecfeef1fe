// The identity of a calendar: the command that changes it, and its creation at the first start.

package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"

	"almanac/internal/caltime"
	"almanac/internal/cli"
	"almanac/store"
)

// Identity prints the identity of a calendar, or gives it another one.
var Identity = cli.New(
	"identity",
	"",
	"print or change the host that global ids and UIDs begin with",
	"almanac identity [flags]: print the host that the global ids and UIDs of the calendar begin with, or "+
		"change it while no server runs.",
	(*identitySettings).flags,
	identity,
)

// identitySettings are the flags of identity.
type identitySettings struct{ data, set string }

func (s *identitySettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`")
	f.StringVar(&s.set, "set", "", "new identity, a `host` without a port: subscribers see all events anew").
		NoVariable()

	// nobody changes it by the way
}

// identityForm is that of a host without a port, perhaps with a path.
var identityForm = regexp.MustCompile(
	`^(\w([\w.-]{0,253}\w)?|\[[0-9A-Fa-f:.]{2,45}\])(/[\w.~/-]{0,253}[\w~-])?$`,
)

// identity prints or changes the identity.
func identity(_ context.Context, s *identitySettings, _ []string, p cli.Process) error {
	if err := checkData(s.data); err != nil {
		return err
	}
	if s.set == "" {
		st, err := store.Peek(store.Options{Dir: s.data, Logger: warnings(p)})
		if err != nil {
			return err
		}
		if st.Identity() == "" {
			err = errors.New(
				"the calendar has no identity yet: the first start of almanac serve gives it one, or almanac identity -set",
			)
		} else {
			_, err = fmt.Fprintln(p.Stdout, st.Identity())
		}
		return errors.Join(err, st.Close())
	}
	if !identityForm.MatchString(s.set) {
		return cli.Usage(
			fmt.Errorf(
				"-set %q: must be a host without a scheme and a port, such as calendar.example.org",
				s.set,
			),
		)
	}
	log, err := store.OpenAccountLog(s.data, caltime.System().Now, warnings(p))
	if err != nil {
		return err // as when a server runs, which it names
	}
	before, err := log.SetIdentity(s.set)
	if err == nil {
		fmt.Fprintf(
			p.Stderr,
			"the identity is %s; it was %q. The global ids and UIDs of all records that were made here begin with it from now "+
				"on: subscribers see these events anew, and an import of an older export makes them once more.\n",
			s.set,
			before,
		)
	}
	return errors.Join(err, log.Close())
}

// firstIdentity returns a function that decides the identity of a calendar that has none: the
// address of the site, else a random name in the domain that leads nowhere (RFC 2606).
func firstIdentity(site *url.URL, log *slog.Logger) func() string {
	return func() string {
		name := strings.ToLower(rand.Text()) + ".invalid"
		from := "a random name, as there is no -url"
		if site != nil {
			name = strings.TrimSuffix(
				strings.TrimSuffix(site.Host, ":"+site.Port())+site.EscapedPath(),
				"/",
			)
			from = "-url"
		}
		log.Info(
			"the calendar gets its identity, which it keeps: global ids and UIDs begin with it",
			"identity",
			name,
			"from",
			from,
		)
		return name
	}
}
