// One event.

package pages

import (
	"cmp"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/markup"
	"almanac/store"
)

// An Event is the page of an event.
type Event struct {
	Entry
	Reason      string // for its State
	Previous    string // start before a new date, or that none is known; "" without either
	Over        string // "This event is over."; "" while it is not
	Again       *Link  // the next of its series, where it is over
	Date        string // whole date; with times and the range sign unless one evening
	End         Time   // the time after that sign; the zero Time for one evening
	Here        string // Date in the site's zone; "" if it is the same
	Categories  []Link
	Tags        []Link
	Website     *Link
	Online      *Link // where people take part
	Picture     *Link // link to a picture on another host
	Venues      []Place
	Organizers  []Place
	Add         []Link // to calendars; of an event that is off, the file that changes it there
	AddWord     string // what these links do
	Description template.HTML
	Facts       []Fact  // custom fields
	Series      string  // the recurrence in words; "" for a single event
	Then        *Link   // to the first date of another recurrence, with which the series goes on
	Next        []Entry // others of the series
	All         *Link   // to all dates of the series
	Related     []Entry // at the same place
	Poster      string  // address of the page to print and hang up; "" for that page itself, and of an event that is over or not public
	QR          *QR     // where a poster is asked for
	Form        *Unlock // where a password is asked for; then nothing inside is shown
}

// A Fact is a custom field.
type Fact struct {
	Label string
	Value Link // text, and address if it is one
}

// An Unlock is the form that asks for the password of an event.
type Unlock struct {
	Action string
	Wrong  bool // one was sent
}

// Event returns the page of an event.
func (m *Maker) Event(e *store.Event) *Event {
	inside, open := m.Inside(e)
	start := e.Start.Time()
	end := e.End.Time()
	p := &Event{Entry: m.listEntry(e, midnight(start), start, end)}
	p.Note = ""
	p.Image, p.Picture = m.Pictured(inside.Image)
	if p.State != "" {
		p.Reason = inside.StateReason
	}
	switch {
	case e.State == store.Postponed:
		p.Previous = m.Words.Text("site.no-date")
	case p.State != "" && !p.Struck:
		before := m.Locale.FullTime(e.PreviousStart.Time())
		if inside.AllDay {
			before = m.Locale.Full(e.PreviousStart.Time())
		}
		p.Previous = m.Words.Text("site.previous-start", "{date}", Whole(before))
	}
	if p.Date = Whole(m.Locale.Full(start)); p.Long {
		p.Date = Whole(m.Locale.FullInterval(start, end, false))
		p.When = ""
		last := Whole(m.Locale.FullTime(end))
		if inside.AllDay {
			p.Date = Whole(m.Locale.ShortInterval(start, end))
			last = Whole(m.Locale.ShortYear(end))
		}
		if first, isLast := strings.CutSuffix(p.Date, last); isLast {
			p.Date = first
			p.End = Time{Text: last, ISO: iso(end, inside.AllDay)}
		}
	}
	if !open {
		p.Form = &Unlock{Action: p.Href}
	}
	zone := m.Renderer.Zone(e)
	from := zone.Instant(start)
	to := zone.Instant(end)
	if m.Ended(e, m.Moment) && e.State != store.Postponed { // which is still to come
		p.Over = m.Words.Text("site.over")
	}
	if p.Zone != "" {
		p.Here = m.Words.Text(
			"site.in-zone",
			"{date}",
			m.Locale.FullInterval(m.Zone.Wall(from), m.Zone.Wall(to), false),
			"{zone}",
			m.zone(m.Zone.Name()),
		)
	}
	for _, v := range m.AppendVenues(nil, inside) {
		p.Venues = append(p.Venues, m.Venue(v))
	}
	for _, o := range m.AppendOrganizers(nil, inside) {
		p.Organizers = append(p.Organizers, m.Organizer(o))
	}
	for _, t := range m.AppendTerms(nil, store.Categories, inside.Categories) {
		p.Categories = append(p.Categories, Link{
			Text: t.Name,
			Href: template.URL(m.RecordPage(t)),
		})
	}
	for _, t := range m.AppendTerms(nil, store.Tags, inside.Tags) {
		p.Tags = append(p.Tags, Link{Text: t.Name, Href: template.URL(m.RecordPage(t))})
	}
	p.Website = website(inside.Website)
	p.Online = website(inside.VirtualURL)
	p.Description = m.Text(markup.PageContent(inside.Description))
	for _, f := range inside.CustomFields {
		value := Link{Text: f.Value}
		if site := website(f.Value); site != nil && len(strings.Fields(f.Value)) == 1 {
			value.Href = site.Href
			value.Rel = "external nofollow"
		}
		p.Facts = append(p.Facts, Fact{f.Label, value})
	}
	isPublic := e.Status == store.Publish // else these links lead nowhere: a preview has none
	if isPublic && p.Over == "" {
		p.Poster = p.Href + "?print=poster"
	}
	if isPublic && open && p.Over == "" {
		p.Add = m.add(e, inside, p)
		word := "site.add" // whatever another state is, which a later version may know
		switch e.State {
		case store.Canceled:
			word = "site.remove"
		case store.Postponed:
			word = "site.update"
		}
		p.AddWord = m.Words.Text(word)
	}
	return p
}

