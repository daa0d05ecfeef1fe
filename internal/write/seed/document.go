// The records of a file.

package seed

import (
	"errors"
	"fmt"
	"slices"

	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/store"
)

type record struct {
	*jsonio.Value
	of    store.Kind
	path  string // in the file, as events[2]
	exact bool
	id    int64 // given or generated
	wrong bool  // the form is invalid
}

// listed reports whether a site has shown the record, with all members: it was neither written by
// hand nor exported.
func listed(k store.Kind, o *jsonio.Value) bool {
	if k == store.Categories || k == store.Tags {
		return !o.Member("taxonomy").IsNull()
	}
	return !o.Member("global_id").IsNull()
}

// envelope are the members of saved lists beside their records.
var envelope = []string{"rest_url", "next_rest_url", "previous_rest_url", "total", "total_pages"}

var errForm = errors.New(
	`must be an object with lists of records, {"events":[…],"venues":[…],…}, a list of records, or one record`,
)

func (p *planter) find() {
	empty := true
	for v, err := range jsonio.Values(p.text) {
		empty = false
		switch {
		case err != nil:
			p.report(v.At, "", err)
		case v.Kind() == '[':
			for i, item := range v.Items() {
				p.shaped(fmt.Sprintf("[%d]", i), item)
			}
		case v.Kind() != '{':
			p.report(v.At, "", errForm)
		case isRecord(v):
			p.shaped("", v)
		default:
			p.document(v)
		}
	}
	if empty {
		p.report(0, "", errors.New("is empty"))
	}
}

// isRecord distinguishes a record from an object with lists of records, which an event has too.
func isRecord(o *jsonio.Value) bool {
	return slices.ContainsFunc(
		o.Members(),
		func(m *jsonio.Member) bool { return intake.RecordKeys[m.Name] || m.Name == nameMember },
	)
}

// shaped reads a record whose members show its kind.
func (p *planter) shaped(path string, v *jsonio.Value) {
	k, ok := intake.KindByShape(v)
	if !ok {
		p.report(
			v.At,
			path,
			errors.New(
				"is not to be told for an event, a venue, an organizer, a category or a tag; put it into a list that says so, "+
					"as {\"tags\":[…]}",
			),
		)
		return
	}
	p.take(k, path, v, false)
}

// document reads an object with lists of records.
func (p *planter) document(o *jsonio.Value) {
	exact := false
	if m := o.Member("exact"); m.Kind() == 't' {
		exact = true
	} else if m.Kind() != 0 && m.Kind() != 'f' {
		p.report(m.At, "exact", errors.New("must be true or false"))
	}
	for _, m := range o.Members() {
		k, ok := intake.KindOf(m.Name)
		switch {
		case m.Name == "exact", m.Name == commentMember, slices.Contains(envelope, m.Name):
		case !ok:
			p.report(
				m.NameAt,
				step(m.Name),
				fmt.Errorf(
					"is no list of a seed; there are events, venues, organizers, categories, tags and images%s",
					suggestion(
						m.Name,
						[]string{
							"events",
							"venues",
							"organizers",
							"categories",
							"tags",
							"images",
							"exact",
						},
					),
				),
			)
		case m.Kind() != '[':
			p.report(m.At, m.Name, errors.New("must be a list of records"))
		case k == store.AllSeries && !exact:
			p.report(
				m.NameAt,
				m.Name,
				errors.New(`is for exports alone, which begin with "exact":true; `+
					`write "recurrence" into the first event, as {"rule":"FREQ=WEEKLY;BYDAY=TU"}`),
			)
		default:
			for i, item := range m.Items() {
				p.take(k, fmt.Sprintf("%s[%d]", m.Name, i), item, exact)
			}
		}
	}
}

func (p *planter) take(k store.Kind, path string, v *jsonio.Value, exact bool) {
	if v.Kind() != '{' {
		p.report(v.At, path, fmt.Errorf("must be a record, which is an object, not %.40s", v.Raw))
		return
	}
	if reason := intake.Unfit(v.Raw); reason != "" {
		p.report(v.At, path, errors.New(reason))
		return
	}
	p.records = append(p.records, &record{
		Value: v,
		of:    k,
		path:  path,
		exact: exact,
		id:    v.Member("id").Integer(),
	})
}
