package rrule

// This file reads the phrases of a language for descriptions.

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed words/*.json
var wordFiles embed.FS

// Words has the phrases of a language, from the table words/TAG.json. Phrases are
// complete: they include articles, prepositions and declined forms.
//
// A phrase is a text with placeholders in braces, or one text for each of several
// cases: "=2" is the number 2, "one" or "few" a category of numbers, "other" every
// number, and a name in Class the weekdays of this class. words_test.go lists the
// phrases and their placeholders, and checks the tables.
type Words struct {
	// Plural and Ordinal are the categories of numbers in CLDR: a name and a regular
	// expression for the digits. The first match counts.
	Plural, Ordinal [][2]string

	Weekdays [7]string // in a dictionary, from Monday on
	On       [7]string // where phrase "on" lists them: every week on Tuesday
	Each     [7]string // where phrase "each" lists them: every month on Tuesdays
	NthDays  [7]string // in the phrases "nth" and "nth-end": the last Tuesday
	Class    [7]string // grammatical classes of weekdays, such as genders; may be empty

	Months  [12]string // where phrase "months" lists them: in March
	MonthOf [12]string // in the phrases "date" and "day": 24 March

	Phrases map[string]phrase

	categories map[string]*regexp.Regexp // the expressions of Plural and Ordinal
}

type phrase struct {
	text  string
	cases map[string]phrase
}

func (p *phrase) UnmarshalJSON(data []byte) error {
	if data[0] == '{' {
		return json.Unmarshal(data, &p.cases)
	}
	return json.Unmarshal(data, &p.text)
}

// Languages returns the tags of the languages, in order.
func Languages() []string {
	entries, _ := wordFiles.ReadDir("words") // it is part of the program
	var tags []string
	for _, e := range entries {
		tags = append(tags, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(tags)
	return tags
}

// known has the words of languages that were asked for, by tag.
var known sync.Map

// WordsOf returns the words of a language. Its table is read once.
func WordsOf(tag string) (*Words, error) {
	if words, ok := known.Load(tag); ok {
		return words.(*Words), nil
	}
	data, err := wordFiles.ReadFile("words/" + tag + ".json")
	if err != nil {
		return nil, fmt.Errorf(
			"there are no words of the language %q; there are those of %s",
			tag,
			strings.Join(Languages(), ", "),
		)
	}
	words, err := parseWords(data)
	if err == nil {
		known.Store(tag, words)
	}
	return words, err
}

func parseWords(data []byte) (*Words, error) {
	w := &Words{categories: map[string]*regexp.Regexp{}}
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	for _, category := range slices.Concat(w.Plural, w.Ordinal) {
		re, err := regexp.Compile(category[1])
		if err != nil {
			return nil, fmt.Errorf("words: category %q: %w", category[0], err)
		}
		w.categories[category[1]] = re
	}
	return w, nil
}

// text returns a phrase with its placeholders filled: values are pairs of name and value.
func (w *Words) text(key string, values ...string) string {
	return fill(w.Phrases[key].text, values...)
}

func fill(text string, values ...string) string {
	var pairs []string
	for i := 0; i < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// numbered returns the phrase for a number and a class. The categories are Plural or
// Ordinal.
func (w *Words) numbered(
	key string,
	n int,
	categories [][2]string,
	class string,
	values ...string,
) string {
	p := w.Phrases[key]
	digits := strconv.Itoa(n)
	for p.cases != nil {
		names := []string{class, "=" + digits}
		for _, c := range categories {
			if w.categories[c[1]].MatchString(digits) {
				names = append(names, c[0])
				break
			}
		}
		next := p.cases["other"]
		for _, name := range slices.Backward(names) {
			if c, ok := p.cases[name]; ok {
				next = c
			}
		}
		p = next
	}
	return fill(p.text, append(values, "n", digits)...)
}

// list returns "A, B and C".
func (w *Words) list(items []string) string {
	text := ""
	for i, item := range items {
		switch {
		case i == 0:
			text = item
		case len(items) == 2:
			text = w.text("list-two", "a", text, "b", item)
		case i == len(items)-1:
			text = w.text("list-last", "a", text, "b", item)
		default:
			text = w.text("list-middle", "a", text, "b", item)
		}
	}
	return text
}
