// The changes as server-sent events (section 9.2 of the HTML standard).

package rest

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/feed"
	"almanac/internal/jsonout"
	"almanac/internal/params"
	"almanac/internal/respond"
)

// changesStream answers with the changes as they come.
var changesStream = &Op{Name: "changes.stream", Params: params.Changes, serve: serveStream, unlisted: true,
	format: &feed.Format{Media: "text/event-stream"}}

const (
	heartbeat   = 15 * time.Second       // the longest that nothing is sent
	streamTime  = 10 * time.Second       // that a client may take for what is sent
	streamPause = 250 * time.Millisecond // the shortest time between two events: what comes in it comes together
)

// streams counts those that are open, of each client and in all.
type streams struct {
	most  int             // in all, a sixteenth for one client; 0 is no limit
	ended context.Context // when the server is stopped

	mu   sync.Mutex // guards what is below
	all  int
	from map[netip.Prefix]int
}

// errStreams and errOwnStreams refuse a stream more.
var (
	errStreams = &Error{Status: http.StatusServiceUnavailable, Code: "rest_too_busy", retry: heartbeat,
		Message: "As many clients wait for changes as may. Ask for them now and then, without Accept: text/event-stream."}
	errOwnStreams = &Error{Status: http.StatusTooManyRequests, Code: "rest_too_many_requests", retry: heartbeat,
		Message: "You wait for changes as often as one client may. Use one stream for all that you do, or ask now and then."}
)

// open counts a stream of a client, until end is called.
func (s *streams) open(client netip.Prefix) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.most > 0 && s.all >= s.most:
		return nil, errStreams
	case s.most > 0 && s.from[client] >= max(1, s.most/16):
		return nil, errOwnStreams
	}
	s.all++
	s.from[client]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.from[client]--; s.from[client] == 0 {
			delete(s.from, client)
		}
	}, nil
}

// EndStreams ends the streams of changes, which end by themselves at no other time: for a
// server that is about to stop.
func (s *Server) EndStreams() { s.endStreams() }

// serveStream answers GET /changes with Accept: text/event-stream.
func serveStream(r *request) (*respond.Response, error) {
	page, err := r.changes(r.http.Header.Get("Last-Event-ID"))
	if err != nil {
		return nil, err
	}
	if r.done, err = r.streams.open(r.client()); err != nil {
		return nil, err
	}
	parts := func(yield func([]byte) bool) { r.stream(page, yield) }
	return &respond.Response{Status: http.StatusOK, Media: "text/event-stream", Header: map[string]string{"X-Accel-Buffering": "no"},
		Long: &respond.Long{Size: -1, Parts: parts, Until: within(streamTime), Live: true}}, nil
}

// within returns what says by when a client has to have taken something.
func within(d time.Duration) func() time.Time {
	return func() time.Time { return (*caltime.Clock)(nil).Now().Add(d) }
}

// stream sends some changes, and those after them as they come, until the client, its account
// or the server is gone.
func (r *request) stream(page changes, yield func([]byte) bool) {
	ctx, cancel := context.WithCancel(r.http.Context())
	defer cancel()
	defer context.AfterFunc(r.streams.ended, cancel)()
	for told := ""; ; {
		if page.Token != told {
			text, _ := jsonout.Marshal(page) // it is texts and numbers
			if !yield([]byte("id: "+page.Token+"\ndata: "+string(text)+"\n\n")) || !page.More && !pause(ctx) {
				return
			}
			told = page.Token
		}
		state := r.store.State()
		var err error
		if page, err = r.after(told); err != nil {
			return // who asks again is told why there is no more
		}
		if page.Token != told {
			continue
		}
		waiting, enough := context.WithTimeout(ctx, heartbeat)
		err = r.store.Wait(waiting, state)
		enough()
		switch {
		case err == nil:
		case !errors.Is(err, context.DeadlineExceeded) || !yield([]byte(":\n\n")):
			return
		default:
			r.publishDue()
		}
	}
}

// pause waits a little, and reports whether to go on.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(streamPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// after returns the changes after a token, as long as the caller is who he was.
func (r *request) after(token string) (changes, error) {
	caller, err := r.accounts.Authenticate(r.http.Header.Get("Authorization"))
	if err == nil && (caller.ID != r.caller.ID || caller.Role != r.caller.Role) {
		err = errForgotten
	}
	if err != nil {
		return changes{}, err
	}
	return r.changes(token)
}

// publishDue publishes what is due by now, which requests do that begin.
func (r *request) publishDue() {
	if r.Server.tenant == nil {
		tenant := r.tenantOf(r.http)
		tenant.PublishDue()
	}
}
