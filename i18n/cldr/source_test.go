// The files of languages have the data of the packages of CLDR.

package cldr

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the tests compare with")

// tags are the languages.
var tags = []string{
	"ar", "cs", "da", "de", "en", "es", "fi", "fr", "he", "hu", "it", "ja", "nb", "nl", "pl", "pt-BR", "pt-PT", "ru", "sv", "zh-Hans",
}

// TestSource makes the files of the JSON packages cldr-core, cldr-dates-full,
// cldr-localenames-full, cldr-misc-full and cldr-numbers-full, which ALMANAC_CLDR names the
// directory of, and compares them with those that are here. With -update it writes them.
func TestSource(t *testing.T) {
	dir := os.Getenv("ALMANAC_CLDR")
	if dir == "" {
		t.Skip(
			"ALMANAC_CLDR names no directory with the packages of CLDR (.ci/cldr says how to get them)",
		)
	}
	s := source{t, dir, map[string]any{}}
	want := map[string]string{
		"weeks.json":      weeksFile(s),
		"regions.json":    regionsFile(s),
		"currencies.json": currenciesFile(s),
		"names.json":      namesFile(s),
	}
	for _, tag := range tags {
		b := localeFile(s, tag, "")
		want["locales/"+tag+".json"] = b.text()
	}
	for name, text := range want {
		if *update {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if diff := cmp.Diff(text, string(got)); err != nil || diff != "" {
			t.Errorf("%s (-CLDR +this), %v:\n%s", name, err, diff)
		}
	}
	entries, err := os.ReadDir("locales")
	if err != nil || len(entries) != len(tags) {
		t.Errorf("%d files for %d languages (%v)", len(entries), len(tags), err)
	}
}

// A source is a directory with packages.
type source struct {
	t     *testing.T
	dir   string
	files map[string]any
}

// read returns what is at a path in a file of a package.
func (s source) read(file string, path ...string) any {
	s.t.Helper()
	found, known := s.files[file]
	if !known {
		data, err := os.ReadFile(filepath.Join(s.dir, file))
		if err != nil {
			s.t.Fatal(err)
		}
		if err := json.Unmarshal(data, &found); err != nil {
			s.t.Fatalf("%s: %v", file, err)
		}
		s.files[file] = found
	}
	for _, name := range path {
		members, _ := found.(map[string]any)
		if found = members[name]; found == nil {
			s.t.Fatalf("%s: no %s", file, strings.Join(path, "/"))
		}
	}
	return found
}

// texts returns the texts at a path, by name. Other values are left out.
func (s source) texts(file string, path ...string) map[string]string {
	s.t.Helper()
	found := map[string]string{}
	for name, value := range s.read(file, path...).(map[string]any) {
		if text, ok := value.(string); ok {
			found[name] = text
		}
	}
	return found
}

func (s source) version() string {
	return "CLDR " + s.read("cldr-core/package.json", "version").(string)
}

// name returns the tag of CLDR for a language, from the names of its directories or members:
// the default content of a shorter tag is that of the tag itself.
func (s source) name(tag string, has func(string) bool) string {
	for name := tag; ; {
		if has(name) {
			return name
		}
		cut := strings.LastIndexByte(name, '-')
		if cut < 0 {
			s.t.Fatalf("CLDR has no %s", tag)
		}
		name = name[:cut]
	}
}

// localeFile makes the file of a language, as a region has it; "" is the region where it is most
// likely read.
func localeFile(s source, tag, region string) (b file) {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(s.dir, "cldr-dates-full/main", name))
		return err == nil
	}
	name := s.name(tag, has)
	whole := name // numbers and lists are those of the language alone
	in := func(pkg, file string) string { return filepath.Join(pkg, "main", name, file) }
	calendar := func(path ...string) map[string]string {
		return s.texts(
			in("cldr-dates-full", "ca-gregorian.json"),
			append([]string{"main", name, "dates", "calendars", "gregorian"}, path...)...)
	}
	subtags := s.texts(
		"cldr-core/supplemental/likelySubtags.json",
		"supplemental",
		"likelySubtags",
	)
	language := regexp.MustCompile("-[A-Z]{2}$").ReplaceAllString(tag, "")
	likely := tag
	if language == tag {
		if likely = subtags[tag]; likely == "" {
			likely = subtags[name[:2]] // of zh-Hans
		}
	}
	likely = likely[strings.LastIndexByte(likely, '-')+1:]
	if region == "" || region == likely {
		region = likely
	} else if subtag := strings.TrimPrefix(subtags[language], language+"-"); strings.HasSuffix(subtag, "-"+region) {
		name = s.name(language, has) // the default content of the language: pt-BR is pt
	} else if other := language + "-" + region; has(other) {
		name = other
	}

	b.add("source", s.version())
	b.add("region", region)
	for _, kind := range []struct{ key, name, width string }{
		{"months", "months", "wide"}, {"months-short", "months", "abbreviated"},
		{"weekdays", "days", "wide"}, {"weekdays-short", "days", "abbreviated"},
	} {
		of := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
		if kind.name == "days" {
			of = weekNames
		}
		b.add(kind.key, pick(calendar(kind.name, "format", kind.width), of...))
		b.add(kind.key+"-alone", pick(calendar(kind.name, "stand-alone", kind.width), of...))
	}

	// Hours as the region has them. CLDR calls 0 to 23 H and 1 to 12 h.
	clock := "Hm"
	hours := s.read("cldr-core/supplemental/timeData.json", "supplemental", "timeData").(map[string]any)
	of := "001"
	for _, name := range []string{region, tag[:2] + "-" + region} {
		if hours[name] != nil {
			of = name
		}
	}
	if hours[of].(map[string]any)["_preferred"] == "h" {
		clock = "hm"
		b.add("day-periods", pick(calendar("dayPeriods", "format", "abbreviated"), "am", "pm"))
	}
	available := calendar("dateTimeFormats", "availableFormats")
	full := calendar("dateFormats")["full"]
	fit := func(p, skeleton string) string { return widen(p, skeleton, full) }
	format := func(key, skeleton string, or ...string) {
		for _, candidate := range append([]string{skeleton}, or...) {
			if p := available[candidate]; p != "" {
				b.add(key, fit(p, skeleton))
				return
			}
		}
		s.t.Fatalf("%s: no pattern for %s", tag, skeleton)
	}
	b.add("full", full)
	format("full-no-year", "MMMMEEEEd", "MMMMEd", "MMMEEEEd", "MMMEd")
	b.add("long", calendar("dateFormats")["long"])
	format("medium", "yMMMd")
	format("month", "yMMMM")
	format("day-month", "MMMMd")
	format("short-year", "yMMMEd")
	format("time", clock)
	interval := func(key, skeleton string, or ...string) {
		all := s.read(in("cldr-dates-full", "ca-gregorian.json"),
			"main", name, "dates", "calendars", "gregorian", "dateTimeFormats", "intervalFormats")
		for _, candidate := range append([]string{skeleton}, or...) {
			if found, ok := all.(map[string]any)[candidate].(map[string]any); ok {
				patterns := map[string]string{}
				for _, field := range []string{"y", "M", "d", "a", "h", "H", "m"} {
					if p, ok := found[field].(string); ok {
						// Times in Japanese have a colon, and their intervals in CLDR do not:
						// 18時00分～20時00分 beside 18:00.
						patterns[field] = strings.ReplaceAll(fit(p, skeleton), "時mm分", ":mm")
					}
				}
				b.add(key, patterns)
				return
			}
		}
		s.t.Fatalf("%s: no interval for %s", tag, skeleton)
	}
	interval("full-interval", "yMMMMEEEEd", "yMMMMEd", "yMMMEd")
	interval("long-interval", "yMMMMd", "yMMMd")
	interval("medium-interval", "yMMMd")
	interval("short-interval", "yMMMEd")
	interval("time-interval", clock)

	with := calendar("dateTimeFormats")
	at := calendar("dateTimeFormats-atTime", "standard")
	b.add("full-at", at["full"])
	b.add("full-with", with["full"])
	b.add("medium-at", at["medium"])
	b.add("medium-with", with["medium"])
	b.add("interval", calendar("dateTimeFormats", "intervalFormats")["intervalFormatFallback"])
	name = whole
	b.add(
		"list",
		pick(
			s.texts(
				in("cldr-misc-full", "listPatterns.json"),
				"main",
				name,
				"listPatterns",
				"listPattern-type-standard",
			),
			"2",
			"start",
			"middle",
			"end",
		),
	)

	plurals := s.read("cldr-core/supplemental/plurals.json", "supplemental", "plurals-type-cardinal").(map[string]any)
	b.add(
		"plurals",
		integerRules(
			s.texts("cldr-core/supplemental/plurals.json", "supplemental", "plurals-type-cardinal",
				s.name(tag, func(name string) bool { return plurals[name] != nil })),
		),
	)
	numbers := s.read(in("cldr-numbers-full", "numbers.json"), "main", name, "numbers").(map[string]any)
	var least int
	if _, err := fmt.Sscan(numbers["minimumGroupingDigits"].(string), &least); err != nil {
		s.t.Fatal(err)
	}
	if p := numbers["decimalFormats-numberSystem-latn"].(map[string]any)["standard"]; p != "#,##0.###" {
		s.t.Fatalf("%s groups digits otherwise than by three: %q", tag, p)
	}
	if other := language + "-" + region; region != likely && has(other) {
		name = other // an amount of money is written as the region does
	}
	money := s.texts(in("cldr-numbers-full", "numbers.json"), "main", name, "numbers", "currencyFormats-numberSystem-latn")["standard"]
	money, _, _ = strings.Cut(money, ";")
	money = strings.NewReplacer("#,##0.00", "{0}", "#,##,##0.00", "{0}", "\u200f", "", "\u200e", "").
		Replace(money)
	if len(strings.ReplaceAll(money, "\u00a0", "")) != len("{0}¤") {
		s.t.Fatalf("%s in %s: an amount of money is %q", tag, region, money)
	}
	b.add("money", money)
	b.add(
		"grouping",
		grouping{numbers["symbols-numberSystem-latn"].(map[string]any)["group"].(string), least},
	)
	return b
}

