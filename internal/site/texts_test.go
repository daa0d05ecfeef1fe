package site

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/i18n"

	"github.com/google/go-cmp/cmp"
)

// TestSiteTexts looks for the texts of pages in templates and code: none is missing, none
// is left over.
func TestSiteTexts(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../wire/pages/*.go", "../wire/pages/theme/*.html", "*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || found == nil {
			t.Fatal(pattern, err)
		}
		files = append(files, found...)
	}
	var asked []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			asked = append(
				asked,
				regexp.MustCompile(`"site\.[a-z-]+"`).FindAllString(string(text), -1)...)
		}
	}
	for i := range asked {
		asked[i] = strings.Trim(asked[i], `"`)
	}
	slices.Sort(asked)
	there := slices.DeleteFunc(
		i18n.English().Keys(),
		func(key string) bool { return !strings.HasPrefix(key, "site.") },
	)
	if diff := cmp.Diff(slices.Compact(asked), there); diff != "" {
		t.Errorf("texts (-asked +there):\n%s", diff)
	}
}
