// Errors in a seed, with their positions.

package seed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A problem is an error at a position of the file.
type problem struct {
	at   int    // offset
	path string // of the member, as events[2].start_date; "" is the file
	err  error
}

// maxProblems limits the problems in an error.
const maxProblems = 5

func (p *planter) report(at int, path string, err error) {
	p.problems = append(p.problems, problem{at, path, err})
}

// line returns the line of an offset, from 1.
func (p *planter) line(at int) int { return 1 + bytes.Count(p.text[:at], []byte("\n")) }

// verdict returns the error with the first problems in the order of the file, one per line, as
// "small.json:14: events[2].start_date: …".
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

// step returns the name of a member as an element of a path.
func step(name string) string {
	if len(name) <= 60 && isName(strings.TrimPrefix(name, "$")) {
		return name
	}
	return fmt.Sprintf("%.60q", name)
}

// suggestion returns the end of an error about an unknown word: a known word that is its prefix or
// has it as prefix, or differs only in punctuation and letter case.
func suggestion(word string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	word = plain(word)
	for _, k := range known {
		if p := plain(k); len(word) > 2 && len(p) > 2 &&
			(strings.HasPrefix(p, word) || strings.HasPrefix(word, p)) {
			return "; did you mean " + k + "?"
		}
	}
	return ""
}
