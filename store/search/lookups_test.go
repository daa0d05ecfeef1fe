package search

import (
	"slices"
	"strings"
	"testing"
)

// However long a phrase is, few of its words are looked up, each once: the longest.
func TestLookups(t *testing.T) {
	t.Parallel()
	var all, want []string
	for i := range 1000 {
		all = append(all, strings.Repeat("x", 1+i%30), "a")
	}
	for i := range 8 {
		want = append(want, strings.Repeat("x", 30-i))
	}
	phrase := &Text[int]{Words: []string{strings.Join(all, " ")}}
	if got, phrases := phrase.lookups(); !slices.Equal(got, want) || !phrases {
		t.Errorf("%q are looked up, want %q", got, want)
	}
	both := &Text[int]{Words: []string{"jazz", "big band", "bebop"}}
	if got, _ := both.lookups(); !slices.Equal(got, []string{"jazz", "bebop", "band", "big"}) {
		t.Errorf("%q are looked up of words and a phrase", got)
	}
}
