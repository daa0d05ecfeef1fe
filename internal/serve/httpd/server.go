// Package httpd runs the HTTP server of a handler: TLS, limits that keep slow clients from taking
// all connections, and records of each request in metrics, the access log and the log.
//
//	s := httpd.New(httpd.Options{Handler: handler, Listener: l, Log: log})
//	go s.Serve()
//	…
//	s.Shutdown(ctx)
package httpd

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
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

// Options says how a server runs. Handler, Listener and Log are needed.
type Options struct {
	Handler     http.Handler
	Listener    net.Listener // of TCP
	Certificate *Certificate // for TLS; nil is none
	Requests    *Requests    // is told of each request; nil is nothing
	Log         *slog.Logger

	Read, Write, Idle time.Duration // that a client may take; 0 is for ever
	Connections       int           // open at a time; 0 is the limit of the system
	NoLimits          bool          // of connections and headers
}

// A Server is an http.Server with its listener.
type Server struct {
	http     *http.Server
	listener net.Listener
	errors   *errorLog
	log      *slog.Logger
}

// New makes a server that does not answer yet.
func New(o Options) *Server {
	requests := cmp.Or(o.Requests, &Requests{})
	s := &Server{
		listener: o.Listener,
		log:      o.Log,
		http: &http.Server{
			Handler:      tracked(o.Handler, requests),
			ConnContext:  withConnection,
			ReadTimeout:  o.Read,
			WriteTimeout: o.Write,
			IdleTimeout:  o.Idle,
		},
	}
	s.http.ErrorLog, s.errors = newErrorLog(o.Log)
	if requests.meters != nil {
		s.http.ConnState = requests.meters.connection
	}
	if o.Read > 0 {
		s.http.ReadHeaderTimeout = min(headerTime, o.Read)
	}
	if !o.NoLimits {
		s.http.MaxHeaderBytes = headerBytes - headerSlop
		if most := mostConnections(o.Connections, o.Log); most > 0 {
			s.listener = newConnections(o.Listener, most)
		}
	}
	if o.Certificate != nil {
		s.http.TLSConfig, s.http.Handler = o.Certificate.config(), strict(s.http.Handler)
	}
	return s
}

// mostConnections returns the limit of connections: asked, but at most the number that the system
// lets a process have open. 0 is no limit.
func mostConnections(asked int, log *slog.Logger) int {
	files := OpenFiles()
	if files == 0 || asked > 0 && uint64(asked)+spareFiles <= files {
		return asked
	}
	most := max(1, int(min(files, 1<<30))-spareFiles)
	if asked > 0 {
		log.Warn(
			"fewer connections than asked for: the system lets a process open no more files",
			"-max-connections",
			asked,
			"connections",
			most,
			"files",
			files,
		)
	}
	return most
}

// Serve answers until the server is shut down, which is http.ErrServerClosed.
func (s *Server) Serve() error {
	if s.http.TLSConfig != nil {
		return s.http.ServeTLS(s.listener, "", "")
	}
	return s.http.Serve(s.listener)
}

// Shutdown lets running requests end, for some time, and then cuts them off.
func (s *Server) Shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		s.http.Close()
		s.log.Warn("requests were cut off", "err", err)
	}
	s.errors.close()
}

// strict asks browsers to come by TLS from now on (RFC 6797). It is not asked for
// names of this machine, as everything else on it would be meant, too; of
// addresses browsers do not take it.
func strict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := strings.ToLower(strings.TrimSuffix((&url.URL{Host: r.Host}).Hostname(), "."))
		_, err := netip.ParseAddr(host)
		if isName := err != nil; isName && host != "localhost" &&
			!strings.HasSuffix(host, ".localhost") {
			w.Header()["Strict-Transport-Security"] = strictFor
		}
		next.ServeHTTP(w, r)
	})
}
