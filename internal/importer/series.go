// Series, and the places of events in them.

package importer

import (
	"fmt"
	"slices"

	"almanac/internal/jsonin"
	"almanac/rrule"
	"almanac/store"
)

// series takes a series of an exact seed, of which the seed has the events too. Its
// parent is set when these are there.
func (im *importer) series(r *record) (int64, error) {
	s := &store.Series{Rule: r.text("rule")}
	if _, err := rrule.ParseRule(s.Rule); s.Rule != "" && err != nil {
		return 0, r.inField("rule", "", err)
	}
	if err := im.fill(r, &s.Event); err != nil {
		return 0, err
	}
	var horizon []store.Wall
	for i, dates := range []*[]store.Wall{&s.RDates, &s.EXDates, &horizon} {
		name := []string{"rdates", "exdates", "horizon"}[i]
		for _, v := range r.Member(name).Items() {
			date, err := im.dateOf(r, name, v, s.Event.Timezone)
			if err != nil {
				return 0, err
			}
			*dates = append(*dates, date)
		}
		slices.Sort(*dates)
		*dates = slices.Compact(*dates)
	}
	if horizon != nil {
		s.Horizon = horizon[0]
	}
	id, err := im.commit(r, s, &s.Meta, &s.Event.Post)
	if parent := r.integer("post_parent"); parent != 0 && err == nil {
		im.afterwards(r, func() error {
			next := *s
			next.Event.Parent = parent
			return im.tx.Put(&next)
		})
	}
	return id, err
}

// dateOf returns a date of a series, by the clocks of its zone.
func (im *importer) dateOf(r *record, name string, v *jsonin.Value, timezone string) (w store.Wall, err error) {
	text, _ := v.Text()
	if im.exact && w.UnmarshalText([]byte(text)) == nil {
		return w, nil
	}
	zone, err := im.Zones.Load(timezone)
	if err != nil {
		return 0, err
	}
	at, _, err := im.moment(text, zone, r.start)
	if err != nil {
		return 0, inField(v.At, name, "", err)
	}
	return store.WallOf(zone.Wall(at)), nil
}

// place sets which instance of which series an event is.
func (im *importer) place(p *record, e *store.Event) error {
	id := p.integer("series")
	if p.IsNull() || p.wrong != nil {
		return p.wrong
	}
	s := im.tx.Series(id)
	if s == nil {
		return p.inField("series", "", fmt.Errorf("there is no series %d in the seed", id))
	}
	start, err := im.dateOf(p, "start", p.Member("start"), s.Event.Timezone)
	if err != nil {
		return err
	}
	changed := p.texts("changed")
	for _, name := range changed {
		if !slices.ContainsFunc(Table[store.Events], func(m Member) bool { return m.Name == name && !m.Is(Derived) }) {
			return p.inField("changed", "", fmt.Errorf("events have no member %q", name))
		}
	}
	slices.Sort(changed)
	e.Recurrence = &store.Recurrence{Series: id, Start: start, Changed: slices.Compact(changed)}
	return p.wrong
}
