// Results: one page, in the order of the filter.

package filters

import (
	"context"
	"errors"
	"slices"

	"almanac/store"
)

// Found is a page of events.
type Found struct {
	Events []*store.Event
	Total  int
	Plan   store.Plan

	// The remaining work, which needs no state of the store: candidates are read and put in order.
	filter        *Events
	query         store.Query
	candidates    []*store.Event // in the order of starts; nil when nothing is left
	read          bool
	wide          bool            // it finds too many names
	repeats       bool            // they have all events of series, though the first are wanted
	parts         map[int64]int64 // of the series of candidates, if they are parts of another one: its id
	offset, limit int
}

// finishAtOnce is how many candidates are put in order while the View is still
// there, and readAtOnce how many bytes of them are read then.
const (
	finishAtOnce = 256
	readAtOnce   = 256 << 10
)

// ErrWide says that a search finds too much to be read: it is for several words
// side by side, or for signs, and too many texts hold its words.
var ErrWide = errors.New("filters: the search has to read too many texts")

// ErrNames says that a search finds too many names.
var ErrNames = errors.New("filters: the search finds too many names")

// Find finds the events from position offset on, at most limit of them, and how
// many there are in all. Finish has to be called before they are used, after the
// View has ended: reading very many texts and putting very many events in order
// would keep writers waiting.
func (f *Events) Find(v *store.View, offset, limit int) *Found {
	found := &Found{filter: f, offset: offset, limit: limit}
	f.lookUp(v)
	if f.isWide() {
		found.refuse()
		return found
	}
	if f.Include != nil || f.Slug != "" {
		found.candidates = f.named(v, &found.Plan)
		found.read = !f.Search.Empty()
		found.repeats = f.FirstOfSeries
		found.noteParts(v)
		found.finishAtOnce()
		return found
	}
	f.ask(v, &found.query)
	all := v.Find(&found.query)
	if f.isWide() {
		found.refuse()
		return found
	}
	found.Total = all.Total
	found.Plan = all.Plan
	found.read = all.Unread
	found.repeats = f.FirstOfSeries
	if !found.read && !found.repeats && f.compare() == nil {
		found.page(&all)
		return found
	}
	found.candidates = all.Events(0, all.Total)
	found.noteParts(v)
	found.finishAtOnce()
	return found
}

// refuse leaves the search to Finish, which refuses it.
func (found *Found) refuse() {
	found.candidates = []*store.Event{}
	found.wide = true
}

// finishAtOnce finishes what does not take long.
func (found *Found) finishAtOnce() {
	inOrder := !found.read &&
		(found.filter.compare() == nil || found.filter.isOfDays()) // one pass is enough
	if inOrder || len(found.candidates) <= finishAtOnce && found.ToRead() <= readAtOnce {
		_ = found.Finish(context.Background(), readAtOnce) // so little is never refused
	}
}

// ToRead returns how many bytes of texts have to be read. Texts that the viewer may not search do
// not count, as their size must not be revealed.
func (found *Found) ToRead() (n int64) {
	if !found.read {
		return 0
	}
	for _, e := range found.candidates {
		if found.filter.Opens != nil || !found.filter.isProtected(e) {
			n += int64(len(e.Title) + len(e.Excerpt) + len(e.Description))
		}
	}
	return n
}

// named returns the events of Include or Slug that match, by start.
func (f *Events) named(v *store.View, plan *store.Plan) []*store.Event {
	plan.Index = "slug"
	var found []*store.Event
	if f.Include == nil {
		if e, ok := v.BySlug(store.Events, f.Slug).(*store.Event); ok && f.meets(v, e) {
			found = append(found, e)
		}
		plan.Candidates = len(found)
		return found
	}
	plan.Index = "include"
	plan.Candidates = len(f.Include)
	for _, id := range f.Include {
		if e := v.Event(id); e != nil && f.meets(v, e) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, store.ByStart)
	return slices.Compact(found)
}

// page takes the page out of all that was found.
func (found *Found) page(all *store.Found) {
	from := found.offset
	to := min(found.offset+found.limit, found.Total)
	if found.filter.Desc {
		from = max(0, found.Total-found.offset-found.limit)
		to = found.Total - found.offset
	}
	if from < to {
		found.Events = all.Events(from, to)
	}
	if found.filter.Desc {
		slices.Reverse(found.Events)
	}
}

// Finished reports whether nothing is left to be done.
func (found *Found) Finished() bool { return found.candidates == nil }

// Reads reports whether texts are left to be read, which takes longest.
func (found *Found) Reads() bool { return found.candidates != nil && found.read }

// Finish does the remaining work. It reads at most that many bytes of texts. The error is ErrWide
// when that is not enough, ErrNames, or that of the context, when the client has left.
func (found *Found) Finish(ctx context.Context, most int64) error {
	events := found.candidates
	if events == nil {
		return nil
	}
	f := found.filter
	if found.wide {
		return ErrNames
	}
	if found.read {
		if found.ToRead() > most {
			return ErrWide
		}
		events = slices.DeleteFunc(
			events,
			func(e *store.Event) bool { return ctx.Err() != nil || !f.reads(e) },
		)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if found.repeats {
		events = found.firsts(events)
	}
	found.candidates = nil
	found.Total = len(events)
	switch by := f.compare(); {
	case by != nil:
		events = Least(events, found.offset+found.limit, by)
	case f.Desc:
		slices.Reverse(events)
	}
	found.Events = page(events, found.offset, found.limit)
	return nil
}

// noteParts notes which series are parts of one that was split.
func (found *Found) noteParts(v *store.View) {
	if !found.repeats {
		return
	}
	found.parts = map[int64]int64{}
	last := int64(0) // many events in a row are of one series
	for _, e := range found.candidates {
		if e.Recurrence == nil || e.Recurrence.Series == last {
			continue
		}
		last = e.Recurrence.Series
		if s := v.Series(last); found.parts[last] == 0 && s.Event.Parts.Earlier != 0 {
			found.parts[last] = v.Parts(s)[0].ID
		}
	}
}

// firsts leaves, of events in the order of starts, the first of each series, with all of its
// parts.
func (found *Found) firsts(events []*store.Event) []*store.Event {
	seen := map[int64]bool{}
	return slices.DeleteFunc(events, func(e *store.Event) bool {
		series := found.filter.seriesOf(e)
		if first, isPart := found.parts[series]; isPart {
			series = first
		}
		repeats := series != 0 && seen[series]
		seen[series] = true
		return repeats
	})
}

// Least returns items in an order: the first n, and perhaps more. It changes the slice.
func Least[T any](items []T, n int, by func(a, b T) int) []T {
	n = max(1, min(n, len(items)))
	kept := items[:0]
	isBound := false // the n-th kept item is a bound for all later items
	for _, e := range items {
		if isBound && by(e, kept[n-1]) > 0 {
			continue
		}
		if kept = append(kept, e); len(kept) > 2*n+100 {
			slices.SortFunc(kept, by)
			kept = kept[:n]
			isBound = true
		}
	}
	slices.SortFunc(kept, by)
	return kept
}
