package metrics_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/serve/metrics"
)

// The text is as the format has it, whatever is in labels and help.
func TestText(t *testing.T) {
	t.Parallel()
	var text metrics.Text
	text.Counter("a_total", "Some \\ of\nit.")
	text.Sample(3)
	text.Sample(1e21, "label", "\"\\\n\xffé", "more", "")
	text.Gauge("b", "B.")
	text.Sample(-0.25, "x", "y")
	text.Distribution("c_seconds", "C.")
	h := metrics.NewDurations()
	for _, d := range []time.Duration{0, 100 * time.Microsecond, 100*time.Microsecond + 1, time.Second, time.Hour} {
		h.Observe(int64(d))
	}
	text.Histogram(h, "of", "it")
	text.Distribution("d", "D.")
	n := metrics.NewHistogram(1, 2)
	n.Observe(2)
	text.Histogram(n)
	want := `# HELP a_total Some \\ of\nit.
# TYPE a_total counter
a_total 3
a_total{label="\"\\\n` + "\uFFFD" + `é",more=""} 1e+21
# HELP b B.
# TYPE b gauge
b{x="y"} -0.25
# HELP c_seconds C.
# TYPE c_seconds histogram
c_seconds_bucket{of="it",le="0.0001"} 2
c_seconds_bucket{of="it",le="0.00025"} 3
c_seconds_bucket{of="it",le="0.0005"} 3
c_seconds_bucket{of="it",le="0.001"} 3
c_seconds_bucket{of="it",le="0.0025"} 3
c_seconds_bucket{of="it",le="0.005"} 3
c_seconds_bucket{of="it",le="0.01"} 3
c_seconds_bucket{of="it",le="0.025"} 3
c_seconds_bucket{of="it",le="0.05"} 3
c_seconds_bucket{of="it",le="0.1"} 3
c_seconds_bucket{of="it",le="0.25"} 3
c_seconds_bucket{of="it",le="1"} 4
c_seconds_bucket{of="it",le="5"} 4
c_seconds_bucket{of="it",le="+Inf"} 5
c_seconds_sum{of="it"} 3601.000200001
c_seconds_count{of="it"} 5
# HELP d D.
# TYPE d histogram
d_bucket{le="1"} 0
d_bucket{le="2"} 1
d_bucket{le="+Inf"} 1
d_sum 2
d_count 1
`
	if diff := cmp.Diff(want, string(text.Bytes())); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// Goroutines count together without losing any.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	h := metrics.NewHistogram(10)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 1000 {
				h.Observe(int64(i % 20))
			}
		})
	}
	all.Wait()
	var text metrics.Text
	text.Distribution("d", "D.")
	text.Histogram(h)
	want := "# HELP d D.\n# TYPE d histogram\nd_bucket{le=\"10\"} 4400\nd_bucket{le=\"+Inf\"} 8000\nd_sum 76000\nd_count 8000\n"
	if diff := cmp.Diff(want, string(text.Bytes())); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

func BenchmarkObserve(b *testing.B) {
	h := metrics.NewDurations()
	for b.Loop() {
		h.Observe(int64(3 * time.Millisecond))
	}
}
