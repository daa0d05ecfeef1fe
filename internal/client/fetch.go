// Connections to addresses that documents and sites name.

package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Bounds of a request.
const (
	redirectsMost = 5
	headMost      = 64 << 10
)

// outward returns a transport for addresses that documents and sites name. A connection has one request.
func outward() *http.Transport {
	return &http.Transport{DialContext: dial, MaxResponseHeaderBytes: headMost, DisableKeepAlives: true}
}

// siteKey is the key of the host of Crawler.Site in a context.
type siteKey struct{}

// IsAddress reports whether a URL is an address to connect to: with http or https, a host, and a port that exists.
func IsAddress(u *url.URL) bool {
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "80"), 10, 16)
	isHost := u.Hostname() != "" && !strings.HasSuffix(u.Host, ":") // that of https://https://example.org
	return (u.Scheme == "http" || u.Scheme == "https") && isHost && err == nil && port > 0
}

func checkAddress(u *url.URL) error {
	if !IsAddress(u) {
		return errors.New("it has no address with http or https")
	}
	return nil
}

// dial connects to a host, at addresses that strangers may reach, or at any if it is the site of the document.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	if host, _, err := net.SplitHostPort(address); err != nil || host != ctx.Value(siteKey{}) {
		d.Control = refusePrivate
	}
	return d.DialContext(ctx, network, address)
}

// inside are the addresses of private networks that netip does not know, and those that lead to others.
var inside = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("64:ff9b::/32"), netip.MustParsePrefix("2002::/16")}

// refusePrivate is the Control of a net.Dialer, which has looked up the host.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	addr := to.Addr().Unmap()
	isInside := slices.ContainsFunc(inside, func(p netip.Prefix) bool { return p.Contains(addr) })
	if err == nil && (!addr.IsGlobalUnicast() || addr.IsPrivate() || isInside) {
		err = fmt.Errorf("%s is an address of a private network, and not that of the site of the document", addr)
	}
	return err
}
