// Recurrences: a rule with the dates beside it, as an object or as the lines of iCalendar.

package params

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
)

// A Recurrence is a recurrence rule with its dates. Parts that are not sent stay as they are. Its
// dates are checked against the start of the events where that is known.
type Recurrence struct {
	Null    bool             // it was null: events are to come again no more
	Rule    *rrule.Rule      // nil: not said
	NoRule  bool             // the rule was null: there are dates alone
	RDates  []rrule.DateTime // nil: not sent; a Date is at the time of the start
	ExDates []rrule.DateTime // nil: not sent; a Date is all of its day
}

// shownOfRecurrence are the read-only members. They are ignored, so that a record can be sent back
// as it is shown.
var shownOfRecurrence = []string{"series", "start", "changed", "made", "kept", "removed"}

// ReadRecurrence takes what a request may send, as encoding/json decodes it. Dates without
// a zone are by the clocks of the events.
func ReadRecurrence(sent any, zones *caltime.Zones) (*Recurrence, error) {
	c := checker{row: &Row{Name: "recurrence"}, sent: sent, env: &Env{Zones: zones}}
	r := c.recurrence()
	if c.reason != "" {
		return nil, &Invalid{[]Complaint{{Name: c.row.Name, Reason: c.reason}}}
	}
	return r, nil
}

// recurrence takes an object {"rule": …, "rdates": […], "exdates": […]}, or a text of
// the lines RRULE, RDATE and EXDATE. A text that is a rule alone is that of RRULE.
func (c *checker) recurrence() *Recurrence {
	switch v := c.sent.(type) {
	case string:
		if name, _, _ := strings.Cut(v, "="); strings.EqualFold(name, "FREQ") {
			v = "RRULE:" + v
		}
		return c.recurrenceLines(v)
	case map[string]any:
		return c.recurrenceObject(v)
	}
	c.refuse(
		`%s must be an object such as {"rule":"FREQ=WEEKLY;BYDAY=TU"}, or a text such as "RRULE:FREQ=WEEKLY;BYDAY=TU".`,
		c.row.Name,
	)
	return nil
}

func (c *checker) recurrenceLines(text string) *Recurrence {
	if c.text(false); c.reason != "" {
		return nil
	}
	set, err := rrule.ParseSet(text, func(name string) (*time.Location, error) {
		zone, err := c.env.Zones.Load(name)
		if err != nil {
			return nil, err
		}
		return zone.Location(), nil
	})
	switch most := c.env.Items; {
	case err != nil:
		c.refuse("%s: %v.", c.row.Name, err)
	case set.Start.Form != 0:
		c.refuse("%s must not hold DTSTART: start_date says when the first event is.", c.row.Name)
	case most > 0 && max(len(set.RDates), len(set.ExDates)) > most:
		c.refuse("%s must not have more than %d dates of a kind.", c.row.Name, most)
	case set.Rule == nil && set.RDates == nil && set.ExDates == nil:
		c.refuse("%s must have a line such as RRULE:FREQ=WEEKLY.", c.row.Name)
	default:
		return &Recurrence{Rule: set.Rule, RDates: set.RDates, ExDates: set.ExDates}
	}
	return nil
}

func (c *checker) recurrenceObject(object map[string]any) *Recurrence {
	r := &Recurrence{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch sent := object[name]; {
		case name == "rule" && sent == nil:
			r.NoRule = true
		case name == "rule":
			r.Rule = c.rule(sent)
		case name == "rdates":
			r.RDates = c.dateTimes(name, sent)
		case name == "exdates":
			r.ExDates = c.dateTimes(name, sent)
		case !slices.Contains(shownOfRecurrence, name):
			c.refuse("%s has no member %q; there are rule, rdates and exdates.", c.row.Name, name)
		}
	}
	if r.Rule == nil && !r.NoRule && r.RDates == nil && r.ExDates == nil {
		c.refuse("%s must have a member rule, rdates or exdates.", c.row.Name)
	}
	return r
}

func (c *checker) rule(sent any) *rrule.Rule {
	text, ok := sent.(string)
	if !ok {
		c.refuse(
			`%s: the rule must be a text such as "FREQ=WEEKLY;BYDAY=TU", or null.`,
			c.row.Name,
		)
		return nil
	}
	rule, err := rrule.ParseRule(strings.TrimPrefix(text, "RRULE:"))
	if err != nil {
		c.refuse("%s: %v.", c.row.Name, err)
	}
	return rule
}

// dateTimes takes a list of dates; null is none.
func (c *checker) dateTimes(name string, sent any) []rrule.DateTime {
	dates := []rrule.DateTime{}
	if sent == nil || sent == "" {
		return dates
	}
	within := checker{row: &Row{Name: name + " of " + c.row.Name}, sent: sent, env: c.env}
	for _, item := range within.items() {
		text, _ := item.(string)
		date, err := dateTime(strings.TrimSpace(text))
		if err != nil {
			within.refuse("%s: %v is no date: %v.", within.row.Name, item, err)
		}
		dates = append(dates, date)
	}
	if within.reason != "" {
		c.refuse("%s", within.reason)
	}
	return dates
}

// dateTimeLayouts are the forms of the API; dates may have those of iCalendar too.
var dateTimeLayouts = []string{
	time.DateOnly,
	time.DateTime,
	"2006-01-02 15:04",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04",
	time.RFC3339,
}

func dateTime(text string) (rrule.DateTime, error) {
	for _, layout := range dateTimeLayouts {
		t, err := time.Parse(layout, text)
		switch {
		case err != nil || t.Nanosecond() != 0:
		case layout == time.DateOnly:
			return rrule.At(t, rrule.Date), nil
		case layout == time.RFC3339:
			return rrule.At(t, rrule.UTC), nil
		default:
			return rrule.At(t, rrule.Local), nil
		}
	}
	date, err := rrule.ParseDateTime(text)
	if err != nil {
		err = errors.New("write 2026-12-29, or 2026-12-29 19:00:00 with the time of an event")
	}
	return date, err
}
