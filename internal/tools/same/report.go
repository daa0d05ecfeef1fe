// Differences, told apart by their shape.

package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A report gathers differences. Differences of one shape are written once, with their number.
type report struct {
	part     string
	changing *regexp.Regexp // text that differs from run to run

	mu        sync.Mutex // guards the fields below
	asked     int        // of this part
	different int        // of all parts
	shapes    map[string]*shape
}

// A shape is a difference, without its numbers.
type shape struct {
	n     int
	first string
}

var digits = regexp.MustCompile(`\d+`)

// compare notes an answer of both.
func (r *report) compare(a asked, answers [2]answer) {
	text := difference(answers[0], answers[1])
	r.mu.Lock()
	r.asked++
	r.mu.Unlock()
	if text != "" {
		r.note(a.String(), text)
	}
}

// note notes a difference.
func (r *report) note(where, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.different++
	key := digits.ReplaceAllString(text, "0")
	if i := strings.Index(key, "\n"); len(key) > 200 {
		key = key[:max(200, i)]
	}
	if r.shapes[key] == nil {
		r.shapes[key] = &shape{first: where + "\n" + text}
	}
	r.shapes[key].n++
}

// print prints the part, and forgets it.
func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d compared, %d shapes of differences\n", r.part, r.asked, len(r.shapes))
	for _, s := range slices.SortedFunc(maps.Values(r.shapes), func(a, b *shape) int { return b.n - a.n }) {
		fmt.Fprintf(w, "%d times, first %s\n\n", s.n, s.first)
	}
	r.asked = 0
	clear(r.shapes)
}

// difference says how two answers differ: "" if they do not.
func difference(base, now answer) string {
	var b strings.Builder
	if base.status != now.status {
		fmt.Fprintf(&b, "  status %d, now %d\n", base.status, now.status)
	}
	names := map[string]bool{}
	for _, header := range []http.Header{base.header, now.header} {
		for name := range header {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "Content-Length" && len(base.body) != len(now.body) &&
			base.header[name] != nil &&
			now.header[name] != nil {
			continue // which the body shows
		}
		if was, is := strings.Join(base.header[name], " | "), strings.Join(now.header[name], " | "); was != is {
			fmt.Fprintf(&b, "  %s: %s\n  now %s\n", name, was, is)
		}
	}
	if !bytes.Equal(base.body, now.body) {
		was, is := around(base.body, now.body)
		fmt.Fprintf(&b, "  body …%s…\n  now  …%s…\n", was, is)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// around returns the place where two texts begin to differ.
func around(a, b []byte) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	cut := func(text []byte) string {
		return strings.ReplaceAll(string(text[max(0, i-60):min(len(text), i+140)]), "\n", "⏎")
	}
	return cut(a), cut(b)
}
