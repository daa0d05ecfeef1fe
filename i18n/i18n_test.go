// How languages are found and what they give out.

package i18n

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"almanac/i18n/cldr"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, tag string
		want      string
		ok        bool
	}{
		{"as written", "en", "en", true},
		{"letter case does not count", "EN", "en", true},
		{"a region is another language", "en-GB", "", false},
		{"nothing", "", "", false},
		{"a file name is no tag", "en.json", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Find(test.tag)
			if got.Tag != test.want || ok != test.ok {
				t.Errorf(
					"Find(%q) = %q, %v; want %q, %v",
					test.tag,
					got.Tag,
					ok,
					test.want,
					test.ok,
				)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "en", "EN-gb": "en", "de_AT": "de", "de-1996": "de", "DE": "de",
		"pt": "pt-PT", "pt-AO": "pt-PT", "pt-br": "pt-BR", "pt_BR": "pt-BR",
		"no": "nb", "no-NO": "nb", "nb-NO": "nb", "nn": "",
		"iw": "he", "iw-IL": "he", "he-IL": "he",
		"zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-Hans-SG": "zh-Hans", "zh-TW": "", "zh-Hant-HK": "", "zh-HK": "",
		"de-x-formal": "de", "xx": "", "": "", "-": "", "x-default": "", "english": "",
	} {
		got, ok := Match(tag)
		if got.Tag != want || ok != (want != "") {
			t.Errorf("Match(%q) = %q, %v; want %q", tag, got.Tag, ok, want)
		}
	}
}

func TestNegotiate(t *testing.T) {
	french, _ := Find("fr")
	for _, test := range []struct{ name, accept, want string }{
		{"one", "fr", "fr"},
		{"a region more", "fr-CA", "fr"},
		{"the first of two", "de, fr", "de"},
		{"by weight", "de;q=0.5, fr;q=0.8", "fr"},
		{"equal weights in their order", "de;q=0.8, fr;q=0.8", "de"},
		{"spaces", " de ; q=0.1 ,fr ; q = 0.9", "fr"},
		{"what is not here is passed over", "tlh, da;q=0.2", "da"},
		{"refused", "fr;q=0, de;q=0.1", "de"},
		{"anything", "*", ""},
		{"anything before", "*, fr;q=0.5", ""},
		{"a weight that is none", "fr;q=high, de", "de"},
		{"nothing", "", ""},
		{"commas", ",,;,", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Negotiate(test.accept, Languages())
			if got.Tag != test.want || ok != (test.want != "") {
				t.Errorf("Negotiate(%q) = %q, %v; want %q", test.accept, got.Tag, ok, test.want)
			}
		})
	}
	if got, ok := Negotiate("de, fr;q=0.1", []Language{french}); !ok || got.Tag != "fr" {
		t.Errorf("of French alone: %q, %v", got.Tag, ok)
	}
}

func TestLanguagesIsACopy(t *testing.T) {
	Languages()[0].Tag = "xx"
	if _, ok := Find("xx"); ok {
		t.Error("a change to what Languages gave changed the languages")
	}
}

func TestMissingTextPanics(t *testing.T) {
	for name, ask := range map[string]func(){
		"Text of an unknown key":        func() { English().Text("no.such.key") },
		"Count of an unknown key":       func() { English().Count("no.such.key", 1) },
		"Count of a text without forms": func() { English().Count("api.title", 1) },
		"Text of a key of a text with forms": func() {
			counting("en", forms{
				cldr.One:   "{n} event",
				cldr.Other: "{n} events",
			}).Text("found")
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			ask()
		})
	}
}

// counting returns a language with a text that says how many, "found".
func counting(tag string, texts forms) Language {
	l, _ := Find(tag)
	c := &catalogue{tag: tag, Texts: map[string]text{"found": {Forms: texts}}}
	c.show(l.Dir)
	l.read = func() *catalogue { return c }
	return l
}

func TestCount(t *testing.T) {
	english := forms{cldr.One: "{n} event", cldr.Other: "{n} events of {n}, `x`"}
	polish := forms{
		cldr.One:  "jedno wydarzenie",
		cldr.Few:  "{n} wydarzenia",
		cldr.Many: "{n} wydarzeń",
	}
	arabic := forms{cldr.Zero: "لا أحداث", cldr.One: "حدث", cldr.Two: "حدثان",
		cldr.Few: "{n} أحداث", cldr.Many: "{n} حدثًا", cldr.Other: "{n} حدث `x`"}
	for _, test := range []struct {
		tag   string
		texts forms
		n     int
		want  string
	}{
		{"en", english, 1, "1 event"},
		{"en", english, 0, "0 events of 0, `x`"},
		{"en", english, 12345, "12,345 events of 12,345, `x`"},
		{"pl", polish, 1, "jedno wydarzenie"},
		{"pl", polish, 22, "22 wydarzenia"},
		{"pl", polish, 12, "12 wydarzeń"},
		{"pl", polish, 0, "0 wydarzeń"},
		{"ar", arabic, 0, "لا أحداث"},
		{"ar", arabic, 2, "حدثان"},
		{"ar", arabic, 103, "103 أحداث"},
		{"ar", arabic, 11, "11 حدثًا"},
		{"ar", arabic, 100, "100 حدث \u2066`x`\u2069"},
	} {
		if got := counting(test.tag, test.texts).Count("found", test.n); got != test.want {
			t.Errorf("%s: %d: %q, want %q", test.tag, test.n, got, test.want)
		}
	}
}

// A text without a translation is shown in English, and logged.
func TestUntranslated(t *testing.T) {
	german := counting("de", nil)
	if got, want := german.Text("api.title"), English().Text("api.title"); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got, want := german.Count("site.events", 1000), English().Count("site.events", 1000); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if _, logged := missing.Load("de api.title"); !logged {
		t.Error("no warning was logged")
	}
}

func TestDirection(t *testing.T) {
	for tag, want := range map[string]string{
		"en":    "ltr",
		"ar":    "rtl",
		"he":    "rtl",
		"fa-IR": "rtl",
		"pt-BR": "ltr",
		"":      "ltr",
	} {
		if got := direction(tag); got != want {
			t.Errorf("direction(%q) = %q, want %q", tag, got, want)
		}
	}
}

// TestRightToLeft sees that codes are isolated where they must be, and only
// there.
func TestRightToLeft(t *testing.T) {
	for _, l := range Languages() {
		for _, key := range l.Keys() {
			texts := slices.Collect(maps.Values(l.read().counted[key]))
			if texts == nil {
				texts = []string{l.Text(key)}
			}
			for _, text := range texts {
				codes := strings.Count(text, "`") / 2
				if l.Dir == "ltr" {
					codes = 0
				}
				if got := strings.Count(text, "\u2066`"); got != codes ||
					strings.Count(text, "`\u2069") != codes {
					t.Errorf("%s: %s: %d isolates, want %d: %q", l.Tag, key, got, codes, text)
				}
			}
		}
	}
}
