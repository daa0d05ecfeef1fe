package textindex

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestIndexOf compares indexOf with bytes.Index: texts of few different bytes,
// where the ends of a part fit at many places, and parts of all lengths up to
// those that bytes.Index finds for it, at every distance from the end.
func TestIndexOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		letters := "ab\x00\xff"[:1+r.IntN(4)]
		text := make([]byte, r.IntN(5*window))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		part := []byte{letters[r.IntN(len(letters))], 'a'}[:1+r.IntN(2)]
		if len(text) > 0 && r.IntN(8) > 0 {
			from := r.IntN(len(text))
			part = bytes.Clone(text[from : from+1+r.IntN(min(len(text)-from, longest+2))])
			part[r.IntN(len(part))] = letters[r.IntN(len(letters))]
		}
		want := bytes.Index(text, part)
		if got := indexOf(text[:len(text):len(text)], part); got != want {
			t.Fatalf("%q is at %d of %q, want %d", part, got, text, want)
		}
		found += min(want+1, 1)
	}
	if found < 50_000 {
		t.Errorf("only %d parts stand in their texts", found)
	}
}
