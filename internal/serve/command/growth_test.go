package command

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// titled finds which change of an event a list shows.
var titled = regexp.MustCompile(`"title":"Change (\d+)"`)

// Behind two of the nginx of docs/growth.md many clients ask for a list while an event of it
// changes every second: few requests reach the server, nobody sees anything older than twice
// the time of -shared-cache, and nobody is told that the server is away when it is. The long
// form, of .ci/caches, has a thousand clients for a minute.
func TestManyReaders(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("the caches of docs/growth.md are not tried out: there is no nginx on this machine")
	}
	clients := 20
	long := 6 * time.Second
	away := 2 * time.Second
	shared := time.Second
	if os.Getenv("ALMANAC_CACHES") != "" {
		clients = 1000
		long = time.Minute
		away = 10 * time.Second
		shared = 10 * time.Second
	}
	blocks := slices.DeleteFunc(
		blocksOf(t, "docs/growth.md"),
		func(b block) bool { return b.lang != "nginx" },
	)
	flags := []string{
		"-data",
		t.TempDir(),
		"-trusted-proxies",
		"127.0.0.1",
		"-shared-cache",
		shared.String(),
	}
	s := startServer(t, flags...)
	const listed = "/events?start_date=2030-01-01&end_date=2032-01-01"
	const event = `{"title":"Change 0","start_date":"2031-01-01 12:00:00","end_date":"2031-01-01 13:00:00"}`
	s.Admin().Must(t, "POST", v1+"/events", event)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	var reached atomic.Int64
	var slowest atomic.Int64 // request that reached the server: a cache shows older lists by as much
	proxy := httputil.NewSingleHostReverseProxy(at)
	proxy.ErrorHandler = func(_ http.ResponseWriter, _ *http.Request, _ error) { panic(http.ErrAbortHandler) }
	counting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		arrived := time.Now()
		proxy.ServeHTTP(w, r)
		for took := int64(time.Since(arrived)); ; {
			if before := slowest.Load(); took <= before || slowest.CompareAndSwap(before, took) {
				break
			}
		}
	}))
	t.Cleanup(counting.Close)
	var fronts []caller
	for range 2 {
		nginx, client := startNginx(t, blocks[0].text, counting.URL)
		client.Transport.(*http.Transport).MaxIdleConnsPerHost = clients
		fronts = append(fronts, caller{URL: "https://" + nginx.String(), Client: client})
		fronts[len(fronts)-1].Must(
			t,
			"GET",
			v1+listed,
			"",
		) // so that there is something to show when the server is away
	}

	began := time.Now()
	var mu sync.Mutex // guards what is below
	written := []time.Time{began}
	var asked, failed int
	var failure string // the first one
	var oldest time.Duration
	end := time.After(long)
	stopped := make(chan struct{})
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for {
				sent := time.Now()
				resp, err := fronts[i%2].Client.Get(fronts[i%2].URL + v1 + listed)
				var body []byte
				if err == nil {
					body, err = io.ReadAll(resp.Body)
					resp.Body.Close()
				}
				mu.Lock()
				asked++
				if found := titled.FindSubmatch(body); err != nil ||
					resp.StatusCode != http.StatusOK ||
					found == nil {
					if failed++; failed == 1 {
						failure = fmt.Sprintf(
							"asked after %v: %v, %.200s",
							sent.Sub(began),
							err,
							body,
						)
					}
				} else if n, _ := strconv.Atoi(string(found[1])); n+1 < len(written) {
					oldest = max(oldest, sent.Sub(written[n+1]))
				}
				mu.Unlock()
				select {
				case <-tick.C:
				case <-stopped:
					return
				}
			}
		})
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	killed := time.After(long / 2)
	down := false
	var back <-chan time.Time
	for running := true; running; {
		select {
		case <-tick.C:
			mu.Lock()
			n := len(written)
			mu.Unlock()
			if down {
				continue
			}
			a := s.Admin().Do(t, "PATCH", v1+"/events/1", fmt.Sprintf(`{"title":"Change %d"}`, n))
			if a.Status != http.StatusOK {
				t.Errorf("a change: %d %s", a.Status, a.Body)
			}
			mu.Lock()
			written = append(written, time.Now())
			mu.Unlock()
		case <-killed:
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
			down = true
			back = time.After(away)
		case <-back:
			token := s.Token
			s = startServer(t, append(flags, "-addr", strings.TrimPrefix(s.URL, "http://"))...)
			s.Token = token
			down = false
		case <-end:
			running = false
		}
	}
	close(stopped)
	all.Wait()
	t.Logf(
		"%d clients asked %d times in %v, of which %d reached the server; the oldest that was shown was %v old when "+
			"it was asked for, and %v is promised; %d failed, while the server was away for %v",
		clients,
		asked,
		long,
		reached.Load(),
		oldest.Round(time.Millisecond),
		2*shared,
		failed,
		away,
	)
	if failed > 0 {
		t.Errorf("%d of %d answers failed, the first one %s", failed, asked, failure)
	}
	// nginx counts each of the two times in whole seconds.
	if most := 2*shared + 2*time.Second + 2*time.Duration(slowest.Load()); oldest > most {
		t.Errorf("a list was shown that was %v old, and at most %v is promised", oldest, 2*shared)
	}
	if n := reached.Load(); n == 0 || int(n) > asked/2 {
		t.Errorf("%d of %d requests reached the server", n, asked)
	}
}
