// The members of a record that are made of an event in iCalendar.

package files

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/caltime"
	"almanac/internal/ical"
	"almanac/internal/intake"
	"almanac/internal/markup"
	"almanac/internal/rrule"
	"almanac/store"
	"almanac/store/record"
)

// A calendarRecord is the record of an event. Members for properties of iCalendar are present even if empty, because
// a newer file without the property removes the value.
type calendarRecord struct {
	UID         string               `json:"global_id"`
	Title       string               `json:"title"`
	Slug        string               `json:"slug,omitempty"`
	Status      string               `json:"status"`
	Date        string               `json:"date_utc,omitempty"`
	Modified    string               `json:"modified_utc,omitempty"`
	Start       string               `json:"start_date"`
	End         string               `json:"end_date"`
	Timezone    string               `json:"timezone,omitempty"`
	AllDay      bool                 `json:"all_day"`
	Description string               `json:"description"`
	Excerpt     *string              `json:"excerpt,omitempty"`
	Image       any                  `json:"image"`
	Website     *string              `json:"website,omitempty"`
	Cost        any                  `json:"cost,omitempty"`
	Categories  []any                `json:"categories"`
	Tags        *[]any               `json:"tags,omitempty"`
	Venues      []*calendarVenue     `json:"venue"`
	Organizers  []*calendarOrganizer `json:"organizer"`

	Part  intake.CalendarPart `json:"calendar"`
	Plain map[string]any      `json:"-"` // plain fields in calendars that this program wrote
}

// MarshalJSON writes the plain fields beside the other members.
func (r *calendarRecord) MarshalJSON() ([]byte, error) {
	type members calendarRecord
	text, err := json.Marshal((*members)(r))
	if err != nil || len(r.Plain) == 0 {
		return text, err
	}
	plain, err := json.Marshal(r.Plain)
	return slices.Concat(text[:len(text)-1], []byte(","), plain[1:]), err
}

type calendarVenue struct {
	UID           string `json:"global_id,omitempty"`
	Name          string `json:"venue"`
	Address       string `json:"address,omitempty"`
	City          string `json:"city,omitempty"`
	Province      string `json:"province,omitempty"`
	State         string `json:"state,omitempty"`
	StateProvince string `json:"stateprovince,omitempty"`
	Zip           string `json:"zip,omitempty"`
	Country       string `json:"country,omitempty"`
	Phone         string `json:"phone,omitempty"`
	Website       string `json:"website,omitempty"`
	Lat           string `json:"geo_lat,omitempty"`
	Lng           string `json:"geo_lng,omitempty"`
}

type calendarOrganizer struct {
	UID     string `json:"global_id,omitempty"`
	Name    string `json:"organizer"`
	Phone   string `json:"phone,omitempty"`
	Website string `json:"website,omitempty"`
	Email   string `json:"email,omitempty"`
}

type eventReader struct {
	*calendarReader
	c      *ical.Component
	record calendarRecord
	start  rrule.DateTime
	zone   *caltime.Zone // of the times; nil for that of the site
}

// inLine adds the line of a property to an error.
func inLine(p *ical.Property, err error) error {
	return fmt.Errorf("line %d, %s: %w", p.Line, p.Name, err)
}

func (e *eventReader) read() error {
	if err := e.times(); err != nil {
		return err
	}
	if err := e.recurrence(); err != nil {
		return err
	}
	e.identity()
	if err := e.state(); err != nil {
		return err
	}
	e.texts()
	e.places()
	e.people()
	e.others()
	return nil
}

// tecUID is the form of UIDs of The Events Calendar: id, start, end and host.
var tecUID = regexp.MustCompile(`^(\d+)-(-?\d+)-(-?\d+)@([^@/?\s]+)$`)

// siteID returns the global id inside a UID of The Events Calendar, or the UID itself.
func siteID(uid string) (id string, isSite bool) {
	if m := tecUID.FindStringSubmatch(uid); m != nil {
		return m[4] + "?id=" + m[1], true
	}
	return uid, false
}

// noUID returns an origin made of texts, for an event without UID.
func noUID(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return "no-uid:" + hex.EncodeToString(sum[:16])
}

// eventPage is the path of the page of an event. The first segment differs between sites; recurring events add a
// date.
var eventPage = regexp.MustCompile(`/[^/]+/([^/]+?)(?:/\d{4}-\d\d-\d\d)?/?$`)

// identity sets the origin of the event. The Events Calendar and this program write an id into the UID. An event
// without UID gets a hash of its texts.
func (e *eventReader) identity() {
	r := &e.record
	uid, site := siteID(strings.TrimSpace(e.c.Text("UID")))
	r.UID = cmp.Or(uid, noUID(r.Start, r.Part.Rule, e.c.Text("SUMMARY")))
	address := e.address("URL")
	if u, err := url.Parse(address); err == nil && (site || e.ours) && !u.Query().Has("p") {
		if m := eventPage.FindStringSubmatch(u.EscapedPath()); m != nil {
			r.Slug, address = m[1], ""
		}
	}
	if p := e.c.Get("X-ALMANAC-WEBSITE"); p != nil {
		address = p.Value
		r.Website = &address
	} else if address != "" && !e.ours {
		r.Website = &address
	}
}

// address returns the value of a property if pages may link to it, or "".
func (e *eventReader) address(name string) string {
	p := e.c.Get(name)
	if p == nil {
		return ""
	}
	return webAddress(p.Value)
}

func webAddress(text string) string {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return text
}

