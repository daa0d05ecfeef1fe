// Lists: paging, totals and the links between pages.

package rest

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"
	"time"

	"almanac/caltime"
	"almanac/filters"
	"almanac/params"
	"almanac/store"
	"almanac/wire"
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
	plan  filters.Plan
	took  time.Duration

	public [sha256.Size]byte // what everybody may see, in the state that tag names
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

// errKnown ends the making of a list that is known already.
var errKnown = errors.New("the list is known")

// known looks whether a list with a tag need not be made: the caller has it, or
// it is kept.
func (r *request) known(l *list, v *store.View) error {
	l.public = v.HeadFor(0) // lists are kept for strangers
	if r.unchanged(l.tag) {
		l.answer = &response{status: http.StatusNotModified, tag: l.tag}
	} else if l.tag != "" {
		l.answer = r.same(l.tag, l.public)
	}
	if l.answer != nil {
		return errKnown
	}
	return nil
}

// failed answers what needs no list made.
func (r *request) failed(err error, l list) (*response, error) {
	if err == errKnown {
		return l.answer, nil
	}
	return nil, err
}

// answerList makes the answer, with its links.
func (r *request) answerList(l list) *response {
	pages := (l.total + l.perPage - 1) / l.perPage
	u := r.linkPages(&l, pages)
	b := body{append(r.scratch.body.text[:0], '{'), r.scratch.body.items[:0]}
	if l.bare {
		b.text = wire.AppendString(append(b.text, `"rest_url":`...), u.self)
		b.text = appendTotals(append(b.text, ','), l.total, pages)
		b.text = append(b.text, ',')
	}
	b.text = append(append(append(b.text, '"'), l.name...), `":[`...)
	for i, one := range l.items {
		if i > 0 {
			b.text = append(b.text, ',')
		}
		r.add(&b, one)
	}
	b.text = append(b.text, ']')
	if !l.bare {
		b.text = wire.AppendString(append(b.text, `,"rest_url":`...), u.self)
	}
	if u.next != "" {
		b.text = wire.AppendString(append(b.text, `,"next_rest_url":`...), u.next)
	}
	if u.previous != "" {
		b.text = wire.AppendString(append(b.text, `,"previous_rest_url":`...), u.previous)
	}
	if !l.bare {
		b.text = appendTotals(append(b.text, ','), l.total, pages)
	}
	b.text = append(b.text, '}')
	r.scratch.body = b
	answer := &response{status: http.StatusOK, tag: l.tag, total: &total{l.total, pages}, links: u.fields, json: b}
	r.explainList(answer, l)
	r.keep(answer, l.public)
	return answer
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

// echo adds the parameters that were sent, as they were sent.
func (r *request) echo(query []pair, names ...string) []pair {
	for _, name := range names {
		if text, ok := r.in.Echo(name); ok {
			query = append(query, pair{name, text})
		}
	}
	return query
}
