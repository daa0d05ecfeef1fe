// The command healthcheck: is the server live, ready and writable?

package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/client"
	"almanac/internal/smallfile"
)

// Healthcheck asks a server whether it answers.
var Healthcheck = cli.New(
	"healthcheck",
	"",
	"say by the exit status how a server is",
	"almanac healthcheck [flags]: exit status 0 if the server is live, ready and writable, 1 if not. For containers, with the "+
		"variables of serve.",
	(*healthSettings).flags,
	healthcheck,
)

// healthSettings are the flags of healthcheck.
type healthSettings struct {
	url, addr, cert, need string
	timeout               time.Duration
}

func (s *healthSettings) flags(f *cli.FlagSet) {
	f.StringVar(
		&s.url,
		"url",
		"",
		"`address` of the server; without it, that of -addr on this machine",
	)
	f.NoVariables() // ALMANAC_URL is the public address
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` that the server listens on")
	f.StringVar(
		&s.cert,
		"tls-cert",
		"",
		"`file` with the certificate of a server that speaks TLS, which must be the one that it presents",
	)
	f.StringVar(
		&s.need,
		"need",
		"writable",
		"what is `needed` for exit status 0: live, that the server answers; ready, that it would work on a request too; or "+
			"writable, that whoever may write can, too",
	).NoVariable()
	f.DurationVar(&s.timeout, "timeout", 5*time.Second, "`time` that the server may take").
		NoVariable()
}

// A serverHealth is the answer of a server about itself.
type serverHealth struct {
	Live, Ready, Writable bool
	Reason                string
}

// String says how the server is: "live, ready, not writable: The disk …".
func (h serverHealth) String() string {
	is := func(yes bool, word string) string {
		if yes {
			return word
		}
		return "not " + word
	}
	text := is(h.Live, "live") + ", " + is(h.Ready, "ready") + ", " + is(h.Writable, "writable")
	if h.Reason != "" {
		text += ": " + h.Reason
	}
	return text
}

// healthcheck asks the server how it is.
func healthcheck(ctx context.Context, s *healthSettings, _ []string, p cli.Process) error {
	if !slices.Contains([]string{"live", "ready", "writable"}, s.need) {
		return cli.Usage(fmt.Errorf("-need %q: must be live, ready or writable", s.need))
	}
	site, config, err := s.target()
	if err != nil {
		return cli.Usage(err)
	}
	c := client.Client{Site: site, Timeout: s.timeout, Direct: true, TLS: config}
	answer, err := c.Do(ctx, http.MethodGet, "/_almanac/health", nil, "")
	if err != nil {
		return fmt.Errorf("%s does not answer: %w", site, err)
	}
	var health serverHealth
	if json.Unmarshal(answer.Body, &health) != nil || !health.Live {
		return fmt.Errorf(
			"%s answers %s: is there an almanac at this address?",
			site,
			answer.Status,
		)
	}
	if isEnough := s.need == "live" || health.Ready && (s.need == "ready" || health.Writable); !isEnough {
		return fmt.Errorf("%s is %v", site, health)
	}
	_, err = fmt.Fprintf(p.Stdout, "%s is %v\n", site, health)
	return err
}

// target returns the address to ask, and how to speak TLS with it; nil is as with
// everybody.
func (s *healthSettings) target() (site string, config *tls.Config, err error) {
	if s.url != "" {
		u, err := url.Parse(s.url)
		if err != nil || !isSite(u) {
			return "", nil, fmt.Errorf(
				"-url %q: must be an address such as http://127.0.0.1:8080",
				s.url,
			)
		}
		return s.url, nil, nil
	}
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil || port == "0" || port == "" {
		return "", nil, fmt.Errorf(
			"-addr %q: must be the address that the server listens on, such as 127.0.0.1:8080, or give -url",
			s.addr,
		)
	}
	// A server that listens everywhere listens here.
	if a, err := netip.ParseAddr(host); host == "" || err == nil && a.IsUnspecified() {
		host = "127.0.0.1"
		if a.Is6() {
			host = "::1"
		}
	}
	site = "http://" + net.JoinHostPort(host, port)
	if s.cert != "" {
		site = "https" + strings.TrimPrefix(site, "http")
		config, err = pinned(s.cert)
	}
	return site, config, err
}

// pinned trusts the certificate in a file and no other, under the name that it
// has: the server is asked by its address on this machine.
func pinned(file string) (*tls.Config, error) {
	text, err := smallfile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert: %w", err)
	}
	block, text := pem.Decode(text)
	for block != nil && block.Type != "CERTIFICATE" {
		block, text = pem.Decode(text)
	}
	if block == nil {
		return nil, fmt.Errorf("-tls-cert: there is no certificate in %s", file)
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert: %s: %w", file, err)
	}
	// People have to renew a certificate that has expired: a failed check has the server
	// started again, which renews nothing.
	c := &tls.Config{RootCAs: x509.NewCertPool(), Time: func() time.Time { return leaf.NotAfter }}
	c.RootCAs.AddCert(leaf)
	switch {
	case len(leaf.DNSNames) > 0:
		c.ServerName = strings.Replace(leaf.DNSNames[0], "*", "healthcheck", 1)
	case len(leaf.IPAddresses) > 0:
		c.ServerName = leaf.IPAddresses[0].String()
	}
	return c, nil
}
