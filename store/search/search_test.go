package search_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/markup"
	"almanac/store/search"
)

const (
	day   = 86_400
	flag  = 9 // kind of the key of locked items
	kinds = 4
)

type entry = search.Entry[*item]

// An item has the facts by which the model answers without an index.
type item struct {
	ID, Tie int64
	entry
}

// A model is an index with all of its entries beside it.
type model struct {
	index *search.Index[*item]
	items map[int64]*item
}

var vocabulary = strings.Fields(
	"jazz jazzy Big band bigband market Café night of to a ä 東京 東京都 open-air 2031 x1",
)

// long returns one of four long texts.
func long(n int) string {
	return strings.Repeat("long ", 400) + strings.Join(vocabulary[3*n:3*n+3], " ")
}

func randomItem(rng *rand.Rand, id int64) *item {
	lasts := []int64{0, 1, 3 * 3600, day, 7 * day, 7*day + 1, 30 * day, 200 * day}[rng.IntN(8)]
	e := entry{Start: rng.Int64N(60*day) / 3600 * 3600}
	e.End = e.Start + lasts
	for kind := range uint8(kinds) {
		for range rng.IntN(3) {
			if key := (search.Key{
				Kind: kind,
				ID:   rng.Int64N(1 + int64(kind)*4),
			}); !slices.Contains(e.Keys, key) {
				e.Keys = append(e.Keys, key)
			}
		}
	}
	if rng.IntN(10) == 0 {
		e.Keys = append(e.Keys, search.Key{Kind: flag})
	}
	var words []string
	for range rng.IntN(6) {
		words = append(words, vocabulary[rng.IntN(len(vocabulary))])
	}
	e.Texts = []string{strings.Join(words, " "), "common"}
	if n := rng.IntN(12); n < 3 { // a long text that others have, or twice
		e.Texts = append(e.Texts, long(n))
	} else if n == 3 {
		e.Texts[1] = long(n)
		e.Texts = append(e.Texts, long(n))
	}
	i := &item{ID: id, Tie: rng.Int64N(3), entry: e}
	i.Item = i
	return i
}

func (m *model) change(rng *rand.Rand, n int) {
	for range n {
		id := 1 + rng.Int64N(400)
		old := m.items[id]
		if old != nil && rng.IntN(3) == 0 {
			m.index.Remove(&old.entry)
			delete(m.items, id)
			continue
		}
		next := randomItem(rng, id)
		if old != nil && rng.IntN(2) == 0 {
			next.Texts = old.Texts
		}
		if old != nil && rng.IntN(2) == 0 { // it stays where it is in the order
			next.Start = old.Start
			next.End = old.End
			next.Tie = old.Tie
		}
		var before *entry
		if old != nil {
			before = &old.entry
		}
		m.index.Insert(before, &next.entry)
		m.items[id] = next
	}
	var moves []search.Move[*item]
	for _, id := range slices.Sorted(maps.Keys(m.items)) { // many, so that lists are made anew
		if len(moves) == n {
			break
		}
		i := m.items[id]
		next := randomItem(rng, id)
		moves = append(moves, search.Move[*item]{Item: i, From: i.Keys, To: next.Keys})
		i.Keys = next.Keys
	}
	m.index.Rekey(moves)
}

func (m *model) check() error {
	return m.index.Check(func(yield func(*entry) bool) {
		for _, i := range m.items {
			if !yield(&i.entry) {
				return
			}
		}
	})
}

// randomRange returns a range whose ends are the starts of items, or nearly so.
func randomRange(rng *rand.Rand) search.Range {
	r := search.Always()
	at := func(hours int64) int64 { return rng.Int64N(hours)*3600 + rng.Int64N(3) - 1 }
	if rng.IntN(2) == 0 {
		r.Min = at(80*24) - 10*day
	}
	if rng.IntN(2) == 0 {
		r.Max = max(r.Min, 0) + at(30*24)
	}
	return r
}

