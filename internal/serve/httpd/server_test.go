package httpd

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
)

// Each limit is set at the server.
func TestLimits(t *testing.T) {
	t.Parallel()
	type limits struct {
		Read, Header, Write, Idle time.Duration
		Bytes, Connections        int
	}
	for _, test := range []struct {
		name    string
		options Options
		want    limits
	}{
		{"as ever", Options{
			Read:        time.Minute,
			Write:       time.Hour,
			Idle:        2 * time.Minute,
			Connections: 7,
		},
			limits{time.Minute, 10 * time.Second, time.Hour, 2 * time.Minute, 12 << 10, 7}},
		{"a header in less time", Options{
			Read:        5 * time.Second,
			Connections: 7,
		}, limits{5 * time.Second, 5 * time.Second, 0, 0, 12 << 10, 7}},
		{"for ever", Options{Connections: 7}, limits{0, 0, 0, 0, 12 << 10, 7}},
		{"none", Options{
			Read:        time.Minute,
			Connections: 7,
			NoLimits:    true,
		}, limits{time.Minute, 10 * time.Second, 0, 0, 0, 0}},
	} {
		test.options.Log = slog.New(slog.DiscardHandler)
		s := New(test.options)
		got := limits{
			s.http.ReadTimeout,
			s.http.ReadHeaderTimeout,
			s.http.WriteTimeout,
			s.http.IdleTimeout,
			s.http.MaxHeaderBytes,
			0,
		}
		if bounded, ok := s.listener.(*connections); ok {
			got.Connections = bounded.most
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", test.name, diff)
		}
	}
}

// More connections than the system lets a process open would leave no file to
// the store.
func TestFewerConnections(t *testing.T) {
	t.Parallel()
	files := OpenFiles()
	if files == 0 || files > 1<<30 {
		t.Skip("the system has no limit of open files")
	}
	for asked, want := range map[int]int{
		0:          int(files) - spareFiles,
		int(files): int(files) - spareFiles,
		1:          1,
	} {
		if got := mostConnections(asked, slog.New(slog.DiscardHandler)); got != want {
			t.Errorf("-max-connections %d with %d files: %d, want %d", asked, files, got, want)
		}
	}
}

// How long a client takes to send a body, or to receive an answer, is not the server's
// time.
func TestWorked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		n := NewRequests(nil, 2*time.Second, slog.New(slog.NewTextHandler(&text, nil)), nil)
		handler := tracked(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			time.Sleep(2 * time.Second)
			w.WriteHeader(http.StatusTeapot)
			time.Sleep(time.Hour)
			_, _ = w.Write([]byte("tea"))
		}), n)
		r := httptest.NewRequest("POST", "/", slowBody{strings.NewReader("body")})
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if !strings.Contains(
			text.String(),
			` status=418 bytes=3 client=192.0.2.1 took=2s more=0`,
		) {
			t.Error(text.String())
		}
	})
}

// A slowBody takes an hour for each part.
type slowBody struct{ io.Reader }

func (s slowBody) Read(p []byte) (int, error) {
	time.Sleep(time.Hour)
	return s.Reader.Read(p)
}

// The cost of metrics for a request.
func BenchmarkTracked(b *testing.B) {
	answer := http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	)
	for name, n := range map[string]*Requests{
		"plain": nil,
		"counted": {
			meters: NewMeters(almanactest.Routes),
		},
	} {
		b.Run(name, func(b *testing.B) {
			handler := tracked(answer, n)
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "/", nil)
			b.ReportAllocs()
			for b.Loop() {
				handler.ServeHTTP(w, r)
			}
		})
	}
}
