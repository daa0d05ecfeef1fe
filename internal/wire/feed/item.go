// Common parts of events in documents for feed readers.

package feed

import (
	"cmp"
	"crypto/sha1"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/wire/ical"
	"almanac/internal/wire/render"
	"almanac/store"
)

// plain returns the title of an event or a name as a text without tags.
func plain(title string) string { return markup.CleanTermName(markup.Title(title)) }

// title returns the title of an event as a text, behind the word for its state.
func title(r *render.Renderer, e *store.Event) string { return titled(r, e, plain(e.Title)) }

// typedTitle does the same with the characters of the title as they were typed: typography is for
// pages, and a calendar may be read back.
func typedTitle(r *render.Renderer, e *store.Event) string {
	return titled(r, e, markup.Visible(e.Title))
}

func titled(r *render.Renderer, e *store.Event, title string) string {
	if r.PlainTitles {
		return title
	}
	return announced(r, e, title)
}

// announced returns a text about an event behind the word for its state.
func announced(r *render.Renderer, e *store.Event, text string) string {
	state := e.Announced()
	if state == "" || r.Word == nil {
		return text
	}
	return strings.NewReplacer("{state}", r.Word("site."+state), "{name}", text).
		Replace(r.Word("site.titled"))
}

// appendContent appends what feed readers show of an event, as HTML: when and where it
// is, without words of any language but for its state, and its description.
func appendContent(b []byte, r *render.Renderer, e, inside *store.Event) []byte {
	b = appendSummary(b, r, e, inside)
	return markup.AppendContent(b, r.Located(inside.Description))
}

// reason returns why an event is off or has a new date, "" for one as it was scheduled.
func reason(e, inside *store.Event) string {
	if e.Announced() == "" {
		return ""
	}
	return inside.StateReason
}

// appendState appends what pages say first of an event that is off or has a new date, each in a
// paragraph of HTML: that no new date is known or which one it had, and the reason.
func appendState(b []byte, r *render.Renderer, e, inside *store.Event) []byte {
	previous := ""
	switch state := e.Announced(); {
	case state == "" || r.Word == nil:
	case state == store.Postponed:
		previous = r.Word("site.no-date")
	case state != store.Canceled:
		before := e.PreviousStart.Time().Format(time.DateOnly + " " + clock)
		if inside.AllDay {
			before = before[:len(time.DateOnly)]
		}
		previous = strings.ReplaceAll(r.Word("site.previous-start"), "{date}", before)
	}
	for _, text := range []string{previous, reason(e, inside)} {
		if text != "" {
			b = append(append(append(b, "<p>"...), markup.EscapeName(text)...), "</p>\n"...)
		}
	}
	return b
}

// appendSummary appends how an event changed, and when and where it is, in paragraphs of HTML. A
// date on which it does not take place is struck.
func appendSummary(b []byte, r *render.Renderer, e, inside *store.Event) []byte {
	b = append(appendState(b, r, e, inside), "<p>"...)
	date := markup.EscapeName(when(e, inside.AllDay))
	if e.State == store.Canceled || e.State == store.Postponed {
		date = "<s>" + date + "</s>"
	}
	b = append(b, announced(r, e, date)...)
	for _, v := range r.AppendVenues(make([]*store.Venue, 0, 4), inside) {
		b = append(append(b, "<br />"...), markup.EscapeName(place(v))...)
	}
	if isWeb(inside.VirtualURL) {
		b = append(append(b, "<br />"...), markup.EscapeName(inside.VirtualURL)...)
	}
	if cost := r.Cost(inside); cost != "" {
		b = append(append(b, "<br />"...), markup.EscapeName(cost)...)
	}
	return append(b, "</p>\n"...)
}

// clock is the form of a time of the day.
const clock = "15:04"

