// The search of the pages: in all that they show, without an index, since that is
// a few hundred texts.

package openapi

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/markup"
)

// A found is the things of a kind that a search finds.
type found struct {
	Key  string // of the name of the kind
	Hits []*hit
}

// A hit is anything with a name and a description.
type hit struct {
	Name  string
	Code  bool // the name is code
	Again bool // the name is that of the hit before
	Text  string
	At    []hitPlace

	text string // in which words are looked for
	rank int
}

// A hitPlace is where a hit occurs.
type hitPlace struct {
	Text string
	Code bool
	Href string
}

// search finds hits with all words of the query in their name or description: matches of the name
// come first.
func (p *page) search() {
	all := [3][]*hit{}
	add := func(kind int, name string, code bool, text, more string, at hitPlace) {
		i := slices.IndexFunc(
			all[kind],
			func(h *hit) bool { return h.Name == name && h.Text == text },
		)
		if i < 0 {
			i = len(all[kind])
			all[kind] = append(all[kind], &hit{
				Name: name,
				Code: code,
				Text: text,
				text: folded(name + " " + text + " " + more),
			})
		}
		all[kind][i].At = append(all[kind][i].At, at)
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		for j := range g.Operations {
			o := &g.Operations[j]
			href := p.OperationHref(g.Name, o)
			add(
				0,
				o.Summary,
				false,
				"",
				o.Path+" "+strings.Join(o.Methods, " "),
				hitPlace{o.Methods[0] + " " + o.Path, true, href},
			)
			for _, parameter := range o.Parameters {
				add(
					1,
					parameter.Name,
					true,
					parameter.Description,
					"",
					hitPlace{o.Summary, false, href + "-" + parameter.Name},
				)
			}
			if o.Fields != nil {
				for _, m := range p.Members(o.Fields).Rows {
					add(
						1,
						m.Name,
						true,
						m.Schema.Description,
						"",
						hitPlace{o.Summary, false, p.SchemaHref(o.Fields.Name) + "-" + m.Name},
					)
				}
			}
		}
		for j := range g.Schemas {
			s := &g.Schemas[j]
			for _, m := range p.Members(s).Rows {
				add(
					2,
					m.Name,
					true,
					m.Schema.Description,
					"",
					hitPlace{s.Name, true, p.SchemaHref(s.Name) + "-" + m.Name},
				)
			}
		}
	}
	query := folded(p.Query)
	for kind, key := range []string{"page.operations", "page.parameters", "page.schemas"} {
		hits := slices.DeleteFunc(all[kind], func(h *hit) bool { return !h.match(query) })
		first := map[string]int{}
		for i, h := range slices.Backward(hits) {
			first[h.Name] = i
		}
		slices.SortStableFunc(
			hits,
			func(a, b *hit) int { return cmp.Or(a.rank-b.rank, first[a.Name]-first[b.Name]) },
		)
		for i, h := range hits {
			h.Again = i > 0 && h.Name == hits[i-1].Name
		}
		if len(hits) > 0 {
			p.Found = append(p.Found, found{key, hits})
		}
	}
}

// match reports whether something has all words of a query, and ranks it.
func (h *hit) match(query string) bool {
	for word := range strings.FieldsSeq(query) {
		if !strings.Contains(h.text, word) {
			return false
		}
	}
	switch name := folded(h.Name); {
	case name == query:
	case strings.Contains(name, query):
		h.rank = 1
	default:
		h.rank = 2
	}
	return true
}

// folded returns a text as it is compared: accents and letter case do not matter.
func folded(text string) string { return markup.Fold(plain(text)) }

// Count says how many things a search found.
func (p *page) Count() string {
	n := 0
	for _, f := range p.Found {
		n += len(f.Hits)
	}
	return p.count("page.found", n)
}
