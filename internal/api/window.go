// The dates that a list of events asks for (section 4.2 of the specification).

package api

import (
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A window is the dates that a list of events asks for, and the query that asks
// for them again.
type window struct {
	start, end store.Range
	day        *store.Wall // see filters.Events
	pairs      []pair      // of a link
}

// window reads the dates, or when in their place. The default window holds when no other
// date is given; with include no date counts.
func (l *List) window(values params.Values) (window, error) {
	if values.Has("when") {
		return l.dayRange(values)
	}
	w := window{start: store.Always(), end: store.Always()}
	strict := values.Bool("strict_dates")
	if values.Has("months") && (values.Has("end_date") || values.Has("ends_before")) {
		return w, Invalid(
			"months",
			"months and a date of the end must not be given together: give one of them.",
		)
	}
	others := false
	bounds := [...]*store.Wall{&w.start.Max, &w.start.Min, &w.end.Max, &w.end.Min}
	for i, name := range dateParams[3:] {
		if values.Has(name) {
			at, again := l.bound(values, name, true, strict)
			w.pairs = append(w.pairs, again)
			others = true
			*bounds[i] = at + [...]store.Wall{-1, 1}[i%2] // before it, or after it
		}
	}
	if len(values.IDs("include")) > 0 {
		return window{start: store.Always(), end: store.Always(), pairs: w.pairs}, nil
	}
	if values.Has("start_date") || !others {
		at, again := l.bound(values, "start_date", false, strict)
		w.pairs = append(w.pairs, again)
		if !values.Has("starts_after") {
			w.start.Min = at
		}
	}
	if values.Has("end_date") || values.Has("months") || !others {
		at, again := l.bound(values, "end_date", true, strict)
		if !values.Has("months") {
			w.pairs = append(w.pairs, again)
		}
		if !values.Has("ends_before") {
			w.end.Max = at
		}
	}
	return w, nil
}

// dateParams are the parameters that no list takes beside when.
var dateParams = []string{
	"months",
	"start_date",
	"end_date",
	"starts_before",
	"starts_after",
	"ends_before",
	"ends_after",
}

// dayRange reads when, a word for days. Events are on them as in the cells of a month.
func (l *List) dayRange(values params.Values) (window, error) {
	for _, name := range dateParams {
		if values.Has(name) {
			return window{}, Invalid(
				"when",
				"when and "+name+" must not be given together: give one of them.",
			)
		}
	}
	first, after := l.Language.Locale().
		Week().
		Range(values.Text("when"), caltime.StartOfDay(l.Zone.Wall(l.Now)))
	w := window{start: store.Always(), end: store.Always(), day: new(store.WallOf(first))}
	w.end.Min = *w.day
	w.start.Max = store.WallOf(after) - 1
	return w, nil
}

// bound reads one date of a window, and how a link repeats it. Without
// strict_dates only its day matters; with it, it is a moment, in UTC unless it
// says otherwise, on the clock of the site.
func (l *List) bound(values params.Values, name string, dayEnd, strict bool) (store.Wall, pair) {
	m := values.Date(name, caltime.UTC())
	sent := values.Has(name)
	switch {
	case !sent && name == "start_date":
		m.Instant = l.Zone.Instant(m.Wall) // the default is written in the site's zone
	case name == "end_date" && values.Has("months"):
		m.Wall = l.Now.UTC().AddDate(0, int(values.Int("months")), 0)
		m.Instant = m.Wall
	case !sent && values.Has("start_date"):
		// A start beyond the default end has two years behind it too.
		if start := values.Date("start_date", caltime.UTC()).Wall.AddDate(0, 24, 0); start.After(
			m.Wall,
		) {
			m.Wall = start
			m.Instant = start
		}
	}
	if strict {
		text, ok := l.In.Echo(name)
		if !ok {
			text = m.Instant.UTC().Format(caltime.Layout)
		}
		return store.WallOf(l.Zone.Wall(m.Instant)), pair{name, text}
	}
	day := m.Wall
	if m.Explicit {
		day = m.Instant.UTC()
	}
	at := store.WallOf(caltime.StartOfDay(day))
	if dayEnd {
		at = store.WallOf(caltime.EndOfDay(day))
	}
	return at, pair{name, at.String()}
}
