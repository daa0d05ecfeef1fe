package house

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds docs/ARCHITECTURE.md to the code: the packages of the program and their promises, and the
// places of the functions that it names.

// A promise is the first sentence of a package comment, without the name.
var promise = regexp.MustCompile(`(?s)^// Package (\w+) (.*?)(\.\s|:\n//\n)`)

// The table of docs/ARCHITECTURE.md has the packages of the program and their promises. With -update it is
// written anew.
func TestArchitecture(t *testing.T) {
	atTop(t)
	const file = "docs/ARCHITECTURE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?s)\| Package \| Promise \|.*?\n\n`).ReplaceAllLiteral(text, []byte(packageTable(t)+"\n"))
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("%s does not describe the program; make update writes it (-want, +got):\n%s", file, diff)
	}
}

// packageTable makes the table of the packages that are linked into the program.
func packageTable(t *testing.T) string {
	t.Helper()
	var rows []string
	for _, p := range goList(t, "-deps", ".") {
		name, ours := below(p.ImportPath)
		if !ours {
			continue
		}
		says := ""
		for _, base := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, base))
			if err != nil {
				t.Fatal(err)
			}
			comment := regexp.MustCompile(`(?m)^(//.*\n)+package `).Find(text)
			m := promise.FindSubmatch(comment)
			if m == nil {
				continue
			}
			if string(m[1]) != filepath.Base(p.ImportPath) {
				t.Errorf("%s: the package comment is that of package %s", filepath.Join(name, base), m[1])
			}
			says = strings.ReplaceAll(strings.ReplaceAll(string(m[2]), "\n//", ""), "|", "\\|")
		}
		if name == "" {
			name, says = "main", "has the table of commands and the list of routes"
		}
		if says == "" {
			t.Errorf("package %s has no comment that says what it promises", name)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", name, says))
	}
	slices.Sort(rows)
	return "| Package | Promise |\n|---|---|\n" + strings.Join(rows, "")
}

// Every function that docs/ARCHITECTURE.md places in a file is there, and so is every
// package and file that it and docs/CONTRIBUTING.md name.
func TestArchitectureNames(t *testing.T) {
	atTop(t)
	t.Parallel()
	functions := 0
	for _, document := range []string{"docs/ARCHITECTURE.md", "docs/CONTRIBUTING.md", "docs/reading.md"} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.Join(strings.Fields(string(text)), " ") // a name may be on the line before its file
		for _, m := range regexp.MustCompile("`(\\w+)` (?:in|of) `([\\w./]+\\.go)`").FindAllStringSubmatch(plain, -1) {
			functions++
			code, err := os.ReadFile(m[2])
			if err != nil || !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |	)`+m[1]+`\b`).Match(code) {
				t.Errorf("%s: there is no %s in %s (%v)", document, m[1], m[2], err)
			}
		}
		for _, m := range regexp.MustCompile("`([\\w.-]+(?:/[\\w.*-]+)+|\\w+\\.(?:go|md))`").FindAllStringSubmatch(plain, -1) {
			files, err := filepath.Glob(m[1])
			if (err != nil || len(files) == 0) && m[1] != "net/http" && m[1] != "encoding/json" {
				t.Errorf("%s: there is no %s", document, m[1])
			}
		}
	}
	if functions < 15 {
		t.Errorf("found only %d functions", functions)
	}
	reading, err := os.ReadFile("docs/reading.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range goList(t, "-deps", ".") {
		if name, ours := below(p.ImportPath); ours && !regexp.MustCompile("`"+name+"[`/]").Match(reading) && name != "" && name != "store" {
			t.Errorf("docs/reading.md says nothing of package %s", name)
		}
	}
}

// The index of the manual leads to every page.
func TestIndexOfManual(t *testing.T) {
	atTop(t)
	t.Parallel()
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob("docs/*.md") // the pattern is right
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
}
