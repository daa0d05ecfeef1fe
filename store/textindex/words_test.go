package textindex

// The index beside a plain model: the folded texts, looked through one by one.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/internal/markup"
	"almanac/internal/race"
	"almanac/store/bitmap"

	"github.com/google/go-cmp/cmp"
)

func TestParts(t *testing.T) {
	for _, c := range []struct {
		name, query string
		want        []string
		whole       bool
	}{
		{"empty", "", nil, false},
		{"word", "jazz", []string{"jazz"}, true},
		{"digits", "2031", []string{"2031"}, true},
		{"letters and digits", "24h", []string{"24h"}, true},
		{"phrase", "jazz club", []string{"jazz", "club"}, false},
		{"space before", " jazz", []string{"jazz"}, false},
		{"space behind", "jazz ", []string{"jazz"}, false},
		{"hyphen", "hip-hop", []string{"hip", "hop"}, false},
		{"twice", "la la land", []string{"la", "la", "land"}, false},
		{"signs alone", "?! …", nil, false},
		{"accents that are signs", "`a^", []string{"a"}, false},
		{"Cyrillic", "йод", []string{"йод"}, true},
		{"Cyrillic phrase", "(йод)", []string{"йод"}, false},
		{"Chinese", "日本語", []string{"日本語"}, true},
		{"Chinese sentence", "日本、語。", []string{"日本", "語"}, false},
		{"vowel signs of Hindi", "हिन्दी", []string{"हिन्दी"}, true},
		{"beyond the first plane", "𝛼𐐨 𠀀", []string{"𝛼𐐨", "𠀀"}, false},
		{"emoji", "🎷jazz", []string{"jazz"}, false},
		{"bytes that are no text", "a\xffb", []string{"a", "b"}, false},
		{"zero", "a\x00b", []string{"a", "b"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, whole := Parts(c.query)
			if diff := cmp.Diff(c.want, parts); diff != "" || whole != c.whole {
				t.Errorf("whole %v, want %v, parts (-want +got):\n%s", whole, c.whole, diff)
			}
		})
	}
}

// nasty are words that share parts, fold alike, or consist of what may or may
// not belong to a word.
var nasty = strings.Fields("a A aa aaa ab aba Ábà b é e\u0301 É \u0301 ß ss Straße ﬁn fin 1 12 123 2031 ２０ x1 " +
	"Йод И\u0306од и ё е ОД " +
	"日 日本 日本語 本 ｶﾞ हिन्दी हि न्दी ी 𠀀 𠀀a \xff a\xffb \x00 - _ 🎷 q\u200dr ͅ ª İ ŉ")

func nastyTexts(r *rand.Rand) []string {
	texts := make([]string, r.IntN(4))
	for i := range texts {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(nasty[r.IntN(len(nasty))])
			b.WriteString([]string{" ", "", "-", ", "}[r.IntN(4)])
		}
		// Words of which few documents have the same: they come and go.
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, " w%x", r.IntN(5000))
		}
		texts[i] = b.String()
	}
	return texts
}

// A model is what the index should say, by looking at every text.
type model map[uint32][]string

func (m model) find(part string, docs int) Bitmap {
	found := bitmap.New[uint32](docs)
	for doc, texts := range m {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(markup.Fold(text), part) }) {
			found.Set(doc)
		}
	}
	return found
}

func (m model) check(t *testing.T, x *Index, docs int) {
	t.Helper()
	texts := func(doc uint32) ([]string, bool) { t, ok := m[doc]; return t, ok }
	if err := x.Check(texts, docs); err != nil {
		t.Fatal(err)
	}
}

func TestModel(t *testing.T) {
	for _, c := range []struct {
		name         string
		docs, steps  int
		remove, done int // how many of ten steps with a document that is there remove it; how many go in the end
	}{
		{"few documents", 5, 4000, 4, 0},
		{"many documents", 6000, 15000, 1, 0},
		{"many that go again", 6000, 15000, 1, 6000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(c.docs)))
			x, m := New(), model{}
			step := func(doc uint32, kind int) {
				old, in := m[doc]
				switch {
				case !in:
					m[doc] = nastyTexts(r)
					x.Add(doc, m[doc]...)
				case kind < c.remove:
					delete(m, doc)
					x.Remove(doc, old...)
				default:
					m[doc] = nastyTexts(r)
					x.Replace(doc, old, m[doc])
				}
			}
			for i := range c.steps {
				doc := r.Uint32N(uint32(c.docs))
				if i < c.docs/2 {
					doc = uint32(i) // mostly they come in order
				}
				step(doc, r.IntN(10))
				if r.IntN(c.docs) > 2 {
					continue
				}
				word := markup.Fold(nasty[r.IntN(len(nasty))] + nasty[r.IntN(len(nasty))])
				parts, _ := Parts(word)
				for _, part := range parts {
					found := bitmap.New[uint32](c.docs)
					x.Find(part, found)
					if diff := cmp.Diff(m.find(part, c.docs), found); diff != "" {
						t.Fatalf("after %d steps, documents with %q (-want +got):\n%s", i, part, diff)
					}
				}
			}
			m.check(t, x, c.docs)
			for doc := range uint32(c.done) {
				if old, in := m[doc]; in {
					delete(m, doc)
					x.Remove(doc, old...)
				}
			}
			m.check(t, x, c.docs)
		})
	}
}

