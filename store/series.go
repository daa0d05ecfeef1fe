// Look-ups of the events of series, and of series whose horizon has to be moved.

package store

import (
	"cmp"
	"slices"
	"time"

	"almanac/store/record"
)

// An instanceKey identifies an event of a series by the series and the recurrence id.
type instanceKey struct {
	series int64
	start  Wall
}

// instanceOf returns the key of an event: the zero key of one of no series, and of one in
// the trash, whose place another may take.
func instanceOf(e *Event) instanceKey {
	if e.Recurrence == nil || e.Status == Trash {
		return instanceKey{}
	}
	return instanceKey{e.Recurrence.Series, e.Recurrence.Start}
}

// grows reports whether more will be made of the series some day.
func grows(s *Series) bool { return s.Horizon != 0 && s.Event.Status != Trash }

// ahead is how far the horizon has to be ahead of the clock: 24 months, which are 731
// days at most, and a day more. The store knows no zones, and takes the horizon for a
// moment in UTC: with that day it is far enough in every zone.
const ahead = 732 * 24 * time.Hour

// dueOf returns when the horizon has to be moved.
func dueOf(s *Series) time.Time { return s.Horizon.Time().Add(-ahead) }

// byHorizon is the order in which horizons are moved.
func byHorizon(a, b Record) int {
	return cmp.Or(
		cmp.Compare(a.(*Series).Horizon, b.(*Series).Horizon),
		cmp.Compare(a.Key(), b.Key()),
	)
}

// byKey is the order of ids.
func byKey(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) }

// HiddenSeries returns the ids of the series that a caller may not read, in order.
// Published ones are for everybody, so that they are not asked about.
func (v *View) HiddenSeries(mayRead func(*Post) bool) (ids []int64) {
	for _, r := range v.base.unshown {
		if !mayRead(PostOf(r)) {
			ids = append(ids, r.Key())
		}
	}
	return ids
}

// Series returns the series with an id, or nil.
func (r *Reader) Series(id int64) *Series { s, _ := r.Get(AllSeries, id).(*Series); return s }

// shareTexts makes an event of a series keep the long texts of the series, where they are equal:
// memory has them once.
func (r *Reader) shareTexts(rec Record) {
	e, ok := rec.(*Event)
	if !ok || e.Recurrence == nil {
		return
	}
	if s := r.Series(e.Recurrence.Series); s != nil {
		record.ShareTexts(e, &s.Event)
	}
}

// Instance returns the event of a series that was made for a start and is not in the
// trash, or nil.
func (r *Reader) Instance(series int64, start Wall) *Event {
	return r.byInstance(instanceKey{series, start})
}

func (r *Reader) byInstance(key instanceKey) *Event {
	e, _ := r.by(Events, func(x *index) int64 { return x.instances[key] }).(*Event)
	return e
}

// Instances returns the events of a series, those in the trash too, by the starts that
// they were made for. The slice is the caller's.
func (r *Reader) Instances(series int64) []*Event {
	found := r.EventsOf(AllSeries, series)
	slices.SortStableFunc(
		found,
		func(a, b *Event) int { return cmp.Compare(a.Recurrence.Start, b.Recurrence.Start) },
	)
	return found
}

// SeriesByID returns all series, those that have ended too, in order of id. The slice
// is the caller's.
func (r *Reader) SeriesByID() []*Series { return r.someSeries(func(*Series) bool { return true }) }

// SeriesNamed returns the series with a slug, which need not be unique, in order of id.
func (r *Reader) SeriesNamed(slug string) []*Series {
	return r.someSeries(func(s *Series) bool { return s.Event.Slug == slug })
}

// SeriesOf returns the series whose event is linked to a venue, an organizer, a category,
// a tag or (kind Events) a parent event, in order of id.
func (r *Reader) SeriesOf(k Kind, id int64) []*Series {
	return r.someSeries(func(s *Series) bool { return isLinked(&s.Event, k, id) })
}

// Parts returns a series with those that were split from it or that it was split from, in the
// order of their dates.
func (r *Reader) Parts(s *Series) []*Series {
	parts := []*Series{s}
	for p := r.Series(s.Event.Parts.Earlier); p != nil && !slices.Contains(parts, p); p = r.Series(p.Event.Parts.Earlier) {
		parts = append(parts, p)
	}
	slices.Reverse(parts)
	for p := r.Series(s.Event.Parts.Later); p != nil && !slices.Contains(parts, p); p = r.Series(p.Event.Parts.Later) {
		parts = append(parts, p)
	}
	return parts
}

// DueSeries returns the series whose horizon has to be moved, in order of id: it is at most
// 732 days after now when it is taken for UTC.
func (r *Reader) DueSeries(now time.Time) []*Series {
	return r.someSeries(func(s *Series) bool { return grows(s) && !dueOf(s).After(now) })
}

// someSeries returns some series in order of id.
func (r *Reader) someSeries(want func(*Series) bool) (found []*Series) {
	for rec := range r.Each(AllSeries) {
		if s := rec.(*Series); want(s) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *Series) int { return cmp.Compare(a.ID, b.ID) })
	return found
}
