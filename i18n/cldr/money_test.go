package cldr

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A sign is that of all currencies whose symbol it is, and letters before $ select among dollars.
func TestCurrenciesOf(t *testing.T) {
	t.Parallel()
	all := currencies()
	for _, sign := range []string{"", "$", "US$", "C$", "R$", "€", "£", "kr", "USD", "usd", "A", "$$"} {
		var want []string
		letters, isDollar := strings.CutSuffix(sign, "$")
		for code, symbol := range all.Symbols {
			if symbol == sign || isDollar && symbol == "$" && strings.HasPrefix(code, letters) {
				want = append(want, code)
			}
		}
		slices.Sort(want)
		if all.Regions[sign] != "" {
			want = []string{sign}
		}
		if diff := cmp.Diff(want, CurrenciesOf(sign)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", sign, diff)
		}
	}
}
