// Reading many documents of one site.

package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"almanac/internal/cli/build"
)

// Limits of a crawl.
const (
	triesMost = 5
	waitMost  = 5 * time.Minute // that a site may ask for by Retry-After
)

// Agent is the User-Agent of a Crawler.
var Agent = "almanac/" + build.Read().Version

// A Crawler reads documents of a site as its owner may like it: a request at a time in each
// goroutine, with a pause between requests, and again later if the site cannot answer now. It may
// be used concurrently.
type Crawler struct {
	Login    string // for basic authentication, or ""
	Password string
	Accept   string           // media types, or ""
	Interval time.Duration    // between the beginnings of requests
	Timeout  time.Duration    // for a request and its answer
	Most     int64            // bytes of a body; longer ones are errors
	Tries    int              // of a request; 0 is triesMost
	Now      func() time.Time // clock for intervals, and for dates in Retry-After

	// Stay returns an error for a redirect that the crawler must not follow; nil follows all.
	Stay func(to *url.URL) error

	// Sleep waits between requests, or returns the error of a context that ends before; nil
	// sleeps.
	Sleep func(context.Context, time.Duration) error

	// Named is the address that somebody named, on a command line or in a list of sources, or "".
	// Its host, at its port, may be in a private network, and is reached through the proxy of the
	// environment. Hosts that others name, in documents, pages and redirects, are reached as
	// strangers reach them: the program must not ask for them what they cannot.
	Named string
	Site  string // base of relative addresses, or ""

	mu      sync.Mutex
	next    time.Time // earliest beginning of a request
	network *network
}

// Within returns a context for all questions to a site, which may take some time together.
func Within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, most, fmt.Errorf("the site takes more than %v", most))
}

// A finalError stays the same at another try.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// Get reads the document at an address, with any status. It tries again after 429, 500, 502, 503,
// 504 and errors of the connection, and returns the answer of the last try.
func (c *Crawler) Get(ctx context.Context, address string) (Page, error) {
	for try := 1; ; try++ {
		err := c.turn(ctx)
		var page Page
		if err == nil {
			page, err = c.try(ctx, address)
		}
		if ctx.Err() != nil {
			return page, context.Cause(ctx)
		}
		isFinal := errors.Is(err, ErrTooLong) || errors.As(err, new(finalError)) ||
			err == nil && !slices.Contains(transient, page.Code)
		if isFinal || try == cmp.Or(c.Tries, triesMost) {
			return page, err
		}
		pause := cmp.Or(c.retryAfter(page.Header), time.Second<<try)
		if pause > waitMost {
			return page, err
		}
		c.mu.Lock()
		if until := c.Now().Add(pause); until.After(c.next) {
			c.next = until // for all requests
		}
		c.mu.Unlock()
	}
}

// transient are the statuses of answers that may be others at the next try.
var transient = []int{
	http.StatusTooManyRequests,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// turn waits for the turn of a request.
func (c *Crawler) turn(ctx context.Context) error {
	c.mu.Lock()
	now := c.Now()
	pause := max(c.next.Sub(now), 0)
	c.next = now.Add(pause + c.Interval)
	c.mu.Unlock()
	if c.Sleep != nil {
		return c.Sleep(ctx, pause)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

func (c *Crawler) try(ctx context.Context, address string) (page Page, err error) {
	base, err := url.Parse(c.Site)
	if err != nil {
		return page, finalError{err}
	}
	to, err := base.Parse(address)
	if err == nil {
		err = checkAddress(to)
	}
	if err != nil {
		return page, finalError{err}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
	if err != nil {
		return page, err
	}
	request.Header.Set("User-Agent", Agent)
	if c.Accept != "" {
		request.Header.Set("Accept", c.Accept)
	}
	if c.Login != "" && !isSecret(request.URL) {
		return page, finalError{
			errors.New("a password is sent with https alone, or to this machine"),
		}
	} else if c.Login != "" {
		request.SetBasicAuth(c.Login, c.Password)
	}
	h := http.Client{Timeout: c.Timeout, CheckRedirect: c.redirect, Transport: c.connections()}
	page, err = send(&h, request, cmp.Or(c.Most, answerMost))
	return page, plainly(err)
}

// plainly returns the error of a connection as people read it.
func plainly(err error) error {
	var final finalError
	var slow interface{ Timeout() bool }
	switch {
	case errors.As(err, &final):
		return final // without the address, which the caller names
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the connection ended before the answer did")
	case errors.As(err, &slow) && slow.Timeout():
		return errors.New("the site does not answer in time")
	}
	return err
}

// connections returns the network, which keeps connections for further requests.
func (c *Crawler) connections() *network {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.network == nil {
		c.network = newNetwork(c.Named)
	}
	return c.network
}

// redirect decides on a redirect, and takes the credentials away from other hosts.
func (c *Crawler) redirect(r *http.Request, before []*http.Request) error {
	if before[0].URL.Host != r.URL.Host {
		r.Header.Del("Authorization")
	}
	err := checkAddress(r.URL)
	switch {
	case len(before) > redirectsMost:
		err = fmt.Errorf("more than %d redirects", redirectsMost)
	case err != nil:
	case before[len(before)-1].URL.Scheme == "https" && r.URL.Scheme == "http":
		err = errors.New("a redirect leads from https to http, where others can change the answer")
	case c.Stay != nil:
		err = c.Stay(r.URL)
	}
	if err != nil {
		return finalError{err}
	}
	return nil
}

// isSecret reports whether nobody reads what is sent to an address.
func isSecret(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// retryAfter returns the time that a site asks to wait (RFC 9110, section 10.2.3), or 0.
func (c *Crawler) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), math.MaxInt32)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(c.Now()), 0)
}