// currenciesFile makes currencies.json: the currencies that regions have today, with their
// symbols.
func currenciesFile(s source) string {
	var b file
	regions := map[string]string{}
	symbols := map[string]string{}
	data := s.read("cldr-core/supplemental/currencyData.json", "supplemental", "currencyData", "region").(map[string]any)
	names := s.read("cldr-numbers-full/main/en/currencies.json", "main", "en", "numbers", "currencies").(map[string]any)
	for _, region := range slices.Sorted(maps.Keys(data)) {
		today := ""
		for _, entry := range data[region].([]any) {
			for code, facts := range entry.(map[string]any) {
				if facts := facts.(map[string]any); facts["_to"] == nil &&
					facts["_tender"] == nil &&
					facts["_from"] != nil &&
					today == "" {
					today = code
				}
			}
		}
		if today == "" || len(region) != 2 || region == "ZZ" {
			continue
		}
		regions[today] = strings.TrimSpace(regions[today] + " " + region)
		if symbol, ok := names[today].(map[string]any)["symbol-alt-narrow"].(string); ok {
			symbols[today] = symbol
		}
	}
	b.add("source", s.version())
	b.add("symbols", symbols)
	b.add("regions", regions)
	return b.text()
}

// namesFile makes names.json: the names of regions and of the currencies of today, a line for each
// language.
func namesFile(s source) string {
	var b, regions, currencies file
	var today struct{ Regions map[string]string }
	if err := json.Unmarshal([]byte(currenciesFile(s)), &today); err != nil {
		s.t.Fatal(err)
	}
	for _, tag := range tags {
		name := s.name(tag, func(name string) bool {
			_, err := os.Stat(filepath.Join(s.dir, "cldr-localenames-full/main", name))
			return err == nil
		})
		in := func(pkg, file string) string { return filepath.Join(pkg, "main", name, file) }
		all := s.texts(
			in("cldr-localenames-full", "territories.json"),
			"main",
			name,
			"localeDisplayNames",
			"territories",
		)
		names := map[string]string{}
		for _, region := range regionsOf(s) {
			names[region] = all[region]
			if short := all[region+"-alt-short"]; short != "" &&
				strings.Contains("HK MO PS", region) {
				names[region] = short // the others are letters, as US
			}
		}
		regions.add(tag, names)
		names = map[string]string{}
		for code := range today.Regions {
			names[code] = s.read(in("cldr-numbers-full", "currencies.json"), "main", name, "numbers", "currencies", code, "displayName").(string)
		}
		currencies.add(tag, names)
	}
	b.add("source", s.version())
	b.add("regions", json.RawMessage(regions.text()))
	b.add("currencies", json.RawMessage(currencies.text()))
	return languageEnds.ReplaceAllString(b.text(), "$1,\n    $2")
}

