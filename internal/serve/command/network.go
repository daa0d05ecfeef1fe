// How serve faces the network: TLS, proxies, and limits of connections and clients.

package command

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/cli"
)

// networkFlags adds the flags of this file.
func (s *settings) networkFlags(f *cli.FlagSet) {
	f.StringVar(
		&s.cert,
		"tls-cert",
		"",
		"PEM `file` with the certificate of the server and the chain up to its root: speak TLS; read again when it changes",
	)
	f.StringVar(&s.key, "tls-key", "", "PEM `file` with the key of the certificate")
	f.StringVar(
		&s.proxies,
		"trusted-proxies",
		"",
		"comma-separated `networks`, as 10.0.0.0/8, whose X-Forwarded-For, -Proto and -Host, or Forwarded, are believed",
	).
		Weakens(s.wideProxies)
	f.StringVar(&s.server.DeskUser, "desk-user-header", "",
		"`name` of a header field in which -trusted-proxies name the account that is signed in to the desk, as X-Remote-User").
		Weak("", "whoever a trusted proxy names is signed in to the desk: the proxy must remove this field from the requests of clients")
	f.DurationVar(&s.http.Read, "read-timeout", time.Minute, "`time` that a client may take to send a request; 10s of it for the header").
		Weak("0s", "a client may take for ever to send a request")
	f.DurationVar(&s.http.Write, "write-timeout", time.Minute,
		"`time` that a client may take to receive an answer, from the header of its request on").
		Weak("0s", "a client may take for ever to receive an answer")
	f.DurationVar(&s.http.Idle, "idle-timeout", 2*time.Minute, "`time` that a connection stays open without a request").
		Weak("0s", "connections without requests stay open for ever")
	f.IntVar(
		&s.http.Connections,
		"max-connections",
		2000,
		"`number` of connections open at a time; one more closes a connection that waits for its client; 0 is no limit",
	).
		Weak("0", lifted)
	f.BoolVar(&s.http.NoLimits, "no-limits", false, "refuse no client for asking too much: for tests").
		Weak("true", "no client is refused for asking too much")
	const allRights = "an attacker who takes the process over has all rights of its user"
	f.StringVar(
		&s.sandbox,
		"sandbox",
		"auto",
		"`how` the process gives up rights to files, connections and other processes: auto, as far as it can; "+
			"require, or it does not start; off",
	).
		Weak("off", allRights)
	f.BoolVar(&s.noSandbox, "no-sandbox", false, "the same as -sandbox=off").
		Weak("true", allRights)
}

// Units of flags, as shifts.
const kilo, mega = 10, 20

// limitFlags adds the flags that say how much clients may ask for. A 0 is no limit, and so is the
// zero Rate.
func (s *settings) limitFlags(f *cli.FlagSet) {
	l := &s.limits
	*l = admission.Default()
	countVar(
		s,
		f,
		&l.Body,
		"max-body-kb",
		kilo,
		"`kilobytes` of the body of a request (413); 0 is no limit, as for the others",
	)
	countVar(
		s,
		f,
		&l.BodyBytes,
		"max-bodies-mb",
		mega,
		"`megabytes` of the bodies of all requests in memory, half for one account, an eighth for all without one (503)",
	)
	countVar(s, f, &l.Depth, "max-depth", 0, "how `deep` lists and objects may nest in JSON (400)")
	countVar(s, f, &l.Query, "max-query-kb", kilo, "`kilobytes` of a query (414)")
	countVar(s, f, &l.Items, "max-items", 0, "`items` of a list in one parameter (400)")
	countVar(s, f, &l.Requests, "max-requests", 0, "`requests` worked on at the same time (503)")
	countVar(
		s,
		f,
		&l.Answer,
		"max-answer-mb",
		mega,
		"`megabytes` of the records of a page; a larger page gets fewer records",
	)
	countVar(
		s,
		f,
		&l.Search,
		"max-search-mb",
		mega,
		"`megabytes` of text that one search may read (400)",
	)
	countVar(
		s,
		f,
		&l.Log,
		"max-log-mb",
		mega,
		"`megabytes` of records that an account below editor may write in an hour (429)",
	)
	countVar(
		s,
		f,
		&l.Names,
		"max-names",
		0,
		"new `names` of categories, tags, venues and organizers of an account below editor in an hour (429)",
	)
	countVar(
		s,
		f,
		&l.Free,
		"min-free-mb",
		mega,
		"`megabytes` of free disk space below which only editors and administrators write (503)",
	)
	countVar(s, f, &l.Picture, "max-picture-mb", mega, "`megabytes` of an uploaded picture (413)")
	countVar(
		s,
		f,
		&l.Pixels,
		"max-picture-pixels",
		0,
		"`pixels` of an uploaded JPEG, and two thirds of it of other pictures (413)",
	)
	countVar(
		s,
		f,
		&l.PictureQuota,
		"picture-quota-mb",
		mega,
		"`megabytes` of the pictures of an account below editor (507)",
	)
	countVar(s, f, &l.Pictures, "pictures-mb", mega, "`megabytes` of all pictures (507)")
	f.RateVar(
		&l.Rate,
		"rate",
		l.Rate,
		"requests of one address, as a `rate` such as 50/s, or off (429)",
	)
	f.RateVar(&l.Logins, "wrong-logins", l.Logins, "failed logins of one address, as a `rate` such as 100/m, or off (429)").
		Weak("off", "tokens may be guessed without end")
	f.RateVar(
		&l.Passwords,
		"wrong-passwords",
		l.Passwords,
		"wrong passwords of events of one address or account, as a `rate` such as 10/m, or off (429)",
	).
		Weak("off", "passwords of events may be guessed without end")
}

