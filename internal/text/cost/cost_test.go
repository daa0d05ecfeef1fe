package cost_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/i18n/cldr"
	"almanac/internal/text/cost"

	"github.com/google/go-cmp/cmp"
)

// shown is a cost as a record shows it.
type shown struct {
	Text             string
	Symbol, Position string
	Values           []string
}

func show(c cost.Cost, symbol string) shown {
	return shown{c.Text(cldr.Currency{Symbol: symbol}), c.Symbol, c.Position, c.Values()}
}

// decode reads JSON as requests are read.
func decode(t testing.TB, data string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %s: %v", data, err)
	}
	return v
}

var parseTests = []struct {
	name string
	sent string // JSON
	want shown
}{
	// Forms that clients of the API know.
	{"text", `"10"`, shown{"$10", "", "", []string{"10"}}},
	{"number", `10`, shown{"$10", "", "", []string{"10"}}},
	{"list", `[10]`, shown{"$10", "", "", []string{"10"}}},
	{"symbol before", `"$10"`, shown{"$10", "$", "prefix", []string{"10"}}},
	{"euro after", `"10€"`, shown{"10€", "€", "postfix", []string{"10"}}},
	{"euro before", `"€10"`, shown{"€10", "€", "prefix", []string{"10"}}},
	{"space at the end", `"10$ "`, shown{"10$", "$", "postfix", []string{"10"}}},
	{"decimals", `"10.50"`, shown{"$10.50", "", "", []string{"10.50"}}},
	{"number with decimals", `10.5`, shown{"$10.5", "", "", []string{"10.5"}}},
	{"thousands", `"1,000"`, shown{"$1,000", "", "", []string{"1000"}}},
	{"range", `"10-20"`, shown{"$10 – $20", "", "", []string{"10", "20"}}},
	{"range downwards", `"20-10"`, shown{"$10 – $20", "", "", []string{"10", "20"}}},
	{"range with symbols", `"$10 - $20"`, shown{"$10 – $20", "", "", []string{"10", "20"}}},
	{"range from zero", `"0-10"`, shown{"Free – $10", "", "", []string{"0", "10"}}},
	{"zero with decimals", `"0.00"`, shown{"Free", "", "", []string{"0.00"}}},
	{
		"list with symbols",
		`["0$","20$","30$"]`,
		shown{"Free – 30$", "$", "postfix", []string{"0", "20", "30"}},
	},
	{"Free", `"Free"`, shown{"Free", "", "", []string{"free"}}},
	{"FREE", `"FREE"`, shown{"FREE", "", "", []string{"free"}}},
	{"word", `"Donation"`, shown{"Donation", "", "", []string{"donation"}}},
	{
		"words",
		`"Pay what you can"`,
		shown{"Pay what you can", "", "", []string{"pay-what-you-can"}},
	},
	{"negative", `"-5"`, shown{"-5", "-", "prefix", []string{"5"}}},
	{"symbol alone", `"$"`, shown{"$", "", "", []string{""}}},
	{"tags", `"<b>10</b>"`, shown{"$10", "", "", []string{"10"}}},
	{"tags of other forms", `"</b><!-- x -->10<?x?>"`, shown{"$10", "", "", []string{"10"}}},
	{"true", `true`, shown{"$1", "", "", []string{"1"}}},
	{"empty", `""`, shown{"", "", "", []string{}}},
	{"false", `false`, shown{"", "", "", []string{}}},
	{"null", `null`, shown{"", "", "", []string{}}},

	// Where we do better than what clients know.
	{"zero", `0`, shown{"Free", "", "", []string{"0"}}},
	{"zero as text", `"0"`, shown{"Free", "", "", []string{"0"}}},
	{"thousands and decimals", `"1,000.50"`, shown{"$1,000.50", "", "", []string{"1000.50"}}},
	{"continental decimals", `"1.000,50"`, shown{"$1.000,50", "", "", []string{"1000.50"}}},
	{"several", `"5, 10, 20"`, shown{"$5 – $20", "", "", []string{"5", "10", "20"}}},
	{"spacing after", `"10 USD"`, shown{"10 USD", "USD", "postfix", []string{"10"}}},
	{"spacing before", `"from 10"`, shown{"from 10", "from", "prefix", []string{"10"}}},

	// Numbers.
	{"several without spaces", `"5,10,20"`, shown{"$5 – $20", "", "", []string{"5", "10", "20"}}},
	{"millions", `"1,000,000"`, shown{"$1,000,000", "", "", []string{"1000000"}}},
	{
		"continental millions",
		`"1.000.000 €"`,
		shown{"1.000.000 €", "€", "postfix", []string{"1000000"}},
	},
	{"decimal comma", `"12,50 €"`, shown{"12,50 €", "€", "postfix", []string{"12.50"}}},
	{"spaces between thousands", `"1 000 €"`, shown{"1 000 €", "€", "postfix", []string{"1000"}}},
	{"apostrophe", `"CHF 1’000.50"`, shown{"CHF 1’000.50", "CHF", "prefix", []string{"1000.50"}}},
	{"point before three digits", `"1.000"`, shown{"$1.000", "", "", []string{"1.000"}}},
	{"comma that cannot group", `"0,125"`, shown{"$0,125", "", "", []string{"0.125"}}},
	{"leading point", `"€ .50"`, shown{"€ 0.50", "€", "prefix", []string{"0.50"}}},
	{"point of an abbreviation", `"Rs.500"`, shown{"Rs.500", "Rs.", "prefix", []string{"500"}}},
	{"punctuation after", `"10."`, shown{"$10", "", "", []string{"10"}}},
	{"exponent", `1e3`, shown{"$1000", "", "", []string{"1000"}}},
	{
		"order by size",
		`["100","20","3.5"]`,
		shown{"$3.5 – $100", "", "", []string{"3.5", "20", "100"}},
	},
	{"equal amounts", `["10","10.00"]`, shown{"$10", "", "", []string{"10"}}},
	{"date", `"10.05.2031"`, shown{"10.05.2031", "", "", []string{"10-05-2031"}}},
	{
		"character reference",
		`"&#8364;10"`,
		shown{"&#8364;10", "&#8364;", "prefix", []string{"10"}},
	},

	// Words around amounts.
	{"one sign for both, behind", `"10-20 €"`, shown{"10 € – 20 €", "", "", []string{"10", "20"}}},
	{"one sign for both, before", `"£10-20"`, shown{"£10 – £20", "", "", []string{"10", "20"}}},
	{"signs that differ", `["$10","€20"]`, shown{"$10 – $20", "", "", []string{"10", "20"}}},
	{"prose", `"from 10 to 20"`, shown{"$10 – $20", "", "", []string{"10", "20"}}},
	{
		"words on both sides",
		`"€10 per person"`,
		shown{"€10 per person", "€", "prefix", []string{"10"}},
	},
	{
		"words that do not touch",
		`"about 10 EUR"`,
		shown{"about 10 EUR", "EUR", "postfix", []string{"10"}},
	},
	{
		"free and an amount",
		`["Free","$10"]`,
		shown{"Free – $10", "$", "prefix", []string{"0", "10"}},
	},
	{"free to an amount", `"Free – $10"`, shown{"Free – $10", "", "", []string{"0", "10"}}},
	{"free as a sign", `"Free10"`, shown{"Free10", "Free", "prefix", []string{"10"}}},
	{
		"amount and words",
		`["10","Donation"]`,
		shown{"$10 – Donation", "", "", []string{"10", "donation"}},
	},
	{
		"several words",
		`["Adults","Kids","Adults"]`,
		shown{"Adults – Kids", "", "", []string{"adults", "kids"}},
	},
	{
		"accents",
		`"Entrée libre / gratuit"`,
		shown{"Entrée libre / gratuit", "", "", []string{"entree-libre-gratuit"}},
	},
	{"another script", `"Бесплатно"`, shown{"Бесплатно", "", "", []string{"бесплатно"}}},

	// Odds and ends.
	{"nothing in a list", `[null,false,""," "]`, shown{"", "", "", []string{}}},
	{"markup only", `"<p><script 10"`, shown{"", "", "", []string{}}},
	{"markup in markup", `"<<b>b>10"`, shown{"$10", "", "", []string{"10"}}},
	{"less than", `"< 10"`, shown{"< 10", "<", "prefix", []string{"10"}}},
	{"line break", `"10\nUSD"`, shown{"10 USD", "USD", "postfix", []string{"10"}}},
}

