// Package i18n holds the languages of the service and all its texts for people:
// the descriptions of operations, parameters and records in /doc, its page and
// the index.
//
// A language is one file, locales/TAG.json (see catalogue.go). Adding the file
// adds the language, with a base address of its own (section 9 of the
// specification). Translations are made from the English texts and name the text
// that each was made from. A text without a translation is shown in English, and a
// warning is logged: so that a developer can add a text first and its translations
// later. A release has all of them: TestCataloguesAlone refuses others with
// ALMANAC_TRANSLATED=1.
//
//	language, ok := i18n.Find("en")
//	title := language.Text("api.title")
//	events := language.Count("site.events", 22)
//	date := language.Locale().Full(t)
//
// In texts, untranslated words (names of parameters, values, header fields)
// stand between backticks, as in CommonMark, the syntax of OpenAPI descriptions.
//
// Everything here is read-only and safe for concurrent use.
package i18n

import (
	"embed"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"almanac/i18n/cldr"
)

//go:embed locales/*.json
var locales embed.FS

// languages is one language a file, by tag.
var languages = list()

// A Language is a language with its texts.
type Language struct {
	Tag string // BCP 47: "en", "pt-BR"
	Dir string // which way it is written: "ltr" or "rtl"

	read  func() *catalogue // parsed when first asked for: a start needs few
	name  func() string     // read alone: a page names all languages, and has the texts of one
	there *cldr.Locale      // dates of a region, nil for those of the language
}

// English is the language of the neutral base address.
func English() Language {
	english, ok := Find("en")
	if !ok {
		panic("i18n: no locales/en.json")
	}
	return english
}

// Languages returns every language there is, by tag. Each has a base address of
// its own; English has one beside the neutral address, so that a client can ask
// for it by name.
func Languages() []Language { return slices.Clone(languages) }

// Find returns the language of a tag, in any letter case (RFC 5646, section
// 2.1.1). It does not match ranges: "en-GB" is not "en". Match does.
func Find(tag string) (Language, bool) {
	i := slices.IndexFunc(
		languages,
		func(l Language) bool { return strings.EqualFold(l.Tag, tag) },
	)
	if i < 0 {
		return Language{}, false
	}
	return languages[i], true
}

// Name returns the name of the language in itself: "Deutsch".
func (l Language) Name() string { return l.name() }

// Text returns the text of a key, in English if the language has none. It panics
// when there is no such text at all. Where the
// language is written from right to left, what stands between backticks is
// isolated (Unicode Standard Annex #9, section 2.4.2), so that it reads as it is
// written whatever stands around it.
func (l Language) Text(key string) string {
	if text, ok := l.read().shown[key]; ok {
		return text
	}
	return l.inEnglish(key).Text(key)
}

// Count returns the text of a key that says how many, in the form that the language
// has for the number, with the number in the place of {n}. A text that is missing is
// treated as by Text.
func (l Language) Count(key string, n int) string {
	texts, ok := l.read().counted[key]
	if !ok {
		return l.inEnglish(key).Count(key, n)
	}
	return strings.ReplaceAll(texts[l.Locale().Plural(n)], "{n}", l.Locale().Number(n))
}

// inEnglish returns English for a key that the language has no text of, and logs that
// once. English itself has to have the text.
func (l Language) inEnglish(key string) Language {
	if l.Tag == "en" {
		panic(fmt.Sprintf("i18n: locales/en.json has no text %q of this form", key))
	}
	if _, known := missing.LoadOrStore(l.Tag+" "+key, true); !known {
		slog.Warn(
			"a text has no translation and is shown in English",
			"language",
			l.Tag,
			"key",
			key,
		)
	}
	return English()
}

// missing has the texts without a translation that were logged, as "de site.events".
var missing sync.Map

// Locale is how the language writes dates, numbers and lists.
func (l Language) Locale() *cldr.Locale {
	if l.there != nil {
		return l.there
	}
	return cldr.Of(l.Tag)
}

// In returns the language with the dates of a region (ISO 3166-1, "GB"). It reports whether there
// is such a region.
func (l Language) In(region string) (_ Language, ok bool) {
	l.there, ok = cldr.Of(l.Tag).In(region)
	return l, ok
}

// With returns the language with weeks that begin on a day, as "monday", and with a clock of "12"
// or "24" hours. An empty text changes nothing.
func (l Language) With(first, clock string) Language {
	if first != "" || clock != "" {
		l.there = l.Locale().With(first, clock)
	}
	return l
}

// Lang returns the tag with the region, if one was chosen: "en-GB", "zh-Hans-SG".
func (l Language) Lang() string {
	if l.there == nil {
		return l.Tag
	}
	tag := l.Tag
	if i := strings.LastIndexByte(tag, '-'); i > 0 && i == len(tag)-len("-BR") {
		tag = tag[:i]
	}
	return tag + "-" + l.there.Region()
}

// Keys returns the keys of all texts, sorted.
func (l Language) Keys() []string { return slices.Sorted(maps.Keys(l.read().Texts)) }

func list() []Language {
	files, err := locales.ReadDir("locales")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	var all []Language
	for _, file := range files {
		tag := strings.TrimSuffix(file.Name(), ".json")
		dir := direction(tag)
		all = append(all, Language{
			Tag:  tag,
			Dir:  dir,
			read: sync.OnceValue(func() *catalogue { return parse(tag, dir) }),
			name: sync.OnceValue(func() string { return nameOf(tag) }),
		})
	}
	slices.SortFunc(
		all,
		func(a, b Language) int { return strings.Compare(strings.ToLower(a.Tag), strings.ToLower(b.Tag)) },
	)
	return all
}

// direction returns which way a language is written, by its first subtag: the
// languages listed use Arabic, Hebrew, Thaana or Syriac letters.
func direction(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	switch primary {
	case "ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi":
		return "rtl"
	}
	return "ltr"
}
