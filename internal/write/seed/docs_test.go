package seed

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/write/intake"
	"almanac/store"
)

// page returns the text of docs/seeds.md.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docs/seeds.md names the members that records may have, and no others.
func TestDocsMembers(t *testing.T) {
	t.Parallel()
	got := map[string][]string{}
	want := map[string][]string{"all": {nameMember, commentMember}}
	for _, k := range intake.Kinds {
		want[k.String()] = namesOf(k)
		slices.Sort(want[k.String()])
	}
	for _, line := range regexp.MustCompile("(?m)^\\| `?([a-z]+)`?(?:, in exports)? \\| (`.*`.*) \\|$").FindAllStringSubmatch(page(t), -1) {
		if _, ok := want[line[1]]; !ok {
			continue
		}
		for _, name := range regexp.MustCompile("`([a-z_$]+)`").FindAllStringSubmatch(line[2], -1) {
			got[line[1]] = append(got[line[1]], name[1])
		}
		if line[1] != "all" {
			slices.Sort(got[line[1]])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-table, +docs/seeds.md):\n%s", diff)
	}
}

// Every date that docs/seeds.md writes can be read.
func TestDocsDates(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	paris, err := caltime.LoadZone("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	dates := 0
	for _, code := range regexp.MustCompile("`(@[a-z][^`]*)`").FindAllStringSubmatch(page(t), -1) {
		if slices.Contains(ProfileNames(), code[1]) {
			continue
		}
		dates++
		if _, _, err := (caltime.Relative{
			Now:   now,
			Start: now,
			Zone:  paris,
		}).Parse(code[1]); err != nil {
			t.Error(err)
		}
	}
	if dates < 20 {
		t.Errorf("found only %d dates", dates)
	}
}

// The seed of docs/seeds.md can be planted, and its mistake gives the documented error.
func TestDocsSeed(t *testing.T) {
	t.Parallel()
	text := page(t)
	_, block, _ := strings.Cut(text, "```json\n")
	block, _, _ = strings.Cut(block, "```")
	o := Options{Now: time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC), Account: 1}
	plant := func(text string) (*store.Store, error) {
		s := apitest.Store(t, nil)
		return s, Plant(s, []byte(text), "town.json", o)
	}
	s, err := plant(block)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.View(func(v *store.View) error {
		if v.Len(store.Events) != 2 || v.Len(store.Venues) != 1 || v.Len(store.Categories) != 2 {
			t.Errorf(
				"%d events, %d venues, %d categories",
				v.Len(store.Events),
				v.Len(store.Venues),
				v.Len(store.Categories),
			)
		}
		return nil
	})
	_, err = plant(strings.Replace(block, "@tomorrow", "@tomorow", 1))
	told := regexp.MustCompile("`try/(town\\.json:[^`]*) …`").FindStringSubmatch(text)
	if err == nil || told == nil || !strings.HasPrefix(err.Error(), told[1]) {
		t.Errorf("error %v, docs/seeds.md says %v", err, told)
	}
}
