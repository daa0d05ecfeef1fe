package house

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the file of counts anew")

// atTop changes to the directory of the module, at which the paths of the tests begin. Each test calls it first: go test
// knows which files a test reads, and runs it again when one has changed, only if the directory is changed by a test.
func atTop(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("go.mod"); err == nil {
		return
	}
	if err := os.Chdir("../.."); err != nil {
		t.Fatal(err)
	}
}

// begins matches the start of a sentence or of a clause.
const begins = `(?:^|[.;:!?] )`

// rules are forms of sentences that have to be read twice. Each has a name for the file of counts.
var rules = []struct {
	name string
	re   *regexp.Regexp
}{
	{"clause", regexp.MustCompile(begins + `(?:[Ww]hat|[Ww]ho|[Ww]hoever|[Tt]hose)\b(?:[^?]*?[.;]|[^?]*$)`)},
	{"pronoun", regexp.MustCompile(`\b(?:is|are|of|to|by|from) (?:what|who|whoever|those that|those who)\b`)},
	{"of which", regexp.MustCompile(`\bof (?:which|others|those|none)\b`)},
	{"no noun", regexp.MustCompile(`\b(?:one that|the others|so many)\b`)},
	{"so", regexp.MustCompile(`\b(?:that is so|does so|none of)\b`)},
}

// fieldWords is the longest comment of a field, in words.
const fieldWords = 12

// glossary has words that stand for standard ones, which may not be identifiers. Wall is a type of the store, which
// it explains.
var glossary = regexp.MustCompile(`^(?i:shell|mark|visitor|piece|held|bodies|guest|spare|heldList|longList|freshList|validated|atOnce|` +
	`strangers|moved|Subscription|variant|latched|seal|trail|torn|walk|span|runners|Residual|closed)$|^wall$`)

// A finding is a sentence, or an identifier, that a rule is about.
type finding struct{ file, rule, text string }

// examine returns the findings of a file of Go.
func examine(name string, text []byte) (found []finding, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, group := range file.Comments {
		found = append(found, examineText(name, strings.Join(strings.Fields(group.Text()), " "))...)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if words := strings.Fields(n.Comment.Text()); len(words) > fieldWords {
				found = append(found, finding{name, "field", strings.Join(words, " ")})
			}
		case *ast.Ident:
			if n.Obj == nil && glossary.MatchString(n.Name) {
				found = append(found, finding{name, "glossary", n.Name})
			}
		}
		return true
	})
	return found, nil
}

// examineText returns the findings of a text.
func examineText(name, text string) (found []finding) {
	for _, rule := range rules {
		for _, at := range rule.re.FindAllStringIndex(text, -1) {
			found = append(found, finding{name, rule.name, text[at[0]:min(len(text), at[1]+60)]})
		}
	}
	return found
}

// Each sentence of a comment is understood at first reading. The file has the number of exceptions by
// package, which may only fall: -update writes it anew.
func TestProse(t *testing.T) {
	atTop(t)
	t.Parallel()
	counts := map[string]int{}
	var all []finding
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := examine(path, text)
		all = append(all, found...)
		if len(found) > 0 {
			counts[filepath.ToSlash(filepath.Dir(path))] += len(found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const kept = "testdata/prose.txt"
	var text bytes.Buffer
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&text, "%s %d\n", dir, counts[dir])
	}
	if *update {
		if err := os.WriteFile(kept, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(was)) {
		var dir string
		var n int
		if _, err := fmt.Sscan(line, &dir, &n); err != nil {
			t.Fatalf("%s: %q: %v", kept, line, err)
		}
		allowed[dir] = n
	}
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		if counts[dir] > allowed[dir] {
			t.Errorf("%s has %d sentences that have to be read twice, and had %d:", dir, counts[dir], allowed[dir])
			for _, f := range all {
				if filepath.ToSlash(filepath.Dir(f.file)) == dir {
					t.Logf("%s: %s: %s", f.file, f.rule, f.text)
				}
			}
		}
	}
	for dir, n := range allowed {
		if counts[dir] < n {
			t.Errorf("%s has %d of %d left: go test ./internal/house -update keeps that", dir, counts[dir], n)
		}
	}
}

// Each rule finds its form, and leaves others alone.
func TestRulesOfProse(t *testing.T) {
	atTop(t)
	t.Parallel()
	for text, want := range map[string]string{
		"What is stored is sent.":             "clause",
		"It is sent; those are stored.":       "clause",
		"It tells of what was stored.":        "pronoun",
		"It is of none that was stored.":      "of which",
		"It takes one that is stored.":        "no noun",
		"It returns whether that is so.":      "so",
		"Len returns the number of records.":  "",
		"The function reports what it found.": "",
		"What is it for?":                     "",
	} {
		got := ""
		for _, f := range examineText("", text) {
			got = cmp.Or(got, f.rule)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
