// Times and recurrence of an event in iCalendar.

package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/ical"
	"almanac/internal/rrule"
	"almanac/store"
)

var errMixed = errors.New("one of DTSTART and DTEND is a day and the other a time")

func (e *eventReader) times() (err error) {
	p := e.c.Get("DTSTART")
	if p == nil {
		return errors.New("has no DTSTART")
	}
	if e.start, err = p.Date(); err != nil {
		return inLine(p, err)
	}
	if e.zone, err = e.zoneOf(p, e.start); err != nil {
		return inLine(p, err)
	}
	alone := e.c.Get("RRULE") == nil && e.c.Get("RDATE") == nil && e.c.Get("RECURRENCE-ID") == nil
	if alone && e.start.Form == rrule.UTC &&
		e.calendarReader.zone != "" { // some write all moments in UTC
		if e.zone, err = caltime.LoadZone(e.calendarReader.zone); err != nil {
			return inLine(p, err)
		}
	}
	if name := e.c.Text("X-ALMANAC-TIMEZONE"); name != "" {
		zone, err := e.loaded.Load(name)
		if err != nil {
			return inLine(e.c.Get("X-ALMANAC-TIMEZONE"), err)
		}
		if e.start.Form == rrule.Local && e.zone != nil {
			e.start = rrule.At(e.zone.Instant(store.Wall(e.start.Seconds).Time()), rrule.UTC)
		}
		e.zone = zone
	}
	end, err := e.end(e.start)
	if err != nil {
		return err
	}
	e.draft["start_date"] = e.localTime(e.start).String()
	e.draft["end_date"] = end.String()
	e.draft["all_day"] = e.start.Form == rrule.Date
	if e.zone != nil {
		e.draft["timezone"] = e.zone.Name()
	}
	return nil
}

// zoneOf returns the zone of a date of a property; nil is the zone of the site.
func (e *eventReader) zoneOf(p *ical.Property, d rrule.DateTime) (*caltime.Zone, error) {
	name := e.calendarReader.zone
	switch tzid := p.Param("TZID"); {
	case d.Form == rrule.UTC:
		return caltime.UTC(), nil
	case d.Form == rrule.Date:
	case tzid != "":
		var err error
		if name, err = e.zones.Find(tzid, store.Wall(d.Seconds).Time().Year()); err != nil {
			return nil, err
		}
	}
	if name == "" {
		return nil, nil
	}
	return e.loaded.Load(name)
}

// localTime returns the local time of a date that is in UTC or in the zone of the event.
func (e *eventReader) localTime(d rrule.DateTime) store.Wall {
	if d.Form == rrule.UTC && e.zone != nil {
		return store.WallOf(e.zone.Wall(store.Wall(d.Seconds).Time()))
	}
	return store.Wall(d.Seconds)
}

// aDay is the length of a day in local time.
const aDay = store.Wall(24 * 60 * 60)

// end returns the end of an event that starts at a date: from DTEND or DURATION, otherwise the end
// of the day, or the start itself. Whole days end with the last second of the last day.
func (e *eventReader) end(start rrule.DateTime) (end store.Wall, err error) {
	first := e.localTime(start)
	days := start.Form == rrule.Date
	end = first
	switch p, length := e.c.Get("DTEND"), e.c.Get("DURATION"); {
	case p != nil:
		d, err := p.Date()
		if err != nil {
			return 0, inLine(p, err)
		}
		if (d.Form == rrule.Date) != days {
			return 0, inLine(p, errMixed)
		}
		if end, err = e.byClocks(p, d); err != nil {
			return 0, err
		}
	case length != nil:
		d, err := ical.ParseDuration(length.Value)
		if err != nil {
			return 0, inLine(length, err)
		}
		end = e.later(first, d)
	}
	if days {
		end = max(end, first+aDay) - 1
	}
	if end.Time().Year() > 9999 {
		return 0, errors.New("ends after the year 9999")
	}
	return end, nil
}

