package command

import (
	"almanac/internal/cli"
	"almanac/internal/serve/httpd"
	"bufio"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file is how the server faces the network, as far as one client can tell.

func TestWarning(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), time.Hour)
	const help = "give -tls-cert and -tls-key"
	for _, test := range []struct {
		name  string
		flags []string
		warns bool
	}{
		{"loopback", nil, false},
		{"everywhere", []string{"-addr", "0.0.0.0:0"}, true},
		{"everywhere, with TLS", append(pair.flags(), "-addr", "0.0.0.0:0"), false},
		{"everywhere, behind a proxy", []string{"-addr", "0.0.0.0:0", "-trusted-proxies", "10.0.0.0/8"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, append([]string{"-memory"}, test.flags...)...)
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			if warned := strings.Contains(s.Stderr.String(), "level=WARN") && strings.Contains(s.Stderr.String(), help); warned != test.warns {
				t.Errorf("warned: %v, want %v\n%s", warned, test.warns, s.Stderr)
			}
		})
	}
}

func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	const said = "https://calendar.example.org" + v1
	for flag, want := range map[string]bool{
		"":                    false,
		"10.0.0.0/8":          false,
		"127.0.0.0/8":         true,
		"fd00::/8, 127.0.0.1": true,
	} {
		s := startServer(t, "-memory", "-trusted-proxies", flag)
		a := s.Admin().
			Do(t, "GET", v1+"/tags", "", "X-Forwarded-Host", "calendar.example.org", "X-Forwarded-Proto", "https")
		if believed := strings.Contains(a.Body, said); believed != want {
			t.Errorf(
				"-trusted-proxies %q: believed: %v, want %v: %s",
				flag,
				believed,
				want,
				a.Body,
			)
		}
		err := s.Stop()
		if warned := strings.Contains(s.Stderr.String(), "and no -url"); err != nil ||
			warned != (flag != "") {
			t.Errorf("-trusted-proxies %q: warned: %v, error %v: %s", flag, warned, err, s.Stderr)
		}
	}
	known := startServer(t, "-memory", "-trusted-proxies", "::1", "-url", "https://a.example")
	if err := known.Stop(); err != nil || strings.Contains(known.Stderr.String(), "no -url") {
		t.Errorf("warned with -url: %v, %s", err, known.Stderr)
	}

	s := &settings{proxies: "10.1.2.3/8, 192.0.2.1,fd00::1"}
	got, err := s.trusted()
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("192.0.2.1/32"),
		netip.MustParsePrefix("fd00::1/128"),
	}
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// A header of 16 KiB is taken and one far beyond is refused, unless there are to
// be no limits.
func TestHeaderSize(t *testing.T) {
	t.Parallel()
	limited := startServer(t, "-memory")
	free := startServer(t, "-memory", "-no-limits")
	for _, test := range []struct {
		server *testServer
		bytes  int
		want   int
	}{
		{limited, 15 << 10, 200}, // keeps its connection
		{limited, 20 << 10, 431}, // net/http may have read 4 KiB ahead; it closes the connection
		{limited, 16 << 10, 431}, // on a new one
		{free, 24 << 10, 200},
	} {
		if a := test.server.Admin().Do(t, "GET", v1, "", "X-Long", strings.Repeat("x", test.bytes)); a.Status != test.want {
			t.Errorf(
				"a header of %d bytes was answered %d, want %d",
				test.bytes,
				a.Status,
				test.want,
			)
		}
	}
}

// Connections time out in a header, in a body, and without a request.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	reading := startServer(t, "-memory", "-read-timeout", "100ms")
	isClosed(t, dial(t, reading.URL, "GET "+v1+" HTTP/1.1\r\nHost: a\r\nX-Slow: "))
	isClosed(
		t,
		dial(
			t,
			reading.URL,
			"POST "+v1+"/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nname=",
		),
	)

	idle := startServer(t, "-memory", "-idle-timeout", "100ms")
	conn := dial(t, idle.URL, "GET "+v1+" HTTP/1.1\r\nHost: a\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("answered %v, %v", response, err)
	}
	isClosed(t, conn)
}

// The flags reach the server.
func TestServerOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		flags []string
		want  httpd.Options
	}{
		{"defaults", nil, httpd.Options{
			Read:        time.Minute,
			Write:       time.Minute,
			Idle:        2 * time.Minute,
			Connections: 2000,
		}},
		{"others", []string{"-read-timeout", "5s", "-write-timeout", "1h", "-idle-timeout", "1m30s", "-max-connections", "7"},
			httpd.Options{
				Read:        5 * time.Second,
				Write:       time.Hour,
				Idle:        90 * time.Second,
				Connections: 7,
			}},
		{"for ever", []string{"-read-timeout", "0", "-write-timeout", "0", "-idle-timeout", "0"}, httpd.Options{
			Connections: 2000,
		}},
		{"none", []string{"-no-limits"},
			httpd.Options{
				Read:        time.Minute,
				Write:       time.Minute,
				Idle:        2 * time.Minute,
				Connections: 2000,
				NoLimits:    true,
			}},
	} {
		flags, s := cli.Declare("serve", "", (*settings).flags)
		if _, _, err := flags.Parse(test.flags, cli.Process{Getenv: none}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, s.http); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", test.name, diff)
		}
	}
}

// The least and the largest limit are taken.
func TestLimitFlags(t *testing.T) {
	t.Parallel()
	flags, s := cli.Declare("serve", "", (*settings).flags)
	if _, _, err := flags.Parse([]string{"-max-body-kb", "1073741824", "-max-items", "0"}, cli.Process{
		Getenv: none,
	}); err != nil {
		t.Fatal(err)
	}
	if o, err := s.options(nil); err != nil || o.Limits.Body != 1<<40 || o.Limits.Items != 0 {
		t.Errorf("limits %+v, %v", o.Limits, err)
	}
}
