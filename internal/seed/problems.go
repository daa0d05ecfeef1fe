// What is wrong with a seed, and where.

package seed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A problem is what is wrong at a place of a file.
type problem struct {
	at   int    // offset
	path string // of the member, as events[2].start_date; "" is the file
	err  error
}

// maxProblems is how many problems an error tells.
const maxProblems = 5

// report notes a problem.
func (p *planter) report(at int, path string, err error) {
	p.problems = append(p.problems, problem{at, path, err})
}

// line returns the number of the line, from 1, that an offset is in.
func (p *planter) line(at int) int { return 1 + bytes.Count(p.text[:at], []byte("\n")) }

// verdict returns the error for what was noted: a line for each of the first few
// problems in the order of the file, as "small.json:14: events[2].start_date: …".
func (p *planter) verdict() error {
	slices.SortStableFunc(p.problems, func(a, b problem) int { return cmp.Compare(a.at, b.at) })
	var lines []error
	for i, wrong := range p.problems {
		if i == maxProblems {
			lines = append(lines, fmt.Errorf("and %d more", len(p.problems)-maxProblems))
			break
		}
		where := fmt.Sprintf("%s:%d: ", p.name, p.line(wrong.at))
		if wrong.path != "" {
			where += wrong.path + ": "
		}
		lines = append(lines, fmt.Errorf("%s%w", where, wrong.err))
	}
	return errors.Join(lines...)
}

// step writes the name of a member for a path.
func step(name string) string {
	if len(name) <= 60 && isName(strings.TrimPrefix(name, "$")) {
		return name
	}
	return fmt.Sprintf("%.60q", name)
}

// suggestion ends an error about a word that is none of some: one of which it is
// the beginning, or the other way round, or that differs in signs and in letter
// case.
func suggestion(word string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r == ' ' {
				return -1
			}
			return r
		}, s))
	}
	word = plain(word)
	for _, k := range known {
		if p := plain(k); len(word) > 2 && len(p) > 2 && (strings.HasPrefix(p, word) || strings.HasPrefix(word, p)) {
			return "; did you mean " + k + "?"
		}
	}
	return ""
}