// add returns the links that add an event to calendars: a file for programs, and the forms of
// calendars on the web.
func (m *Maker) add(e, inside *store.Event, p *Event) []Link {
	zone := m.Renderer.Zone(e)
	start := e.Start.Time()
	end := e.End.Time()
	file := m.API + "/events/" + strconv.FormatInt(e.ID, 10) + ".ics"
	about := m.title(e)
	where := cmp.Or(place(p.Venues), inside.VirtualURL)
	details := m.details(inside, p)
	google := url.Values{
		"action":   {"TEMPLATE"},
		"text":     {about},
		"location": {where},
		"details":  {details},
	}
	outlook := url.Values{
		"path":     {"/calendar/action/compose"},
		"rru":      {"addevent"},
		"subject":  {about},
		"location": {where},
		"body":     {details},
	}
	if inside.AllDay {
		after := midnight(end).Add(day)
		google.Set("dates", start.Format("20060102")+"/"+after.Format("20060102"))
		outlook.Set("allday", "true")
		outlook.Set("startdt", start.Format(time.DateOnly))
		outlook.Set("enddt", after.Format(time.DateOnly))
	} else {
		const moment = "20060102T150405"
		if strings.Contains(zone.Name(), "/") {
			google.Set("dates", start.Format(moment)+"/"+end.Format(moment))
			google.Set("ctz", zone.Name())
		} else { // a name that others may not know
			google.Set("dates", zone.Instant(start).UTC().Format(moment+"Z")+"/"+zone.Instant(end).UTC().Format(moment+"Z"))
		}
		outlook.Set("startdt", zone.ISO(zone.Instant(start)))
		outlook.Set("enddt", zone.ISO(zone.Instant(end)))
	}
	links := []Link{{Text: m.Words.Text("site.download"), Href: template.URL(file)}}
	if p.Struck {
		return links // a form would add it once more
	}
	most := 1 // Google has a form for one event
	if s := m.Series(e); s != nil {
		file = m.API + "/events.ics?series=" + strconv.FormatInt(s.ID, 10)
		links[0].Text = m.Words.Text("site.this-date")
		links = append(links, Link{Text: m.Words.Text("site.all-dates"), Href: template.URL(file)})
		most = 2
	}
	links = append(links, Subscriptions(m.Words, m.Words.Text("site.webcal"), file)[:most]...)
	return append(links, []Link{
		{
			Text: "Google",
			Href: template.URL("https://calendar.google.com/calendar/render?" + escaped(google)),
			Rel:  "external nofollow",
		},
		{
			Text: "Outlook",
			Href: template.URL(
				"https://outlook.live.com/calendar/0/deeplink/compose?" + escaped(outlook),
			),
			Rel: "external nofollow",
		},
	}...)
}

// Subscriptions returns the links that subscribe to a calendar file in programs, by a link with a
// text, and in Google Calendar: telephones with Android have no program for webcal.
func Subscriptions(words Words, text, file string) []Link {
	_, rest, _ := strings.Cut(file, "://")
	webcal := "webcal://" + rest
	return []Link{{Text: text, Href: template.URL(webcal)}, {
		Text: words.Text("site.google"),
		Href: template.URL(
			"https://calendar.google.com/calendar/render?cid=" + url.QueryEscape(webcal),
		),
		Rel: "external nofollow",
	}}
}

// escaped encodes a query with %20 for a space, since Outlook shows a +.
func escaped(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }

// place returns venues as one line, each with its address.
func place(venues []Place) string {
	var all []string
	for _, v := range venues {
		all = append(all, strings.Join(append([]string{v.Name}, v.Address...), ", "))
	}
	return strings.Join(all, "; ")
}

// detailsMost is how many characters of a description go to another calendar: addresses have a
// length.
const detailsMost = 1000

// details returns the description of an event as a text, cut at a word, above the address of its
// page.
func (m *Maker) details(inside *store.Event, p *Event) string {
	text := string(markup.AppendLines(nil, markup.PageContent(inside.Description)))
	if runes := []rune(text); len(runes) > detailsMost {
		text = string(runes[:detailsMost])
		if i := strings.LastIndexAny(text, " \n"); i > len(
			text,
		)/2 { // some languages write no spaces
			text = text[:i]
		}
		text = strings.TrimSpace(text) + "…"
	}
	return strings.TrimSpace(text + "\n\n" + string(p.Href))
}