// lifted is the weakness of a limit that is 0.
const lifted = "this limit is lifted for everybody"

// countVar adds a flag for a limit that has a default, in units of 1<<shift. A check sets the
// limit.
func countVar[T int | int64](
	s *settings,
	f *cli.FlagSet,
	limit *T,
	name string,
	shift int,
	usage string,
) {
	n := new(int)
	f.IntVar(n, name, int(*limit>>shift), usage).Weak("0", lifted)
	s.checks = append(s.checks, func() error {
		const most = 1 << 30
		if *n < 0 || *n > most {
			return fmt.Errorf("-%s %d: must be from 0, which is no limit, to %d", name, *n, most)
		}
		*limit = T(*n) << shift
		return nil
	})
}

// warnOfRoom says when -min-free-mb has no effect, and when it has it from the
// start.
func (s *settings) warnOfRoom(o api.Options) {
	if s.memory || s.http.NoLimits || s.limits.Free == 0 {
		return
	}
	switch free, err := o.Store.Free(); {
	case err != nil:
		o.Logger.Warn(
			"free space of the disk is not known: -min-free-mb has no effect",
			"err",
			err,
		)
	case free < o.Limits.Free:
		o.Logger.Warn(
			"the disk is nearly full: only editors and administrators may write, see -min-free-mb",
			"free",
			free,
		)
	}
}

// checkDeskUser checks -desk-user-header.
func (s *settings) checkDeskUser() error {
	name := s.server.DeskUser
	switch {
	case name == "":
		return nil
	case !headerForm.MatchString(name):
		return fmt.Errorf(
			"-desk-user-header %q: must be the name of a header field, such as X-Remote-User",
			name,
		)
	case strings.TrimSpace(s.proxies) == "" || !s.desk:
		return fmt.Errorf(
			"-desk-user-header %s: give -desk and -trusted-proxies too, as only these proxies are believed",
			name,
		)
	}
	return nil
}

// headerForm is that of the names of header fields of proxies.
var headerForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)+$`)

// trusted returns the networks of the proxies.
func (s *settings) trusted() ([]netip.Prefix, error) {
	var all []netip.Prefix
	for text := range strings.SplitSeq(s.proxies, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var a netip.Addr
			if a, err = netip.ParseAddr(text); err == nil {
				p = netip.PrefixFrom(a, a.BitLen())
			}
		}
		if err != nil || p.Addr().Is4In6() || p.Addr().Zone() != "" {
			return nil, fmt.Errorf(
				"-trusted-proxies: %q must be a network such as 10.0.0.0/8 or fd00::/8, or an address",
				text,
			)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// isReadable reports whether what callers send to an address can be read on its way.
func (s *settings) isReadable(loopback bool) bool {
	return !loopback && s.cert == "" && s.proxies == ""
}

// warn says when links may lead elsewhere, and when texts that callers send can be read on their
// way.
func (s *settings) warn(at net.Addr, log *slog.Logger) {
	if s.proxies != "" && s.home == "" {
		log.Warn(
			"links have the host that clients ask for, whatever it is: there are -trusted-proxies, and no -url",
			"help",
			"give -url, the public address of the site",
		)
	}
	if tcp, ok := at.(*net.TCPAddr); !ok || !s.isReadable(tcp.IP.IsLoopback()) {
		return
	}
	log.Warn(
		"tokens and passwords can be read on their way here: this is no loopback address, and there is no TLS",
		"address",
		at.String(),
		"help",
		"give -tls-cert and -tls-key; or listen on 127.0.0.1 behind a proxy that speaks TLS; or name the proxy with -trusted-proxies",
	)
}

// openAddress is for -addr. Other machines are taken to reach every name but localhost.
func (s *settings) openAddress(value string) string {
	host, _, err := net.SplitHostPort(value)
	at, wrong := netip.ParseAddr(host)
	if err != nil || !s.isReadable(host == "localhost" || wrong == nil && at.IsLoopback()) {
		return ""
	}
	return "tokens and passwords can be read on their way here: this is no loopback address, and there is no TLS"
}

// openMetrics is for -metrics-addr.
func openMetrics(value string) string {
	host, _, err := net.SplitHostPort(value)
	at, wrong := netip.ParseAddr(host)
	if err != nil || host == "localhost" || wrong == nil && at.IsLoopback() {
		return ""
	}
	return "whoever reaches this address reads how much the server is used: it is no loopback address, and asks nobody who he is"
}

// wideProxies is for -trusted-proxies.
func (s *settings) wideProxies(string) string {
	networks, _ := s.trusted() // which options has checked
	for _, n := range networks {
		if a := n.Addr(); !n.IsSingleIP() && !a.IsPrivate() && !a.IsLoopback() &&
			!a.IsLinkLocalUnicast() {
			return fmt.Sprintf(
				"every machine of %v is believed who its clients are, and so evades the limits",
				n,
			)
		}
	}
	return ""
}