// randomQuery returns a query and what it means.
func randomQuery(rng *rand.Rand) (*search.Query[*item], func(*item) bool) {
	q := &search.Query[*item]{
		Start:      randomRange(rng),
		End:        randomRange(rng),
		NeedsMatch: rng.IntN(3) == 0,
	}
	if rng.IntN(4) == 0 {
		q.Early = func(i *item) bool { return i.End > q.End.Min && i.Start%3 != 0 }
	}
	for range rng.IntN(3) {
		c := search.Condition{Name: "c"}
		for range 1 + rng.IntN(2)*rng.IntN(2) {
			kind := uint8(rng.IntN(kinds))
			c.Keys = append(c.Keys, search.Key{Kind: kind, ID: rng.Int64N(2 + int64(kind)*4)})
		}
		q.Conditions = append(q.Conditions, c)
	}
	q.Match = func(i *item) bool {
		for _, c := range q.Conditions {
			if !slices.ContainsFunc(
				c.Keys,
				func(key search.Key) bool { return slices.Contains(i.Keys, key) },
			) {
				return false
			}
		}
		return !q.NeedsMatch || i.ID%3 != 0
	}
	open := func(i *item) bool { return i.ID%2 == 0 }
	if rng.IntN(3) == 0 {
		q.Text = &search.Text[*item]{Locked: search.Key{Kind: flag}}
		if rng.IntN(2) == 0 {
			q.Text.Open = open
		}
		for range 1 + rng.IntN(2) {
			words := []string{"jazz", "a", "common", "big band", "京", "nothing", "open-air", "c"}
			q.Text.Words = append(q.Text.Words, markup.Fold(words[rng.IntN(len(words))]))
		}
		if rng.IntN(3) == 0 {
			q.Text.Excluded = []string{[]string{"market", "night of", "zz"}[rng.IntN(3)]}
		}
		if rng.IntN(2) == 0 {
			q.Text.Named = named
		}
	}
	return q, func(i *item) bool {
		if i.Start < q.Start.Min || i.Start > q.Start.Max || i.End < q.End.Min ||
			i.End > q.End.Max ||
			!q.Match(i) {
			return false
		}
		return q.Early == nil || i.Start >= q.End.Min || q.Early(i)
	}
}

// reads reports whether the texts of an item meet a query.
func reads(t *search.Text[*item], i *item) bool {
	if slices.Contains(i.Keys, t.Locked) && (t.Open == nil || !t.Open(i)) {
		return false
	}
	text := markup.Fold(strings.Join(i.Texts, "\n"))
	if t.Named != nil {
		for _, key := range i.Keys {
			text += "\n" + names[key]
		}
	}
	return !slices.ContainsFunc(
		t.Words,
		func(word string) bool { return !strings.Contains(text, word) },
	) &&
		!slices.ContainsFunc(
			t.Excluded,
			func(word string) bool { return strings.Contains(text, word) },
		)
}

// names are those of some keys.
var names = map[search.Key]string{
	{
		Kind: 1,
		ID:   0,
	}: "jazz bar",
	{
		Kind: 1,
		ID:   1,
	}: "zz big band",
	{
		Kind: 1,
		ID:   2,
	}: "open-air market",
	{Kind: 2, ID: 3}: "night of jazz",
}

func named(text string) (keys []search.Key) {
	for key, name := range names {
		if strings.Contains(name, text) {
			keys = append(keys, key)
		}
	}
	return keys
}

func order(a, b *item) int {
	return cmpOr(a.Start-b.Start, a.Tie-b.Tie, a.ID-b.ID)
}

func cmpOr(differences ...int64) int {
	for _, d := range differences {
		if d != 0 {
			return int(d / max(d, -d))
		}
	}
	return 0
}

// Every query finds the items that a search through all items finds, at every position.
func TestAgainstFullScan(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 32))
	m := &model{search.New(order, true), map[int64]*item{}}
	exact := 0
	texts := 0
	unread := 0
	for round := range 60 {
		m.change(rng, 40*(round%4))
		if round%10 == 9 { // all of them at once, in no order
			m.index = search.New(order, true)
			m.index.Fill(func(yield func(*search.Entry[*item]) bool) {
				for _, id := range slices.Sorted(maps.Keys(m.items)) {
					if !yield(&m.items[id].entry) {
						return
					}
				}
			})
		}
		if err := m.check(); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			q, match := randomQuery(rng)
			found := m.index.Find(q)
			got := found.Items(0, found.Total)
			if q.Text != nil && found.Unread {
				unread++
				got = slices.DeleteFunc(got, func(i *item) bool { return !reads(q.Text, i) })
			}
			var want []*item
			for _, i := range slices.SortedFunc(maps.Values(m.items), order) {
				if match(i) && (q.Text == nil || reads(q.Text, i)) {
					want = append(want, i)
				}
			}
			if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
				t.Fatalf("%+v (-want +got):\n%s", q, diff)
			}
			if q.Text != nil {
				texts += len(want)
				continue
			}
			exact += len(want)
			for range 5 {
				from := rng.IntN(found.Total + 1)
				to := from + rng.IntN(found.Total-from+1)
				if diff := cmp.Diff(ids(want[from:to]), ids(found.Items(from, to))); diff != "" {
					t.Fatalf("%+v: from %d to %d (-want +got):\n%s", q, from, to, diff)
				}
			}
		}
	}
	if exact < 10_000 || texts < 1_000 || unread < 100 {
		t.Errorf("only %d were found, %d by texts, with %d unread", exact, texts, unread)
	}
}

