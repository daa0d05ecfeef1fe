// Families of lists and timelines that share, each against a model of its own.

package eventindex

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"almanac/store/sharing"
)

// A sharer has a list and what should be in it.
type sharer struct {
	by   *sharing.Mark
	l    List[item]
	want []item
}

func TestListFamily(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 22))
	all := []*sharer{{by: sharing.NewMark()}}
	for n := range 40_000 {
		s := all[rng.IntN(len(all))]
		if rng.IntN(10) < 6 || len(s.want) == 0 {
			next := item{rng.IntN(50), n}
			at, _ := slices.BinarySearchFunc(s.want, next, byItem)
			s.want = slices.Insert(s.want, at, next)
			s.l.Insert(s.by, next, byItem)
		} else {
			at := rng.IntN(len(s.want))
			s.l.Remove(s.by, s.want[at], byItem)
			s.want = slices.Delete(s.want, at, at+1)
		}
		switch {
		case rng.IntN(1_000) > 0:
		case len(all) < 8:
			all = append(all, &sharer{sharing.NewMark(), s.l, slices.Clone(s.want)})
			s.by = sharing.NewMark()
		default:
			all = slices.Delete(all, 0, 4)
		}
	}
	for _, s := range all {
		sameList(t, &s.l, s.want)
		for _, i := range s.want {
			if !s.l.Has(i, byItem) {
				t.Fatalf("%v is not there", i)
			}
		}
	}
}

// fork returns another calendar. Both go on with forks of the timeline there was.
func (c *calendar) fork() *calendar {
	other := &calendar{
		rng: c.rng, ties: maps.Clone(c.ties), want: slices.Clone(c.want), free: slices.Clone(c.free),
		kept: slices.Clone(c.kept), most: c.most, times: c.times,
	}
	for _, in := range c.in {
		other.in = append(other.in, maps.Clone(in))
	}
	was := c.Timeline
	for _, c := range []*calendar{c, other} {
		c.Timeline = was.Fork(sharing.NewMark(), func(a, b Row) int { return cmp.Compare(c.ties[a], c.ties[b]) })
	}
	return other
}

// keepOther drops a set that is kept and keeps a new one.
func (c *calendar) keepOther() {
	i := c.rng.IntN(len(c.kept))
	c.Unregister(c.kept[i])
	c.kept[i], c.in[i] = c.Register(), map[Row]bool{}
	for _, s := range c.want {
		if c.rng.IntN(3) == 0 {
			c.Enter(c.kept[i], s.row)
			c.in[i][s.row] = true
		}
	}
}

func TestTimelineFamily(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		most      int64
		rows, ops int
	}{
		{"few rows", 9, 20, 6_000},
		{"many with one start", 3, 2_500, 12_000},
		{"spread", 1_000_000, 3_000, 12_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := []*calendar{newCalendar(uint64(tt.rows), tt.most, 3)}
			rng := all[0].rng
			for range tt.rows / 2 {
				all[0].add()
			}
			for range tt.ops {
				c := all[rng.IntN(len(all))]
				if len(c.want) == 0 || len(c.want) < tt.rows && rng.IntN(2) == 0 {
					c.add()
				} else {
					c.remove()
				}
				switch rng.IntN(tt.ops / 40) {
				case 0:
					other := c.fork()
					if len(all) < 5 {
						all = append(all, other)
					} else {
						all[rng.IntN(len(all))] = other
					}
				case 1:
					c.keepOther()
				case 2:
					c.check(t)
				}
			}
			for _, c := range all {
				c.check(t)
				c.sequences(t)
			}
		})
	}
}

// What forks share is read by all and changed by nobody: the race detector looks.
func TestTimelinesAtOnce(t *testing.T) {
	t.Parallel()
	base := newCalendar(5, 10_000, 3)
	for range 2_000 {
		base.add()
	}
	var all sync.WaitGroup
	for i := range 4 {
		c := base.fork()
		c.rng = rand.New(rand.NewPCG(23, uint64(i)))
		all.Go(func() {
			for range 300 {
				c.add()
				c.remove()
			}
			c.check(t)
			c.sequences(t)
		})
	}
	base.check(t)
	all.Wait()
	base.check(t)
}

// A fork and its first change allocate about as much for a million rows as for
// ten thousand, but for the tables.
func BenchmarkTimelineFork(b *testing.B) {
	for _, n := range []int{10_000, million} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			starts, ends := make([]int64, n), make([]int64, n)
			for i := range starts {
				starts[i], ends[i] = 90*int64(i), 90*int64(i)+7200
			}
			tie := func(a, b Row) int { return cmp.Compare(a, b) }
			t := NewTimeline(sharing.NewMark(), tie)
			t.Fill(starts, ends, make([]Signature, n))
			rng := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				start := rng.Int64N(90 * int64(n))
				t.Fork(sharing.NewMark(), tie).Add(Row(n), start, start+7200, 0)
			}
		})
	}
}