// state sets the status and the times of creation and change.
func (e *eventReader) state() error {
	r := &e.record
	status := func(name string) string { return strings.ToUpper(strings.TrimSpace(e.c.Text(name))) }
	r.Status = string(store.Publish)
	switch said := e.c.Text("X-ALMANAC-STATUS"); {
	case status("STATUS") == "CANCELLED":
		r.Status = string(store.Trash)
	case said != "":
		r.Status = said
	case status("CLASS") == "PRIVATE" || status("CLASS") == "CONFIDENTIAL":
		r.Status = string(store.Private)
	}
	for _, stamp := range []struct {
		name string
		to   *string
	}{{"CREATED", &r.Date}, {"LAST-MODIFIED", &r.Modified}, {"DTSTAMP", &r.Modified}} {
		p := e.c.Get(stamp.name)
		if p == nil || *stamp.to != "" {
			continue
		}
		d, err := p.Date()
		if err != nil {
			return inLine(p, err)
		}
		r.Part.Stamped = stamp.name == "DTSTAMP"
		*stamp.to = store.Wall(d.Seconds).String()
	}
	return nil
}

// texts sets title, description and excerpt. It cleans HTML, unless this program wrote the file.
func (e *eventReader) texts() {
	r := &e.record
	if r.Title = markup.EscapeName(e.c.Text("SUMMARY")); strings.TrimSpace(r.Title) == "" && !e.ours {
		r.Title = "(No title)" // as calendars show it
	}
	if html := e.html(); html != "" {
		r.Description = html
	} else {
		r.Description = paragraphs(e.c.Text("DESCRIPTION"))
	}
	excerpt := e.c.Text("X-ALMANAC-EXCERPT")
	if e.ours || excerpt != "" {
		r.Excerpt = &excerpt
	}
}

// html returns the description in HTML, or "".
func (e *eventReader) html() string {
	for i := range e.c.Properties {
		p := &e.c.Properties[i]
		styled := p.Name == "STYLED-DESCRIPTION" && !strings.EqualFold(p.Param("VALUE"), "URI")
		switch {
		case !styled && p.Name != "X-ALT-DESC", p.Param("FMTTYPE") != "" && !strings.EqualFold(p.Param("FMTTYPE"), "text/html"):
		case e.ours:
			return p.Text()
		default:
			return strings.TrimSpace(markup.Sanitize(body(p.Text())))
		}
	}
	return ""
}

// body returns the visible part of an HTML document.
func body(html string) string {
	lower := strings.ToLower(html)
	if len(lower) != len(html) {
		return html
	}
	if i := strings.Index(lower, "<body"); i >= 0 {
		if j := strings.IndexByte(html[i:], '>'); j >= 0 {
			html, lower = html[i+j+1:], lower[i+j+1:]
		}
	}
	if i := strings.LastIndex(lower, "</body"); i >= 0 {
		html = html[:i]
	}
	return html
}

// paragraphs makes HTML of plain text: blank lines separate paragraphs.
func paragraphs(text string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if part = strings.Trim(part, "\n"); part != "" {
			b.WriteString("<p>" + strings.ReplaceAll(markup.EscapeName(part), "\n", "<br />\n") + "</p>\n")
		}
	}
	return b.String()
}

// others sets terms, image, cost and plain fields.
func (e *eventReader) others() {
	r := &e.record
	r.Categories = e.terms("CATEGORIES")
	if tags := e.terms("X-ALMANAC-TAGS"); e.ours || len(tags) > 0 {
		r.Tags = &tags
	}
	r.Image = e.image()
	if text := e.c.Text("X-COST"); e.ours || text != "" {
		r.Cost = text
		if p := e.c.Get("X-COST"); p != nil {
			r.Part.Code = p.Param("X-CURRENCY")
		}
	}
	if p := e.c.Get("X-ALMANAC-COST"); p != nil {
		symbol := p.Param("X-SYMBOL")
		r.Cost = append([]string{}, p.TextList()...)
		r.Part.Code, r.Part.Symbol, r.Part.Position = p.Param("X-CODE"), &symbol, p.Param("X-POSITION")
	}
	p := e.c.Get("X-ALMANAC-FLAGS")
	if p == nil && !e.ours {
		return
	}
	set := map[string]bool{"show_map": p == nil, "show_map_link": p == nil}
	if p != nil {
		for _, name := range p.TextList() {
			set[name] = true
		}
	}
	r.Plain = map[string]any{}
	for _, f := range record.PlainFields(record.EventFields, "", "") {
		if r.Plain[f.Name] = set[f.Name]; !f.IsFlag() {
			r.Plain[f.Name] = e.c.Text("X-ALMANAC-" + f.Upper("-"))
		}
	}
}

// terms returns the terms of all properties with a name.
func (e *eventReader) terms(name string) []any {
	var names []string
	for i := range e.c.Properties {
		if p := &e.c.Properties[i]; p.Name == name {
			for _, text := range p.TextList() {
				names = append(names, markup.EscapeName(strings.TrimSpace(text)))
			}
		}
	}
	return named("name", names)
}

// image returns the address of the first picture, or false.
func (e *eventReader) image() any {
	for i := range e.c.Properties {
		p := &e.c.Properties[i]
		kind := strings.ToLower(p.Param("FMTTYPE"))
		if p.Name == "IMAGE" && (kind == "" || strings.HasPrefix(kind, "image/")) || p.Name == "ATTACH" && strings.HasPrefix(kind, "image/") {
			address := intake.Resolve(p.Value, e.address("URL"), e.from.Text("X-ORIGINAL-URL"), e.from.Text("URL"), e.from.Text("SOURCE"))
			if address = webAddress(address); address != "" {
				return address
			}
		}
	}
	return false
}
