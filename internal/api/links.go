// The addresses of the pages of a list.

package api

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"almanac/internal/wire/params"
)

// pair is one name and value of a link's query. No name has to be escaped there.
type pair struct{ name, value string }

func itoa(n int) string {
	return strconv.Itoa(n)
}

// echo returns the query that asks for a list again, by the rows of its parameters. The list's own
// parameters are in made; a parameter that is not there is left out.
func (l *List) echo(values params.Values, made []pair) []pair {
	var query []pair
	for _, row := range l.Op.links {
		var text string
		var ok bool
		switch row.Echo.Form {
		case params.EchoSent:
			text, ok = l.In.Echo(row.Name)
		case params.EchoRead:
			text, ok = values.Repeat(row.Name)
		case params.EchoMade:
			if i := slices.IndexFunc(made, func(p pair) bool {
				return p.name == row.Name
			}); i >= 0 {
				text = made[i].value
				ok = true
			}
		}
		if ok {
			query = append(query, pair{row.Name, text})
		}
	}
	return query
}

// pageLinks are the addresses that a list names.
type pageLinks struct {
	self, next, previous string   // the last two may be ""
	fields               []string // first, next, prev and last, as values of the Link header
}

// linkPages returns the addresses of the pages of a list. The number of a page comes last, and the
// first page has none; lists name themselves with their number, first of all.
func (l *List) linkPages(pages int) (u pageLinks) {
	if l.Op.is(secret) {
		return u
	}
	address := l.Site.API + "/" + cmp.Or(l.Path, l.Name) + cmp.Or(l.Op.formatOrJSON().Extension, "/")
	if l.isLegacy() {
		address = l.legacyURL("/" + l.Name)
	}
	var query []byte
	for i, p := range l.query {
		if i > 0 {
			query = append(query, '&')
		}
		query = append(append(append(query, p.name...), '='), url.QueryEscape(p.value)...)
	}
	first := address
	if len(query) > 0 {
		first += "?" + string(query)
	}
	add := func(page int, relation string) (href string) {
		href = first
		if page != 1 && len(query) > 0 {
			href += "&page=" + itoa(page)
		} else if page != 1 {
			href += "?page=" + itoa(page)
		}
		u.fields = append(u.fields, "<"+href+`>; rel="`+relation+`"`)
		return href
	}
	u.fields = make([]string, 0, 5)
	u.self = add(1, "first")
	if !l.bare {
		u.self = address + "?page=" + itoa(l.Page) + "&" + string(query)
	}
	if l.Page < pages {
		u.next = add(l.Page+1, "next")
	}
	if l.Page != 1 {
		u.previous = add(l.Page-1, "prev")
	}
	add(max(1, pages), "last")
	return u
}
