// Checks of records, and the resolution of names before planting.

package seed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

// object checks a record, or an embedded record of the same file, and resolves its names. free is
// set for records of a site: unknown members are ignored.
func (p *planter) object(r *record, o *jsonio.Value, path string, k store.Kind, free bool) {
	seen := map[string]int{}
	for _, m := range o.Members() {
		at := joined(path, "."+step(m.Name))
		if first, ok := seen[m.Name]; ok {
			p.report(m.NameAt, at, fmt.Errorf("stands there twice, in line %d too", p.line(first)))
		}
		seen[m.Name] = m.NameAt
		switch m.Name {
		case commentMember:
			continue
		case nameMember:
			if o != r.Value {
				p.report(
					m.At,
					at,
					errors.New("is for records in lists: only these can be referred to"),
				)
			}
			continue
		}
		row, ok := intake.MemberOf(k, m.Name)
		switch {
		case ok && row.Is(intake.Reference):
			p.references(r, &m.Value, at, row, free)
		case free:
		case !ok:
			p.report(
				m.NameAt,
				at,
				fmt.Errorf("means nothing in %s%s", one(k), suggestion(m.Name, namesOf(k))),
			)
		case row.Is(intake.Derived):
			p.report(m.NameAt, at, errors.New("follows from other members, and cannot be set"))
		default:
			if must := fit(row, &m.Value); must != "" {
				p.report(m.At, at, fmt.Errorf("must be %s, not %.40s", must, m.Raw))
			} else if row.Is(intake.Recurring) {
				p.recurrence(&m.Value, at)
			}
		}
	}
	if o != r.Value && !o.Member("id").IsNull() {
		return // the listed record is complete
	}
	for _, name := range required[k] {
		if !free && o.Member(name).IsNull() {
			p.report(o.At, path, fmt.Errorf("has no %s", name))
		}
	}
}

// recurrence checks the recurrence of an event, and resolves the name of its series.
func (p *planter) recurrence(v *jsonio.Value, path string) {
	known := []string{"rule", "rdates", "exdates", "series", "start", "changed"}
	for _, m := range v.Members() {
		if !slices.Contains(known, m.Name) {
			p.report(
				m.NameAt,
				path+"."+step(m.Name),
				fmt.Errorf("means nothing in a recurrence%s", suggestion(m.Name, known)),
			)
		}
	}
	p.refer(v.Member("series"), path+".series", store.AllSeries)
}

// references resolves the names in a member, and checks its embedded records.
func (p *planter) references(
	r *record,
	v *jsonio.Value,
	path string,
	to intake.Member,
	free bool,
) {
	k := to.Refers()
	isParent := to.Name == "parent" || to.Name == "post_parent"
	for i, item := range v.Items() {
		at := intake.PathOf(path, v, i)
		switch item.Kind() {
		case '"':
			p.refer(item, at, k)
		case '{':
			if isParent {
				p.report(item.At, at, fmt.Errorf("must be the id or the name of %s", one(k)))
				continue
			}
			p.object(r, item, at, k, free || listed(k, item))
			continue
		}
		// A saved list may be a part of a site.
		if id := item.Integer(); isParent && !free && id != 0 && !p.has(k, id) {
			_, kind, _ := strings.Cut(one(k), " ")
			p.report(item.At, at, fmt.Errorf("there is no %s %d in the seed", kind, id))
		}
	}
}
