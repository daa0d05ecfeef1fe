// The parts of an event that the caller may see, for documents that are not JSON.

package render

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/store"
)

// protected is the content of a protected event without its password: nothing.
var protected = &store.Event{NoWebsite: true}

// Inside returns the event for its parts that are not public; its identity, status, author, dates,
// zone, page, title and slug are public. For a protected event that is not unlocked it is empty,
// and open is false.
func (r *Renderer) Inside(e *store.Event) (inside *store.Event, open bool) {
	if r.Unlocked(e) {
		return e, true
	}
	return protected, false
}

// Zone returns the zone of an event.
func (r *Renderer) Zone(e *store.Event) *caltime.Zone {
	zone, err := r.Zones.Load(e.Timezone)
	if err != nil {
		return caltime.UTC() // the store holds what a zone file of another day knew
	}
	return zone
}

// Ended reports whether an event was over at a moment, whatever clocks show.
func (r *Renderer) Ended(e *store.Event, moment time.Time) bool {
	return r.Zone(e).Instant(e.End.Time()).Before(moment)
}

// nightMost is how long a night takes, and is not as long.
const nightMost = 12 * 60 * 60

// Times returns the start and the end of an event on the clock of the site, by whose days pages
// group, and the end of its days. That is the end, but a night, which ends by DayEnds, is of its
// first day alone. Whole days are the same everywhere, as far as everybody may know that they are
// whole.
func (r *Renderer) Times(e *store.Event) (start, end, last store.Wall) {
	start = e.Start
	end = e.End
	if (!e.AllDay || e.Password != "") && e.Timezone != r.Site.Name() {
		zone := r.Zone(e)
		start = store.WallOf(r.Site.Wall(zone.Instant(e.Start.Time())))
		end = store.WallOf(r.Site.Wall(zone.Instant(e.End.Time())))
		end = max(start, end) // clocks may be put back here, but not there
	}
	midnight := store.WallOf(caltime.StartOfDay(end.Time()))
	if start < midnight && end-midnight <= r.DayEnds && end-start < nightMost {
		return start, end, midnight
	}
	return start, end, end
}

// AppendVenues appends the venues that the inside of an event shows, in their order. One in the
// trash stays linked, and is shown to nobody, until it is restored.
func (r *Renderer) AppendVenues(list []*store.Venue, inside *store.Event) []*store.Venue {
	return appendReadable(r, list, store.Venues, inside.Venues)
}

// AppendOrganizers is AppendVenues for organizers.
func (r *Renderer) AppendOrganizers(
	list []*store.Organizer,
	inside *store.Event,
) []*store.Organizer {
	return appendReadable(r, list, store.Organizers, inside.Organizers)
}

func appendReadable[T store.Record](r *Renderer, list []T, k store.Kind, ids []int64) []T {
	for _, id := range ids {
		record, ok := r.Source.Get(k, id).(T)
		if !ok {
			continue
		}
		if p := store.PostOf(record); p.Status != store.Trash && r.Readable(p) {
			list = append(list, record)
		}
	}
	return list
}

// AppendTerms appends the terms with some ids, by name.
func (r *Renderer) AppendTerms(list []*store.Term, k store.Kind, ids []int64) []*store.Term {
	from := len(list)
	for _, id := range ids {
		if t := get[*store.Term](r.Source, k, id); t != nil {
			list = append(list, t)
		}
	}
	if len(list)-from > 1 {
		slices.SortFunc(
			list[from:],
			func(a, b *store.Term) int { return markup.Compare(a.Name, b.Name) },
		)
	}
	return list
}

// Series returns the series of an event, or nil if there is none that the caller may
// read.
func (r *Renderer) Series(e *store.Event) *store.Series {
	if e.Recurrence == nil {
		return nil
	}
	if s := get[*store.Series](r.Source, store.AllSeries, e.Recurrence.Series); s != nil &&
		r.Readable(&s.Event.Post) {
		return s
	}
	return nil
}

// Later returns the part of a series that goes on after it and that the caller may read, or nil.
func (r *Renderer) Later(s *store.Series) *store.Series {
	seen := map[int64]bool{0: true}
	for id := s.Event.Parts.Later; !seen[id]; id = s.Event.Parts.Later {
		seen[id] = true
		if s = get[*store.Series](r.Source, store.AllSeries, id); s == nil {
			break
		}
		if s.Event.Status != store.Trash && r.Readable(&s.Event.Post) {
			return s
		}
	}
	return nil
}

// Image returns the image with an id, or nil, with its addresses as clients have them. Most
// records have none, so 0 is not looked up.
func (r *Renderer) Image(id int64) *store.Image {
	if id == 0 {
		return nil
	}
	return r.located(get[*store.Image](r.Source, store.Images, id))
}

