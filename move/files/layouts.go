// Layouts of dates as people write them.

package files

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// A DateOrder is the order of day, month and year in dates of numbers: "mdy", "dmy" or "ymd". ""
// finds it in the file.
type DateOrder string

const (
	monthFirst DateOrder = "mdy"
	dayFirst   DateOrder = "dmy"
	yearFirst  DateOrder = "ymd"
)

// DateOrders lists all orders.
var DateOrders = []DateOrder{monthFirst, dayFirst, yearFirst}

// dateAndTime splits a cell such as "2031-05-10 20:00" or "2031-05-10T20:00".
func dateAndTime(text string) (date, clock string) {
	for i, r := range text {
		if (r == 'T' || unicode.IsSpace(r)) && i > 0 && isDigit(text[i-1]) && i+1 < len(text) &&
			isDigit(text[i+1]) &&
			strings.ContainsAny(text[:i], "-/.") {
			return text[:i], strings.TrimSpace(strings.TrimPrefix(text[i:], "T"))
		}
	}
	return text, ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// SuggestedDates returns the possible meanings of an ambiguous date as YYYY-MM-DD, or that form,
// for errors.
func SuggestedDates(text string) string {
	date, _ := dateAndTime(text)
	var days []string
	if day, ok := plainDate(date); ok {
		return day.Format(time.DateOnly)
	}
	for _, layout := range slices.Concat(shortDates[monthFirst], shortDates[dayFirst]) {
		if day, err := time.Parse(layout, date); err == nil {
			days = append(days, day.Format(time.DateOnly))
		}
	}
	slices.Sort(days)
	return cmp.Or(strings.Join(slices.Compact(days), " or "), "YYYY-MM-DD")
}

// plainDate returns the day of a date that is not ambiguous.
func plainDate(text string) (day time.Time, ok bool) {
	layouts := plainDates
	if strings.ContainsFunc(text, unicode.IsLetter) {
		layouts = namedDates
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.-/", r) })
		if len(words) == 4 && !isDigit(words[0][0]) { // of the week
			words = words[1:]
		}
		for i, word := range words {
			if strings.EqualFold(word, "sept") {
				words[i] = word[:3]
			}
			if isDigit(word[0]) {
				words[i] = strings.TrimRight(strings.ToLower(word), "stndrh") // as in 3rd
			}
		}
		text = strings.Join(words, " ")
	}
	for _, layout := range layouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// plainDates are layouts of dates of digits that are not ambiguous, and namedDates of dates with
// the name of a month, as words.
var (
	plainDates = []string{"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "20060102"}
	namedDates = []string{
		"January 2 2006", "Jan 2 2006", "2 January 2006", "2 Jan 2006", "2 January 06", "2 Jan 06",
		"2006 January 2", "2006 Jan 2",
	}
)

// shortDates are layouts of dates that need an order, such as those with years of two digits.
var shortDates = map[DateOrder][]string{
	monthFirst: {"1/2/06", "1-2-06", "1/2/2006", "1-2-2006"},
	dayFirst:   {"2/1/06", "2-1-06", "2.1.06", "2/1/2006", "2-1-2006"},
	yearFirst:  {"06/1/2", "06-1-2", "06.1.2"},
}
