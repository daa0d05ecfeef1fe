// The metrics of a server, and their text form.

package httpd

import (
	"maps"
	"net"
	"net/http"
	"runtime"
	rtmetrics "runtime/metrics"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"almanac/internal/api"
	"almanac/internal/cli/build"
	"almanac/internal/serve/metrics"
	"almanac/store"
)

// Meters are the metrics. Their labels are fixed at the start, so that clients cannot add any.
type Meters struct {
	start      time.Time
	operations map[string]*operation // by name; never changed
	refused    map[string]*atomic.Int64
	inFlight   atomic.Int64
	sent, read atomic.Int64 // bytes of bodies

	commits, batches            *metrics.Histogram
	logged, failed, connections atomic.Int64
}

// An operation counts its answers: by the first digit of the status, 0 for none.
type operation struct {
	classes [6]atomic.Int64
	took    *metrics.Histogram
}

// otherName is the label for values without a fixed label.
const otherName = "other"

// limitNames are the values of api.Record.Limit.
var limitNames = []string{
	"rate",
	"wrong-logins",
	"wrong-passwords",
	"max-log-mb",
	"max-names",
	"min-free-mb",
	"max-body-kb",
	"max-query-kb",
	"max-bodies-mb",
	"busy",
	otherName,
}

// NewMeters returns meters for the operations of some routes.
func NewMeters(routes func(func(string, *api.Op))) *Meters {
	m := &Meters{
		start:      time.Now(),
		operations: map[string]*operation{},
		refused:    map[string]*atomic.Int64{},
		commits:    metrics.NewDurations(),
		batches:    metrics.NewHistogram(1, 2, 4, 8, 16, 32, 64, 128, 256),
	}
	add := func(name string) {
		if m.operations[name] == nil {
			m.operations[name] = &operation{took: metrics.NewDurations()}
		}
	}
	routes(func(_ string, op *api.Op) { add(op.Name) })
	for _, name := range []string{"none", "options", otherName} {
		add(name)
	}
	for _, name := range limitNames {
		m.refused[name] = new(atomic.Int64)
	}
	return m
}

// Counts returns the start of the server, and the numbers of requests that were too much, by the
// flag with the limit.
func (m *Meters) Counts() (start time.Time, refused map[string]int64) {
	refused = map[string]int64{}
	for name, n := range m.refused {
		refused[name] = n.Load()
	}
	return m.start, refused
}

// answered counts a request.
func (m *Meters) answered(f *inFlight) {
	op := m.operations[f.record.Operation]
	if op == nil {
		op = m.operations[otherName]
	}
	op.classes[min(f.status/100, 5)].Add(1)
	op.took.Observe(int64(f.worked))
	m.sent.Add(f.bytes)
	m.read.Add(f.read)
	if limit := f.record.Limit; limit != "" {
		n := m.refused[limit]
		if n == nil {
			n = m.refused[otherName]
		}
		n.Add(1)
	}
}

// connection is http.Server.ConnState.
func (m *Meters) connection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		m.connections.Add(-1)
	}
}

// Writing is store.Options.Writing.
func (m *Meters) Writing(transactions, bytes int) func(error) {
	start := time.Now()
	return func(err error) {
		m.commits.Observe(int64(time.Since(start)))
		if err != nil {
			m.failed.Add(1)
			return
		}
		m.batches.Observe(int64(transactions))
		m.logged.Add(int64(bytes))
	}
}

// Measured is a handler that has numbers itself: a api.Server or a fixture.Server.
type Measured interface{ Measure() api.Measures }

