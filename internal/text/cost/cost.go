// Package cost reads the cost of an event in the many ways people write it, and
// shows it in the one way that clients of the calendar expect.
//
// A cost arrives as a text, a number or a list of these: "10", 10.5, "$10 - $20",
// ["0€", "20€"], "Pay what you can". Parse turns it into a Cost, which is stored.
// People read Written, clients of the API know Text, and programs calculate with
// Values:
//
//	c, err := cost.Parse("10-20 €")
//	c.Written(site, "free")  // "10-20 €"
//	c.Text(site)             // "10 € – 20 €"
//	c.Values()               // "10", "20"
//
// Guarantees: Written has every letter and digit that was sent as one text.
// Parse takes any value without panicking. A cost shows a text exactly when it
// has values. The text shown is accepted by Parse and shows the same text again,
// so that an event can be sent back as it was read; this holds for every site
// symbol of up to 16 bytes without digits, dashes, commas and semicolons. No
// text that came through here opens an HTML tag.
package cost

// This file holds the stored form and what is shown of it.

import (
	"cmp"
	"html"
	"slices"

	"almanac/i18n/cldr"
)

// The places of a symbol in Cost.Position.
const (
	Prefix  = "prefix"  // before the number
	Postfix = "postfix" // after it
	Suffix  = "suffix"  // the same as Postfix; imported records say it
)

const (
	free = "Free" // shown for a zero in every language: clients compare with it
	upTo = " – "  // between the lowest and the highest
)

// A Cost is the cost of an event. The zero value is an unknown cost, without text
// and values, and not a free event. A Cost never changes and may be shared.
type Cost struct {
	// Entries are the amounts and texts in the order sent, each as written:
	// "$10", "from 10", "1,000.50", "Donation". When there are several
	// amounts, all carry the same words around the number, or none does.
	Entries []string `json:"cost,omitempty"`

	// Symbol, Code and Position describe the currency: the text beside the number,
	// the ISO code, and Prefix, Postfix or Suffix. All are empty when the cost has
	// no currency. Parse never sets Code; imported costs have one. A number alone
	// is shown with Symbol.
	Symbol   string `json:"currency_symbol,omitempty"`
	Code     string `json:"currency_code,omitempty"`
	Position string `json:"currency_position,omitempty"`

	// Wording is the one text that was sent, without markup, where the entries do
	// not have it whole: "18 €, reduced 12 €".
	Wording string `json:"-"`
}

// IsZero reports whether nothing is known about the cost, its currency included.
func (c Cost) IsZero() bool {
	return len(c.Entries) == 0 && c.Symbol == "" && c.Code == "" && c.Position == ""
}

// Text is the cost as the API shows it: the lowest and the highest amount, or one of
// them when they are equal. A zero is "Free". Texts count as higher than amounts, in
// the order sent, but "Free" beside amounts, which only other servers store, is not
// shown. Amounts have the currency of the site when the cost carries no symbol of its
// own. Without entries the text is empty.
func (c Cost) Text(site cldr.Currency) string {
	b, _ := c.AppendShown(nil, site)
	return string(b)
}

// Values are the different amounts by size, as decimal numbers with a point and
// the decimals that were written, and after them the texts as slugs. The slice is
// never nil and belongs to the caller.
func (c Cost) Values() []string {
	_, values := c.AppendShown(nil, cldr.Currency{})
	return append([]string{}, values...)
}

// Price returns the cost as a price for programs: the lowest amount as a decimal
// number, "0" for what is free, and where no amount is known the text as it was
// written. A number that stands among words and beside no currency is no amount if
// it is one of several, or if the words say that something is free. Without entries
// the price is empty.
func (c Cost) Price() string {
	items := c.items()
	switch {
	case len(items) == 0:
		return ""
	case items[0].amount && isZero(items[0].value), c.saysFree():
		return "0"
	}
	return cmp.Or(c.lowest(), c.Wording, items[0].text)
}