func ids(items []*item) []int64 {
	list := []int64{}
	for _, i := range items {
		list = append(list, i.ID)
	}
	return list
}

// An index that was emptied holds nothing, and no memory of words.
func TestEmptied(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 3))
	m := &model{search.New(order, true), map[int64]*item{}}
	for range 3 {
		m.change(rng, 2_000)
		for id, i := range m.items {
			m.index.Remove(&i.entry)
			delete(m.items, id)
		}
		if err := m.check(); err != nil || m.index.Len() != 0 {
			t.Fatalf("%d: %v", m.index.Len(), err)
		}
		found := m.index.Find(&search.Query[*item]{Start: search.Always(), End: search.Always()})
		if found.Total != 0 || len(found.Items(0, 0)) != 0 {
			t.Fatalf("%+v", found)
		}
	}
}

// Many items with one long text take little more memory than one of them.
func TestLongTextsAreIndexedOnce(t *testing.T) {
	text := make([]string, 20_000)
	for i := range text {
		text[i] = fmt.Sprint("word", i)
	}
	long := strings.Join(text, " ")
	x := search.New(order, true)
	var items []*item
	insert := func(n int) (bytes int64) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range n {
			i := &item{ID: int64(len(items)), entry: entry{Texts: []string{"title", "", long}}}
			i.Item = i
			items = append(items, i)
			x.Insert(nil, &i.entry)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		return int64(after.HeapAlloc) - int64(before.HeapAlloc)
	}
	one := insert(1)
	more := insert(400)
	if more > one {
		t.Errorf("one item takes %d bytes, and 400 more take %d", one, more)
	}
	q := &search.Query[*item]{
		Start: search.Always(),
		End:   search.Always(),
		Text: &search.Text[*item]{
			Words: []string{"word19999"},
		},
	}
	if found := x.Find(q); found.Total != len(items) || found.Unread {
		t.Errorf("%d are found of %d", found.Total, len(items))
	}
	for _, i := range items[1:] {
		x.Remove(&i.entry)
	}
	if found := x.Find(q); found.Total != 1 {
		t.Errorf("%d are found of 1", found.Total)
	}
}

// A change of an entry that keeps its keys and its times looks for its place in no list, however
// many keys it has.
func TestKeptKeysCostNothing(t *testing.T) {
	t.Parallel()
	compared := 0
	x := search.New(func(a, b *item) int { compared++; return order(a, b) }, true)
	m := &model{x, map[int64]*item{}}
	for id := range int64(500) { // so that one entry is few
		i := &item{ID: 1000 + id, entry: entry{Start: 2 * day, End: 2 * day}}
		i.Item = i
		x.Insert(nil, &i.entry)
		m.items[i.ID] = i
	}
	var keys []search.Key
	for id := range int64(400) {
		keys = append(keys, search.Key{Kind: 1, ID: id})
	}
	var items []*item
	add := func(id, end int64, keys []search.Key) *item {
		i := &item{
			ID: id,
			entry: entry{
				Start: day,
				End:   end,
				Keys:  keys,
				Texts: []string{"title"},
			},
		}
		i.Item = i
		items = append(items, i)
		return i
	}
	for id := range int64(8) {
		x.Insert(nil, &add(id, 2*day, keys).entry)
	}
	cost := func(next *item) int {
		before := compared
		x.Insert(&items[3].entry, &next.entry)
		items[3] = next
		return compared - before
	}
	renamed := add(3, 2*day, keys)
	renamed.Texts = []string{"another title"}
	if n := cost(renamed); n > 1 {
		t.Errorf("another title takes %d comparisons", n)
	}
	one := cost(add(3, 2*day, append(keys[:399:399], search.Key{Kind: 2})))
	if one > 20 {
		t.Errorf("another key in the place of one takes %d comparisons", one)
	}
	if all := cost(add(3, 3*day, keys)); all < 400 {
		t.Errorf("another end takes %d comparisons: lists are in order of the times", all)
	}
	for _, i := range items[:8] {
		m.items[i.ID] = i
	}
	if err := m.check(); err != nil {
		t.Error(err)
	}
}

