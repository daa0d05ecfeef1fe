// What comes again and again in a town: events made from the description of a
// series.

package seed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// A series describes events that come again. In its texts {0}, {1} … stand for
// the texts of a subject; the events take the subjects in turn.
type series struct {
	Title, Description, Excerpt string
	First                       string // the day, relative, that the steps are counted from
	From                        int    // step of the first event
	Times                       int    // how many there are
	Every                       int    // units between them; 0 is 1
	Unit                        string // of a step; "" is w
	Clock                       string // when they begin; "" is the whole day
	Lasts                       string // step from the start to the end
	Subjects                    [][]string
	Event                       map[string]any // all other members
}

// recurring makes the events of the town that come again.
func recurring() any {
	text, err := profiles.ReadFile("profiles/city-series.json")
	var all []series
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	var events []map[string]any
	for _, s := range all {
		for i := range s.Times {
			events = append(events, s.event(i, len(events)))
		}
	}
	return map[string]any{"events": events}
}

// event makes one event of a series; n is how many were made before.
func (s *series) event(i, n int) map[string]any {
	var pairs []string
	if len(s.Subjects) > 0 {
		for place, text := range s.Subjects[i%len(s.Subjects)] {
			pairs = append(pairs, fmt.Sprintf("{%d}", place), text)
		}
	}
	fill := strings.NewReplacer(pairs...).Replace
	e := map[string]any{
		"title": fill(s.Title), "description": fill(s.Description), "end_date": "@start+" + fill(s.Lasts),
		"start_date": strings.TrimSpace(fmt.Sprintf("%s%+d%s %s", s.First, s.From+i*cmp.Or(s.Every, 1), cmp.Or(s.Unit, "w"), s.Clock)),
		"date":       fmt.Sprintf("@now-%dd-%dmin", 100+n%90, n%600),
	}
	if s.Excerpt != "" {
		e["excerpt"] = s.Excerpt
	}
	for name, value := range s.Event {
		e[name] = value
	}
	return e
}
