package front

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/i18n"
)

// askedBy has the client, host and scheme of a request.
type askedBy struct {
	Client, Host string
	Secure       bool
}

func TestClient(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("fd00::/8"),
	}
	const proxy, stranger, host = "10.1.1.1:4000", "192.0.2.7:4000", "almanac.internal:8080"
	direct := askedBy{"192.0.2.7", host, false}
	tests := []struct {
		name    string
		trusted []netip.Prefix
		remote  string
		header  string // "Name: value", one a line
		tls     bool
		want    askedBy
	}{
		{"no proxy", nil, stranger, "", false, direct},
		{"no proxy, by TLS", nil, stranger, "", true, askedBy{"192.0.2.7", host, true}},
		{"who claims to be a proxy", proxies, stranger,
			"X-Forwarded-For: 203.0.113.9\nX-Forwarded-Proto: https\nX-Forwarded-Host: evil.example", false, direct},
		{
			"who claims it in the new way",
			proxies,
			stranger,
			"Forwarded: for=203.0.113.9;proto=https;host=evil.example",
			false,
			direct,
		},
		{
			"a proxy that nobody trusts",
			nil,
			proxy,
			"X-Forwarded-For: 203.0.113.9\nX-Forwarded-Proto: https",
			false,
			askedBy{"10.1.1.1", host, false},
		},
		{"a proxy that says nothing", proxies, proxy, "", false, askedBy{"10.1.1.1", host, false}},
		{
			"a proxy",
			proxies,
			proxy,
			"X-Forwarded-For: 203.0.113.9\nX-Forwarded-Proto: https\nX-Forwarded-Host: calendar.example.org",
			false,
			askedBy{"203.0.113.9", "calendar.example.org", true},
		},
		{
			"a proxy that speaks TLS to us for clients without",
			proxies,
			proxy,
			"X-Forwarded-Proto: http",
			true,
			askedBy{"10.1.1.1", host, false},
		},
		{
			"a proxy of IPv6",
			proxies,
			"[fd00::1]:4000",
			"X-Forwarded-For: 2001:db8::9",
			false,
			askedBy{"2001:db8::9", host, false},
		},
		{
			"an IPv4 proxy on an IPv6 socket",
			proxies,
			"[::ffff:10.1.1.1]:4000",
			"X-Forwarded-For: ::ffff:203.0.113.9",
			false,
			askedBy{"203.0.113.9", host, false},
		},
		{
			"what a client made up comes first",
			proxies,
			proxy,
			"X-Forwarded-For: 127.0.0.1, 10.9.9.9, 203.0.113.9",
			false,
			askedBy{"203.0.113.9", host, false},
		},
		{
			"in a line of its own",
			proxies,
			proxy,
			"X-Forwarded-For: 127.0.0.1\nX-Forwarded-For: 203.0.113.9",
			false,
			askedBy{"203.0.113.9", host, false},
		},
		{
			"two proxies",
			proxies,
			proxy,
			"X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.2.2.2",
			false,
			askedBy{"203.0.113.9", host, false},
		},
		{
			"nobody but proxies",
			proxies,
			proxy,
			"X-Forwarded-For: 10.3.3.3, 10.2.2.2",
			false,
			askedBy{"10.3.3.3", host, false},
		},
		{
			"a hop without an address",
			proxies,
			proxy,
			"X-Forwarded-For: 203.0.113.9, unknown, 10.2.2.2",
			false,
			askedBy{"10.2.2.2", host, false},
		},
		{
			"an address with a port",
			proxies,
			proxy,
			"X-Forwarded-For: [2001:db8::9]:5000",
			false,
			askedBy{"2001:db8::9", host, false},
		},
		{
			"an empty list",
			proxies,
			proxy,
			"X-Forwarded-For: ",
			false,
			askedBy{"10.1.1.1", host, false},
		},
		{"the nearest scheme and host", proxies, proxy,
			"X-Forwarded-Proto: https, http\nX-Forwarded-Host: evil.example, calendar.example.org", false,
			askedBy{"10.1.1.1", "calendar.example.org", false}},
		{
			"no host",
			proxies,
			proxy,
			"X-Forwarded-Host: a/b?c",
			false,
			askedBy{"10.1.1.1", host, false},
		},
		{
			"a host with quotes",
			proxies,
			proxy,
			`X-Forwarded-Host: a"><b`,
			false,
			askedBy{"10.1.1.1", host, false},
		},
		{
			"no scheme",
			proxies,
			proxy,
			"X-Forwarded-Proto: javascript",
			true,
			askedBy{"10.1.1.1", host, true},
		},
		{"RFC 7239", proxies, proxy,
			`Forwarded: for=198.51.100.1;host=evil.example, For="[2001:db8::9]:47011";Proto=HTTPS; Host="calendar.example.org:8443"`, false,
			askedBy{"2001:db8::9", "calendar.example.org:8443", true}},
		{
			"RFC 7239 by two proxies",
			proxies,
			proxy,
			"Forwarded: for=203.0.113.9;proto=https\nForwarded: for=10.2.2.2;proto=http",
			false,
			askedBy{"203.0.113.9", host, false},
		},
		{
			"RFC 7239 with a hidden hop",
			proxies,
			proxy,
			"Forwarded: for=_hidden, for=10.2.2.2",
			false,
			askedBy{"10.2.2.2", host, false},
		},
		{"RFC 7239 that a client sent through", proxies, proxy,
			"Forwarded: for=198.51.100.1;host=evil.example\nX-Forwarded-For: 203.0.113.9", false,
			askedBy{"203.0.113.9", host, false}},
		{
			"no address",
			proxies,
			"@",
			"X-Forwarded-For: 203.0.113.9",
			false,
			askedBy{"invalid IP", host, false},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Proxies(test.trusted)
			hr := &http.Request{RemoteAddr: test.remote, Host: host, Header: http.Header{}}
			for line := range strings.Lines(test.header) {
				name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				hr.Header.Add(name, value)
			}
			if test.tls {
				hr.TLS = &tls.ConnectionState{}
			}
			got := askedBy{Client: p.Client(hr).String()}
			got.Host, got.Secure = p.AskedAs(hr)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want, +got):\n%s", diff)
			}
		})
	}
}

