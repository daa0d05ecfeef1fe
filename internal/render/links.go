// The linked records of a record, kept for rendering it later.

package render

import (
	"slices"

	"almanac/store"
)

// Links has the linked records that a record shows, gathered in one state of the store. It is the Source for
// rendering that record, and stays valid when the View is over. It also has the links to missing records. Only
// Gather and Add change it.
type Links struct {
	parents    []linked[*store.Event]  // one or none
	series     []linked[*store.Series] // one or none
	images     []linked[*store.Image]
	venues     []linked[*store.Venue]
	organizers []linked[*store.Organizer]
	terms      []linkedTerm
	counts     []linkedCount
}

// linked is a record under the id it was looked for, nil if there was none.
type linked[T comparable] struct {
	id     int64
	record T
}

type linkedTerm struct {
	taxonomy store.Kind
	id       int64
	record   *store.Term
}

type linkedCount struct {
	taxonomy store.Kind
	id       int64
	n        int
}

// Gather collects the linked records that a record shows: an event its parent, its series, its image, its
// venues and organizers with theirs, and its terms with their counts; a venue or an organizer its image; a term
// its count and the terms above it.
func Gather(from Source, record store.Record) *Links {
	l := &Links{}
	l.Gather(from, record)
	return l
}

// Gather is the function Gather, into the memory of links that are not needed any more.
func (l *Links) Gather(from Source, record store.Record) {
	l.parents, l.images, l.venues, l.organizers = l.parents[:0], l.images[:0], l.venues[:0], l.organizers[:0]
	l.series, l.terms, l.counts = l.series[:0], l.terms[:0], l.counts[:0]
	l.Add(from, record)
}

// Add gathers what one more record shows, for a rendering of several.
func (l *Links) Add(from Source, record store.Record) {
	switch record := record.(type) {
	case *store.Event:
		l.gatherEvent(from, record)
	case *store.Venue:
		l.gatherImage(from, record.Image)
	case *store.Organizer:
		l.gatherImage(from, record.Image)
	case *store.Term:
		l.gatherCount(from, record.Taxonomy, record.ID)
		last := record
		for up := range above(from, record) {
			l.terms = append(l.terms, linkedTerm{up.Taxonomy, up.ID, up})
			last = up
		}
		if last.Parent != 0 { // where the walk ended, it may go on another day
			l.gatherTerm(from, record.Taxonomy, last.Parent)
		}
	}
}

// Clone returns a copy with memory of its own, and no more of it than needed.
func (l *Links) Clone() *Links {
	return &Links{
		slices.Clip(slices.Clone(l.parents)), slices.Clip(slices.Clone(l.series)),
		slices.Clip(slices.Clone(l.images)), slices.Clip(slices.Clone(l.venues)), slices.Clip(slices.Clone(l.organizers)),
		slices.Clip(slices.Clone(l.terms)), slices.Clip(slices.Clone(l.counts)),
	}
}

// Size returns the bytes of memory it takes, about.
func (l *Links) Size() int {
	const one, header = 32, 24
	return 7*header + one*(len(l.parents)+len(l.series)+len(l.images)+len(l.venues)+len(l.organizers)+len(l.terms)+len(l.counts))
}

func (l *Links) gatherEvent(from Source, e *store.Event) {
	if e.Parent != 0 {
		l.parents = append(l.parents, linked[*store.Event]{e.Parent, from.Event(e.Parent)})
	}
	if r := e.Recurrence; r != nil {
		l.series = append(l.series, linked[*store.Series]{r.Series, from.Series(r.Series)})
	}
	l.gatherImage(from, e.Image)
	for _, id := range e.Venues {
		v := from.Venue(id)
		l.venues = append(l.venues, linked[*store.Venue]{id, v})
		if v != nil {
			l.gatherImage(from, v.Image)
		}
	}
	for _, id := range e.Organizers {
		o := from.Organizer(id)
		l.organizers = append(l.organizers, linked[*store.Organizer]{id, o})
		if o != nil {
			l.gatherImage(from, o.Image)
		}
	}
	for _, id := range e.Categories {
		l.gatherTerm(from, store.Categories, id)
		l.gatherCount(from, store.Categories, id)
	}
	for _, id := range e.Tags {
		l.gatherTerm(from, store.Tags, id)
		l.gatherCount(from, store.Tags, id)
	}
}

func (l *Links) gatherImage(from Source, id int64) {
	if id != 0 {
		l.images = append(l.images, linked[*store.Image]{id, from.Image(id)})
	}
}

func (l *Links) gatherTerm(from Source, k store.Kind, id int64) {
	l.terms = append(l.terms, linkedTerm{k, id, from.Term(k, id)})
}

func (l *Links) gatherCount(from Source, k store.Kind, id int64) {
	l.counts = append(l.counts, linkedCount{k, id, from.Count(k, id)})
}

