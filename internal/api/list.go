// Lists: paging, totals and the links between pages.

package api

import (
	"bytes"
	"io"
	"math/bits"
	"net/http"
	"strconv"
	"time"

	"almanac/filters"
	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/store"
)

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
	Gone   bool            // see filters.Events
	IsNow  bool            // what has not ended is of the day
	Filter *filters.Events // of a list of events

	// makeFilter makes the filter, and the query of its links; nil is eventFilter.
	makeFilter func(*store.View, params.Values) (*filters.Events, []pair, error)

	Upcoming *store.Wall    // midnight at which ongoing events are found apart; nil is none
	Ongoing  []*store.Event // by start
	Next     *store.Event   // first event of the next page, with Upcoming; nil is none

	took  time.Duration
	texts int // bytes of ShowText
}

// A Paging is which part of a list is asked for.
type Paging struct {
	Page, perPage int
	clamped       bool // more was asked for than a page may have
}

// Offset returns the number of items before the page.
func (p Paging) Offset() int {
	return (p.Page - 1) * p.perPage
}

// Pages returns how many pages the list has.
func (l *List) Pages() int {
	return (l.Total + l.perPage - 1) / l.perPage
}

// Show appends records to the page. The caller may see them.
func (l *List) Show(v *store.View, records ...store.Record) {
	for _, one := range records {
		l.items = append(l.items, l.item(v, one))
	}
}

// ShowText appends a record to the page, as JSON. It reports whether the page has room for it; if
// not, the page is cut. The first one always fits.
func (l *List) ShowText(record store.Record, text []byte) (fits bool) {
	if len(l.items) > 0 && l.texts+len(text) > respond.LongFrom {
		l.cutTo(len(l.items))
		return false
	}
	l.texts += len(text)
	l.items = append(l.items, item{record: record, text: text})
	return true
}

// AskPage reads which page is asked for, of a list without other parameters.
func (l *List) AskPage(values params.Values) {
	l.Paging = l.paging(values)
	l.query = []pair{{"per_page", itoa(l.perPage)}}
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

// Ask reads which page is asked for, and notes the state of a list whose other parameters need no
// more than their words.
func (l *List) Ask(v *store.View, values params.Values) {
	l.Paging = l.paging(values)
	l.query = l.echo(values, []pair{{"per_page", itoa(l.perPage)}})
	l.Tag = l.StateTag(v)
	l.TrueUntil(time.Time{})
}

// OfPage returns those of the found items that are on the page.
func OfPage[T any](l *List, found []T) []T {
	l.Total = len(found)
	from := min(l.Offset(), l.Total)
	return found[from:min(from+l.perPage, l.Total)]
}

// Do answers with a 304 if the client has the list, or else makes it: look names the state of the
// list by its tag, find finds it in the same state, and make makes the answer when the state is
// released.
func (l *List) Do(
	look, find func(*store.View, params.Values) error,
	make func() (*respond.Response, error),
) (*respond.Response, error) {
	unchanged := false
	err := l.InView(func(v *store.View, values params.Values) (err error) {
		l.items = nil
		if err := look(v, values); err != nil {
			return err
		}
		unchanged = l.Asked.NotModified(l.Tag)
		if unchanged {
			return nil
		}
		return find(v, values)
	})
	switch {
	case err != nil:
		return nil, err
	case unchanged:
		return &respond.Response{Status: http.StatusNotModified, Tag: l.Tag}, nil
	}
	return make()
}

// Response makes the answer, with its links.
func (l *List) Response() (*respond.Response, error) {
	size := l.cut()
	e := l.envelope()
	var answer *respond.Response
	if size > respond.LongFrom {
		made, err := l.Document(l.Tag, func(w io.Writer) (string, error) {
			return l.Tag, l.write(w, &e)
		})
		if err != nil {
			return nil, err
		}
		answer = made
	} else {
		text := bytes.NewBuffer(make([]byte, 0, size))
		_ = l.write(text, &e) // a bytes.Buffer does not fail
		answer = &respond.Response{
			Status: http.StatusOK,
			Body:   respond.Text(text.Bytes()),
			Tag:    l.Tag,
		}
	}
	if f := l.Asked.Form; f != nil && !l.isLegacy() &&
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
	answer.Links = e.links.fields
	answer.Total = &respond.Total{Items: l.Total, Pages: e.pages}
	if e.format != nil {
		answer.Media = e.format.Media
	}
	l.explainOn(answer)
	return answer, nil
}

// cut takes records from the end of a page until the stored texts of the rest take no more than
// an answer may; the first record stays. It returns how long the rest is, about.
func (l *List) cut() (size int64) {
	show := l.Renderer(nil)
	fit := 0
	for ; fit < len(l.items); fit++ {
		it := &l.items[fit]
		more := int64(len(it.text))
		if it.text == nil {
			show.Source = it.links
			more = show.Bytes(it.record)
		}
		if fit > 0 && size+more > admission.Most(l.bounds.Answer) {
			break
		}
		size += more
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
	if l.isLegacy() {
		e.format = nil
		return e
	}
	if e.format == nil {
		if l.Op.formats != nil {
			e.links.fields = append(e.links.fields, l.feedLink("/events"))
		}
		return e
	}
	self := l.selfAddress("/events" + e.format.Extension)
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

// write writes the page.
func (l *List) write(w io.Writer, e *envelope) error {
	b := e.appendBefore(nil, l)
	for i := range l.items {
		if i > 0 {
			b = append(b, l.Op.formatOrJSON().Between...)
		}
		b = l.items[i].append(b, l.Call, false)
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err := w.Write(e.appendAfter(b, l))
	return err
}

func (e *envelope) appendBefore(b []byte, l *List) []byte {
	if e.format != nil {
		return e.format.Head(b, &e.about)
	}
	if l.isLegacy() {
		return append(b, '[')
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
	if l.isLegacy() {
		return b
	}
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

// measureFind runs f, which finds the list, and with -explain measures how long it takes.
func (l *List) measureFind(f func()) {
	if !l.explain {
		f()
		return
	}
	elapsed := caltime.Stopwatch()
	f()
	l.took += elapsed()
}
