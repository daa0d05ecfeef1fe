// The accent colour of an owner, with enough contrast on the grounds of both schemes.

package pages

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
)

// HouseAccent is the accent of our style sheet in the light scheme.
const HouseAccent = "#8a3324"

// contrastLeast is the contrast of small text (WCAG 2.2, success criterion 1.4.3).
const contrastLeast = 4.5

// grounds are --ground and --panel of our style sheet, on which the accent stands, in the light
// and in the dark scheme.
var grounds = [2][2]colour{
	{{0xfd, 0xfc, 0xf9}, {0xf3, 0xf0, 0xe8}},
	{{0x17, 0x19, 0x1d}, {0x22, 0x26, 0x2c}},
}

// A colour is red, green and blue.
type colour [3]uint8

// An AccentError refuses a colour.
type AccentError struct {
	Better   string  // a colour that would do
	Contrast float64 // with the lighter ground; 0: it is no colour
}

func (e *AccentError) Error() string {
	if e.Contrast == 0 {
		return fmt.Sprintf("it must be # and six hexadecimal digits, such as %s", e.Better)
	}
	return fmt.Sprintf(
		"its contrast is %.1f:1 on the light ground, and must be %.1f:1: %s would do",
		e.Contrast,
		contrastLeast,
		e.Better,
	)
}

// NewAccent makes the style sheet of an accent colour. The dark scheme has the same colour, as
// much lighter as it needs.
func NewAccent(text string) (*Asset, error) {
	var c colour
	if digits, ok := strings.CutPrefix(text, "#"); !ok || len(digits) != 6 {
		return nil, &AccentError{Better: HouseAccent}
	} else if _, err := hex.Decode(c[:], []byte(digits)); err != nil {
		return nil, &AccentError{Better: HouseAccent}
	}
	if darker := c.towards(0, grounds[0]); darker != c {
		return nil, &AccentError{darker.String(), c.contrast(grounds[0][0])}
	}
	return NewStyle(fmt.Appendf(nil, "@media screen { :root { --accent: %s } }\n"+
		"@media screen and (prefers-color-scheme: dark) { :root { --accent: %s } }\n", c, c.towards(255, grounds[1])))
}

func (c colour) String() string { return "#" + hex.EncodeToString(c[:]) }

// towards returns the colour, mixed with as little black or white as gives it enough contrast with
// all of some grounds.
func (c colour) towards(end uint8, on [2]colour) colour {
	for part := range 101 {
		mixed := c
		for i := range mixed {
			mixed[i] = uint8((int(c[i])*(100-part) + int(end)*part) / 100)
		}
		if min(mixed.contrast(on[0]), mixed.contrast(on[1])) >= contrastLeast {
			return mixed
		}
	}
	return colour{end, end, end}
}

// contrast returns the contrast ratio of two colours (WCAG 2.2, relative luminance).
func (c colour) contrast(with colour) float64 {
	luminance := func(c colour) float64 {
		var linear [3]float64
		for i, part := range c {
			if linear[i] = float64(part) / 255 / 12.92; part > 10 {
				linear[i] = math.Pow((float64(part)/255+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
	}
	a := luminance(c)
	b := luminance(with)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}
