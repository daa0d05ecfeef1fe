// Timelines, their sets and what is selected from them, against plain slices.

package eventindex

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/store/bitmap"
	"almanac/store/sharing"
)

// A span of time is a row of the model.
type span struct {
	row        Row
	start, end int64
	tie        int
	signature  Signature
}

func bySpan(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.tie, b.tie)) }

// A calendar is a timeline with what is in it and in its sets, as the model has
// it: spans in order, and membership by row.
type calendar struct {
	*Timeline
	rng   *rand.Rand
	ties  map[Row]int
	want  []span
	free  []Row
	kept  []BitmapID
	in    []map[Row]bool
	most  int64 // starts are below it
	times int
}

func newCalendar(seed uint64, most int64, sets int) *calendar {
	c := &calendar{rng: rand.New(rand.NewPCG(7, seed)), ties: map[Row]int{}, most: most}
	c.Timeline = NewTimeline(sharing.NewMark(), func(a, b Row) int { return cmp.Compare(c.ties[a], c.ties[b]) })
	for range sets {
		c.kept, c.in = append(c.kept, c.Register()), append(c.in, map[Row]bool{})
	}
	return c
}

func (c *calendar) add() {
	r := Row(len(c.want) + len(c.free))
	if n := len(c.free); n > 0 {
		r, c.free = c.free[n-1], c.free[:n-1]
	}
	c.times++
	start := c.rng.Int64N(c.most)
	s := span{r, start, start + []int64{0, 1, 2, c.rng.Int64N(20), c.rng.Int64N(c.most)}[c.rng.IntN(5)], c.times, Signature(c.rng.IntN(8))}
	c.ties[r] = s.tie
	c.Add(r, s.start, s.end, Signature(c.rng.IntN(2))*s.signature)
	c.SetSignature(r, s.signature)
	at, _ := slices.BinarySearchFunc(c.want, s, bySpan)
	c.want = slices.Insert(c.want, at, s)
	for i, set := range c.kept {
		if c.rng.IntN(i+2) == 0 {
			c.Enter(set, r)
			c.in[i][r] = true
		}
	}
}

func (c *calendar) remove() {
	at := c.rng.IntN(len(c.want))
	r := c.want[at].row
	for i, set := range c.kept {
		c.Leave(set, r)
		delete(c.in[i], r)
	}
	c.Remove(r)
	c.free = append(c.free, r)
	c.want = slices.Delete(c.want, at, at+1)
}

// rows returns the rows of the model that meet a condition.
func (c *calendar) rows(meets func(span) bool) []Row {
	var rows []Row
	for _, s := range c.want {
		if meets(s) {
			rows = append(rows, s.row)
		}
	}
	return rows
}

func (c *calendar) check(t *testing.T) {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	if c.Len() != len(c.want) {
		t.Fatalf("%d rows, want %d", c.Len(), len(c.want))
	}
	for i, s := range c.want {
		if c.At(i) != s.row || c.Position(s.row) != i || c.Start(s.row) != s.start || c.End(s.row) != s.end || c.Signature(s.row) != s.signature {
			t.Fatalf("position %d has row %d, want %+v", i, c.At(i), s)
		}
		found, ok := c.Search(s.start, func(r Row) int { return cmp.Compare(c.ties[r], s.tie) })
		if !ok || found != s.row {
			t.Fatalf("Search finds row %d, %t, want %d", found, ok, s.row)
		}
	}
	if _, ok := c.Search(c.rng.Int64N(c.most), func(r Row) int { return cmp.Compare(c.ties[r], -1) }); ok {
		t.Fatal("Search finds what is not there")
	}
	moment := c.rng.Int64N(c.most+2) - 1
	if got, want := c.Before(moment), len(c.rows(func(s span) bool { return s.start < moment })); got != want {
		t.Fatalf("%d before %d, want %d", got, moment, want)
	}
	if got, want := c.Ended(moment), len(c.rows(func(s span) bool { return s.end < moment })); got != want {
		t.Fatalf("%d ended before %d, want %d", got, moment, want)
	}
	first, last := c.rng.Int64N(c.most), c.rng.Int64N(c.most)
	if c.rng.IntN(3) == 0 {
		first, last = math.MinInt64, math.MaxInt64
	}
	holds := Signature(c.rng.IntN(3))
	want := c.rows(func(s span) bool {
		return first <= s.start && s.start <= min(last, moment) && moment < s.end && s.signature&holds == holds
	})
	running := c.Running(moment, first, last, holds)
	slices.SortFunc(running, c.Compare)
	if diff := gocmp.Diff(want, running, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("running at %d (-want +got):\n%s", moment, diff)
	}
	started := c.rows(func(s span) bool { return s.start < moment && s.end >= moment })
	pages(t, c.rng, "runners", Runners{c.Timeline, moment, false}, started)
	beyond := c.rows(func(s span) bool { return s.start < moment && s.end > moment })
	pages(t, c.rng, "runners beyond", Runners{c.Timeline, moment, true}, beyond)
	c.stretches(t)
	for i, set := range c.kept {
		for _, s := range c.want {
			if has := c.Bitmap(set).Has(c.Place(s.row)); has != c.in[i][s.row] {
				t.Fatalf("set %d has row %d: %t", i, s.row, has)
			}
		}
	}
}

