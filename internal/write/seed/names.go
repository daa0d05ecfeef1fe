// Ids and names of records, for references.

package seed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

// maxID is the largest valid id.
const maxID = 1<<53 - 1

// identify collects the ids and names of all records, and gives ids to records without one.
// Embedded records get theirs later.
func (p *planter) identify() {
	p.names = map[string]*record{}
	p.ids = [2]map[int64]*record{{}, {}}
	p.inside = map[embedded]bool{}
	p.next = [2]int64{1, 1}
	if p.More {
		_ = p.store.Update(p.Account, func(tx *store.Tx) error {
			p.next = [2]int64{tx.NextID(store.Events), tx.NextID(store.Categories)}
			return intake.ErrRefused // nothing is written
		})
	}
	for _, r := range p.records {
		p.noteName(r)
		p.noteID(r)
		p.noteEmbedded(r)
	}
	next := &p.next
	for s, records := range p.ids {
		for id := range records {
			next[s] = max(next[s], id+1)
		}
	}
	kinds := []store.Kind{
		store.Images,
		store.Categories,
		store.Tags,
		store.Venues,
		store.Organizers,
		store.Events,
		store.AllSeries,
	}
	for _, k := range kinds { // series come last, so that events have the same ids as without them
		for _, r := range p.records {
			if r.of != k || r.id != 0 {
				continue
			}
			s := intake.Sequence(k)
			r.id = next[s]
			r.Set("id", fmt.Sprint(r.id))
			p.ids[s][r.id] = r
			next[s]++
		}
	}
}

func (p *planter) noteName(r *record) {
	m := r.Member(nameMember)
	if m.Kind() == 0 {
		return
	}
	name, ok := m.Text()
	path := joined(r.path, "."+nameMember)
	if !ok || !isName(name) {
		p.report(
			m.At,
			path,
			fmt.Errorf(
				"must be a text of letters, digits, -, _ and ., such as \"town-hall\", not %.40s",
				m.Raw,
			),
		)
		return
	}
	if other := p.names[name]; other != nil {
		p.report(m.At, path, fmt.Errorf("%q is the name of %s, too", name, p.where(other)))
		return
	}
	p.names[name] = r
}

func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_.", c)
	})
}

// where returns the position of a record.
func (p *planter) where(r *record) string {
	path := r.path
	if path == "" {
		path = "the record"
	}
	return fmt.Sprintf("%s in line %d", path, p.line(r.At))
}

// noteID adds the id in a record. Saved lists may contain a record twice.
func (p *planter) noteID(r *record) {
	m := r.Member("id")
	if m.IsNull() || r.id == 0 && string(m.Raw) == "0" {
		return
	}
	path := joined(r.path, ".id")
	if r.id < 1 || r.id > maxID {
		p.report(
			m.At,
			path,
			fmt.Errorf("must be a whole number from 1 to %d, not %.40s", int64(maxID), m.Raw),
		)
		return
	}
	taken := p.ids[intake.Sequence(r.of)]
	if other := taken[r.id]; other == nil {
		taken[r.id] = r
	} else if other.of != r.of || !listed(r.of, r.Value) || !listed(other.of, other.Value) {
		p.report(m.At, path, fmt.Errorf("%d is the id of %s, too", r.id, p.where(other)))
	}
}

// noteEmbedded adds the ids of embedded records.
func (p *planter) noteEmbedded(r *record) {
	note := func(k store.Kind, v *jsonio.Value) {
		if id := v.Integer(); id > 0 && id < maxID {
			p.inside[embedded{k, id}] = true
			p.next[intake.Sequence(k)] = max(p.next[intake.Sequence(k)], id+1)
		}
	}
	note(store.AllSeries, r.Member("recurrence").Member("series"))
	for _, m := range intake.Table[r.of] {
		if !m.Is(intake.Reference) {
			continue
		}
		for _, item := range r.Member(m.Name).Items() {
			note(m.Refers(), item.Member("id"))
			note(store.Images, item.Member("image").Member("id"))
		}
	}
}

// An embedded is the kind and the id of an embedded record.
type embedded struct {
	of store.Kind
	id int64
}

// has reports whether the file has a record of a kind with an id, or the store to which it adds.
func (p *planter) has(k store.Kind, id int64) (is bool) {
	if p.More {
		_ = p.store.View(func(v *store.View) error {
			is = v.Get(k, id) != nil
			return nil
		})
	}
	r := p.ids[intake.Sequence(k)][id]
	return is || r != nil && r.of == k || p.inside[embedded{k, id}]
}

// refer replaces a name by the id of its record. Other values stay.
func (p *planter) refer(v *jsonio.Value, path string, to store.Kind) {
	text, _ := v.Text()
	name, ok := strings.CutPrefix(text, "$")
	if !ok {
		return
	}
	found := p.names[name]
	switch {
	case found == nil:
		p.report(v.At, path, fmt.Errorf("there is no record with the %s %q%s", nameMember, name,
			suggestion(name, slices.Sorted(maps.Keys(p.names)))))
	case found.of != to:
		p.report(
			v.At,
			path,
			fmt.Errorf(
				"$%s, which is %s, is %s; %s is wanted",
				name,
				p.where(found),
				one(found.of),
				one(to),
			),
		)
	default:
		v.Replace(fmt.Sprint(found.id))
	}
}
