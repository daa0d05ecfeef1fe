// How serve faces the network: TLS, proxies, and limits of connections.

package command

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

const (
	headerTime   = 10 * time.Second // for the header of a request
	headerBytes  = 16 << 10         // of it; net/http answers 431 to more
	headerSlop   = 4 << 10          // that net/http takes beyond MaxHeaderBytes, and once more of a connection that is used again
	shutdownTime = 10 * time.Second // for running requests at the end
	spareFiles   = 64               // that the store and all else may have open beside connections
)

// strictFor is how long browsers speak TLS only, once they did.
var strictFor = []string{"max-age=31536000"}

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

// A front is an http.Server with its listener.
type front struct {
	*http.Server
	listener net.Listener
	tls      bool
	errors   *errorLog
}

// front makes the server of a handler. With a certificate, that may be nil, it
// speaks TLS.
func (s *settings) front(listener net.Listener, handler http.Handler, c *certificate, n *noted, log *slog.Logger) *front {
	f := &front{listener: listener, tls: c != nil, Server: &http.Server{
		Handler: tracked(handler, n), ConnContext: withConnection, ReadTimeout: s.readTime, WriteTimeout: s.writeTime, IdleTimeout: s.idleTime,
	}}
	f.ErrorLog, f.errors = newErrorLog(log)
	if n != nil && n.meters != nil {
		f.ConnState = n.meters.connection
	}
	if s.readTime > 0 {
		f.ReadHeaderTimeout = min(headerTime, s.readTime)
	}
	if c != nil {
		f.TLSConfig, f.Handler = c.config(), strict(f.Handler)
	}
	if s.noLimits {
		return f
	}
	f.MaxHeaderBytes = headerBytes - headerSlop
	if most := s.mostConnections(log); most > 0 {
		f.listener = newConnections(listener, most)
	}
	return f
}

// mostConnections is the limit of connections: that which was asked for, or as
// many as the system lets a process have open.
func (s *settings) mostConnections(log *slog.Logger) int {
	files := openFilesLimit()
	if files == 0 || s.connections > 0 && uint64(s.connections)+spareFiles <= files {
		return s.connections
	}
	most := max(1, int(min(files, 1<<30))-spareFiles)
	if s.connections > 0 {
		log.Warn("fewer connections than asked for: the system lets a process open no more files", "-max-connections", s.connections,
			"connections", most, "files", files)
	}
	return most
}

// serve answers until the server is shut down, which is http.ErrServerClosed.
func (f *front) serve() error {
	if f.tls {
		return f.ServeTLS(f.listener, "", "")
	}
	return f.Serve(f.listener)
}

// strict asks browsers to come by TLS from now on (RFC 6797). It is not asked for
// names of this machine, as everything else on it would be meant, too; of
// addresses browsers do not take it.
func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := hostOf(r.Host); host != "localhost" && !strings.HasSuffix(host, ".localhost") && !isAddress(host) {
			w.Header()["Strict-Transport-Security"] = strictFor
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns the name in a Host field, in lower case.
func hostOf(field string) string {
	if host, _, err := net.SplitHostPort(field); err == nil {
		field = host
	}
	return strings.ToLower(strings.TrimSuffix(field, "."))
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}
