package cldr

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func at(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

// TestWritten compares the ways of writing with testdata/written.txt, which is there to be
// read by people who know the languages. With -update it is written.
func TestWritten(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	sunday := at("2026-11-22 20:00")
	march := at("2027-03-03 09:05")
	for _, tag := range tags {
		l := Of(tag)
		line := func(what string, texts ...string) { fmt.Fprintf(&b, "  %-26s %s\n", what, strings.Join(texts, " | ")) }
		fmt.Fprintf(&b, "%s\n", tag)
		line("date with weekday", l.Full(sunday), l.Full(march))
		line("without year", l.FullNoYear(sunday), l.FullNoYear(march))
		line("without weekday", l.long(sunday), l.long(march))
		line("in few letters", l.Medium(sunday), l.Medium(march))
		line(
			"month; day and month",
			l.Month(sunday),
			l.Month(march),
			l.DayMonth(sunday),
			l.DayMonth(march),
		)
		line(
			"time",
			l.Time(sunday),
			l.Time(march),
			l.Time(at("2026-01-01 00:30")),
			l.Time(at("2026-01-01 12:00")),
		)
		line("date and time", l.FullTime(sunday), l.mediumTime(march))
		line(
			"times of a day",
			l.TimeInterval(sunday, at("2026-11-22 22:30")),
			l.TimeInterval(march, at("2027-03-03 14:00")),
			l.TimeInterval(
				march,
				at("2027-03-03 09:50"),
			),
			l.TimeInterval(march, at("2027-03-04 07:00")),
		)
		line(
			"same day",
			l.FullInterval(sunday, at("2026-11-22 22:30"), false),
			l.MediumInterval(march, at("2027-03-03 14:00"), false),
		)
		line(
			"over midnight",
			l.FullInterval(sunday, at("2026-11-23 01:30"), false),
			l.MediumInterval(sunday, at("2026-11-23 01:30"), false),
		)
		for _, to := range []string{"2026-11-22 23:59", "2026-11-24 23:59", "2026-12-01 23:59", "2027-03-03 23:59"} {
			line(
				"all day, until "+to[:10],
				l.FullInterval(sunday, at(to), true),
				l.LongInterval(sunday, at(to)),
				l.MediumInterval(sunday, at(to), true),
			)
		}
		months := l.Months()
		line("months alone", strings.Join(months[:], ", "))
		var week [2][]string
		for _, day := range l.Week().Days() {
			for i, names := range [][7]string{l.Weekdays(), l.ShortWeekdays()} {
				name := names[day]
				if i == 0 && l.Week().weekend(day) {
					name = "[" + name + "]"
				}
				week[i] = append(week[i], name)
			}
		}
		line("week of "+l.Region(), strings.Join(week[0], ", "), strings.Join(week[1], ", "))
		line("list", l.List("Anna", "Bruno"), l.List("Anna", "Bruno", "Carla", "Ida"))
		line("number", l.Number(1234), l.Number(12345678))
		for _, category := range l.Categories() {
			var numbers []string
			for n := 0; n < 1_000_001; n++ {
				if l.Plural(n) == category {
					if numbers = append(numbers, fmt.Sprint(n)); len(numbers) == 12 {
						numbers = append(numbers, "…")
						break
					}
				}
				if n == 1000 {
					n = 999_999
				}
			}
			line("numbers of "+string(category), strings.Join(numbers, ", "))
		}
		b.WriteString("\n")
	}
	const name = "testdata/written.txt"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Every file is whole, and so is a language in each region: no name is empty, and no field of a
// pattern without its name.
func TestWhole(t *testing.T) {
	all := map[string]*Locale{}
	for tag, read := range locales {
		all[tag] = read()
		for _, region := range strings.Fields("GB DE US CA IN AU IL ZA BR MX AO HK SG CH AT FI IQ KZ") {
			l, ok := read().In(region)
			if !ok || l.Region() != region || l.Week() != weekOf(region) {
				t.Errorf("%s in %s: %t, %s, %v", tag, region, ok, l.Region(), l.Week())
			}
			all[tag+" in "+region] = l
		}
	}
	for tag, l := range all {
		f := l.facts
		for name, names := range map[string][]string{
			"months":               f.Months[:],
			"months-alone":         f.MonthsAlone[:],
			"months-short":         f.MonthsShort[:],
			"months-short-alone":   f.MonthsShortAlone[:],
			"weekdays":             f.Weekdays[:],
			"weekdays-alone":       f.WeekdaysAlone[:],
			"weekdays-short":       f.WeekdaysShort[:],
			"weekdays-short-alone": f.WeekdaysShortAlone[:],
			"region":               {f.Region},
			"source":               {f.Source},
			"grouping":             {f.Grouping.Separator},
		} {
			if slices.Contains(names, "") {
				t.Errorf("%s: %s has an empty one: %q", tag, name, names)
			}
		}
		patterns := map[string]pattern{
			"full":         f.Full,
			"full-no-year": f.FullNoYear,
			"long":         f.Long,
			"medium":       f.Medium,
			"month":        f.Month,
			"day-month":    f.DayMonth,
			"time":         f.Time,
		}
		ends := 0
		for name, of := range map[string]map[string]pattern{
			"full":   f.FullInterval,
			"long":   f.LongInterval,
			"medium": f.MediumInterval,
			"time":   f.TimeInterval,
		} {
			for differ, p := range of {
				if l != Of(l.tag) && (differ == "H") == l.twelveHours() &&
					strings.Contains("ahH", differ) {
					continue // of the other clock, that of the language
				}
				patterns[name+" interval "+differ] = p
				if p.second > 0 {
					ends++
				}
			}
		}
		if f.DayPeriods[0] == "" && ends != 11 || f.DayPeriods[0] != "" && ends != 12 {
			t.Errorf("%s: %d patterns have two ends", tag, ends)
		}
		for name, p := range patterns {
			if len(p.tokens) == 0 {
				t.Errorf("%s: no pattern %s", tag, name)
			}
			for _, token := range p.tokens {
				if token.letter == 'a' && f.DayPeriods[0] == "" {
					t.Errorf("%s: %s needs day periods", tag, name)
				}
			}
		}
	}
}

// A region has its own order of dates, its clock and its week, in the words of the language.
func TestRegion(t *testing.T) {
	sunday := at("2026-11-22 20:00")
	end := at("2026-11-22 22:30")
	for name, want := range map[string][2]string{
		"en-us": {"Sunday, November 22, 2026, 8:00\u2009–\u200910:30\u202fPM", "Nov 22, 2026"},
		"en-GB": {"Sunday, 22 November 2026, 20:00–22:30", "22 Nov 2026"},
		"en-AU": {"Sunday, 22 November 2026, 8:00\u2009–\u200910:30\u202fpm", "22 Nov 2026"},
		"en-FI": {"Sunday, 22 November 2026, 20:00–22:30", "22 Nov 2026"},
		"de-AT": {"Sonntag, 22. November 2026, 20:00–22:30 Uhr", "22. Nov. 2026"},
		"es-MX": {"domingo, 22 de noviembre de 2026, 8:00–10:30\u202fp.m.", "22 nov 2026"},
		"fr-CA": {"dimanche 22 novembre 2026, 20 h 00\u2009–\u200922 h 30", "22 nov. 2026"},
	} {
		cut := strings.LastIndexByte(name, '-')
		l, ok := Of(name[:cut]).In(name[cut+1:])
		if !ok {
			t.Errorf("%s: no region", name)
			continue
		}
		if diff := cmp.Diff(want, [2]string{l.FullInterval(sunday, end, false), l.Medium(sunday)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, region := range []string{"", "UK", "ZZ", "GBR", "001", "AC AD"} {
		if l, ok := Of("en").In(region); ok {
			t.Errorf("%q is the region %s", region, l.Region())
		}
	}
	if got := Of("en").Medium(sunday); got != "Nov 22, 2026" {
		t.Errorf("the language without a region has %q now", got)
	}
}

func TestPattern(t *testing.T) {
	from := at("2026-11-01 00:05")
	to := at("2027-03-20 13:45")
	for source, want := range map[string]string{
		"d/MM/y":                    "1/11/2026",
		"dd.M.y":                    "01.11.2026",
		"E ccc":                     "Sun Sat", // a field that comes again is that of the other end
		"EEEE":                      "Sunday",
		"cccc":                      "Sunday",
		"h:mm a":                    "12:05 AM",
		"H:mm":                      "0:05",
		"HH:mm":                     "00:05",
		"K:mm":                      "0:05",
		"h:mm a – h:mm a":           "12:05 AM – 1:45 PM",
		"d 'de' MMMM":               "1 de November",
		"d 'a''b' d":                "1 ab 20", // two quoted texts; no pattern has an apostrophe inside of one
		"''d":                       "'1",
		"MMM d – LLL d, y":          "Nov 1 – Mar 20, 2027",
		"y年M月d日～M月d日":               "2026年11月1日～3月20日",
		"d بMMMM":                   "1 بNovember",
		"EEEE, MMMM d – MMMM d":     "Sunday, November 1 – March 20",
		"d":                         "1",
		"MMMM d 'at' H – MMMM d, y": "November 1 at 0 – March 20, 2027",
	} {
		var p pattern
		if err := p.UnmarshalText([]byte(source)); err != nil {
			t.Errorf("%q: %v", source, err)
		} else if got := p.write(Of("en"), from, to); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	for _, source := range []string{"d 'de", "d Q", "w", "z"} {
		if err := new(pattern).UnmarshalText([]byte(source)); err == nil {
			t.Errorf("%q: no error", source)
		}
	}
	for _, source := range []string{"{0}", "{0} {0}", "", "{1} {0} {1}"} {
		if err := new(joint).UnmarshalText([]byte(source)); err == nil {
			t.Errorf("joint %q: no error", source)
		}
	}
}

// Items of a list may look like placeholders: they are not replaced.
func TestListOfPlaces(t *testing.T) {
	l := Of("en")
	for want, items := range map[string][]string{
		"":                  nil,
		"{1}":               {"{1}"},
		"{1} and {0}":       {"{1}", "{0}"},
		"{1}, {0}, and {1}": {"{1}", "{0}", "{1}"},
	} {
		if got := l.List(items...); got != want {
			t.Errorf("%q: %q, want %q", items, got, want)
		}
	}
}

func TestPluralRules(t *testing.T) {
	for _, source := range []string{"v = 0", "n", "n = x", "n % = 1", "n = 1 and", "n = 1..x", "i = 1"} {
		if err := new(plural).UnmarshalText([]byte(source)); err == nil {
			t.Errorf("%q: no error", source)
		}
	}
	for tag, read := range locales {
		l := read()
		for _, n := range []int{0, 1, 2, 7, 11, 1_000_000} {
			if l.Plural(-n) != l.Plural(n) {
				t.Errorf("%s: the sign of %d matters", tag, n)
			}
		}
		// No two rules match one number. If no rule matches, the category is Other.
		for n := range uint64(3000) {
			matched := 0
			for category, rule := range l.facts.Plurals {
				if category != Other && rule.matches(n) {
					matched++
				}
			}
			if matched > 1 || matched == 0 && l.facts.Plurals[Other] == nil {
				t.Fatalf("%s: %d rules match %d", tag, matched, n)
			}
		}
	}
}

func TestWeek(t *testing.T) {
	for region, want := range map[string]week{
		"DE": {time.Monday, time.Saturday, time.Sunday},
		"US": {time.Sunday, time.Saturday, time.Sunday},
		"EG": {time.Saturday, time.Friday, time.Saturday},
		"AF": {time.Saturday, time.Thursday, time.Friday},
		"MV": {time.Friday, time.Saturday, time.Sunday},
		"IN": {time.Sunday, time.Sunday, time.Sunday},
		"IR": {time.Saturday, time.Friday, time.Friday},
		"":   {time.Monday, time.Saturday, time.Sunday},
		"ZZ": {time.Monday, time.Saturday, time.Sunday},
	} {
		w := weekOf(region)
		if w != want {
			t.Errorf("%q: %v, want %v", region, w, want)
		}
		start := at("2026-11-22 10:30")
		for range 8 {
			first := w.Start(start)
			if first.Weekday() != w.first || first.After(start) ||
				!first.After(start.AddDate(0, 0, -7)) ||
				first.Hour() != 10 {
				t.Errorf("%q: the week of %v starts at %v", region, start, first)
			}
			start = start.AddDate(0, 0, 1)
		}
		weekend := 0
		for _, day := range w.Days() {
			if w.weekend(day) {
				weekend++
			}
		}
		if want := int(w.weekendEnd-w.weekendStart+7)%7 + 1; weekend != want {
			t.Errorf("%q: %d days of weekend, want %d", region, weekend, want)
		}
	}
}

// A range has all days that a walk from day to day finds, on every day of two years, in every week
// that there can be.
func TestRange(t *testing.T) {
	for of := range 7 * 7 * 4 { // weekends of one to four days
		w := week{
			time.Weekday(of % 7),
			time.Weekday(of / 7 % 7),
			time.Weekday((of/7%7 + of/49) % 7),
		}
		for n := range 2 * 366 {
			day := at("2026-01-01 00:00").AddDate(0, 0, n)
			first, after := w.Range("week", day)
			if first.Weekday() != w.first || day.Before(first) || !day.Before(after) ||
				after.Sub(first) != 7*24*time.Hour {
				t.Fatalf("%v: the week of %v is from %v to %v", w, day, first, after)
			}
			first, after = w.Range("weekend", day)
			if first.Weekday() != w.weekendStart ||
				after.AddDate(0, 0, -1).Weekday() != w.weekendEnd ||
				!day.Before(after) {
				t.Fatalf("%v: the weekend of %v is from %v to %v", w, day, first, after)
			}
			for t2 := day; t2.Before(first); t2 = t2.AddDate(0, 0, 1) {
				if w.weekend(t2.Weekday()) {
					t.Fatalf("%v: the weekend of %v is from %v, after %v", w, day, first, t2)
				}
			}
			for t2 := first; t2.Before(after); t2 = t2.AddDate(0, 0, 1) {
				if !w.weekend(t2.Weekday()) {
					t.Fatalf("%v: the weekend of %v has %v", w, day, t2)
				}
			}
		}
	}
}

func TestUnknownTagPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Of an unknown tag did not panic")
		}
	}()
	Of("en-GB")
}

// Every language has a clock of 12 and of 24 hours, in every region the one that was chosen, and
// weeks from a chosen day on.
func TestWith(t *testing.T) {
	evening := time.Date(2026, 11, 22, 19, 30, 0, 0, time.UTC)
	for _, tag := range tags {
		for _, region := range []string{"", "US", "DE", "JP", "EG"} {
			l := Of(tag)
			if region != "" {
				l, _ = l.In(region)
			}
			for clock, digits := range map[string]string{"12": "7", "24": "19"} {
				there := l.With("saturday", clock)
				text := there.Time(evening)
				interval := there.TimeInterval(evening, evening.Add(time.Hour))
				if there.Clock() != clock || !strings.Contains(text, digits) ||
					!strings.Contains(interval, digits) ||
					clock == "12" && strings.Contains(text+interval, "19") ||
					there.Week().Days()[0] != time.Saturday ||
					there.Full(evening) != l.Full(evening) {
					t.Errorf("%s in %q with %s hours: %s, %s", tag, region, clock, text, interval)
				}
			}
			if same := l.With("", ""); same.Time(evening) != l.Time(evening) ||
				same.Week().Days() != l.Week().Days() {
				t.Errorf("%s in %q is another without a choice", tag, region)
			}
		}
	}
}

// Every language has a name for each region and each currency of today.
func TestNamesOfRegions(t *testing.T) {
	for _, tag := range tags {
		regions, currencies := Of(tag).Names()
		if len(regions) < 250 || len(currencies) < 150 {
			t.Errorf("%s: %d regions, %d currencies", tag, len(regions), len(currencies))
		}
		for code, name := range regions {
			_, known := Of(tag).In(code)
			if currency := CurrencyOf(code); !known || name == "" ||
				currency != "" && currencies[currency] == "" {
				t.Errorf("%s: %s is %q, with %s", tag, code, name, currency)
			}
		}
	}
	german, euro := Of("de").Names()
	if diff := cmp.Diff([]string{"Deutschland", "Euro"}, []string{german["DE"], euro["EUR"]}); diff != "" {
		t.Error(diff)
	}
}
