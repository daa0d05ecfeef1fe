package cost

// A test of the quick way of plain numbers against the long way.

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecimal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const alphabet = "0123456789..., $-"
	quick := 0
	for range 100_000 {
		b := make([]byte, random.IntN(7))
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		entry := string(b)
		if !IsDecimal(entry) {
			continue
		}
		quick++
		want := []number{{start: 0, end: len(entry), text: entry, value: entry}}
		if diff := cmp.Diff(want, numbers(entry), cmp.AllowUnexported(number{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", entry, diff)
		}
	}
	if quick < 1000 {
		t.Errorf("only %d plain numbers", quick)
	}
}
