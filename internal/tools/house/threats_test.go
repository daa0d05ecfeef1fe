package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// This file holds the documents to the tests that they name.

// namedTest is a test in a document: `rest: TestName` of the package rest, or
// `TestName` of the commands, of this package or of main.
var namedTest = regexp.MustCompile("`(?:([a-z]+): )?((?:Test|Fuzz)[A-Z]\\w*)`")

// testsOf returns the names of the tests of a package, "" for the commands, this package and main.
func testsOf(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	dirs := []string{".", "move", "internal/serve/command", "internal/tools/house"}
	if pkg != "" {
		dirs = []string{pkg, "*/" + pkg, "*/*/" + pkg, "*/*/*/" + pkg}
	}
	var files []string
	for _, dir := range dirs {
		in, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, in...)
	}
	found := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				found[f.Name.Name] = true
			}
		}
	}
	return found
}

// Every test that a document names is there.
func TestNamedTests(t *testing.T) {
	atTop(t)
	t.Parallel()
	known := map[string]map[string]bool{}
	for _, document := range filesEnding(t, ".md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, match := range namedTest.FindAllStringSubmatch(line, -1) {
				pkg := match[1]
				name := match[2]
				if known[pkg] == nil {
					known[pkg] = testsOf(t, pkg)
				}
				if !known[pkg][name] {
					t.Errorf("%s:%d: there is no %s in package %q", document, i+1, name, pkg)
				}
			}
		}
	}
}

// Every row of the tables of docs/THREATS.md names a test.
func TestThreats(t *testing.T) {
	atTop(t)
	t.Parallel()
	text, err := os.ReadFile("docs/THREATS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if line == "" && i > 0 && i+1 < len(lines) && strings.HasPrefix(lines[i-1], "|") &&
			strings.HasPrefix(lines[i+1], "|") {
			t.Errorf("docs/THREATS.md:%d: this blank line ends the table", i+1)
		}
		if regexp.MustCompile(`^\| [RWSF][0-9]+ \|`).MatchString(line) {
			if rows++; !namedTest.MatchString(line) {
				t.Errorf("docs/THREATS.md:%d: no test shows that: %s", i+1, line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("docs/THREATS.md has %d rows that this test knows", rows)
	}
}
