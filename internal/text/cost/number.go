package cost

// This file finds the numbers in a text. People write them with points, commas,
// spaces and apostrophes, as decimal separators, between thousands and between
// one number and the next.

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

type number struct {
	start, end int    // where it stands
	text       string // as written, with a zero before a leading separator
	value      string // digits with at most one point
}

// A run is a run of digits and the separator before it.
type run struct {
	sep        rune
	digits     string
	start, end int // of the digits
}

func (r run) isImplied() bool { return r.start == r.end }

// numbers finds the numbers of a text, in order. Digits within HTML character
// references do not count, nor do digits whose separators make no sense in a
// number, as in "10.05.2031".
func numbers(text string) []number {
	var found []number
	for i := 0; i < len(text); {
		switch {
		case text[i] == '&':
			i += max(1, reference(text[i:]))
		case isDigit(text[i]):
			runs := runsAt(text, i)
			found = append(found, numbersOf(text, runs)...)
			i = runs[len(runs)-1].end
		default:
			i++
		}
	}
	return found
}

// runsAt collects the runs of digits from i on that separators join. A separator
// in front of the first makes a first run of an implied zero.
func runsAt(text string, i int) []run {
	runs := []run{{0, text[i:digitsEnd(text, i)], i, digitsEnd(text, i)}}
	if endsLeading(text[:i]) {
		runs = []run{{0, "0", i - 1, i - 1}, {rune(text[i-1]), runs[0].digits, i, runs[0].end}}
	}
	for {
		last := runs[len(runs)-1].end
		sep, size := utf8.DecodeRuneInString(text[last:])
		start := last + size
		end := digitsEnd(text, start)
		if start == end || sep != '.' && sep != ',' && !(isGap(sep) && end-start == 3) {
			return runs
		}
		runs = append(runs, run{sep, text[start:end], start, end})
	}
}

// endsLeading reports whether text ends in a separator that begins a number like
// ".50" if digits follow: it must not end a word, as in "Rs.500", nor follow
// another separator, and a comma not follow a space.
func endsLeading(text string) bool {
	before, isPoint := strings.CutSuffix(text, ".")
	if !isPoint {
		var isComma bool
		if before, isComma = strings.CutSuffix(text, ","); !isComma {
			return false
		}
	}
	last, size := utf8.DecodeLastRuneInString(before)
	switch {
	case size == 0:
		return true
	case unicode.IsSpace(last):
		return isPoint
	default:
		return !unicode.IsLetter(last) && !unicode.IsDigit(last) && last != '.' && last != ','
	}
}

// numbersOf makes one number of the runs, or failing that, one of each piece
// between commas that cannot group thousands.
func numbersOf(text string, runs []run) []number {
	runs = ofThousands(runs)
	if value, ok := valueOf(runs); ok {
		return []number{numberOf(text, runs, value)}
	}
	if runs[0].isImplied() {
		return numbersOf(text, runs[1:])
	}
	var found []number
	from := 0
	for i := 1; i <= len(runs); i++ {
		if i < len(runs) && (runs[i].sep != ',' || len(runs[i].digits) == 3) {
			continue
		}
		if value, ok := valueOf(runs[from:i]); ok {
			found = append(found, numberOf(text, runs[from:i], value))
		}
		from = i
	}
	return found
}

func numberOf(text string, runs []run, value string) number {
	n := number{start: runs[0].start, end: runs[len(runs)-1].end, value: value}
	n.text = text[n.start:n.end]
	if runs[0].isImplied() {
		n.text = "0" + n.text
	}
	return n
}

// ofThousands joins runs that are grouped as in India, by two digits before the last three:
// 1,50,000.
func ofThousands(runs []run) []run {
	last := len(runs) - 1
	for last > 0 && runs[last].sep != ',' {
		last-- // behind the decimal point
	}
	if last < 2 || len(runs[0].digits) > 2 || len(runs[last].digits) != 3 {
		return runs
	}
	whole := run{sep: runs[0].sep, start: runs[0].start, end: runs[last].end}
	for i, r := range runs[:last+1] {
		if i > 0 && r.sep != ',' || 0 < i && i < last && len(r.digits) != 2 {
			return runs
		}
		whole.digits += r.digits
	}
	return append([]run{whole}, runs[last+1:]...)
}

// above returns the upper end of a range. One that would be below the lower end has its point
// between thousands.
func (n number) above(lower number) number {
	whole, rest, _ := strings.Cut(n.text, ".")
	if compareDecimals(n.value, lower.value) < 0 && n.text == n.value && len(rest) == 3 {
		n.text = whole + rest
		n.value = n.text
	}
	return n
}

// valueOf reads runs as one decimal number.
func valueOf(runs []run) (string, bool) {
	last := len(runs) - 1
	whole := runs
	decimals := ""
	if last > 0 && isPoint(runs) {
		whole = runs[:last]
		decimals = "." + runs[last].digits
		if last > 1 && runs[last-1].sep == runs[last].sep {
			return "", false
		}
	}
	if !isGrouped(whole) {
		return "", false
	}
	var b strings.Builder
	for _, r := range whole {
		b.WriteString(r.digits)
	}
	b.WriteString(decimals)
	return b.String(), true
}

// isPoint reports whether the last separator of at least two runs is a decimal
// point. Before three digits it is one when it differs from the separators before
// it. When it stands alone the site's language decides, which is English here: a
// point is, and a comma only where it cannot group thousands, as in "0,125".
func isPoint(runs []run) bool {
	last := len(runs) - 1
	switch sep := runs[last].sep; {
	case sep != '.' && sep != ',':
		return false
	case len(runs[last].digits) != 3:
		return true
	case last > 1:
		return sep != runs[last-1].sep
	default:
		return sep == '.' || !isGrouped(runs)
	}
}

// isGrouped reports whether runs are digits without separators or grouped by
// thousands with one kind of separator.
func isGrouped(runs []run) bool {
	if len(runs) == 1 {
		return true
	}
	if first := runs[0].digits; len(first) > 3 || first[0] == '0' {
		return false
	}
	for _, r := range runs[1:] {
		if r.sep != runs[1].sep || len(r.digits) != 3 {
			return false
		}
	}
	return true
}

// isGap reports whether r groups thousands and nothing else: spaces, common or
// not breaking, and the apostrophes of Switzerland.
func isGap(r rune) bool { return strings.ContainsRune(" \u00a0\u202f'\u2019", r) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digitsEnd is where the run of digits ends that begins at i; i if there is none.
func digitsEnd(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

// IsDecimal reports whether a text is a number and its own value: digits, and at
// most one point between them.
func IsDecimal(text string) bool {
	isNumber := func(s string) bool { return s != "" && digitsEnd(s, 0) == len(s) }
	whole, decimals, divided := strings.Cut(text, ".")
	return isNumber(whole) && (!divided || isNumber(decimals))
}

// isZero reports whether a value has no other digit than zero.
func isZero(value string) bool { return strings.Trim(value, "0.") == "" }

// compareDecimals compares two values by size, exactly.
func compareDecimals(a, b string) int {
	aWhole, aRest, _ := strings.Cut(a, ".")
	bWhole, bRest, _ := strings.Cut(b, ".")
	aWhole = strings.TrimLeft(aWhole, "0")
	bWhole = strings.TrimLeft(bWhole, "0")
	return cmp.Or(
		cmp.Compare(len(aWhole), len(bWhole)),
		cmp.Compare(aWhole, bWhole),
		cmp.Compare(strings.TrimRight(aRest, "0"), strings.TrimRight(bRest, "0")),
	)
}
