package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/cli/build"
)

// asked runs a command of the program, and returns what it prints.
func asked(t *testing.T, args ...string) string {
	t.Helper()
	var out, mistakes lockedBuffer
	if err := run(t.Context(), args, cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: &out,
		Stderr: &mistakes,
	}); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// The program says what it was built from, and which file it is: version in words and as JSON,
// sbom in both forms of bills.
func TestVersion(t *testing.T) {
	t.Parallel()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	toolchain := build.Read().Go
	for _, args := range [][]string{{"version", "-full"}, {"version", "-json"}, {"sbom"}, {"sbom", "-format", "spdx"}} {
		got := asked(t, args...)
		if !strings.Contains(got, hash) ||
			!strings.Contains(got, strings.TrimPrefix(toolchain, "go")) {
			t.Errorf(
				"%q does not name the toolchain %s and the hash %s: %s",
				args,
				toolchain,
				hash,
				got,
			)
		}
		if args[0] == "sbom" || args[1] == "-json" {
			if !json.Valid([]byte(got)) {
				t.Errorf("%q printed no JSON: %s", args, got)
			}
		}
	}
	if got := asked(t, "version"); got != "almanac "+build.Read().Version+"\n" {
		t.Errorf("version printed %q", got)
	}
	var out lockedBuffer
	err = run(t.Context(), []string{"sbom", "-format", "xml"}, cli.Process{
		Getenv: func(string) string { return "" },
		Stdout: &out,
		Stderr: &out,
	})
	if cli.Status(err) != 2 || !strings.Contains(err.Error(), "must be cyclonedx or spdx") {
		t.Errorf("a form that there is not: %v", err)
	}
}
