// The recurring events of a town, made from descriptions of series.

package seed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// A series describes recurring events. {0}, {1} … in its texts are replaced by the texts of a
// subject; the events use the subjects in turn.
type series struct {
	Title, Description, Excerpt string
	First                       string // first day, relative
	From                        int    // step of the first event
	Times                       int    // number of events
	Every                       int    // units between events; 0 is 1
	Unit                        string // of a step; "" is w
	Clock                       string // time of the start; "" is the whole day
	Lasts                       string // step from the start to the end
	Subjects                    [][]string
	Event                       map[string]any // all other members
}

// recurring returns the recurring events of the town.
func recurring() any {
	text, err := profiles.ReadFile("profiles/city-series.json")
	var all []series
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // an error of the program, which a test finds
	}
	var events []map[string]any
	for _, s := range all {
		for i := range s.Times {
			events = append(events, s.event(i, len(events)))
		}
	}
	return map[string]any{"events": events}
}

// event returns event i of a series; n is the number of earlier events.
func (s *series) event(i, n int) map[string]any {
	var pairs []string
	if len(s.Subjects) > 0 {
		for place, text := range s.Subjects[i%len(s.Subjects)] {
			pairs = append(pairs, fmt.Sprintf("{%d}", place), text)
		}
	}
	fill := strings.NewReplacer(pairs...).Replace
	e := map[string]any{
		"title":       fill(s.Title),
		"description": fill(s.Description),
		"end_date":    "@start+" + fill(s.Lasts),
		"start_date": strings.TrimSpace(
			fmt.Sprintf(
				"%s%+d%s %s",
				s.First,
				s.From+i*cmp.Or(s.Every, 1),
				cmp.Or(s.Unit, "w"),
				s.Clock,
			),
		),
		"date": fmt.Sprintf("@now-%dd-%dmin", 100+n%90, n%600),
	}
	if s.Excerpt != "" {
		e["excerpt"] = s.Excerpt
	}
	maps.Copy(e, s.Event)
	return e
}
