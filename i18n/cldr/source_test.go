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

// TestSource makes the files of the JSON packages cldr-core, cldr-dates-full, cldr-misc-full
// and cldr-numbers-full, which ALMANAC_CLDR names the directory of, and compares them
// with those that are here. With -update it writes them.
func TestSource(t *testing.T) {
	dir := os.Getenv("ALMANAC_CLDR")
	if dir == "" {
		t.Skip("ALMANAC_CLDR names no directory with the packages of CLDR (.ci/cldr says how to get them)")
	}
	want := map[string]string{"weeks.json": weeksFile(t, source{t, dir})}
	for _, tag := range tags {
		want["locales/"+tag+".json"] = localeFile(source{t, dir}, tag)
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
	t   *testing.T
	dir string
}

// read returns what is at a path in a file of a package.
func (s source) read(file string, path ...string) any {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		s.t.Fatal(err)
	}
	var found any
	if err := json.Unmarshal(data, &found); err != nil {
		s.t.Fatalf("%s: %v", file, err)
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

// localeFile makes the file of a language.
func localeFile(s source, tag string) string {
	name := s.name(tag, func(name string) bool {
		_, err := os.Stat(filepath.Join(s.dir, "cldr-dates-full/main", name))
		return err == nil
	})
	in := func(pkg, file string) string { return filepath.Join(pkg, "main", name, file) }
	calendar := func(path ...string) map[string]string {
		return s.texts(in("cldr-dates-full", "ca-gregorian.json"), append([]string{"main", name, "dates", "calendars", "gregorian"}, path...)...)
	}
	subtags := s.texts("cldr-core/supplemental/likelySubtags.json", "supplemental", "likelySubtags")
	region := tag[strings.LastIndexByte(tag, '-')+1:]
	if len(region) != 2 || region == tag {
		likely := subtags[tag]
		if likely == "" {
			likely = subtags[name[:2]] // of zh-Hans
		}
		region = likely[strings.LastIndexByte(likely, '-')+1:]
	}

	var b file
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
	b.add("weekdays-narrow", pick(calendar("days", "stand-alone", "narrow"), weekNames...))
	b.add("days", pick(s.texts(in("cldr-dates-full", "dateFields.json"), "main", name, "dates", "fields", "day"),
		"relative-type--1", "relative-type-0", "relative-type-1"))

	// Hours as the likely region has them. CLDR calls 0 to 23 H and 1 to 12 h.
	clock := "Hm"
	if s.read("cldr-core/supplemental/timeData.json", "supplemental", "timeData", region, "_preferred") == "h" {
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
	format("medium", "yMMMd")
	format("month", "yMMMM")
	format("day-month", "MMMMd")
	format("short", "MMMEd")
	format("time", clock)
	interval := func(key, skeleton string, or ...string) {
		all := s.read(in("cldr-dates-full", "ca-gregorian.json"),
			"main", name, "dates", "calendars", "gregorian", "dateTimeFormats", "intervalFormats")
		for _, candidate := range append([]string{skeleton}, or...) {
			if found, ok := all.(map[string]any)[candidate].(map[string]any); ok {
				patterns := map[string]string{}
				for _, field := range []string{"y", "M", "d", "a", "h", "H", "m"} {
					if p, ok := found[field].(string); ok {
						patterns[field] = fit(p, skeleton)
					}
				}
				b.add(key, patterns)
				return
			}
		}
		s.t.Fatalf("%s: no interval for %s", tag, skeleton)
	}
	interval("full-interval", "yMMMMEEEEd", "yMMMMEd", "yMMMEd")
	interval("medium-interval", "yMMMd")
	interval("time-interval", clock)

	with, at := calendar("dateTimeFormats"), calendar("dateTimeFormats-atTime", "standard")
	b.add("full-at", at["full"])
	b.add("full-with", with["full"])
	b.add("medium-at", at["medium"])
	b.add("medium-with", with["medium"])
	b.add("interval", calendar("dateTimeFormats", "intervalFormats")["intervalFormatFallback"])
	b.add("list", pick(s.texts(in("cldr-misc-full", "listPatterns.json"), "main", name, "listPatterns", "listPattern-type-standard"),
		"2", "start", "middle", "end"))

	plurals := s.read("cldr-core/supplemental/plurals.json", "supplemental", "plurals-type-cardinal").(map[string]any)
	b.add("plurals", integerRules(s.texts("cldr-core/supplemental/plurals.json", "supplemental", "plurals-type-cardinal",
		s.name(tag, func(name string) bool { return plurals[name] != nil }))))
	numbers := s.read(in("cldr-numbers-full", "numbers.json"), "main", name, "numbers").(map[string]any)
	var least int
	if _, err := fmt.Sscan(numbers["minimumGroupingDigits"].(string), &least); err != nil {
		s.t.Fatal(err)
	}
	if p := numbers["decimalFormats-numberSystem-latn"].(map[string]any)["standard"]; p != "#,##0.###" {
		s.t.Fatalf("%s groups digits otherwise than by three: %q", tag, p)
	}
	b.add("grouping", grouping{numbers["symbols-numberSystem-latn"].(map[string]any)["group"].(string), least})
	return b.text()
}

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

// widen returns a pattern with names as wide as a skeleton asks for, as UTS #35, part 4,
// has it: patterns for MMMEd are also those for MMMMEEEEd. Numbers stay numbers; and so do names
// of months that are numbers with a character, in languages that write full dates with numbers: there wide
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
func weeksFile(t *testing.T, s source) string {
	var b file
	b.add("source", s.version())
	for _, kind := range []struct{ key, name string }{{"first", "firstDay"}, {"weekendStart", "weekendStart"}, {"weekendEnd", "weekendEnd"}} {
		days := s.texts("cldr-core/supplemental/weekData.json", "supplemental", "weekData", kind.name)
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
type file struct{ bytes.Buffer }

func (f *file) add(key string, value any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	if f.Len() > 0 {
		f.WriteString(",\n")
	}
	fmt.Fprintf(f, "  %q: ", key)
	quoted := false
	for _, c := range strings.TrimSpace(b.String()) {
		if c == '"' {
			quoted = !quoted // nothing here has one inside
		}
		if !quoted && (c == ',' || c == ':') {
			f.WriteString(string(c) + " ")
		} else if c == '\u00a0' || c == '\u061c' || c >= '\u2000' && c <= '\u200f' || c >= '\u2028' && c <= '\u202f' {
			fmt.Fprintf(f, `\u%04x`, c) // invisible characters
		} else {
			f.WriteRune(c)
		}
	}
}

func (f *file) text() string { return "{\n" + f.String() + "\n}\n" }
