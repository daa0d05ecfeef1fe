package command

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/serve/metrics"
)

// samples are the numbers of a text of metrics, by name and labels.
type samples map[string]float64

// A sampleLine is a name, labels and a number.
var sampleLine = regexp.MustCompile(
	`^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)+)\})? ([-+0-9.e]+)$`,
)

// scrape reads metrics, and checks their form: every family has its help and its kind,
// once and before its samples, and no sample comes twice.
func scrape(t testing.TB, url string) samples {
	t.Helper()
	a, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != 200 ||
		a.Header.Get(
			"Content-Type",
		) != metrics.ContentType || a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %v", a.StatusCode, a.Header, err)
	}
	all, _ := parseSamples(t, string(text))
	return all
}

// parseSamples returns the samples of a text, and which of them only grow.
func parseSamples(t testing.TB, text string) (all samples, growing map[string]bool) {
	t.Helper()
	all = samples{}
	growing = map[string]bool{}
	kinds := map[string]string{}
	family := ""
	helped := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# HELP "); ok {
			helped, _, _ = strings.Cut(name, " ")
			continue
		}
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			var kind string
			if family, kind, _ = strings.Cut(name, " "); family != helped || kinds[family] != "" {
				t.Errorf("%s without help, or twice", family)
			}
			kinds[family] = kind
			if strings.HasSuffix(family, "_total") != (kind == "counter") {
				t.Errorf("%s is a %s", family, kind)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil ||
			m[1] != family &&
				!(kinds[family] == "histogram" && strings.HasPrefix(m[1], family+"_")) {
			t.Errorf("not of family %s, or no sample: %s", family, line)
			continue
		}
		key, _, _ := strings.Cut(line, " ")
		if _, twice := all[key]; twice {
			t.Errorf("twice: %s", line)
		}
		var err error
		if all[key], err = strconv.ParseFloat(m[3], 64); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		growing[key] = kinds[family] != "gauge"
	}
	return all, growing
}

// metered starts the program, confined, with an address for metrics.
func metered(t *testing.T, flags ...string) (c caller, url string, cmd *exec.Cmd) {
	t.Helper()
	cmd = serveCommand(t, filepath.Join(t.TempDir(), "data"))
	cmd.Args = append(append(cmd.Args, "-metrics-addr", "127.0.0.1:0"), flags...)
	ready := startProcess(t, cmd)
	return caller{URL: ready.URL, Token: ready.Token, Client: http.DefaultClient}, ready.Metrics, cmd
}

// Metrics say what has happened, and labels are of a list that no client makes longer.
func TestMetrics(t *testing.T) {
	t.Parallel()
	c, url, _ := metered(t, "-max-query-kb", "1", "-wrong-logins", "1/h")
	before := scrape(t, url)
	fill(t, c)
	for i := range 3 {
		c.Must(t, "GET", v1+"/events?page=1&per_page=5", "")
		c.As("").Must(t, "GET", v1+"/venues", "")
		c.Do(t, "GET", fmt.Sprintf("/nothing/%d", i), "")
		c.As(fmt.Sprintf("wrong %d", i)).Do(t, "GET", v1+"/events", "")
	}
	c.Do(t, "GET", v1+"/events?search="+strings.Repeat("x", 2000), "")
	after := scrape(t, url)
	grown := func(key string, least, most float64) {
		t.Helper()
		if n := after[key] - before[key]; n < least || n > most {
			t.Errorf("%s has grown by %v, want %v to %v", key, n, least, most)
		}
	}
	grown(`almanac_http_requests_total{operation="none",class="4xx"}`, 3, 3)
	grown(`almanac_http_requests_total{operation="events.list",class="2xx"}`, 3, 20)
	grown(`almanac_http_requests_total{operation="events.list",class="4xx"}`, 4, 4)
	grown(`almanac_http_request_duration_seconds_count{operation="none"}`, 3, 3)
	grown(`almanac_http_refused_total{limit="max-query-kb"}`, 1, 1)
	grown(`almanac_http_refused_total{limit="wrong-logins"}`, 2, 2)
	grown(`almanac_http_refused_total{limit="other"}`, 0, 0)
	grown(`almanac_http_response_bytes_total`, 1000, 1e6)
	grown(`almanac_http_request_bytes_total`, 100, 1e6)
	grown(`almanac_cache_lookups_total{result="hit"}`, 1, 1e4)
	grown(`almanac_store_transactions_total`, 3, 100)
	grown(`almanac_store_commit_duration_seconds_count`, 3, 100)
	grown(`almanac_store_log_written_bytes_total`, 1000, 1e6)
	grown(`almanac_records{kind="events"}`, 1, 100)
	if n := after["almanac_store_batch_transactions_sum"]; n != after["almanac_store_transactions_total"] {
		t.Errorf(
			"%v transactions in batches, %v in all",
			n,
			after["almanac_store_transactions_total"],
		)
	}
	for key, want := range map[string]float64{
		"almanac_ready":                       1,
		"almanac_writable":                    1,
		"almanac_http_requests_in_flight":     0,
		"almanac_http_requests_working":       0,
		"almanac_store_commit_failures_total": 0,
	} {
		if n, ok := after[key]; n != want || !ok {
			t.Errorf("%s is %v", key, n)
		}
	}
	for _, key := range []string{"almanac_http_connections", "go_goroutines", "go_memstats_heap_alloc_bytes", "process_start_time_seconds",
		"almanac_cache_bytes", "almanac_store_free_bytes", "almanac_store_log_unsaved_bytes"} {
		if after[key] <= 0 {
			t.Errorf("%s is %v", key, after[key])
		}
	}
	series := len(after)
	for i := range 300 {
		c.Do(t, "GET", fmt.Sprintf("/made/up/%d?x=%d", i, i), "")
		c.Do(t, fmt.Sprintf("METHOD%d", i), fmt.Sprintf("%s/events/%d", v1, i), "")
	}
	if more := len(scrape(t, url)) - series; more > 100 {
		t.Errorf("made-up requests have made %d samples more", more)
	}
	for path, status := range map[string]int{
		"/":                404,
		"/metrics/":        404,
		"/_almanac/health": 404,
		v1 + "/events":     404,
	} {
		if a, err := http.Get(strings.TrimSuffix(url, "/metrics") + path); err != nil ||
			a.StatusCode != status {
			t.Errorf("%s: %v %v", path, a, err)
		}
	}
	if a := c.Do(t, "GET", "/metrics", ""); a.Status != 404 {
		t.Errorf("at the address of the calendar: %d", a.Status)
	}
}