// languageEnds finds the ends of languages.
var languageEnds = regexp.MustCompile(`(\}), ("[a-z]{2}[-"])`)

// regionsOf returns the regions, by their codes.
func regionsOf(s source) (regions []string) {
	for region := range s.read("cldr-core/supplemental/territoryInfo.json", "supplemental", "territoryInfo").(map[string]any) {
		if len(region) == 2 && region != "ZZ" {
			regions = append(regions, region)
		}
	}
	slices.Sort(regions)
	return regions
}

// regionsFile makes regions.json: the regions, and the facts of each language that differ there,
// by the regions that have the same.
func regionsFile(s source) string {
	var b, languages file
	regions := regionsOf(s)
	for _, tag := range tags {
		own := localeFile(s, tag, "")
		differ := map[string][]string{}
		for _, region := range regions {
			there := localeFile(s, tag, region)
			lines := []string(nil)
			for _, name := range there.names {
				if name != "region" && there.values[name] != own.values[name] {
					lines = append(lines, fmt.Sprintf("%q:%s", name, there.values[name]))
				}
			}
			if own.values["day-periods"] != "" && there.values["day-periods"] == "" {
				lines = append(lines, `"day-periods":["",""]`)
			}
			if lines != nil {
				text := "{" + strings.Join(lines, ",") + "}"
				differ[text] = append(differ[text], region)
			}
		}
		members := map[string]json.RawMessage{}
		for text, regions := range differ {
			members[strings.Join(regions, " ")] = json.RawMessage(text)
		}
		languages.add(tag, members)
	}
	b.add("source", s.version())
	b.add("regions", strings.Join(regions, " "))
	b.add("languages", json.RawMessage(languages.text()))
	return groups.ReplaceAllString(b.text(), "$1,\n    $2") // a line for each group of regions
}

