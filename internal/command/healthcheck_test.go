package command

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/cli"
)

// healthy runs almanac healthcheck in an environment.
func healthy(t *testing.T, environment map[string]string, args ...string) error {
	t.Helper()
	var out lockedBuffer
	return run(
		t.Context(),
		append([]string{"healthcheck", "-timeout", patience.String()}, args...),
		cli.Process{
			Getenv: func(name string) string { return environment[name] },
			Stdout: &out,
			Stderr: &out,
		},
	)
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory")
	pair := newPair(t, t.TempDir(), -time.Hour)
	other := newPair(t, t.TempDir(), time.Hour)
	secure := startServer(t, append(pair.flags(), "-memory")...)
	address := strings.TrimPrefix(s.url, "http://")
	port := s.url[strings.LastIndex(s.url, ":"):]
	secured := strings.TrimPrefix(secure.url, "https://")

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	another := httptest.NewServer(
		http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) },
		),
	)
	defer another.Close()
	health := func(status int, body string) string {
		server := httptest.NewServer(
			http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/_almanac/health" {
					t.Errorf("asked for %s", r.URL.Path)
				}
				w.WriteHeader(status)
				w.Write([]byte(body))
			}),
		)
		t.Cleanup(server.Close)
		return server.URL
	}
	full := health(
		503,
		`{"live":true,"ready":true,"writable":false,"reason":"The disk is nearly full."}`,
	)
	busy := health(503, `{"live":true,"ready":false,"writable":true,"reason":"Busy."}`)
	broken := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }),
	)
	defer broken.Close()

	for _, test := range []struct {
		name        string
		environment map[string]string
		args        []string
		status      int
		want        string // a part of the message
	}{
		{"by address", nil, []string{"-url", s.url}, 0, ""},
		{"by address with a slash", nil, []string{"-url", s.url + "/"}, 0, ""},
		{"by the address it listens on", nil, []string{"-addr", address}, 0, ""},
		{"by the variables of serve", map[string]string{
			"ALMANAC_ADDR": address,
			"ALMANAC_URL":  "https://calendar.example.org",
		}, nil, 0, ""},
		{"when it listens everywhere", nil, []string{"-addr", port}, 0, ""},
		{"when it listens everywhere by IPv4", nil, []string{"-addr", "0.0.0.0" + port}, 0, ""},
		{"TLS, even if the certificate has expired", map[string]string{
			"ALMANAC_ADDR":     secured,
			"ALMANAC_TLS_CERT": pair.cert,
		}, nil, 0, ""},
		{"TLS with another certificate", map[string]string{
			"ALMANAC_ADDR":     secured,
			"ALMANAC_TLS_CERT": other.cert,
		}, nil, 1, "certificate"},
		{"TLS that nobody vouches for", nil, []string{"-url", secure.url}, 1, "certificate"},
		{"nobody there", nil, []string{"-url", gone.URL}, 1, "does not answer"},
		{"somebody silent", nil, []string{"-addr", silent.Addr().String(), "-timeout", "50ms"}, 1, "does not answer"},
		{"somebody else", nil, []string{"-url", another.URL}, 1, "is there an almanac at this address?"},
		{"a server that is not well", nil, []string{"-url", broken.URL}, 1, "503"},
		{"a full disk", nil, []string{"-url", full}, 1, "is live, ready, not writable: The disk is nearly full."},
		{"a full disk, to be written", nil, []string{"-url", full, "-need", "writable"}, 1, "not writable"},
		{"a full disk, to be read", nil, []string{"-url", full, "-need", "ready"}, 0, ""},
		{"a busy server", nil, []string{"-url", busy}, 1, "is live, not ready, writable: Busy."},
		{"a busy server, to be read", nil, []string{"-url", busy, "-need", "ready"}, 1, "not ready"},
		{"a busy server that lives", nil, []string{"-url", busy, "-need", "live"}, 0, ""},
		{"an unknown need", nil, []string{"-url", busy, "-need", "rested"}, 2, `-need "rested"`},
		{"a bad address", nil, []string{"-url", "calendar"}, 2, `-url "calendar"`},
		{"any port", map[string]string{"ALMANAC_ADDR": "127.0.0.1:0"}, nil, 2, "-addr"},
		{"no port", nil, []string{"-addr", "localhost"}, 2, "-addr"},
		{"no certificate", nil, []string{"-tls-cert", filepath.Join(t.TempDir(), "none")}, 2, "-tls-cert"},
		{"a key as certificate", nil, []string{"-tls-cert", pair.key}, 2, "there is no certificate in"},
		{"an argument", nil, []string{s.url}, 2, "no argument"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := healthy(t, test.environment, test.args...)
			if cli.Status(err) != test.status ||
				err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf(
					"exit status %d: %v; want %d with %q",
					cli.Status(err),
					err,
					test.status,
					test.want,
				)
			}
		})
	}
}