// Current reports whether a state still has what was gathered: the same records,
// and the same counts.
func (l *Links) Current(in Source) bool {
	for _, p := range l.parents {
		if in.Event(p.id) != p.record {
			return false
		}
	}
	for _, s := range l.series {
		if in.Series(s.id) != s.record {
			return false
		}
	}
	for _, i := range l.images {
		if in.Image(i.id) != i.record {
			return false
		}
	}
	for _, v := range l.venues {
		if in.Venue(v.id) != v.record {
			return false
		}
	}
	for _, o := range l.organizers {
		if in.Organizer(o.id) != o.record {
			return false
		}
	}
	for _, t := range l.terms {
		if in.Term(t.taxonomy, t.id) != t.record {
			return false
		}
	}
	for _, c := range l.counts {
		if in.Count(c.taxonomy, c.id) != c.n {
			return false
		}
	}
	return true
}

// Public reports whether everybody may read every parent, series, venue and
// organizer in it, so that the rendering is the same for every caller.
func (l *Links) Public() bool {
	for _, p := range l.parents {
		if p.record != nil && p.record.Status != store.Publish {
			return false
		}
	}
	for _, s := range l.series {
		if s.record != nil && s.record.Event.Status != store.Publish {
			return false
		}
	}
	for _, v := range l.venues {
		if v.record != nil && v.record.Status != store.Publish {
			return false
		}
	}
	for _, o := range l.organizers {
		if o.record != nil && o.record.Status != store.Publish {
			return false
		}
	}
	return true
}

// Published calls f with every event, series, venue, organizer and term in it that everybody
// may read.
func (l *Links) Published(f func(store.Record)) {
	for _, p := range l.parents {
		published(p.record, f)
	}
	for _, s := range l.series {
		published(s.record, f)
	}
	for _, v := range l.venues {
		published(v.record, f)
	}
	for _, o := range l.organizers {
		published(o.record, f)
	}
	for _, t := range l.terms {
		if t.record != nil {
			f(t.record)
		}
	}
}

func published[T interface {
	comparable
	store.Record
}](record T, f func(store.Record)) {
	var none T
	if record != none && store.PostOf(record).Status == store.Publish {
		f(record)
	}
}

// Event returns the parent that was gathered, or nil.
func (l *Links) Event(id int64) *store.Event { return find(l.parents, id) }

// Series returns the series that was gathered, or nil.
func (l *Links) Series(id int64) *store.Series { return find(l.series, id) }

// Image returns an image that was gathered, or nil.
func (l *Links) Image(id int64) *store.Image { return find(l.images, id) }

// Venue returns a venue that was gathered, or nil.
func (l *Links) Venue(id int64) *store.Venue { return find(l.venues, id) }

// Organizer returns an organizer that was gathered, or nil.
func (l *Links) Organizer(id int64) *store.Organizer { return find(l.organizers, id) }

// find searches the few records there are from the first to the last.
func find[T comparable](all []linked[T], id int64) (none T) {
	for i := range all {
		if all[i].id == id {
			return all[i].record
		}
	}
	return none
}

// Term returns a category or tag that was gathered, or nil.
func (l *Links) Term(taxonomy store.Kind, id int64) *store.Term {
	for i := range l.terms {
		if t := &l.terms[i]; t.id == id && t.taxonomy == taxonomy {
			return t.record
		}
	}
	return nil
}

// Count returns a count that was gathered, or 0.
func (l *Links) Count(taxonomy store.Kind, id int64) int {
	for i := range l.counts {
		if c := &l.counts[i]; c.id == id && c.taxonomy == taxonomy {
			return c.n
		}
	}
	return 0
}

// A Noted is a Source that notes what it is asked for: as long as that is the same,
// what was made of it is.
type Noted struct {
	From Source
	Links
}

// note adds a record to a list of links.
func note[T comparable](to *[]linked[T], id int64, record T) T {
	*to = append(*to, linked[T]{id, record})
	return record
}

// Event returns an event of the source; the other methods return what else there is.
func (n *Noted) Event(id int64) *store.Event { return note(&n.parents, id, n.From.Event(id)) }

// Series implements Source.
func (n *Noted) Series(id int64) *store.Series { return note(&n.series, id, n.From.Series(id)) }

// Image implements Source.
func (n *Noted) Image(id int64) *store.Image { return note(&n.images, id, n.From.Image(id)) }

// Venue implements Source.
func (n *Noted) Venue(id int64) *store.Venue { return note(&n.venues, id, n.From.Venue(id)) }

// Organizer implements Source.
func (n *Noted) Organizer(id int64) *store.Organizer {
	return note(&n.organizers, id, n.From.Organizer(id))
}

// Term implements Source.
func (n *Noted) Term(taxonomy store.Kind, id int64) *store.Term {
	n.gatherTerm(n.From, taxonomy, id)
	return n.Links.Term(taxonomy, id)
}

// Count implements Source.
func (n *Noted) Count(taxonomy store.Kind, id int64) int {
	n.gatherCount(n.From, taxonomy, id)
	return n.Links.Count(taxonomy, id)
}
