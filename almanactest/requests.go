// Expectations about the recorded requests.

package almanactest

import (
	"fmt"
	"slices"
	"strings"
)

// WantRequests compares the requests that were seen with those that a test expects, all
// of them in their order, and fails the test if they are not the same:
//
//	srv.WantRequests("GET /cal/events/v1/events?per_page=5 200", "POST /cal/events/v1/events 201")
//
// Each is method, path, query and the status of the answer, which is 0 if there was none.
func (s *Server) WantRequests(want ...string) {
	s.tb.Helper()
	if got := s.asked(); !slices.Equal(want, got) {
		s.tb.Errorf(
			"almanactest: not the requests that are wanted (-wanted, +seen):\n%s",
			difference(want, got),
		)
	}
}

// WantRequest returns the one request for an operation, such as "events.create". The test
// ends there if there was none, or more than one.
func (s *Server) WantRequest(operation string) Request {
	s.tb.Helper()
	requests := s.Requests()
	found := slices.DeleteFunc(
		slices.Clone(requests),
		func(r Request) bool { return r.Operation != operation },
	)
	if len(found) == 1 {
		return found[0]
	}
	var seen strings.Builder
	for _, r := range requests {
		fmt.Fprintf(&seen, "\n\t%s\t%s", r.Operation, requestLine(r))
	}
	if len(requests) == 0 {
		seen.WriteString(" nothing")
	}
	s.tb.Fatalf("almanactest: %d requests for %s, want one; seen:%s", len(found), operation, &seen)
	return Request{}
}

// asked returns the requests that were seen as WantRequests has them.
func (s *Server) asked() (lines []string) {
	for _, r := range s.Requests() {
		lines = append(lines, requestLine(r))
	}
	return lines
}

// requestLine returns a request on a line.
func requestLine(r Request) string {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	return fmt.Sprintf("%s %s %d", r.Method, target, r.Status)
}

// difference returns two lists as one, in which the fewest lines are marked as missing or
// as added.
func difference(want, got []string) string {
	// same[i][j] is how many lines want[i:] and got[j:] have in common, in their order.
	same := make([][]int, len(want)+1)
	for i := range same {
		same[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if same[i][j] = max(same[i+1][j], same[i][j+1]); want[i] == got[j] {
				same[i][j] = same[i+1][j+1] + 1
			}
		}
	}
	var lines strings.Builder
	for i, j := 0, 0; i < len(want) || j < len(got); {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			fmt.Fprintf(&lines, "  %s\n", want[i])
			i = i + 1
			j = j + 1
		case j == len(got) || i < len(want) && same[i+1][j] >= same[i][j+1]:
			fmt.Fprintf(&lines, "- %s\n", want[i])
			i++
		default:
			fmt.Fprintf(&lines, "+ %s\n", got[j])
			j++
		}
	}
	return lines.String()
}