// TestDensities puts documents in and takes them out in every order, where the
// words are in all documents, in every second, fourth, and so on.
func TestDensities(t *testing.T) {
	race.Alone(t)
	const docs = 40_000
	up, texts := make([]uint32, docs), make([][]string, docs)
	for i := range up {
		up[i] = uint32(i)
		var words []string
		for n := range 14 {
			if (up[i]*2654435761)>>8&(1<<n-1) == 0 {
				words = append(words, fmt.Sprint("word", n))
			}
		}
		texts[i] = []string{strings.Join(words, " ")}
	}
	down, mixed := slices.Clone(up), slices.Clone(up)
	slices.Reverse(down)
	r := rand.New(rand.NewPCG(3, 4))
	r.Shuffle(docs, func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	orders := map[string][]uint32{"up": up, "down": down, "mixed": mixed}
	for in, add := range orders {
		for out, remove := range orders {
			t.Run(in+" and "+out, func(t *testing.T) {
				t.Parallel()
				x, m := New(), model{}
				for _, doc := range add {
					m[doc] = texts[doc]
					x.Add(doc, m[doc]...)
				}
				m.check(t, x, docs)
				for i, doc := range remove {
					x.Remove(doc, m[doc]...)
					delete(m, doc)
					if i == docs/2 || i == docs-100 {
						m.check(t, x, docs)
					}
				}
				if err := x.Check(func(uint32) ([]string, bool) { return nil, false }, docs); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestBuild(t *testing.T) {
	for _, docs := range []int{0, 1, 7*perBatch + 7} {
		t.Run(fmt.Sprint(docs), func(t *testing.T) {
			r, m := rand.New(rand.NewPCG(7, 8)), model{}
			for doc := range uint32(docs) {
				if r.IntN(5) > 0 {
					m[doc] = nastyTexts(r)
				}
			}
			x := Build(docs, func(doc uint32) []string { return m[doc] }, nil)
			m.check(t, x, docs)
			for doc, texts := range m {
				x.Remove(doc, texts...)
			}
			if words, _ := x.Size(); words != 0 {
				t.Errorf("%d words are left", words)
			}
		})
	}
}

// TestFarDocuments uses the greatest rows there are, and so the longest
// distances.
func TestFarDocuments(t *testing.T) {
	p := &postings{}
	r := rand.New(rand.NewPCG(5, 6))
	docs := []uint32{0, 1, 191, 192, 383, 16_063, 16_064, 1 << 24, 1<<24 - 1, 1<<32 - 1, 1<<32 - 2, 1<<32 - 64, 1 << 31}
	for range 2000 {
		docs = append(docs, r.Uint32()>>r.IntN(32))
	}
	for range 500 {
		docs = append(docs, ^r.Uint32N(4000))
	}
	for _, doc := range docs {
		p.insert(0, doc)
	}
	want := slices.Clone(docs)
	slices.Sort(want)
	want = slices.Compact(want)
	if diff := cmp.Diff(want, p.all(&p.lists[0], nil)); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	for i, doc := range docs {
		p.remove(0, doc)
		if got := p.all(&p.lists[0], nil); slices.Contains(got, doc) {
			t.Fatalf("document %d, the %d. to go, is still there", doc, i)
		}
	}
	if n := p.inUse(); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
}

func TestCheckFindsFaults(t *testing.T) {
	texts := func(doc uint32) ([]string, bool) { return []string{fmt.Sprint("all w", doc/5)}, doc < 100 }
	for _, c := range []struct {
		name  string
		spoil func(x *Index)
	}{
		{"missing document", func(x *Index) { x.Remove(7, "all") }},
		{"missing word", func(x *Index) {
			x.Remove(7, "w1")
			x.Remove(5, "w1")
			x.Remove(6, "w1")
			x.Remove(8, "w1 w1")
			x.Remove(9, "w1")
		}},
		{"document left over", func(x *Index) { x.Add(1, "w3") }},
		{"last document left over", func(x *Index) { x.Add(100, "all") }},
		{"word left over", func(x *Index) { x.Add(1, "other") }},
		{"count", func(x *Index) { x.own.postings.lists[0].n++ }},
		{"last", func(x *Index) { x.own.postings.lists[0].v[last]++ }},
		{"block", func(x *Index) { x.own.postings.alloc(1) }},
		{"words", func(x *Index) { x.own.vocabulary.words++ }},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := New()
			for doc := range uint32(100) {
				lines, _ := texts(doc)
				x.Add(doc, lines...)
			}
			if err := x.Check(texts, 200); err != nil {
				t.Fatal(err)
			}
			c.spoil(x)
			if x.Check(texts, 200) == nil {
				t.Error("not found")
			}
		})
	}
}

// FuzzFind compares the index of three texts with looking at them.
func FuzzFind(f *testing.F) {
	f.Add("Jazz at the Café", "Straße 12", "日本語 हिन्दी", "caf")
	f.Add("e\u0301", "", "a\xffb", "e")
	f.Add("И\u0306од", "йод", "ОД", "Од од")
	f.Fuzz(func(t *testing.T, one, other, third, query string) {
		x, m, texts := New(), model{0: {one, other}, 1: {third}, 2: {other}}, [3][]string{}
		for doc := range uint32(3) {
			texts[doc] = m[doc]
			x.Add(doc, m[doc]...)
		}
		query = markup.Fold(query)
		parts, whole := Parts(query)
		holds := m.find(query, 3)
		for _, part := range parts {
			found := bitmap.New[uint32](3)
			x.Find(part, found)
			if diff := cmp.Diff(m.find(part, 3), found); diff != "" {
				t.Errorf("documents with %q (-want +got):\n%s", part, diff)
			}
			if whole && part != query {
				t.Errorf("%q is no part of its own", query)
			}
			holds.AndNot(found)
		}
		if len(parts) > 0 && holds.Len() > 0 {
			t.Errorf("%d documents hold %q, but not its parts %q", holds.Len(), query, parts)
		}
		m[1], m[2] = []string{one}, nil
		x.Replace(1, texts[1], m[1])
		x.Replace(2, texts[2], nil)
		m.check(t, x, 3)
	})
}
