// The quick way against the grammar.

package caltime

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlainDatesAgainstGrammar(t *testing.T) {
	t.Parallel()
	var zones Zones
	rng := rand.New(rand.NewPCG(3, 1))
	now := time.Date(2031, 5, 10, 12, 30, 15, 999, time.UTC)
	quick := 0
	for range 30_000 {
		name := []string{"UTC", "America/New_York", "Europe/Paris", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"}[rng.IntN(6)]
		zone, err := zones.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		year := rng.IntN(10_000)
		if rng.IntN(2) == 0 {
			year = 1900 + rng.IntN(200)
		}
		text := fmt.Sprintf("%04d-%02d-%02d", year, rng.IntN(14), rng.IntN(33))
		if rng.IntN(3) > 0 {
			text += fmt.Sprintf("%c%02d:%02d:%02d", " T"[rng.IntN(2)], rng.IntN(26), rng.IntN(61), rng.IntN(62))
		}
		if rng.IntN(10) == 0 { // spoil it
			i := rng.IntN(len(text))
			text = text[:i] + string(" -:x0/"[rng.IntN(6)]) + text[i+1:]
		}
		m, ok := plain(text, zone)
		if !ok {
			continue
		}
		quick++
		want, err := parse(text, now, zone)
		if err != nil {
			t.Fatalf("%q is not a date for the grammar: %v", text, err)
		}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Fatalf("%q in %s (-grammar, +quick way):\n%s", text, name, diff)
		}
	}
	if quick < 10_000 {
		t.Errorf("only %d dates went the quick way", quick)
	}
}
