// The words of a generated calendar, and how often each is used.

package almanactest

import (
	"math/rand/v2"
	"slices"
	"strings"
)

const vocabularySize = 20_000

// Parts of syllables that can be spoken in any order.
var (
	onsets = strings.Fields(
		"b br c ch cl d dr f fl g gr h j k l m n p pl pr r s sh sl st t th tr v w z",
	)
	vowels = strings.Fields("a a e e i i o o u ai ea ee oa ou")
	codas  = strings.Fields("l m n n r r s s t x nd nt rd rt sk st")
)

// vocabulary makes up words, each once. The first are meant to be the most
// common, and shorter, as in a language that people speak.
func vocabulary(rng *rand.Rand) []string {
	part := func(of []string) string { return of[rng.IntN(len(of))] }
	words := make([]string, 0, vocabularySize)
	known := map[string]bool{}
	for len(words) < vocabularySize {
		syllables := 1
		switch {
		case len(words) >= 3000:
			syllables = 2 + rng.IntN(2)
		case len(words) >= 100:
			syllables = 2
		}
		word := ""
		for range syllables {
			word += part(onsets) + part(vowels)
		}
		if rng.IntN(2) == 0 {
			word += part(codas)
		}
		if !known[word] {
			known[word] = true
			words = append(words, word)
		}
	}
	return words
}

// capital returns a word with a capital letter. Words have no others than ASCII.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// name returns a name with a number of words.
func (g *generator) name(words int) string {
	g.text = g.text[:0]
	for i := range words {
		if i > 0 {
			g.text = append(g.text, ' ')
		}
		g.word(true)
	}
	return string(g.text)
}

// sentences returns a text of at least size bytes. One of five long texts has two paragraphs.
func (g *generator) sentences(size int) string {
	g.text = g.text[:0]
	half := size // from where a paragraph may begin
	if g.rng.IntN(5) == 0 && size > 200 {
		half = size / 2
	}
	for len(g.text) < size {
		switch {
		case len(g.text) == 0:
		case len(g.text) >= half:
			g.text = append(g.text, "\n\n"...)
			half = size
		default:
			g.text = append(g.text, ' ')
		}
		words := 5 + g.rng.IntN(10)
		for i := range words {
			if i > 0 {
				g.text = append(g.text, ' ')
			}
			g.word(i == 0 || g.chance(30))
			if i+1 < words && g.chance(100) {
				g.text = append(g.text, ',')
			}
		}
		g.text = append(g.text, '.')
	}
	return string(g.text)
}

// word appends a word to the text, the common ones more often.
func (g *generator) word(upper bool) {
	at := len(g.text)
	g.text = append(g.text, g.Words[g.byWord.pick(g.rng)]...)
	if upper {
		g.text[at] -= 'a' - 'A'
	}
}

// A skew picks numbers from 0, number i in proportion to 1/(i+shift): Zipf's
// law, with a flatter start the larger the shift is. It holds the sums of the
// weights, as whole numbers, since not every machine rounds alike.
type skew []uint64

func newSkew(n, shift int) skew {
	sums := make(skew, n)
	sum := uint64(0)
	for i := range sums {
		sum += 1 << 32 / uint64(i+shift)
		sums[i] = sum
	}
	return sums
}

func (s skew) pick(rng *rand.Rand) int {
	i, _ := slices.BinarySearch(s, 1+rng.Uint64N(s[len(s)-1]))
	return i
}
