// Calendars that are imported, and what became of them.

package cmdtest

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Sample returns the name of one of our own calendars.
func Sample(name string) string { return filepath.Join("testdata", "import", name) }

// An Object is a JSON object.
type Object = map[string]any

// Shown asks a server for a list.
func Shown(t testing.TB, s *Server, path, list string) []any {
	t.Helper()
	answer, err := s.Client.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body Object
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil ||
		answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v, %v", path, answer.Status, err, body)
	}
	return body[list].([]any)
}

// Sums adds up the columns of a table.
func Sums(t testing.TB, table string) []int {
	t.Helper()
	sums := make([]int, 4)
	table, _, _ = strings.Cut(table, "\npictures ")
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		for i, field := range strings.Fields(line)[1:] {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatalf("table line %q: %v", line, err)
			}
			sums[i] += n
		}
	}
	return sums
}
