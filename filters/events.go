// Listings of events (section 4.2 of the specification).

package filters

import (
	"slices"
	"time"

	"almanac/internal/people/access"
	"almanac/store"
)

// Events is a filter of events. Conditions are joined by and; the ids of one list by or, so that a
// list without ids matches nothing, and a nil one is no condition. AllEvents returns a filter
// without conditions. Hidden events are in no listing.
type Events struct {
	Viewer   access.Viewer
	Statuses []store.Status // none: any but the trash

	// Opens reports whether a protected event that holds the searched words, or is free, may be
	// found; it must not take long. Nil finds none, but in a search those that the Viewer sees
	// whatever their status.
	Opens func(*store.Event) bool

	// Calendar gives the times that Start, End and Day are about, and the order of the start_date.
	// Nil: the event's local times, and the order of these.
	Calendar   *Calendar
	Start, End store.Range // the zero Range is a second of 1970

	Search     Search
	Names      bool    // the search looks in the names of venues, organizers, categories and tags, too
	Categories []int64 // each stands for its descendants too; nil: not asked for
	Tags       []int64
	Venues     []int64
	Organizers []int64
	Include    []int64 // ids of events; may hold others
	Parent     int64   // 0: not asked for
	Series     []int64
	Slug       string   // "": not asked for
	States     []string // of events, as they are stored
	Featured   *bool
	Ticketed   *bool
	Free       *bool // costs nothing, as the caller knows
	Located    *bool // whether the venue has coordinates
	Recurring  *bool // whether it is of a series
	Lasting    bool  // takes longer than a week
	Near       *Near

	ModifiedAfter, ModifiedBefore time.Time // exclusive; zero: not asked for
	Written                       *Written  // nil: no conditions

	// Day is the midnight at which the wanted days begin. An event whose days end at this midnight
	// is not of them, unless it begins then, too, or Runs: nil is that none does. Gone turns all
	// that around: it selects the events of the days before. Nil: no condition.
	Day  *store.Wall
	Gone bool
	Runs func(*store.Event) bool

	// HiddenSeries are the ids of series, in order, that the caller may not read: their
	// events are of no series, for Recurring and FirstOfSeries.
	HiddenSeries []int64

	// FirstOfSeries selects only the matching event of each series that starts first; Match does
	// not know of it.
	FirstOfSeries bool

	byName *names    // of the search; nil: not looked up yet
	asked  *searched // nil: not yet

	OrderBy string // end_date, date, modified, title or id; all else is start_date
	Desc    bool
}

// searched is the search as the store is asked in a state.
type searched struct {
	state *store.State
	text  store.Text
}

// AllEvents returns a filter without conditions.
func AllEvents() *Events { return &Events{Start: store.Always(), End: store.Always()} }

// Match reports whether an event is asked for.
func (f *Events) Match(v *store.View, e *store.Event) bool {
	f.lookUp(v)
	return f.meets(v, e) && f.reads(e)
}

// meets is Match without the search.
func (f *Events) meets(v *store.View, e *store.Event) bool {
	start, end, _ := f.times(e)
	switch {
	case e.HideFromListings, !f.Viewer.Sees(&e.Post), !hasStatus(f.Statuses, e.Status):
		return false
	case !f.Start.Has(start), !f.End.Has(end), f.Day != nil && f.isOfDay(e) == f.Gone:
		return false
	case f.Venues != nil && !overlap(f.Venues, e.Venues),
		f.Organizers != nil && !overlap(f.Organizers, e.Organizers):
		return false
	case f.Tags != nil && !overlap(f.Tags, e.Tags), f.Categories != nil && !f.inCategory(v, e):
		return false
	case f.Include != nil && !slices.Contains(f.Include, e.ID):
		return false
	case f.Parent != 0 && f.Parent != e.Parent, f.Slug != "" && f.Slug != e.Slug:
		return false
	case f.Featured != nil && *f.Featured != e.Featured,
		f.Ticketed != nil && *f.Ticketed != e.Ticketed:
		return false
	case f.Free != nil && *f.Free != (e.Cost.IsFree() && (e.Password == "" || f.Opens != nil && f.Opens(e))):
		return false
	case f.States != nil && !slices.Contains(f.States, e.State):
		return false
	case f.Series != nil && (e.Recurrence == nil || !slices.Contains(f.Series, e.Recurrence.Series)):
		return false
	case f.Recurring != nil && *f.Recurring != (f.seriesOf(e) != 0):
		return false
	case !f.ModifiedAfter.IsZero() && !e.Modified.After(f.ModifiedAfter):
		return false
	case !f.ModifiedBefore.IsZero() && !e.Modified.Before(f.ModifiedBefore):
		return false
	case !f.Written.Has(e.ID, e.Author, e.Date):
		return false
	case f.Located != nil && *f.Located != located(v, e),
		f.Near != nil && !f.Near.holds(v, e),
		f.Lasting && !e.TakesWeeks():
		return false
	}
	return true
}

