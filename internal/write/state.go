// The state of events: canceled, postponed, or with a new date.

package write

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"almanac/internal/text/markup"
	"almanac/store"
)

// writeState sets the state, its reason and the previous start. A new state empties the reason of
// the state before. Another start without a word empties the previous start: it is no longer the
// one before.
func (ed Editor) writeState(d Draft, e, old *store.Event) (err error) {
	state := e.State
	if d.Has("event_status") {
		state = StateOf(d.Text("event_status"))
	}
	switch {
	case d.File != nil && d.File.PreviousStart != nil:
		e.PreviousStart = *d.File.PreviousStart
	case !d.Has("rescheduled"):
		if old != nil && e.Start != old.Start {
			e.PreviousStart = 0
		}
	case !d.Bool("rescheduled"):
		e.PreviousStart = 0
	default:
		if e.PreviousStart, err = ed.previousStart(e, old); err != nil {
			return err
		}
		if state == store.Postponed && !d.Has("event_status") {
			state = ""
		}
	}
	if state != e.State {
		e.State, e.StateReason = state, ""
	}
	if d.Has("event_status_reason") {
		e.StateReason = d.Text("event_status_reason")
		if !d.isStored() {
			e.StateReason, err = StateReason(e.StateReason)
		}
	}
	if err != nil {
		return invalid("event_status_reason", "event_status_reason "+err.Error()+".")
	}
	return nil
}

// previousStart returns the start of an event before a change, in its new zone.
func (ed Editor) previousStart(e, old *store.Event) (store.Wall, error) {
	if old != nil {
		was, err := ed.Zones.Load(old.Timezone)
		if err != nil {
			return 0, err
		}
		is, err := ed.Zones.Load(e.Timezone)
		if err != nil {
			return 0, err
		}
		if before := was.Instant(old.Start.Time()); !before.Equal(is.Instant(e.Start.Time())) {
			return store.WallOf(is.Wall(before)), nil
		}
	}
	return 0, invalid(
		"rescheduled",
		"rescheduled must come with a start_date that is not the present start of the event.",
	)
}

// StateOf returns the stored form of a state: that of scheduled events is "".
func StateOf(state string) string {
	if state == "scheduled" {
		return ""
	}
	return state
}

// longestReason is how many characters a reason may have.
const longestReason = 500

// StateReason returns a reason as one line of plain text, or the error of a long one.
func StateReason(text string) (string, error) {
	text = strings.Join(strings.Fields(markup.StripTags(text)), " ")
	if n := utf8.RuneCountInString(text); n > longestReason {
		return "", fmt.Errorf(
			"must not be longer than %d characters, and has %d",
			longestReason,
			n,
		)
	}
	return text, nil
}
