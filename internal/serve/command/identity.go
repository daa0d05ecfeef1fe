// The identity of a calendar: the command that changes it, and its creation at the first start.

package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path"
	"regexp"
	"strings"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// Identity prints the identity of a calendar, or gives it another one.
var Identity = cli.New(
	"identity",
	"",
	"print or change the host that global ids and UIDs begin with",
	"almanac identity [flags]: print the host that the global ids and UIDs of the calendar begin with, or "+
		"change it. A server may run.",
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

// identityForm is that of a host without a port, perhaps with a path. It is compiled when
// it is needed: few starts do.
const identityForm = `^(\w([\w.-]*\w)?|\[[0-9A-Fa-f:.]{2,45}\])(/[\w.~/-]*[\w~-])?$`

// isIdentity reports whether a text is an identity. Its path, as that of an address, leads neither
// up nor through empty names.
func isIdentity(text string) bool {
	host, below, _ := strings.Cut(text, "/")
	return len(host) < 256 && len(below) < 255 && path.Clean(text) == text &&
		regexp.MustCompile(identityForm).MatchString(text)
}

// identity prints or changes the identity.
func identity(ctx context.Context, s *identitySettings, _ []string, p cli.Process) error {
	if err := checkData(s.data); err != nil {
		return err
	}
	d := &directory{path: s.data, log: warnings(p)}
	if s.set == "" {
		return d.do(ctx, "GET /identity", nil, p.Stdout)
	}
	if !isIdentity(s.set) {
		return cli.Usage(
			fmt.Errorf(
				"-set %q: must be a host without a scheme and a port, such as calendar.example.org, "+
					"or with a path calendar.example.org/choir",
				s.set,
			),
		)
	}
	var before strings.Builder
	err := d.do(ctx, "PUT /identity", url.Values{"set": {s.set}}, &before)
	if err == nil {
		fmt.Fprintf(
			p.Stderr,
			"the identity is %s; it was %q. The global ids and UIDs of all records that were made here begin with it from now "+
				"on: subscribers see these events anew, and an import of an older export makes them once more.\n",
			s.set,
			before.String(),
		)
	}
	return err
}

// identity writes the identity.
func (d *directory) identity(
	_ context.Context,
	_ url.Values,
	_ io.Reader,
	out io.Writer,
) (err error) {
	st := d.store
	if st == nil {
		if st, err = store.Peek(store.Options{Dir: d.path, Logger: d.log}); err != nil {
			return err
		}
		defer st.Close()
	}
	if st.Identity() == "" {
		return errors.New(
			"the calendar has no identity yet: the first start of almanac serve gives it one, or almanac identity -set",
		)
	}
	_, err = fmt.Fprintln(out, st.Identity())
	return err
}

// setIdentity changes the identity, and writes the former one.
func (d *directory) setIdentity(
	_ context.Context,
	asked url.Values,
	_ io.Reader,
	out io.Writer,
) (err error) {
	if d.readOnly {
		return errors.New("the server was started with -read-only: stop it, or start it without")
	}
	st := d.store
	if st == nil {
		st, err = store.OpenAccountLog(d.path, caltime.System().Now, d.log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
	}
	before, err := st.SetIdentity(asked.Get("set"))
	if err == nil {
		_, err = io.WriteString(out, before)
	}
	return err
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
