package house

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// linesOf counts the lines of the program on Linux by package, without tests, and of all packages.
func linesOf(t *testing.T) map[string]int {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f",
		`{{if not .Standard}}{{.ImportPath}}{{range .GoFiles}}{{"\t"}}{{$.Dir}}/{{.}}{{end}}{{end}}`, ".")
	list.Env, list.Stderr = append(os.Environ(), "GOOS=linux", "GOARCH=amd64"), t.Output()
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for row := range strings.Lines(string(out)) {
		cells := strings.Split(strings.TrimSpace(row), "\t")
		name := strings.TrimPrefix(cells[0], "almanac/")
		for _, file := range cells[1:] {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines[name] += bytes.Count(text, []byte("\n"))
		}
	}
	for _, n := range slices.Collect(maps.Values(lines)) {
		lines["all"] += n
	}
	return lines
}

// The program is small enough to be read: testdata/lines.txt has the limits of packages, of any other
// package, and of all together. With -v the test prints the lines, and with -update it lowers the limits
// to them, rounded up.
func TestLines(t *testing.T) {
	atTop(t)
	t.Parallel()
	const kept, other = "testdata/lines.txt", "other"
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	limits, lines := map[string]int{}, linesOf(t)
	for line := range strings.Lines(string(text)) {
		var name string
		var limit int
		if _, err := fmt.Sscan(line, &name, &limit); err != nil {
			t.Fatalf("%s: %q: %v", kept, line, err)
		}
		if limits[name] = limit; lines[name] == 0 && name != other {
			t.Errorf("%s: there is no package %s", kept, name)
		}
	}
	if limits["all"] == 0 || limits[other] == 0 {
		t.Fatalf("%s has no limit of all packages, or of any other", kept)
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		t.Logf("%6d %s", lines[name], name)
		limit, named := limits[name]
		if !named {
			limit = limits[other]
		}
		if lines[name] > limit {
			t.Errorf("%s has %d lines, and may have %d", name, lines[name], limit)
		}
		if named {
			limits[name] = min(limit, (lines[name]+99)/100*100)
		}
	}
	if !*update || t.Failed() {
		return
	}
	var lower bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if limits[name] > limits[other] || name == other {
			fmt.Fprintf(&lower, "%s %d\n", name, limits[name])
		}
	}
	if err := os.WriteFile(kept, lower.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
