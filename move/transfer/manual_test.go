package transfer

import (
	"os"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/tools/apitest"
)

// The table of flags says what import takes, all of it and nothing else.
func TestDocsFlags(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/import.md")
	if err != nil {
		t.Fatal(err)
	}
	flags, _ := cli.Declare("import", "", (*importSettings).flags)
	apitest.DocumentedFlags(t, string(text), flags, nil)
}
