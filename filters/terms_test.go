// Plans against a full scan: categories and tags.

package filters_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/store"
)

func randomTerms(rng *rand.Rand, w *world) *filters.Terms {
	q := &filters.Terms{
		Taxonomy:  []store.Kind{store.Categories, store.Tags}[rng.IntN(2)],
		HideEmpty: rng.IntN(2) == 0,
		Desc:      rng.IntN(2) == 0,
		OrderBy: []string{"", "name", "slug", "ID", "term_order", "count", "term_group", "description", "parent", "include",
			"colour"}[rng.IntN(11)],
	}
	maybe := func(set func()) {
		if rng.IntN(5) == 0 {
			set()
		}
	}
	maybe(
		func() { q.Search = []string{"night", "cafe", "tag-1", "category-", "e", "100%"}[rng.IntN(6)] },
	)
	maybe(func() { q.Include = append(ids(rng, 30), 0) })
	maybe(func() { q.Exclude = ids(rng, 30) })
	maybe(func() { q.Parent = 1 + rng.Int64N(20) })
	maybe(func() { q.Event = w.events[rng.IntN(len(w.events))].ID })
	q.Opens = func(e *store.Event) bool { return e.Password == "one" }
	maybe(func() { q.Slug = fmt.Sprint([]string{"tag-", "category-"}[rng.IntN(2)], rng.IntN(12)) })
	return q
}

// carried counts the published events that carry a term itself.
func carried(w *world, t *store.Term) (n int) {
	for _, e := range w.events {
		if e.Status == store.Publish &&
			(slices.Contains(e.Categories, t.ID) || slices.Contains(e.Tags, t.ID)) {
			n++
		}
	}
	return n
}

// isUsed reports whether published events carry a term or one below it.
func isUsed(w *world, all []*store.Term, t *store.Term) bool {
	if carried(w, t) > 0 {
		return true
	}
	return slices.ContainsFunc(
		all,
		func(below *store.Term) bool { return below.Parent == t.ID && isUsed(w, all, below) },
	)
}

func wantsTerm(q *filters.Terms, w *world, all []*store.Term, t *store.Term) bool {
	if q.Include != nil && !slices.Contains(q.Include, t.ID) || slices.Contains(q.Exclude, t.ID) {
		return false
	}
	if q.Parent != 0 && t.Parent != q.Parent || q.Slug != "" && t.Slug != q.Slug {
		return false
	}
	if !strings.Contains(plainly(t.Name), q.Search) && !strings.Contains(t.Slug, q.Search) {
		return false
	}
	if q.Event != 0 { // drafts too
		e := eventOf(w, q.Event)
		return e.Password != "two" &&
			(slices.Contains(e.Categories, t.ID) || slices.Contains(e.Tags, t.ID))
	}
	return !q.HideEmpty || isUsed(w, all, t)
}

func termBefore(q *filters.Terms, w *world, a, b *store.Term) int {
	text := func(a, b string) int { return cmp.Or(cmp.Compare(plainly(a), plainly(b)), cmp.Compare(a, b)) }
	order := 0
	switch q.OrderBy {
	case "slug":
		order = cmp.Compare(a.Slug, b.Slug)
	case "ID", "term_order":
		order = int(a.ID - b.ID)
	case "count":
		order = carried(w, a) - carried(w, b)
	case "term_group":
	case "description":
		order = text(a.Description, b.Description)
	case "parent":
		order = int(a.Parent - b.Parent)
	case "include":
		order = slices.Index(q.Include, a.ID) - slices.Index(q.Include, b.ID)
	default:
		order = text(a.Name, b.Name)
	}
	if q.Desc {
		order = -order
	}
	return cmp.Or(order, text(a.Name, b.Name), int(a.ID-b.ID))
}

func TestTermsAgainstFullScan(t *testing.T) {
	t.Parallel()
	const rounds = 3
	for round := range uint64(rounds) {
		t.Run(fmt.Sprint("seed ", seed, ", ", round), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, round))
			w := newWorld(t, rng, 12) // few, so that some terms are not used
			for range queries(1_200, 50_000) / rounds {
				q := randomTerms(rng, w)
				all := w.categories
				if q.Taxonomy == store.Tags {
					all = w.tags
				}
				var want []*store.Term
				for _, term := range all {
					if wantsTerm(q, w, all, term) {
						want = append(want, term)
					}
				}
				slices.SortFunc(want, func(a, b *store.Term) int { return termBefore(q, w, a, b) })
				w.store.View(func(v *store.View) error {
					got := joined(
						t,
						1+rng.IntN(12),
						len(want),
						func(offset, limit int) ([]*store.Term, int) {
							found, total, _ := q.Find(filters.Inside(v), offset, limit)
							return found, total
						},
					)
					if !slices.Equal(got, want) {
						t.Errorf("finds (-want +got):\n%s", gocmp.Diff(keys(want), keys(got)))
					}
					return nil
				})
				if t.Failed() {
					t.Fatalf("%+v", q)
				}
			}
		})
	}
}
