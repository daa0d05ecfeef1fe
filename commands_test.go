package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// help returns what a command says of itself.
func help(t *testing.T, args ...string) string {
	t.Helper()
	var out, mistakes strings.Builder
	p := cli.Process{Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &mistakes}
	if status := commands.Main(t.Context(), append([]string{"help"}, args...), p); status != 0 {
		t.Fatalf("help %q: status %d: %s", args, status, &mistakes)
	}
	return out.String()
}

// Every command that help lists, but help itself, has a page in the manual, in which
// every flag of it is in a row of a table. TestDocsFlags in internal/command compares
// their defaults and variables.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	var pages []string
	names, _ := filepath.Glob("docs/*.md") // the pattern is right
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, string(text))
	}
	listed := regexp.MustCompile(`(?m)^    almanac \[?([a-z]+)`).FindAllStringSubmatch(help(t), -1)
	if len(listed) != len(commands)+1 {
		t.Errorf("help lists %d commands, and there are %d", len(listed), len(commands)+1)
	}
	for _, c := range listed {
		name := c[1]
		if name == "help" {
			continue
		}
		var manual strings.Builder
		for _, text := range pages {
			if regexp.MustCompile(`(?m)^\./almanac ` + name + `\b`).MatchString(text) {
				manual.WriteString(text)
			}
		}
		if manual.Len() == 0 {
			t.Errorf("no page of docs/ shows a call of almanac %s", name)
		}
		for _, f := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(help(t, name), -1) {
			if !strings.Contains(manual.String(), "\n| `-"+f[1]+"` |") {
				t.Errorf("no page of docs/ that shows almanac %s has its flag -%s in a table", name, f[1])
			}
		}
	}
}
