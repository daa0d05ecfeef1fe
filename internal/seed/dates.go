// Dates of records: relative ones become those that they mean now.

package seed

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/importer"
	"almanac/internal/jsonin"
	"almanac/store"
)

// dates resolves the dates of a record, or of one inside a record.
func (p *planter) dates(o *jsonin.Value, path string, k store.Kind, free bool) {
	var start time.Time
	if k == store.Events {
		ok := free && o.Member("start_date").IsNull() // which is refused later
		if !ok {
			start, ok = p.eventDates(o, path)
		}
		if !ok {
			return
		}
	}
	for _, m := range importer.Table[k] {
		if m.Is(importer.SiteDate) {
			p.siteDate(o, path, m.Name, start, free)
		}
	}
}

// eventDates resolves start_date and end_date, and returns when the event starts.
// It is not ok when that is not to be told.
func (p *planter) eventDates(o *jsonin.Value, path string) (start time.Time, ok bool) {
	zone := p.Site
	name, _ := o.Member("timezone").Text()
	if name != "" {
		var err error
		if zone, err = p.Zones.Load(name); err != nil {
			p.report(o.Member("timezone").At, joined(path, ".timezone"), err)
			return start, false
		}
	}
	m := o.Member("start_date")
	moment, named, err := p.moment(m, caltime.Relative{Now: p.Now, Zone: zone, Zones: p.Zones})
	if err != nil {
		p.report(m.At, joined(path, ".start_date"), err)
		return start, false
	}
	if name == "" && named != nil {
		zone = named
		o.Set("timezone", strconv.Quote(zone.Name()))
	}
	allDay := strings.Trim(string(o.Member("all_day").Raw), `"`)
	whole := allDay == "true" || allDay == "1"
	start = moment.Instant
	if wall := zone.Wall(moment.Instant); whole {
		start = zone.Instant(caltime.StartOfDay(wall))
	}
	if isRelative(m) {
		m.Replace(quoted(zone.Wall(start)))
	}

	m = o.Member("end_date")
	moment, _, err = p.moment(m, caltime.Relative{Now: p.Now, Zone: zone, Start: start, Zones: p.Zones})
	switch {
	case err != nil:
		p.report(m.At, joined(path, ".end_date"), err)
		return start, false
	case isRelative(m) && whole:
		m.Replace(quoted(caltime.EndOfDay(zone.Wall(moment.Instant))))
	case isRelative(m):
		m.Replace(quoted(zone.Wall(moment.Instant)))
	}
	return start, true
}

// siteDate resolves when a record was published or changed. What saved records
// say of it has one form, which stays as it is.
func (p *planter) siteDate(o *jsonin.Value, path, name string, start time.Time, free bool) {
	m := o.Member(name)
	written := dateText(m)
	if written == "" || strings.HasPrefix(written, "0000-") || free && !isRelative(m) {
		return
	}
	if _, err := time.Parse(caltime.Layout, written); err == nil {
		return
	}
	utc, inUTC := strings.CutSuffix(name, "_utc")
	zone := p.Site
	if inUTC {
		zone = caltime.UTC()
	} else if !o.Member(utc + "_utc").IsNull() {
		p.report(m.At, joined(path, "."+name), errors.New("stands beside "+utc+"_utc; give one of them"))
		return
	}
	moment, _, err := p.moment(m, caltime.Relative{Now: p.Now, Zone: zone, Start: start, Zones: p.Zones})
	if err != nil {
		p.report(m.At, joined(path, "."+name), err)
		return
	}
	if inUTC {
		m.Replace(quoted(moment.Instant))
		return
	}
	o.Set(utc+"_utc", quoted(moment.Instant))
}

// moment reads a date in one of its forms, and returns the zone that a relative
// one names.
func (p *planter) moment(v *jsonin.Value, relative caltime.Relative) (caltime.Moment, *caltime.Zone, error) {
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
func dateText(v *jsonin.Value) string {
	if v.IsNumber() {
		return string(v.Raw)
	}
	s, _ := v.Text()
	return s
}

func isRelative(v *jsonin.Value) bool { return caltime.IsRelative(dateText(v)) }

// quoted writes a date as JSON.
func quoted(t time.Time) string { return strconv.Quote(t.Format(caltime.Layout)) }
