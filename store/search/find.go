// Queries, and the ways in which they are answered.

package search

import (
	"math"
	"slices"
	"sort"
)

// A Query asks for items. All its conditions have to be met.
type Query[T comparable] struct {
	Start, End Range // of the entries; the zero Range is the time 0
	Conditions []Condition

	// Early reports whether an item that starts before End.Min meets the query, too. Nil: all that
	// end then or later do.
	Early func(T) bool

	// Match reports whether an item meets the query, but for its texts. NeedsMatch says
	// that it asks for more than the times and the conditions: else it is not called
	// where these tell.
	Match      func(T) bool
	NeedsMatch bool

	Text *Text[T] // nil: texts do not matter
}

// A Condition is met by entries that have one of some keys, or more.
type Condition struct {
	Name string // for the Plan
	Keys []Key
}

// A Text is the condition that the texts of an entry, folded by markup.Fold, contain
// all Words and no Excluded text.
type Text[T comparable] struct {
	Words    []string // folded, to be contained
	Excluded []string // folded, not to be contained

	// Items with the key Locked are found by their words only if Open says so; nil is
	// never. It is not asked where Found says that texts are unread.
	Locked Key
	Open   func(T) bool

	// Named returns the keys of what has a name that contains a folded text: entries with such a
	// key are found by the text as those that contain it. Nil: names do not matter.
	Named func(text string) []Key

	// Rows of indexes are kept for later queries with the same Text, in the same state.
	known map[*Index[T]]held
}

// held is the rows that hold a text.
type held struct {
	hits   bitmap
	unread bool
}

// A Plan says how items were found.
type Plan struct {
	Index      string // the conditions that were walked through
	Candidates int    // the number of rows that were looked at
}

// Found is the items that meet a query, in order. It is valid until the index changes.
type Found[T comparable] struct {
	Total int
	Plan  Plan

	// Unread says that the texts of the items have still to be read, since the words
	// alone do not tell whether they meet the condition. Total counts all of them.
	Unread bool

	index *Index[T]
	first []row // in order, before those of the list
	list  *list // a part of it was found; nil if there is none
	from  int   // position of the first row in the list
	late  []row // of that part that were not found, in order
}

// Items returns the items from position from up to and without position to, which is
// Total at most.
func (f *Found[T]) Items(from, to int) []T {
	items := make([]T, 0, max(0, to-from))
	take := func(rows []row) {
		for _, r := range rows {
			items = append(items, f.index.items[r])
		}
	}
	if from < len(f.first) {
		take(f.first[from:min(to, len(f.first))])
	}
	if f.list == nil || to <= len(f.first) {
		return items
	}
	from, to = f.from+max(0, from-len(f.first)), f.from+to-len(f.first)
	position := func(i int) int { return f.list.position(&f.index.table, f.late[i]) }
	i := sort.Search(len(f.late), func(i int) bool { return position(i) > from+i })
	for from, to = from+i, to+i; i < len(f.late) && position(i) < to; i++ {
		for block := range f.list.between(from, position(i)) {
			take(block)
		}
		from = position(i) + 1
		to = to + 1
	}
	for block := range f.list.between(from, to) {
		take(block)
	}
	return items
}

// Find finds the items that meet a query.
func (x *Index[T]) Find(q *Query[T]) Found[T] {
	w := x.windowOf(q)
	lists, name := x.narrowest(q, w)
	found := Found[T]{index: x, Plan: Plan{Index: name}}
	if !q.NeedsMatch && q.Text == nil && len(q.Conditions) <= 1 && len(lists) == 1 {
		x.count(&found, lists[0], w)
		return found
	}
	var hits bitmap // nil: all rows
	if q.Text != nil {
		hits, found.Unread = x.holding(q.Text)
	}
	if hits != nil && len(q.Conditions) == 0 {
		found.Plan.Index = "words"
		found.first = x.look(q, w, hits, &found.Plan)
	} else {
		found.first = x.scan(q, w, lists, hits, &found.Plan)
	}
	found.Total = len(found.first)
	return found
}

// A window is the times of a query: rows that start from first to last are found
// unless they end after endMax, and beside them rows that start before first, but not
// before startMin, and end at endMin or later, if counts says so.
type window struct {
	startMin, first, last int64
	endMin, endMax        int64
	counts                func(row) bool // nil: all do
}