// groups finds the ends of languages, and of groups of regions.
var groups = regexp.MustCompile(`(\}), ("(?:[A-Z]{2}[ "]|[a-z]{2}[-"]))`)

// pick returns the texts of some names.
func pick(texts map[string]string, names ...string) (found []string) {
	for _, name := range names {
		found = append(found, texts[name])
	}
	return found
}

var (
	letters  = regexp.MustCompile(`'[^']*'|E+|c+|M+|L+`)
	numerics = regexp.MustCompile(`(^|[^M])MM?([^M]|$)`)
)

// widen returns a pattern with names as wide as a skeleton asks for, as UTS #35, part 4, has it:
// patterns for MMMEd are also those for MMMMEEEEd. Numbers stay numbers; and so do names of months
// that are numbers with a character, in languages that write full dates with numbers: there wide
// names are words that do not stand in dates (十一月 for 11月).
func widen(p, skeleton, full string) string {
	return letters.ReplaceAllStringFunc(p, func(field string) string {
		switch wide := strings.Repeat(field[:1], 4); {
		case field[0] == 'E' || field[0] == 'c':
			if strings.Contains(skeleton, "EEEE") {
				return wide
			}
		case field[0] != '\'' && len(field) == 3 && strings.Contains(skeleton, "MMMM") && !numerics.MatchString(full):
			return wide
		}
		return field
	})
}

