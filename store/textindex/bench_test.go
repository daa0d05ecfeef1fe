package textindex

// How long it takes and how much memory, with texts like those of a calendar:
// 90 words of 20,000, the common ones in nearly every text.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/store/bitmap"
)

// A zipf makes texts of words, of which the n-th is about 1/n as frequent as
// the first.
type zipf struct {
	words []string
	upTo  []float64 // how often one of the words up to here comes
	rand  *rand.Rand
}

func newZipf(words int) *zipf {
	z := &zipf{rand: rand.New(rand.NewPCG(1, 2))}
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	seen, sum := map[string]bool{}, 0.0
	for len(z.words) < words {
		var word []byte
		for range 1 + min(len(z.words)/20, 1) + z.rand.IntN(3) {
			word = append(word, consonants[z.rand.IntN(len(consonants))], vowels[z.rand.IntN(len(vowels))])
		}
		if z.rand.IntN(2) == 0 {
			word = append(word, consonants[z.rand.IntN(len(consonants))])
		}
		if !seen[string(word)] {
			seen[string(word)] = true
			sum += 1 / float64(len(z.words)+1)
			z.words, z.upTo = append(z.words, string(word)), append(z.upTo, sum)
		}
	}
	return z
}

func (z *zipf) word() string {
	i, _ := slices.BinarySearch(z.upTo, z.rand.Float64()*z.upTo[len(z.upTo)-1])
	return z.words[min(i, len(z.words)-1)]
}

func (z *zipf) text() string {
	words := make([]string, 90)
	for i := range words {
		words[i] = z.word()
	}
	words[0] = strings.ToUpper(words[0])
	return strings.Join(words, " ")
}

const vocabularySize = 20_000

func (z *zipf) texts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = z.text()
	}
	return texts
}

func build(texts []string) *Index {
	x := New()
	for i, text := range texts {
		x.Add(uint32(i), text)
	}
	return x
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		texts := newZipf(vocabularySize).texts(n)
		run := func(name string, build func() *Index) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					_, bytes := build().Size()
					b.ReportMetric(float64(bytes)/float64(n), "bytes/doc")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/doc")
			})
		}
		run("Add", func() *Index { return build(texts) })
		run("Build", func() *Index { return Build(n, func(doc uint32) []string { return texts[doc : doc+1] }, nil) })
	}
}

func BenchmarkChange(b *testing.B) {
	const n = 100_000
	z := newZipf(vocabularySize)
	texts := z.texts(n)
	x := build(texts)
	b.Run("RemoveAdd", func(b *testing.B) {
		for b.Loop() {
			doc := z.rand.Uint32N(n)
			x.Remove(doc, texts[doc])
			x.Add(doc, texts[doc])
		}
	})
	others := z.texts(100)
	b.Run("Replace", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			doc, other := z.rand.Uint32N(n), others[i%len(others)]
			x.Replace(doc, []string{texts[doc]}, []string{other})
			texts[doc] = other
		}
	})
	b.Run("ReplaceWord", func(b *testing.B) {
		for b.Loop() {
			doc := z.rand.Uint32N(n)
			_, rest, _ := strings.Cut(texts[doc], " ")
			other := z.word() + " " + rest
			x.Replace(doc, []string{texts[doc]}, []string{other})
			texts[doc] = other
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		z := newZipf(vocabularySize)
		x := build(z.texts(n))
		for _, c := range []struct{ name, part string }{
			{"Letter", "e"}, {"TwoLetters", "ka"}, {"ThreeLetters", "kar"}, {"Common", z.words[3]}, {"Typical", z.words[300]},
			{"Rare", z.words[15_000]}, {"None", "qqq"},
		} {
			b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
				found := bitmap.New[uint32](n)
				for b.Loop() {
					clear(found)
					x.Find(c.part, found)
				}
				b.ReportMetric(float64(found.Len()), "docs")
			})
		}
	}
}
