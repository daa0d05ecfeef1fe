package textindex

// Indexes that stand on each other, each beside a model of its own.

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/markup"

	"almanac/store/bitmap"
)

// A branch is an index with what it should say.
type branch struct {
	x *Index
	m model
}

// fork returns another branch. Both go on with forks of what there was.
func (b *branch) fork() *branch {
	other := &branch{b.x.Fork(), maps.Clone(b.m)}
	b.x = b.x.Fork()
	return other
}

// change adds, removes or replaces a document.
func (b *branch) change(r *rand.Rand, docs int) {
	doc := r.Uint32N(uint32(docs))
	old, in := b.m[doc]
	switch {
	case !in:
		b.m[doc] = nastyTexts(r)
		b.x.Add(doc, b.m[doc]...)
	case r.IntN(3) == 0:
		delete(b.m, doc)
		b.x.Remove(doc, old...)
	default:
		b.m[doc] = nastyTexts(r)
		b.x.Replace(doc, old, b.m[doc])
	}
}

func (b *branch) find(t *testing.T, r *rand.Rand, docs int) {
	t.Helper()
	parts, _ := Parts(markup.Fold(nasty[r.IntN(len(nasty))]))
	for _, part := range parts {
		found := bitmap.New[uint32](docs)
		b.x.Find(part, found)
		if diff := cmp.Diff(b.m.find(part, docs), found); diff != "" {
			t.Fatalf("documents with %q (-want +got):\n%s", part, diff)
		}
	}
}

func TestForks(t *testing.T) {
	t.Parallel()
	for _, docs := range []int{7, 300, 3000} {
		t.Run(fmt.Sprint(docs), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(docs)))
			all := []*branch{{New(), model{}}}
			for range docs {
				all[0].change(r, docs)
			}
			for range 400 {
				b := all[r.IntN(len(all))]
				for range r.IntN(20) {
					b.change(r, docs)
				}
				b.find(t, r, docs)
				if other := b.fork(); len(all) < 8 {
					all = append(all, other)
				} else {
					all[r.IntN(len(all))] = other
				}
				sizes := map[int]int{}
				for i := range b.x.below {
					size := b.x.below[i].magnitude()
					if sizes[size]++; sizes[size] == most {
						t.Fatalf("%d layers of magnitude %d", most, size)
					}
				}
			}
			for _, b := range all {
				b.m.check(t, b.x, docs)
			}
		})
	}
}

// An index that is forked for each document it gets has few layers and is still
// right, and so is what it was at any time.
func TestForkChain(t *testing.T) {
	t.Parallel()
	const docs = 2000
	r := rand.New(rand.NewPCG(12, 13))
	b := &branch{New(), model{}}
	var earlier []*branch
	for doc := range uint32(docs) {
		b.m[doc] = append(nastyTexts(r), fmt.Sprint("number", doc))
		b.x.Add(doc, b.m[doc]...)
		switch was := b.fork(); {
		case doc%400 == 0:
			earlier = append(earlier, was)
		case len(b.x.below) > 4*most:
			t.Fatalf("%d layers after %d documents", len(b.x.below), doc)
		}
	}
	for _, b := range append(earlier, b) {
		b.m.check(t, b.x, docs)
	}
}

// What is below is read by all and changed by nobody: the race detector looks.
func TestForksAtOnce(t *testing.T) {
	t.Parallel()
	const docs = 500
	r := rand.New(rand.NewPCG(14, 15))
	base := &branch{New(), model{}}
	for range 3 {
		for range docs / 2 {
			base.change(r, docs)
		}
		base = base.fork()
	}
	var all sync.WaitGroup
	for i := range 6 {
		b := &branch{base.x.Fork(), maps.Clone(base.m)}
		all.Go(func() {
			r := rand.New(rand.NewPCG(16, uint64(i)))
			for range 100 {
				b.change(r, docs)
				b.find(t, r, docs)
			}
			b.m.check(t, b.x, docs)
		})
	}
	all.Wait()
	base.m.check(t, base.x, docs)
}

// BenchmarkFork measures what a document costs in an index that was just forked,
// and what it costs to find in one that stands on others.
func BenchmarkFork(b *testing.B) {
	const n = 10_000
	z := newZipf(vocabularySize)
	texts := z.texts(n)
	x := build(texts)
	b.Run("Fork and Replace", func(b *testing.B) {
		for b.Loop() {
			doc := z.rand.Uint32N(n)
			x.Fork().Replace(doc, texts[doc:doc+1], []string{texts[(doc+1)%n]})
		}
	})
	fork := x.Fork()
	for doc := range uint32(100) {
		fork.Replace(doc*99, texts[doc*99:doc*99+1], []string{texts[doc]})
	}
	for _, at := range []struct {
		name string
		x    *Index
	}{{"Find", x}, {"Find in a fork", fork}} {
		b.Run(at.name, func(b *testing.B) {
			found := bitmap.New[uint32](n)
			for b.Loop() {
				clear(found)
				at.x.Find(z.words[300], found)
			}
		})
	}
}
