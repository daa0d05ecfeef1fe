// How serve faces the network: TLS, proxies, and limits of connections.

package command

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"almanac/internal/httpd"
)

// networkFlags adds the flags of this file.
func (s *settings) networkFlags(f *flagSet) {
	f.StringVar(&s.cert, "tls-cert", "",
		"PEM `file` with the certificate of the server and the chain up to its root: speak TLS; read again when it changes")
	f.StringVar(&s.key, "tls-key", "", "PEM `file` with the key of the certificate")
	f.StringVar(&s.proxies, "trusted-proxies", "",
		"comma-separated `networks`, as 10.0.0.0/8, whose X-Forwarded-For, -Proto and -Host, or Forwarded, are believed")
	f.DurationVar(&s.readTime, "read-timeout", time.Minute, "`time` that a client may take to send a request; 10s of it for the header")
	f.DurationVar(&s.writeTime, "write-timeout", time.Minute,
		"`time` that a client may take to receive an answer, from the header of its request on")
	f.DurationVar(&s.idleTime, "idle-timeout", 2*time.Minute, "`time` that a connection stays open without a request")
	f.IntVar(&s.connections, "max-connections", 2000,
		"`number` of connections open at a time; one more closes a connection that waits for its client; 0 is no limit")
	f.BoolVar(&s.noLimits, "no-limits", false, "refuse no client for asking too much: for tests")
	f.StringVar(&s.sandbox, "sandbox", "auto",
		"`how` the process gives up rights to files, connections and other processes: auto, as far as it can; require, or it does not start; off")
	f.BoolVar(&s.noSandbox, "no-sandbox", false, "the same as -sandbox=off")
}

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
			return nil, fmt.Errorf("-trusted-proxies: %q must be a network such as 10.0.0.0/8 or fd00::/8, or an address", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// isReadable reports whether what callers send to an address can be read on its way.
func (s *settings) isReadable(loopback bool) bool {
	return !loopback && s.cert == "" && s.proxies == ""
}

// warn says when links may lead elsewhere, and when texts that callers send can be read on their way.
func (s *settings) warn(at net.Addr, log *slog.Logger) {
	if s.proxies != "" && s.home == "" {
		log.Warn("links have the host that clients ask for, whatever it is: there are -trusted-proxies, and no -url", "help",
			"give -url, the public address of the site")
	}
	if tcp, ok := at.(*net.TCPAddr); !ok || !s.isReadable(tcp.IP.IsLoopback()) {
		return
	}
	log.Warn("tokens and passwords can be read on their way here: this is no loopback address, and there is no TLS",
		"address", at.String(), "help",
		"give -tls-cert and -tls-key; or listen on 127.0.0.1 behind a proxy that speaks TLS; or name the proxy with -trusted-proxies")
}

// serverOptions returns the options of an HTTP server that flags set.
func (s *settings) serverOptions() httpd.Options {
	return httpd.Options{Read: s.readTime, Write: s.writeTime, Idle: s.idleTime, Connections: s.connections, NoLimits: s.noLimits}
}
