// Pages of lists, and the search for pages that are missing.

package files

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/text/jsonio"
)

// A Page is the part of a listing that is not records.
type Page struct {
	kind     string // of the records: "events"
	file     string
	address  string // rest_url; "" if missing
	Next     string // of the next page; "" if there is none
	previous string
	total    int             // records of the whole list; 0 if missing
	records  map[string]bool // identities of the records
	left     leftOut         // of other files
}

// number returns the number of the page in its list, from 1. The addresses of pages of terms lack
// it; the addresses of their neighbours have it.
func (p *Page) number() int {
	if n, ok := numberIn(p.address); ok {
		return n
	}
	if n, ok := numberIn(p.previous); ok || p.previous != "" {
		return max(n, 1) + 1 // the address of the first page has no number
	}
	if n, ok := numberIn(p.Next); ok {
		return n - 1
	}
	return 1
}

// numberIn returns the page number in an address, if it has one.
func numberIn(address string) (int, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(u.Query().Get("page"))
	return n, err == nil
}

// list returns the common part of the addresses of the pages of a list: the address without the
// page number. A page without address uses its file.
func (p *Page) list() string {
	u, err := url.Parse(p.address)
	if err != nil || p.address == "" {
		return p.kind + " of " + p.file
	}
	query := u.Query()
	query.Del("page")
	query.Del("per_page")
	u.RawQuery, u.Path = query.Encode(), strings.TrimSuffix(u.Path, "/")
	return u.String()
}

// Pages counts the records of each list over its pages. The zero Pages is ready to use.
type Pages struct {
	lists []*pageList
	Left  []string // a line for each file with ignored parts
}

type pageList struct {
	name  string
	kind  string
	total int             // number given by the site; the largest one
	have  map[string]bool // identities of records
	pages map[int]*Page   // by number
}

func (ps *Pages) Add(p Page) {
	if p.left != nil {
		ps.Left = append(ps.Left, fmt.Sprintf("%s: not taken: %s", p.file, p.left))
		return
	}
	name := p.list()
	for _, l := range ps.lists {
		if l.name == name && l.takes(&p) {
			l.add(&p)
			return
		}
	}
	l := &pageList{name: name, kind: p.kind, have: map[string]bool{}, pages: map[int]*Page{}}
	l.add(&p)
	ps.lists = append(ps.lists, l)
}

// takes reports whether a page can belong to the list. Sites leave filters by category or tag out
// of the address, so two lists may share one address: two first pages without a common record are
// two lists.
func (l *pageList) takes(p *Page) bool {
	other := l.pages[p.number()]
	if other == nil || len(p.records) == 0 && len(other.records) == 0 {
		return true
	}
	for record := range p.records {
		if other.records[record] {
			return true
		}
	}
	return false
}

func (l *pageList) add(p *Page) {
	l.total = max(l.total, p.total)
	maps.Copy(l.have, p.records)
	l.pages[p.number()] = p
}

// Incomplete returns a line for each list that has more records at its site, in the order of
// reading.
func (ps *Pages) Incomplete() (lines []string) {
	for _, l := range ps.lists {
		line := ""
		next := l.next()
		switch missing := l.total - len(l.have); {
		case missing > 0:
			line = fmt.Sprintf("%s: %d of %d %s are missing", l.name, missing, l.total, l.kind)
		case l.total == 0 && next != "":
			line = fmt.Sprintf("%s: the site has more %s than were given", l.name, l.kind)
		default:
			continue
		}
		if next != "" {
			line += "; the next page is " + next
		}
		lines = append(lines, line)
	}
	return lines
}

// next returns the address of the first missing page.
func (l *pageList) next() string {
	for _, number := range slices.Sorted(maps.Keys(l.pages)) {
		switch p := l.pages[number]; {
		case number > 1 && l.pages[number-1] == nil && p.previous != "":
			return p.previous
		case l.pages[number+1] == nil && p.Next != "":
			return p.Next
		}
	}
	return ""
}

func pageOf(file, kind string, listing *jsonio.Value, records map[string]bool) Page {
	text := func(name string) string {
		text, _ := listing.Member(name).Text() // other types are ignored
		return text
	}
	total := int(listing.Member("total").Integer())
	return Page{
		kind,
		file,
		text("rest_url"),
		text("next_rest_url"),
		text("previous_rest_url"),
		max(total, 0),
		records,
		nil,
	}
}

// knownBy returns the identity of a record in its list.
func knownBy(record json.RawMessage, position int) string {
	r := jsonio.Value{Raw: record}
	for _, name := range []string{"id", "global_id"} {
		if id := r.Member(name); !id.IsNull() {
			return string(id.Raw)
		}
	}
	return fmt.Sprint("#", position)
}

// A leftOut has the numbers of the ignored parts of a file, by name.
type leftOut map[string]int

// mostLeft limits the names of ignored parts that are counted separately, and mostNames the names
// in errors.
const mostLeft, mostNames = 200, 20

func (l leftOut) count(name string) {
	if _, known := l[name]; !known && len(l) >= mostLeft {
		name = "others"
	}
	l[name]++
}

func (l leftOut) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(l)) {
		parts = append(parts, fmt.Sprintf("%d %s", l[name], name))
	}
	return strings.Join(parts, ", ")
}
