// The members of a record that are made of an event in iCalendar.

package files

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/text/rrule"
	"almanac/internal/write/intake"
	"almanac/move/files/ical"
	"almanac/store"
)

// An eventReader fills the draft of an event. Members for properties of iCalendar are present even
// if empty, because a newer file without the property removes the value.
type eventReader struct {
	*calendarReader
	c     *ical.Component
	draft Draft
	part  intake.CalendarPart // its member calendar
	start rrule.DateTime
	zone  *caltime.Zone // of the times; nil for that of the site

	midnights *caltime.Zone // of whole days that are written as times in UTC; nil for UTC itself
	moments   []time.Time   // of start and end
}

// inLine adds the line of a property to an error.
func inLine(p *ical.Property, err error) error {
	return fmt.Errorf("line %d, %s: %w", p.Line, p.Name, err)
}

func (e *eventReader) read() error {
	for _, read := range []func() error{e.times, e.recurrence, e.state} {
		if err := read(); err != nil {
			return err
		}
	}
	e.identity()
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

// eventPage is the path of the page of an event. The first segment differs between sites;
// recurring events add a date.
var eventPage = regexp.MustCompile(`/[^/]+/([^/]+?)(?:/\d{4}-\d\d-\d\d)?/?$`)

// identity sets the origin of the event. The Events Calendar and this program write an id into the
// UID. An event without UID gets a hash of its texts.
func (e *eventReader) identity() {
	uid, site := siteID(strings.TrimSpace(e.c.Text("UID")))
	if e.part.Start = e.start.String(); e.start.Form == rrule.Local && e.zone != nil {
		e.part.Start = rrule.At(instantIn(e.zone, e.start), rrule.UTC).String()
	}
	switch {
	case uid == "":
		uid = noUID(e.draft.Text("start_date"), e.part.Rule, e.c.Text("SUMMARY"))
	case e.part.ID == "" && e.index.isOneOfSeveral(e):
		uid = intake.StartKey(uid, e.part.Start)
	}
	e.draft["global_id"] = uid
	address := e.address("URL")
	if address == "" && e.c.Text("URL") != "" {
		e.left.count("addresses in URL that no page may link to")
	}
	if u, err := url.Parse(address); err == nil && (site || e.ours) && !u.Query().Has("p") {
		if m := eventPage.FindStringSubmatch(u.EscapedPath()); m != nil {
			if e.draft["slug"] = m[1]; intake.IsProvisional(uid) {
				e.draft["url"] = address
			}
			address = ""
		}
	}
	if p := e.c.Get("X-ALMANAC-WEBSITE"); p != nil {
		e.draft["website"] = p.Value
	} else if address != "" && !e.ours {
		e.draft["website"] = address
	}
	if e.ours {
		e.draft["virtual_url"] = ""
	}
	for p := range e.c.All("CONFERENCE") { // some are for telephones
		e.draft["virtual_url"] = cmp.Or(e.draft.Text("virtual_url"), webAddress(p.Value))
	}
}

// address returns the value of a property if pages may link to it, or "".
func (e *eventReader) address(name string) string {
	p := e.c.Get(name)
	if p == nil {
		return ""
	}
	return webAddress(intake.WithScheme(p.Value))
}

func webAddress(text string) string {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err != nil || u.Host == "" ||
		u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return text
}

// state sets the status and the times of creation and change.
func (e *eventReader) state() error {
	status := func(name string) string { return strings.ToUpper(strings.TrimSpace(e.c.Text(name))) }
	e.draft["event_status"] = "scheduled"
	if status("STATUS") == "CANCELLED" {
		e.draft["event_status"] = store.Canceled
	}
	if e.ours {
		e.draft["event_status"] = cmp.Or(
			e.c.Text("X-ALMANAC-EVENT-STATUS"),
			e.draft.Text("event_status"),
		)
		e.draft["event_status_reason"] = e.c.Text("X-ALMANAC-EVENT-STATUS-REASON")
		e.draft["previous_start_date"] = e.c.Text("X-ALMANAC-PREVIOUS-START")
	}
	switch said := e.c.Text("X-ALMANAC-STATUS"); {
	case said != "":
		e.draft["status"] = said
	case status("CLASS") == "PRIVATE" || status("CLASS") == "CONFIDENTIAL":
		e.draft["status"] = store.Private
	default:
		e.draft["status"] = store.Publish
	}
	for _, stamp := range []struct{ property, member string }{
		{"CREATED", "date_utc"}, {"LAST-MODIFIED", "modified_utc"}, {"DTSTAMP", "modified_utc"},
	} {
		p := e.c.Get(stamp.property)
		if p == nil || e.draft[stamp.member] != nil {
			continue
		}
		d, err := p.Date()
		if err != nil {
			continue // it says nothing
		}
		e.part.Stamped = stamp.property == "DTSTAMP"
		e.draft[stamp.member] = store.Wall(d.Seconds).String()
	}
	return nil
}

// texts sets title and description. It cleans HTML, unless this program wrote the file.
func (e *eventReader) texts() {
	title := e.c.Text("SUMMARY")
	if p := e.c.Get("X-ALMANAC-SUMMARY"); e.ours && p != nil &&
		strings.HasSuffix(title, p.Text()) {
		title = p.Text() // without the word for the state
	}
	switch title = e.name(title); {
	case e.ours || strings.TrimSpace(title) != "":
		e.draft["title"] = title
	case e.draft.Text("event_status") != store.Canceled:
		e.draft["title"] = "(No title)" // as calendars show it
	}
	text := e.c.Text("DESCRIPTION")
	switch html := e.html(); {
	case html != "":
		e.draft["description"] = html
	case !e.ours && knownTag.MatchString(text):
		e.draft["description"] = strings.TrimSpace(markup.Sanitize(escapeOthers(text)))
	default:
		if e.ours && e.c.Get("COMMENT") != nil {
			text = strings.TrimPrefix(text, e.c.Text("COMMENT")) // the reason is a member
		}
		e.draft["description"] = paragraphs(text)
	}
}

// knownTag is a tag of a description that an editor of calendars wrote in HTML, as that of Google
// does in a property of plain text.
var knownTag = regexp.MustCompile(`(?i)</?(?:a|b|blockquote|br|code|dd|div|dl|dt|em|font|h[1-6]|hr|` +
	`html-blob|i|img|li|ol|p|pre|s|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)` +
	`(?:\s+[a-z][a-z0-9:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>`)

// anyTag is what may be a tag; "<" before anything else is text.
var anyTag = regexp.MustCompile(`(?i)<(?:!--|/?[a-z][a-z0-9-]*(?::[a-z][a-z0-9-]*)?(?:[\s>]|/>))?`)

// escapeOthers writes each "<" as text that begins no tag, as in <jane@club.example>.
func escapeOthers(html string) string {
	return anyTag.ReplaceAllStringFunc(html, func(found string) string {
		if found == "<" {
			return "&lt;"
		}
		return found
	})
}

// entity is a character that HTML names or numbers.
var entity = regexp.MustCompile(`&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);`)

// name returns a title or a name as HTML. It is plain text, but many programs write entities.
func (r *calendarReader) name(text string) string {
	if !r.ours {
		text = entity.ReplaceAllStringFunc(text, markup.Unescape)
	}
	return markup.EscapeName(text)
}

// html returns the description in HTML, or "".
func (e *eventReader) html() string {
	for p := range e.c.All("STYLED-DESCRIPTION", "X-ALT-DESC") {
		isAddress := p.Name == "STYLED-DESCRIPTION" && strings.EqualFold(p.Param("VALUE"), "URI")
		switch {
		case isAddress,
			p.Param("FMTTYPE") != "" && !strings.EqualFold(p.Param("FMTTYPE"), "text/html"):
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
			html = html[i+j+1:]
			lower = lower[i+j+1:]
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
			b.WriteString(
				"<p>" + strings.ReplaceAll(markup.EscapeName(part), "\n", "<br />\n") + "</p>\n",
			)
		}
	}
	return b.String()
}

// others sets categories, image and cost.
func (e *eventReader) others() {
	var names []string
	for p := range e.c.All("CATEGORIES") {
		for _, text := range p.TextList() {
			names = append(names, e.name(strings.TrimSpace(text)))
		}
	}
	e.draft["categories"] = named("name", names)
	e.draft["image"] = e.image()
	if p := e.c.Get("X-COST"); p != nil {
		e.draft["cost"] = p.Text()
		e.part.Code = p.Param("X-CURRENCY")
	} else if e.ours {
		e.draft["cost"] = ""
	}
}

// image returns the address of the first picture, or false.
func (e *eventReader) image() any {
	for p := range e.c.All("IMAGE", "ATTACH") {
		kind := strings.ToLower(p.Param("FMTTYPE"))
		if strings.HasPrefix(kind, "image/") || p.Name == "IMAGE" && kind == "" {
			address := intake.Resolve(
				p.Value,
				e.address("URL"),
				e.from.Text("X-ORIGINAL-URL"),
				e.from.Text("URL"),
				e.from.Text("SOURCE"),
			)
			if address = webAddress(address); address != "" {
				return address
			}
		}
	}
	return false
}
