// Comparing: rounds on two servers by turns, and the table of their figures.

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// byTurns runs rounds on sides, which change places in each of them, and returns the results of
// each side.
func byTurns[T any](rounds, sides int, run func(side, number int) (T, error)) ([][]T, error) {
	all := make([][]T, sides)
	for number := range rounds {
		for turn := range sides {
			side := turn
			if number%2 == 1 {
				side = sides - 1 - turn
			}
			measured, err := run(side, number)
			if err != nil {
				return nil, err
			}
			all[side] = append(all[side], measured)
		}
	}
	return all, nil
}

// requests measures a row on servers that run, one alone beside L.
func (m *measurement) requests(r row, servers []*server) (err error) {
	var asked [][]request
	var sizes []int // bytes of all answers
	for _, s := range servers {
		s.err = nil
		requests := r.requests(m.calendar, s, m.different)
		s.answers(requests...) // asked again, a server begins to keep an answer
		answers := map[string]answer{}
		size := 0
		for i, a := range s.answers(requests...) {
			answers[requests[i].uri] = a
			size += len(a.Body)
		}
		if s.err != nil {
			return s.err
		}
		asked = append(asked, requests)
		sizes = append(sizes, size)
		if m.base == "" {
			l, err := launchBare(answers)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.stop()) }()
			servers = append(servers, l)
			asked = append(asked, requests)
		}
	}
	rounds, err := byTurns(m.rounds, len(servers), func(side, number int) (round, error) {
		return servers[side].load(asked[side], r.connections, number*numbersPerRound, m.length)
	})
	if err != nil {
		return err
	}
	add(
		m.table,
		r.name,
		"requests/s",
		true,
		rounds,
		func(r round) float64 { return float64(r.requests) / r.elapsed.Seconds() },
	)
	add(m.table, r.name, "processor µs", false, rounds, func(r round) float64 {
		return float64(r.processor.Microseconds()) / float64(r.requests)
	})
	if r.connections == 1 {
		add(
			m.table,
			r.name,
			"ms, median",
			false,
			rounds,
			func(r round) float64 { return milliseconds(r.median) },
		)
	}
	if len(sizes) > 1 && (sizes[0] > sizes[1]*101/100 || sizes[1] > sizes[0]*101/100) {
		fmt.Fprintf(
			m.w,
			"  answers of different length: %d bytes now, %d of base\n",
			sizes[0],
			sizes[1],
		)
	}
	return nil
}

// A table prints rows below headings.
type table struct {
	w      io.Writer
	beside string // the second column of figures
	failed int    // rows
}

const (
	columns = "%-44s %-22s %9s %9s %6s %-13s %s"
	// worse is the ratio beside another version below which a row is marked.
	worse = 0.9
)

func (t *table) heading(text string) {
	fmt.Fprintf(t.w, "\n%s\n", text)
	t.line("row", "figure", "now", t.beside, "ratio", "(min-max)", "")
}

func (t *table) line(cells ...any) {
	fmt.Fprintln(t.w, strings.TrimRight(fmt.Sprintf(columns, cells...), " "))
}

// add prints a figure of the rounds of one server or two, and their ratio. more says that more
// is better.
func add[T any](t *table, name, what string, more bool, rounds [][]T, figure func(T) float64) {
	values := make([][]float64, len(rounds))
	ratios := []float64{}
	for i, all := range rounds {
		for number, one := range all {
			values[i] = append(values[i], figure(one))
			if i == 1 {
				ratios = append(ratios, values[0][number]/values[1][number])
			}
		}
	}
	median, low, high := spread(values[0])
	base := ""
	ratio := ""
	verdict := ""
	if len(values) > 1 {
		middle, _, _ := spread(values[1])
		base = number(middle)
		middle, low, high = spread(ratios)
		ratio = number(middle)
		if t.beside == "base" && (more && middle < worse || !more && middle > 1/worse) {
			verdict = "worse"
		}
	}
	if median > 0 { // else the system does not tell
		t.line(
			name,
			what,
			number(median),
			base,
			ratio,
			"("+number(low)+"-"+number(high)+")",
			verdict,
		)
	}
}

// fail prints why there is no figure.
func (t *table) fail(name string, err error) {
	t.failed++
	fmt.Fprintf(t.w, "%-44s failed: %v\n", name, err)
}

// spread returns the middle of some numbers, and how far they reach.
func spread(numbers []float64) (median, low, high float64) {
	n := slices.Sorted(slices.Values(numbers))
	return (n[(len(n)-1)/2] + n[len(n)/2]) / 2, n[0], n[len(n)-1]
}

// number writes a number with about three digits.
func number(f float64) string {
	digits := 2
	if f >= 100 {
		digits = 0
	} else if f >= 10 {
		digits = 1
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}
