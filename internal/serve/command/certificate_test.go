package command

import (
	"almanac/internal/serve/httpd"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A testPair is a certificate of its own making, in two files.
type testPair struct {
	cert, key string // files
	pool      *x509.CertPool
	serial    *big.Int
}

// newPair makes a certificate for localhost, calendar.example.org and the
// loopback address, which ends after some time, and writes it into a directory.
func newPair(t testing.TB, dir string, ends time.Duration) testPair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: "almanac"},
		NotBefore:             now.Add(-2 * time.Hour),
		NotAfter:              now.Add(ends),
		DNSNames:              []string{"localhost", "calendar.example.org"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true,
		IsCA:                  true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p := testPair{
		filepath.Join(dir, "cert.pem"),
		filepath.Join(dir, "key.pem"),
		x509.NewCertPool(),
		serial,
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	p.pool.AppendCertsFromPEM(text)
	replace(t, p.cert, string(text))
	replace(t, p.key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return p
}

// flags make serve use the pair.
func (p testPair) flags() []string { return []string{"-tls-cert", p.cert, "-tls-key", p.key} }

// client returns a client that trusts the pair and nothing else.
func (p testPair) client(t testing.TB) *http.Client {
	t.Helper()
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{
			RootCAs: p.pool,
		},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// presented returns the serial number of the certificate that a server presents.
func presented(t testing.TB, url string) *big.Int {
	t.Helper()
	conn, err := tls.Dial("tcp", strings.TrimPrefix(url, "https://"), &tls.Config{
		InsecureSkipVerify: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber
}

func TestTLS(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), time.Hour)
	s := startServer(t, append(pair.flags(), "-memory")...)
	if !strings.HasPrefix(s.URL, "https://127.0.0.1:") {
		t.Fatalf("the ready line says %s", s.URL)
	}
	c := caller{URL: s.URL, Token: s.Token, Client: pair.client(t)}
	c.Must(t, "POST", v1+"/tags", `{"name":"free"}`)
	a := c.Do(t, "GET", v1+"/tags/1", "")
	if a.Status != 200 || !strings.Contains(a.Body, `"self":[{"href":"`+s.URL) {
		t.Errorf("%d, with links that are not https: %s", a.Status, a.Body)
	}
	response, err := c.Client.Get(s.URL + v1)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.ProtoMajor != 2 {
		t.Errorf("spoke %s, want HTTP/2", response.Proto)
	}

	address := strings.TrimPrefix(s.URL, "https://")
	for _, test := range []struct {
		name   string
		config *tls.Config
		works  bool
	}{
		{"TLS 1.3", &tls.Config{MinVersion: tls.VersionTLS13}, true},
		{"TLS 1.2", &tls.Config{MaxVersion: tls.VersionTLS12}, true},
		{"TLS 1.1", &tls.Config{
			MinVersion: tls.VersionTLS10,
			MaxVersion: tls.VersionTLS11,
		}, false},
		{"TLS 1.2 without authenticated encryption", &tls.Config{
			MaxVersion:   tls.VersionTLS12,
			CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA},
		}, false},
	} {
		test.config.RootCAs = pair.pool
		conn, err := tls.Dial("tcp", address, test.config)
		if err == nil {
			conn.Close()
		}
		if works := err == nil; works != test.works {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Browsers are asked to stay with TLS on names that are the server's alone.
func TestStrictTransport(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), time.Hour)
	s := startServer(t, append(pair.flags(), "-memory")...)
	plain := startServer(t, "-memory")
	for _, test := range []struct {
		host, want string
		server     *testServer
		client     *http.Client
	}{
		{"calendar.example.org", "max-age=31536000", s, pair.client(t)},
		{"Calendar.example.org:8443", "max-age=31536000", s, pair.client(t)},
		{"localhost:8443", "", s, pair.client(t)},
		{"calendar.localhost", "", s, pair.client(t)},
		{"127.0.0.1:8443", "", s, pair.client(t)},
		{"[::1]:8443", "", s, pair.client(t)},
		{"calendar.example.org", "", plain, plain.Client},
	} {
		request, err := http.NewRequest("GET", test.server.URL+v1, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = test.host
		response, err := test.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Strict-Transport-Security"); got != test.want {
			t.Errorf(
				"%s at %s: Strict-Transport-Security %q, want %q",
				test.host,
				test.server.URL,
				got,
				test.want,
			)
		}
	}
}

// A certificate is renewed while the server runs. An invalid one, or one without its key, changes
// nothing and is logged once.
func TestCertificateChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := newPair(t, dir, time.Hour)
	s := startServer(t, append(first.flags(), "-memory")...)
	expect := func(what string, want testPair) {
		t.Helper()
		if got := presented(t, s.URL); got.Cmp(want.serial) != 0 {
			t.Errorf("%s: the certificate is %v, want %v", what, got, want.serial)
		}
	}
	expect("at the start", first)

	second := newPair(t, dir, time.Hour)
	expect("after a change", second)

	third := newPair(t, t.TempDir(), time.Hour)
	text := readFile(t, third.cert)
	replace(t, second.cert, text)
	expect("with a key of another certificate", second)
	expect("still", second)
	if n := strings.Count(s.Stderr.String(), "certificate not usable"); n != 1 {
		t.Errorf("half a pair was reported %d times:\n%s", n, s.Stderr)
	}
	replace(t, second.key, readFile(t, third.key))
	expect("when the key has come, too", third)

	replace(t, second.cert, "nothing")
	expect("with nonsense", third)
	if err := os.Remove(second.key); err != nil {
		t.Fatal(err)
	}
	expect("without a key", third)
	if n := strings.Count(s.Stderr.String(), "certificate not usable"); n != 3 {
		t.Errorf("three mistakes were reported %d times:\n%s", n, s.Stderr)
	}
	expect("in the end", newPair(t, dir, time.Hour))
}

// How a certificate is renewed by programs such as certbot: a link leads to
// other files.
func TestCertificateLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	live := filepath.Join(dir, "live")
	point := func(to string) testPair {
		t.Helper()
		archive := filepath.Join(dir, to)
		if err := os.Mkdir(archive, 0o700); err != nil {
			t.Fatal(err)
		}
		pair := newPair(t, archive, time.Hour)
		if err := os.Symlink(archive, live+".new"); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		if err := os.Rename(live+".new", live); err != nil {
			t.Fatal(err)
		}
		return pair
	}
	first := point("1")
	s := startServer(
		t,
		"-memory",
		"-tls-cert",
		filepath.Join(live, "cert.pem"),
		"-tls-key",
		filepath.Join(live, "key.pem"),
	)
	if got := presented(t, s.URL); got.Cmp(first.serial) != 0 {
		t.Errorf("the certificate is %v, want %v", got, first.serial)
	}
	second := point("2")
	if got := presented(t, s.URL); got.Cmp(second.serial) != 0 {
		t.Errorf("after the link changed, the certificate is %v, want %v", got, second.serial)
	}
}

func TestCertificateExpired(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), -time.Hour)
	var log bytes.Buffer
	if _, err := httpd.OpenCertificate(pair.cert, pair.key, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Errorf("an expired certificate is no reason not to start: %v", err)
	}
	if !strings.Contains(log.String(), "the certificate has expired") {
		t.Errorf("nobody is told that the certificate has expired:\n%s", &log)
	}
}

// Handshakes that fail are logged twice, however many there are: the first, and
// when the server ends the number of all others.
func TestHandshakesThatFail(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), time.Hour)
	s := startServer(t, append(pair.flags(), "-memory")...)
	for range 50 {
		conn := dial(t, strings.Replace(s.URL, "https", "http", 1), "GET / HTTP/1.0\r\n\r\n")
		isClosed(t, conn)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	const kind = "http: TLS handshake error"
	if n := strings.Count(s.Stderr.String(), kind); n != 2 ||
		!strings.Contains(s.Stderr.String(), fmt.Sprintf("%q more=49 ", kind)) {
		t.Errorf("handshakes that failed are logged %d times:\n%s", n, s.Stderr)
	}
}