// located returns an image with its addresses as clients have them. Addresses of uploads are
// stored without a host.
func (r *Renderer) located(i *store.Image) *store.Image {
	if i == nil || i.Directory == "" {
		return i
	}
	located := *i
	located.URL = r.Origin + i.URL
	located.Sizes = slices.Clone(i.Sizes)
	for n := range located.Sizes {
		located.Sizes[n].URL = r.Origin + i.Sizes[n].URL
	}
	return &located
}

// Located returns HTML with the addresses of uploads as clients have them.
func (r *Renderer) Located(html string) string {
	if !strings.Contains(html, store.MediaPath) {
		return html
	}
	var pairs []string
	for _, before := range []string{`"`, `'`, `w, `} { // the last one is in srcset
		pairs = append(pairs, before+store.MediaPath, before+r.Origin+store.MediaPath)
	}
	return strings.NewReplacer(pairs...).Replace(html)
}

// EventPage returns the address of an event's public page.
func (r Renderer) EventPage(p *store.Post) string { return r.pageOf(p, eventPages) }

// VenuePage returns the address of a venue's public page, and OrganizerPage that of an
// organizer's.
func (r Renderer) VenuePage(p *store.Post) string     { return r.pageOf(p, venuePages) }
func (r Renderer) OrganizerPage(p *store.Post) string { return r.pageOf(p, organizerPages) }

func (r Renderer) pageOf(p *store.Post, at pages) string {
	if isBySlug(p) {
		return r.Origin + r.Slugs.Page(at.bySlug) + p.Slug + "/"
	}
	return r.Origin + at.byID + strconv.FormatInt(p.ID, 10)
}

// Cost returns the cost of the inside of an event for readers, "" if it is not known.
func (r *Renderer) Cost(inside *store.Event) string {
	site := r.Currency
	if there, known := r.Locale.Currency(site.Code); known && there.Symbol == site.Symbol {
		site = there
	}
	return inside.Written(site, r.Free)
}

// AppendLinkedData appends what search engines are told of an event, as an object of
// JSON, if it is open to everybody.
func (r *Renderer) AppendLinkedData(b []byte, e *store.Event) []byte {
	return r.linkedEvent(b, e, false, "")
}

// AppendLinkedItem is AppendLinkedData for lists, with shortened texts and the page of the event.
func (r *Renderer) AppendLinkedItem(b []byte, e *store.Event, page string) []byte {
	return r.linkedEvent(b, e, true, page)
}

func (r *Renderer) linkedEvent(b []byte, e *store.Event, brief bool, page string) []byte {
	inside, open := r.Inside(e)
	if !open || e.Password != "" {
		return b
	}
	return r.linked(b, func(w *writer) {
		w.brief = brief
		w.at = page
		w.eventLD(
			e,
			r.Zone(e),
			first(r.AppendVenues(nil, inside)),
			first(r.AppendOrganizers(nil, inside)),
		)
	})
}

// AppendLinkedVenue and AppendLinkedOrganizer append what search engines are told of a venue
// or an organizer that the caller may read, with its page.
func (r *Renderer) AppendLinkedVenue(b []byte, v *store.Venue, page string) []byte {
	return r.linked(b, func(w *writer) { w.placeLD(v, page) })
}

func (r *Renderer) AppendLinkedOrganizer(b []byte, o *store.Organizer, page string) []byte {
	return r.linked(b, func(w *writer) { w.partyLD("Organization", o, page) })
}

// linked appends linked data for an element of a page: an object that says whose words it has.
func (r *Renderer) linked(b []byte, write func(*writer)) []byte {
	w := r.writer(b)
	w.plain = true
	w.linkedData("", func() { write(&w) })
	if !bytes.HasPrefix(w.b[len(b):], []byte(`{"@context":`)) {
		w.b = slices.Insert(w.b, len(b)+1, []byte(`"@context":"https://schema.org",`)...)
	}
	return w.b
}

// GlobalID returns the id in the world of the record with an id, as the member
// global_id shows it.
func (r *Renderer) GlobalID(id int64) string {
	b := append(append(make([]byte, 0, 64), r.home()...), "?id="...)
	return string(strconv.AppendInt(b, id, 10))
}

// UID returns what calendars and feed readers know a record by: the oldest of its
// global ids, as it is. It stays when the event moves, and when the calendar does.
func (r *Renderer) UID(p *store.Post) string {
	if n := len(p.Origins); n > 0 {
		return p.Origins[n-1]
	}
	return r.GlobalID(p.ID)
}

// home returns the host part of global ids.
func (r *Renderer) home() string { return cmp.Or(r.Identity, withoutScheme(r.Origin)) }

// withoutScheme returns the origin of a site without its scheme and port.
func withoutScheme(origin string) string {
	_, site, _ := strings.Cut(origin, "://")
	if colon := strings.LastIndexByte(site, ':'); colon > strings.LastIndexByte(site, ']') {
		site = site[:colon] // not one of an IPv6 address
	}
	return site
}
