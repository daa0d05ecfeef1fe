// Queries for lists of events, and their results.

package store

import (
	"iter"
	"math"
	"slices"

	"almanac/store/search"
)

// A Query asks for events. All its conditions have to be met. Hidden events are
// never found.
//
// Match is the rule, and the indexes narrow the search by the other conditions:
// each of them must be true of every event for which Match is true.
type Query struct {
	Published   bool  // published events
	Unpublished bool  // events of every other status
	Author      int64 // author of the unpublished events; 0 is any

	Start, End Range // in the event's zone; the zero Range is one second of 1970
	Links      []Links
	With       []Flag // flags that the event must have
	Without    []Flag // flags that the event must not have
	Text       *Text  // nil: the texts do not matter

	// Early reports whether an event that starts before End.Min meets the query, too. Nil: all
	// that end then or later do.
	Early func(*Event) bool

	// Match reports whether an event meets all conditions but Text. NeedsMatch says that
	// it asks for more than the other conditions say of published events; of
	// unpublished ones it may in any case.
	Match      func(*Event) bool
	NeedsMatch bool
}

// A Range is wall clocks from Min to Max, both included.
type Range struct{ Min, Max Wall }

// Always returns the range that holds every wall clock.
func Always() Range { return Range{math.MinInt64, math.MaxInt64} }

// Has reports whether a wall clock is in the range.
func (r Range) Has(w Wall) bool { return r.Min <= w && w <= r.Max }

// Links is the condition that an event is linked to one of some records: venues,
// organizers, tags, categories, series or (kind Events) a parent event. An event of a
// category is linked to all categories above that, too.
type Links struct {
	Name string // in the Plan
	Kind Kind
	IDs  []int64
}

// keys returns the keys of the records.
func (l *Links) keys() []search.Key {
	keys := make([]search.Key, len(l.IDs))
	for i, id := range l.IDs {
		keys[i] = search.Key{Kind: uint8(l.Kind), ID: id}
	}
	return keys
}

// A Text is the condition that title, excerpt and description of an event together
// contain some texts, and do not contain other ones. It serves any number of queries in one state
// of the store, which is quicker than a Text for each.
type Text struct {
	Words    []string // folded texts, as markup.Fold makes them, to be contained
	Excluded []string // folded texts not to be contained

	// Open reports whether a protected event may be found by its texts; nil is that none may.
	Open func(*Event) bool

	// Named returns the records whose names contain a folded text: their events are found as if it
	// were in a text of theirs. Nil: only the texts of events count.
	Named func(text string) []Links

	asked *search.Text[*Event] // for later queries in the same state
}

// A Plan says how something was found.
type Plan = search.Plan

// Found is the events that a Query finds, by start, then publication, then id. It
// is valid as long as the View that it is of.
type Found struct {
	Total int
	Plan  Plan

	// Unread says that the texts of the events have still to be read: the words alone do
	// not tell whether they meet the condition. Total counts all of them.
	Unread bool

	parts []search.Found[*Event] // of the lists that have some
}

var flagNames = [flags]string{
	Featured:  "featured",
	Ticketed:  "ticketed",
	Located:   "geoloc",
	Protected: "password",
	Recurring: "recurring",
	Free:      "free",
	Lasting:   "lasting",
}

// Find finds the events that a query asks for.
func (v *View) Find(q *Query) Found {
	asked := search.Query[*Event]{
		Start: search.Range{
			Min: int64(q.Start.Min),
			Max: int64(q.Start.Max),
		},
		End: search.Range{
			Min: int64(q.End.Min),
			Max: int64(q.End.Max),
		},
		Early:      q.Early,
		Match:      q.Match,
		NeedsMatch: q.NeedsMatch,
	}
	for _, l := range q.Links {
		asked.Conditions = append(asked.Conditions, search.Condition{Name: l.Name, Keys: l.keys()})
	}
	has := func(name string, kind uint8, f Flag) {
		asked.Conditions = append(asked.Conditions, search.Condition{
			Name: name,
			Keys: []search.Key{{
				Kind: kind,
				ID:   int64(f),
			}},
		})
	}
	for _, f := range q.With {
		has(flagNames[f], keyWith, f)
	}
	for _, f := range q.Without {
		has("not "+flagNames[f], keyWithout, f)
	}
	if q.Text != nil {
		asked.Text = q.Text.asked
	}
	if q.Text != nil && asked.Text == nil {
		asked.Text = &search.Text[*Event]{
			Words:    q.Text.Words,
			Excluded: q.Text.Excluded,
			Locked: search.Key{
				Kind: keyWith,
				ID:   int64(Protected),
			},
			Open: q.Text.Open,
		}
		if q.Text.Named != nil {
			asked.Text.Named = func(text string) (keys []search.Key) {
				for _, l := range q.Text.Named(text) {
					keys = append(keys, l.keys()...)
				}
				return keys
			}
		}
		q.Text.asked = asked.Text
	}
	var found Found
	if q.Published {
		found.add(v.base.lists[listed].Find(&asked))
	}
	if q.Unpublished {
		asked.NeedsMatch = true
		if q.Author != 0 { // other people's events must not show in how long it takes
			asked.Conditions = []search.Condition{{
				Name: "author",
				Keys: []search.Key{{
					Kind: keyAuthor,
					ID:   q.Author,
				}},
			}}
		}
		found.add(v.base.lists[unlisted].Find(&asked))
	}
	return found
}

// add adds the events of a list.
func (f *Found) add(some search.Found[*Event]) {
	if f.Plan.Index != "" {
		f.Plan.Index += "+"
	}
	f.Plan.Index += some.Plan.Index
	f.Plan.Candidates += some.Plan.Candidates
	f.Total += some.Total
	f.Unread = f.Unread || some.Unread
	if some.Total > 0 {
		f.parts = append(f.parts, some)
	}
}

// Events returns the events from position from up to and without position to,
// which is Total at most.
func (f *Found) Events(from, to int) []*Event {
	switch len(f.parts) {
	case 0:
		return nil
	case 1:
		return f.parts[0].Items(from, to)
	}
	// Of the first from events, before are of the first list: more are not as long as its
	// next one comes behind the last that the second list would have among them.
	a := &f.parts[0]
	b := &f.parts[1]
	before := max(0, from-b.Total)
	most := min(from, a.Total)
	for before < most {
		middle := (before + most) / 2
		if ByStart(a.Items(middle, middle+1)[0], b.Items(from-middle-1, from-middle)[0]) < 0 {
			before = middle + 1
		} else {
			most = middle
		}
	}
	events := append(
		a.Items(before, min(a.Total, before+to-from)),
		b.Items(from-before, min(b.Total, to-before))...)
	slices.SortFunc(events, ByStart)
	return events[:to-from]
}

// linked yields the events that are linked to a record, whatever their status, the
// latest first in each list. The index must not change meanwhile.
func (x *index) linked(k Kind, id int64) iter.Seq[*Event] {
	return x.find(&search.Query[*Event]{
		Start:      search.Always(),
		End:        search.Always(),
		Conditions: []search.Condition{{Keys: []search.Key{{Kind: uint8(k), ID: id}}}},
	})
}

// find yields the events of all lists that a query asks for, the latest first in each.
func (x *index) find(q *search.Query[*Event]) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for _, list := range x.lists {
			found := list.Find(q)
			step := 1 // most look for any one
			for to := found.Total; to > 0; step = 64 {
				from := max(0, to-step)
				for _, e := range slices.Backward(found.Items(from, to)) {
					if !yield(e) {
						return
					}
				}
				to = from
			}
		}
	}
}
