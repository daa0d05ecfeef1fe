// The table: a row per figure, printed as soon as it is known.

package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

// A row is one figure of a case.
type row struct {
	name, what string
	ours       spread
	bare       spread // all zero when there is none
	ratio      spread // of ours to bare, by rounds; all zero when there is none
	goal       goal
}

// A goal is a limit of a row's ratio or, when absolute, of its own figure. The
// zero goal is none.
type goal struct {
	limit    float64
	most     bool // the limit is the largest that will do, else the smallest
	absolute bool
}

func atLeast(limit float64) goal      { return goal{limit: limit} }
func atMost(limit float64) goal       { return goal{limit: limit, most: true} }
func atMostItself(limit float64) goal { return goal{limit: limit, most: true, absolute: true} }

// met reports whether a number is within the goal.
func (g goal) met(number float64) bool {
	if math.IsNaN(number) {
		return false
	}
	return g.most && number <= g.limit || !g.most && number >= g.limit
}

func (g goal) String() string {
	if g.limit == 0 {
		return ""
	}
	sign, of := ">=", " L"
	if g.most {
		sign = "<="
	}
	if g.absolute {
		of = ""
	}
	return fmt.Sprintf("%s %.4g%s", sign, g.limit, of)
}

// A table prints rows below a heading.
type table struct {
	w              io.Writer
	goals, reached int
}

const columns = "%-34s %-22s %10s %10s %7s %-13s %-10s %s\n"

func (t *table) heading(text string) {
	fmt.Fprintf(t.w, "\n%s\n", text)
	fmt.Fprintf(t.w, columns, "case", "figure", "almanac", "L", "ratio", "(min-max)", "goal", "met")
}

func (t *table) add(rows ...row) {
	for _, r := range rows {
		bare, ratio, span := "", "", ""
		if r.bare != (spread{}) {
			bare, ratio, span = number(r.bare.median), fmt.Sprintf("%.2f", r.ratio.median), fmt.Sprintf("(%.2f-%.2f)", r.ratio.low, r.ratio.high)
		} else if r.ours.low != r.ours.high {
			span = "(" + number(r.ours.low) + "-" + number(r.ours.high) + ")"
		}
		met := ""
		if r.goal.limit != 0 {
			judged := r.ratio.median
			if r.goal.absolute {
				judged = r.ours.median
			}
			t.goals++
			met = "no"
			if r.goal.met(judged) {
				t.reached++
				met = "yes"
			}
		}
		fmt.Fprintf(t.w, columns, r.name, r.what, number(r.ours.median), bare, ratio, span, r.goal, met)
	}
}

// note prints a line below the rows.
func (t *table) note(format string, args ...any) { fmt.Fprintf(t.w, "  "+format+"\n", args...) }

// number writes a number with about three digits.
func number(f float64) string {
	switch {
	case f == 0:
		return "0"
	case math.Abs(f) >= 100:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case math.Abs(f) >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}
