// The addresses of the pages of a list.

package api

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"almanac/internal/params"
)

// pair is one name and value of a link's query. No name has to be escaped there.
type pair struct{ name, value string }

func itoa(n int) string { return strconv.Itoa(n) }

// echo returns the query that asks for a list again, by the rows of its parameters. The list's own parameters
// are in made; a parameter that is not there is left out.
func (l *List) echo(values params.Values, made []pair) []pair {
	query := l.buffers.pairs[:0]
	for _, row := range l.Op.links {
		var text string
		var ok bool
		switch row.Echo.Form {
		case params.EchoSent:
			text, ok = l.In.Echo(row.Name)
		case params.EchoRead:
			text, ok = values.Repeat(row.Name)
		case params.EchoMade:
			if i := slices.IndexFunc(made, func(p pair) bool { return p.name == row.Name }); i >= 0 {
				text, ok = made[i].value, true
			}
		}
		if ok {
			query = append(query, pair{row.Name, text})
		}
	}
	l.buffers.pairs = query
	return query
}

// pageLinks are the addresses that a list names.
type pageLinks struct {
	self, next, previous string   // the last two may be ""
	fields               []string // first, next, prev and last, as values of the Link header
}

// A linker writes addresses one behind the other, so that all of them are parts
// of one string.
type linker struct {
	text    []byte
	address string
	query   []byte // encoded, without page
}

// A textRange is a part of the text: from inclusive, to exclusive.
type textRange struct{ from, to int }

// page writes the address of a page: its number comes last, and the first page
// has none.
func (k *linker) page(n int) textRange {
	from := len(k.text)
	k.text = append(k.text, k.address...)
	sign := byte('?')
	if len(k.query) > 0 {
		k.text = append(append(k.text, sign), k.query...)
		sign = '&'
	}
	if n != 1 {
		k.text = strconv.AppendInt(append(append(k.text, sign), "page="...), int64(n), 10)
	}
	return textRange{from, len(k.text)}
}

// self writes the address of a page as lists name themselves: with its number,
// first of all.
func (k *linker) self(n int) textRange {
	from := len(k.text)
	k.text = append(append(k.text, k.address...), "?page="...)
	k.text = strconv.AppendInt(k.text, int64(n), 10)
	k.text = append(append(k.text, '&'), k.query...)
	return textRange{from, len(k.text)}
}

// field writes the address of a page as a value of the Link header.
func (k *linker) field(n int, relation string) (field, href textRange) {
	from := len(k.text)
	k.text = append(k.text, '<')
	href = k.page(n)
	k.text = append(append(append(k.text, `>; rel="`...), relation...), '"')
	return textRange{from, len(k.text)}, href
}

// linkPages returns the addresses of the pages of a list.
func (l *List) linkPages(pages int) pageLinks {
	k := linker{text: l.buffers.links[:0], address: l.Site.API + "/" + l.Name + cmp.Or(l.Op.extension(), "/"), query: l.buffers.query[:0]}
	for i, p := range l.query {
		if i > 0 {
			k.query = append(k.query, '&')
		}
		k.query = append(append(append(k.query, p.name...), '='), url.QueryEscape(p.value)...)
	}
	var self, next, previous textRange
	var fields [4]textRange
	n := 0
	add := func(page int, relation string) (href textRange) {
		fields[n], href = k.field(page, relation)
		n++
		return href
	}
	first := add(1, "first")
	if l.Page < pages {
		next = add(l.Page+1, "next")
	}
	if l.Page != 1 {
		previous = add(l.Page-1, "prev")
	}
	add(max(1, pages), "last")
	if self = first; !l.bare {
		self = k.self(l.Page)
	}
	l.buffers.links, l.buffers.query = k.text, k.query
	text := string(k.text)
	cut := func(s textRange) string { return text[s.from:s.to] }
	u := pageLinks{self: cut(self), next: cut(next), previous: cut(previous), fields: make([]string, n, n+1)}
	for i := range n {
		u.fields[i] = cut(fields[i])
	}
	return u
}
