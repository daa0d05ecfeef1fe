package api_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/api/admission"
	"almanac/store"
)

// namesOf returns how many categories, tags, venues and organizers a store has.
func namesOf(s *store.Store) (n int) {
	_ = s.View(func(v *store.View) error {
		for _, k := range []store.Kind{store.Categories, store.Tags, store.Venues, store.Organizers} {
			n += v.Len(k)
		}
		return nil
	})
	return n
}

// draftNaming returns the body of a draft that names a record by a member of a member.
func draftNaming(member, inside, name string) string {
	list := fmt.Sprintf(`{%q:[{%q:%q}],`, member, inside, name)
	return strings.Replace(fmt.Sprintf(draft, "Short."), "{", list, 1)
}

// An account below editor makes so many names in an hour, whatever way it makes them; those that
// are there cost nothing.
func TestNamesBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const budget = 4
		g := onDisk(t, t.TempDir(), admission.Limits{Names: budget})
		n := 0
		draftWith := func(member string) (path, body string) {
			n++
			inside := member
			if member == "tags" || member == "categories" {
				inside = "name"
			}
			return "/events", draftNaming(member, inside, fmt.Sprint("New ", n))
		}
		record := func(path, member string) (string, string) {
			n++
			return path, fmt.Sprintf(`{%q:"New %d"}`, member, n)
		}
		for i, way := range []struct {
			token string
			make  func() (path, body string)
		}{
			{"contributor", func() (string, string) { return draftWith("tags") }},
			{"contributor", func() (string, string) { return draftWith("categories") }},
			{"contributor", func() (string, string) { return draftWith("venue") }},
			{"contributor", func() (string, string) { return draftWith("organizer") }},
			{"contributor", func() (string, string) { return record("/venues", "venue") }},
			{"contributor", func() (string, string) { return record("/organizers", "organizer") }},
			{"author", func() (string, string) { return record("/categories", "name") }},
		} {
			time.Sleep(time.Hour)
			name := fmt.Sprint("way ", i)
			last := ""
			for range budget {
				var path string
				path, last = way.make()
				expect(t, name, g.ask(here, way.token, "POST", path, last), 201, "", "")
			}
			had := namesOf(g.store)
			seq := g.store.Seq()
			path, body := way.make()
			w := g.ask(here, way.token, "POST", path, body)
			expect(t, name+", over the budget", w, 429, "rest_too_many_requests", "900")
			if !strings.Contains(
				w.Body.String(),
				"not make more than 4 categories, tags, venues",
			) {
				t.Errorf("%s: %s", name, w.Body)
			}
			if namesOf(g.store) != had || g.store.Seq() != seq {
				t.Errorf("%s: what was refused was stored", name)
			}
			if path == "/events" {
				expect(t, name+", known", g.ask(here, way.token, "POST", path, last), 201, "", "")
			}
			expect(t, name+", editor", g.ask(here, "editor", "POST", path, body), 201, "", "")
		}
	})
}

// A change that is refused for another reason gives its names back.
func TestNamesOfRefusedChanges(t *testing.T) {
	t.Parallel()
	g := onDisk(t, t.TempDir(), admission.Limits{Names: 2, Free: 1 << 60})
	if _, err := g.store.Free(); err != nil {
		t.Skip(err)
	}
	for i := range 5 {
		body := draftNaming("tags", "name", fmt.Sprint("New ", i))
		expect(t, "on a full disk", g.ask(here, "author", "POST", "/events", body),
			503, "rest_store_unavailable", "60")
	}
}

// When there are very many names of a kind, only editors make more.
func TestNamesInAll(t *testing.T) {
	t.Parallel()
	g := onDisk(t, t.TempDir(), admission.Limits{Names: 100})
	err := g.store.Update(1, func(tx *store.Tx) error {
		for i := range 50_000 {
			name := fmt.Sprint("tag-", i)
			if err := tx.Put(&store.Term{Taxonomy: store.Tags, Name: name, Slug: name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	with := func(tag string) string { return draftNaming("tags", "name", tag) }
	w := g.ask(here, "author", "POST", "/events", with("one more"))
	expect(t, "one more", w, 429, "rest_too_many_requests", "3600")
	if !strings.Contains(w.Body.String(), "tags only while there are no more than 50000") {
		t.Error(w.Body)
	}
	expect(t, "a known one", g.ask(here, "author", "POST", "/events", with("tag-7")), 201, "", "")
	expect(
		t,
		"another kind",
		g.ask(here, "author", "POST", "/venues", `{"venue":"Hall"}`),
		201,
		"",
		"",
	)
	expect(t, "an editor", g.ask(here, "editor", "POST", "/events", with("one more")), 201, "", "")
}

// The budget of an account counts what its records take in memory, also where that is far more
// than their log: many small events, and words that nobody else wrote.
func TestMemoryBudget(t *testing.T) {
	t.Parallel()
	const budget = 2 << 20
	series := fmt.Sprintf(longSeries, "short")
	n := 0
	unheard := func() string {
		var words strings.Builder
		for range 1000 {
			n++
			fmt.Fprintf(&words, "%x ", n*2654435761)
		}
		return fmt.Sprintf(draft, words.String())
	}
	for name, way := range map[string]struct {
		body func() string
		cost int // bytes of memory, at least
	}{
		"series": {func() string { return series }, 365 * 850},
		"words":  {unheard, 1000 * 115},
	} {
		g := onDisk(t, t.TempDir(), admission.Limits{Log: budget, Body: 1 << 20})
		taken := 0
		for ; g.ask(here, "contributor", "POST", "/events", way.body()).Code == 201; taken++ {
			if taken > 100 {
				t.Fatalf("%s: no end", name)
			}
		}
		if taken < 3 || taken*way.cost > budget {
			t.Errorf("%s: %d were taken, of %d bytes each", name, taken, way.cost)
		}
	}
}
