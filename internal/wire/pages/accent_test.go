package pages

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

// Each colour that is taken can be read in both schemes, and each refusal names a better colour.
func TestAccent(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"--ground: #fdfcf9", "--panel: #f3f0e8", "--accent: " + HouseAccent, "--ground: #17191d",
		"--panel: #22262c"} {
		if !strings.Contains(string(Style), name) {
			t.Error("our style sheet has no", name)
		}
	}
	colours := regexp.MustCompile(`--accent: #[0-9a-f]{6} `)
	for text, refused := range map[string]string{
		HouseAccent: "",
		"#000000":   "",
		"#0b5d3b":   "",
		"#0000ff":   "",
		"#ffcc00":   "#",
		"#ffffff":   "#",
		"#777777":   "#",
		"":          HouseAccent,
		"red":       HouseAccent,
		"#12345":    HouseAccent,
		"#12345g":   HouseAccent,
		"#0b5d3b;":  HouseAccent,
	} {
		sheet, err := NewAccent(text)
		var why *AccentError
		switch {
		case refused == "":
			if err != nil || len(colours.FindAll(sheet.Text, -1)) != 2 ||
				!strings.Contains(string(sheet.Text), text) {
				t.Errorf("%q: %v", text, err)
			}
		case !errors.As(err, &why) || !strings.HasPrefix(why.Better, refused) || !strings.Contains(why.Error(), why.Better):
			t.Errorf("%q: %v", text, err)
		default:
			if _, err := NewAccent(why.Better); err != nil {
				t.Errorf("%q: %s would not do: %v", text, why.Better, err)
			}
		}
	}
	var black, white colour = colour{}, colour{255, 255, 255}
	if got := black.contrast(white); got < 20.99 || got > 21.01 {
		t.Error("contrast of black and white:", got)
	}
}