// later adds days of the calendar, then seconds, to a local time.
func (e *eventReader) later(from store.Wall, d ical.Duration) store.Wall {
	from += aDay * store.Wall(d.Days)
	if d.Seconds == 0 {
		return from
	}
	return store.WallOf(
		e.zone.Wall(e.zone.Instant(from.Time()).Add(time.Duration(d.Seconds) * time.Second)),
	)
}

// byClocks returns the local time of a date of a property.
func (e *eventReader) byClocks(p *ical.Property, d rrule.DateTime) (store.Wall, error) {
	zone, err := e.zoneOf(p, d)
	if err != nil {
		return 0, inLine(p, err)
	}
	if d.Form == rrule.Local && zone != nil && e.zone != nil && zone.Name() != e.zone.Name() {
		d = rrule.At(zone.Instant(store.Wall(d.Seconds).Time()), rrule.UTC)
	}
	if d.Form == rrule.UTC && e.zone == nil {
		return 0, inLine(p, errors.New("is in UTC, and DTSTART by no clock in particular"))
	}
	return e.localTime(d), nil
}

// mostDates limits the dates of one kind that an event may have.
const mostDates = 5000

// recurrence sets the rule and dates of a series, or the date of a series that the event
// overrides.
func (e *eventReader) recurrence() error {
	part := &e.part
	if p := e.c.Get("RECURRENCE-ID"); p != nil {
		if strings.EqualFold(p.Param("RANGE"), "THISANDFUTURE") {
			return inLine(
				p,
				errors.New(
					"RANGE=THISANDFUTURE is not known; right would be a series of its own from there on",
				),
			)
		}
		d, err := p.Date()
		if err != nil {
			return inLine(p, err)
		}
		zone, err := e.zoneOf(p, d)
		if err != nil {
			return inLine(p, err)
		}
		if part.ID = d.String(); d.Form == rrule.Local && zone != nil {
			part.Zone = zone.Name()
		}
		return nil
	}
	for p := range e.c.All("RRULE", "EXRULE", "RDATE", "EXDATE") {
		var err error
		switch p.Name {
		case "RRULE":
			if part.Rule != "" {
				return inLine(
					p,
					errors.New(
						"there are two, and programs differ on the others; make an event of each",
					),
				)
			}
			part.Rule = strings.TrimSpace(p.Value)
			_, err = rrule.ParseRule(part.Rule)
		case "EXRULE":
			err = errors.New(
				"is not known: RFC 5545 has it no more; dates are taken away by EXDATE",
			)
		case "RDATE":
			part.RDates, err = e.dates(p, part.RDates)
		case "EXDATE":
			part.EXDates, err = e.dates(p, part.EXDates)
		}
		if err != nil {
			return inLine(p, err)
		}
	}
	return nil
}

// dates appends the dates of a property in local time.
func (e *eventReader) dates(p *ical.Property, all []string) ([]string, error) {
	periods, err := p.Periods()
	if err != nil {
		return nil, err
	}
	if len(all)+len(periods) > mostDates {
		return nil, fmt.Errorf("there are more than %d dates", mostDates)
	}
	all = slices.Grow(all, len(periods))
	for _, period := range periods {
		d := period.Start
		if d.Form == rrule.Date {
			all = append(all, d.String())
			continue
		}
		w, err := e.byClocks(p, d)
		if err != nil {
			return nil, err
		}
		if err := e.asLong(p, period, w); err != nil {
			return nil, err
		}
		all = append(all, rrule.DateTime{Seconds: int64(w), Form: rrule.Local}.String())
	}
	return all, nil
}

// asLong refuses a period whose length differs from the event's.
func (e *eventReader) asLong(p *ical.Property, period ical.Period, start store.Wall) (err error) {
	first := e.localTime(e.start)
	end := store.Wall(0)
	switch {
	case period.Length != nil:
		end = e.later(start, *period.Length)
	case period.End.Form != 0:
		if end, err = e.byClocks(p, period.End); err != nil {
			return err
		}
	default:
		return nil
	}
	if last, err := e.end(e.start); err != nil || last-first != end-start {
		return errors.New(
			"a period has another length than the event, and all dates of a series are equally long; " +
				"right would be an event with a RECURRENCE-ID",
		)
	}
	return nil
}
