// Atom (RFC 4287).

package feed

import (
	"cmp"
	"net/url"
	"strconv"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/wire/render"
	"almanac/store"
)

// Atom is Atom 1.0.
var Atom = Format{
	Extension: ".atom",
	Media:     atomMedia + "; charset=utf-8",
	Head:      appendAtom,
	Event:     appendEntry,
	Tail:      "</feed>\n",
}

const atomMedia = "application/atom+xml"

// appendAtom appends the text before the entries. The pages of a list are one feed, which has one
// id. The author of the feed is also that of entries without an author.
func appendAtom(b []byte, l *List) []byte {
	b = append(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"...)
	b = appendTag(
		b,
		"feed",
		[]attribute{{"xmlns", "http://www.w3.org/2005/Atom"}, {"xml:lang", l.Language}},
	)
	b = append(b, ">\n"...)
	b = appendElement(b, "id", urn(withoutPage(cmp.Or(l.ID, l.Self))))
	b = appendElement(b, "title", l.Name)
	updated := l.Updated
	if updated.IsZero() {
		updated = time.Unix(0, 0) // some date is demanded
	}
	b = appendElement(b, "updated", updated.UTC().Format(timestamp))
	b = append(b, "<author>"...)
	b = append(appendElement(b, "name", l.Name), "</author>\n"...)
	b = appendEmpty(
		b,
		"link",
		attribute{"rel", "alternate"},
		attribute{"type", "text/html"},
		attribute{"href", l.Home},
	)
	return appendPages(b, "link", atomMedia, l)
}

// withoutPage returns the address of a list without the number of the page.
func withoutPage(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	query.Del("page")
	u.RawQuery = query.Encode()
	return u.String()
}

func appendEntry(b []byte, r *render.Renderer, e *store.Event) []byte {
	inside, _ := r.Inside(e)
	b = append(b, "<entry>\n"...)
	b = appendElement(b, "id", urn(r.UID(&e.Post)))
	b = appendElement(b, "title", title(r, e))
	b = appendEmpty(
		b,
		"link",
		attribute{"rel", "alternate"},
		attribute{"type", "text/html"},
		attribute{"href", r.EventPage(&e.Post)},
	)
	if date := published(e); !date.IsZero() {
		b = appendElement(b, "published", date.Format(timestamp))
	}
	b = appendElement(b, "updated", modified(e).Format(timestamp))
	for _, o := range r.AppendOrganizers(make([]*store.Organizer, 0, 4), inside) {
		b = appendElement(append(b, "<author>"...), "name", plain(o.Name))
		if isWeb(o.Website) {
			b = appendElement(b, "uri", uri(o.Website))
		}
		b = append(b, "</author>\n"...)
	}
	for _, name := range names(r, inside) {
		b = appendEmpty(b, "category", attribute{"term", name})
	}
	html := attribute{"type", "html"}
	if text := markup.Excerpt(inside.Excerpt); text != "" {
		b = appendElement(b, "summary", string(appendState(nil, r, e, inside))+text, html)
	}
	b = appendElement(b, "content", string(appendContent(nil, r, e, inside)), html)
	if image := picture(r, inside); image != nil {
		length := ""
		if image.Filesize > 0 {
			length = strconv.FormatInt(image.Filesize, 10)
		}
		b = appendEmpty(
			b,
			"link",
			attribute{"rel", "enclosure"},
			attribute{"type", image.MIMEType},
			attribute{"length", length},
			attribute{"href", uri(image.URL)},
		)
	}
	return append(b, "</entry>\n"...)
}
