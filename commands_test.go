package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
				t.Errorf(
					"no page of docs/ that shows almanac %s has its flag -%s in a table",
					name,
					f[1],
				)
			}
		}
	}
}

// Each command refuses a mistyped address, as a mistake in the command line, before it connects to
// a site or makes a file.
func TestMistypedAddresses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	data := filepath.Join(dir, "data")
	archive := filepath.Join(dir, "archive")
	list := write("list.json", `{"events":[]}`)
	names := []string{"list.json"}
	const nobody = "http://127.0.0.1:1"
	for i, address := range []string{"", "old.example.org", "ftp://old.example.org", "file:///etc/passwd", "https://%zz", "https:///x",
		"https://:8080/", "http:old.example.org", "https://https://old.example.org", "https://old.example.org:99999", "https://a b/"} {
		sources := fmt.Sprintf("sources%d.json", i)
		names = append(names, sources)
		calls := [][]string{
			{"adopt", "-archive", archive, address},
			{"compare", address},
			{"compare", "-with", address, nobody},
			{
				"conform",
				address,
			},
			{
				"pull",
				"-data",
				data,
				write(sources, fmt.Sprintf(`[{"name":"a","url":%q,"as":"keep"}]`, address)),
			},
		}
		if address != "" {
			calls = append(
				calls,
				[]string{"adopt", "-archive", archive, "-to", address, "-token", "x", nobody},
				[]string{
					"import",
					"-to",
					address,
					"-token",
					"x",
					list,
				},
			)
		}
		for _, call := range calls {
			var mistakes strings.Builder
			p := cli.Process{
				Getenv: func(string) string { return "" },
				Stdout: &mistakes,
				Stderr: &mistakes,
			}
			if status := commands.Main(t.Context(), call, p); status != 2 ||
				!strings.Contains(mistakes.String(), "http") {
				t.Errorf("%q: status %d, %s", call, status, &mistakes)
			}
		}
	}
	var made []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		made = append(made, e.Name())
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, made); err != nil || diff != "" {
		t.Errorf("%v; files (-want, +got):\n%s", err, diff)
	}
}
