package house

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// This file keeps tests from failing because a machine is busy.

// hasty matches limits in seconds on the time that a test waits.
var hasty = regexp.MustCompile(
	`(WithTimeout\(|WithDeadline\(|time\.Now\(\)\.Add\(|time\.After\(|\bTimeout:|\.Timeout = )[^\n]*` +
		`\btime\.(Second|Millisecond)\b`,
)

// No test waits for less than minutes, and a package may take hours: a machine ten times slower
// than another passes the tests too. The time of testing/synctest is not that of a machine.
func TestPatience(t *testing.T) {
	atTop(t)
	t.Parallel()
	for _, name := range filesEnding(t, "_test.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"testing/synctest"`) {
			continue
		}
		for _, line := range hasty.FindAllString(string(text), -1) {
			t.Errorf("%s has a limit that a busy machine meets: %s", name, line)
		}
	}
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^GOTESTSUM = .* -- .*-timeout \dh\b`).Match(text) {
		t.Error(
			"the Makefile sets no -timeout of hours for the tests: without it go test ends a package after ten minutes",
		)
	}
}
