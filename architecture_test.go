package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds ARCHITECTURE.md to the code: how many lines each package of the
// program has and what it promises, how many lines an auditor reads, and where the
// functions are that it names.

// A promise is the first sentence of a package comment, without the name.
var promise = regexp.MustCompile(`(?s)^// Package (\w+) (.*?)(\.\s|:\n//\n)`)

// The tables of ARCHITECTURE.md say what the program is made of. With -update
// they are written anew.
func TestArchitecture(t *testing.T) {
	const file = "ARCHITECTURE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?s)\| Package \| Lines \|.*?\n\n`).ReplaceAllLiteral(text, []byte(packageTable(t)+"\n"))
	want = ledger(t, readingPath(t, want))
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("%s is not what the program is made of; go test -run TestArchitecture . -update writes it (-want, +got):\n%s", file, diff)
	}
}

// packageTable makes the table of the packages that are linked into the program.
func packageTable(t *testing.T) string {
	t.Helper()
	var rows []string
	sum := 0
	for _, p := range goList(t, "-deps", ".") {
		name, ours := below(p.ImportPath)
		if !ours {
			continue
		}
		lines, says := 0, ""
		for _, base := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, base))
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(text, []byte("\n"))
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
		rows = append(rows, fmt.Sprintf("| `%s` | %d | %s |\n", name, lines, says))
		sum += lines
	}
	slices.Sort(rows)
	return "| Package | Lines | What it promises |\n|---|--:|---|\n" + strings.Join(rows, "") + fmt.Sprintf("| all | %d | |\n", sum)
}

// readingPath returns the text with the lines of the files that an auditor reads, and
// of those in the ledger of speed.
func readingPath(t *testing.T, text []byte) []byte {
	t.Helper()
	sum := 0
	text = row.ReplaceAllFunc(text, func(cells []byte) []byte {
		found := row.FindSubmatch(cells)
		lines := linesOf(t, filesOf(t, string(found[2])))
		if found[1][0] <= '9' { // a step, not a piece of the ledger
			sum += lines
		}
		return fmt.Appendf(nil, "| %s | %s | %d |", found[1], found[2], lines)
	})
	return regexp.MustCompile(`(?m)^\| \| all \| \d+ \|`).ReplaceAllLiteral(text, fmt.Appendf(nil, "| | all | %d |", sum))
}

// row finds rows of tables that name files in their second column and count their lines in the third.
var row = regexp.MustCompile("(?m)^\\| ([^|\n]+) \\| (`[^|]*`) \\| (\\d+) \\|")

// ledger returns the text with the lines of what the program can do beside keeping
// records, of the files in the ledger of speed that are not among these, and of all others.
// A file counts once.
func ledger(t *testing.T, text []byte) []byte {
	t.Helper()
	counted := make(map[string]bool)
	count := func(names string) int {
		files := slices.DeleteFunc(filesOf(t, names), func(file string) bool { return counted[file] })
		for _, file := range files {
			counted[file] = true
		}
		return linesOf(t, files)
	}
	left := 0
	if found := regexp.MustCompile(`(?m)^\| all \| (\d+) \|`).FindSubmatch(text); found != nil {
		left, _ = strconv.Atoi(string(found[1]))
	}
	piece := regexp.MustCompile("\\((`[^():]*`): (\\d+)")
	text = piece.ReplaceAllFunc(text, func(found []byte) []byte {
		names := string(piece.FindSubmatch(found)[1])
		lines := count(names)
		left -= lines
		return fmt.Appendf(nil, "(%s: %d", names, lines)
	})
	fast := 0
	for _, cells := range row.FindAllSubmatch(text, -1) {
		if cells[1][0] > '9' {
			fast += count(string(cells[2]))
		}
	}
	return regexp.MustCompile(`takes \d+ more, and\s\d+ are left`).ReplaceAllFunc(text, func(found []byte) []byte {
		space := regexp.MustCompile(`and(\s)`).FindSubmatch(found)[1]
		return fmt.Appendf(nil, "takes %d more, and%s%d are left", fast, space, left-fast)
	})
}

// filesOf returns the files of the program on Linux, and tests that are named themselves,
// that a text names in backquotes.
func filesOf(t *testing.T, text string) (all []string) {
	t.Helper()
	for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(text, -1) {
		files, err := filepath.Glob(name[1])
		if err != nil || len(files) == 0 {
			t.Errorf("ARCHITECTURE.md: there is no %s", name[1])
		}
		for _, file := range files {
			if len(files) == 1 || !regexp.MustCompile(`_(test|other|windows|darwin)\.go$`).MatchString(file) {
				all = append(all, file)
			}
		}
	}
	return all
}

func linesOf(t *testing.T, files []string) (lines int) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	return lines
}

// Every function that ARCHITECTURE.md places in a file is there, and so is every
// package and file that it and CONTRIBUTING.md name.
func TestArchitectureNames(t *testing.T) {
	t.Parallel()
	functions := 0
	for _, document := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
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
}

// What a visitor reads first is short.
func TestShortDocuments(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > 200 {
			t.Errorf("%s has %d lines, more than 200", name, n)
		}
	}
}
