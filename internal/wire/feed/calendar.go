// iCalendar (RFC 5545) with the properties of RFC 7986 and RFC 9073: the calendar and its
// time zones.

package feed

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/wire/ical"
	"almanac/internal/wire/render"
	"almanac/store"
)

// Calendar is iCalendar. The zones of the events come behind the head, by AppendZones; a series
// may be written as one event with its rule, by AppendSeries.
//
// It is no export: JSON is. An importer finds:
//
//	UID                    the result of Renderer.UID: the oldest global id, or the UID that the event
//	                       was imported with; of a series, that of its record
//	CREATED, LAST-MODIFIED publication and last change; DTSTAMP is the latter again, SEQUENCE the seconds between
//	SUMMARY                the title without tags, as plain text: & and < are themselves
//	STYLED-DESCRIPTION     the description in HTML; DESCRIPTION is made of it
//	URL                    the page of the event, /event/SLUG/ for a slug; of a series, that of its first event
//	CATEGORIES             names of categories
//	LOCATION, GEO          the first venue; LOCATION of an online event without one is its address
//	ORGANIZER              the first organizer, if an e-mail address is known
//	X-COST                 the cost for people; its code is the parameter X-CURRENCY
//	X-ALMANAC-VENUE        a line for each venue: its name, and as parameters X-UID, X-ADDRESS, X-CITY, X-PROVINCE,
//	                       X-STATE, X-STATEPROVINCE, X-ZIP, X-COUNTRY, X-GEO
//	X-ALMANAC-ORGANIZER    a line for each organizer: its name, and as parameter X-UID
//	X-ALMANAC-WEBSITE      the website; empty if it was emptied, no line for none
//	STATUS                 CANCELLED for a cancelled event
//	X-ALMANAC-SUMMARY      the title where SUMMARY has the word for the state before it
//	X-ALMANAC-EVENT-STATUS postponed; X-ALMANAC-EVENT-STATUS-REASON is the reason for the state, and
//	                       X-ALMANAC-PREVIOUS-START the start before a new date, in the zone of the event
//	X-ALMANAC-STATUS       the status, if it is not publish
//	X-ALMANAC-TIMEZONE     the time zone, where no TZID says it: of hours that clocks show twice, of years in
//	                       which they were seconds off a minute, and of names that other programs take for
//	                       another zone
//
// A member without a line stays as it is in a record that is read again where it is from.
//
// Our extensions are properties, which every reader ignores if it does not know them; many readers
// reject unknown components, such as the VLOCATION of RFC 9073. There is no COLOR, since no record
// has one.
var Calendar = Format{
	Extension: ".ics",
	Media:     "text/calendar; charset=utf-8",
	Whole:     true,
	Head:      calendarHead,
	Event:     calendarEvent,
	Tail:      "END:VCALENDAR\r\n",
}

// calendarHead writes the properties of the calendar.
func calendarHead(b []byte, l *List) []byte {
	w := ical.Writer{B: b}
	w.Begin("VCALENDAR")
	w.Line("VERSION").Raw("2.0")
	w.Line("PRODID").Raw("-//almanac//almanac//EN")
	w.Line("CALSCALE").Raw("GREGORIAN")
	w.Line("METHOD").Raw("PUBLISH")
	w.Line("NAME").Text(l.Name)
	w.Line("X-WR-CALNAME").Text(l.Name)
	if !l.Updated.IsZero() {
		w.Line("LAST-MODIFIED").UTC(l.Updated)
	}
	if l.Home != "" {
		w.Line("URL").URI(l.Home)
	}
	if l.Self != "" {
		w.Line("SOURCE").Param("VALUE", "URI").URI(l.Self)
	}
	w.Line("REFRESH-INTERVAL").Param("VALUE", "DURATION").Raw("PT1H")
	w.Line("X-PUBLISHED-TTL").Raw("PT1H")
	return w.B
}

// AppendZones writes the zones that events are in, for all moments from one to another,
// each once and in order of their names, but for UTC.
func AppendZones(b []byte, zones []*caltime.Zone, from, to time.Time) []byte {
	zones = slices.DeleteFunc(slices.Clone(zones), isUTC)
	for i, z := range zones {
		zones[i] = z.Portable()
	}
	slices.SortFunc(
		zones,
		func(a, b *caltime.Zone) int { return strings.Compare(a.Name(), b.Name()) },
	)
	w := ical.Writer{B: b}
	from = from.AddDate(0, 0, -2)
	to = to.AddDate(0, 0, 2) // the range may mix the local times of several zones
	for i, z := range zones {
		if i == 0 || zones[i-1].Name() != z.Name() {
			w.TimeZone(z, from, to)
		}
	}
	return w.B
}

// isUTC reports whether times in a zone are written in UTC.
func isUTC(z *caltime.Zone) bool { return z.Name() == "UTC" }

// ZoneOf returns the zone in which the times of an event stand in a calendar: UTC for days,
// and where readers would not agree on a time by the clocks of the zone.
func ZoneOf(r *render.Renderer, e *store.Event) *caltime.Zone {
	zone := SeriesZone(r, e)
	if !isClear(zone, zone.Instant(e.Start.Time())) || !isClear(zone, zone.Instant(e.End.Time())) {
		return caltime.UTC()
	}
	return zone
}

// SeriesZone does the same for the dates of a series, which stand in its zone whatever
// readers make of that: the times of events on which they differ are written beside them.
func SeriesZone(r *render.Renderer, e *store.Event) *caltime.Zone {
	if inside, _ := r.Inside(e); inside.AllDay {
		return caltime.UTC()
	}
	return r.Zone(e)
}
