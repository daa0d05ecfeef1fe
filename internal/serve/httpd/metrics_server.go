// The address at which metrics are read.

package httpd

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"

	"almanac/internal/serve/metrics"
	"almanac/store"
)

const (
	scrapesAtOnce = 16               // connections of scrapers; more wait
	scrapeTime    = 10 * time.Second // for a request, and for its answer
)

// ServeMetrics answers GET /metrics, and nothing else, at a listener until ctx ends. A connection
// is for one request; a silent or slow client delays other scrapers for at most scrapeTime, and
// the calendar never.
func ServeMetrics(ctx context.Context, l net.Listener, m *Meters, of Measured, st *store.Store) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		text := m.write(of, st)
		w.Header().Set("Content-Type", metrics.ContentType)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text) // the client may have gone
	})
	listener := &few{l, make(chan struct{}, scrapesAtOnce)}
	server := &http.Server{
		Handler:        mux,
		ReadTimeout:    scrapeTime,
		WriteTimeout:   scrapeTime,
		MaxHeaderBytes: headerBytes,
		ErrorLog:       log.New(io.Discard, "", 0),
		ConnState:      listener.changed,
	}
	server.SetKeepAlivesEnabled(false)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	_ = server.Serve(listener)
}

// few is a listener with a limit of concurrent connections.
type few struct {
	net.Listener
	places chan struct{}
}

func (l *few) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
	}
	return conn, err
}

// changed is http.Server.ConnState. It frees the place of a closed connection.
func (l *few) changed(_ net.Conn, state http.ConnState) {
	if state == http.StateClosed {
		<-l.places
	}
}
