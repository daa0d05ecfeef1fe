// Samples of all that there is to show, on which the templates of a site are tried.

package pages

import (
	_ "embed"
	"encoding/json"
)

// sampleText has every member of a model, each with a value.
//
//go:embed sample.json
var sampleText []byte

// A sample is one of everything.
type sample struct {
	Frame Frame
	List  *List
	Month *Month
	Event *Event
	Place *Place
	Form  *Form
	Day   *Day
	Cell  *Cell
}

// sampleWords are texts that are their keys.
type sampleWords struct{}

func (sampleWords) Text(key string, _ ...string) string { return key }
func (sampleWords) Count(key string, _ int) string      { return key }

// check executes the templates with samples that have everything, and with some that have
// nothing, or little.
func (t *Theme) check() error {
	var full sample
	if err := json.Unmarshal(sampleText, &full); err != nil {
		return err
	}
	empty := sample{
		List:  &List{},
		Month: &Month{},
		Event: &Event{},
		Place: &Place{
			List: &List{},
		},
		Form: &Form{},
		Day:  &Day{},
		Cell: &Cell{},
	}
	sparse := empty // lists of empty elements
	sparse.Day = &Day{Entries: make([]Entry, 1)}
	sparse.Cell = &Cell{Entries: make([]Entry, 1)}
	sparse.Event = &Event{
		Venues:     make([]Place, 1),
		Organizers: make([]Place, 1),
		Next:       make([]Entry, 1),
		Related:    make([]Entry, 1),
	}
	for _, s := range []sample{full, empty, sparse} {
		s.Frame.Words = sampleWords{}
		for _, part := range []Part{{
			Words: s.Frame.Words,
			Day:   s.Day,
			Below: s.Day.Today,
		}, {
			Words: s.Frame.Words,
			Cells: []*Cell{s.Cell},
		}} {
			if _, err := t.Part(&part); err != nil {
				return err
			}
		}
		for _, bare := range []bool{true, false} {
			s.Frame.Bare = bare
			for _, what := range []any{s.List, s.Month, s.Event, s.Place, s.Form} {
				if _, err := t.Page(s.Frame, what); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
