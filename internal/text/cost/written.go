package cost

// This file has what people read of a cost, and what a text says in words.

import (
	"cmp"
	_ "embed"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"almanac/i18n/cldr"
)

// Typed returns the one text that the cost was sent as, without markup. It is empty when
// several texts were sent, or none.
func (c Cost) Typed() string {
	if c.Wording == "" && len(c.Entries) == 1 {
		return c.Entries[0]
	}
	return c.Wording
}

// IsBare reports whether the text that was sent has amounts and no currency or other word.
func (c Cost) IsBare() bool {
	typed := c.Typed()
	return isBare(typed, numbers(typed))
}

// InTable returns the cost for the cell of a table, beside which stands the currency: as it was
// typed, or the lowest and the highest of several entries.
func (c Cost) InTable() string {
	return cmp.Or(c.Typed(), Cost{Entries: c.Entries}.Text(cldr.Currency{}))
}

// Written returns the cost as people read it: as it was typed. A text of amounts alone gets
// the currency of the event or else of the site, and zero alone is the word for free in the
// language of the reader. Digits and dividers stay as they were typed in every language, "12,50" in
// a British calendar too, where it is "£12,50": to write them otherwise would be to guess what was
// meant. Several texts are shown as Text shows them. Entities are decoded.
func (c Cost) Written(site cldr.Currency, word string) string {
	own := c.currency(site)
	if c.Symbol == "" && c.Code != "" && c.Code != site.Code {
		own = cldr.Currency{Code: c.Code, Symbol: c.Code, Gap: "\u00a0", Behind: site.Behind}
	}
	typed := c.Typed()
	found := numbers(typed)
	switch {
	case typed == "", isBare(typed, found) && c.IsFree():
		text := c.Text(own)
		if rest, ok := strings.CutPrefix(text, free); ok &&
			(rest == "" || strings.HasPrefix(rest, upTo)) {
			text = word + rest
		}
		return html.UnescapeString(text)
	case isFree(typed):
		return word
	case !isBare(typed, found):
		return html.UnescapeString(typed)
	}
	return string(own.Append(nil, strings.Trim(typed, " .")))
}

// IsWritten reports whether Written gives a text, in some language and with the currency of some
// site.
func (c Cost) IsWritten(text string) bool {
	want := strings.Split(c.Written(cldr.Currency{Code: c.Code}, free), upTo)
	return slices.EqualFunc(want, strings.Split(text, upTo), func(part, shown string) bool {
		before, after, ok := strings.Cut(shown, part)
		hasCurrency := ok && c.Symbol == "" && isBare(part, numbers(part)) &&
			!strings.ContainsFunc(before+after, unicode.IsDigit)
		return shown == part || hasCurrency || part == free && freeWords[strings.ToLower(shown)]
	})
}

// isBare reports whether a text is numbers with nothing but dividers between them. A dash before
// or behind them is a word, as in "10,-".
func isBare(text string, found []number) bool {
	if len(found) == 0 {
		return false
	}
	first := found[0]
	last := found[len(found)-1]
	if strings.TrimSpace(text[:first.start]) != "" || strings.Trim(text[last.end:], " .") != "" {
		return false
	}
	for i, n := range found[1:] {
		if strings.Trim(text[found[i].end:n.start], dividers+" ") != "" {
			return false
		}
	}
	return true
}

// Currencies returns the ISO 4217 codes that the first sign of a currency beside an amount
// may mean, nil if there is none.
func (c Cost) Currencies() []string {
	for _, text := range c.texts() {
		text = html.UnescapeString(text)
		for _, n := range numbers(text) {
			if codes := n.currencies(text); codes != nil {
				return codes
			}
		}
	}
	return codesOf(c.Symbol)
}

// currencies returns the codes of the word that touches a number of a text, before it or behind.
func (n number) currencies(text string) []string {
	isEdge := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsDigit(r) ||
			strings.ContainsRune(dividers+"/():、，（）", r)
	}
	before := strings.TrimRightFunc(text[:n.start], unicode.IsSpace)
	if i := strings.LastIndexFunc(before, isEdge); i >= 0 {
		_, size := utf8.DecodeRuneInString(before[i:])
		before = before[i+size:]
	}
	if codes := codesOf(before); codes != nil {
		return codes
	}
	after := strings.TrimLeftFunc(noCents.ReplaceAllString(text[n.end:], ""), unicode.IsSpace)
	if i := strings.IndexFunc(after, isEdge); i >= 0 {
		after = after[:i]
	}
	return codesOf(after)
}

