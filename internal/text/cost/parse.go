package cost

// This file turns what a client sent into a Cost.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/i18n/cldr"
)

// Limits of the input, far beyond any real price list.
const (
	maxEntries = 500
	maxText    = 1000 // bytes of one text, and of the text shown
	maxSymbol  = 16   // bytes of a site symbol that the text shown has room for
)

// dividers stand between the amounts of one text.
const dividers = "-‐‑–—,;"

// Parse reads a cost as it was decoded from a request: nil, a bool, a
// json.Number, a string, or a []any of these. True is one;
// nil, false and blank texts are no cost. Zero is a cost, namely free.
//
// With a single amount everything around it is kept as sent ("from 10 USD").
// Several amounts in one text ("10-20", "$5, $10") are taken apart; the words
// around them are kept when no two amounts disagree about them, otherwise the
// bare numbers remain. "1,000.50" and "1.000,50" are one number each. A lone
// comma before three digits groups thousands, a lone point is a decimal point.
// HTML tags are removed.
//
// Objects, lists within lists, more than 500 entries, texts over 1,000 bytes and
// texts that are not UTF-8 or hold control characters are refused.
func Parse(v any) (Cost, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > maxEntries {
		return Cost{}, fmt.Errorf(
			"cost holds %d entries, at most %d are accepted",
			len(list),
			maxEntries,
		)
	}
	var texts []string
	for _, v := range list {
		text, err := textOf(v)
		if err != nil {
			return Cost{}, err
		}
		if text, err = clean(text); err != nil {
			return Cost{}, err
		}
		if text != "" {
			texts = append(texts, text)
		}
	}

	c := read(texts)
	if len(c.Entries) > maxEntries {
		return Cost{}, fmt.Errorf(
			"cost holds %d amounts, at most %d are accepted",
			len(c.Entries),
			maxEntries,
		)
	}
	if len(c.Text(cldr.Currency{Symbol: strings.Repeat("$", maxSymbol)})) > maxText {
		return Cost{}, fmt.Errorf(
			"cost is too long to show, at most %d bytes are accepted",
			maxText,
		)
	}
	if len(texts) == 1 && (len(c.Entries) > 1 || c.Entries[0] != texts[0]) {
		c.Wording = texts[0]
	}
	return c, nil
}

// textOf writes a decoded value the way people write a cost.
func textOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case bool:
		if v {
			return "1", nil
		}
		return "", nil
	case string:
		return v, nil
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return "", fmt.Errorf("cost %.40q is no number in range", string(v))
		}
		if strings.ContainsAny(string(v), "eE") { // an exponent would read as a second number
			return strconv.FormatFloat(f, 'f', -1, 64), nil
		}
		return string(v), nil // with the decimals that were sent
	case []any:
		return "", errors.New("cost must be a text, a number or a list of these, not a list of lists")
	default:
		return "", errors.New("cost must be a text, a number or a list of these, not an object")
	}
}

// clean makes one line without markup of a text.
func clean(text string) (string, error) {
	if len(text) > maxText {
		return "", fmt.Errorf(
			"cost holds a text of %d bytes, at most %d are accepted",
			len(text),
			maxText,
		)
	}
	if !utf8.ValidString(text) {
		return "", errors.New("cost must be UTF-8 text")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, text)
	if strings.ContainsFunc(text, unicode.IsControl) {
		return "", errors.New("cost must not hold control characters")
	}
	return strings.TrimSpace(stripTags(text)), nil
}

// read understands texts, which are clean and not empty.
func read(texts []string) Cost {
	var parts []part
	divided := false
	for _, text := range texts {
		found := divide(text)
		divided = divided || len(found) > 1
		parts = append(parts, found...)
	}
	if slices.ContainsFunc(parts, part.isAmount) {
		for i, p := range parts {
			if !p.isAmount() && isFree(p.before) { // beside amounts it is one
				parts[i] = part{number: "0"}
			}
		}
	}

	var c Cost
	before, after := share(parts)
	for _, p := range parts {
		if p.isAmount() {
			c.Entries = append(c.Entries, before+p.number+after)
		} else {
			c.Entries = append(c.Entries, p.before)
		}
	}
	// Amounts taken out of one text name no currency even when all have the
	// same sign; clients know it that way.
	if !divided {
		c.Symbol, c.Position = symbol(before, after)
	}
	return c
}

// A part is an amount with what stands around it. A text is a part with nothing
// but before.
type part struct{ before, number, after string }

func (p part) isAmount() bool { return p.number != "" }

// divide takes a text apart at the dividers between its amounts, and after a
// leading "Free", which is how we show an amount of zero.
func divide(text string) []part {
	found := numbers(text)
	if len(found) == 0 {
		return []part{{before: text}}
	}
	if len(found) == 2 {
		found[1] = found[1].above(found[0])
	}
	var parts []part
	before := text[:found[0].start]
	if left, right, ok := cut(before); ok && isFree(left) {
		parts = append(parts, part{before: left})
		before = right
	}
	prose := false // as in "10 to 20": the words belong to no amount
	for i, n := range found {
		p := part{before: before, number: n.text, after: text[n.end:]}
		if i+1 < len(found) {
			var ok bool
			p.after, before, ok = cut(text[n.end:found[i+1].start])
			prose = prose || !ok
		}
		parts = append(parts, p)
	}
	for i := range parts {
		p := &parts[i]
		if prose && p.isAmount() {
			p.before = ""
			p.after = ""
		}
		p.before, p.after = wordless(p.before), wordless(p.after)
	}
	return parts
}

// cut splits a text at its first divider and the spaces around that.
func cut(text string) (left, right string, ok bool) {
	i := strings.IndexAny(text, dividers)
	if i < 0 {
		return text, "", false
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	left = strings.TrimRightFunc(text[:i], unicode.IsSpace)
	right = strings.TrimLeftFunc(text[i+size:], unicode.IsSpace)
	return left, right, true
}

// wordless empties what is only punctuation, as after "10.".
func wordless(text string) string {
	if strings.Trim(text, " .,;") == "" {
		return ""
	}
	return text
}

func isFree(text string) bool { return strings.EqualFold(text, free) }

// share returns the text before and after all amounts, if they have the same, or
// nothing. An amount without text around it agrees with every other.
func share(parts []part) (before, after string) {
	amounts := 0
	for _, p := range parts {
		if !p.isAmount() {
			continue
		}
		amounts++
		switch {
		case p.before == "" && p.after == "":
		case before == "" && after == "":
			before = p.before
			after = p.after
		case before != p.before || after != p.after:
			return "", ""
		}
	}
	// With these the text shown would be taken apart elsewhere, or its numbers
	// begin elsewhere, when it is sent back.
	if amounts > 1 &&
		(strings.ContainsAny(before+after, dividers+"0123456789") || endsLeading(before)) {
		return "", ""
	}
	return before, after
}

// symbol returns the currency. The authors of this format do not define words on
// both sides; then it is the word that touches the number, the front first.
func symbol(before, after string) (symbol, position string) {
	front := strings.TrimSpace(before)
	back := strings.TrimSpace(after)
	switch {
	case front == "" && back == "":
		return "", ""
	case back == "" || front != "" && strings.HasSuffix(before, front):
		return front, Prefix
	default:
		return back, Postfix
	}
}
