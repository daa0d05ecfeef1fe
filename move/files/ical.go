// iCalendar (RFC 5545): its components become items in the form of lists.

package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"almanac/internal/text/caltime"
	"almanac/internal/write/intake"
	"almanac/move/files/ical"
)

type calendarReader struct {
	*ical.Reader
	zones  ical.Zones
	loaded caltime.Zones
	index  calendarIndex
	ours   bool            // the calendar that is read was written by this program
	zone   string          // default of days and floating times; "" for none
	from   *ical.Component // the calendar that ours and zone were read from
	left   leftOut         // ignored components
}

// readCalendar reads iCalendar, and reports the numbers of ignored components to page. It reads the
// file twice, since a zone or a newer version of an event may stand behind an event.
func (rd Reader) readCalendar(
	file io.Reader,
	name string,
	yield func(intake.Item) error,
	page func(Page),
) (err error) {
	text, broken := rd.keep(file)
	defer func() { err = errors.Join(err, text.Close()) }()
	r := &calendarReader{left: leftOut{}}
	if rd.Zone != nil {
		r.zones.Site = rd.Zone.Name()
	}
	if err := r.each(text, r.note); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	n := 0
	unyielded := error(nil)
	err = r.each(text, func(c *ical.Component) error {
		switch c.Name {
		case "VEVENT":
			if n++; r.index.isOutdated(r.component(c)) {
				return nil
			}
			unyielded = yield(r.item(c, name, n))
			return unyielded
		case "VTIMEZONE":
		default:
			r.left[c.Name]++
		}
		return nil
	})
	switch err = cmp.Or(broken, err); {
	case unyielded != nil:
		return unyielded
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case r.Unended > 0:
		return fmt.Errorf(
			"%s: ends before END:VCALENDAR: it is cut off, and a part of it is missing",
			name,
		)
	}
	if r.Ignored > 0 {
		r.left["lines that are no properties"] = r.Ignored
	}
	if page != nil && len(r.left) > 0 {
		page(Page{file: name, left: r.left})
	}
	return nil
}

// each reads the components of a file from its beginning.
func (r *calendarReader) each(file io.ReadSeeker, do func(*ical.Component) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r.Reader = ical.NewReader(file)
	r.from = nil
	for {
		c, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r.begin()
		if err := do(c); err != nil {
			return err
		}
	}
}

// note remembers what is to be known of a component before the file is read again.
func (r *calendarReader) note(c *ical.Component) error {
	switch c.Name {
	case "VEVENT":
		r.index.add(r.component(c))
	case "VTIMEZONE":
		r.zones.Define(c)
	}
	return nil
}

func (r *calendarReader) component(c *ical.Component) *eventReader {
	return &eventReader{calendarReader: r, c: c, draft: Draft{}}
}

// item makes an item of an event.
func (r *calendarReader) item(c *ical.Component, file string, n int) intake.Item {
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
		e := r.component(c)
		err := e.read()
		e.draft["calendar"] = e.part
		e.draft.Fill(&item, err)
	}
	if uid := c.Text("UID"); item.Reject != "" && uid != "" {
		item.Reject = fmt.Sprintf("UID %.100s: %s", uid, item.Reject)
	}
	return item
}

// begin reads the properties of the calendar that contains the component. Zones stand behind these.
func (r *calendarReader) begin() {
	if r.from != nil && r.from.Line == r.Calendar.Line {
		return
	}
	from := r.Calendar
	r.from = &from
	r.zone = ""
	r.zones.Calendar = from.Line
	r.ours = strings.HasPrefix(from.Text("PRODID"), "-//almanac//")
	if name := from.Text("X-WR-TIMEZONE"); name != "" {
		const at = 1_780_000_000 // in 2026: the calendar has it without a date
		if m, err := r.zones.Find(name, at); err == nil && m.Steady {
			r.zone = m.Zone
		}
	}
}
