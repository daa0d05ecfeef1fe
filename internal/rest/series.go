// The operations on series, which make events that come again. They are changed
// through their events.

package rest

import (
	"errors"
	"slices"
	"time"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/caltime"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/internal/write"
	"almanac/rrule"
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

// listSeries answers GET /series: those that the caller may read, in order of id.
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
		if !r.mayReadSeries(s) {
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

// mayReadSeries reports whether the caller may read a series: who may read an event
// that is like the one it makes its events of. One that has ended is read by nobody.
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

// EventOfDate answers GET /event/{slug}/{date}, where the paid edition of the original
// has the page of an event of a series: it leads to the address of the event.
var EventOfDate = &Op{Name: "series.event", Params: params.None, serve: serveEventOfDate, page: true, unlisted: true}

// serveEventOfDate leads to the event of a series on a date.
func serveEventOfDate(r *request) (*respond.Response, error) {
	day, err := time.Parse(time.DateOnly, r.path["date"])
	if err != nil {
		return nil, errNoRoute
	}
	var page string
	err = r.store.View(func(v *store.View) error {
		e := r.eventOfDate(v, day)
		if e == nil {
			return errNoEventOn
		}
		page = r.renderer(v).EventPage(&e.Post)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.leadTo(page)
}

// eventOfDate looks for the event that was made for the date, by its slug, and then
// for one that is on that date now. An event whose series the caller may not read is
// an event of no series for him, and has no such address. Nil is none.
func (r *request) eventOfDate(v *store.View, day time.Time) *store.Event {
	record, _ := r.called(v, store.Events, r.slug()+"-"+r.path["date"], func(record store.Record) bool {
		e := record.(*store.Event)
		return r.mayFind(e) && e.Recurrence != nil && r.mayReadSeries(v.Series(e.Recurrence.Series))
	})
	if e, ok := record.(*store.Event); ok {
		return e
	}
	return r.eventOn(v, store.WallOf(day))
}

// eventOn returns the first event of a day that the caller finds, of a series whose slug the path names, or nil.
func (r *request) eventOn(v *store.View, day store.Wall) *store.Event {
	for _, s := range v.SeriesByID() {
		if s.Event.Slug != r.slug() || !r.mayReadSeries(s) {
			continue
		}
		f := filters.AllEvents()
		f.Viewer, f.Start = access.ViewerOf(r.caller), store.Range{Min: day, Max: day + 86_399}
		for _, e := range v.Instances(s.ID) {
			if f.Match(v, e) {
				return e
			}
		}
	}
	return nil
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
