package cldr

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// texts is every way of writing two times, by the names of .ci/cldr.js.
var texts = map[string]func(l *Locale, from, to time.Time) string{
	"full":               func(l *Locale, from, _ time.Time) string { return l.Full(from) },
	"fullNoYear":         func(l *Locale, from, _ time.Time) string { return l.FullNoYear(from) },
	"medium":             func(l *Locale, from, _ time.Time) string { return l.Medium(from) },
	"month":              func(l *Locale, from, _ time.Time) string { return l.Month(from) },
	"dayMonth":           func(l *Locale, from, _ time.Time) string { return l.DayMonth(from) },
	"shortYear":          func(l *Locale, from, _ time.Time) string { return l.ShortYear(from) },
	"time":               func(l *Locale, from, _ time.Time) string { return l.Time(from) },
	"fullTime":           func(l *Locale, from, _ time.Time) string { return l.FullTime(from) },
	"mediumTime":         func(l *Locale, from, _ time.Time) string { return l.mediumTime(from) },
	"fullInterval":       func(l *Locale, from, to time.Time) string { return l.FullInterval(from, to, true) },
	"mediumInterval":     func(l *Locale, from, to time.Time) string { return l.MediumInterval(from, to, true) },
	"shortInterval":      func(l *Locale, from, to time.Time) string { return l.ShortInterval(from, to) },
	"timeInterval":       func(l *Locale, from, to time.Time) string { return l.TimeInterval(from, to) },
	"fullTimeInterval":   func(l *Locale, from, to time.Time) string { return l.FullInterval(from, to, false) },
	"mediumTimeInterval": func(l *Locale, from, to time.Time) string { return l.MediumInterval(from, to, false) },
}

// An explanation says where ICU, by way of Intl in Node, writes something else than this package,
// and why this package is right.
type explanation struct {
	why  string
	tags string // in which languages, "" for all
	in   string // which texts
	is   func(l *Locale, from, to time.Time, got, want string) bool
}

var explanations = []explanation{
	{
		"Intl writes an ordinary space where CLDR has a thin one that is not broken (U+202F), but in intervals",
		"",
		"",
		func(_ *Locale, _, _ time.Time, got, want string) bool {
			return strings.ReplaceAll(got, "\u202f", " ") == want
		},
	},
	{
		"ICU joins a full date and an interval of times as it joins a medium one; UTS #35, part 4, has a pattern for full dates",
		"it pl",
		"fullTimeInterval",
		func(l *Locale, from, to time.Time, _, want string) bool {
			return l.facts.MediumWith.join(l.TimeInterval(from, to), l.Full(from)) == want
		},
	},
	{
		"for the ends of an interval Intl has weekdays as they are inside of a sentence; CLDR's full date has them standing alone",
		"fi",
		"fullInterval fullTimeInterval",
		func(l *Locale, _, _ time.Time, got, want string) bool {
			for i, name := range l.facts.WeekdaysAlone {
				got = strings.ReplaceAll(got, name+" ", l.facts.Weekdays[i]+" ")
			}
			return got == want
		},
	},
	{
		"ICU writes weekdays out in intervals where the pattern has them inside of a sentence (E), and not where they stand alone (ccc)",
		"ru",
		"fullInterval",
		func(l *Locale, _, _ time.Time, got, want string) bool {
			for i, name := range l.facts.WeekdaysAlone {
				got = strings.ReplaceAll(got, name, l.facts.WeekdaysShortAlone[i])
			}
			return got == want
		},
	},
	{
		"Intl asks ICU not for the interval of the fields that it was told, but for that of the letters in the pattern of a date: " +
			"where a month is a number in that, for the interval in numbers",
		"cs fi pt-PT",
		"mediumInterval shortInterval",
		inNumbers,
	},
	{"the same, where full dates have numbers too", "ja zh-Hans",
		"fullInterval fullTimeInterval mediumInterval mediumTimeInterval shortInterval", inNumbers},
	{"times in Japanese have a colon; their intervals have it here, and other signs in CLDR", "ja",
		"timeInterval fullTimeInterval mediumTimeInterval", func(_ *Locale, _, _ time.Time, got, want string) bool {
			return strings.NewReplacer("時", ":", "分", "").Replace(want) == got
		}},
}

// inNumbers reports whether a text begins with a date in numbers, behind a weekday perhaps, and
// has no letters but those of weekdays and hours and a Chinese "to".
func inNumbers(l *Locale, from, to time.Time, _, want string) bool {
	rest := strings.ReplaceAll(want, "至", " ")
	for _, names := range [][7]string{l.facts.Weekdays, l.facts.WeekdaysShort} {
		rest = strings.NewReplacer(names[from.Weekday()], "", names[to.Weekday()], "").
			Replace(rest)
	}
	rest = strings.NewReplacer("時", "", "分", "").Replace(rest)
	return !strings.ContainsFunc(rest, unicode.IsLetter) &&
		slices.ContainsFunc(
			[]string{"2.1.2006", "02.01.2006", "2.", "02/01/2006", "2006/1/2", "2006/01/02"},
			func(layout string) bool {
				return strings.HasPrefix(strings.TrimLeft(rest, " ,"), from.Format(layout))
			},
		)
}

