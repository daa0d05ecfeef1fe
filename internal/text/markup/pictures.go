package markup

// This file replaces the addresses of pictures in HTML.

import "strings"

// ReplacePictures returns HTML with another address in each <img> for which replace has one. The
// address must need no escapes. It becomes the only one in srcset.
func ReplacePictures(s string, replace func(src string) string) string {
	if !strings.Contains(strings.ToLower(s), "<img") {
		return s
	}
	var b strings.Builder
	for z := newScanner(s); z.next(); {
		last := 0
		if z.kind == startTag && z.name == "img" {
			src := replace(strings.Trim(Unescape(attributeOf(z.raw, "src")), spaces))
			for a := range attributes(z.raw) {
				if src == "" || a.value == "" || a.name != "src" && a.name != "srcset" {
					continue
				}
				start := a.end - len(a.value)
				quote := `"`
				if strings.ContainsAny(z.raw[start-1:start], `"'`) {
					quote = ""
				}
				b.WriteString(z.raw[last:start] + quote + src + quote)
				last = a.end
			}
		}
		b.WriteString(z.raw[last:])
	}
	return b.String()
}
