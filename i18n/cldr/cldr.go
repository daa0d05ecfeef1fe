// Package cldr writes dates, times, numbers, lists and counted things as the
// languages of package i18n do, by the facts of Unicode's Common Locale Data
// Repository (CLDR).
//
//	l := cldr.Of("pl")
//	l.Full(t)                     // "niedziela, 22 listopada 2026"
//	l.FullInterval(t, end, false) // "niedziela, 22 listopada 2026 20:00–22:30"
//	l.Months()[10]                // "listopad", as it stands alone
//	l.Plural(22)                  // Few
//
//	l, ok := cldr.Of("en").In("GB") // with the week, the clock and the dates of a region
//
// A language is one file, locales/TAG.json, with the patterns, names and rules that are needed
// here and no others; each says which version of CLDR it was taken from. regions.json has the
// facts that differ in a region. The facts are © Unicode, Inc., under the Unicode License V3
// (LICENSE.unicode). TestSource makes the files from the JSON packages of CLDR, and compares them;
// .ci/cldr compares what is written with another implementation.
//
// A time is a reading of a clock on a wall, the fields of a [time.Time] in whatever
// location it has: nothing here converts between zones. Digits are Latin in every
// language. Texts hold what CLDR has in them: thin and unbreakable spaces, and
// marks of direction where there are some.
//
// Everything here is read-only and safe for concurrent use.
package cldr

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed locales/*.json weeks.json regions.json currencies.json names.json
var files embed.FS

// locales are the languages by tag, each parsed when first asked for.
var locales = list()

// A Locale has the data of CLDR for a language that a calendar needs.
type Locale struct {
	tag   string
	facts facts
	week  week // of facts.Region
}

type facts struct {
	Source string `json:"source"` // the version of CLDR
	Region string `json:"region"` // where the language is most likely read

	// Names, from January and from Sunday on, inside of a date and standing alone.
	Months             [12]string `json:"months"`
	MonthsAlone        [12]string `json:"months-alone"`
	MonthsShort        [12]string `json:"months-short"`
	MonthsShortAlone   [12]string `json:"months-short-alone"`
	Weekdays           [7]string  `json:"weekdays"`
	WeekdaysAlone      [7]string  `json:"weekdays-alone"`
	WeekdaysShort      [7]string  `json:"weekdays-short"`
	WeekdaysShortAlone [7]string  `json:"weekdays-short-alone"`
	DayPeriods         [2]string  `json:"day-periods"` // before noon and from noon on, where the clock has 12 hours

	// Patterns, and those of intervals by the largest field in which the two ends differ.
	Full           pattern            `json:"full"`
	FullNoYear     pattern            `json:"full-no-year"`
	Long           pattern            `json:"long"`
	Medium         pattern            `json:"medium"`
	Month          pattern            `json:"month"`
	DayMonth       pattern            `json:"day-month"`
	ShortYear      pattern            `json:"short-year"`
	Time           pattern            `json:"time"`
	FullInterval   map[string]pattern `json:"full-interval"`
	LongInterval   map[string]pattern `json:"long-interval"`
	MediumInterval map[string]pattern `json:"medium-interval"`
	ShortInterval  map[string]pattern `json:"short-interval"`
	TimeInterval   map[string]pattern `json:"time-interval"`

	// How two texts are joined: a date {1} with the time {0} at which something is,
	// a date {1} with an interval of times {0}, and two ends of an interval.
	FullAt     joint `json:"full-at"`
	FullWith   joint `json:"full-with"`
	MediumAt   joint `json:"medium-at"`
	MediumWith joint `json:"medium-with"`
	Interval   joint `json:"interval"`

	List     [4]joint             `json:"list"`     // two items; the first two of more, those between, the last two
	Plurals  map[Category]*plural `json:"plurals"`  // "other" is there if there are integers of it
	Grouping grouping             `json:"grouping"` // of digits
	Money    string               `json:"money"`    // an amount {0} with the symbol ¤
}

// Of returns the language of a tag of i18n.Languages, as that writes it. It panics
// for any other.
func Of(tag string) *Locale {
	read, ok := locales[tag]
	if !ok {
		panic(fmt.Sprintf("cldr: there is no locales/%s.json", tag))
	}
	return read()
}

func list() map[string]func() *Locale {
	entries, err := files.ReadDir("locales")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	all := map[string]func() *Locale{}
	for _, entry := range entries {
		tag := strings.TrimSuffix(entry.Name(), ".json")
		all[tag] = sync.OnceValue(func() *Locale {
			l := &Locale{tag: tag}
			read("locales/"+tag+".json", &l.facts)
			l.week = weekOf(l.facts.Region)
			return l
		})
	}
	return all
}

// read parses a file. One that is not as it should be is a mistake of ours.
func read(name string, into any) {
	data, err := files.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		panic(fmt.Sprintf("cldr: %s: %v", name, err))
	}
}

// In returns the language with the week, the clock and the dates of a region (ISO 3166-1, in any
// letter case). It reports whether CLDR knows the region.
func (l *Locale) In(region string) (*Locale, bool) {
	var all struct {
		Regions   string
		Languages map[string]map[string]json.RawMessage // facts that differ from those of the language, by regions
	}
	read("regions.json", &all)
	isOf := func(regions string) bool { return slices.Contains(strings.Fields(regions), strings.ToUpper(region)) }
	if !isOf(all.Regions) {
		return nil, false
	}
	there := &Locale{tag: l.tag}
	read("locales/"+l.tag+".json", &there.facts)
	there.facts.Region = strings.ToUpper(region)
	there.week = weekOf(there.facts.Region)
	for regions, facts := range all.Languages[l.tag] {
		if isOf(regions) {
			if err := json.Unmarshal(facts, &there.facts); err != nil {
				panic(fmt.Sprintf("cldr: regions.json: %s: %v", l.tag, err))
			}
		}
	}
	return there, true
}

// Names returns the names of regions (ISO 3166-1) and of the currencies of today (ISO 4217), by
// their codes.
func (l *Locale) Names() (regions, currencies map[string]string) {
	var all struct{ Regions, Currencies map[string]map[string]string } // by languages and codes
	read("names.json", &all)
	return all.Regions[l.tag], all.Currencies[l.tag]
}

// With returns the language with weeks that begin on a day, as "monday", and with a clock of "12"
// or "24" hours. An empty text changes nothing.
func (l *Locale) With(first, clock string) *Locale {
	there := *l
	for _, day := range FirstDays {
		if first == strings.ToLower(day.String()) {
			there.week.first = day
		}
	}
	if region := map[string]string{
		"12": "US",
		"24": "DE",
	}[clock]; region != "" && clock != l.Clock() {
		other, _ := Of(l.tag).In(region)
		there.facts.Time = other.facts.Time
		there.facts.TimeInterval = other.facts.TimeInterval
		there.facts.DayPeriods = other.facts.DayPeriods
	}
	return &there
}

// Clock returns how many hours a clock has: "12" or "24".
func (l *Locale) Clock() string {
	if l.twelveHours() {
		return "12"
	}
	return "24"
}

// Months returns the names of the months as they stand alone: "listopad".
func (l *Locale) Months() [12]string { return l.facts.MonthsAlone }

// Weekdays returns the names of the days as they stand alone, by [time.Weekday].
func (l *Locale) Weekdays() [7]string { return l.facts.WeekdaysAlone }

// ShortWeekdays returns the abbreviated names of the days as they stand alone.
func (l *Locale) ShortWeekdays() [7]string { return l.facts.WeekdaysShortAlone }

// twelveHours reports whether the clock of the language has twelve hours.
func (l *Locale) twelveHours() bool { return l.facts.DayPeriods[0] != "" }

// Full returns a date with its weekday: "Sunday, November 22, 2026".
func (l *Locale) Full(t time.Time) string { return l.facts.Full.write(l, t, t) }

// FullNoYear returns a date of a known year: "Sunday, November 22".
func (l *Locale) FullNoYear(t time.Time) string { return l.facts.FullNoYear.write(l, t, t) }

// long returns a date without its weekday: "November 22, 2026".
func (l *Locale) long(t time.Time) string { return l.facts.Long.write(l, t, t) }

// Medium returns a date in few letters: "Nov 22, 2026".
func (l *Locale) Medium(t time.Time) string { return l.facts.Medium.write(l, t, t) }

// ShortYear returns a date in few letters, with its weekday: "Sun, Nov 22, 2026".
func (l *Locale) ShortYear(t time.Time) string { return l.facts.ShortYear.write(l, t, t) }

// Month returns a month with its year: "November 2026".
func (l *Locale) Month(t time.Time) string { return l.facts.Month.write(l, t, t) }

// DayMonth returns a day with its month: "November 22".
func (l *Locale) DayMonth(t time.Time) string { return l.facts.DayMonth.write(l, t, t) }

// Time returns a time in hours and minutes: "8:00 PM".
func (l *Locale) Time(t time.Time) string { return l.facts.Time.write(l, t, t) }

// FullTime returns a date with its weekday and the time of something on it: "Sunday,
// November 22, 2026 at 8:00 PM".
func (l *Locale) FullTime(t time.Time) string { return l.facts.FullAt.join(l.Time(t), l.Full(t)) }

// mediumTime returns a date and a time in few letters: "Nov 22, 2026, 8:00 PM".
func (l *Locale) mediumTime(
	t time.Time,
) string {
	return l.facts.MediumAt.join(l.Time(t), l.Medium(t))
}
