// The operations on series, which make events that come again. They are changed
// through their events.

package api

import (
	"cmp"
	"errors"
	"slices"

	"almanac/filters"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/store"
)

// Series is the operations on series.
var Series = Resource{
	List: Localized(Unlisted(listOp("series.list", params.SeriesList, listSeries))),
	Read: Localized(Unlisted(&Op{
		Name:   "series.read",
		Params: params.SeriesRead,
		Serve:  readSeries,
	})),
}

// listSeries answers GET /series with the series that the caller may read, in order of id.
func listSeries(r *Call) (*respond.Response, error) {
	l := List{Call: r, Name: "series"}
	err := r.InView(func(v *store.View, values params.Values) error {
		var found []*store.Series
		include := values.IDs("include")
		for _, s := range v.SeriesByID() {
			if r.MayReadSeries(s) && (include == nil || slices.Contains(include, s.ID)) {
				found = append(found, s)
			}
		}
		l.Paging = l.paging(values)
		l.Total = len(found)
		l.items = nil
		l.query = l.echo(values, []pair{{"per_page", itoa(l.perPage)}})
		if l.Page > 1 && l.Offset() >= len(found) {
			return NoPage("series")
		}
		for _, s := range found[l.Offset():min(l.Offset()+l.perPage, len(found))] {
			l.items = append(l.items, r.seriesItem(v, s))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l.Response()
}

// readSeries answers GET /series/{id}.
func readSeries(r *Call) (*respond.Response, error) {
	return r.readOne(func(v *store.View) (item, error) {
		s := v.Series(r.ID())
		switch {
		case s == nil:
			return item{}, RecordNotFound("series", r.ID())
		case !r.MayReadSeries(s):
			return item{}, notAccessible("series")
		}
		return r.seriesItem(v, s), nil
	})
}

// MayReadSeries reports whether the caller may read a series, which needs the right to read an
// event like its template. The template of a series that was ended is in the trash, which hides it.
func (r *viewer) MayReadSeries(s *store.Series) bool {
	return s.Event.Status != store.Trash && r.MayRead(&s.Event.Post)
}

// Parts returns the parts of a series, which was split or was not, that the caller may read.
func (r *viewer) Parts(v *store.Reader, s *store.Series) []*store.Series {
	return slices.DeleteFunc(v.Parts(s), func(s *store.Series) bool {
		return !r.MayReadSeries(s)
	})
}

// PartsOf returns the ids of some series, and behind them those of their other parts that the
// caller may read.
func (r *viewer) PartsOf(v *store.Reader, ids []int64) []int64 {
	all := slices.Clone(ids)
	for _, id := range ids {
		s := v.Series(id)
		if s == nil || !r.MayReadSeries(s) {
			continue
		}
		for _, part := range r.Parts(v, s) {
			if !slices.Contains(all, part.ID) {
				all = append(all, part.ID)
			}
		}
	}
	return all
}

// SeriesNamed returns the series with a slug that the caller may read: both parts of a series that
// was split have it.
func (r *viewer) SeriesNamed(v *store.Reader, slug string) []*store.Series {
	return slices.DeleteFunc(
		v.SeriesNamed(slug),
		func(s *store.Series) bool {
			return !r.MayReadSeries(s)
		},
	)
}

// seriesItem prepares a series for an answer, with what the caller finds of its events
// in lists.
func (r *Call) seriesItem(v *store.View, s *store.Series) item {
	r.unlocked(&s.Event) // the password is tried before the answer is made
	about := render.Series{Series: s, Text: r.InWords(s)}
	parts := r.Parts(&v.Reader, s)
	about.Total, about.Next, _ = r.dates(v, parts...)
	at := slices.Index(parts, s)
	if at > 0 {
		about.Earlier = parts[at-1].ID
	}
	if at >= 0 && at+1 < len(parts) {
		about.Later = parts[at+1].ID
	}
	return item{record: about}
}

// dates returns what the caller finds in lists of the events of some series: how many, the next
// one, and the last one.
func (r *Call) dates(v *store.View, some ...*store.Series) (total int, next, last *store.Event) {
	show := r.Renderer(nil)
	f := filters.AllEvents()
	f.Viewer = access.ViewerOf(r.Caller)
	for _, s := range some {
		for _, e := range v.Instances(s.ID) {
			if !f.Match(v, e) {
				continue
			}
			total++
			isComing := !show.Zone(e).Instant(e.Start.Time()).Before(r.Now)
			if isComing && (next == nil || e.Start < next.Start) {
				next = e
			}
			if last == nil || e.Start > last.Start {
				last = e
			}
		}
	}
	return total, next, last
}

// dateNamed returns the event that has the slug of its series as an address: the next date, else
// the last one. Nil is none. Sites that an import comes from give all dates of a series one slug.
func (r *Call) dateNamed(v *store.View, slug string) *store.Event {
	var ids []int64
	for _, s := range r.SeriesNamed(&v.Reader, slug) {
		ids = append(ids, s.ID)
	}
	var some []*store.Series
	for _, id := range r.PartsOf(&v.Reader, ids) {
		some = append(some, v.Series(id))
	}
	_, next, last := r.dates(v, some...)
	return cmp.Or(next, last)
}

// Begins returns the first date of a series: the start of its template, if that is not left out.
func (r *Call) Begins(s *store.Series) store.Wall {
	for _, first := range r.DatesFrom(s, s.Event.Start, 1) {
		return first
	}
	return s.Event.Start
}

// DatesFrom returns the dates of a series from a local time on, at most so many.
func (r *Call) DatesFrom(s *store.Series, from store.Wall, most int) (dates []store.Wall) {
	x, err := write.Editor{Zones: &r.zones}.Expand(s)
	if err != nil {
		return nil // another version of the program stored the rule
	}
	for t := range x.From(x.Moment(from)) {
		if len(dates) == most {
			break
		}
		dates = append(dates, store.WallOf(t))
	}
	return dates
}

// Rhythm returns what a series repeats in words, without its end and the dates beside its rule; ""
// for dates without a rule.
func (r *Call) Rhythm(s *store.Series) string {
	rule, err := rrule.ParseRule(s.Rule)
	if err != nil {
		return ""
	}
	rule.Count = 0
	rule.Until = rrule.DateTime{}
	alone := *s
	alone.Rule = rule.String()
	alone.RDates = nil
	alone.EXDates = nil
	return r.InWords(&alone)
}

// InWords returns what a series repeats in the words of the request's language.
func (r *Call) InWords(s *store.Series) string {
	words, err := rrule.WordsOf(r.Language.Tag)
	if err != nil {
		panic(err) // tests see that there are words of every language
	}
	x, err := write.Editor{Zones: &r.zones}.Expand(s)
	if err != nil {
		return s.Rule // another version of the program stored it
	}
	return words.Describe(&x.Set)
}

// scopeError returns the error of a write of an event. To a caller without the right it says that
// the write was for more events than one, if it was.
func scopeError(err error, values params.Values) error {
	if errors.Is(err, write.ErrForbidden) && values.Text("scope") != string(write.This) {
		return errScope
	}
	return err
}
