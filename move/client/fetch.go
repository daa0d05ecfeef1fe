// Connections to addresses that documents and sites name.

package client

import (
	"almanac/internal/cli"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Bounds of a request.
const (
	redirectsMost = 5
	headMost      = 64 << 10
)

// A network sends requests: to the host that somebody named wherever it is, and to all others only
// at addresses that strangers reach.
type network struct {
	named  string // host and port, or ""
	free   *http.Transport
	public *http.Transport // without a proxy, which would connect to any address
}

func newNetwork(named string) *network {
	n := &network{
		free: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dial,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: headMost,
		},
		public: &http.Transport{
			DialContext:            dialPublic,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: headMost,
		},
	}
	if u, err := url.Parse(named); err == nil && cli.IsAddress(u) {
		n.named = hostPort(u)
	}
	return n
}

// RoundTrip sends a request, and so decides on each redirect anew.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if hostPort(r.URL) == n.named {
		return n.free.RoundTrip(r)
	}
	return n.public.RoundTrip(r)
}

// hostPort returns the host of an address with its port.
func hostPort(u *url.URL) string {
	usual := map[string]string{"http": "80", "https": "443"}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), cmp.Or(u.Port(), usual[u.Scheme]))
}

func checkAddress(u *url.URL) error {
	if !cli.IsAddress(u) {
		return errors.New("it has no address with http or https")
	}
	return nil
}

// ErrPrivate is in the error of a connection to an address that strangers do not reach, by a host
// that nobody named.
var ErrPrivate = errors.New("is an address of a private network or of this machine: " +
	"only a host that you name yourself may be there")

// dialPublic connects to a host that a document, a redirect or a page named. The address that is
// connected to decides, whatever a name server says before and after.
func dialPublic(ctx context.Context, network, address string) (net.Conn, error) {
	var refused atomic.Pointer[finalError] // addresses of a host may be tried at the same time
	control := func(_, to string, _ syscall.RawConn) error {
		err := checkPublic(to)
		if err != nil {
			refused.Store(&finalError{err})
		}
		return err
	}
	conn, err := connect(ctx, &net.Dialer{Control: control}, network, address)
	if final := refused.Load(); err != nil && final != nil {
		return nil, *final
	}
	return conn, err
}

// dial connects to a host that somebody named.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	return connect(ctx, &net.Dialer{}, network, address)
}

// A connector connects to an address, as a Dialer would.
type connector = func(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error)

type connectorKey struct{}

// TestOnlyConnect returns a context in which a test connects in the place of the network.
func TestOnlyConnect(ctx context.Context, c connector) context.Context {
	return context.WithValue(ctx, connectorKey{}, c)
}

func connect(ctx context.Context, d *net.Dialer, network, address string) (net.Conn, error) {
	if c, ok := ctx.Value(connectorKey{}).(connector); ok {
		return c(ctx, d, network, address)
	}
	return d.DialContext(ctx, network, address)
}

// global6 are the addresses of IPv6 in use; the others are of this machine, a link or a site, or
// have an address of IPv4 inside.
var global6 = netip.MustParsePrefix("2000::/3")

// special are addresses among the global ones that lead to no site (IANA's registries of special
// addresses, RFC 6890), and those by which clouds talk to their machines.
var special = prefixes(`0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
	198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 168.63.129.16/32
	2001::/23 2001:db8::/32 2002::/16 3fff::/20`)

func prefixes(list string) (all []netip.Prefix) {
	for _, text := range strings.Fields(list) {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// checkPublic returns an error for an address, with its port, that strangers do not reach.
func checkPublic(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	addr := to.Addr().Unmap()
	isGlobal := addr.IsGlobalUnicast() && (addr.Is4() || global6.Contains(addr))
	isSpecial := slices.ContainsFunc(
		special,
		func(p netip.Prefix) bool { return p.Contains(addr) },
	)
	if !isGlobal || isSpecial || addr.IsPrivate() {
		return fmt.Errorf("%s %w", addr, ErrPrivate)
	}
	return nil
}

// IsSent reports whether a request that ended with an error may have come to its server.
func IsSent(err error) bool {
	var connection *net.OpError
	return !errors.As(err, &connection) || connection.Op != "dial"
}