// stretches compares what touches stretches of time.
func (c *calendar) stretches(t *testing.T) {
	t.Helper()
	first, length, n, most := c.rng.Int64N(c.most), 1+c.rng.Int64N(1+c.most/4), 1+c.rng.IntN(9), c.rng.IntN(9)
	asked := 0
	c.Stretches(first, length, n, most, func(i int, rows []Row, total int) {
		from := first + int64(i)*length
		want := c.rows(func(s span) bool { return s.start < from+length && (s.end > from || s.start >= from) })
		if diff := gocmp.Diff(want[:min(most, len(want))], rows, cmpopts.EquateEmpty()); diff != "" || total != len(want) || i != asked {
			t.Fatalf("stretch %d of %d from %d: %d rows, want %d (-want +got):\n%s", i, length, from, total, len(want), diff)
		}
		asked++
	})
	if asked != n {
		t.Fatalf("%d of %d stretches", asked, n)
	}
}

// pages reads a sequence in pages and compares it with what is wanted.
func pages(t *testing.T, rng *rand.Rand, what string, s Sequence, want []Row) {
	t.Helper()
	if s.Len() != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, s.Len(), len(want))
	}
	size := 1 + rng.IntN(len(want)/4+9)
	var got []Row
	for from := 0; from < len(want)+size; from += size {
		got = s.Append(got, from, from+size)
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s in pages of %d (-want +got):\n%s", what, size, diff)
	}
}

// sequences compares selections and spans of a part of the timeline.
func (c *calendar) sequences(t *testing.T) {
	t.Helper()
	from := c.rng.IntN(c.Len() + 1)
	to := from + c.rng.IntN(c.Len()-from+1)
	var part []span
	part = append(part, c.want[from:to]...)
	of := func(meets func(span) bool) []Row {
		var rows []Row
		for _, s := range part {
			if meets(s) {
				rows = append(rows, s.row)
			}
		}
		return rows
	}
	i, j := c.rng.IntN(len(c.kept)), c.rng.IntN(len(c.kept))
	selected := c.Select(from, to, []Bitmap{c.Bitmap(c.kept[i])}, []Bitmap{c.Bitmap(c.kept[j])})
	pages(t, c.rng, "with a set, without another", selected, of(func(s span) bool { return c.in[i][s.row] && !c.in[j][s.row] }))

	bits := bitmap.New[Row](len(c.want) + len(c.free))
	for _, s := range c.want {
		if s.tie%3 == 0 {
			bits.Set(s.row)
		}
	}
	selected = c.Select(from, to, []Bitmap{c.ByPlace(bits)}, nil)
	selected.Filter(func(r Row) bool { return c.ties[r]%2 == 0 })
	var gone []Row
	for _, s := range c.want {
		if s.tie%5 == 0 {
			gone = append(gone, s.row)
		}
	}
	selected.Without(gone)
	pages(t, c.rng, "from bits, filtered, without some", selected, of(func(s span) bool { return s.tie%6 == 0 && s.tie%5 != 0 }))

	list := new(List[Row])
	for _, s := range c.want {
		if c.in[i][s.row] {
			list.Insert(c.by, s.row, c.Compare)
		}
	}
	without := func(s *Span, left []Row) *Span {
		s.Timeline, s.Left = c.Timeline, len(left)
		s.LeftOut = func(r Row) bool { return slices.Contains(left, r) }
		s.EachLeft = func(until int64, f func(Row, int64)) {
			for _, r := range left {
				if c.Start(r) <= until {
					f(r, c.Start(r))
				}
			}
		}
		return s
	}
	left := of(func(s span) bool { return s.tie%7 == 0 })
	whole := without(&Span{From: from, To: to}, left)
	pages(t, c.rng, "span", whole, of(func(s span) bool { return s.tie%7 != 0 }))
	if len(part) == 0 {
		return
	}
	low := list.Find(func(r Row) bool { return c.Position(r) >= from })
	high := list.Find(func(r Row) bool { return c.Position(r) >= to })
	left = of(func(s span) bool { return s.tie%7 == 0 && c.in[i][s.row] })
	listed := without(&Span{List: list, From: low, To: high}, left)
	pages(t, c.rng, "span of a list", listed, of(func(s span) bool { return s.tie%7 != 0 && c.in[i][s.row] }))
	for n, list := range map[int]*List[Row]{c.Len(): nil, list.Len(): list} {
		for _, at := range []int{0, min(1, n), max(0, n-1), n} {
			s := &Span{Timeline: c.Timeline, List: list, From: at, To: at}
			before, isBefore := s.Before()
			after, isAfter := s.After()
			if isBefore != (at > 0) || isAfter != (at < n) || isBefore && before != s.at(at-1) || isAfter && after != s.at(at) {
				t.Fatalf("beside position %d of %d are rows %d (%t) and %d (%t)", at, n, before, isBefore, after, isAfter)
			}
		}
	}
	chain := Chain{Rows(c.rows(func(s span) bool { return bySpan(s, part[0]) < 0 })), Rows(nil), whole}
	pages(t, c.rng, "chain", chain, append(c.rows(func(s span) bool { return bySpan(s, part[0]) < 0 }),
		of(func(s span) bool { return s.tie%7 != 0 })...))
}

