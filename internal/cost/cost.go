// Package cost reads the cost of an event in the many ways people write it, and
// shows it in the one way that clients of the calendar expect.
//
// A cost arrives as a text, a number or a list of these: "10", 10.5, "$10 - $20",
// ["0€", "20€"], "Pay what you can". Parse turns it into a Cost, which is stored.
// Text has it for people, and Values has the numbers for programs:
//
//	c, err := cost.Parse("10-20 €")
//	c.Text("$")  // "10 € – 20 €"
//	c.Values()   // "10", "20"
//
// Guarantees: Parse takes any value without panicking. A cost shows a text
// exactly when it has values. The text shown is accepted by Parse and shows the
// same text again, so that an event can be sent back as it was read; this holds
// for every site symbol of up to 16 bytes without digits, dashes, commas and
// semicolons. No text that came through here opens an HTML tag.
package cost

// This file holds the stored form and what is shown of it.

import (
	"slices"
	"strings"
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
}

// IsZero reports whether nothing is known about the cost, its currency included.
func (c Cost) IsZero() bool {
	return len(c.Entries) == 0 && c.Symbol == "" && c.Code == "" && c.Position == ""
}

// Text is the cost for people: the lowest and the highest amount, or one of them
// when they are equal. A zero is "Free". Texts count as higher than amounts, in
// the order sent. The site's symbol is put before amounts when the cost carries
// no symbol of its own. Without entries the text is empty.
func (c Cost) Text(symbol string) string {
	b, _ := c.AppendShown(nil, symbol)
	return string(b)
}

// Values are the different amounts by size, as decimal numbers with a point and
// the decimals that were written, and after them the texts as slugs. The slice is
// never nil and belongs to the caller.
func (c Cost) Values() []string {
	_, values := c.AppendShown(nil, "")
	return append([]string{}, values...)
}

// Price returns the cost as a price for programs: the lowest amount as a decimal
// number, "0" for what is free, and where no amount is known the first text as it
// was written. Without entries it is empty.
func (c Cost) Price() string {
	items := c.items()
	switch {
	case len(items) == 0:
		return ""
	case items[0].amount && isZero(items[0].value), !items[0].amount && strings.EqualFold(items[0].value, free):
		return "0"
	case items[0].amount:
		return items[0].value
	}
	return items[0].text
}

// IsFree reports whether the lowest price is nothing. An unknown cost is not free.
func (c Cost) IsFree() bool { return c.Price() == "0" }

// AppendShown returns Text, appended to b, and Values at once.
func (c Cost) AppendShown(b []byte, symbol string) (text []byte, values []string) {
	items := c.items()
	for _, it := range items {
		values = append(values, it.value)
	}
	if n := len(items); n > 0 {
		b = c.appendItem(b, items[0], symbol)
		if n > 1 {
			b = c.appendItem(append(b, upTo...), items[n-1], symbol)
		}
	}
	return b, values
}

// appendItem appends one end of the text.
func (c *Cost) appendItem(b []byte, it item, symbol string) []byte {
	switch {
	case it.amount && isZero(it.value):
		return append(b, free...)
	case !it.bare:
		return append(b, it.text...)
	case c.Symbol == "":
		return append(append(b, symbol...), it.text...)
	case c.Position == Postfix || c.Position == Suffix:
		return append(append(b, it.text...), c.Symbol...)
	default:
		return append(append(b, c.Symbol...), it.text...)
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
	slices.SortStableFunc(amounts, func(a, b item) int { return compareDecimals(a.value, b.value) })
	amounts = slices.CompactFunc(amounts, func(a, b item) bool { return compareDecimals(a.value, b.value) == 0 })
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
	if isDecimal(entry) { // as nearly every cost is
		return item{entry, entry, true, true}
	}
	if found := numbers(entry); len(found) == 1 {
		return item{entry, found[0].value, true, found[0].text == entry}
	}
	return item{text: entry, value: slug(entry)}
}
