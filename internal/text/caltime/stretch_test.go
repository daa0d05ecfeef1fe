package caltime

// Tests of the stretches that zones keep, against the rules they were made of.

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

func TestStretches(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range strings.Fields(nameList) {
		z, err := LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		moments := []int64{firstKept - 1, lastKept}
		for i, s := range z.known {
			if s.until <= s.from || i > 0 && s.from != z.known[i-1].until {
				t.Fatalf("%s: stretch %d, %+v, does not follow on the one before", name, i, s)
			}
			if i > 0 {
				moments = append(moments, s.from-1, s.from, s.from+1)
			}
		}
		for range 200 {
			moments = append(moments, firstKept-1e8+random.Int64N(lastKept-firstKept+2e8))
		}
		for _, unix := range moments {
			got := z.at(unix)
			abbr, offset := time.Unix(unix, 0).In(z.loc).Zone()
			if !got.covers(unix) || got.abbr != abbr || got.offset != int64(offset) {
				t.Errorf("%s at %d: %+v, want %s %d", name, unix, got, abbr, offset)
			}
		}
	}
}

// A reading has one instant whether the bounds of its stretch are known or not.
func TestInstantWithoutStretches(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range strings.Fields(nameList) {
		z, err := LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		plain := &Zone{name: z.name, loc: z.loc}
		for range 300 {
			local := time.Unix(firstKept+random.Int64N(lastKept-firstKept), 0).UTC()
			if n := len(z.known); n > 1 && random.IntN(2) == 0 { // near a change
				change := z.known[1+random.IntN(n-1)].from
				local = time.Unix(change+random.Int64N(4*24*60*60)-2*24*60*60, 0).UTC()
			}
			if want, got := plain.Instant(local), z.Instant(local); !got.Equal(want) {
				t.Errorf("%s shows %s at %s, want %s", name, local, got, want)
			}
		}
	}
}

func BenchmarkInstant(b *testing.B) {
	z, _ := LoadZone("America/New_York")
	local := time.Date(2031, 5, 10, 10, 0, 0, 0, time.UTC)
	for b.Loop() {
		z.Instant(local)
	}
}

func BenchmarkLoadZone(b *testing.B) {
	for b.Loop() {
		LoadZone("America/New_York")
	}
}
