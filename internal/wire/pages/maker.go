// From records to the content of pages.

package pages

import (
	"html/template"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// A Maker makes the content of pages from records, for one caller in one language. The functions
// of its renderer decide about the rights of the caller.
type Maker struct {
	*render.Renderer
	Words  Words
	Locale *cldr.Locale
	Base   string                          // address of the language, no slash at the end
	View   func(path string) template.URL  // address of a day, as "2031-05-10", of the list that is shown
	Zone   *caltime.Zone                   // of the site
	Now    time.Time                       // the clock on the wall there
	Moment time.Time                       // which it shows
	At     string                          // slug of the page's venue, omitted by its events; "" is none
	Text   func(html string) template.HTML // makes a description harmless
	Brief  func(html string) template.HTML // makes an excerpt harmless
	// Picture returns the address of a picture, "" if no browser can fetch it, its host, and
	// whether pages show it.
	Picture func(address string) (source, host string, shown bool)
}

// page returns the address of a page in the language, of the one without.
func (m *Maker) page(address string) string {
	return m.Base + strings.TrimPrefix(address, m.Origin)
}

// Page returns the address of the page of an event.
func (m *Maker) Page(e *store.Event) string { return m.page(m.EventPage(&e.Post)) }

// RecordPage returns the address of the page of an event, a venue, an organizer, a category or a
// tag.
func (m *Maker) RecordPage(r store.Record) string {
	switch r := r.(type) {
	case *store.Event:
		return m.Page(r)
	case *store.Venue:
		return m.page(m.VenuePage(&r.Post))
	case *store.Organizer:
		return m.page(m.OrganizerPage(&r.Post))
	case *store.Term:
		if r.Taxonomy == store.Categories {
			return m.Base + m.Slugs.Page(render.CategoryPath(m.Source, r))
		}
		return m.Base + m.Slugs.Page("/events/tag/") + r.Slug + "/"
	}
	return ""
}

// NameOf returns the title or the name of a record as plain text, "" of other records.
func NameOf(r store.Record) string {
	switch r := r.(type) {
	case *store.Event:
		return title(r.Title)
	case *store.Venue:
		return title(r.Name)
	case *store.Organizer:
		return title(r.Name)
	case *store.Term:
		return r.Name
	}
	return ""
}

// title returns a title as plain text.
func title(html string) string {
	return strings.TrimSpace(markup.Unescape(markup.StripTags(markup.Title(html))))
}

// title returns the title of an event, or its date if it has none.
func (m *Maker) title(e *store.Event) string {
	if title := title(e.Title); title != "" {
		return title
	}
	return m.Locale.Full(e.Start.Time())
}

const day = 24 * time.Hour

// midnight returns the beginning of a day.
func midnight(t time.Time) time.Time { return t.Truncate(day) }

// iso returns a reading as datetime attributes have it.
func iso(t time.Time, allDay bool) string {
	if allDay {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04")
}

// DayPage returns the address of a day, "" if the year is outside 1000–9998, because navigation
// needs the neighbouring days.
func (m *Maker) DayPage(t time.Time) string {
	if !HasDayPage(t) {
		return ""
	}
	return string(m.View(t.Format(time.DateOnly)))
}

// HasDayPage reports whether a day has an address.
func HasDayPage(t time.Time) bool { return t.Year() >= 1000 && t.Year() <= 9998 }

// announce sets the state of an event that is not as it was scheduled.
func (m *Maker) announce(entry *Entry, e *store.Event) {
	if state := e.Announced(); state != "" {
		entry.State = m.Words.Text(map[string]string{
			store.Canceled:  "site.canceled",
			store.Postponed: "site.postponed",
			"rescheduled":   "site.rescheduled",
		}[state])
		entry.Struck = state != "rescheduled"
	}
}

// times returns the start and the end of an event on the clock of the site, by whose days it
// stands in lists and months.
func (m *Maker) times(e *store.Event) (start, end time.Time) {
	from, to, _ := m.Times(e)
	return from.Time(), to.Time()
}

// shownTimes returns the start and the end of an event on its own clock, if that shows the days on
// which the event stands.
func (m *Maker) shownTimes(e *store.Event) (start, end time.Time) {
	start = e.Start.Time()
	end = e.End.Time()
	from, to := m.times(e)
	if midnight(start).Equal(midnight(from)) &&
		midnight(lastMoment(start, end)).Equal(midnight(lastMoment(from, to))) {
		return start, end
	}
	return from, to
}

// listEntry returns an event as it stands on a day in a list, with its times on a clock.
func (m *Maker) listEntry(e *store.Event, on, start, end time.Time) Entry {
	inside, _ := m.Inside(e)
	entry := m.entry(e, on, start, end)
	switch {
	case entry.AllDay, entry.Goes:
	case entry.Long:
		entry.When = m.Locale.Time(start)
	default:
		entry.When = m.Locale.TimeInterval(start, end)
	}
	if entry.goesOn(on, start, end) {
		entry.Note = Whole(
			m.until(lastMoment(start, end), on, m.Locale.FullNoYear, m.Locale.Full),
		)
	}
	if zone := m.Renderer.Zone(e); !entry.AllDay && zone.Name() != m.Zone.Name() &&
		start.Equal(e.Start.Time()) {
		entry.Zone = m.zone(zone.Name())
	}
	var names []string
	venues := m.AppendVenues(nil, inside)
	for _, v := range venues {
		if v.Slug != "" && v.Slug == m.At {
			continue
		}
		name := title(v.Name)
		if v.City != "" {
			name += ", " + v.City
		}
		names = append(names, name)
	}
	if inside.VirtualURL != "" && len(venues) == 0 {
		names = []string{m.Words.Text("site.online")}
	}
	entry.Where = m.Locale.List(names...)
	entry.Cost = m.Cost(inside)
	return entry
}

// entry returns what lists and months have of an event on a day, with its times on a clock. When is
// empty of one that starts then at an hour.
func (m *Maker) entry(e *store.Event, on, start, end time.Time) Entry {
	inside, open := m.Inside(e)
	entry := Entry{
		Title:    m.title(e),
		Href:     m.Page(e),
		Locked:   !open,
		Featured: inside.Featured,
		AllDay:   inside.AllDay,
		Long:     isLong(inside, start, end),
		Goes:     on.After(midnight(start)),
		Start: Time{
			ISO: iso(start, inside.AllDay),
		},
	}
	m.announce(&entry, e)
	switch {
	case inside.AllDay && entry.Goes && e.TakesWeeks(): // the note says it
	case inside.AllDay:
		entry.When = m.Words.Text("site.all-day")
	case entry.Goes && end.Sub(on) <= day:
		entry.When = m.Words.Text("site.until-time", "{time}", m.Locale.Time(end))
		entry.Start = Time{ISO: iso(end, false)}
	case entry.Goes:
		entry.Start = Time{}
	}
	return entry
}

// goesOn reports whether the note of an entry says until when the event goes on.
func (e *Entry) goesOn(on, start, end time.Time) bool {
	return e.Long && (e.AllDay || lastMoment(start, end).Sub(on) >= day)
}

// zone returns a zone in words, by its city: "Pago Pago time". Zones without a city keep their
// names.
func (m *Maker) zone(name string) string {
	area, city, ok := strings.Cut(name, "/")
	if !ok || area == "Etc" {
		return name
	}
	return m.Words.Text(
		"site.zone",
		"{city}",
		strings.ReplaceAll(city[strings.LastIndexByte(city, '/')+1:], "_", " "),
	)
}

// isLong reports whether an event takes more than a day. An event of one night does not.
func isLong(inside *store.Event, start, end time.Time) bool {
	return inside.AllDay && midnight(end).After(midnight(start)) || end.Sub(start) >= day
}

// until says when something ends that is shown on a day: by a date without its year, if that
// is the year of the day, and in words on its last day.
func (m *Maker) until(end, on time.Time, date, year func(time.Time) string) string {
	if midnight(end).Equal(midnight(on)) {
		return m.Words.Text("site.last-day")
	}
	if end.Year() != on.Year() {
		date = year
	}
	return m.Words.Text("site.until", "{date}", date(end))
}

// lastMoment returns the end of an event, on the day before where that is a midnight.
func lastMoment(start, end time.Time) time.Time {
	if end.Equal(midnight(end)) && end.After(start) {
		return end.Add(-time.Second)
	}
	return end
}

// dayAndMonth finds the space beside the day of a date, or the hour of a time.
var dayAndMonth = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(\d\d?\.?) (\pL)`)
})

// monthAndDay finds a number after a word, unless dayAndMonth found the month after it. Japanese
// lines break before a time.
var monthAndDay = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([^\PL\p{Han}]) (\d\d?)(\.[^\x{a0}]|[^\d.\x{a0}]|\.?$)`)
})