// IsFree reports whether the lowest price is nothing. An unknown cost is not free.
func (c Cost) IsFree() bool {
	return (c.saysFree() || c.namesNothing()) && c.Price() == "0"
}

// namesNothing reports whether an amount is zero. It costs little, and most costs name none: each
// event is asked whether it is free when it is stored.
func (c Cost) namesNothing() bool {
	for _, text := range append(c.Entries[:len(c.Entries):len(c.Entries)], c.Wording) {
		isNothing := func(n number) bool { return isZero(n.value) }
		if slices.ContainsFunc(numbers(text), isNothing) ||
			slices.ContainsFunc(numbers(html.UnescapeString(text)), isNothing) {
			return true
		}
	}
	return false
}

// IsFreeForAll reports whether the event is free, and no amount is to be paid.
func (c Cost) IsFreeForAll() bool {
	isToBePaid := func(it item) bool { return it.amount && !isZero(it.value) }
	return c.IsFree() && !slices.ContainsFunc(c.items(), isToBePaid)
}

// AppendShown returns Text, appended to b, and Values at once.
func (c Cost) AppendShown(b []byte, site cldr.Currency) (text []byte, values []string) {
	items := c.items()
	for _, it := range items {
		values = append(values, it.value)
	}
	if len(items) > 1 && !items[0].amount && items[1].amount { // "Free"
		items = items[1:]
	}
	if n := len(items); n > 0 {
		own := c.currency(site)
		b = appendItem(b, own, items[0])
		if n > 1 {
			b = appendItem(append(b, upTo...), own, items[n-1])
		}
	}
	return b, values
}

// currency returns the currency of amounts that stand alone.
func (c Cost) currency(site cldr.Currency) cldr.Currency {
	if c.Symbol == "" {
		return site
	}
	return cldr.Currency{
		Code:   c.Code,
		Symbol: c.Symbol,
		Behind: c.Position == Postfix || c.Position == Suffix,
	}
}

// appendItem appends one end of the text.
func appendItem(b []byte, own cldr.Currency, it item) []byte {
	switch {
	case it.amount && isZero(it.value):
		return append(b, free...)
	case !it.bare:
		return append(b, it.text...)
	default:
		return own.Append(b, it.text)
	}
}

// items understands the entries: the different amounts, lowest first, then the
// different texts.
func (c Cost) items() []item {
	var amounts, texts []item
	for _, entry := range c.Entries {
		it := readItem(entry)
		switch {
		case it.amount:
			amounts = append(amounts, it)
		case !slices.ContainsFunc(texts, func(other item) bool { return other.value == it.value }):
			texts = append(texts, it)
		}
	}
	slices.SortStableFunc(
		amounts,
		func(a, b item) int { return compareDecimals(a.value, b.value) },
	)
	amounts = slices.CompactFunc(
		amounts,
		func(a, b item) bool { return compareDecimals(a.value, b.value) == 0 },
	)
	isGratis := func(it item) bool { return isFree(it.text) }
	if i := slices.IndexFunc(texts, isGratis); i >= 0 && len(amounts) > 0 {
		return slices.Concat(texts[i:i+1], amounts, texts[:i], texts[i+1:])
	}
	return append(amounts, texts...)
}

type item struct {
	text   string // the entry
	value  string // the amount as a decimal number, or the slug of a text
	amount bool   // the entry is an amount
	bare   bool   // the amount is all there is
}

// readItem understands an entry. One with several numbers counts as a text:
// Parse makes none such, but FromDetails may have to keep one.
func readItem(entry string) item {
	if IsDecimal(entry) { // as nearly every cost is
		return item{entry, entry, true, true}
	}
	if found := numbers(entry); len(found) == 1 {
		return item{entry, found[0].value, true, found[0].text == entry}
	}
	return item{text: entry, value: slug(entry)}
}
