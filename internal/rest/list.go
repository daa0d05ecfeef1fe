// Lists: paging, totals and the links between pages.

package rest

import (
	"crypto/sha256"
	"math/bits"
	"net/http"
	"slices"
	"strconv"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/store"
)

// A paging is which part of a list is asked for.
type paging struct {
	page, perPage int
	clamped       bool // more was asked for than a page may have
}

// paging reads page and per_page. Larger pages than the server gives are cut.
func (r *request) paging(values params.Values) paging {
	const last = 1 << 40 // no list has so many pages, and offsets still fit
	p := paging{page: int(min(values.Int("page"), last)), perPage: int(min(values.Int("per_page"), last))}
	if p.perPage > r.maxPerPage {
		p.perPage, p.clamped = r.maxPerPage, true
	}
	return p
}

func (p paging) offset() int { return (p.page - 1) * p.perPage }

// A list is one page of a list, to be answered.
type list struct {
	name  string // "events"
	items []shown
	total int
	paging
	query []pair // what rest_url says beside page
	bare  bool   // rest_url leaves page out, and the items stand behind the totals: of terms
	tag   string // names the state, if that is known without looking
	plan  store.Plan
	took  time.Duration

	state  [sha256.Size]byte // in which it is found, see request.seen
	answer *response         // when it is known without being made
}

// explained measures how long f takes to find the list, if it is to be told.
func (r *request) explained(l *list, f func()) {
	if !r.explain {
		f()
		return
	}
	elapsed := caltime.Stopwatch()
	f()
	l.took += elapsed()
}

// known looks whether a list with a tag need not be made, since the caller has it
// or it is kept: then it has its answer.
func (r *request) known(l *list, v *store.View) bool {
	l.state, l.answer = r.seen(v.State()), nil
	if r.unchanged(l.tag) {
		l.answer = &response{status: http.StatusNotModified, tag: l.tag}
	} else if l.tag != "" {
		l.answer = r.same(l.tag, l.state)
	}
	return l.answer != nil
}

// answerList makes the answer, with its links.
func (r *request) answerList(l list) (answer *response, err error) {
	if answer = r.heldList(l); answer == nil {
		var size int64
		if cut := func() { size = r.cut(&l) }; slices.ContainsFunc(l.items, shown.unmeasured) {
			err = r.measured(cut)
		} else {
			cut()
		}
		if err == nil && size <= heldMost {
			answer = r.heldList(l)
		}
		if err == nil && answer == nil {
			answer, err = r.longList(l)
		}
	}
	if err != nil {
		return nil, err
	}
	r.explainList(answer, l)
	r.keep(answer, l.state)
	return answer, nil
}

// heldList makes the answer in memory: nil if it must not be there, or if its
// records take more than they may.
func (r *request) heldList(l list) *response {
	known := int64(0)
	for i := range l.items {
		if known += l.items[i].size; known > heldMost { // size is 0 of those that are not measured
			return nil
		}
	}
	e := r.edges(&l)
	b := body{e.appendBefore(r.scratch.body.text[:0], &l), r.scratch.body.items[:0]}
	from := len(b.text)
	for i := range l.items {
		if i > 0 {
			b.text = append(b.text, ',')
		}
		if !r.add(&b, &l.items[i]) || i > 0 && int64(len(b.text)-from) > most(r.bounds.Answer) {
			r.dropBody()
			return nil
		}
	}
	b.text = e.appendAfter(b.text, &l)
	r.scratch.body = b
	return &response{status: http.StatusOK, tag: l.tag, total: &total{l.total, e.pages}, links: e.links.fields, json: b}
}

// cut takes records from the end of a page until the others take no more than
// they may; the first one stays. It makes the page one of as many records as are
// left, so that the next one begins right behind them: their number divides
// per_page, and so what stands before the page. On the first page, where nothing
// does, it is a power of two, which later pages can halve. Whoever has gone to the
// end finds the same way back, since smaller pages lie within larger ones that were
// not too large. It returns how long the records are that are left.
func (r *request) cut(l *list) (size int64) {
	fit := 0
	for ; fit < len(l.items); fit++ {
		more := r.measure(&l.items[fit]) + int64(min(fit, 1)) // with the comma before it
		if fit > 0 && size+more > most(r.bounds.Answer) {
			break
		}
		size += more
	}
	if fit == len(l.items) {
		return size
	}
	before, n := l.offset(), fit
	if before == 0 {
		n = 1 << (bits.Len(uint(fit)) - 1)
	}
	for before > 0 && l.perPage%n != 0 {
		n--
	}
	l.items = l.items[:n]
	l.page, l.perPage, l.clamped = before/n+1, n, true
	if perPage := (pair{"per_page", itoa(n)}); len(l.query) > 0 && l.query[0].name == perPage.name {
		l.query[0] = perPage
	} else {
		l.query = append([]pair{perPage}, l.query...)
	}
	return size
}

// longList makes an answer that is not in memory.
func (r *request) longList(l list) (*response, error) {
	for i := range l.items {
		if err := r.sendable(&l.items[i]); err != nil {
			return nil, err
		}
	}
	e := r.edges(&l)
	before, after := e.appendBefore(nil, &l), e.appendAfter(nil, &l)
	size := int64(len(before) + len(after))
	for i := range l.items {
		size += r.measure(&l.items[i])
	}
	size += int64(max(0, len(l.items)-1)) // commas
	parts := func(yield func([]byte) bool) {
		if !yield(before) {
			return
		}
		for i := range l.items {
			if i > 0 && !yield([]byte(",")) {
				return
			}
			for part := range r.partsOf(&l.items[i]) {
				if !yield(part) {
					return
				}
			}
		}
		yield(after)
	}
	return &response{status: http.StatusOK, tag: l.tag, total: &total{l.total, e.pages}, links: e.links.fields, long: &long{size, parts}}, nil
}

// The edges of a list are what stands around its records.
type edges struct {
	pages int
	links pageLinks
}

func (r *request) edges(l *list) edges {
	pages := (l.total + l.perPage - 1) / l.perPage
	return edges{pages, r.linkPages(l, pages)}
}

func (e *edges) appendBefore(b []byte, l *list) []byte {
	b = append(b, '{')
	if l.bare {
		b = render.AppendString(append(b, `"rest_url":`...), e.links.self)
		b = append(appendTotals(append(b, ','), l.total, e.pages), ',')
	}
	return append(append(append(b, '"'), l.name...), `":[`...)
}

func (e *edges) appendAfter(b []byte, l *list) []byte {
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
		b = appendTotals(append(b, ','), l.total, e.pages)
	}
	return append(b, '}')
}

func appendTotals(b []byte, total, pages int) []byte {
	b = strconv.AppendInt(append(b, `"total":`...), int64(total), 10)
	return strconv.AppendInt(append(b, `,"total_pages":`...), int64(pages), 10)
}

// explainList says what was done to the list that the caller did not ask for,
// and with -explain how it was found.
func (r *request) explainList(a *response, l list) {
	if !l.clamped && !r.explain {
		return
	}
	a.header = map[string]string{}
	if l.clamped {
		a.header["X-Almanac-Clamped"] = "per_page=" + strconv.Itoa(l.perPage)
	}
	if r.explain {
		a.header["X-Almanac-Plan"] = "index=" + l.plan.Index + "; candidates=" + strconv.Itoa(l.plan.Candidates) + "; took=" + l.took.String()
	}
}
