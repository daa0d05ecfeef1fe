package i18n

// This file reads a catalogue. One looks like this, its keys sorted and each
// text on a line:
//
//	{
//	  "name": "Deutsch",
//	  "glossary": {
//	    "event": ["Veranstaltung"],
//	    …
//	  },
//	  "texts": {
//	    "event.title": {"of": "5f1c0a97", "text": "Titel der Veranstaltung."},
//	    "site.events": {"of": "10cc6b69", "forms": {"one": "{n} Veranstaltung", "other": "{n} Veranstaltungen"}},
//	    …
//	  }
//	}
//
// A text that says how many has forms instead, one for each category of numbers that
// the language has (package i18n/cldr), no more and no fewer. A form of a category
// of one number may leave the number out: "one event".
//
// The glossary has the words of the field, by the English ones: the forms of
// each that texts use, or the stem where words are inflected. Where an English
// text has a word of its glossary, the translation has one of the forms; tests
// hold every language to that.

import (
	"encoding/json"
	"fmt"
	"strings"

	"almanac/i18n/cldr"
)

type catalogue struct {
	Name     string              `json:"name"` // of the language, in its own words
	Glossary map[string][]string `json:"glossary"`
	Texts    map[string]text     `json:"texts"` // by key

	tag string

	// the texts as they are given out, those that say how many apart
	shown   map[string]string
	counted map[string]forms
}

type text struct {
	// which English text it was made from: the first 8 hexadecimal digits of its SHA-256; English
	// has none
	Of      string   `json:"of,omitempty"`
	Text    string   `json:"text,omitempty"`    // no spaces around it
	Forms   forms    `json:"forms,omitempty"`   // instead of a text
	Same    string   `json:"same,omitempty"`    // why it is equal to the English one, if it is
	Without []string `json:"without,omitempty"` // words of the glossary that it rightly does without
}

// forms are the texts for numbers.
type forms map[cldr.Category]string

// parse reads the file of a tag. A file that is not as it should be is a mistake
// of ours.
func parse(tag, dir string) *catalogue {
	name := "locales/" + tag + ".json"
	data, err := locales.ReadFile(name)
	if err != nil {
		panic(err)
	}
	c := &catalogue{tag: tag}
	if err := json.Unmarshal(data, c); err != nil {
		panic(fmt.Sprintf("i18n: %s: %v", name, err))
	}
	c.show(dir)
	return c
}

// nameOf reads the name in the file of a tag, which begins with it.
func nameOf(tag string) string {
	file, err := locales.Open("locales/" + tag + ".json")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	d := json.NewDecoder(file)
	var name json.Token
	for range 3 { // the brace, the key and its value
		if name, err = d.Token(); err != nil {
			panic(fmt.Sprintf("i18n: %s: %v", tag, err))
		}
	}
	return name.(string)
}

// show makes the texts that are given out.
func (c *catalogue) show(dir string) {
	shown := func(text string) string {
		if dir == "rtl" {
			return isolate(text)
		}
		return text
	}
	c.shown = make(map[string]string, len(c.Texts))
	c.counted = map[string]forms{}
	for key, t := range c.Texts {
		if t.Forms == nil {
			c.shown[key] = shown(t.Text)
			continue
		}
		c.counted[key] = forms{}
		for category, text := range t.Forms {
			c.counted[key][category] = shown(text)
		}
	}
}

// isolate puts what stands between backticks into an isolate that is written
// from left to right.
func isolate(text string) string {
	const leftToRight, end = "\u2066", "\u2069"
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = leftToRight + "`" + parts[i] + "`" + end
	}
	if len(parts)%2 == 0 {
		return text // a backtick has no other: tests say so
	}
	return strings.Join(parts, "")
}
