// Comparison of names of countries and states: "US", "USA" and "United States" are the same.

package write

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"almanac/internal/text/markup"
)

// countryList has one country per line: its ISO 3166-1 codes, of two and three letters, and its
// names in English.
//
//go:embed countries.txt
var countryList string

// stateList has one state or province of the United States, Canada or Australia per line, with its
// code and names. Addresses in these countries use both.
//
//go:embed states.txt
var stateList string

// regions maps a normalized name to the lines of a list that have it. Some codes have two lines:
// WA is Washington and Western Australia.
type regions map[string][]int

var (
	countries = sync.OnceValue(func() regions { return readRegions(countryList) })
	states    = sync.OnceValue(func() regions { return readRegions(stateList) })
)

func readRegions(list string) regions {
	r := regions{}
	for i, line := range strings.Split(strings.TrimSpace(list), "\n") {
		for name := range strings.SplitSeq(line, "|") {
			r[regionKey(name)] = append(r[regionKey(name)], i)
		}
	}
	return r
}

// regionKey normalizes a name: folded, without the full stops of "U.S.A." and with single spaces.
func regionKey(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(markup.Fold(name), ".", "")), " ")
}

func (r regions) same(a, b string) bool {
	a = regionKey(a)
	b = regionKey(b)
	return a == b ||
		slices.ContainsFunc(r[a], func(line int) bool { return slices.Contains(r[b], line) })
}

func sameDetail(field, a, b string) bool {
	switch field {
	case "country":
		return countries().same(a, b)
	case "province", "state", "stateprovince":
		return states().same(a, b)
	default:
		return strings.EqualFold(a, b)
	}
}
