// Checking records, and finding in them what has to be resolved before they are
// planted: names and dates.

package seed

import (
	"errors"
	"fmt"

	"almanac/store"
)

// prepare checks a record and resolves what is in it.
func (p *planter) prepare(r *record) {
	p.object(r, &r.object, r.path, r.of, listed(r.of, r.object))
}

// object checks a record, or one inside a record, which is of the same file. Of
// what a site has shown, which is free, members that mean nothing are passed over.
func (p *planter) object(r *record, o *object, path string, k store.Kind, free bool) {
	before := len(p.problems)
	seen := map[string]int{}
	for _, m := range o.members {
		at := joined(path, "."+step(m.name))
		if first, ok := seen[m.name]; ok {
			p.report(value{at: m.at}, at, fmt.Errorf("stands there twice, in line %d too", p.file.line(first)))
		}
		seen[m.name] = m.at
		switch m.name {
		case commentMember:
			continue
		case nameMember:
			if o.at != r.at {
				p.report(m.value, at, errors.New("is for records in lists: only these can be referred to"))
			}
			continue
		}
		row, ok := rowOf(k, m.name)
		switch {
		case ok && row.class == reference:
			p.references(r, m.value, at, row, free)
		case free:
		case !ok:
			p.report(value{at: m.at}, at, fmt.Errorf("means nothing in %s%s", one(k), suggestion(m.name, namesOf(k))))
		case row.class == derived:
			p.report(value{at: m.at}, at, errors.New("follows from other members, and cannot be set"))
		default:
			if must := row.class.fits(m.value); must != "" {
				p.report(m.value, at, fmt.Errorf("must be %s, not %.40s", must, m.raw))
			}
		}
	}
	inside := o.at != r.at
	if inside && !o.member("id").isNothing() {
		return // another record has the rest
	}
	for _, name := range required[k] {
		if !free && o.member(name).isNothing() {
			p.report(o.value, path, fmt.Errorf("has no %s", name))
		}
	}
	if len(p.problems) == before {
		p.dates(r, o, path, k, free)
	}
}

// references resolves the names in a member, and checks the records in it.
func (p *planter) references(r *record, v value, path string, to row, free bool) {
	for i, item := range v.items() {
		at := path
		if v.kind() == '[' {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		switch item.kind() {
		case '"':
			p.refer(r, item, at, to.to)
		case '{':
			if to.name == "parent" || to.name == "post_parent" {
				p.report(item, at, fmt.Errorf("must be the id or the name of %s", one(to.to)))
				continue
			}
			inside := item.object()
			p.object(r, &inside, at, to.to, free || listed(to.to, inside))
		}
	}
}
