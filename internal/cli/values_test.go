package cli

import (
	"strings"
	"testing"
	"time"
)

func TestParseKeep(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"30d":     30 * day,
		"12h":     12 * time.Hour,
		"0":       0,
		"36h":     36 * time.Hour,
		"0d":      0,
		"100000d": 100000 * day,
	} {
		got, err := ParseKeep(text)
		if err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
		if again, err := ParseKeep(formatKeep(got)); err != nil || again != got {
			t.Errorf("%s is written %s", text, formatKeep(got))
		}
	}
	for _, text := range []string{"", "d", "h", "30", "-1d", "1.5d", "2w", "1h30m", "1000000d", "+1d", "99999999999999999999d"} {
		if _, err := ParseKeep(text); err == nil || !strings.Contains(err.Error(), "30d") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
