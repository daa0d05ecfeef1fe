// Lists: paging, totals and the links between pages.

package rest

import (
	"net/url"
	"strconv"
	"strings"

	"almanac/params"
	"almanac/wire"
)

// A paging is which part of a list is asked for.
type paging struct{ page, perPage int }

// paging reads page and per_page. Larger pages than the server gives are cut.
func (r *request) paging(values params.Values) paging {
	const last = 1 << 40 // no list has so many pages, and offsets still fit
	return paging{int(min(values.Int("page"), last)), int(min(values.Int("per_page"), int64(r.maxPerPage)))}
}

func (p paging) offset() int { return (p.page - 1) * p.perPage }

// A list is one page of a list, to be answered.
type list struct {
	name  string // "events"
	items []any
	total int
	paging
	query []pair // what rest_url says beside page
	bare  bool   // rest_url leaves page out, and the items stand behind the totals: of terms
}

// answerList makes the answer, with its links.
func (r *request) answerList(l list) *response {
	pages := (l.total + l.perPage - 1) / l.perPage
	self := r.listURL(l, 1)
	if !l.bare {
		self = r.api("/" + l.name + "/?" + encode(append([]pair{{"page", strconv.Itoa(l.page)}}, l.query...)))
	}
	if l.items == nil {
		l.items = []any{}
	}
	var o wire.Object
	if !l.bare {
		o.Add(l.name, l.items)
	}
	o.Add("rest_url", self)
	links := []link{{rel: "first", href: r.listURL(l, 1)}}
	next, previous := "", ""
	if l.page < pages {
		next = r.listURL(l, l.page+1)
		links = append(links, link{rel: "next", href: next})
	}
	if l.page != 1 {
		previous = r.listURL(l, l.page-1)
		links = append(links, link{rel: "prev", href: previous})
	}
	links = append(links, link{rel: "last", href: r.listURL(l, max(1, pages))})
	if l.bare {
		o.Add("total", l.total)
		o.Add("total_pages", pages)
		o.Add(l.name, l.items)
	}
	if next != "" {
		o.Add("next_rest_url", next)
	}
	if previous != "" {
		o.Add("previous_rest_url", previous)
	}
	if !l.bare {
		o.Add("total", l.total)
		o.Add("total_pages", pages)
	}
	return &response{status: 200, body: o, total: &total{l.total, pages}, links: links}
}

// listURL gives the address of a page: page comes last, and the first page has
// none.
func (r *request) listURL(l list, page int) string {
	query := append([]pair(nil), l.query...)
	if page != 1 {
		query = append(query, pair{"page", strconv.Itoa(page)})
	}
	address := r.api("/" + l.name + "/")
	if len(query) == 0 {
		return address
	}
	return address + "?" + encode(query)
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

// pair is one name and value of a link's query.
type pair struct{ name, value string }

// encode writes a query in the order of the pairs.
func encode(pairs []pair) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value)
	}
	return strings.Join(parts, "&")
}
