package textindex

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/markup"
)

// cutAll returns the words of a text in the slow way.
func cutAll(text string) (words []string) {
	for word, rest := cut(markup.Fold(text)); word != ""; word, rest = cut(rest) {
		words = append(words, word)
	}
	return words
}

// Texts of ASCII are cut like all others, whatever their length, and whatever
// stands where.
func TestASCII(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	var a asciiText
	try := func(text string) {
		t.Helper()
		if ok, want := a.read(text), strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0; ok != want {
			t.Fatalf("%q was read: %t", text, ok)
		} else if !ok {
			return
		}
		var got []string
		for edges := a.edges; len(edges) > 0; edges = edges[2:] {
			got = append(got, string(a.folded[edges[0]:edges[1]]))
		}
		if diff := cmp.Diff(cutAll(text), got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	}
	for c := range 256 {
		for _, around := range []string{"", "a", " ", "1234567"} {
			try(around + string([]byte{byte(c)}) + around)
		}
	}
	for n := range 300 {
		try(strings.Repeat("x", n))
		try(strings.Repeat(" Yz", n))
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(r.IntN(128))
		}
		try(string(text))
		if n > 0 {
			text[r.IntN(n)] = 0x80 + byte(r.IntN(128))
			try(string(text))
		}
	}
}

// alikeTexts returns texts of words that differ little, most of them longer than
// what they are told apart by first.
func alikeTexts(r *rand.Rand) []string {
	texts := make([]string, r.IntN(4))
	for i := range texts {
		var words []string
		for range r.IntN(12) {
			word := strings.Repeat("A", r.IntN(30)) + strings.Repeat("b", 1+r.IntN(3))
			if r.IntN(20) == 0 {
				word += "é"
			}
			words = append(words, word)
		}
		texts[i] = strings.Join(words, []string{" ", ", ", "\n"}[r.IntN(3)])
	}
	return texts
}

// A sorter that forgets what it knows makes the same index.
func TestSorter(t *testing.T) {
	for _, most := range []int{0, 3, 40, mostKnown} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			const docs, at = 2000, 100
			r, m := rand.New(rand.NewPCG(7, 9)), model{}
			for doc := range uint32(docs) {
				m[doc] = alikeTexts(r)
			}
			l, s, slots, anew := newLayer(), newSorter(), []uint32(nil), 0
			s.most = most
			for from := 0; from < docs; from += at {
				b := s.sort(from, from+at, func(doc uint32) []string { return m[doc] }, nil)
				if b.anew {
					anew++
				}
				slots = l.enterBatch(b, slots)
			}
			m.check(t, &Index{own: l}, docs)
			if (anew > 0) != (most < mostKnown) {
				t.Errorf("began anew %d times", anew)
			}
		})
	}
}

// A run of documents may go on behind those of any list.
func TestInsertRun(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for range 300 {
		p, want, next := &postings{}, []uint32(nil), uint32(0)
		for range 1 + r.IntN(8) {
			var run []uint32
			gap := []uint32{1, 2, 9, 150, 400, 70_000}[r.IntN(6)]
			for range r.IntN(400) {
				next += 1 + r.Uint32N(gap)
				run = append(run, next)
			}
			p.insertRun(0, run)
			want = append(want, run...)
		}
		if len(want) == 0 {
			continue
		}
		l := &p.lists[0]
		if got := p.all(l, nil); !slices.Equal(got, want) {
			t.Fatalf("documents (-want +got):\n%s", cmp.Diff(want, got))
		}
		if int(l.n) != len(want) || l.n > inline && l.v[last] != next {
			t.Fatalf("%d documents and the last one %d, not %d and %d", l.n, l.v[last], len(want), next)
		}
	}
}

func TestBuildStops(t *testing.T) {
	for _, after := range []uint32{0, 1, perBatch, 5 * perBatch} {
		stop := make(chan struct{})
		x := Build(9*perBatch, func(doc uint32) []string {
			if doc == after {
				close(stop)
			}
			return []string{"word"}
		}, stop)
		if x != nil {
			t.Errorf("an index was made, although it was stopped at document %d", after)
		}
	}
}
