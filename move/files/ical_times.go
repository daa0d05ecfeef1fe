// Times and recurrence of an event in iCalendar.

package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/move/files/ical"
	"almanac/store"
)

func (e *eventReader) times() (err error) {
	p := e.c.Get("DTSTART")
	if p == nil {
		return errors.New("has no DTSTART")
	}
	if e.start, err = p.Date(); err != nil {
		return inLine(p, err)
	}
	e.readWholeDays()
	if e.start, e.zone, err = e.moment(p, e.start); err != nil {
		return inLine(p, err)
	}
	alone := !e.recurs() && e.c.Get("RECURRENCE-ID") == nil
	site := e.calendarReader.zone
	if name := e.c.Text("X-ALMANAC-TIMEZONE"); name != "" {
		zone, err := e.loaded.Load(name)
		if err != nil {
			return inLine(e.c.Get("X-ALMANAC-TIMEZONE"), err)
		}
		if e.start.Form == rrule.Local && e.zone != nil {
			e.start = rrule.At(e.zone.Instant(store.Wall(e.start.Seconds).Time()), rrule.UTC)
		}
		e.zone = zone
	} else if alone && e.start.Form == rrule.UTC && site != "" { // some write all moments in UTC
		if e.zone, err = e.loaded.Load(site); err != nil {
			return inLine(p, err)
		}
	}
	end, err := e.end(e.start)
	if err != nil {
		return err
	}
	if alone && e.start.Form != rrule.Date && !e.ours && !e.isUnambiguous() {
		if e.start.Form == rrule.Local {
			e.start = rrule.At(e.zone.Instant(store.Wall(e.start.Seconds).Time()), rrule.UTC)
		}
		e.zone = caltime.UTC()
		if end, err = e.end(e.start); err != nil {
			return err
		}
	}
	e.draft["start_date"] = e.localTime(e.start).String()
	e.draft["end_date"] = end.String()
	e.draft["all_day"] = e.start.Form == rrule.Date
	if e.zone != nil {
		e.draft["timezone"] = e.zone.Name()
	}
	return nil
}

// isUnambiguous reports whether local times tell the moments of start and end: they do not in the
// second of two equal hours.
func (e *eventReader) isUnambiguous() bool {
	if e.zone == nil {
		return true
	}
	for _, at := range e.moments {
		if !e.zone.Instant(e.zone.Wall(at)).Equal(at) {
			return false
		}
	}
	return true
}

// readWholeDays makes a day of a start at midnight, if Outlook says that the event lasts whole days
// ([MS-OXCICAL], section 2.1.3.1.1.20.28): midnight as it is written, else that of the calendar or
// of the site.
func (e *eventReader) readWholeDays() {
	flag := strings.TrimSpace(e.c.Text("X-MICROSOFT-CDO-ALLDAYEVENT"))
	if e.start.Form == rrule.Date || !strings.EqualFold(flag, "TRUE") {
		return
	}
	dates := []rrule.DateTime{e.start}
	if p := e.c.Get("DTEND"); p != nil {
		if d, err := p.Date(); err == nil && d.Form != rrule.Date {
			dates = append(dates, d)
		}
	}
	for _, zone := range []string{"", e.calendarReader.zone, e.zones.Site} {
		e.midnights = nil
		if zone != "" {
			e.midnights, _ = e.loaded.Load(zone)
		}
		atTime := func(d rrule.DateTime) bool {
			wall := e.written(d).Time()
			return !caltime.StartOfDay(wall).Equal(wall)
		}
		if !slices.ContainsFunc(dates, atTime) {
			e.start = e.day(e.start)
			return
		}
	}
	e.midnights = nil
}

// written returns the local time of a date of whole days as it is written, but in UTC if that is no
// midnight of the event.
func (e *eventReader) written(d rrule.DateTime) store.Wall {
	if d.Form == rrule.UTC && e.midnights != nil {
		return store.WallOf(e.midnights.Wall(store.Wall(d.Seconds).Time()))
	}
	return store.Wall(d.Seconds)
}

// day returns the day of a date of whole days. Its time and zone mean nothing (sections 3.8.2.2 and
// 3.8.5 of RFC 5545 ask for days).
func (e *eventReader) day(d rrule.DateTime) rrule.DateTime {
	return rrule.At(e.written(d).Time(), rrule.Date)
}

