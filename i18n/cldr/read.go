package cldr

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// ISODay returns a day that people wrote as the language does, as year, month and day:
// "24.12.2026", "24. Dezember 2026" in German and "12/24/2026" in English are "2026-12-24". A year
// of two digits is of this century. The day need not exist. Any other text is returned as it is.
func (l *Locale) ISODay(text string) string {
	order, literals := l.dayOrder()
	var numbers, widths []int
	month := 0
	divider := "" // all between numbers and words
	for rest := strings.ToLower(text); rest != ""; {
		is := unicode.IsLetter
		switch r := []rune(rest)[0]; {
		case '0' <= r && r <= '9':
			is = func(r rune) bool { return '0' <= r && r <= '9' }
		case !unicode.IsLetter(r):
			if !strings.ContainsRune(" .,/-׳\u00a0\u202f\u200f", r) {
				return text
			}
			divider += string(r)
			rest = rest[len(string(r)):]
			continue
		}
		part := rest
		if end := strings.IndexFunc(rest, func(r rune) bool { return !is(r) }); end >= 0 {
			part = rest[:end]
		}
		rest = rest[len(part):]
		if n, err := strconv.Atoi(part); err == nil {
			numbers = append(numbers, n)
			widths = append(widths, len(part))
		} else if named := l.monthOf(part, literals); named > 0 && month == 0 {
			month = named
		} else if !slices.Contains(literals, part) {
			return text
		}
	}
	year := slices.IndexFunc(widths, func(width int) bool { return width == 4 })
	switch {
	case month > 0 && len(numbers) == 2 && year >= 0:
		return fmt.Sprintf("%04d-%02d-%02d", numbers[year], month, numbers[1-year])
	case month > 0 || len(numbers) != 3 || slices.Max(widths) > 4:
		return text
	case year == 0:
		order = "yMd"
	case order[0] == 'y' || order[0] == 'M' && strings.Contains(divider, "."):
		return text // 1.6.2031 is the first of June to others
	}
	value := func(letter string) int { return numbers[strings.Index(order, letter)] }
	y := strings.Index(order, "y")
	if widths[y] == 2 {
		numbers[y] += 2000
	}
	if widths[y]%2 != 0 || widths[1] > 2 || widths[2-y] > 2 {
		return text
	}
	return fmt.Sprintf("%04d-%02d-%02d", numbers[y], value("M"), value("d"))
}

// dayOrder returns the letters of year, month and day in the order of the language, and the words
// between them in small letters.
func (l *Locale) dayOrder() (order string, literals []string) {
	for _, p := range []pattern{l.facts.Long, l.facts.Medium} {
		order = ""
		for _, token := range p.tokens {
			if token.letter != 0 {
				order += strings.ReplaceAll(string(token.letter), "L", "M")
			}
			words := strings.FieldsFunc(token.text, func(r rune) bool { return !unicode.IsLetter(r) })
			literals = append(literals, words...)
		}
	}
	return order, literals
}

// monthOf returns the number of the month that a word in small letters names, 0 for none. A word
// of the pattern may stand before it, as in Hebrew.
func (l *Locale) monthOf(word string, literals []string) int {
	f := &l.facts
	for _, before := range append([]string{""}, literals...) {
		name, ok := strings.CutPrefix(word, before)
		is := func(month string) bool { return strings.ToLower(strings.Trim(month, ".׳")) == name }
		for _, names := range [][12]string{
			f.Months, f.MonthsAlone, f.MonthsShort, f.MonthsShortAlone,
		} {
			if i := slices.IndexFunc(names[:], is); ok && i >= 0 {
				return i + 1
			}
		}
	}
	return 0
}

// clockText finds what stands before the hours of a time, the hours, what divides them from the
// minutes, the minutes, and what stands behind them.
var clockText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\D*?)(\d{1,2}) ?([:.h時时点點]?) ?(\d\d)?(\D*)$`)
})

// hourMarks say of a number beside them that it counts hours since midnight.
const hourMarks = " h 時 时 点 點 分 uhr uur kl klo ore godz hod "

// ISOTime returns a time that people typed as hours and minutes of 24 hours: "7:30 pm", "19.30",
// "19h30", "1930" and "19:30 Uhr" are "19:30". An hour alone is one beside "am", "pm", the words of
// the language for them or a word for hours: "7 pm", "19 Uhr". Any other text is returned as it is:
// "7" may be in the morning or in the evening.
func (l *Locale) ISOTime(text string) string {
	plain := func(word string) string {
		return strings.NewReplacer(" ", "", ".", "").Replace(strings.ToLower(word))
	}
	m := clockText().FindStringSubmatch(strings.Join(strings.Fields(strings.ToLower(text)), " "))
	if m == nil {
		return text
	}
	hour, _ := strconv.Atoi(m[2])
	periods := []string{"am", "pm", plain(l.facts.DayPeriods[0]), plain(l.facts.DayPeriods[1])}
	isExact := len(m[2]+m[4]) == 4 || m[3] != "" && m[4] != ""
	isHalf := false
	for _, word := range []string{plain(m[1]), plain(m[3]), plain(m[5])} {
		period := slices.Index(periods, word)
		switch {
		case word == "" || word == ":":
			continue
		case strings.Contains(hourMarks, " "+word+" "):
		case period < 0 || isHalf || hour < 1 || hour > 12:
			return text
		default:
			isHalf = true
			hour = hour%12 + 12*(period%2)
		}
		isExact = true
	}
	minute, _ := strconv.Atoi(m[4])
	if !isExact || hour > 23 || minute > 59 {
		return text
	}
	return fmt.Sprintf("%02d:%02d", hour, minute)
}
