package cost

// This file takes over the costs of records that another server has shown.

import (
	"slices"
	"strings"

	"almanac/i18n/cldr"
)

// FromDetails makes a cost of a record of another server, from its text and the
// values, currency symbol, code and position of its details. Text and Values of
// the result are the same, whatever the symbol of our site. When they contradict
// each other the text is kept and determines the values. HTML tags are removed
// from the text.
func FromDetails(text string, values []string, symbol, code, position string) Cost {
	c := Cost{Symbol: symbol, Code: code, Position: position}
	text = strings.TrimSpace(stripTags(text))
	if text == "" {
		return c
	}
	shows := func(entries []string) bool {
		c.Entries = entries
		return c.Text(cldr.Currency{}) == text && slices.Equal(c.Values(), values)
	}

	entries := read([]string{text}).Entries
	var gratis []string
	if len(values) > 1 && isFree(values[0]) {
		gratis = []string{free}
	}
	between := between(entries, values[len(gratis):])
	if shows(entries) || shows(slices.Concat(gratis, entries)) ||
		shows(slices.Concat(gratis, between)) {
		return c
	}
	c.Entries = []string{text}
	return c
}

// between makes entries of values. The lowest and the highest are taken from
// entries as they are shown.
func between(entries, values []string) []string {
	var before, after string
	last := entries[len(entries)-1]
	if found := numbers(last); len(found) == 1 {
		before = last[:found[0].start]
		after = last[found[0].end:]
	}
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = before + value + after
	}
	if len(entries) == 2 && len(all) > 2 {
		all[0], all[len(all)-1] = entries[0], entries[1]
	}
	return all
}
