// Dates of records: relative ones become those that they mean now.

package seed

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/store"
)

// dates resolves the dates of a record, or of one inside a record.
func (p *planter) dates(r *record, o *object, path string, k store.Kind, free bool) {
	var start time.Time
	if k == store.Events {
		ok := free && o.member("start_date").isNothing() // which is refused later
		if !ok {
			start, ok = p.eventDates(r, o, path)
		}
		if !ok {
			return
		}
	}
	for _, row := range table[k] {
		if row.class == siteDate {
			p.siteDate(r, o, path, row.name, start, free)
		}
	}
}

// eventDates resolves start_date and end_date, and returns when the event starts.
// It is not ok when that is not to be told.
func (p *planter) eventDates(r *record, o *object, path string) (start time.Time, ok bool) {
	zone := p.Site
	name, _ := o.member("timezone").text()
	if name != "" {
		var err error
		if zone, err = p.Zones.Load(name); err != nil {
			p.report(o.member("timezone").value, joined(path, ".timezone"), err)
			return start, false
		}
	}
	m := o.member("start_date")
	moment, named, err := p.moment(m.value, caltime.Relative{Now: p.Now, Zone: zone, Zones: p.Zones})
	if err != nil {
		p.report(m.value, joined(path, ".start_date"), err)
		return start, false
	}
	if name == "" && named != nil {
		zone = named
		r.setIn(o, "timezone", strconv.Quote(zone.Name()))
	}
	allDay := strings.Trim(string(o.member("all_day").raw), `"`)
	whole := allDay == "true" || allDay == "1"
	start = moment.Instant
	if wall := zone.Wall(moment.Instant); whole {
		start = zone.Instant(caltime.StartOfDay(wall))
	}
	if isRelative(m.value) {
		r.replace(m.value, quoted(zone.Wall(start)))
	}

	m = o.member("end_date")
	moment, _, err = p.moment(m.value, caltime.Relative{Now: p.Now, Zone: zone, Start: start, Zones: p.Zones})
	switch {
	case err != nil:
		p.report(m.value, joined(path, ".end_date"), err)
		return start, false
	case isRelative(m.value) && whole:
		r.replace(m.value, quoted(caltime.EndOfDay(zone.Wall(moment.Instant))))
	case isRelative(m.value):
		r.replace(m.value, quoted(zone.Wall(moment.Instant)))
	}
	return start, true
}

// siteDate resolves when a record was published or changed. What saved records
// say of it has one form, which stays as it is.
func (p *planter) siteDate(r *record, o *object, path, name string, start time.Time, free bool) {
	m := o.member(name)
	written := dateText(m.value)
	if written == "" || strings.HasPrefix(written, "0000-") || free && !isRelative(m.value) {
		return
	}
	if _, err := time.Parse(caltime.Layout, written); err == nil {
		return
	}
	utc, inUTC := strings.CutSuffix(name, "_utc")
	zone := p.Site
	if inUTC {
		zone = caltime.UTC()
	} else if !o.member(utc + "_utc").isNothing() {
		p.report(m.value, joined(path, "."+name), errors.New("stands beside "+utc+"_utc; give one of them"))
		return
	}
	moment, _, err := p.moment(m.value, caltime.Relative{Now: p.Now, Zone: zone, Start: start, Zones: p.Zones})
	if err != nil {
		p.report(m.value, joined(path, "."+name), err)
		return
	}
	if inUTC {
		r.replace(m.value, quoted(moment.Instant))
		return
	}
	r.setIn(o, utc+"_utc", quoted(moment.Instant))
}

// moment reads a date in one of its forms, and returns the zone that a relative
// one names.
func (p *planter) moment(v value, relative caltime.Relative) (caltime.Moment, *caltime.Zone, error) {
	written := dateText(v)
	if caltime.IsRelative(written) {
		return relative.Parse(written)
	}
	m, err := caltime.Parse(written, relative.Now, relative.Zone)
	if err == nil {
		// What an offset says beside a date of an event is not asked for, as in a
		// request.
		m.Instant = relative.Zone.Instant(m.Wall)
	}
	return m, nil, err
}

// dateText returns a date as it is written; a timestamp may be a number.
func dateText(v value) string {
	if v.isNumber() {
		return string(v.raw)
	}
	s, _ := v.text()
	return s
}

func isRelative(v value) bool { return caltime.IsRelative(dateText(v)) }

// quoted writes a date as JSON.
func quoted(t time.Time) string { return strconv.Quote(t.Format(caltime.Layout)) }