func parse(t *testing.T, v any) cost.Cost {
	t.Helper()
	c, err := cost.Parse(v)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParse(t *testing.T) {
	for _, test := range parseTests {
		t.Run(test.name, func(t *testing.T) {
			c := parse(t, decode(t, test.sent))
			if diff := cmp.Diff(test.want, show(c, "$")); diff != "" {
				t.Errorf("Parse(%s): (-want +got)\n%s", test.sent, diff)
			}
		})
	}
}

func TestPrice(t *testing.T) {
	for _, test := range []struct{ sent, want string }{
		{`""`, ""},
		{`"12.50"`, "12.50"},
		{`"10€"`, "10"},
		{`"from 10"`, "10"},
		{`"$10 - $20"`, "10"},
		{`"1,000"`, "1000"},
		{`0`, "0"},
		{`"0.00"`, "0"},
		{`["0$","20$","30$"]`, "0"},
		{`"Free"`, "0"},
		{`"FREE"`, "0"},
		{`"Pay what you can"`, "Pay what you can"},
		{`["Donation","10"]`, "10"},
		{`"10.05.2031"`, "10.05.2031"},
		{`"$"`, "$"},
	} {
		c := parse(t, decode(t, test.sent))
		if diff := cmp.Diff(test.want, c.Price()); diff != "" {
			t.Errorf("price of %s (-want +got):\n%s", test.sent, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name string
		sent any
		want string
	}{
		{"object", map[string]any{
			"amount": "10",
		}, "cost must be a text, a number or a list of these, not an object"},
		{
			"object in a list",
			[]any{map[string]any{}},
			"cost must be a text, a number or a list of these, not an object",
		},
		{
			"list in a list",
			[]any{[]any{"10"}},
			"cost must be a text, a number or a list of these, not a list of lists",
		},
		{"many entries", make([]any, 501), "cost holds 501 entries, at most 500 are accepted"},
		{
			"many amounts",
			[]any{strings.Repeat("1;", 300), strings.Repeat("2;", 300)},
			"cost holds 600 amounts, at most 500 are accepted",
		},
		{
			"long text",
			strings.Repeat("x", 1001),
			"cost holds a text of 1001 bytes, at most 1000 are accepted",
		},
		{
			"long range",
			[]any{strings.Repeat("x", 600), strings.Repeat("y", 600)},
			"cost is too long to show, at most 1000 bytes are accepted",
		},
		{"not UTF-8", "10\xff", "cost must be UTF-8 text"},
		{"control character", "10\x00", "cost must not hold control characters"},
		{"number out of range", json.Number("1e999"), `cost "1e999" is no number in range`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := cost.Parse(test.sent)
			if err == nil || err.Error() != test.want {
				t.Errorf("got error %v, want %s", err, test.want)
			}
		})
	}
	if _, err := cost.Parse(strings.Repeat("x", 1000)); err != nil {
		t.Errorf("a text of the greatest length: %v", err)
	}
}

func TestTextWithSiteSymbol(t *testing.T) {
	tests := []struct {
		name, sent, symbol, want string
	}{
		{"none", `"10-20"`, "", "10 – 20"},
		{"with a space", `"10-20"`, "CHF ", "CHF 10 – CHF 20"},
		{"own symbol wins", `"10$"`, "€", "10$"},
		{"not before words", `"Donation"`, "€", "Donation"},
		{"not before a zero", `0`, "€", "Free"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := parse(t, decode(t, test.sent))
			if got := c.Text(cldr.Currency{Symbol: test.symbol}); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFromDetails(t *testing.T) {
	tests := []struct {
		name   string
		text   string
		values []string
		symbol string
		pos    string
	}{
		{"range", "$7 – $11", []string{"7", "11"}, "$", "prefix"},
		{"none but a currency", "", []string{}, "$", "prefix"},
		{"free", "Free", []string{"free"}, "$", "prefix"},
		{"zero", "Free", []string{"0"}, "$", "prefix"},
		{"zero with decimals", "Free", []string{"0.00"}, "", ""},
		{"decimals", "$31.4159265", []string{"31.4159265"}, "$", "prefix"},
		{"amounts between", "Free – 30$", []string{"0", "20", "30"}, "$", "postfix"},
		{
			"grouped, amounts between",
			"$1,000 – $3,000",
			[]string{"1000", "2000", "3000"},
			"$",
			"prefix",
		},
		{"grouped", "$1,000.50", []string{"1000.50"}, "$", "prefix"},
		{"suffix", "10€", []string{"10"}, "€", "suffix"},
		{"no symbol told", "$10", []string{"10"}, "", ""},
		{"word", "Pay what you can", []string{"pay-what-you-can"}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := cost.FromDetails(test.text, test.values, test.symbol, "USD", test.pos)
			want := shown{test.text, test.symbol, test.pos, test.values}
			for _, site := range []string{"$", "€"} {
				if diff := cmp.Diff(want, show(c, site)); diff != "" {
					t.Errorf("with site symbol %s: (-want +got)\n%s", site, diff)
				}
			}
			if c.Code != "USD" {
				t.Errorf("code is %q, want USD", c.Code)
			}
		})
	}
}

func TestFromDetailsKeepsTheText(t *testing.T) {
	for _, text := range []string{"$.50", "$5 – $20 – $7", "10.05.2031", "1 or 2"} {
		c := cost.FromDetails(text, []string{"5.", "10."}, "", "", "")
		if got := c.Text(cldr.Currency{Symbol: "€"}); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if got := cost.FromDetails("<b>x<i", nil, "", "", "").Text(cldr.Currency{}); got != "x" {
		t.Errorf("a tag came through: %q", got)
	}
}

func TestIsZero(t *testing.T) {
	tests := []struct {
		name string
		cost cost.Cost
		want bool
	}{
		{"zero value", cost.Cost{}, true},
		{"amount", cost.Cost{Entries: []string{"0"}}, false},
		{"currency only", cost.Cost{Symbol: "$", Code: "USD", Position: "prefix"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.cost.IsZero(); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// check tells what a cost and the texts it shows must hold together.
func check(t *testing.T, c cost.Cost) {
	t.Helper()
	values := c.Values()
	for _, symbol := range []string{"", "$", "€", "CHF ", "&pound;", "Rs."} {
		text := c.Text(cldr.Currency{Symbol: symbol})
		if (text != "") != (len(values) > 0) {
			t.Errorf("text %q with values %q", text, values)
		}
		if strings.Contains(text, "<b") {
			t.Errorf("text %q opens a tag", text)
		}
		again, err := cost.Parse(text)
		if err != nil {
			t.Errorf("%q is refused when sent back: %v", text, err)
		} else if got := again.Text(cldr.Currency{Symbol: symbol}); got != text {
			t.Errorf("%q sent back shows %q", text, got)
		}
	}
	last := math.Inf(-1)
	for _, value := range values {
		if value == "" || strings.Trim(value, "0123456789.") != "" ||
			strings.Count(value, ".") > 1 {
			last = math.Inf(1) // words come after all amounts
			continue
		}
		f, err := strconv.ParseFloat(value, 64)
		if err != nil && !math.IsInf(f, 0) {
			t.Errorf("value %q: %v", value, err)
		}
		if f < last && !math.IsInf(last, 1) {
			t.Errorf("values %q are out of order", values)
		}
		last = f
	}
}

func FuzzParse(f *testing.F) {
	for _, test := range parseTests {
		f.Add([]byte(test.sent))
	}
	for _, seed := range []string{
		`["5 – x","7 – x"]`, `["x-10","0"]`, `["kr10",".50"]`, `["1.2.3 5","100"]`, `"-5 - -3"`, `"5, .50"`,
		`["10 - ish","20 - ish"]`, `"10 – Donation – x"`, `["free - x","10"]`, `"1,000,50"`, `"1e3"`, `"&#1;2"`, `"!,0,0"`,
		`"!.0,0,1"`, `",0,!.,1"`, `",00000600 000,,0"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			v = string(data)
		}
		if c, err := cost.Parse(v); err == nil {
			check(t, c)
			if (c.Price() == "") != (len(c.Values()) == 0) {
				t.Errorf("price %q with values %q", c.Price(), c.Values())
			}
			if c.IsFree() != (c.Price() == "0") {
				t.Errorf("free is %v, at the price %q", c.IsFree(), c.Price())
			}
		}
	})
}

func FuzzFromDetails(f *testing.F) {
	f.Add("$7 – $11", "7", "11", "$", "prefix")
	f.Add("Free", "0", "", "", "")
	f.Add("$.50", ".50", "1000", "", "suffix")
	f.Fuzz(func(t *testing.T, text, low, high, symbol, position string) {
		c := cost.FromDetails(text, []string{low, high}, symbol, "", position)
		if got := c.Text(cldr.Currency{}); (got != "") != (len(c.Values()) > 0) {
			t.Errorf("text %q with values %q", got, c.Values())
		}
	})
}
