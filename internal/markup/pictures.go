package markup

// This file replaces the addresses of pictures in HTML.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Picture is the addresses of an <img>.
type Picture struct {
	Src   string
	Wider []string // addresses in srcset, widest first
}

// ReplacePictures returns HTML with other values of src and srcset in each <img> for which replace has them. The values must need
// no escapes. An <img> without srcset gets none.
func ReplacePictures(s string, replace func(Picture) (src, srcset string)) string {
	if !strings.Contains(strings.ToLower(s), "<img") {
		return s
	}
	var b strings.Builder
	for z := newScanner(s); z.next(); {
		last := 0
		if z.kind == startTag && z.name == "img" {
			value := func(name string) string { return Unescape(attributeOf(z.raw, name)) }
			src, srcset := replace(Picture{strings.Trim(value("src"), spaces), widest(value("srcset"))})
			for a := range attributes(z.raw) {
				value := map[string]string{"src": src, "srcset": srcset}[a.name]
				if value == "" || a.value == "" {
					continue
				}
				start, quote := a.end-len(a.value), `"`
				if strings.ContainsAny(z.raw[start-1:start], `"'`) {
					quote = ""
				}
				b.WriteString(z.raw[last:start] + quote + value + quote)
				last = a.end
			}
		}
		b.WriteString(z.raw[last:])
	}
	return b.String()
}

// widest returns the addresses in a srcset, widest first.
func widest(srcset string) (addresses []string) {
	type candidate struct {
		address string
		width   float64
	}
	var all []candidate
	fields := strings.Fields(srcset)
	for n := 0; n < len(fields); n++ {
		c := candidate{address: strings.TrimRight(fields[n], ",")}
		if c.address == fields[n] && n+1 < len(fields) {
			n++
			c.width, _ = strconv.ParseFloat(strings.TrimRight(fields[n], ",wx"), 64)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.width, a.width) })
	for _, c := range all {
		addresses = append(addresses, c.address)
	}
	return addresses
}
