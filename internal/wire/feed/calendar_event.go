// Events in iCalendar.

package feed

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/ical"
	"almanac/internal/wire/render"
	"almanac/store"
)

// A calendarWriter writes events for the caller of a renderer.
type calendarWriter struct {
	ical.Writer
	*render.Renderer
}

// calendarEvent writes an event as one of no series.
func calendarEvent(b []byte, r *render.Renderer, e *store.Event) []byte {
	w := calendarWriter{ical.Writer{B: b}, r}
	w.Begin("VEVENT")
	w.identity(r.UID(&e.Post), e.Date, modified(e))
	w.times(e)
	w.page(e)
	w.about(e)
	w.End("VEVENT")
	return w.B
}

// identity writes which event it is, and in which state of it.
func (w *calendarWriter) identity(uid string, created, modified time.Time) {
	w.Line("UID").Text(uid)
	w.Line("DTSTAMP").UTC(modified)
	w.Line("CREATED").UTC(created)
	w.Line("LAST-MODIFIED").UTC(modified)
	w.Line("SEQUENCE").Number(min(max(modified.Unix()-created.Unix(), 0), math.MaxInt32))
}

// times writes when an event starts and ends: no end if it equals the start, which the form cannot
// express.
func (w *calendarWriter) times(e *store.Event) {
	start := e.Start.Time()
	end := e.End.Time()
	if inside, _ := w.Inside(e); inside.AllDay {
		w.Line("DTSTART").Param("VALUE", "DATE").Date(start)
		if after := end.AddDate(0, 0, 1); after.Year() <= 9999 {
			w.Line("DTEND").Param("VALUE", "DATE").Date(after)
		}
		return
	}
	zone := w.Zone(e)
	first := zone.Instant(start)
	last := zone.Instant(end)
	in := ZoneOf(w.Renderer, e)
	w.moment("DTSTART", in, first)
	if last.After(first) {
		w.moment("DTEND", in, last)
	}
	if in != zone {
		w.Line("X-ALMANAC-TIMEZONE").Text(e.Timezone)
	}
}

// isClear reports whether readers agree on the moment of a local time in a zone: not if clocks
// show it twice, nor if they are some seconds off a minute, as they were long ago, since many
// readers drop these.
func isClear(
	zone *caltime.Zone,
	t time.Time,
) bool {
	return !zone.Twice(t) && zone.Offset(t)%60 == 0
}

// moment writes a moment as clocks in a zone show it.
func (w *calendarWriter) moment(name string, zone *caltime.Zone, t time.Time) {
	if isUTC(zone) {
		w.Line(name).UTC(t)
	} else {
		w.Line(name).Param("TZID", zone.Portable().Name()).Local(zone.Wall(t))
	}
}

// page writes the address of the page of an event.
func (w *calendarWriter) page(e *store.Event) { w.Line("URL").URI(w.EventPage(&e.Post)) }

// about writes the properties of an event that do not depend on a date: of a protected one, the
// public parts.
func (w *calendarWriter) about(e *store.Event) {
	status := "CONFIRMED"
	switch {
	case e.State == store.Canceled:
		status = "CANCELLED"
	case e.State == store.Postponed, e.Status.Unpublished():
		status = "TENTATIVE"
	}
	w.Line("STATUS").Raw(status)
	if e.Status == store.Private {
		w.Line("CLASS").Raw("PRIVATE")
	}
	if e.Status != store.Publish {
		w.Line("X-ALMANAC-STATUS").Text(string(e.Status))
	}
	inside, _ := w.Inside(e)
	w.Line("SUMMARY").Text(typedTitle(w.Renderer, e))
	w.state(e, inside)
	switch {
	case inside.AllDay:
		w.Line("TRANSP").Raw("TRANSPARENT") // nobody is busy all day for it
	case w.Zone(e).Portable().Name() != e.Timezone:
		w.Line("X-ALMANAC-TIMEZONE").Text(e.Timezone)
	}
	w.descriptions(inside, reason(e, inside))
	w.places(inside)
	w.people(inside)
	w.categories(inside)
	w.badge(inside.Image)
	if e == inside {
		w.others(e)
	}
}

// state writes the state of an event beside STATUS, and the title without the word for it.
func (w *calendarWriter) state(e, inside *store.Event) {
	if typed := markup.Visible(e.Title); typed != typedTitle(w.Renderer, e) {
		w.Line("X-ALMANAC-SUMMARY").Text(typed)
	}
	if e.State == store.Postponed {
		w.Line("X-ALMANAC-EVENT-STATUS").Text(e.State)
	}
	if inside.StateReason != "" {
		w.Line("X-ALMANAC-EVENT-STATUS-REASON").Text(inside.StateReason)
	}
	if e.PreviousStart != 0 {
		w.Line("X-ALMANAC-PREVIOUS-START").Text(e.PreviousStart.String())
	}
	if reason := reason(e, inside); reason != "" {
		w.Line("COMMENT").Text(reason)
	}
}

