// The operations on series, which make events that come again. They are changed
// through their events.

package rest

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/caltime"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/internal/rrule"
	"almanac/internal/write"
	"almanac/store"
)

// Series is the operations on series.
var Series = Resource{
	List: seriesList(),
	Read: &Op{Name: "series.read", Params: params.SeriesRead, serve: readSeries, texts: true, unlisted: true},
}

func seriesList() *Op {
	op := listOp("series.list", params.SeriesList, listSeries)
	op.texts, op.unlisted = true, true
	return op
}

// listSeries answers GET /series with the series that the caller may read, in order of id.
func listSeries(r *request) (*respond.Response, error) {
	l := list{name: "series"}
	err := r.view(func(v *store.View, values params.Values) error {
		var found []*store.Series
		include := values.IDs("include")
		for _, s := range v.SeriesByID() {
			if r.mayReadSeries(s) && (include == nil || slices.Contains(include, s.ID)) {
				found = append(found, s)
			}
		}
		l.paging, l.total, l.items = r.paging(values), len(found), nil
		l.query = r.echo(values, []pair{{"per_page", itoa(l.perPage)}})
		if l.page > 1 && l.offset() >= len(found) {
			return archivePage("series")
		}
		for _, s := range found[l.offset():min(l.offset()+l.perPage, len(found))] {
			l.items = append(l.items, r.seriesItem(v, s, false))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.answerList(&l)
}

// readSeries answers GET /series/{id}.
func readSeries(r *request) (*respond.Response, error) {
	var one item
	err := r.view(func(v *store.View, _ params.Values) error {
		s := v.Series(r.id())
		switch {
		case s == nil:
			return recordNotFound("series", r.id())
		case !r.mayReadSeries(s):
			return notAccessible("series")
		}
		one = r.seriesItem(v, s, true)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.single(one)
}

// mayReadSeries reports whether the caller may read a series, which needs the right to read an event like its
// template. A series that has ended is hidden.
func (r *request) mayReadSeries(s *store.Series) bool {
	return s.Event.Status != store.Trash && r.mayRead(&s.Event.Post)
}

// seriesItem prepares a series for an answer, with what the caller finds of its events
// in lists.
func (r *request) seriesItem(v *store.View, s *store.Series, single bool) item {
	r.unlocked(&s.Event) // the password is tried before the answer is made
	about := render.Series{Series: s, Text: r.inWords(s)}
	f := filters.AllEvents()
	f.Viewer = access.ViewerOf(r.caller)
	for _, e := range v.Instances(s.ID) {
		if !f.Match(v, e) {
			continue
		}
		about.Total++
		zone, err := r.zones.Load(e.Timezone)
		if err != nil {
			zone = caltime.UTC()
		}
		if !zone.Instant(e.Start.Time()).Before(r.now) && (about.Next == nil || e.Start < about.Next.Start) {
			about.Next = e
		}
	}
	return item{single: single, record: about}
}

// eventOfDate returns the event that was made for a date of a series, by its slug, which ends in the
// date and in a number if it is not the first of that day, else the event that is on that date now. One in
// the trash comes back if everybody saw it there. An event whose series the caller may not read is an event
// of no series for him, and has no such address. Nil is none.
func (r *request) eventOfDate(v *store.View, series, date, number string) *store.Event {
	slug, n := series+"-"+date, 1
	if number = strings.TrimLeft(number, "0"); number != "" && number != "1" {
		slug += "-" + number
		n, _ = strconv.Atoi(number)
	}
	record, _ := r.called(v, store.Events, slug, func(record store.Record) bool {
		e := record.(*store.Event)
		return r.mayFind(e) && e.Recurrence != nil && r.mayReadSeries(v.Series(e.Recurrence.Series))
	})
	if e, ok := record.(*store.Event); ok {
		return e
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}
	if e := r.eventOn(v, series, store.WallOf(day), n); e != nil {
		return e
	}
	return withdrawn(v, slug)
}

// eventOn returns an event of a day that the caller finds, by its number on that day, of the series with a slug, or nil.
func (r *request) eventOn(v *store.View, slug string, day store.Wall, number int) *store.Event {
	f := filters.AllEvents()
	f.Viewer, f.Start = access.ViewerOf(r.caller), store.Range{Min: day, Max: day + 86_399}
	for _, s := range r.seriesNamed(v, slug) {
		for _, e := range v.Instances(s.ID) {
			if f.Match(v, e) {
				if number--; number == 0 {
					return e
				}
			}
		}
	}
	return nil
}

// seriesNamed returns the series with a slug that the caller may read: both parts of a series that was split
// have it.
func (r *request) seriesNamed(v *store.View, slug string) []*store.Series {
	return slices.DeleteFunc(v.SeriesNamed(slug), func(s *store.Series) bool { return !r.mayReadSeries(s) })
}

// refusedScope returns the error of a write of an event. Where it was about more than
// that, the answer to a caller without the right says so.
func refusedScope(err error, values params.Values) error {
	if errors.Is(err, write.ErrForbidden) && values.Text("scope") != string(write.This) {
		return errScope
	}
	return err
}

// inWords returns what a series repeats in the words of the request's language.
func (r *request) inWords(s *store.Series) string {
	words, ok := r.words.Load(r.language.Tag)
	if !ok {
		read, err := rrule.WordsOf(r.language.Tag)
		if err != nil {
			panic(err) // tests see that there are words of every language
		}
		words, _ = r.words.LoadOrStore(r.language.Tag, read)
	}
	set, err := write.SetOf(&r.zones, s)
	if err != nil {
		return s.Rule // the store holds what a program of another day knew
	}
	return words.(*rrule.Words).Describe(set)
}
