// Series, and the places of events in them.

package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/store"
)

// series stores a series of an exact seed, which has its events too. The parent is set when these
// are stored.
func (im *importer) series(r *record) (int64, error) {
	s := &store.Series{Rule: r.text("rule")}
	if _, err := rrule.ParseRule(s.Rule); s.Rule != "" && err != nil {
		return 0, r.inField("rule", "", err)
	}
	old, _ := im.find(store.AllSeries, r).(*store.Series)
	if old != nil {
		if im.newer(&old.Event.Post, r) {
			return im.leaveAlone(old)
		}
		s.Event.Post = identity(&old.Event.Post)
		s.Event.Parent = old.Event.Parent
		s.Event.Parts = old.Event.Parts
		s.Meta = old.Meta
	}
	if err := im.fill(r, &s.Event, nil); err != nil {
		return 0, err
	}
	if old != nil {
		s.Event.Author = old.Event.Author
		if !r.has("slug") {
			s.Event.Slug = old.Event.Slug // which events have too
		}
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
		if s.Horizon = horizon[0]; old != nil {
			s.Horizon = max(s.Horizon, old.Horizon)
		}
	}
	id, err := im.commit(r, s, &s.Meta)
	if err == nil {
		err = im.joinParts(r, id)
	}
	if parent := r.integer("post_parent"); parent != 0 && err == nil && im.seed {
		im.afterwards(r, func() error {
			return im.editor().SetSeriesParent(im.tx, id, parent)
		})
	}
	return id, err
}

// joinParts stores that a series goes on from an earlier part of it, and with a later one, as far
// as these are stored: each joins those before it.
func (im *importer) joinParts(r *record, id int64) error {
	if s := im.local(store.AllSeries, r.integer("earlier_part")); s != nil {
		if err := im.editor().Follow(im.tx, s.Key(), id); err != nil {
			return err
		}
	}
	if s := im.local(store.AllSeries, r.integer("later_part")); s != nil {
		return im.editor().Follow(im.tx, id, s.Key())
	}
	return nil
}

// dateOf returns a date of a series in local time.
func (rd *reader) dateOf(
	r *record,
	name string,
	v *jsonio.Value,
	timezone string,
) (w store.Wall, err error) {
	text, _ := v.Text()
	if rd.exact && w.UnmarshalText([]byte(text)) == nil {
		return w, nil
	}
	zone, err := rd.Zones.Load(timezone)
	if err != nil {
		return 0, err
	}
	at, _, err := rd.moment(text, zone, r.start)
	if err != nil {
		return 0, inField(v.At, name, "", err)
	}
	return store.WallOf(zone.Wall(at)), nil
}

// recurrence sets the place of an event in a series, or returns the recurrence of a new series.
func (im *importer) recurrence(r *record, e *store.Event) (*params.Recurrence, error) {
	p := r.object("recurrence")
	p.start = r.start
	switch d := im.dateOfSeries(r); {
	case d != nil:
		return nil, im.joinDate(d, e)
	case p.IsNull() || im.isLimited():
		return nil, nil
	case r.has("global_id"):
		return nil, im.join(r, p, e)
	case im.isNative() && p.has("series"):
		return nil, im.place(p, e)
	case !im.seed:
		return nil, nil // a list without data of recurrence
	}
	return im.repetition(p, e.Timezone)
}

// place makes an event an instance of a series of the seed.
func (im *importer) place(p *record, e *store.Event) error {
	id := p.integer("series")
	s, ok := im.local(store.AllSeries, id).(*store.Series)
	if !ok {
		return p.inField("series", "", fmt.Errorf("there is no series %d in the seed", id))
	}
	start, err := im.dateOf(p, "start", p.Member("start"), s.Event.Timezone)
	if err != nil {
		return err
	}
	changed := p.texts("changed")
	for _, name := range changed {
		if m, ok := MemberOf(store.Events, name); !ok || m.Is(Derived) {
			return p.inField("changed", "", fmt.Errorf("events have no member %q", name))
		}
	}
	slices.Sort(changed)
	e.Recurrence = &store.Recurrence{Series: s.ID, Start: start, Changed: slices.Compact(changed)}
	return p.wrong
}

