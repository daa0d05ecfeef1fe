package command

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every row of docs/differences.md has sections in the conversation that shows what
// it says, and every section a row; TestConversations plays them.
func TestDifferencesAreShown(t *testing.T) {
	numbers := func(file, pattern string) (found []string) {
		text := readFile(t, file)
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		return found
	}
	rows := numbers("docs/differences.md", `(?m)^\| ([A-Z]\d+) \| .+ \| .+ \| .*\|$`)
	sections := slices.Compact(numbers("testdata/conversations/differences.txt", `(?m)^== ([A-Z]\d+) `))
	if len(rows) == 0 {
		t.Error("docs/differences.md has no rows")
	}
	if diff := cmp.Diff(rows, sections); diff != "" {
		t.Errorf("rows of docs/differences.md, and sections of the conversation (-rows +sections):\n%s", diff)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), "](docs/differences.md)") {
		t.Errorf("README.md does not lead to docs/differences.md (%v)", err)
	}
}
