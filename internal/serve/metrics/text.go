// Package metrics counts, and writes what was counted as Prometheus reads it: its text
// format 0.0.4.
//
// Counting takes no lock: counters and the parts of a Histogram are single numbers,
// each changed by one instruction. A Text is written by one goroutine.
package metrics

import (
	"math"
	"strconv"
	"strings"
)

// ContentType is that of a Text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// A Text is metrics in families: first Counter, Gauge or Distribution, then the
// samples of that family.
type Text struct {
	b      []byte
	family string
}

// Bytes returns the text.
func (t *Text) Bytes() []byte { return t.b }

// Counter begins a family of numbers that only grow while the process lives. Its name
// ends in _total.
func (t *Text) Counter(name, help string) { t.begin(name, "counter", help) }

// Gauge begins a family of numbers.
func (t *Text) Gauge(name, help string) { t.begin(name, "gauge", help) }

// Distribution begins a family of Histograms.
func (t *Text) Distribution(name, help string) { t.begin(name, "histogram", help) }

func (t *Text) begin(name, kind, help string) {
	t.family = name
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help)
	t.b = append(t.b, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
}

// Sample writes a number of the family. Labels are names, each with its value.
func (t *Text) Sample(value float64, labels ...string) { t.sample("", value, labels) }

var values = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (t *Text) sample(suffix string, value float64, labels []string) {
	t.b = append(append(t.b, t.family...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		before := byte(',')
		if i == 0 {
			before = '{'
		}
		t.b = append(append(t.b, before), labels[i]...)
		t.b = append(
			append(t.b, `="`...),
			values.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD"))...)
		t.b = append(t.b, '"')
	}
	if len(labels) > 1 {
		t.b = append(t.b, '}')
	}
	t.b = append(strconv.AppendFloat(append(t.b, ' '), value, 'g', -1, 64), '\n')
}

// Histogram writes the samples of a Histogram.
func (t *Text) Histogram(h *Histogram, labels ...string) {
	sum := h.sum.Load()
	n := uint64(0)
	for i := range h.counts {
		n += h.counts[i].Load()
		bound := math.Inf(1)
		if i < len(h.bounds) {
			bound = float64(h.bounds[i]) / h.per
		}
		t.sample(
			"_bucket",
			float64(n),
			append(
				labels[:len(labels):len(labels)],
				"le",
				strconv.FormatFloat(bound, 'g', -1, 64),
			),
		)
	}
	t.sample("_sum", float64(sum)/h.per, labels)
	t.sample("_count", float64(n), labels)
}
