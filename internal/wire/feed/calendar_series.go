// Series in iCalendar: one event with a rule.

package feed

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/ical"
	"almanac/internal/wire/render"
	"almanac/store"
)

// SeriesOf returns the series that an event is written with. It is nil for an event that is
// written alone, since the caller may read no series of it.
func SeriesOf(r *render.Renderer, e *store.Event) *store.Series {
	if s := r.Series(e); s != nil && s.Event.Status != store.Trash {
		return s
	}
	return nil
}

// AppendSeries writes a series, which the caller may read, with the shown events, in any order: as
// one event with a rule, and one more for each event that differs from the rule's event of its
// date. It writes nothing without a shown event: all may go to the trash while a calendar is read.
// The expansion equals the shown events, followed by those beyond the horizon of the series if all
// up to that are shown.
func AppendSeries(b []byte, r *render.Renderer, s *store.Series, shown []*store.Event) []byte {
	if len(shown) == 0 {
		return b
	}
	shown = slices.Clone(shown)
	slices.SortFunc(
		shown,
		func(a, b *store.Event) int { return int(a.Recurrence.Start - b.Recurrence.Start) },
	)
	w := seriesWriter{
		calendarWriter: calendarWriter{ical.Writer{
			B: b,
		}, r},
		s:      s,
		zone:   r.Zone(&s.Event),
		length: s.Event.End - s.Event.Start,
	}
	inside, _ := r.Inside(&s.Event)
	w.allDay = inside.AllDay
	changed := s.Event.Modified
	for _, e := range shown {
		w.dates = append(w.dates, e.Recurrence.Start)
		if changed.Before(modified(e)) {
			changed = modified(e)
		}
	}
	rule := w.recurrence()

	uid := r.UID(&store.Post{Meta: store.Meta{ID: s.ID}, Origins: s.Event.Origins})
	w.Begin("VEVENT")
	w.identity(uid, s.Event.Date, changed)
	w.masterTimes()
	if rule != nil {
		w.Line("RRULE").Raw(rule.String())
	}
	w.walls("RDATE", w.added...)
	w.walls("EXDATE", w.removed...)
	w.page(shown[0])
	from := len(w.B)
	w.about(&s.Event)
	about := bytes.Clone(w.B[from:])
	w.End("VEVENT")
	for _, e := range shown {
		if !w.isLike(e, about) {
			w.Begin("VEVENT")
			w.identity(uid, e.Date, modified(e))
			w.walls("RECURRENCE-ID", w.reading(e.Recurrence.Start))
			w.times(e)
			w.page(e)
			w.about(e)
			w.End("VEVENT")
		}
	}
	return w.B
}

// A seriesWriter writes a series.
type seriesWriter struct {
	calendarWriter
	s      *store.Series
	zone   *caltime.Zone
	allDay bool
	length store.Wall // of its events, on the clock

	dates          []store.Wall              // shown dates, in order
	added, removed []store.Wall              // beside the rule
	readings       map[store.Wall]store.Wall // times by the rule, where clocks skip them, by date
}

// instanceAt returns what the series makes of a date.
func (w *seriesWriter) instanceAt(date store.Wall) *store.Event {
	e := w.s.Event
	e.Start = date
	e.End = date + w.length
	return &e
}

// isExact reports whether readers agree on the start and end of an event with the common length:
// not if clocks are put forward or back meanwhile.
func (w *seriesWriter) isExact(e *store.Event) bool {
	if w.allDay {
		return true
	}
	start := w.zone.Instant(e.Start.Time())
	end := w.zone.Instant(e.End.Time())
	length := time.Duration(w.length) * time.Second
	return end.Sub(start) == length && w.zone.Wall(end).Sub(w.zone.Wall(start)) == length &&
		isClear(w.zone, start) &&
		isClear(w.zone, end)
}

// masterTimes writes when the first event starts, and how long each is.
func (w *seriesWriter) masterTimes() {
	first := w.instanceAt(w.dates[0])
	if w.isExact(first) {
		w.times(first)
		return
	}
	w.walls("DTSTART", first.Start)
	w.Line("DURATION").Raw("PT" + strconv.FormatInt(int64(w.length), 10) + "S")
}

// isLike reports whether readers of the rule take an event for what it is.
func (w *seriesWriter) isLike(e *store.Event, about []byte) bool {
	date := e.Recurrence.Start
	like := w.instanceAt(date)
	from := len(w.B)
	w.times(like)
	middle := len(w.B)
	w.times(e)
	same := bytes.Equal(w.B[from:middle], w.B[middle:])
	w.B = w.B[:from]
	w.about(e)
	same = same && bytes.Equal(w.B[from:], about) && !slices.Contains(e.Recurrence.Changed, "slug")
	w.B = w.B[:from]
	return same && w.isExact(like) && w.reading(date) == date
}

// reading returns what the rule gives where a date is.
func (w *seriesWriter) reading(date store.Wall) store.Wall {
	if reading, ok := w.readings[date]; ok {
		return reading
	}
	return date
}

// walls writes dates in the form of the start.
func (w *seriesWriter) walls(name string, dates ...store.Wall) {
	times := make([]time.Time, len(dates))
	for i, d := range dates {
		times[i] = d.Time()
	}
	switch {
	case len(dates) == 0:
	case w.allDay:
		w.Line(name).Param("VALUE", "DATE").Date(times...)
	case isUTC(w.zone):
		w.Line(name).UTC(times...)
	default:
		w.Line(name).Param("TZID", w.zone.Portable().Name()).Local(times...)
	}
}

