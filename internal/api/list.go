// Lists: paging, totals and the links between pages.

package api

import (
	"math/bits"
	"net/http"
	"slices"
	"strconv"
	"time"

	"almanac/filters"
	"almanac/internal/admission"
	"almanac/internal/caltime"
	"almanac/internal/feed"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

// A Paging is which part of a list is asked for.
type Paging struct {
	Page, perPage int
	clamped       bool // more was asked for than a page may have
}

// paging reads page and per_page. Larger pages than the server gives are cut.
func (l *List) paging(values params.Values) Paging {
	const last = 1 << 40 // more than any list has, and offsets still fit
	p := Paging{
		Page:    int(min(values.Int("page"), last)),
		perPage: int(min(values.Int("per_page"), last)),
	}
	if p.perPage > l.MaxPerPage {
		p.perPage = l.MaxPerPage
		p.clamped = true
	}
	return p
}

// Offset returns the number of items before the page.
func (p Paging) Offset() int { return (p.Page - 1) * p.perPage }

// Pages returns how many pages the list has.
func (l *List) Pages() int { return (l.Total + l.perPage - 1) / l.perPage }

// A List is one page of a list, to be answered.
type List struct {
	*Call
	Name  string // "events"
	Path  string // below the API, with other words than Name; "" is Name
	items []item
	Total int
	Paging
	query  []pair // parameters of rest_url beside page
	bare   bool   // rest_url leaves page out, and items follow the totals
	Tag    string // names the state, if that is known without looking
	plan   store.Plan
	Day    *store.Wall     // see filters.Events
	Gone   bool            // see there
	IsNow  bool            // what has not ended is of the day
	Filter *filters.Events // of a list of events

	Upcoming *store.Wall    // midnight at which ongoing events are found apart; nil is none
	Ongoing  []*store.Event // by start
	Next     *store.Event   // first event of the next page, with Upcoming; nil is none

	took    time.Duration
	texts   int               // bytes of ShowText
	version respcache.Version // in which it is found
}

// Show appends records to the page. The caller may see them.
func (l *List) Show(v *store.View, records ...store.Record) {
	for _, one := range records {
		l.items = append(l.items, l.item(v, one, false))
	}
}

// ShowText appends a record to the page, as JSON that is in memory until it is sent. It reports
// whether the page has room for it; if not, the page is cut. The first one always fits.
func (l *List) ShowText(record store.Record, text []byte) (fits bool, err error) {
	if len(l.items) > 0 && l.texts+len(text) > respond.HeldMost {
		l.cutTo(len(l.items))
		return false, nil
	}
	if l.texts += len(text); !l.reserved.Shared(l.texts) {
		return false, errBusy
	}
	l.items = append(l.items, item{
		record: record,
		fragment: &respond.Fragment{
			Text: text,
		},
		size: int64(len(text)),
	})
	return true, nil
}

// AskPage reads which page is asked for, of a list without other parameters.
func (l *List) AskPage(values params.Values) {
	l.Paging = l.paging(values)
	l.query = []pair{{"per_page", itoa(l.perPage)}}
}

// Ask reads which page is asked for, and notes the state of a list whose other parameters need no
// more than their words.
func (l *List) Ask(v *store.View, values params.Values) {
	l.Paging = l.paging(values)
	l.query, l.Tag = l.echo(values, []pair{{"per_page", itoa(l.perPage)}}), l.StateTag(v)
}

// OfPage returns those of the found items that are on the page.
func OfPage[T any](l *List, found []T) []T {
	l.Total = len(found)
	from := min(l.Offset(), l.Total)
	return found[from:min(from+l.perPage, l.Total)]
}

// explained measures how long f takes to find the list, if it is to be told.
func (l *List) explained(f func()) {
	if !l.explain {
		f()
		return
	}
	elapsed := caltime.Stopwatch()
	f()
	l.took += elapsed()
}

// Do answers with the remembered answer of a list, or a 304, or else makes it: look names the
// state of the list by its tag, find finds it in the same state, and make makes the answer when
// the state is released.
func (l *List) Do(
	look, find func(*store.View, params.Values) error,
	make func() (*respond.Response, error),
) (*respond.Response, error) {
	var known *respond.Response
	err := l.InView(func(v *store.View, values params.Values) (err error) {
		l.items = nil
		if err := look(v, values); err != nil {
			return err
		}
		if known = l.revalidate(v); known != nil {
			return nil
		}
		return find(v, values)
	})
	if err != nil || known != nil {
		return known, err
	}
	answer, err := make()
	if err == nil && answer != nil {
		remembering{l.Call}.remember(answer, l.version)
	}
	return answer, err
}

// Response makes the answer, with its links.
func (l *List) Response() (answer *respond.Response, err error) {
	size := l.cut()
	if size <= 2*respond.HeldMost && l.texts <= respond.HeldMost/2 { // it is most often shorter
		answer = l.buffered()
	}
	if answer == nil {
		if answer, err = l.streamed(); err != nil {
			return nil, err
		}
	}
	if f := l.Asked.Form; f != nil &&
		!f.Selects(
			l.Name,
			"rest_url",
			"next_rest_url",
			"previous_rest_url",
			"total",
			"total_pages",
		) {
		l.Asked.Ignored = "_fields"
	}
	l.explainOn(answer)
	answer.Keys = l.keys(l.Name, l.items)
	return answer, nil
}

// buffered makes the answer in memory: nil if it must not be there.
func (l *List) buffered() *respond.Response {
	e := l.envelope()
	b := e.appendBefore(l.buffers.body[:0], l)
	reserved := false
	for i := range l.items {
		if i > 0 {
			b = append(b, l.Op.documents().Between...)
		}
		if b, reserved = l.items[i].appendTo(b, l.Call); !reserved {
			l.dropBody()
			return nil
		}
	}
	l.buffers.body = e.appendAfter(b, l)
	return e.answer(l, respond.Response{Body: respond.Body{Text: l.buffers.body}})
}

// cut takes records from the end of a page until the stored texts of the rest take no more than
// an answer may; the first record stays. It returns how long the rest is, about.
func (l *List) cut() (size int64) {
	show := l.Renderer(nil)
	fit := 0
	for ; fit < len(l.items); fit++ {
		it := &l.items[fit]
		if it.size == 0 {
			show.Source = it.shown
			it.size = show.Bytes(it.record)
		}
		if fit > 0 && size+it.size > admission.Most(l.bounds.Answer) {
			break
		}
		size += it.size
	}
	if fit < len(l.items) {
		l.cutTo(fit)
	}
	return size
}

// cutTo makes the page one of as many records as fit, or fewer, so that the next one begins right
// behind them: their number divides per_page, and so what stands before the page. On the first
// page, where nothing does, it is a power of two, which later pages can halve. Paging backwards
// meets the same page boundaries: each shortened page is aligned to its own size.
func (l *List) cutTo(fit int) {
	before := l.Offset()
	n := fit
	if before == 0 {
		n = 1 << (bits.Len(uint(fit)) - 1)
	}
	for before > 0 && l.perPage%n != 0 {
		n--
	}
	l.items = l.items[:n]
	l.Page = before/n + 1
	l.perPage = n
	l.clamped = true
	if perPage := (pair{"per_page", itoa(n)}); len(l.query) > 0 &&
		l.query[0].name == perPage.name {
		l.query[0] = perPage
	} else {
		l.query = append([]pair{perPage}, l.query...)
	}
}

// streamed makes an answer that is not in memory, nor pins the cache there: a client may take it
// slowly. It is refused when too many others have long parts. The texts of ShowText are in memory
// until then.
func (l *List) streamed() (*respond.Response, error) {
	if l.texts > 0 && !l.reserved.Shared(l.texts) {
		return nil, errBusy
	}
	if slices.ContainsFunc(l.items, func(it item) bool { return it.size > respond.PartSize }) &&
		!l.reserved.Answer(heldParts) {
		return nil, errBusy
	}
	e := l.envelope()
	before := e.appendBefore(nil, l)
	after := e.appendAfter(nil, l)
	parts := func(yield func([]byte) bool) {
		if !yield(before) {
			return
		}
		for i := range l.items {
			if i > 0 && !yield([]byte(l.Op.documents().Between)) {
				return
			}
			if l.texts > 0 {
				if !yield(l.items[i].fragment.Text) {
					return
				}
				continue
			}
			for part := range l.rendering(l.items[i].shown, l.items[i].record, false).parts() {
				if !yield(part) {
					return
				}
			}
		}
		yield(after)
	}
	return e.answer(l, respond.Response{Long: &respond.Long{Parts: parts}}), nil
}

// The envelope of a list is the text around its records.
type envelope struct {
	pages  int
	links  pageLinks
	format *feed.Format // nil is JSON
	about  feed.List
}

func (l *List) envelope() envelope {
	pages := l.Pages()
	e := envelope{pages: pages, links: l.linkPages(pages), format: l.Op.format}
	if e.format == nil {
		if l.Op.formats != nil {
			e.links.fields = append(e.links.fields, l.feedLink("/events"))
		}
		return e
	}
	self := l.asking("/events" + e.format.Extension)
	if l.Page > 1 {
		self = e.links.self
	}
	e.about = l.about(self, e.links)
	for i := range l.items {
		if modified := store.PostOf(l.items[i].record).Modified; modified.After(e.about.Updated) {
			e.about.Updated = modified
		}
	}
	return e
}

// answer returns a body as the answer that is the list.
func (e *envelope) answer(l *List, a respond.Response) *respond.Response {
	a.Status = http.StatusOK
	a.Tag = l.Tag
	a.Links = e.links.fields
	a.Total = &respond.Total{Items: l.Total, Pages: e.pages}
	if e.format != nil {
		a.Media = e.format.Media
	}
	return &a
}

func (e *envelope) appendBefore(b []byte, l *List) []byte {
	if e.format != nil {
		return e.format.Head(b, &e.about)
	}
	b = append(b, '{')
	if l.bare {
		b = render.AppendString(append(b, `"rest_url":`...), e.links.self)
		b = append(appendTotals(append(b, ','), l.Total, e.pages), ',')
	}
	return append(append(append(b, '"'), l.Name...), `":[`...)
}

func (e *envelope) appendAfter(b []byte, l *List) []byte {
	if e.format != nil {
		return append(b, e.format.Tail...)
	}
	b = append(b, ']')
	if !l.bare {
		b = render.AppendString(append(b, `,"rest_url":`...), e.links.self)
	}
	if e.links.next != "" {
		b = render.AppendString(append(b, `,"next_rest_url":`...), e.links.next)
	}
	if e.links.previous != "" {
		b = render.AppendString(append(b, `,"previous_rest_url":`...), e.links.previous)
	}
	if !l.bare {
		b = appendTotals(append(b, ','), l.Total, e.pages)
	}
	return append(b, '}')
}

func appendTotals(b []byte, total, pages int) []byte {
	b = strconv.AppendInt(append(b, `"total":`...), int64(total), 10)
	return strconv.AppendInt(append(b, `,"total_pages":`...), int64(pages), 10)
}

// explainOn says what was done to the list that the caller did not ask for,
// and with -explain how it was found.
func (l *List) explainOn(a *respond.Response) {
	if !l.clamped && !l.explain {
		return
	}
	a.Header = map[string]string{}
	if l.clamped {
		a.Header["X-Almanac-Clamped"] = "per_page=" + strconv.Itoa(l.perPage)
	}
	if l.explain {
		a.Header["X-Almanac-Plan"] = "index=" + l.plan.Index + "; candidates=" + strconv.Itoa(
			l.plan.Candidates,
		) + "; took=" + l.took.String()
	}
}
