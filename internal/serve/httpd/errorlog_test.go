package httpd

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/apitest"
)

// The first error of a kind is logged, then their number once a minute. An error without a client
// is logged unchanged.
func TestErrorLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text apitest.Buffer
		l, e := newErrorLog(
			slog.New(
				slog.NewTextHandler(
					&text,
					&slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
						if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
							return slog.Attr{}
						}
						return a
					}},
				),
			),
		)
		start := time.Now()
		read := 0
		want := func(lines ...string) {
			t.Helper()
			all := text.String()
			got := strings.Split(strings.TrimSuffix(all[read:], "\n"), "\n")
			if all[read:] == "" {
				got = nil
			}
			read = len(all)
			if diff := cmp.Diff(lines, got); diff != "" {
				t.Errorf("after %v (-want, +got):\n%s", time.Since(start), diff)
			}
		}
		fail := func(n int) {
			for i := range n {
				l.Printf("http: TLS handshake error from 192.0.2.1:%d: EOF", i)
			}
		}
		later := func(d time.Duration) {
			<-time.After(d)
			synctest.Wait()
		}
		fail(1000)
		l.Print("http: Accept error: too many open files; retrying in 5ms")
		l.Print("http2: server connection error from 192.0.2.2:1: x")
		want(
			`msg="http: TLS handshake error from 192.0.2.1:0: EOF"`,
			`msg="http: Accept error: too many open files; retrying in 5ms"`,
			`msg="http2: server connection error from 192.0.2.2:1: x"`,
		)
		later(time.Minute - 1)
		want()
		later(1)
		want(`msg="http: TLS handshake error" more=999 last="192.0.2.1:999: EOF"`)
		fail(1)
		want()
		later(time.Minute)
		want(`msg="http: TLS handshake error" more=1 last="192.0.2.1:0: EOF"`)
		later(time.Minute)
		fail(3)
		want(`msg="http: TLS handshake error from 192.0.2.1:0: EOF"`)
		e.close()
		want(`msg="http: TLS handshake error" more=2 last="192.0.2.1:2: EOF"`)
		later(time.Hour)
		want()
	})
}
