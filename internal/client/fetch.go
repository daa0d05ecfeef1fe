// Fetching files of other sites.

package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// Bounds of a fetch.
const (
	redirectsMost = 5
	headMost      = 64 << 10
)

// A Fetcher fetches files from addresses that a document names, without a proxy and without a token. It connects to no private
// address, unless that is the site of the document: a document could name addresses for others to reach.
type Fetcher struct {
	agent string
	http  http.Client
}

// NewFetcher returns a Fetcher with a User-Agent, and a time for a file and its redirects.
func NewFetcher(agent string, timeout time.Duration) *Fetcher {
	return &Fetcher{agent, http.Client{
		Timeout: timeout,
		CheckRedirect: func(r *http.Request, before []*http.Request) error {
			if len(before) > redirectsMost {
				return fmt.Errorf("more than %d redirects", redirectsMost)
			}
			return checkScheme(r.URL)
		},
		Transport: outward(),
	}}
}

// outward returns a transport for addresses that documents and sites name. A connection has one request.
func outward() *http.Transport {
	return &http.Transport{DialContext: dial, MaxResponseHeaderBytes: headMost, DisableKeepAlives: true}
}

// siteKey is the key of the host of the document in a context.
type siteKey struct{}

// Fetch returns the file at an address, or its beginning if it has more than some bytes. The address may be relative to that of a
// site.
func (f *Fetcher) Fetch(ctx context.Context, address, site string, most int64) ([]byte, error) {
	base, err := url.Parse(site)
	if err != nil {
		return nil, err
	}
	to, err := base.Parse(address)
	if err == nil {
		err = checkScheme(to)
	}
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(context.WithValue(ctx, siteKey{}, base.Hostname()), http.MethodGet, to.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", f.agent)
	request.Header.Set("Accept", "image/*")
	answer, err := f.http.Do(request)
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which the caller names
	}
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New("the site answers " + answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, most+1))
}

func checkScheme(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
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