// Check finds each way in which an entry can be indexed as another one.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 8))
	for name, wrong := range map[string]func(*item){
		"start":  func(i *item) { i.Start-- },
		"end":    func(i *item) { i.End += 900 * day },
		"keys":   func(i *item) { i.Keys = append(i.Keys, search.Key{Kind: 77}) },
		"no key": func(i *item) { i.Keys = nil },
		"words":  func(i *item) { i.Texts = []string{"other"} },
		"item":   func(i *item) { i.Item = new(*i) },
	} {
		m := &model{search.New(order, true), map[int64]*item{}}
		m.change(rng, 300)
		if err := m.check(); err != nil {
			t.Fatal(err)
		}
		for id, i := range m.items {
			if len(i.Keys) > 0 {
				changed := *i
				changed.Item = i
				wrong(&changed)
				m.items[id] = &changed
				break
			}
		}
		if m.check() == nil {
			t.Errorf("%s: nothing was found", name)
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":           "[] false",
		"jazz":       "[jazz] true",
		"big band":   "[big band] false",
		"open-air":   "[open air] false",
		" jazz":      "[jazz] false",
		"東京":         "[東京] true",
		"-":          "[] false",
		"a1":         "[a1] true",
		"naïve café": "[naïve café] false",
	} {
		parts, whole := search.Parts(query)
		if got := fmt.Sprint(parts, whole); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func benchIndex(b *testing.B, n int) *search.Index[*item] {
	rng := rand.New(rand.NewPCG(2030, 2032))
	words := make([]string, 20_000)
	for i := range words {
		letter := func() rune { return rune('a' + rng.IntN(26)) }
		words[i] = fmt.Sprintf(
			"%c%c%s%d",
			letter(),
			letter(),
			strings.Repeat(string(letter()), 1+i%7),
			i,
		)
	}
	x := search.New(order, true)
	for id := range n {
		e := entry{Start: rng.Int64N(3*365*day) / 900 * 900}
		e.End = e.Start + 3600 + rng.Int64N(3*3600)
		switch rng.IntN(200) {
		case 0:
			e.End += 30*day + rng.Int64N(150*day)
		case 1, 2, 3, 4, 5, 6:
			e.End += day * (2 + rng.Int64N(8))
		}
		for kind, most := range []int64{5000, 5000, 2000, 200, 2} {
			e.Keys = append(e.Keys, search.Key{Kind: uint8(kind), ID: rng.Int64N(most)})
		}
		var text []string
		for range 90 {
			text = append(text, words[int(float64(len(words))*math.Pow(rng.Float64(), 3))])
		}
		e.Texts = []string{strings.Join(text, " ")}
		i := &item{ID: int64(id), entry: e}
		i.Item = i
		x.Insert(nil, &i.entry)
		i.Texts = nil
	}
	return x
}

func BenchmarkFind(b *testing.B) {
	const n = 100_000
	x := benchIndex(b, n)
	now := int64(365 * day)
	window := func() *search.Query[*item] {
		return &search.Query[*item]{
			Start: search.Range{
				Min: math.MinInt64,
				Max: math.MaxInt64,
			},
			End: search.Range{
				Min: now,
				Max: now + 730*day,
			},
		}
	}
	match := func(q *search.Query[*item]) {
		q.Match = func(i *item) bool {
			for _, c := range q.Conditions {
				if !slices.Contains(i.Keys, c.Keys[0]) {
					return false
				}
			}
			return true
		}
	}
	for name, set := range map[string]func(q *search.Query[*item]){
		"all": func(q *search.Query[*item]) {},
		"category": func(q *search.Query[*item]) {
			q.Conditions = []search.Condition{{
				Keys: []search.Key{{3, 7}},
			}}
		},
		"half": func(q *search.Query[*item]) {
			q.Conditions = []search.Condition{{
				Keys: []search.Key{{4, 1}},
			}}
		},
		"three": func(q *search.Query[*item]) {
			q.Conditions = []search.Condition{{
				Keys: []search.Key{{4, 1}},
			}, {
				Keys: []search.Key{{3, 7}},
			}, {
				Keys: []search.Key{{2, 9}},
			}}
			match(q)
		},
		"residual": func(q *search.Query[*item]) { q.NeedsMatch = true; match(q) },
		"word": func(q *search.Query[*item]) {
			q.Text = &search.Text[*item]{
				Words: []string{"aa"},
			}
		},
		"letter": func(q *search.Query[*item]) {
			q.Text = &search.Text[*item]{
				Words: []string{"a"},
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			q := window()
			set(q)
			for b.Loop() {
				found := x.Find(q)
				found.Items(0, min(10, found.Total))
			}
		})
	}
}

func BenchmarkInsert(b *testing.B) {
	for b.Loop() {
		benchIndex(b, 10_000)
	}
}