// dayAndDay finds two days of a month with a dash between them.
var dayAndDay = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d\.?\x{2009}?–)(\x{2009}?)(\d)`)
})

// Whole returns a date, or days of a month, without a break of lines between numbers or before the
// month.
func Whole(date string) string {
	date = monthAndDay().ReplaceAllString(
		dayAndMonth().ReplaceAllString(date, "$1\u00a0$2"),
		"$1\u00a0$2$3",
	)
	return dayAndDay().ReplaceAllString(date, "$1\u2060$2\u2060$3")
}

// Beside returns an event as the page of another leads to it.
func (m *Maker) Beside(e *store.Event) Entry {
	inside, _ := m.Inside(e)
	start := e.Start.Time()
	entry := Entry{Title: m.title(e), Href: m.Page(e), Start: Time{ISO: iso(start, inside.AllDay)}}
	m.announce(&entry, e)
	if entry.When = Whole(m.Locale.FullTime(start)); inside.AllDay {
		entry.When = Whole(m.Locale.Full(start))
	}
	return entry
}

// Days returns events, in their order, by the days on which they stand in a list. One that began
// before the day from is on that, unless its days had ended: a night goes on. Ends are events that
// stand on their last days, after other events.
func (m *Maker) Days(
	events, ends []*store.Event,
	from time.Time,
) iter.Seq2[time.Time, []*store.Event] {
	byDay := map[time.Time][]*store.Event{}
	days := []time.Time(nil)
	put := func(on time.Time, e *store.Event) {
		if byDay[on] == nil {
			days = append(days, on)
		}
		byDay[on] = append(byDay[on], e)
	}
	for _, e := range events {
		start, _, last := m.Times(e)
		on := midnight(start.Time())
		if on.Before(from) && last.Time().After(from) {
			on = from
		}
		put(on, e)
	}
	for _, e := range ends {
		put(m.lastDay(e), e)
	}
	if !from.IsZero() { // a list of past events begins with the latest
		slices.SortStableFunc(days, time.Time.Compare)
	}
	return func(yield func(time.Time, []*store.Event) bool) {
		for _, on := range days {
			if !yield(on, byDay[on]) {
				return
			}
		}
	}
}

// lastDay returns the day on which an event ends.
func (m *Maker) lastDay(e *store.Event) time.Time {
	start, _, last := m.Times(e)
	return midnight(lastMoment(start.Time(), last.Time()))
}

// Day returns a day of a list.
func (m *Maker) Day(t time.Time, events []*store.Event) *Day {
	d := &Day{
		Date:    Time{m.Locale.Full(t), t.Format(time.DateOnly)},
		Number:  t.Format("2"),
		Weekday: m.Locale.Weekdays()[t.Weekday()],
		Month:   m.Locale.Months()[t.Month()-1],
		Href:    m.DayPage(t),
		Today:   t.Equal(midnight(m.Now)),
	}
	if t.Year() != m.Now.Year() {
		d.Month = m.Locale.Month(t)
	}
	switch today := midnight(m.Now); {
	case d.Today:
		d.Word = m.Words.Text("site.today")
	case t.Equal(today.Add(day)):
		d.Word = m.Words.Text("site.tomorrow")
	}
	for _, e := range events {
		start, end := m.shownTimes(e)
		entry := m.listEntry(e, t, start, end)
		entry.Summary = m.summary(e)
		inside, _ := m.Inside(e)
		entry.Image = m.thumbnail(inside)
		d.Entries = append(d.Entries, entry)
	}
	return d
}

// summaryMost is how many letters of a description stand in a list: two lines of a wide window.
const summaryMost = 180

// summary returns the excerpt of an event, or the beginning of its description.
func (m *Maker) summary(e *store.Event) template.HTML {
	inside, _ := m.Inside(e)
	if brief := m.Brief(markup.Excerpt(inside.Excerpt)); brief != "" {
		return brief
	}
	text := []rune(markup.PageText(inside.Description))
	return template.HTML(template.HTMLEscapeString(string(text[:min(len(text), summaryMost)])))
}