func TestTimelineAgainstSlices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		most       int64
		rows, ops  int
		checkEvery int
	}{
		{"few rows", 9, 14, 3_000, 10},
		{"many with one start", 3, 2_500, 8_000, 900},
		{"spread", 1_000_000, 5_000, 16_000, 1_500},
		{"ages", 1 << 45, 300, 6_000, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(uint64(tt.rows), tt.most, 4)
			growing := true
			for n := range tt.ops {
				if len(c.want) >= tt.rows {
					growing = false
				} else if len(c.want) == 0 {
					growing = true
				}
				if more := c.rng.IntN(10) < 8; more == growing || len(c.want) == 0 {
					c.add()
				} else {
					c.remove()
				}
				if n%tt.checkEvery == 0 {
					c.check(t)
					c.sequences(t)
				}
			}
			for len(c.want) > 0 {
				c.remove()
			}
			c.check(t)
		})
	}
}

func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		harm func(c *calendar)
	}{
		{"order", func(c *calendar) { b := c.blocks[c.inOrder[0]].rows; b[0], b[1] = b[1], b[0] }},
		{"count", func(c *calendar) { c.count++ }},
		{"place", func(c *calendar) { c.places.Set(c.by, 3, c.places.At(3)^1) }},
		{"start", func(c *calendar) { c.starts.Set(c.by, c.At(0), 1<<40) }},
		{"end", func(c *calendar) { c.byEnd.Remove(c.by, c.End(c.At(2)), cmp.Compare[int64]) }},
		{"another end", func(c *calendar) {
			c.byEnd.Remove(c.by, c.End(c.At(2)), cmp.Compare[int64])
			c.byEnd.Insert(c.by, c.End(c.At(2))+1, cmp.Compare[int64])
		}},
		{"length", func(c *calendar) { c.removeLength(0) }},
		{"signature", func(c *calendar) { c.signatures.Set(c.by, 5, 8) }},
		{"bit of nobody", func(c *calendar) { r := c.At(1); c.Enter(c.kept[0], r); c.Remove(r) }},
		{"position", func(c *calendar) { c.before[len(c.before)-1]++ }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(1, 1000, 1)
			for range 1200 {
				c.add()
			}
			if err := c.Check(); err != nil {
				t.Fatal(err)
			}
			if tt.harm(c); c.Check() == nil {
				t.Error("nothing found")
			}
		})
	}
}

func BenchmarkTimeline(b *testing.B) {
	const n = 1_000_000
	c := newCalendar(3, 100_000_000, 0)
	rng := rand.New(rand.NewPCG(1, 2))
	kept := []BitmapID{c.Register(), c.Register(), c.Register()}
	for r := range Row(n) {
		start := 90 * int64(r)
		c.ties[r] = int(r)
		c.Add(r, start, start+7200, 0)
		for i, set := range kept {
			if rng.IntN(i+3) == 0 {
				c.Enter(set, r)
			}
		}
	}
	var sets []Bitmap
	for _, set := range kept {
		sets = append(sets, c.Bitmap(set))
	}
	b.Run("a page by position", func(b *testing.B) {
		rows := make([]Row, 0, 10)
		for b.Loop() {
			from, to := c.Before(rng.Int64N(40_000_000)), c.Before(50_000_000+rng.Int64N(40_000_000))
			s := Span{Timeline: c.Timeline, From: from, To: to}
			rows = s.Append(rows[:0], 1000, 1010)
		}
	})
	b.Run(fmt.Sprintf("three sets of %d", n), func(b *testing.B) {
		for b.Loop() {
			c.Select(n/6, n-n/6, sets, nil)
		}
	})
	b.Run("insert and remove", func(b *testing.B) {
		for b.Loop() {
			r := Row(n)
			start := rng.Int64N(90_000_000)
			c.Add(r, start, start+7200, 0)
			c.Remove(r)
		}
	})
}