// noCents is the sign behind an amount for no part of a unit: 18,- € and 20.– Fr.
var noCents = regexp.MustCompile(`^[.,][-‐‑–—]+`)

// currencyWords are words of people that CLDR has no symbol for.
var currencyWords = map[string]string{
	"euro":   "EUR",
	"euros":  "EUR",
	"fr":     "CHF",
	"円":      "JPY",
	"元":      "CNY",
	"руб":    "RUB",
	"рубля":  "RUB",
	"рублей": "RUB",
	"جنيه":   "EGP",
	`ש"ח`:    "ILS",
	"ש״ח":    "ILS",
}

// codesOf returns the ISO 4217 codes that a word may mean, nil if it means no currency.
func codesOf(word string) []string {
	lower := strings.ToLower(strings.TrimRight(word, "."))
	if code := currencyWords[lower]; code != "" {
		return []string{code}
	}
	if codes := cldr.CurrenciesOf(strings.TrimRight(word, ".")); codes != nil {
		return codes
	}
	return cldr.CurrenciesOf(lower)
}

// joints are the words between the ends of a range, which have one currency.
var joints = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\pZ*([-‐‑–—/~〜～]|to|bis|à|a|al|до|til|till|tot|do|から|至|到)?\pZ*$`)
})

// lowest returns the lowest amount in the currency of Currencies, "" if none is known: of the
// numbers beside it, if there are some.
func (c Cost) lowest() string {
	var lowest string
	own := c.Currencies()
	isOwn := func(code string) bool { return slices.Contains(own, code) }
	for _, text := range c.texts() {
		text = html.UnescapeString(text)
		found := numbers(text)
		isPaid := make([]bool, len(found))
		isOther := make([]bool, len(found))
		for i, n := range found {
			codes := n.currencies(text)
			isPaid[i] = codes != nil
			isOther[i] = codes != nil && !slices.ContainsFunc(codes, isOwn)
		}
		isJoined := func(i int) bool {
			return joints().MatchString(strings.Trim(text[found[i].end:found[i+1].start], "€£$ "))
		}
		for i := range max(0, len(found)-1) {
			isPaid[i+1] = isPaid[i+1] || isPaid[i] && isJoined(i)
		}
		for i := len(found) - 2; i >= 0; i-- {
			isPaid[i] = isPaid[i] || isPaid[i+1] && isJoined(i)
		}
		if !slices.Contains(isPaid, true) &&
			(isBare(text, found) || len(found) == 1 && !mentionsFree(text)) {
			isPaid = slices.Repeat([]bool{true}, len(found))
		}
		for i, n := range found {
			value := n.value
			if whole, rest, _ := strings.Cut(value, "."); len(rest) == 3 &&
				!slices.ContainsFunc(n.currencies(text), hasMils) {
				value = whole + rest // 1.200 € is no price of one euro
			}
			if isPaid[i] && !isOther[i] && (lowest == "" || compareDecimals(value, lowest) < 0) {
				lowest = value
			}
		}
	}
	return lowest
}

// hasMils reports whether amounts in a currency have three decimals (ISO 4217).
func hasMils(code string) bool { return strings.Contains("BHD IQD JOD KWD LYD OMR TND", code) }

// mentionsFree reports whether a word of a text means free.
func mentionsFree(text string) bool {
	isGap := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	words := strings.FieldsFunc(strings.ToLower(text), isGap)
	return slices.ContainsFunc(words, func(word string) bool { return freeWords[word] })
}

// texts returns what was sent: the wording, or else the entries.
func (c Cost) texts() []string {
	if c.Wording != "" {
		return []string{c.Wording}
	}
	return c.Entries
}

//go:embed free.txt
var freeFile string

// freeWords has the ways to say that something is free, in small letters.
var freeWords = func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(freeFile) {
		_, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for word := range strings.SplitSeq(words, ", ") {
			all[word] = true
		}
	}
	return all
}()

// saysFree reports whether a sentence or a part between dividers says that the event is free:
// "Eintritt frei, Spenden willkommen". Words about some people, as in "children free", do not.
func (c Cost) saysFree() bool {
	isEnd := func(r rune) bool { return strings.ContainsRune(dividers+"/|·().!*、。，；（）،", r) }
	for _, text := range c.texts() {
		if IsDecimal(text) {
			continue
		}
		text = strings.ToLower(strings.ReplaceAll(html.UnescapeString(text), ":", " "))
		for part := range strings.FieldsFuncSeq(text, isEnd) {
			if freeWords[strings.Join(strings.Fields(part), " ")] {
				return true
			}
		}
	}
	return false
}
