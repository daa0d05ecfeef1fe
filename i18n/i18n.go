// Package i18n holds the languages of the service and every text of it that is
// meant for people: what /doc and the index say about operations, parameters
// and records.
//
// A language is one file, locales/TAG.json: an object of texts by key, sorted,
// one a line. Adding the file adds the language, with a base address of its own
// (section 9 of the specification). English is a language like the others.
// There is no fallback from one language to another: a text that is missing is a
// mistake of ours, and tests find it.
//
//	language, ok := i18n.Find("en")
//	title := language.Text("api.title")
//
// Everything here is read-only and safe for concurrent use.
package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed locales/*.json
var locales embed.FS

// languages is one language a file, by tag.
var languages = list()

// A Language is a language with its texts.
type Language struct {
	Tag string // BCP 47: "en", "pt-BR"
	Dir string // which way it is written: "ltr" or "rtl"

	texts func() map[string]string // parsed when first asked for: a start needs few
}

// English is the language of the neutral base address.
func English() Language {
	english, ok := Find("en")
	if !ok {
		panic("i18n: no locales/en.json")
	}
	return english
}

// Languages gives every language there is, by tag. Each has a base address of
// its own; English has one beside the neutral address, so that a client can ask
// for it by name.
func Languages() []Language { return slices.Clone(languages) }

// Find gives the language of a tag, in any letter case (RFC 5646, section
// 2.1.1). It does not match ranges: "en-GB" is not "en".
func Find(tag string) (Language, bool) {
	i := slices.IndexFunc(languages, func(l Language) bool { return strings.EqualFold(l.Tag, tag) })
	if i < 0 {
		return Language{}, false
	}
	return languages[i], true
}

// Text gives the text of a key. It panics when there is none.
func (l Language) Text(key string) string {
	text, ok := l.texts()[key]
	if !ok {
		panic(fmt.Sprintf("i18n: locales/%s.json has no text %q", l.Tag, key))
	}
	return text
}

// Keys gives the keys of all texts, sorted.
func (l Language) Keys() []string { return slices.Sorted(maps.Keys(l.texts())) }

// list makes the languages of the files. Their names are their tags.
func list() []Language {
	files, err := locales.ReadDir("locales")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	var all []Language
	for _, file := range files {
		name := "locales/" + file.Name()
		tag := strings.TrimSuffix(file.Name(), ".json")
		all = append(all, Language{Tag: tag, Dir: direction(tag), texts: sync.OnceValue(func() map[string]string {
			return parse(name)
		})})
	}
	return all
}

// parse reads the texts of a file. A file that is not as it should be is a
// mistake of ours.
func parse(name string) map[string]string {
	data, err := locales.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(data, &texts); err != nil {
		panic(fmt.Sprintf("i18n: %s: %v", name, err))
	}
	return texts
}

// direction gives which way a language is written, by its first subtag: the
// languages listed use Arabic, Hebrew, Thaana or Syriac letters.
func direction(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	switch primary {
	case "ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi":
		return "rtl"
	}
	return "ltr"
}