// descriptions writes the description, as text and in HTML, with the lists and links that pages
// show. The text begins with the reason of a change, since few calendars show a COMMENT.
func (w *calendarWriter) descriptions(e *store.Event, reason string) {
	html := markup.TypedContent(w.Located(e.Description))
	switch {
	case isBlank(html) && reason != "":
		w.Line("DESCRIPTION").Text(reason)
	case !isBlank(html):
		text := make([]byte, 0, len(reason)+len(html))
		if reason != "" {
			text = append(append(text, reason...), "\n\n"...)
		}
		w.Line("DESCRIPTION").Text(string(markup.AppendLines(text, html)))
		w.Line("STYLED-DESCRIPTION").
			Param("VALUE", "TEXT").
			Param("FMTTYPE", "text/html").
			Text(html)
	}
}

// isBlank reports whether there is nothing in the paragraphs of a text: no sign that a
// calendar keeps.
func isBlank(html string) bool {
	for {
		html = strings.TrimLeftFunc(
			html,
			func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) },
		)
		rest, begin := strings.CutPrefix(html, "<p>")
		rest, end := strings.CutPrefix(rest, "</p>")
		if !begin && !end {
			return html == ""
		}
		html = rest
	}
}

// places writes the venues that the caller may read.
func (w *calendarWriter) places(e *store.Event) {
	venues := w.AppendVenues(make([]*store.Venue, 0, 4), e)
	if len(venues) == 0 && isWeb(e.VirtualURL) {
		w.Line("LOCATION").Text(e.VirtualURL) // programs show it that do not know CONFERENCE
	}
	for i, v := range venues {
		name := markup.Visible(v.Name)
		if i == 0 {
			w.Line("LOCATION").Phrase(name, v.Address, v.City, region(v), v.Zip, v.Country)
			if v.Geo != nil {
				w.Line("GEO").Geo(v.Geo.Lat+0, v.Geo.Lng+0) // no zero has a sign
			}
		}
		w.Line("X-ALMANAC-VENUE")
		w.with("X-UID", w.UID(&v.Post))
		w.with("X-ADDRESS", v.Address)
		w.with("X-CITY", v.City)
		w.with("X-PROVINCE", v.Province)
		w.with("X-STATE", v.State)
		w.with("X-STATEPROVINCE", v.StateProvince)
		w.with("X-ZIP", v.Zip)
		w.with("X-COUNTRY", v.Country)
		if v.Geo != nil {
			w.Param(
				"X-GEO",
				strconv.FormatFloat(
					v.Geo.Lat+0,
					'f',
					-1,
					64,
				)+" "+strconv.FormatFloat(
					v.Geo.Lng+0,
					'f',
					-1,
					64,
				),
			)
		}
		w.Text(name)
	}
}

// people writes the organizers that the caller may read. Calendars take an ORGANIZER for
// somebody to write to, so the first is one if he has an address to write to.
func (w *calendarWriter) people(e *store.Event) {
	for i, o := range w.AppendOrganizers(make([]*store.Organizer, 0, 4), e) {
		name := markup.Visible(o.Name)
		if i == 0 && o.Email != "" {
			w.Line("ORGANIZER").Param("CN", name).URI("mailto:" + o.Email)
		}
		w.Line("X-ALMANAC-ORGANIZER")
		w.with("X-UID", w.UID(&o.Post))
		w.Text(name)
	}
}

// with writes a parameter that is left out when it is empty.
func (w *calendarWriter) with(name, value string) {
	if value != "" {
		w.Param(name, value)
	}
}

// categories writes the names of categories, as they are shown in the event.
func (w *calendarWriter) categories(e *store.Event) {
	names := make([]string, 0, 16)
	for _, t := range w.AppendTerms(make([]*store.Term, 0, 16), store.Categories, e.Categories) {
		names = append(names, t.Name)
	}
	if len(names) > 0 {
		w.Line("CATEGORIES").Text(names...)
	}
}

// badge writes the address of a picture, as calendars of today and of before RFC 7986 have it.
func (w *calendarWriter) badge(id int64) {
	i := w.Image(id)
	if i == nil || !isWeb(i.URL) {
		return
	}
	media := cmp.Or(i.Type, mediaTypes[strings.ToLower(i.Extension)])
	w.Line("IMAGE").Param("VALUE", "URI").Param("DISPLAY", "BADGE")
	w.with("FMTTYPE", media)
	w.URI(i.URL)
	if media != "" {
		w.Line("ATTACH").Param("FMTTYPE", media).URI(i.URL)
	}
}

// others writes the address of an online event (RFC 7986, section 5.11), and the cost and the
// website, which no standard has a property for.
func (w *calendarWriter) others(e *store.Event) {
	if len(e.Cost.Entries) > 0 {
		w.Line("X-COST")
		w.with("X-CURRENCY", e.Cost.Code)
		w.Text(w.Cost(e))
	}
	if e.Website != "" || e.NoWebsite {
		w.Line("X-ALMANAC-WEBSITE").URI(e.Website)
	}
	if isWeb(e.VirtualURL) {
		w.Line("CONFERENCE").Param("VALUE", "URI").URI(e.VirtualURL)
	}
}
