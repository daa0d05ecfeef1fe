// Every catalogue is whole, was made from the English texts as they are, and
// keeps codes, names and the words of the field.

package i18n

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/i18n/cldr"
	"almanac/internal/text/rrule"
	"almanac/internal/tools/race"
)

// tags are the languages that the service is published in.
var tags = []string{
	"ar", "cs", "da", "de", "en", "es", "fi", "fr", "he", "hu", "it", "ja", "nb", "nl", "pl", "pt-BR", "pt-PT", "ru", "sv", "zh-Hans",
}

func TestLanguages(t *testing.T) {
	var got []string
	names := map[string]string{}
	for _, l := range Languages() {
		got = append(got, l.Tag)
		if other := names[l.Name()]; other != "" || l.Name() == "" {
			t.Errorf("%s calls itself %q, as %q does", l.Tag, l.Name(), other)
		}
		if in := l.read().Name; in != l.Name() {
			t.Errorf("%s calls itself %q, and %q in its file", l.Tag, l.Name(), in)
		}
		names[l.Name()] = l.Tag
	}
	if diff := cmp.Diff(tags, got); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(tags, rrule.Languages()); diff != "" {
		t.Errorf("languages in which recurrence rules are described (-want +got):\n%s", diff)
	}
	locales, err := filepath.Glob("cldr/locales/*.json")
	for i, name := range locales {
		locales[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	if diff := cmp.Diff(tags, locales); diff != "" || err != nil {
		t.Errorf("languages that dates are written in (-want +got):\n%s", diff)
	}
}

func TestCataloguesAlone(t *testing.T) {
	race.Alone(t)
	english := English().read()
	for _, l := range Languages() {
		t.Run(l.Tag, func(t *testing.T) {
			data, err := locales.ReadFile("locales/" + l.Tag + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(write(l.read()), string(data)); diff != "" {
				t.Errorf("not in the form of a catalogue (-want +got):\n%s", diff)
			}
			wrong, untranslated := complaints(english, l.read())
			for _, complaint := range wrong {
				t.Error(complaint)
			}
			for _, complaint := range untranslated {
				if os.Getenv("ALMANAC_TRANSLATED") == "" {
					t.Log("warning: ", complaint)
				} else {
					t.Error(complaint)
				}
			}
		})
	}
}

// write returns the file of a catalogue: sorted keys, none twice, a text a line.
func write(c *catalogue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"name\": %s,\n  \"glossary\": {\n", compact(c.Name))
	for i, word := range slices.Sorted(maps.Keys(c.Glossary)) {
		fmt.Fprintf(
			&b,
			"    %s: %s%s\n",
			compact(word),
			compact(c.Glossary[word]),
			comma(i, len(c.Glossary)),
		)
	}
	b.WriteString("  },\n  \"texts\": {\n")
	for i, key := range slices.Sorted(maps.Keys(c.Texts)) {
		fmt.Fprintf(
			&b,
			"    %s: %s%s\n",
			compact(key),
			compact(c.Texts[key]),
			comma(i, len(c.Texts)),
		)
	}
	b.WriteString("  }\n}\n")
	return b.String()
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

// compact writes a value on one line, with a space behind commas and colons
// between its parts.
func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\x00")
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	line := strings.ReplaceAll(strings.TrimSpace(b.String()), "\x00", "")
	line = strings.NewReplacer("{\n", "{", "[\n", "[", "\n}", "}", "\n]", "]").Replace(line)
	return strings.ReplaceAll(line, "\n", " ")
}

// digest names an English text in what was made from it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

var (
	codes        = regexp.MustCompile("`[^`]*`")
	placeholders = regexp.MustCompile(`\{\w+\}`)
	bidi         = regexp.MustCompile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
	proper       = []string{
		"HTML",
		"JSON",
		"UTC",
		"HTTP",
		"API",
		"IANA",
		"UTF-8",
		"OpenAPI",
		"ISO 4217",
		"schema.org",
		"The Events Calendar",
		"Almanac",
	}
)

// mostWithout is how many texts of a language may do without a word of the
// glossary: more would be a language with a wrong glossary.
const mostWithout = 30

// complaints returns the mistakes of a catalogue beside the English one, and the texts that wait
// for a translation.
func complaints(english, c *catalogue) (found, untranslated []string) {
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for _, key := range slices.Sorted(maps.Keys(english.Texts)) {
		if t, ok := c.Texts[key]; !ok {
			untranslated = append(untranslated, key+": has no translation")
		} else if want := digest(english.Texts[key].whole()); english != c && t.Of != want {
			untranslated = append(untranslated,
				fmt.Sprintf("%s: made from another English text; look at it again, then write \"of\": %q", key, want))
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(english.Glossary)), slices.Sorted(maps.Keys(c.Glossary))); diff != "" {
		say("glossary (-English +this):\n%s", diff)
	}
	for word, forms := range c.Glossary {
		if len(forms) == 0 || slices.Contains(forms, "") {
			say("glossary: no form of %q", word)
		}
	}
	without := 0
	for _, key := range slices.Sorted(maps.Keys(c.Texts)) {
		source, ok := english.Texts[key]
		if !ok {
			say("%s: is left over, as there is no English text", key)
			continue
		}
		for _, complaint := range wrong(english, c, source, c.Texts[key]) {
			say("%s: %s", key, complaint)
		}
		without += len(c.Texts[key].Without)
	}
	if without > mostWithout {
		say("%d texts do without a word of the glossary, at most %d may", without, mostWithout)
	}
	return found, untranslated
}

// all returns the text, or its forms by category.
func (t text) all() forms {
	if t.Forms != nil {
		return t.Forms
	}
	return forms{"": t.Text}
}

// general returns the text, or the form of most numbers in English.
func (t text) general() string {
	if t.Forms != nil {
		return t.Forms[cldr.Other]
	}
	return t.Text
}

// whole returns the text, or its forms a line each, for the digest.
func (t text) whole() string {
	if t.Forms == nil {
		return t.Text
	}
	var lines []string
	for category, form := range t.Forms {
		lines = append(lines, string(category)+": "+form)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// wrongForms says what is wrong with the forms of a text, beside what they say.
func wrongForms(c *catalogue, source, t text) (found []string) {
	if (source.Forms == nil) != (t.Forms == nil) || (t.Forms == nil) == (t.Text == "") {
		return []string{"has \"forms\" if the English text has some, else a text"}
	}
	if t.Forms == nil {
		return nil
	}
	l := cldr.Of(c.tag)
	if diff := cmp.Diff(slices.Sorted(slices.Values(l.Categories())), slices.Sorted(maps.Keys(t.Forms))); diff != "" {
		found = append(found, fmt.Sprintf("forms (-the language has +this):\n%s", diff))
	}
	for category, form := range t.Forms {
		numbers := 0
		for n := range 1000 {
			if l.Plural(n) == category {
				numbers++
			}
		}
		if strings.Count(form, "{n}") == 0 && numbers != 1 {
			found = append(
				found,
				fmt.Sprintf("%q is for several numbers, and has no {n}: %s", category, form),
			)
		}
	}
	return found
}

// wrong says what is wrong with one text.
func wrong(english, c *catalogue, source, t text) (found []string) {
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	found = wrongForms(c, source, t)
	for _, form := range t.all() {
		switch {
		case strings.TrimSpace(form) != form || form == "":
			say("empty, or with spaces around it: %q", form)
		case bidi.MatchString(form):
			say("holds a mark of direction; codes are isolated without")
		case strings.Count(form, "`")%2 == 1:
			say("a backtick has no other")
		}
		for _, kept := range []*regexp.Regexp{codes, placeholders} {
			want := kept.FindAllString(source.general(), -1)
			got := kept.FindAllString(form, -1)
			if t.Forms != nil {
				number := func(s string) bool { return s == "{n}" } // above
				want = slices.DeleteFunc(want, number)
				got = slices.DeleteFunc(got, number)
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				say("what must stay as it is (-English +this):\n%s", diff)
			}
		}
	}
	if english == c {
		if t.Of != "" || t.Same != "" || t.Without != nil {
			say("English comes from nothing: %+v", t)
		}
		return found
	}
	if (t.whole() == source.whole()) != (t.Same != "") {
		say(
			"\"same\" must say why the text is equal to the English one, and be there only then: %q",
			t.whole(),
		)
	}
	plain := codes.ReplaceAllString(source.general(), "")
	everywhere := func(has func(form string) bool) bool {
		return !slices.ContainsFunc(
			slices.Collect(maps.Values(t.all())),
			func(form string) bool { return !has(form) },
		)
	}
	for _, name := range proper {
		if strings.Contains(plain, name) &&
			!everywhere(func(form string) bool { return strings.Contains(form, name) }) {
			say("lacks %s", name)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(english.Glossary)) {
		asked := hasWord(plain, english.Glossary[word])
		holds := everywhere(func(form string) bool {
			return slices.ContainsFunc(c.Glossary[word], func(word string) bool {
				return strings.Contains(strings.ToLower(form), strings.ToLower(word))
			})
		})
		excused := slices.Contains(t.Without, word)
		switch {
		case asked && !holds && !excused:
			say("has none of %q for %q: %s", c.Glossary[word], word, t.whole())
		case excused && (holds || !asked):
			say("\"without\" names %q without need", word)
		}
	}
	return found
}

// hasWord reports whether an English text has one of the forms of a word.
func hasWord(source string, forms []string) bool {
	words := " " + strings.Join(
		strings.FieldsFunc(
			strings.ToLower(source),
			func(c rune) bool { return !unicode.IsLetter(c) },
		),
		" ",
	) + " "
	return slices.ContainsFunc(
		forms,
		func(form string) bool { return strings.Contains(words, " "+form+" ") },
	)
}

// TestComplaints sees that a catalogue cannot be wrong unnoticed.
func TestComplaints(t *testing.T) {
	english := &catalogue{
		tag:      "en",
		Glossary: map[string][]string{"venue": {"venue", "venues"}},
		Texts: map[string]text{
			"a": {Text: "The `id` of a venue, {value}, as JSON."}, "b": {Text: "Status"},
			"n": {Forms: forms{cldr.One: "{n} venue of {all}", cldr.Other: "{n} venues of {all}"}},
		},
	}
	good := func() *catalogue {
		return &catalogue{
			tag:      "cs", // for its three categories; the words are German
			Glossary: map[string][]string{"venue": {"Ort"}},
			Texts: map[string]text{
				"a": {
					Of:   digest(english.Texts["a"].Text),
					Text: "Die `id` des Orts, {value}, als JSON.",
				},
				"b": {Of: digest("Status"), Text: "Status", Same: "the same word"},
				"n": {
					Of: digest("one: {n} venue of {all}\nother: {n} venues of {all}"),
					Forms: forms{
						cldr.One:   "ein Ort von {all}",
						cldr.Few:   "{n} kleine Orte von {all}",
						cldr.Other: "{n} Orte von {all}",
					},
				},
			},
		}
	}
	if wrong, untranslated := complaints(english, good()); wrong != nil || untranslated != nil {
		t.Fatalf("a good one: %q, %q", wrong, untranslated)
	}
	change := func(key string, f func(*text)) func(*catalogue) {
		return func(c *catalogue) {
			changed := c.Texts[key]
			f(&changed)
			c.Texts[key] = changed
		}
	}
	for name, spoil := range map[string]func(*catalogue){
		"a text is missing":       func(c *catalogue) { delete(c.Texts, "b") },
		"a text is left over":     func(c *catalogue) { c.Texts["c"] = text{Text: "Mehr"} },
		"a word has no form":      func(c *catalogue) { c.Glossary["venue"] = nil },
		"stale":                   change("a", func(t *text) { t.Of = digest("another") }),
		"empty":                   change("a", func(t *text) { t.Text = "" }),
		"equal without a reason":  change("b", func(t *text) { t.Same = "" }),
		"a reason without need":   change("a", func(t *text) { t.Same = "why?" }),
		"a code is lost":          change("a", func(t *text) { t.Text = "Die Nummer des Orts, {value}, als JSON." }),
		"a code is translated":    change("a", func(t *text) { t.Text = "Die `nr` des Orts, {value}, als JSON." }),
		"a placeholder is lost":   change("a", func(t *text) { t.Text = "Die `id` des Orts als JSON." }),
		"a name is lost":          change("a", func(t *text) { t.Text = "Die `id` des Orts, {value}." }),
		"another word":            change("a", func(t *text) { t.Text = "Die `id` der Location, {value}, als JSON." }),
		"an excuse without need":  change("a", func(t *text) { t.Without = []string{"venue"} }),
		"a mark of direction":     change("a", func(t *text) { t.Text += "\u200f" }),
		"spaces around the text":  change("a", func(t *text) { t.Text += " " }),
		"an excuse for no word":   change("b", func(t *text) { t.Without = []string{"venue"} }),
		"a form is missing":       change("n", func(t *text) { delete(t.Forms, cldr.Few) }),
		"a form is left over":     change("n", func(t *text) { t.Forms[cldr.Many] = "{n} Orte von {all}" }),
		"a form is empty":         change("n", func(t *text) { t.Forms[cldr.One] = "" }),
		"a form lacks its number": change("n", func(t *text) { t.Forms[cldr.Few] = "einige Orte von {all}" }),
		"a form lacks a place":    change("n", func(t *text) { t.Forms[cldr.One] = "ein Ort" }),
		"a form has another word": change("n", func(t *text) { t.Forms[cldr.Few] = "{n} Plätze von {all}" }),
		"a form has a mark":       change("n", func(t *text) { t.Forms[cldr.Few] += "\u200f" }),
		"forms are stale":         change("n", func(t *text) { t.Of = digest("{n} venues of {all}") }),
		"a text for forms": change("n", func(t *text) {
			t.Text = "{n} Orte von {all}"
			t.Forms = nil
		}),
		"a text beside forms": change("n", func(t *text) { t.Text = "{n} Orte von {all}" }),
		"forms for a text": change("b", func(t *text) {
			t.Text = ""
			t.Forms = english.Texts["n"].Forms
		}),
		"a word that nobody uses": func(c *catalogue) { c.Glossary["barn"] = []string{"Scheune"} },
	} {
		t.Run(name, func(t *testing.T) {
			c := good()
			spoil(c)
			wrong, untranslated := complaints(english, c)
			if wrong == nil && untranslated == nil {
				t.Error("nobody complains")
			}
			if late := slices.Contains([]string{"a text is missing", "stale", "forms are stale"}, name); late != (wrong == nil) {
				t.Errorf("mistakes %q, to translate %q", wrong, untranslated)
			}
		})
	}
}

func TestIsolate(t *testing.T) {
	for text, want := range map[string]string{
		"no code":      "no code",
		"`a` and `b`":  "\u2066`a`\u2069 and \u2066`b`\u2069",
		"one ` alone":  "one ` alone",
		"behind `end`": "behind \u2066`end`\u2069",
	} {
		if got := isolate(text); got != want {
			t.Errorf("isolate(%q) = %q, want %q", text, got, want)
		}
	}
}