// integerRules returns the plural rules that integers can match, in terms of the integer alone:
// of its digits there are as many behind the point (v, f, t, w) and in an exponent (e, c) as in
// 0, and the integer (i) is the number itself.
func integerRules(rules map[string]string) map[string]string {
	found := map[string]string{}
	for name, rule := range rules {
		category := strings.TrimPrefix(name, "pluralRule-count-")
		rule, samples, _ := strings.Cut(rule, "@")
		if category == "other" {
			if strings.HasPrefix(samples, "integer") {
				found[category] = ""
			}
			continue
		}
		var either []string
		for alternative := range strings.SplitSeq(strings.TrimSpace(rule), " or ") {
			var all []string
			for relation := range strings.SplitSeq(alternative, " and ") {
				switch {
				case strings.ContainsAny(relation[:1], "ni"):
					all = append(all, "n"+relation[1:])
				case strings.HasPrefix(relation[1:], " != 0"):
					all = []string{""} // does not hold for integers
				case !strings.HasPrefix(relation[1:], " = 0"):
					panic("cannot say whether integers have " + relation)
				}
			}
			if !slices.Contains(all, "") {
				either = append(either, strings.Join(all, " and "))
			}
		}
		if either != nil {
			found[category] = strings.Join(either, " or ")
		}
	}
	return found
}

// weeksFile makes weeks.json: regions by days.
func weeksFile(s source) string {
	var b file
	b.add("source", s.version())
	for _, kind := range []struct{ key, name string }{{"first", "firstDay"}, {"weekendStart", "weekendStart"}, {"weekendEnd", "weekendEnd"}} {
		days := s.texts(
			"cldr-core/supplemental/weekData.json",
			"supplemental",
			"weekData",
			kind.name,
		)
		regions := map[string]string{}
		for _, region := range slices.Sorted(maps.Keys(days)) {
			if !strings.Contains(region, "-") { // GB-alt-variant
				regions[days[region]] = strings.TrimSpace(regions[days[region]] + " " + region)
			}
		}
		b.add(kind.key, regions)
	}
	return b.text()
}

// A file is a JSON object with a member a line.
type file struct {
	names  []string
	values map[string]string
}

func (f *file) add(name string, value any) {
	var b, out bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	quoted := false
	for _, c := range strings.TrimSpace(b.String()) {
		if c == '"' {
			quoted = !quoted // nothing here has one inside
		}
		if !quoted && (c == ',' || c == ':') {
			out.WriteString(string(c) + " ")
		} else if c == '\u00a0' || c == '\u061c' || c >= '\u2000' && c <= '\u200f' || c >= '\u2028' && c <= '\u202f' {
			fmt.Fprintf(&out, `\u%04x`, c) // invisible characters
		} else {
			out.WriteRune(c)
		}
	}
	if f.values == nil {
		f.values = map[string]string{}
	}
	f.names = append(f.names, name)
	f.values[name] = out.String()
}

func (f *file) text() string {
	var lines []string
	for _, name := range f.names {
		lines = append(lines, fmt.Sprintf("  %q: %s", name, f.values[name]))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}
