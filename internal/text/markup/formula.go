package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsFormula reports whether a spreadsheet may compute a cell, or divide it: "=", "+", "-" or
// "@", in full width too, comes first, or there is a tab or a carriage return before any
// sign. Apostrophes, spaces and invisible characters do not count, since spreadsheets, and the
// programs that files go through, drop some of them. An apostrophe before a cell does not
// change the answer, so that it can be taken off again.
func IsFormula(cell string) bool {
	sign := strings.TrimLeftFunc(
		cell,
		func(c rune) bool { return c == '\'' || unicode.In(c, unseen...) },
	)
	first, _ := utf8.DecodeRuneInString(sign)
	return strings.ContainsRune("=+-@＝＋－＠", first) ||
		strings.ContainsAny(cell[:len(cell)-len(sign)], "\t\r")
}

// unseen are the tables of invisible characters.
var unseen = []*unicode.RangeTable{
	unicode.White_Space,
	unicode.Cc,
	unicode.Cf,
	unicode.Other_Default_Ignorable_Code_Point,
	unicode.Variation_Selector,
}
