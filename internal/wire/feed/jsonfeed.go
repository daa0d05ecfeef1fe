// JSON Feed 1.1.

package feed

import (
	"strconv"
	"strings"

	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// JSON is JSON Feed 1.1. Fields of events that the format lacks are in the member _almanac of each
// item.
var JSON = Format{
	Extension: ".feed.json",
	Media:     "application/feed+json",
	Between:   ",\n",
	Head:      appendJSONFeed,
	Event:     appendJSONItem,
	Tail:      "\n]}\n",
}

// appendMember appends a member with a text, with the name and what stands before it.
func appendMember(b []byte, name, text string) []byte {
	return render.AppendString(append(b, name...), text)
}

// appendSome is appendMember for texts that are left out when they are empty.
func appendSome(b []byte, name, text string) []byte {
	if text != "" {
		b = appendMember(b, name, text)
	}
	return b
}

func appendJSONFeed(b []byte, l *List) []byte {
	b = appendMember(b, `{"version":"https://jsonfeed.org/version/1.1","title":`, l.Name)
	b = appendSome(b, `,"home_page_url":`, l.Home)
	b = appendSome(b, `,"feed_url":`, l.Self)
	b = appendSome(b, `,"next_url":`, l.Next)
	b = appendSome(b, `,"language":`, l.Language)
	return append(b, ",\"items\":[\n"...)
}

func appendJSONItem(b []byte, r *render.Renderer, e *store.Event) []byte {
	inside, open := r.Inside(e)
	b = appendMember(b, `{"id":`, r.UID(&e.Post))
	b = appendMember(b, `,"url":`, r.EventPage(&e.Post))
	if isWeb(inside.Website) {
		b = appendMember(b, `,"external_url":`, uri(inside.Website))
	}
	b = appendMember(b, `,"title":`, title(r, e))
	b = appendMember(b, `,"content_html":`, string(appendContent(nil, r, e, inside)))
	b = appendSome(b, `,"summary":`, markup.Plain(markup.Excerpt(inside.Excerpt)))
	if date := published(e); !date.IsZero() {
		b = appendMember(b, `,"date_published":`, date.Format(timestamp))
	}
	b = appendMember(b, `,"date_modified":`, modified(e).Format(timestamp))
	lead := `,"authors":[{"name":`
	for _, o := range r.AppendOrganizers(make([]*store.Organizer, 0, 4), inside) {
		b = appendMember(b, lead, plain(o.Name))
		if isWeb(o.Website) {
			b = appendMember(b, `,"url":`, uri(o.Website))
		}
		lead = `,{"name":`
		b = append(b, '}')
	}
	b = endList(b, lead)
	lead = `,"tags":[`
	for _, name := range names(r, inside) {
		b = appendMember(b, lead, name)
		lead = ","
	}
	b = endList(b, lead)
	if image := picture(r, inside); image != nil {
		b = appendMember(b, `,"image":`, uri(image.URL))
		b = appendMember(b, `,"attachments":[{"url":`, uri(image.URL))
		b = appendMember(b, `,"mime_type":`, image.MIMEType)
		if image.Filesize > 0 {
			b = strconv.AppendInt(append(b, `,"size_in_bytes":`...), image.Filesize, 10)
		}
		b = append(b, "}]"...)
	}
	return append(appendExtension(b, r, e, inside, open), '}')
}

// endList ends a list that has begun: its items are not led in any more as the first is.
func endList(b []byte, lead string) []byte {
	if strings.Contains(lead, "[") {
		return b
	}
	return append(b, ']')
}

// appendExtension appends the fields of an event that the format lacks, with the names and values
// of the API.
func appendExtension(b []byte, r *render.Renderer, e, inside *store.Event, open bool) []byte {
	b = appendMember(b, `,"_almanac":{"start_date":`, e.Start.String())
	b = appendMember(b, `,"end_date":`, e.End.String())
	b = appendMember(b, `,"timezone":`, e.Timezone)
	if open {
		b = strconv.AppendBool(append(b, `,"all_day":`...), e.AllDay)
	}
	b = appendSome(b, `,"event_status":`, e.State)
	b = appendSome(b, `,"event_status_reason":`, inside.StateReason)
	b = appendSome(b, `,"virtual_url":`, inside.VirtualURL)
	if venues := r.AppendVenues(make([]*store.Venue, 0, 4), inside); len(venues) > 0 {
		v := venues[0]
		b = appendMember(b, `,"venue":{"venue":`, plain(v.Name))
		b = appendSome(b, `,"address":`, address(v))
		if v.Geo != nil {
			b = appendDegrees(append(b, `,"geo_lat":`...), v.Geo.Lat)
			b = appendDegrees(append(b, `,"geo_lng":`...), v.Geo.Lng)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendDegrees appends a number in the fewest digits that read as the same.
func appendDegrees(b []byte, f float64) []byte { return strconv.AppendFloat(b, f+0, 'f', -1, 64) }