// repetition parses the recurrence of an event of a seed. It has the form of requests, but its
// dates and the end of the rule may be relative.
func (rd *reader) repetition(p *record, timezone string) (*params.Recurrence, error) {
	zone, err := rd.Zones.Load(timezone)
	if err != nil {
		return nil, err
	}
	plain := func(text string) string {
		if !caltime.IsRelative(text) || err != nil {
			return text
		}
		var m caltime.Moment
		m, _, err = caltime.Relative{
			Now:   rd.Now,
			Zone:  zone,
			Start: p.start,
			Zones: rd.Zones,
		}.Parse(text)
		if !m.HasTime {
			return m.Wall.Format(time.DateOnly)
		}
		return zone.Wall(m.Instant).Format(time.DateTime)
	}
	var sent any
	_ = json.Unmarshal(p.Raw, &sent) // it was read as JSON before
	object, _ := sent.(map[string]any)
	if rule, ok := object["rule"].(string); ok {
		parts := strings.Split(rule, ";")
		for i, part := range parts {
			if name, value, _ := strings.Cut(part, "="); caltime.IsRelative(value) {
				parts[i] = name + "=" + strings.NewReplacer("-", "", ":", "", " ", "T").
					Replace(plain(value))
			}
		}
		object["rule"] = strings.Join(parts, ";")
	}
	for _, name := range []string{"rdates", "exdates"} {
		list, _ := object[name].([]any)
		for i, item := range list {
			if text, ok := item.(string); ok {
				list[i] = plain(text)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	rec, err := params.ReadRecurrence(sent, rd.Zones)
	return rec, inWords(err)
}

// repeat makes an event of a seed the first of a series, as a request does.
func (im *importer) repeat(r *record, id int64, rec *params.Recurrence) error {
	err := im.editor().RepeatFiled(im.tx, im.tx.Event(id), rec, r.has("slug"))
	if err != nil {
		return r.inField("recurrence", "", inWords(err))
	}
	return nil
}

// inWords replaces an error about a parameter of a request by one about a recurrence.
func inWords(err error) error {
	var invalid *params.Invalid
	if errors.As(err, &invalid) {
		return errors.New(
			strings.TrimLeft(strings.TrimPrefix(invalid.Complaints[0].Reason, "recurrence"), ": "),
		)
	}
	return err
}

// seriesOf returns the stored series of an event that a site shows as part of a series, or nil.
func (im *importer) seriesOf(r *record) *store.Series {
	id := r.object("recurrence").integer("series")
	if id == 0 || !r.has("global_id") || im.isLimited() {
		return nil
	}
	s, _ := im.byGlobal(store.AllSeries, r.globalID(id)).(*store.Series)
	return s
}

// instance returns the event at the date of r that was created here and has no origin, or nil.
func (im *importer) instance(r *record) *store.Event {
	if s := im.seriesOf(r); s != nil {
		e := im.tx.Instance(s.ID, store.WallOf(r.object("recurrence").localTime("start")))
		if e != nil && len(e.Origins) == 0 {
			return e
		}
	}
	return nil
}

// join makes an event an instance of a series of a site. The first imported event creates the
// series, which gets no other events than the imported ones.
func (im *importer) join(r, p *record, e *store.Event) error {
	id := p.integer("series")
	if id == 0 {
		return p.wrong
	}
	start := store.WallOf(p.localTime("start"))
	rule, err := rrule.ParseRule(p.text("rule"))
	switch {
	case p.wrong != nil:
		return p.wrong
	case err != nil && p.text("rule") != "":
		return p.inField("rule", "rule: ", err)
	case e.Status == store.Trash:
		return nil
	}
	next := seriesLike(
		e,
		r.globalID(id),
		strings.TrimSuffix(e.Slug, "-"+start.Time().Format(time.DateOnly)),
	)
	if s := im.seriesOf(r); s != nil {
		*next = *s
	} else {
		next.Event.Start = start
		next.Event.End = start + e.End - e.Start
		if im.seed {
			next.ID = id
		}
	}
	was := next.Rule
	if next.Rule = ""; err == nil {
		next.Rule = rule.String()
	}
	if next.Rev == 0 || next.Rule != was {
		if err := im.editor().StoreSeries(im.tx, next); err != nil {
			return err
		}
		im.remember(next)
	}
	return im.editor().Join(im.tx, next.ID, e, start, p.flag("changed"))
}

// seriesLike returns a new series made of an event, with an origin.
func seriesLike(e *store.Event, origin, slug string) *store.Series {
	s := &store.Series{Event: *e}
	s.Event.Meta = store.Meta{}
	s.Event.Recurrence = nil
	s.Event.Former = nil
	s.Event.Origins = []string{origin}
	s.Event.Slug = slug
	return s
}
