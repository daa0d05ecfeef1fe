// What is wrong with a seed, and where.

package seed

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
func (p *planter) report(at value, path string, err error) {
	p.problems = append(p.problems, problem{at.at, path, err})
}

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
		where := fmt.Sprintf("%s:%d: ", p.file.name, p.file.line(wrong.at))
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

// within returns the value at a path in another, as venue[1].geo_lat, and the
// path as the file has it: what is no list has no numbers. Of a member that is
// not there it is the value that should have it.
func (v value) within(path string) (found value, actual string) {
	found = v
	for step := range strings.SplitSeq(path, ".") {
		name, number, isItem := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		inside := found.object()
		m := inside.member(name)
		actual += "." + name
		if m.kind() == 0 {
			return found, actual
		}
		list := m.kind() == '['
		if found = m.value; !isItem || !list {
			continue
		}
		n, _ := strconv.Atoi(number)
		for i, item := range m.items() {
			if i == n {
				found = item
			}
		}
		actual += "[" + number + "]"
	}
	return found, actual
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
