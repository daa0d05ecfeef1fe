// Comparing the names of countries and states: "US", "USA" and "United States" are
// one place.

package write

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"almanac/internal/markup"
)

// countryList has one country per line: its two ISO 3166-1 codes, of two and of
// three letters, and its names in English.
//
//go:embed countries.txt
var countryList string

// stateList has one state or province per line, its code and its names: those of
// the United States, Canada and Australia, where addresses use both.
//
//go:embed states.txt
var stateList string

// regions maps a name, in the form in which names are compared, to the lines of a
// list that have it. Some codes have two: WA is Washington and Western Australia.
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

// regionKey returns a name in the form in which names are compared: folded, without
// the full stops of "U.S.A." and with single spaces.
func regionKey(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(markup.Fold(name), ".", "")), " ")
}

// same reports whether two names can mean one place.
func (r regions) same(a, b string) bool {
	a, b = regionKey(a), regionKey(b)
	return a == b || slices.ContainsFunc(r[a], func(line int) bool { return slices.Contains(r[b], line) })
}

// sameDetail reports whether two values of a field of an address mean the same.
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