// when returns when an event is, by its own clocks: "2031-05-10 20:00–23:00
// Europe/Paris", "2031-05-10 20:00 – 2031-05-12 09:00 Europe/Paris", and of whole days
// "2031-05-10 – 2031-05-12".
func when(e *store.Event, allDay bool) string {
	start := e.Start.Time()
	end := e.End.Time()
	first := start.Format(time.DateOnly)
	last := end.Format(time.DateOnly)
	switch {
	case allDay && first == last:
		return first
	case allDay:
		return first + " – " + last
	case start.Equal(end):
		return first + start.Format(" "+clock) + " " + e.Timezone
	case first == last:
		return first + start.Format(" "+clock) + "–" + end.Format(clock) + " " + e.Timezone
	}
	return first + start.Format(
		" "+clock,
	) + " – " + last + end.Format(
		" "+clock,
	) + " " + e.Timezone
}

// place returns the name of a venue and its address, as one line.
func place(v *store.Venue) string { return known(plain(v.Name), address(v)) }

// address returns the known parts of the address of a venue.
func address(
	v *store.Venue,
) string {
	return known(v.Address, v.City, region(v), v.Zip, v.Country)
}

// known returns the texts that are not empty, divided by commas.
func known(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), ", ")
}

// region returns the state or province of a venue.
func region(v *store.Venue) string { return cmp.Or(v.StateProvince, v.State, v.Province) }

// published returns when an event was published, zero if it never was.
func published(e *store.Event) time.Time {
	if e.Undated || e.LocalDate {
		return time.Time{}
	}
	return e.Date.UTC()
}

// modified returns when an event was changed, or made if it never was changed.
func modified(e *store.Event) time.Time {
	if e.Modified.IsZero() {
		return e.Date.UTC()
	}
	return e.Modified.UTC()
}

// names returns the names of the categories of an event and then of its tags, each once.
func names(r *render.Renderer, inside *store.Event) []string {
	var all []string
	terms := r.AppendTerms(make([]*store.Term, 0, 16), store.Categories, inside.Categories)
	for _, t := range r.AppendTerms(terms, store.Tags, inside.Tags) {
		if !slices.Contains(all, t.Name) {
			all = append(all, t.Name)
		}
	}
	return all
}

// urn returns a URI for what is known by any text: the UUID of version 5 (RFC 9562) that
// has the text as its name in the namespace of addresses.
func urn(name string) string {
	const namespace = "\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"
	sum := sha1.Sum([]byte(namespace + name))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf(
		"urn:uuid:%x-%x-%x-%x-%x",
		sum[:4],
		sum[4:6],
		sum[6:8],
		sum[8:10],
		sum[10:16],
	)
}

// pictureWidth is the width of the widest file of an upload that feeds name.
const pictureWidth = 1600

// picture returns the file of the image that an event shows, with its media type, which feeds have
// to say. It is a large size of an upload; nil for none that a reader of feeds could fetch.
func picture(r *render.Renderer, inside *store.Event) *store.ImageSize {
	image := r.Image(inside.Image)
	if image == nil || !isWeb(image.URL) {
		return nil
	}
	if image.Directory != "" {
		shown := image.Within(pictureWidth)
		return &shown
	}
	media := cmp.Or(
		image.Type,
		mediaTypes[strings.ToLower(image.Extension)],
		"application/octet-stream",
	)
	return &store.ImageSize{URL: image.URL, Filesize: image.Filesize, MIMEType: media}
}

// mediaTypes are the types of images, by file extension. The tables of systems differ.
var mediaTypes = map[string]string{
	"avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "ico": "image/x-icon", "jpe": "image/jpeg",
	"jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff",
	"webp": "image/webp",
}

// isWeb reports whether an address leads into the web, and not to a program in the
// page that shows it.
func isWeb(address string) bool {
	scheme, _, ok := strings.Cut(address, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// uri returns an address with what no address may hold percent-encoded, as some readers
// check it.
func uri(address string) string { return string(ical.AppendURI(nil, address)) }

// timestamp is the form of RFC 3339 for instants in UTC.
const timestamp = "2006-01-02T15:04:05Z"
