// iCalendar (RFC 5545): its components become items in the form of lists.

package files

import (
	"fmt"
	"io"
	"strings"

	"almanac/internal/caltime"
	"almanac/internal/ical"
	"almanac/internal/intake"
)

type calendarReader struct {
	*ical.Reader
	zones  ical.Zones
	loaded caltime.Zones
	ours   bool            // the calendar that is read was written by this program
	zone   string          // default of days and floating times; "" for none
	from   *ical.Component // the calendar that ours and zone were read from
	left   leftOut         // ignored components
}

// readCalendar reads iCalendar, and reports the numbers of ignored components to page.
func (rd Reader) readCalendar(
	file io.Reader,
	name string,
	yield func(intake.Item) error,
	page func(Page),
) error {
	r := &calendarReader{Reader: ical.NewReader(file), left: leftOut{}}
	for n := 0; ; {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch c.Name {
		case "VEVENT":
			n++
			if err := yield(r.item(c, name, n)); err != nil {
				return err
			}
		case "VTIMEZONE":
			r.zones.Define(c)
		default:
			r.left[c.Name]++
		}
	}
	if rd.Whole && !r.Ended {
		return fmt.Errorf("%s: ends before END:VCALENDAR: a part of it is missing", name)
	}
	if r.Ignored > 0 {
		r.left["lines that are no properties"] = r.Ignored
	}
	if page != nil && len(r.left) > 0 {
		page(Page{file: name, left: r.left})
	}
	return nil
}

// item makes an item of an event.
func (r *calendarReader) item(c *ical.Component, file string, n int) intake.Item {
	r.begin()
	item := intake.Item{
		Kind:     "events",
		File:     file,
		Position: n,
		Line:     c.Line,
		Form:     intake.CalendarForm,
		Reject:   c.Wrong,
		Names:    calendarNames,
	}
	for _, inner := range c.Components {
		if inner.Name != "VLOCATION" {
			r.left.count(inner.Name)
		}
	}
	if c.Wrong == "" {
		e := eventReader{calendarReader: r, c: c, draft: intake.Draft{}}
		err := e.read()
		e.draft["calendar"] = e.part
		item.Take(e.draft, err)
	}
	if uid := c.Text("UID"); item.Reject != "" && uid != "" {
		item.Reject = fmt.Sprintf("UID %.100s: %s", uid, item.Reject)
	}
	return item
}

// begin reads the properties of the calendar that contains the event.
func (r *calendarReader) begin() {
	if r.from != nil && r.from.Line == r.Calendar.Line {
		return
	}
	from := r.Calendar
	r.from = &from
	r.zone = ""
	r.ours = strings.HasPrefix(from.Text("PRODID"), "-//almanac//")
	if name := from.Text("X-WR-TIMEZONE"); name != "" {
		r.zone, _ = r.zones.Find(name, 2026)
	}
}
