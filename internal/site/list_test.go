package site

// A test of the descriptions of pages.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A description has the parts that say something, and ends within 200 letters.
func TestDescription(t *testing.T) {
	got := []string{
		description("Coming events", "", "Jazz"),
		description("", "Jazz"),
		description(strings.Repeat("é", 201)),
	}
	if diff := cmp.Diff([]string{"Coming events · Jazz", "Jazz", strings.Repeat("é", 199) + "…"}, got); diff != "" {
		t.Errorf("descriptions (-want +got):\n%s", diff)
	}
}