// recurrence returns the rule to write, or nil, and finds its additions and exceptions, by
// expanding the rule. A rule that would need more exceptions than there are dates, or that does
// not give the first date, is of no use to readers: then the dates are listed.
func (w *seriesWriter) recurrence() *rrule.Rule {
	first := w.dates[0]
	last := w.dates[len(w.dates)-1]
	w.added = w.dates // the first too, since some readers take it for a date only if it is given
	rule, err := rrule.ParseRule(w.s.Rule)
	if err != nil {
		return nil
	}
	rule.Until = w.until(rule.Until)
	goesOn := w.goesOn(rule, last)
	if !goesOn || first != w.s.Event.Start && rule.Count > 0 {
		rule.Count = 0
		rule.Until = w.until(rrule.At(w.zone.Instant(last.Time()), rrule.UTC))
	}
	if !w.begins(rule, first) {
		return nil
	}
	given := map[store.Wall]bool{}
	readings := map[store.Wall]store.Wall{}
	var added, removed []store.Wall
	for reading, date := range w.given(rule, first, first) {
		if date > last && (!goesOn || w.s.Horizon != 0 && date >= w.s.Horizon) {
			break
		}
		_, shown := slices.BinarySearch(w.dates, date)
		switch {
		case !shown:
			removed = append(removed, reading)
		case reading != date:
			readings[date] = reading
		}
		if given[date] || len(removed) > len(w.dates) {
			return nil
		}
		given[date] = true
	}
	for i, date := range w.dates {
		isStart := i == 0 && !w.setOf(rule, first).Fits() // some readers take it for no date
		if !given[date] || isStart {
			added = append(added, date)
		}
	}
	w.added = added
	w.removed = removed
	w.readings = readings
	if goesOn && w.s.Horizon != 0 {
		w.ahead(rule)
	}
	return rule
}

// begins reports whether a rule that begins with a date gives what that of the series
// gives from there on: whether both give the date, or it is the start of the series, which need be
// no date of the rule. Readers differ on whether that counts for COUNT.
func (w *seriesWriter) begins(rule *rrule.Rule, first store.Wall) bool {
	if first == w.s.Event.Start && rule.Count == 0 {
		return true
	}
	if !w.setOf(rule, first).Fits() {
		return false
	}
	for reading := range w.given(rule, w.s.Event.Start, first) {
		return reading == first
	}
	return false
}

// goesOn reports whether the series goes on as it is shown: all that has been made of it
// after the last date that is shown was taken away for everybody.
func (w *seriesWriter) goesOn(rule *rrule.Rule, last store.Wall) bool {
	for _, date := range w.given(rule, w.s.Event.Start, last+1) {
		if w.s.Horizon != 0 && date >= w.s.Horizon {
			break
		}
		if _, excepted := slices.BinarySearch(w.s.EXDates, date); !excepted {
			return false
		}
	}
	return true
}

// ahead adds what stands beside the rule behind the horizon.
func (w *seriesWriter) ahead(rule *rrule.Rule) {
	for _, excepted := range w.s.EXDates {
		if excepted < w.s.Horizon {
			continue
		}
		for reading, date := range w.given(rule, w.dates[0], excepted) {
			if date == excepted {
				w.removed = append(w.removed, reading)
			}
			break
		}
	}
	for _, date := range w.s.RDates {
		if _, excepted := slices.BinarySearch(w.s.EXDates, date); !excepted &&
			date >= w.s.Horizon {
			w.added = append(w.added, date)
		}
	}
}

// setOf returns what a rule gives from a start on a clock that is never put forward or
// back, for two days more than it goes.
func (w *seriesWriter) setOf(rule *rrule.Rule, start store.Wall) *rrule.Set {
	next := *rule
	form := rrule.Local
	if w.allDay {
		form = rrule.Date
	}
	if next.Until.Form != 0 {
		next.Until = rrule.DateTime{Seconds: next.Until.Seconds + 2*24*60*60, Form: form}
	}
	return &rrule.Set{Start: rrule.DateTime{Seconds: int64(start), Form: form}, Rule: &next}
}

// given yields what a rule gives from a start: the dates from one on, each with what the
// rule asks for, which clocks may skip.
func (w *seriesWriter) given(
	rule *rrule.Rule,
	start, from store.Wall,
) iter.Seq2[store.Wall, store.Wall] {
	return func(yield func(reading, date store.Wall) bool) {
		for t := range w.setOf(rule, start).From(from.Time().AddDate(0, 0, -1)) {
			reading := store.WallOf(t)
			at := t
			date := reading
			if !w.allDay {
				at = w.zone.Instant(t)
				date = store.WallOf(w.zone.Wall(at))
			}
			if rule.Until.Form != 0 && at.Unix() > rule.Until.Seconds {
				return
			}
			if date >= from && !yield(reading, date) {
				return
			}
		}
	}
}

// until returns the end of a rule in the form that goes with the start: a day for days,
// else a moment.
func (w *seriesWriter) until(d rrule.DateTime) rrule.DateTime {
	switch t := time.Unix(d.Seconds, 0).UTC(); {
	case w.allDay && d.Form == rrule.UTC:
		return rrule.At(w.zone.Wall(t), rrule.Date)
	case !w.allDay && d.Form == rrule.Date:
		return rrule.At(w.zone.Instant(caltime.EndOfDay(t)), rrule.UTC)
	}
	return d
}
