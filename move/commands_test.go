package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/apitest"
)

// The manual has every command and every flag.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	apitest.Documented(t, "../docs", program)
}

// The server tells people who ask it for a command of this program where that is.
func TestServerNamesCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../main.go")
	if err != nil {
		t.Fatal(err)
	}
	var named, want []string
	list := regexp.MustCompile(`Moved: +\[\]string\{(.*)\}`).FindStringSubmatch(string(text))
	if list != nil {
		named = strings.Split(strings.ReplaceAll(list[1], `"`, ""), ", ")
	}
	for _, c := range program.Commands {
		if !slices.Contains([]string{"version", "sbom"}, c.Name) {
			want = append(want, c.Name)
		}
	}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Errorf("commands that main.go of almanac names (-there are, +named):\n%s", diff)
	}
}