// Whatever a client sends through a proxy, it is never taken for another: its
// own address comes last.
func FuzzClient(f *testing.F) {
	f.Add("127.0.0.1, 10.9.9.9", "for=127.0.0.1")
	f.Add(`"`, `for="[::1`)
	p := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	front, err := New(Options{
		Proxies: p,
		Mux:     func(*Base) *http.ServeMux { return http.NewServeMux() },
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, list, forwarded string) {
		hr := &http.Request{
			RemoteAddr: "10.1.1.1:4000",
			Header: http.Header{
				"X-Forwarded-For": {list + ", 203.0.113.9"}, "Forwarded": {forwarded},
			},
			Host: forwarded,
		}
		if got := p.Client(hr); got != netip.MustParseAddr("203.0.113.9") {
			t.Errorf("taken for %v", got)
		}
		delete(hr.Header, "X-Forwarded-For")
		p.Client(hr)
		for range 2 { // when the site is met first, and when it is known
			s := front.Site(front.Neutral(), hr)
			if s.Origin != "http://"+s.Host && s.Origin != "https://"+s.Host ||
				s.Host != "" && !IsHost(s.Host) {
				t.Errorf("links would lead to %q", s.Origin)
			}
		}
	})
}

// A public address is that of every host.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	const home = "https://calendar.example.org"
	u, err := url.Parse(home)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{
		URL:       u,
		Languages: i18n.Languages(),
		Mux:       func(*Base) *http.ServeMux { return http.NewServeMux() },
	})
	if err != nil {
		t.Fatal(err)
	}
	b := f.OfLanguage("de")
	r := httptest.NewRequest("GET", "/de/"+Namespace, nil)
	one := f.Site(b, r)
	if r.Host = "made.up"; f.Site(b, r) != one || one.API != home+"/de/"+Namespace {
		t.Errorf("the site of a server with an address is %+v", one)
	}
}
