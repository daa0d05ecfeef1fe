package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds docs/ARCHITECTURE.md to the code: the places of the functions that it names.

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
		plain := strings.Join(
			strings.Fields(string(text)),
			" ",
		) // a name may be on the line before its file
		for _, m := range regexp.MustCompile("`(\\w+)` (?:in|of) `([\\w./]+\\.go)`").FindAllStringSubmatch(plain, -1) {
			functions++
			code, err := os.ReadFile(m[2])
			if err != nil ||
				!regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |	)`+m[1]+`\b`).
					Match(code) {
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
	for _, p := range goList(t, "-deps", ".", "./move") {
		if name, ours := below(p.ImportPath); ours &&
			!regexp.MustCompile("`"+name+"[`/]").Match(reading) &&
			name != "" &&
			name != "store" {
			t.Errorf("docs/reading.md says nothing of package %s", name)
		}
	}
}

// The afternoon of docs/reading.md is one: it names whole files, of 3,000 lines at most.
func TestAfternoon(t *testing.T) {
	atTop(t)
	t.Parallel()
	text, err := os.ReadFile("docs/reading.md")
	if err != nil {
		t.Fatal(err)
	}
	_, afternoon, _ := strings.Cut(string(text), "\n## An afternoon\n")
	table, _, _ := strings.Cut(afternoon, "\n\nIf there is")
	lines, files := 0, 0
	for _, m := range regexp.MustCompile("`([\\w./]+\\.go)`").FindAllStringSubmatch(table, -1) {
		code, err := os.ReadFile(m[1])
		if err != nil {
			t.Error(err)
		}
		files++
		lines += strings.Count(string(code), "\n")
	}
	if files < 10 || lines > 3000 {
		t.Errorf("%d files have %d lines; an afternoon has at most 3,000", files, lines)
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
		if name := filepath.Base(page); name != "README.md" &&
			!strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
}

// make update runs the tests of each package that write what they compare with.
func TestUpdate(t *testing.T) {
	atTop(t)
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, target, _ := strings.Cut(string(makefile), "\nupdate:\n")
	target, _, _ = strings.Cut(target, "\n\n")
	named := strings.Fields(target)
	found := 0
	err = filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), "flag.Bool("+`"update"`) {
			found++
			if dir := path.Join(".", filepath.ToSlash(filepath.Dir(name))); !slices.Contains(
				named,
				strings.TrimSuffix("./"+dir, "/."),
			) {
				t.Errorf("%s has -update, and make update does not run ./%s", name, dir)
			}
		}
		return err
	})
	if err != nil || found < 5 {
		t.Errorf("%d packages, %v", found, err)
	}
}

// Each nginx of the manual lets the largest picture through.
func TestProxiesTakePictures(t *testing.T) {
	atTop(t)
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	servers := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```nginx\n") {
			block, _, _ = strings.Cut(block, "```")
			if i == 0 || !strings.Contains(block, "server {") {
				continue
			}
			if servers++; !strings.Contains(block, "client_max_body_size 21m;") {
				t.Errorf("%s: an nginx refuses pictures of more than a megabyte:\n%s", page, block)
			}
		}
	}
	if servers < 5 {
		t.Errorf("%d of them", servers)
	}
}

// make help has a line for each target, with what it does.
func TestHelpOfMake(t *testing.T) {
	atTop(t)
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("make", "-s", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, phony, _ := strings.Cut(string(makefile), "\n.PHONY: ")
	phony, _, _ = strings.Cut(phony, "\n")
	var got []string
	for line := range strings.Lines(string(out)) {
		target, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if got = append(got, target); len(strings.TrimSpace(text)) < 10 {
			t.Errorf("%s: nothing is said about it", target)
		}
	}
	if diff := cmp.Diff(strings.Fields(phony), got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}
