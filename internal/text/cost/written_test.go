package cost_test

import (
	"testing"

	"almanac/i18n/cldr"
	"almanac/internal/text/cost"

	"github.com/google/go-cmp/cmp"
)

// site returns the currency of a site, as a language of a region writes it.
func site(t *testing.T, tag, region, code string) cldr.Currency {
	t.Helper()
	locale, known := cldr.Of(tag).In(region)
	if !known {
		t.Fatalf("no region %s", region)
	}
	c, known := locale.Currency(code)
	if !known {
		t.Fatalf("no currency %s", code)
	}
	return c
}

func TestWritten(t *testing.T) {
	german := site(t, "de", "DE", "EUR")
	british := site(t, "en", "GB", "GBP")
	swiss := site(t, "de", "CH", "CHF")
	dutch := site(t, "nl", "NL", "EUR")
	for _, test := range []struct {
		sent string // JSON
		in   cldr.Currency
		free string
		want string
	}{
		{`"18 €, ermäßigt 12 €"`, german, "kostenlos", "18 €, ermäßigt 12 €"},
		{`"VVK 10 €, AK 12 €"`, german, "kostenlos", "VVK 10 €, AK 12 €"},
		{`"2 drinks included: 15"`, british, "free", "2 drinks included: 15"},
		{`"8–12"`, german, "kostenlos", "8–12\u00a0€"},
		{`"8–12"`, british, "free", "£8–12"},
		{`"8–12"`, swiss, "kostenlos", "CHF\u00a08–12"},
		{`"8–12"`, dutch, "gratis", "€\u00a08–12"},
		{`"5, 10, 20"`, german, "kostenlos", "5, 10, 20\u00a0€"},
		{`"12"`, german, "kostenlos", "12\u00a0€"},
		{`12.5`, german, "kostenlos", "12.5\u00a0€"},
		{`"12"`, cldr.Currency{Symbol: "$"}, "free", "$12"},
		{`"10,-"`, german, "kostenlos", "10,-"},
		{`"-5"`, german, "kostenlos", "-5"},
		{`0`, german, "kostenlos", "kostenlos"},
		{`"0,00"`, german, "kostenlos", "kostenlos"},
		{`"0-10"`, german, "kostenlos", "kostenlos – 10\u00a0€"},
		{`"Free"`, german, "kostenlos", "kostenlos"},
		{`"Eintritt frei, Spenden willkommen"`, german, "kostenlos", "Eintritt frei, Spenden willkommen"},
		{`"Free – &#036;5.00"`, german, "kostenlos", "Free – $5.00"},
		{`"₹1,50,000"`, german, "kostenlos", "₹1,50,000"},
		{`"10€ - 1.000€"`, german, "kostenlos", "10€ - 1.000€"},
		{`["5 €","9 €","7 €"]`, german, "kostenlos", "5 € – 9 €"},
		{`["0","9"]`, german, "kostenlos", "kostenlos – 9\u00a0€"},
		{`"<b>Pay</b> what you can"`, german, "kostenlos", "Pay what you can"},
		{`""`, german, "kostenlos", ""},
	} {
		if diff := cmp.Diff(test.want, parse(t, decode(t, test.sent)).Written(test.in, test.free)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.sent, diff)
		}
	}

	own := cost.Cost{Entries: []string{"20"}, Code: "CHF"}
	if got, want := own.Written(german, "kostenlos"), "20\u00a0CHF"; got != want {
		t.Errorf("a currency of its own: got %q, want %q", got, want)
	}
	own.Symbol = "Fr."
	own.Position = cost.Prefix
	if got, want := own.Written(german, "kostenlos"), "Fr.20"; got != want {
		t.Errorf("a symbol of its own: got %q, want %q", got, want)
	}
}

func TestAmounts(t *testing.T) {
	for _, test := range []struct {
		sent string // JSON
		want []string
	}{
		{`"₹1,50,000"`, []string{"150000"}},
		{`"Rs. 1,00,000.50 – 12,50,000"`, []string{"100000.50", "1250000"}},
		{`"₹5,10,20"`, []string{"5", "10", "20"}},
		{`"5,10,20"`, []string{"5", "10", "20"}},
		{`"12,50,000"`, []string{"1250000"}},
		{`"10€ - 1.000€"`, []string{"10", "1000"}},
		{`"10 - 10.500"`, []string{"10", "10.500"}},
		{`"10,50 - 9.5"`, []string{"9.5", "10.50"}},
	} {
		if diff := cmp.Diff(test.want, parse(t, decode(t, test.sent)).Values()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.sent, diff)
		}
	}
}

func TestFree(t *testing.T) {
	for text, want := range map[string]struct{ Free, ForAll bool }{
		"0": {true, true}, "0 €": {true, true}, "Free": {true, true}, "Eintritt frei": {true, true}, "Eintritt: frei!": {true, true},
		"KOSTENLOS": {true, true}, "Entrée libre": {true, true}, "gratuit": {true, true}, "Ingresso libero": {true, true},
		"Entrada franca": {true, true}, "Gratis toegang": {true, true}, "Fri entré": {true, true}, "Vapaa pääsy": {true, true},
		"Wstęp wolny": {true, true}, "Vstup zdarma": {true, true}, "Ingyenes": {true, true}, "Вход свободный": {true, true},
		"دخول مجاني": {true, true}, "כניסה חופשית": {true, true}, "入場無料": {true, true}, "免费": {true, true},
		"Eintritt frei, Spenden willkommen": {true, true}, "Free admission (donations welcome)": {true, true},
		"Free – $10": {true, false}, "0-10": {true, false}, "gratis / 5 €": {true, false},
		"Kinder frei, Erwachsene 5 €": {}, "not free": {}, "Pay what you can": {}, "5": {}, "": {}, "Freitag": {}, "barrierefrei": {},
	} {
		c := parse(t, text)
		if got := (struct{ Free, ForAll bool }{c.IsFree(), c.IsFreeForAll()}); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
