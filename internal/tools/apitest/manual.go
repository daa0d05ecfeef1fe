// The manual says what programs take.

package apitest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// Documented holds the manual, in a folder, to the help of a program: every command that help
// lists, but help itself, has a page, in which every flag of it is in a row of a table.
// TestDocsFlags in internal/serve/command compares their defaults and variables.
func Documented(t *testing.T, manual string, program cli.Program) {
	t.Helper()
	var pages []string
	names, _ := filepath.Glob(filepath.Join(manual, "*.md")) // the pattern is right
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, string(text))
	}
	listed := regexp.MustCompile(`(?m)^    `+program.Name+` \[?([a-z]+)`).
		FindAllStringSubmatch(help(t, program), -1)
	if len(listed) != len(program.Commands)+1 {
		t.Errorf("help lists %d commands, and there are %d", len(listed), len(program.Commands)+1)
	}
	for _, c := range listed {
		name := c[1]
		if name == "help" {
			continue
		}
		var shown strings.Builder
		for _, text := range pages {
			if regexp.MustCompile(`(?m)^\./` + program.Name + ` ` + name + `\b`).MatchString(text) {
				shown.WriteString(text)
			}
		}
		if shown.Len() == 0 {
			t.Errorf("no page of docs/ shows a call of %s %s", program.Name, name)
		}
		for _, f := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(help(t, program, name), -1) {
			if !strings.Contains(shown.String(), "\n| `-"+f[1]+"` |") {
				t.Errorf(
					"no page of docs/ that shows %s %s has its flag -%s in a table",
					program.Name,
					name,
					f[1],
				)
			}
		}
	}
}

// help returns what a program or a command says of itself.
func help(t *testing.T, program cli.Program, args ...string) string {
	t.Helper()
	var out, mistakes strings.Builder
	p := cli.Process{Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &mistakes}
	if status := program.Main(t.Context(), append([]string{"help"}, args...), p); status != 0 {
		t.Fatalf("help %q: status %d: %s", args, status, &mistakes)
	}
	return out.String()
}

// flagRow is a row of a table of flags: the flag, its default, and its variable.
var flagRow = regexp.MustCompile("(?m)^\\| `-([a-z-]+)` \\| (.*?) \\| .* \\| (`[A-Z_]+`|none) \\|$")

// DocumentedFlags holds a table of a page to the flags of a command. inWords has the defaults that
// are not values, by the names of command and flag: "serve clock".
func DocumentedFlags(t *testing.T, page string, flags *cli.FlagSet, inWords map[string]string) {
	t.Helper()
	got := map[string][2]string{}
	want := map[string][2]string{}
	for _, row := range flagRow.FindAllStringSubmatch(page, -1) {
		got[row[1]] = [2]string{row[2], row[3]}
	}
	flags.VisitAll(func(f *flag.Flag) {
		value := "`" + f.DefValue + "`"
		name := "`" + cli.Variable(f.Name) + "`"
		switch words := inWords[flags.Name()+" "+f.Name]; {
		case words != "":
			value = words
		case f.DefValue == "":
			value = "none"
		case f.DefValue == "false":
			value = "off"
		case f.DefValue == "true":
			value = "on"
		}
		if slices.Contains(flags.Typed, f.Name) {
			name = "none"
		}
		want[f.Name] = [2]string{value, name}
	})
	for name, is := range want {
		if got[name] != is {
			t.Errorf("%s -%s: the manual has %q, want %q", flags.Name(), name, got[name], is)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s has no flag -%s, which the manual has", flags.Name(), name)
		}
	}
}
