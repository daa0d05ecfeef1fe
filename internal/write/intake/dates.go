// Dates of series as the paid edition of The Events Calendar lists them: separate records, and
// only their addresses show that they belong to one series.

package intake

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/internal/text/markup"
	"almanac/internal/text/rrule"
	"almanac/store"
)

// A seriesDate is the date of a series in the address of an event.
type seriesDate struct {
	origin string // origin of the series: site and slug there
	series string // slug of the series
	slug   string // of the event of this date here
}

// datedPage is the path of the page of a date of a series. The first segment differs between
// sites. A number after the date counts the events of one day, from the second.
var datedPage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/[^/]+/([^/]+)/(\d{4}-\d\d-\d\d)(?:/(\d{1,4}))?/?$`)
})

// page returns the address of a record that a site lists, or of a date in its calendar, "" for
// none.
func (rd *reader) page(r *record) string {
	page := r.text("url")
	if rd.seed || r.partial || r.embedded || !r.has("global_id") ||
		!strings.Contains(page, "://") || runsScript(page) {
		return ""
	}
	return page
}

func (rd *reader) dateOfSeries(r *record) *seriesDate {
	page, err := url.Parse(rd.page(r))
	site, _, ok := strings.Cut(r.ownID(), "?")
	if err != nil || !ok || r.object("recurrence").has("series") || rd.isLimited() {
		return nil
	}
	m := datedPage().FindStringSubmatch(page.EscapedPath())
	if m == nil {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, m[2]); err != nil {
		return nil
	}
	d := &seriesDate{series: asStored(strings.ToLower(m[1]))}
	if d.series == "" {
		return nil
	}
	behind := m[2]
	if number := strings.TrimLeft(m[3], "0"); number != "" && number != "1" {
		behind += "-" + number
	}
	d.origin, d.slug = site+"?series="+d.series, markup.Join(d.series, behind)
	return d
}

// renumbered returns the event that has the address of r, but another id and an older change, or
// was made here. Sites give the dates of a series new ids when its times change.
func (im *importer) renumbered(r *record) *store.Event {
	d := im.dateOfSeries(r)
	if d == nil {
		return nil
	}
	s, _ := im.byGlobal(store.AllSeries, d.origin).(*store.Series)
	e, _ := im.tx.BySlug(store.Events, d.slug).(*store.Event)
	if s == nil || e == nil || e.Recurrence == nil || e.Recurrence.Series != s.ID ||
		len(e.Origins) > 0 && !im.stamp(r, "modified").At.After(e.Modified) {
		return nil
	}
	next := *e
	next.Origins = slices.Insert(
		slices.Clone(e.Origins),
		max(0, len(e.Origins)-1),
		r.ownID(),
	) // the oldest is the last
	return &next
}

// firstProvisional is the first of the numbers that the paid edition gives to dates of events, of
// single ones too. Its calendars have them, and its lists those of series alone.
const firstProvisional = 10_000_000

// IsProvisional reports whether a global id has such a number.
func IsProvisional(global string) bool {
	_, text, _ := strings.Cut(global, "?id=")
	id, err := strconv.ParseInt(text, 10, 64)
	return err == nil && id >= firstProvisional
}

// atPage returns the event at the address and the start of r that is known by another number, if
// one of the two is provisional, or nil.
func (im *importer) atPage(r *record) *store.Event {
	page := im.page(r)
	if page == "" || im.isLimited() {
		return nil
	}
	e, _ := im.tx.ByOrigin(store.Events, page).(*store.Event)
	if e == nil || e.Start != im.startOf(r) ||
		!IsProvisional(r.text("global_id")) && !slices.ContainsFunc(e.Origins, IsProvisional) {
		return nil
	}
	return e
}

// joinDate makes an event an instance of its series. The first date that is imported creates the
// series. A start that another event of the file has moves by one second.
func (im *importer) joinDate(d *seriesDate, e *store.Event) error {
	if e.Status == store.Trash {
		return nil
	}
	s, ok := im.byGlobal(store.AllSeries, d.origin).(*store.Series)
	if !ok {
		s = seriesLike(e, d.origin, d.series)
		if err := im.editor().StoreSeries(im.tx, s); err != nil {
			return err
		}
		im.remember(s)
	}
	zone, err := im.Zones.Load(e.Timezone)
	if err != nil {
		return err
	}
	undated := store.Series{Event: s.Event}
	x, err := im.editor().Expand(&undated)
	if err != nil {
		return err
	}
	at := x.DateIn(rrule.At(zone.Instant(e.Start.Time()), rrule.UTC))
	for other := im.tx.Instance(s.ID, at); other != nil && other.ID != e.ID; other = im.tx.Instance(s.ID, at) {
		if _, listed := im.report.Records[store.Events][other.ID]; !listed {
			break
		}
		at++
	}
	e.Recurrence = nil // so that only its own members differ
	return im.editor().Join(im.tx, s.ID, e, at, true)
}

// noteDate records that a date of a series changed.
func (im *importer) noteDate(r *record, id int64) {
	e := im.tx.Event(id)
	if e.Recurrence == nil || im.dateOfSeries(r) == nil {
		return
	}
	last := im.dated[e.Recurrence.Series]
	if known := im.tx.Event(last); e.Status == store.Publish &&
		(known == nil || e.Modified.After(known.Modified)) {
		last = id
	}
	im.dated[e.Recurrence.Series] = last
}
