// RSS 2.0, with the elements of other names that readers of feeds know.

package feed

import (
	"cmp"
	"strconv"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// RSS is RSS 2.0. Its dates are those of publication.
var RSS = Format{
	Extension: ".rss",
	Media:     "application/rss+xml; charset=utf-8",
	Head:      appendChannel,
	Event: func(b []byte, r *render.Renderer, e *store.Event) []byte {
		return appendItem(b, r, e, r.UID(&e.Post), published(e))
	},
	Tail: "</channel>\n</rss>\n",
}

// LegacyRSS is RSS as the original serves it at /events/feed/ and the like: the date of
// an item is the start of its event, and an event that came from there is known by the
// address that it had, as readers of that feed know it.
var LegacyRSS = Format{
	Extension: RSS.Extension,
	Media:     RSS.Media,
	Head:      appendChannel,
	Event: func(b []byte, r *render.Renderer, e *store.Event) []byte {
		return appendItem(
			b,
			r,
			e,
			cmp.Or(e.Page(), r.UID(&e.Post)),
			r.Zone(e).Instant(e.Start.Time()),
		)
	},
	Tail: "</channel>\n</rss>\n",
}

const rssDate = "Mon, 02 Jan 2006 15:04:05 +0000"

// appendChannel appends what stands before the items.
func appendChannel(b []byte, l *List) []byte {
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"`...)
	b = append(b, ` xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
`...)
	b = appendElement(b, "title", l.Name)
	b = appendElement(b, "link", l.Home)
	b = appendElement(b, "description", l.Name)
	if l.Language != "" {
		b = appendElement(b, "language", l.Language)
	}
	if !l.Updated.IsZero() {
		b = appendElement(b, "lastBuildDate", l.Updated.UTC().Format(rssDate))
	}
	return appendPages(b, "atom:link", "application/rss+xml", l)
}

// appendPages appends the links from a page of a list to itself and to those beside it
// (RFC 5005).
func appendPages(b []byte, name, media string, l *List) []byte {
	for _, page := range []attribute{{"self", l.Self}, {"next", l.Next}, {"previous", l.Previous}} {
		if page.value != "" {
			b = appendEmpty(
				b,
				name,
				attribute{"rel", page.name},
				attribute{"type", media},
				attribute{"href", page.value},
			)
		}
	}
	return b
}

// appendItem appends an event with its guid and a date; zero is none.
func appendItem(b []byte, r *render.Renderer, e *store.Event, guid string, date time.Time) []byte {
	inside, _ := r.Inside(e)
	b = append(b, "<item>\n"...)
	b = appendElement(b, "title", title(r, e))
	b = appendElement(b, "link", r.EventPage(&e.Post))
	b = appendElement(b, "guid", guid, attribute{"isPermaLink", "false"})
	if !date.IsZero() {
		b = appendElement(b, "pubDate", date.Format(rssDate))
	}
	for _, o := range r.AppendOrganizers(make([]*store.Organizer, 0, 4), inside) {
		b = appendElement(b, "dc:creator", plain(o.Name))
	}
	for _, name := range names(r, inside) {
		b = appendElement(b, "category", name)
	}
	text := string(appendSummary(nil, r, e, inside))
	if excerpt := markup.Excerpt(inside.Excerpt); excerpt != "" {
		text = string(appendState(nil, r, e, inside)) + excerpt
	}
	b = appendElement(b, "description", text)
	b = appendElement(b, "content:encoded", string(appendContent(nil, r, e, inside)))
	if image := picture(r, inside); image != nil {
		// A length is demanded; 0 stands for an unknown one.
		b = appendEmpty(
			b,
			"enclosure",
			attribute{"url", uri(image.URL)},
			attribute{"length", strconv.FormatInt(image.Filesize, 10)},
			attribute{"type", image.MIMEType},
		)
	}
	return append(b, "</item>\n"...)
}