// write writes all there is.
func (m *Meters) write(of Measured, st *store.Store) []byte {
	var t metrics.Text
	one := func(begin func(name, help string), name, help string, value float64) {
		begin(name, help)
		t.Sample(value)
	}
	truth := map[bool]float64{true: 1}
	b := build.Read()
	now := of.Measure()
	stats := st.Stats()
	t.Gauge("almanac_build_info", "What the program was built from; always 1.")
	t.Sample(1, "version", b.Version, "commit", b.Commit, "go", b.Go)
	one(
		t.Gauge,
		"process_start_time_seconds",
		"When the server was started, in Unix time.",
		float64(m.start.UnixMilli())/1000,
	)
	one(
		t.Gauge,
		"almanac_ready",
		"Whether the server would work on a request now.",
		truth[now.Ready],
	)
	one(
		t.Gauge,
		"almanac_writable",
		"Whether the disk takes changes and has room.",
		truth[now.Writable],
	)

	names := []string{} // of operations that were asked for
	for name, op := range m.operations {
		for i := range op.classes {
			if op.classes[i].Load() > 0 {
				names = append(names, name)
				break
			}
		}
	}
	slices.Sort(names)
	t.Counter(
		"almanac_http_requests_total",
		"Requests by operation and first digit of the status; none was broken off.",
	)
	for _, name := range names {
		for i := range m.operations[name].classes {
			class := "none"
			if i > 0 {
				class = strconv.Itoa(i) + "xx"
			}
			if n := m.operations[name].classes[i].Load(); n > 0 || i == 2 || i >= 4 {
				t.Sample(float64(n), "operation", name, "class", class)
			}
		}
	}
	t.Distribution(
		"almanac_http_request_duration_seconds",
		"From the header of a request to the header of its answer, without the time in which its body came.",
	)
	for _, name := range names {
		t.Histogram(m.operations[name].took, "operation", name)
	}
	one(
		t.Counter,
		"almanac_http_response_bytes_total",
		"Bytes of the bodies of answers.",
		float64(m.sent.Load()),
	)
	one(
		t.Counter,
		"almanac_http_request_bytes_total",
		"Bytes of the bodies of requests that were read.",
		float64(m.read.Load()),
	)
	one(
		t.Gauge,
		"almanac_http_requests_in_flight",
		"Requests that are read, worked on or answered.",
		float64(m.inFlight.Load()),
	)
	one(
		t.Gauge,
		"almanac_http_requests_working",
		"Requests that are worked on; -max-requests limits them.",
		float64(now.Working),
	)
	one(
		t.Gauge,
		"almanac_http_connections",
		"Connections that are open.",
		float64(m.connections.Load()),
	)
	t.Counter(
		"almanac_http_refused_total",
		"Requests that were too much, by the flag with the limit.",
	)
	for _, name := range limitNames {
		t.Sample(float64(m.refused[name].Load()), "limit", name)
	}
	t.Counter(
		"almanac_cache_lookups_total",
		"Looks for records and answers in the cache, by whether they were there.",
	)
	t.Sample(float64(now.Cache.Hits), "result", "hit")
	t.Sample(float64(now.Cache.Misses), "result", "miss")
	one(t.Gauge, "almanac_cache_bytes", "Bytes of the cache in use.", float64(now.Cache.Bytes))
	one(
		t.Gauge,
		"almanac_cache_entries",
		"Records and answers in the cache.",
		float64(now.Cache.Entries),
	)

	t.Gauge("almanac_records", "Records of the calendar, by kind.")
	for _, kind := range slices.SortedFunc(maps.Keys(stats.Records), func(a, b store.Kind) int { return int(a) - int(b) }) {
		t.Sample(float64(stats.Records[kind]), "kind", kind.String())
	}
	one(
		t.Counter,
		"almanac_store_transactions_total",
		"Number of the last transaction.",
		float64(stats.Transactions),
	)
	t.Distribution(
		"almanac_store_batch_transactions",
		"Transactions that were made durable together.",
	)
	t.Histogram(m.batches)
	t.Distribution(
		"almanac_store_commit_duration_seconds",
		"Time in which a batch of transactions was written and synced.",
	)
	t.Histogram(m.commits)
	one(
		t.Counter,
		"almanac_store_commit_failures_total",
		"Batches that the disk did not take.",
		float64(m.failed.Load()),
	)
	one(
		t.Counter,
		"almanac_store_log_written_bytes_total",
		"Bytes written to the log.",
		float64(m.logged.Load()),
	)
	one(
		t.Gauge,
		"almanac_store_log_unsaved_bytes",
		"Bytes of log since the last snapshot, which a start reads.",
		float64(stats.Unsaved),
	)
	if !stats.Snapshot.IsZero() {
		one(
			t.Gauge,
			"almanac_store_snapshot_timestamp_seconds",
			"When the last snapshot was taken, Unix time.",
			float64(stats.Snapshot.Unix()),
		)
	}
	if free, err := st.Free(); err == nil {
		one(
			t.Gauge,
			"almanac_store_free_bytes",
			"Bytes that the disk of the data has left.",
			float64(free),
		)
	}
	one(t.Gauge, "go_goroutines", "Goroutines that exist.", float64(runtime.NumGoroutine()))
	heap := []rtmetrics.Sample{{
		Name: "/memory/classes/heap/objects:bytes",
	}, {
		Name: "/memory/classes/total:bytes",
	}}
	rtmetrics.Read(heap)
	one(
		t.Gauge,
		"go_memstats_heap_alloc_bytes",
		"Bytes of objects on the heap.",
		float64(heap[0].Value.Uint64()),
	)
	one(
		t.Gauge,
		"go_memstats_sys_bytes",
		"Bytes that the system has handed out.",
		float64(heap[1].Value.Uint64()),
	)
	return t.Bytes()
}