// moment returns a date of a property and its zone; nil is the zone of the site. A date is in UTC
// if no zone has the offset that its VTIMEZONE shows.
func (e *eventReader) moment(
	p *ical.Property,
	d rrule.DateTime,
) (rrule.DateTime, *caltime.Zone, error) {
	name := e.calendarReader.zone
	tzid := p.Param("TZID")
	if d.Form == rrule.UTC {
		return d, caltime.UTC(), nil
	}
	if d.Form == rrule.Local && tzid != "" {
		m, err := e.zones.Find(tzid, d.Seconds)
		switch {
		case err != nil:
			return d, nil, err
		case !m.Steady && e.recurs():
			return d, nil, fmt.Errorf(
				"the time zone %.80q is none of the known ones, by its name or by the offsets of its "+
					"VTIMEZONE, and the event repeats; right would be a name such as Europe/Paris",
				tzid,
			)
		case m.Zone == "":
			return rrule.DateTime{
				Seconds: d.Seconds - int64(m.Offset),
				Form:    rrule.UTC,
			}, caltime.UTC(), nil
		}
		name = m.Zone
	}
	if name == "" {
		return d, nil, nil
	}
	zone, err := e.loaded.Load(name)
	return d, zone, err
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
// of the day, or the start itself. Whole days end with the last second of the last day. It notes
// the moments of start and end.
func (e *eventReader) end(start rrule.DateTime) (end store.Wall, err error) {
	first := e.localTime(start)
	days := start.Form == rrule.Date
	end = first
	e.moments = []time.Time{instantIn(e.zone, start)}
	switch p, length := e.c.Get("DTEND"), e.c.Get("DURATION"); {
	case p != nil:
		d, err := p.Date()
		if err != nil {
			return 0, inLine(p, err)
		}
		if end, err = e.endOn(p, d, first, days); err != nil {
			return 0, err
		}
	case length != nil:
		d, err := ical.ParseDuration(length.Value)
		if err != nil {
			return 0, inLine(length, err)
		}
		switch {
		case days || e.recurs(): // the dates of a series are as long by the clock, unless it changes
			end = byClock(first, d)
			if !e.ours {
				e.part.Seconds = d.Seconds
			}
		case d.Seconds > 0 || start.Form == rrule.UTC:
			last := e.after(start, d)
			e.moments = append(e.moments, last)
			end = store.WallOf(e.zone.Wall(last))
		default:
			end = byClock(first, d)
		}
	}
	if days {
		end = max(end, first+aDay) - 1
	}
	if end.Time().Year() > 9999 {
		return 0, errors.New("ends after the year 9999")
	}
	return end, nil
}

// endOn returns the end of an event at a date of DTEND. Where one of start and end is a day and the
// other a time, whole days go up to the day of the time, and through it if it is none that ends a
// day; and a time lasts to the end of its last day.
func (e *eventReader) endOn(
	p *ical.Property,
	d rrule.DateTime,
	first store.Wall,
	days bool,
) (store.Wall, error) {
	switch isDay := d.Form == rrule.Date; {
	case days && !isDay:
		end := store.Wall(e.day(d).Seconds)
		if e.written(d) > end && !strings.EqualFold(p.Param("VALUE"), "DATE") {
			end += aDay
		}
		return end, nil
	case !days && isDay:
		midnight := store.WallOf(caltime.StartOfDay(first.Time())) + aDay
		return max(midnight, store.Wall(d.Seconds)), nil
	case !days:
		d, zone, err := e.moment(p, d)
		if err != nil {
			return 0, inLine(p, err)
		}
		if zone != nil {
			e.moments = append(e.moments, instantIn(zone, d))
		}
	}
	return e.byClocks(p, d)
}

// instantIn returns the moment of a date in a zone.
func instantIn(zone *caltime.Zone, d rrule.DateTime) time.Time {
	at := store.Wall(d.Seconds).Time()
	if d.Form == rrule.UTC {
		return at
	}
	return zone.Instant(at)
}

// after returns the moment that is a duration after a date. In UTC all days have 24 hours.
func (e *eventReader) after(start rrule.DateTime, d ical.Duration) time.Time {
	from := instantIn(e.zone, start)
	if start.Form == rrule.UTC {
		from = from.AddDate(0, 0, int(d.Days))
	} else if d.Days > 0 {
		from = e.zone.Instant((e.localTime(start) + aDay*store.Wall(d.Days)).Time())
	}
	return from.Add(time.Duration(d.Seconds) * time.Second)
}

// byClock adds a duration to a local time, as if no clock were put forward or back.
func byClock(from store.Wall, d ical.Duration) store.Wall {
	return from + aDay*store.Wall(d.Days) + store.Wall(d.Seconds)
}

// byClocks returns the local time of a date of a property.
func (e *eventReader) byClocks(p *ical.Property, d rrule.DateTime) (store.Wall, error) {
	d, zone, err := e.moment(p, d)
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
		if d.Form != rrule.Date && e.isOfWholeDays(d) {
			d = e.day(d)
		}
		d, zone, err := e.moment(p, d)
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
			part.Rule = p.Rule()
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

// isOfWholeDays reports whether the date that the event changes is one of whole days: by its
// series, or else by the event itself, if the time is a midnight.
func (e *eventReader) isOfWholeDays(d rrule.DateTime) bool {
	if e.index.hasSeries(e) {
		return e.index.changesDay(e)
	}
	return e.start.Form == rrule.Date && e.written(d) == store.Wall(e.day(d).Seconds)
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
		if e.start.Form == rrule.Date && d.Form != rrule.Date {
			d = e.day(d)
		}
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
		end = byClock(start, *period.Length)
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
