// Pages of lists: what a saved page says of the list that it is of, and whether
// all of that list was given.

package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/jsonin"
)

// A Page is what a listing says beside its records.
type Page struct {
	Kind     string // of the records: "events"
	File     string
	Address  string // its own, rest_url; "" if it does not say
	Next     string // of the page behind it; "" if there is none
	Previous string
	Total    int      // records of the whole list; 0 if it does not say
	Records  []string // what the records are known by, in their order

	Left map[string]int // of a file that is no listing: what of it is not taken, by what it is
}

// number returns which page of its list it is, from 1. The address of a page of
// terms does not say; those of its neighbours do.
func (p *Page) number() int {
	if n, ok := numberIn(p.Address); ok {
		return n
	}
	if n, ok := numberIn(p.Previous); ok || p.Previous != "" {
		return max(n, 1) + 1 // the address of the first page says no number
	}
	if n, ok := numberIn(p.Next); ok {
		return n - 1
	}
	return 1
}

// numberIn returns the number of the page that an address leads to, if it says.
func numberIn(address string) (int, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(u.Query().Get("page"))
	return n, err == nil
}

// list returns what pages of one list have in common: the address without what
// tells its pages apart. Of a page without address it is the file.
func (p *Page) list() string {
	u, err := url.Parse(p.Address)
	if err != nil || p.Address == "" {
		return p.Kind + " of " + p.File
	}
	query := u.Query()
	query.Del("page")
	query.Del("per_page")
	u.RawQuery, u.Path = query.Encode(), strings.TrimSuffix(u.Path, "/")
	return u.String()
}

// Pages counts the records of pages together, for each site and list. The zero
// Pages is ready to use.
type Pages struct {
	lists []*pageList
	left  []string
}

// A pageList is the pages of one list.
type pageList struct {
	name  string
	kind  string
	total int             // as the site says; the most, if it says several
	have  map[string]bool // records
	pages map[int]*Page   // by number
}

// Add adds a page.
func (ps *Pages) Add(p Page) {
	if p.Left != nil {
		ps.left = append(ps.left, p.leftOut())
		return
	}
	name := p.list()
	for _, l := range ps.lists {
		if l.name == name && l.takes(&p) {
			l.add(&p)
			return
		}
	}
	l := &pageList{name: name, kind: p.Kind, have: map[string]bool{}, pages: map[int]*Page{}}
	l.add(&p)
	ps.lists = append(ps.lists, l)
}

// Left returns a line for each file of which something is not taken.
func (ps *Pages) Left() []string { return ps.left }

// takes reports whether a page can be of the list. Sites leave filters by
// category or tag out of the address, so that lists may look like one: two first
// pages that have no record in common are of two.
func (l *pageList) takes(p *Page) bool {
	other := l.pages[p.number()]
	if other == nil {
		return true
	}
	same := map[string]bool{}
	for _, record := range other.Records {
		same[record] = true
	}
	for _, record := range p.Records {
		if same[record] {
			return true
		}
	}
	return len(p.Records) == 0 && len(other.Records) == 0
}

func (l *pageList) add(p *Page) {
	l.total = max(l.total, p.Total)
	for _, record := range p.Records {
		l.have[record] = true
	}
	l.pages[p.number()] = p
}

// An Incomplete is a list of which records are missing.
type Incomplete struct {
	List    string // its address, without the number of a page; or its kind and file
	Kind    string // of its records
	Total   int    // records that it has, as the site says; 0 if the site does not say
	Missing int    // of these; 0 if it is not known how many
	Next    string // address of a page that was not given; "" if no page that was given says
}

func (i Incomplete) String() string {
	b := fmt.Sprintf("%s: the site has more %s than were given", i.List, i.Kind)
	if i.Missing > 0 {
		b = fmt.Sprintf("%s: %d of %d %s are missing", i.List, i.Missing, i.Total, i.Kind)
	}
	if i.Next != "" {
		b += "; the next page is " + i.Next
	}
	return b
}

// Incomplete returns the lists of which the sites say that they have more, in the
// order in which they came.
func (ps *Pages) Incomplete() (all []Incomplete) {
	for _, l := range ps.lists {
		missing, next := l.total-len(l.have), l.next()
		if missing > 0 || l.total == 0 && next != "" {
			all = append(all, Incomplete{l.name, l.kind, l.total, max(missing, 0), next})
		}
	}
	return all
}

// next returns the address of the first page that was not given.
func (l *pageList) next() string {
	for _, number := range slices.Sorted(maps.Keys(l.pages)) {
		switch p := l.pages[number]; {
		case number > 1 && l.pages[number-1] == nil && p.Previous != "":
			return p.Previous
		case l.pages[number+1] == nil && p.Next != "":
			return p.Next
		}
	}
	return ""
}

// pageOf makes a Page of the members of a listing.
func pageOf(file, kind string, members map[string]json.RawMessage, records []string) Page {
	text := func(name string) (s string) {
		_ = json.Unmarshal(members[name], &s) // what is no text says nothing
		return s
	}
	total, _ := strconv.Atoi(string(bytes.Trim(members["total"], `"`)))
	return Page{kind, file, text("rest_url"), text("next_rest_url"), text("previous_rest_url"), max(total, 0), records, nil}
}

// knownBy returns what tells a record from others of its list.
func knownBy(record json.RawMessage, position int) string {
	r := jsonin.Value{Raw: record}
	for _, name := range []string{"id", "global_id"} {
		if id := r.Member(name); !id.IsNull() {
			return string(id.Raw)
		}
	}
	return fmt.Sprint("#", position)
}