// Texts are equal to those of ICU, or differ for a known reason. The table has a few
// times in each language; .ci/cldr makes hundreds.
func TestIntl(t *testing.T) {
	t.Parallel()
	name := os.Getenv("ALMANAC_INTL")
	if name == "" {
		name = "testdata/intl.jsonl"
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	compared := map[string]int{}
	version := ""
	found := map[string]int{}
	// Another major version of CLDR may say something else; that is counted then.
	var another bool
	differ := func(format string, args ...any) {
		t.Helper()
		if !another {
			t.Errorf(format, args...)
		} else if found[""]++; found[""] < 20 {
			t.Logf(format, args...)
		}
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c intlLine
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.ICU != "" {
			version = "ICU " + c.ICU + " with CLDR " + c.CLDR
			theirs, _, _ := strings.Cut(c.CLDR, ".")
			another = !strings.HasPrefix(Of("en").facts.Source, "CLDR "+theirs+".")
		}
		switch {
		case c.Texts != nil:
			from := time.Unix(c.From, 0).UTC()
			to := time.Unix(c.To, 0).UTC()
			for name, want := range c.Texts {
				l := localeOf(c.Tag)
				got := texts[name](l, from, to)
				compared[c.Tag]++
				if got == want {
					continue
				}
				i := slices.IndexFunc(explanations, func(e explanation) bool {
					return (e.tags == "" || slices.Contains(strings.Fields(e.tags), c.Tag)) &&
						(e.in == "" || slices.Contains(strings.Fields(e.in), name)) && e.is(l, from, to, got, want)
				})
				if i < 0 {
					differ(
						"%s, %s of %s to %s (-ICU +this):\n-%q\n+%q",
						c.Tag,
						name,
						c.at(c.From),
						c.at(c.To),
						want,
						got,
					)
					continue
				}
				found[explanations[i].why]++
			}
		case c.Tag != "":
			compared[c.Tag]++
			if diff := cmp.Diff(c.intlLanguage, language(Of(c.Tag), c.intlLanguage)); diff != "" {
				differ("%s (-ICU +this):\n%s", c.Tag, diff)
			}
		default:
			compared["regions"]++
			if diff := cmp.Diff(c.Week, days(weekOf(c.Region))); diff != "" {
				differ("week of %s (-ICU +this):\n%s", c.Region, diff)
			}
		}
	}
	for _, tag := range append(tags, "regions") {
		if compared[tag] < 25 {
			t.Errorf("only %d texts of %s were compared", compared[tag], tag)
		}
	}
	t.Logf("%s: compared %v", version, compared)
	if another {
		sum := 0
		for _, n := range compared {
			sum += n
		}
		if found[""] > sum/4 {
			t.Errorf(
				"%d of %d texts differ: more than another version of CLDR explains",
				found[""],
				sum,
			)
		}
		t.Logf("%6d differ: or because this has %s", found[""], Of("en").facts.Source)
	}
	for _, e := range explanations {
		t.Logf("%6d differ: %s", found[e.why], e.why)
	}
}

// An intlLine is a line of the output of .ci/cldr.js: numbers and names of a language, a
// pair of times in all forms, or the week of a region.
type intlLine struct {
	Tag, Region string
	ICU, CLDR   string
	From, To    int64
	Texts       map[string]string
	intlLanguage
}

// localeOf returns a language, or one in a region.
func localeOf(tag string) *Locale {
	if slices.Contains(tags, tag) {
		return Of(tag)
	}
	cut := strings.LastIndexByte(tag, '-')
	l, _ := Of(tag[:cut]).In(tag[cut+1:])
	return l
}

func (intlLine) at(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateTime) }

type intlLanguage struct {
	Months                  []string
	Weekdays, ShortWeekdays []string
	Plurals                 string
	Numbers                 [][2]any // and each in digits
	Lists                   [][2]any // and each in one text
	Week                    []int
}

// large are the numbers beyond 1,000 whose categories .ci/cldr.js writes.
var large = []int{1_000_000, 3_000_000, 1_000_001}

// language returns the same of ours.
func language(l *Locale, like intlLanguage) intlLanguage {
	months := l.Months()
	weekdays := l.Weekdays()
	shortWeekdays := l.ShortWeekdays()
	ours := intlLanguage{
		Months:        months[:],
		Weekdays:      weekdays[:],
		ShortWeekdays: shortWeekdays[:],
		Week:          days(l.Week()),
	}
	var plurals []string // "other*9" for nine that are the same
	run := 0
	for n := range 1001 + len(large) {
		if n > 1000 {
			n = large[n-1001]
		}
		category := string(l.Plural(n))
		if last := len(plurals) - 1; last >= 0 &&
			strings.TrimSuffix(plurals[last], "*"+strconv.Itoa(run)) == category {
			run++
			plurals[last] = category + "*" + strconv.Itoa(run)
		} else {
			plurals = append(plurals, category)
			run = 1
		}
	}
	ours.Plurals = strings.Join(plurals, " ")
	for _, pair := range like.Numbers {
		ours.Numbers = append(ours.Numbers, [2]any{pair[0], l.Number(int(pair[0].(float64)))})
	}
	for _, pair := range like.Lists {
		var items []string
		for _, item := range pair[0].([]any) {
			items = append(items, item.(string))
		}
		ours.Lists = append(ours.Lists, [2]any{pair[0], l.List(items...)})
	}
	return ours
}

// days are the numbers of the first day of a week and those of the weekend, as Intl has them.
func days(w week) []int {
	all := []int{int(w.first)}
	for i := range 7 {
		if day := (w.weekendStart + time.Weekday(i)) % 7; w.weekend(day) {
			all = append(all, int(day))
		}
	}
	return all
}