// seriesOf returns the series that an event is of, as far as the caller may know; 0 for
// none.
func (f *Events) seriesOf(e *store.Event) int64 {
	if e.Recurrence == nil {
		return 0
	}
	if _, hidden := slices.BinarySearch(f.HiddenSeries, e.Recurrence.Series); hidden {
		return 0
	}
	return e.Recurrence.Series
}

// reads reports whether the search finds an event. The names have been looked up.
func (f *Events) reads(e *store.Event) bool {
	switch {
	case f.Search.Empty():
		return true
	case f.isProtected(e) && f.Opens == nil:
		return false
	}
	isNamed := func(word string) bool { return f.byName.has(word, e) }
	return f.Search.within(isNamed, e.Title, e.Excerpt, e.Description) &&
		(!f.isProtected(e) || f.Opens(e))
}

// isProtected reports whether the texts of an event may be searched only with its password: search
// results would reveal its content.
func (f *Events) isProtected(e *store.Event) bool {
	return e.Password != "" && !f.Viewer.SeesAlways(&e.Post)
}

// ask makes the query to the store: all but Include, Slug and the order.
func (f *Events) ask(v *store.View, q *store.Query) {
	*q = store.Query{
		Published:   hasStatus(f.Statuses, store.Publish),
		Unpublished: !onlyPublished(f.Viewer, f.Statuses),
		Start:       f.Start,
		End:         f.End,
		Match:       func(e *store.Event) bool { return f.meets(v, e) },
		NeedsMatch: f.States != nil || !f.ModifiedAfter.IsZero() || !f.ModifiedBefore.IsZero() ||
			f.Written != nil,
	}
	switch {
	case f.Calendar != nil && f.Calendar.Elsewhere:
		q.Start, q.End, q.NeedsMatch = widened(q.Start), widened(q.End), true
	case f.Day == nil:
	case *f.Day == f.End.Min && !f.Gone:
		q.Early = f.isOfDay
	default:
		q.NeedsMatch = true
	}
	if !f.Viewer.All {
		q.Author = f.Viewer.Own
	}
	linked := func(name string, k store.Kind, ids []int64) {
		if ids != nil {
			q.Links = append(q.Links, store.Links{Name: name, Kind: k, IDs: ids})
		}
	}
	linked("venue", store.Venues, f.Venues)
	linked("organizer", store.Organizers, f.Organizers)
	linked("tags", store.Tags, f.Tags)
	linked("categories", store.Categories, f.Categories)
	linked("series", store.AllSeries, f.Series)
	if f.Parent != 0 {
		linked("post_parent", store.Events, []int64{f.Parent})
	}
	if f.Near != nil {
		linked("near", store.Venues, f.Near.venues(v))
	}
	flagged := func(flag store.Flag, wanted *bool) {
		switch {
		case wanted == nil:
		case *wanted:
			q.With = append(q.With, flag)
		default:
			q.Without = append(q.Without, flag)
		}
	}
	flagged(store.Featured, f.Featured)
	flagged(store.Ticketed, f.Ticketed)
	flagged(store.Located, f.Located)
	if f.Lasting {
		q.With = append(q.With, store.Lasting)
	}
	if f.Opens == nil {
		flagged(store.Free, f.Free)
	} else if f.Free != nil {
		q.NeedsMatch = true
	}
	switch {
	case f.Viewer.All && len(f.HiddenSeries) == 0:
		flagged(store.Recurring, f.Recurring)
	case f.Recurring != nil: // series may be hidden: the plan must be the same if there are any
		q.NeedsMatch = true
	}
	if f.Search.Empty() {
		return
	}
	if f.asked == nil || f.asked.state != v.State() {
		f.asked = &searched{v.State(), store.Text{Words: f.Search.with, Excluded: f.Search.without}}
		by := *f
		if f.Names {
			f.asked.text.Named = func(text string) []store.Links { return by.withName(v, text) }
		}
		if f.Opens != nil || f.Viewer != (access.Viewer{}) {
			f.asked.text.Open = by.reads
		}
	}
	q.Text = &f.asked.text
}

// overlap reports whether something that is there is wanted.
func overlap(wanted, has []int64) bool {
	return slices.ContainsFunc(has, func(id int64) bool { return slices.Contains(wanted, id) })
}

// inCategory reports whether an event is in one of the categories or below.
func (f *Events) inCategory(v *store.View, e *store.Event) bool {
	for _, id := range e.Categories {
		if slices.Contains(f.Categories, id) {
			return true
		}
		if term := v.Term(store.Categories, id); term != nil {
			for up := range store.Above(term, v.Get) {
				if slices.Contains(f.Categories, up.ID) {
					return true
				}
			}
		}
	}
	return false
}
