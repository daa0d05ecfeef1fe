// Parameters that links between the pages of a list repeat.

package params

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An echo says how the links between the pages of a list repeat a parameter.
type echo struct {
	Form  echoForm
	place int // in the parameters of a link, from 1; 0: not repeated
}

// An echoForm says which text a link has for a parameter.
type echoForm uint8

// The forms.
const (
	EchoSent echoForm = iota // the text that was sent
	EchoRead                 // the value that was read: 1 or 0, or ids with commas
	EchoMade                 // as normalized by the list: dates, statuses, the size of pages
)

func sent(place int) echo { return echo{EchoSent, place} }
func read(place int) echo { return echo{EchoRead, place} }
func made(place int) echo { return echo{EchoMade, place} }

// Links returns the rows that the links of a list repeat, in the order of the links. It panics
// when a row but page has no place in them, or the place of another: a mistake of
// ours, found at start.
func (t Table) Links() []*Row {
	var rows []*Row
	for i := range t {
		if r := &t[i]; r.Name != "page" {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Echo.place, b.Echo.place) })
	for i, r := range rows {
		if r.Echo.place == 0 {
			panic(
				fmt.Sprintf("params: no Echo says whether the links of a list repeat %q", r.Name),
			)
		}
		if i > 0 && r.Echo.place == rows[i-1].Echo.place {
			panic(fmt.Sprintf("params: %q and %q have one place in links", r.Name, rows[i-1].Name))
		}
	}
	return rows
}

// Repeat returns the text of a parameter in a link, in the form EchoRead. One that was
// not sent has none.
func (v Values) Repeat(name string) (text string, ok bool) {
	switch _, sent := v.find(name); sent := sent.(type) {
	case bool:
		return textOf(sent), true
	case []int64:
		if sent == nil {
			return "", false
		}
		texts := make([]string, len(sent))
		for i, id := range sent {
			texts[i] = strconv.FormatInt(id, 10)
		}
		return strings.Join(texts, ","), true
	}
	return "", false
}
