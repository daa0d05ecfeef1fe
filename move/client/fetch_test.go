//go:debug x509usefallbackroots=1

package client

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// init makes this process trust the certificate of httptest, which is for 127.0.0.1.
func init() {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	x509.SetFallbackRoots(roots)
}

// noSleep is the Sleep of a Crawler without pauses.
func noSleep(context.Context, time.Duration) error { return nil }

// A crawler reads no more than it may, and connects to a private address only if that is the host
// that somebody named, at its port. A site of a document, a redirect and a name in DNS make none
// of them reachable, and there is no second try.
func TestOutward(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, strings.TrimPrefix(r.URL.Path, "/"))
	}))
	defer server.Close()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a private address was asked for %s", r.URL)
	}))
	defer other.Close()
	const private = "private network"
	by := func(s *httptest.Server, host string) string {
		return strings.Replace(s.URL, "127.0.0.1", host, 1)
	}
	away := server.URL + "/?to=" + url.QueryEscape(other.URL)
	for _, test := range []struct{ address, site, named, want string }{
		{"/a.jpg", server.URL + "/event/1/", server.URL, "a.jpg"},
		{"a.jpg", server.URL + "/1/", server.URL + "/cal.ics", "1/a.jpg"},
		{server.URL + "/a.jpg", "", strings.Replace(server.URL, "http", "HTTP", 1), "a.jpg"},
		{by(server, "localhost") + "/a.jpg", "", by(server, "LOCALHOST"), "a.jpg"},
		{server.URL + "/?to=/a.jpg", "", server.URL, "a.jpg"},
		{"/0123456789", server.URL, server.URL, "0123456789"},
		{"/0123456789a", server.URL, server.URL, "longer"},
		{"/a.jpg", other.URL, "", private},
		{"/a.jpg", other.URL, server.URL, private},
		{other.URL, other.URL, "", private},
		{other.URL, "", "https://old.example/event/1/", private},
		{other.URL, "", by(other, "localhost"), private},
		{by(other, "localhost"), "", other.URL, private},
		{by(other, "[::ffff:127.0.0.1]"), "", other.URL, private},
		{by(other, "0.0.0.0"), "", other.URL, private},
		{by(other, "[::]"), "", other.URL, private},
		{"http://127.0.0.1/reboot", "", server.URL, private},
		{"https://127.0.0.1/reboot", "", "http://127.0.0.1/", private},
		{away, "", server.URL, private},
		{"file:///etc/passwd", server.URL, server.URL, "no address with http"},
		{"/a.jpg", "", server.URL, "no address with http"},
	} {
		asked.Store(0)
		c := Crawler{Most: 10, Now: time.Now, Sleep: noSleep}
		c.Named = test.named
		c.Site = test.site
		page, err := c.Get(t.Context(), test.address)
		got := string(page.Body)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) || err == nil && got != test.want ||
			asked.Load() > 2 {
			t.Errorf("%s at %q, named %q: %s after %d requests, want %s",
				test.address, test.site, test.named, got, asked.Load(), test.want)
		}
	}
}

// names are hosts with the addresses that a name server gives for them.
type names map[string][]string

// A world connects hosts by their names, and every public address to one server, but for 1.1.1.1.
type world struct {
	names
	server    *httptest.Server
	lookups   int
	connected []string
}

func (o *world) connect(
	ctx context.Context, d *net.Dialer, network, address string,
) (net.Conn, error) {
	o.lookups++
	host, _, _ := net.SplitHostPort(address)
	err := errors.New("no answer")
	for _, ip := range o.names[host] {
		if refused := d.Control(network, net.JoinHostPort(ip, "80"), nil); refused != nil {
			err = &net.OpError{Op: "dial", Err: refused}
			continue
		}
		o.connected = append(o.connected, ip)
		if ip != "1.1.1.1" {
			return new(net.Dialer).DialContext(ctx, network, o.server.Listener.Addr().String())
		}
		err = errors.New("no answer")
	}
	return nil, err
}

