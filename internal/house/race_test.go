package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file compares the Makefile with the tests that run with the race detector, and without it.

// variable returns the words of a variable in the Makefile.
func variable(t *testing.T, name, separator string) []string {
	t.Helper()
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	value := regexp.MustCompile(`(?m)^` + name + ` += (.*)$`).FindStringSubmatch(joined)
	if value == nil {
		t.Fatalf("the Makefile has no %s", name)
	}
	prefixed := regexp.MustCompile(`\$\(addprefix ([^,]*),([^)]*)\)`).ReplaceAllStringFunc(value[1], func(call string) string {
		prefix, words, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(call, "$(addprefix "), ")"), ",")
		return prefix + strings.Join(strings.Fields(words), " "+prefix)
	})
	words := strings.FieldsFunc(prefixed, func(c rune) bool { return strings.ContainsRune(separator, c) })
	slices.Sort(words)
	return words
}

// shares reports whether a file starts goroutines or guards something from them.
func shares(f *ast.File) (found bool) {
	for _, imported := range f.Imports {
		found = found || imported.Path.Value == `"sync"` || imported.Path.Value == `"sync/atomic"`
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			found = true
		}
		return !found
	})
	return found
}

// Every package in which goroutines meet runs with the race detector, and every
// test in these that begins with race.Alone or race.AloneInTurn runs without it.
func TestRace(t *testing.T) {
	t.Parallel()
	var raced, alone, aloneIn []string
	for _, p := range goList(t, "./...") {
		name, _ := below(p.ImportPath)
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			found = found || shares(parsed)
			begins := regexp.MustCompile(`func (Test\w+)\(t \*testing\.T\) {\n\trace\.Alone(?:InTurn)?\(t\)`)
			for _, match := range begins.FindAllStringSubmatch(string(text), -1) {
				alone, aloneIn = append(alone, match[1]), append(aloneIn, "./"+name)
			}
		}
		if found {
			raced = append(raced, "./"+name)
		}
	}
	slices.Sort(raced)
	if diff := cmp.Diff(raced, variable(t, "RACED", " \t")); diff != "" {
		t.Errorf("RACED in the Makefile (-goroutines meet, +listed):\n%s", diff)
	}
	slices.Sort(alone)
	if diff := cmp.Diff(alone, variable(t, "ALONE", "|")); diff != "" {
		t.Errorf("ALONE in the Makefile (-begin with race.Alone, +listed):\n%s", diff)
	}
	slices.Sort(aloneIn)
	if diff := cmp.Diff(slices.Compact(aloneIn), variable(t, "ALONE_IN", " \t")); diff != "" {
		t.Errorf("ALONE_IN in the Makefile (-have tests that begin with race.Alone, +listed):\n%s", diff)
	}
}
