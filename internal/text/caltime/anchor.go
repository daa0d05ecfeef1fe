// Anchors of relative dates: how they are spelled.

package caltime

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An anchorKind says which of its members an anchor has.
type anchorKind int

const (
	atNow     anchorKind = iota
	atStart              // Relative.Start
	nearToday            // day: days after today
	onWeekday            // direction, weekday
	onDate               // direction, month, day
	inPeriod             // period, month, place, anyDay, weekday
	atChange             // direction, fold
)

// An anchor is the first part of a relative date.
type anchor struct {
	kind      anchorKind
	direction int // -1 before today, 0 today or after it, 1 after it
	weekday   time.Weekday
	month     time.Month
	day       int
	period    period
	place     int  // among the days or weekdays of a period from 1; 0: last
	anyDay    bool // not a weekday
	fold      bool // clocks are put back, not forward
}

// A period has a first and a last day.
type period int

const (
	week  period = iota // from Monday
	month               // anchor.month, if it is not 0, in the year in which that is ahead
	year
)

// Words of anchors.
var (
	periods = []string{"week", "month", "year"}
	places  = []string{"last", "first", "second", "third", "fourth"}
	towards = map[string]int{"next": 1, "last": -1}
)

// read reads an anchor and returns what follows it. The text is in lower case.
func (a *anchor) read(text string) (rest string, err error) {
	words, rest := cutWords(text)
	switch {
	case len(words) == 1 && words[0] == "now":
		a.kind = atNow
		return rest, nil
	case len(words) == 1 && words[0] == "start":
		a.kind = atStart
		return rest, nil
	case len(words) == 3 && words[0] == "start" && words[1] == "of":
		a.place = 1
		a.anyDay = true
		return rest, a.readPeriod(words[2])
	case len(words) == 4 && words[2] == "of":
		return rest, a.readPlace(words)
	}
	if day, ok := days[words[0]]; ok && len(words) == 1 {
		a.kind = nearToday
		a.day = int(day)
		return rest, nil
	}
	name := strings.Join(words, "-")
	if direction, ok := towards[words[0]]; ok && len(words) > 1 {
		a.direction = direction
		words = words[1:]
	}
	if len(words) == 2 && words[0] == "dst" && a.direction != 0 &&
		(words[1] == "gap" || words[1] == "fold") {
		a.kind = atChange
		a.fold = words[1] == "fold"
		return rest, nil
	}
	if i, ok := wholeWord(weekdays, words[0]); ok && len(words) == 1 {
		a.kind = onWeekday
		a.weekday = time.Weekday(i)
		return rest, nil
	}
	if i, ok := wholeWord(months, words[0]); ok && len(words) == 1 {
		a.kind = onDate
		a.month = time.Month(i + 1)
		return a.readDay(rest)
	}
	return rest, fmt.Errorf(
		"@%s is none of the days and moments that dates can be relative to",
		name,
	)
}

// cutWords cuts off the words that hyphens join.
func cutWords(text string) (words []string, rest string) {
	for {
		n := len(text) - len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))
		words = append(words, text[:n])
		text = text[n:]
		if len(text) < 2 || text[0] != '-' || text[1] < 'a' || text[1] > 'z' {
			return words, text
		}
		text = text[1:]
	}
}

// readPeriod reads what has days.
func (a *anchor) readPeriod(word string) error {
	a.kind = inPeriod
	if i, ok := wholeWord(months, word); ok {
		a.period = month
		a.month = time.Month(i + 1)
		return nil
	}
	i := slices.Index(periods, word)
	if i < 0 {
		return fmt.Errorf(
			"%q is no period; there are week, month, year and the months by name",
			word,
		)
	}
	a.period = period(i)
	return nil
}

// readPlace reads a day of a period, as last-friday-of-month.
func (a *anchor) readPlace(words []string) error {
	if a.place = slices.Index(places, words[0]); a.place < 0 {
		return fmt.Errorf(
			"%q is no place in a period; there are first, second, third, fourth and last",
			words[0],
		)
	}
	i, ok := wholeWord(weekdays, words[1])
	a.weekday = time.Weekday(i)
	a.anyDay = words[1] == "day"
	if !ok && !a.anyDay {
		return fmt.Errorf("%q is neither day nor a weekday", words[1])
	}
	if err := a.readPeriod(words[3]); err != nil {
		return err
	}
	if a.period == week && !a.anyDay && a.place > 1 {
		return fmt.Errorf("no week has a %s %s", words[0], words[1])
	}
	return nil
}

// readDay reads the day of a month, which a hyphen joins to its name.
func (a *anchor) readDay(text string) (rest string, err error) {
	rest = strings.TrimLeft(strings.TrimPrefix(text, "-"), "0123456789")
	digits := strings.TrimSuffix(strings.TrimPrefix(text, "-"), rest)
	if !strings.HasPrefix(text, "-") || digits == "" {
		return rest, errors.New("a month needs a day, as in @december-24")
	}
	const leapYear = 2024 // has every day that there is
	if a.day = valueOf(digits); len(digits) > 2 || a.day < 1 || a.day > daysIn(leapYear, a.month) {
		return rest, fmt.Errorf("%s has no day %s", months[a.month-1], digits)
	}
	return rest, nil
}

// daysIn returns the length of a month.
func daysIn(
	year int,
	m time.Month,
) int {
	return time.Date(year, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
