package cldr

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Currency is how amounts of money are written that name none.
type Currency struct {
	Code   string // ISO 4217; "" if it is not known
	Symbol string // "" for amounts alone
	Gap    string // between symbol and amount
	Behind bool   // the symbol stands behind the amount
}

// Append appends an amount.
func (c Currency) Append(b []byte, amount string) []byte {
	switch {
	case c.Symbol == "":
		return append(b, amount...)
	case c.Behind:
		return append(append(append(b, amount...), c.Gap...), c.Symbol...)
	default:
		return append(append(append(b, c.Symbol...), c.Gap...), amount...)
	}
}

// currencies has the currencies of today.
var currencies = sync.OnceValue(func() (all struct {
	Symbols map[string]string // by codes; a symbol can be that of several, and some codes have none
	Regions map[string]string // by codes, divided by spaces

	codes map[string][]string // by symbols, ascending
}) {
	read("currencies.json", &all)
	all.codes = map[string][]string{}
	for _, code := range slices.Sorted(maps.Keys(all.Symbols)) {
		symbol := all.Symbols[code]
		all.codes[symbol] = append(all.codes[symbol], code)
	}
	return all
})

// Currency returns how the language writes amounts in a currency, by its ISO 4217 code in capital
// letters. It reports false for a code that no region has today.
func (l *Locale) Currency(code string) (Currency, bool) {
	all := currencies()
	if all.Regions[code] == "" {
		return Currency{}, false
	}
	c := Currency{Code: code, Symbol: all.Symbols[code]}
	if c.Symbol == "" {
		c.Symbol = code
	}
	before, after, _ := strings.Cut(l.facts.Money, "{0}")
	c.Behind = before == ""
	c.Gap = strings.Trim(before+after, "¤")
	if last, _ := utf8.DecodeLastRuneInString(c.Symbol); unicode.IsLetter(last) && !c.Behind {
		c.Gap = "\u00a0" // CHF 10: a letter does not touch a digit (UTS #35, part 3, section 4.3)
	}
	return c, true
}

// CurrencyOf returns the code of the currency of a region, "" if there is none.
func CurrencyOf(region string) string {
	for code, regions := range currencies().Regions {
		if slices.Contains(strings.Fields(regions), region) {
			return code
		}
	}
	return ""
}

// CurrenciesOf returns the codes of the currencies with a symbol or code, ascending. Many have the
// symbol "$"; letters before it, as in "US$", select the codes that begin with these letters.
func CurrenciesOf(sign string) (codes []string) {
	all := currencies()
	if all.Regions[sign] != "" {
		return []string{sign}
	}
	codes = slices.Clone(all.codes[sign])
	letters, isDollar := strings.CutSuffix(sign, "$")
	if !isDollar || letters == "" {
		return codes
	}
	for _, code := range all.codes["$"] {
		if strings.HasPrefix(code, letters) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}