// A thousand scrapes at once are answered, those who do not read them keep nobody from
// doing so for long, and the calendar notices neither.
func TestManyScrapes(t *testing.T) {
	t.Parallel()
	c, url, cmd := metered(t)
	address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/metrics")
	for i := range 8 { // some say nothing, some read nothing
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			fmt.Fprint(conn, "GET /metrics HTTP/1.1\r\nHost: a.example\r\n\r\n")
		}
	}
	var failed atomic.Int64
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 1000 {
		all.Go(func() {
			a, err := client.Get(url)
			if err != nil {
				failed.Add(1)
				return
			}
			defer a.Body.Close()
			if text, err := io.ReadAll(a.Body); err != nil ||
				!strings.HasSuffix(string(text), "\n") ||
				a.StatusCode != 200 {
				failed.Add(1)
			}
		})
	}
	for range 20 {
		c.Must(t, "GET", v1+"/events", "")
	}
	all.Wait()
	if n := failed.Load(); n > 0 {
		t.Errorf("%d of 1000 scrapes failed", n)
	}
	terminate(t, cmd)
}

// An address for metrics that is taken is an error before anything is made.
func TestMetricsAddressInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := filepath.Join(t.TempDir(), "data")
	for _, address := range []string{l.Addr().String(), "nonsense"} {
		err := serveOnce(t, on(dir, "-metrics-addr", address)...)
		if cli.Status(err) != 2 || !strings.Contains(err.Error(), "-metrics-addr") ||
			!strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if left, _ := filepath.Glob(dir); left != nil {
		t.Errorf("the server that did not start left %s", dir)
	}
}

// Metrics tell of a disk that takes nothing, and that it does again.
func TestMetricsOfFullDisk(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	cmd := childCommand(t, d.dir, d.users, limits{File: 20_000})
	cmd.Args = append(cmd.Args, "-metrics-addr", "127.0.0.1:0")
	s := startProcess(t, cmd)
	d.caller = caller{URL: s.URL, Token: "token of admin", Client: http.DefaultClient}
	a := d.create(t)
	for ; a.Status == http.StatusCreated; a = d.create(t) {
	}
	d.isUnavailable(t, "the first write too many", a)
	got := scrape(t, s.Metrics)
	if got["almanac_writable"] != 0 || got["almanac_ready"] != 1 ||
		got["almanac_store_commit_failures_total"] != 1 ||
		got[`almanac_http_requests_total{operation="events.create",class="5xx"}`] != 1 ||
		got[`almanac_records{kind="events"}`] != float64(len(d.titles)) {
		t.Errorf("of a full disk: %v", got)
	}
}
