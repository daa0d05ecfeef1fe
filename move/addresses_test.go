package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/cli"
)

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
			if status := program.Main(t.Context(), call, p); status != 2 ||
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