// Hosts that nobody named are reached at public addresses alone: the one that is connected to
// decides, also when a name server gives another one at each question, or several at once. A
// refusal is final, and one line.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "http://second.example/", http.StatusFound)
			return
		}
		fmt.Fprint(w, "reached")
	}))
	defer server.Close()
	ask := func(o *world, path string) (string, error) {
		o.server = server
		c := Crawler{Now: time.Now, Sleep: noSleep}
		page, err := c.Get(TestOnlyConnect(t.Context(), o.connect), "http://first.example"+path)
		return string(page.Body), err
	}
	for _, ip := range strings.Fields(`8.8.8.8 172.15.0.1 172.32.0.1 192.167.0.1 100.63.255.255
		100.128.0.1 169.253.0.1 198.17.0.1 223.255.255.254 168.63.129.15 ::ffff:8.8.8.8
		2a00:1450::1 2001:200::1 2606:4700::1111`) {
		body, err := ask(&world{names: names{"first.example": {ip}}}, "/")
		if body != "reached" || err != nil {
			t.Errorf("%s: %q, %v", ip, body, err)
		}
	}
	for _, ip := range strings.Fields(`127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255
		192.168.1.1 0.0.0.0 0.1.2.3 169.254.169.254 100.64.0.1 100.100.100.200 100.127.255.255
		192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
		224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
		:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:7f00:1 64:ff9b::7f00:1
		64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 100::1 2001::7f00:1 2001:db8::1 2002:7f00:1::
		2002:a00:1:: 3fff::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0 fec0::1
		ff02::1 5f00::1`) {
		for _, test := range []struct {
			path  string
			names names
			want  []string // connected addresses
		}{
			{"/", names{"first.example": {ip}}, nil},
			{"/", names{"first.example": {ip, "1.1.1.1"}}, []string{"1.1.1.1"}},
			{"/", names{"first.example": {"1.1.1.1", ip}}, []string{"1.1.1.1"}},
			{"/moved", names{"first.example": {"8.8.8.8"}, "second.example": {ip}},
				[]string{"8.8.8.8"}},
		} {
			o := &world{names: test.names}
			body, err := ask(o, test.path)
			diff := cmp.Diff(test.want, o.connected)
			if diff != "" || body != "" || o.lookups != len(test.names) {
				t.Errorf("%s of %v: %q after %d connections: %s",
					test.path, test.names, body, o.lookups, diff)
			}
			const want = " is an address of a private network or of this machine"
			if !errors.Is(err, ErrPrivate) || !strings.Contains(err.Error(), want) ||
				strings.ContainsAny(err.Error(), "\n/") {
				t.Errorf("%s of %v: %v", test.path, test.names, err)
			}
		}
	}
}

// asPublic returns a context in which all addresses are public.
func asPublic(ctx context.Context) context.Context {
	connect := func(
		ctx context.Context, _ *net.Dialer, network, address string,
	) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return TestOnlyConnect(ctx, connect)
}

// A redirect may lead from http to https, and not back: neither with a password nor without one,
// nor after it came from http.
func TestRedirectsOfSchemes(t *testing.T) {
	t.Parallel()
	var plain, secret *httptest.Server
	plain = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			t.Errorf("a redirect was followed from https to http, with %q", r.Header)
		}
		http.Redirect(w, r, secret.URL+r.URL.Path, http.StatusFound)
	}))
	defer plain.Close()
	secret = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, plain.URL+"/never", http.StatusFound)
			return
		}
		fmt.Fprint(w, "reached ", r.Header.Get("Authorization"))
	}))
	defer secret.Close()
	for _, login := range []string{"", "ann"} {
		c := Crawler{Now: time.Now, Login: login, Password: "secret"}
		page, err := c.Get(asPublic(t.Context()), plain.URL)
		if err != nil || string(page.Body) != "reached " {
			t.Errorf("to https: %q, %v", page.Body, err)
		}
		const want = "a redirect leads from https to http"
		for _, site := range []string{secret.URL, plain.URL} {
			page, err = c.Get(asPublic(t.Context()), site+"/down")
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s to http: %q, %v, want %s", site, page.Body, err, want)
			}
		}
	}
}
