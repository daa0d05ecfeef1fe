package api

import (
	"cmp"
	"strings"

	"almanac/i18n"
	"almanac/i18n/cldr"
)

// currencyOf returns the currency of the site as its language writes it, from an ISO 4217 code or
// a symbol. The symbol of several currencies has no code, but for the $, which The Events Calendar
// takes for that of the United States.
func currencyOf(option string, in i18n.Language) cldr.Currency {
	if c, ok := in.Locale().Currency(strings.ToUpper(option)); ok {
		return c
	}
	c := cldr.Currency{Symbol: cmp.Or(option, "$")}
	switch codes := cldr.CurrenciesOf(strings.TrimSpace(c.Symbol)); {
	case c.Symbol == "$":
		c.Code = "USD"
	case len(codes) == 1:
		c.Code = codes[0]
	}
	return c
}
