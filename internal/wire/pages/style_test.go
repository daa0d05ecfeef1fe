package pages

import (
	"bytes"
	"compress/gzip"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// luminance returns the relative luminance of a colour (WCAG 2.2).
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(colour[1:], 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("%q is no colour: %v", colour, err)
	}
	part := func(shift uint) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// Texts and controls have enough contrast to their background, in the light, in the dark and on
// paper, for readers who see less: 4.5 to 1 for texts, 3 to 1 for the edges of controls.
func TestContrast(t *testing.T) {
	schemes := regexp.MustCompile(`:root \{[^}]*--ground[^}]*\}`).FindAll(Style, -1)
	if len(schemes) != 3 {
		t.Fatalf("%d schemes, want those of light, dark and paper", len(schemes))
	}
	colours := map[string]string{}
	for i, scheme := range schemes {
		for _, match := range regexp.MustCompile(`--(\w+): (#[0-9a-f]+);`).FindAllSubmatch(scheme, -1) {
			colour := string(match[2])
			if len(colour) == 4 {
				colour = "#" + string(
					[]byte{colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]},
				)
			}
			colours[string(match[1])] = colour
		}
		for _, pair := range []struct {
			front, behind string
			least         float64
		}{{"ink", "ground", 4.5}, {"ink", "panel", 4.5}, {"soft", "ground", 4.5}, {"soft", "panel", 4.5}, {"accent", "ground", 4.5},
			{"accent", "panel", 4.5}, {"edge", "ground", 3}, {"edge", "panel", 3}} {
			a := luminance(t, colours[pair.front])
			b := luminance(t, colours[pair.behind])
			ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05)
			t.Logf("scheme %d: %s on %s: %.2f", i, pair.front, pair.behind, ratio)
			if ratio < pair.least {
				t.Errorf(
					"scheme %d: %s on %s has a contrast of %.2f, want %.1f",
					i,
					pair.front,
					pair.behind,
					ratio,
					pair.least,
				)
			}
		}
	}
}

// The style sheet is at most 8 KB, compressed.
func TestStyleWeight(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(Style); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if packed.Len() > 8<<10 {
		t.Errorf("the style sheet has %d bytes, compressed", packed.Len())
	}
}

// No column is wider than a phone on which texts have twice their size: columns that fill a row
// are never wider than it.
func TestColumnsFitPhones(t *testing.T) {
	columns := regexp.MustCompile(`repeat\(auto-[a-z]+, minmax\(([^,)]*)`).
		FindAllSubmatch(Style, -1)
	if len(columns) < 3 {
		t.Fatalf("%d such columns", len(columns))
	}
	for _, column := range columns {
		if !bytes.HasPrefix(column[1], []byte("min(")) {
			t.Errorf("columns of at least %s are cut where the row is narrower", column[1])
		}
	}
}

// On paper a bar covers the rules between its days, although browsers print no backgrounds.
func TestBarsOnPaper(t *testing.T) {
	_, paper, _ := bytes.Cut(Style, []byte("@media print {"))
	bars := regexp.MustCompile(`\.grid \.bar \{[^}]*background: var\(--ground\); print-color-adjust: exact;`).
		Find(paper)
	clear := bytes.LastIndex(paper, []byte("background: none"))
	if bars == nil || bytes.Index(paper, bars) < clear {
		t.Errorf("rules cross the bars")
	}
}