func (x *Index[T]) windowOf(q *Query[T]) window {
	w := window{startMin: q.Start.Min, endMin: q.End.Min, endMax: q.End.Max}
	w.first = max(q.Start.Min, q.End.Min)
	w.last = min(q.Start.Max, q.End.Max)
	if q.Early != nil {
		w.counts = func(r row) bool { return q.Early(x.items[r]) }
	}
	return w
}

// bounds returns the positions of the rows of a list that start from first to last.
func (w window) bounds(t *table, l *list) (from, to int) {
	if w.first > math.MinInt64 {
		from = l.before(t, w.first)
	}
	to = l.n
	if w.last < math.MaxInt64 {
		to = l.before(t, w.last+1)
	}
	return from, max(from, to)
}

// early returns the rows that start before first and are found, in order.
func (w window) early(t *table, p *postings) []row {
	if w.first == w.startMin {
		return nil
	}
	rows := p.running(t, Range{w.startMin, min(w.last, w.first-1)}, w.endMin)
	if w.endMax == math.MaxInt64 && w.counts == nil {
		return rows
	}
	return slices.DeleteFunc(
		rows,
		func(r row) bool { return t.end[r] > w.endMax || w.counts != nil && !w.counts(r) },
	)
}

// has reports whether a row is in the window, or runs into it.
func (w window) has(t *table, r row) bool {
	start := t.start[r]
	end := t.end[r]
	if start < w.startMin || start > w.last || end > w.endMax {
		return false
	}
	return start >= w.first || end >= w.endMin && (w.counts == nil || w.counts(r))
}

// narrowest returns the lists of the condition which the fewest rows of the window
// meet; without conditions that is the list of all.
func (x *Index[T]) narrowest(q *Query[T], w window) (lists []*postings, name string) {
	if len(q.Conditions) == 0 {
		return []*postings{&x.all}, "start"
	}
	fewest := math.MaxInt
	for i := range q.Conditions {
		var some []*postings
		n := 0
		for _, key := range q.Conditions[i].Keys {
			if p := x.by[key]; p != nil {
				some = append(some, p)
				from, to := w.bounds(&x.table, &p.rows)
				n += to - from
			}
		}
		if n < fewest {
			lists = some
			name = q.Conditions[i].Name
			fewest = n
		}
	}
	return lists, name
}

// count answers from the positions of one list.
func (x *Index[T]) count(found *Found[T], p *postings, w window) {
	found.first = w.early(&x.table, p)
	from, to := w.bounds(&x.table, &p.rows)
	found.list = &p.rows
	found.from = from
	if w.endMax < math.MaxInt64 && from < to {
		found.late = p.running(&x.table, Range{w.first, w.last}, w.endMax+1)
	}
	found.Total = len(found.first) + to - from - len(found.late)
	found.Plan.Candidates = len(found.first) + len(found.late)
}

// scan asks the items of some lists, within a window.
func (x *Index[T]) scan(
	q *Query[T],
	w window,
	lists []*postings,
	hits bitmap,
	plan *Plan,
) (rows []row) {
	exact := !q.NeedsMatch && len(q.Conditions) <= 1
	take := func(some []row) {
		for _, r := range some {
			if x.end[r] <= w.endMax && (hits == nil || hits.has(r)) &&
				(exact || q.Match(x.items[r])) {
				rows = append(rows, r)
			}
		}
		plan.Candidates += len(some)
	}
	for _, p := range lists {
		take(w.early(&x.table, p))
		from, to := w.bounds(&x.table, &p.rows)
		for block := range p.rows.between(from, to) {
			take(block)
		}
	}
	if len(lists) > 1 {
		rows = slices.Compact(x.inOrder(rows))
	}
	return rows
}

// look asks the rows of hits.
func (x *Index[T]) look(q *Query[T], w window, hits bitmap, plan *Plan) (rows []row) {
	for r := range hits.all() {
		if plan.Candidates++; w.has(&x.table, r) && (!q.NeedsMatch || q.Match(x.items[r])) {
			rows = append(rows, r)
		}
	}
	return x.inOrder(rows)
}

// inOrder returns rows in order: many are found again in the list of all.
func (x *Index[T]) inOrder(rows []row) []row {
	if len(rows) < x.all.rows.n/16 {
		slices.SortFunc(rows, x.compare)
		return rows
	}
	set := newBitmap(len(x.items))
	for _, r := range rows {
		set.set(r)
	}
	rows = rows[:0]
	for block := range x.all.rows.between(0, x.all.rows.n) {
		for _, r := range block {
			if set.has(r) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}
