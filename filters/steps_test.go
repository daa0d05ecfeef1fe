package filters_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/filters"
	"almanac/store"
)

// manyNames returns a store with n tags and as many venues, whose names begin with a text.
func manyNames(t *testing.T, n int, begin string) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	err = s.Update(1, func(tx *store.Tx) error {
		for i := range n {
			slug := fmt.Sprintf("%06d", i*7919%n)
			tag := &store.Term{Taxonomy: store.Tags, Name: begin + slug, Slug: slug}
			venue := &store.Venue{Name: begin + slug}
			venue.Slug = slug
			venue.Status = store.Publish
			venue.Date = time.Unix(int64(i), 0)
			if err := errors.Join(tx.Put(tag), tx.Put(venue)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A list of very many terms, venues or organizers is found in steps, and put in order between
// them: others write meanwhile.
func TestLongListsLetOthersWrite(t *testing.T) {
	t.Parallel()
	const n = 10_007
	s := manyNames(t, n, "")
	views := 0
	view := func(f func(*store.View) error) error {
		views++
		err := s.View(f)
		return errors.Join(err, s.Update(1, func(tx *store.Tx) error {
			name := fmt.Sprint("later ", views, tx.Seq())
			return tx.Put(&store.Term{Taxonomy: store.Tags, Name: name, Slug: name})
		}))
	}
	for name, find := range map[string]func() (found []string, total int){
		"tags": func() (found []string, total int) {
			f := filters.Terms{Taxonomy: store.Tags, Search: "00"}
			terms, total, _ := f.Find(view, 0, n)
			for _, term := range terms {
				found = append(found, term.Name)
			}
			return found, total
		},
		"venues": func() (found []string, total int) {
			f := filters.Posts{
				Kind:     store.Venues,
				Statuses: []store.Status{store.Publish},
				OrderBy:  "title",
				Search:   filters.ParseWords("00"),
			}
			venues, total, _ := f.Find(view, 0, n)
			for _, venue := range venues {
				found = append(found, venue.(*store.Venue).Name)
			}
			return found, total
		},
	} {
		views = 0
		found, total := find()
		var want []string
		for i := range n {
			if number := fmt.Sprintf("%06d", i); strings.Contains(number, "00") {
				want = append(want, number)
			}
		}
		if !slices.Equal(found, want) || total != len(want) {
			t.Errorf("%s: %d found, total %d, want %d", name, len(found), total, len(want))
		}
		if views < 3 {
			t.Errorf("%s: %d looks at %d records", name, views, n)
		}
	}
}

// A search that finds very many names is refused, before all are looked at.
func TestWideNames(t *testing.T) {
	t.Parallel()
	const words = "able abroad above after again alone"
	s := manyNames(t, 17_500, words+" ") // 17,500 for each word, each kind
	for search, want := range map[string]error{
		"able":                nil,
		"able alone 000777":   nil,
		words:                 filters.ErrNames,
		`"after again" -able`: nil,
		"000777 -nothing":     nil,
		"-" + strings.ReplaceAll(words, " ", " -") + " x": filters.ErrNames,
	} {
		f := filters.AllEvents()
		f.Search = filters.ParseSearch(search)
		f.Names = true
		var found *filters.Found
		if err := s.View(func(v *store.View) error { found = f.Find(v, 0, 10); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := found.Finish(t.Context(), 1<<20); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", search, err, want)
		}
	}
}

// No slice grows while writers wait: what a step allocates does not depend on what was found before
// it.
func TestStepsAllocateLittle(t *testing.T) {
	s := manyNames(t, 40_000, "")
	for name, find := range map[string]func(filters.Viewing) (total int){
		"by name": func(view filters.Viewing) (total int) {
			_, total, _ = (&filters.Terms{Taxonomy: store.Tags}).Find(view, 0, 10)
			return total
		},
		"by count": func(view filters.Viewing) (total int) {
			_, total, _ = (&filters.Terms{Taxonomy: store.Tags, OrderBy: "count"}).Find(view, 0, 10)
			return total
		},
		"venues": func(view filters.Viewing) (total int) {
			f := filters.Posts{Kind: store.Venues, OrderBy: "title"}
			_, total, _ = f.Find(view, 0, 10)
			return total
		},
	} {
		views := 0
		total := find(func(f func(*store.View) error) error {
			return s.View(func(v *store.View) error {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := f(v)
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; views > 0 && took > 64<<10 {
					t.Errorf("%s: step %d allocates %d bytes", name, views, took)
				}
				views++
				return err
			})
		})
		if total != 40_000 || views < 9 {
			t.Errorf("%s: %d found in %d steps", name, total, views)
		}
	}
}

// Names count that the viewer does not see, and categories below those that are named: all are
// looked at.
func TestWideNamesCount(t *testing.T) {
	t.Parallel()
	const words = "able abroad above after again alone along"
	const most = 35_000
	for name, put := range map[string]func(*store.Tx) error{
		"drafts": func(tx *store.Tx) error {
			for i := range most {
				draft := &store.Venue{Name: fmt.Sprint(words, i)}
				draft.Status = store.Draft
				draft.Author = 2
				if err := tx.Put(draft); err != nil {
					return err
				}
			}
			return nil
		},
		"categories below": func(tx *store.Tx) error {
			top := &store.Term{Taxonomy: store.Categories, Name: words, Slug: "top"}
			if err := tx.Put(top); err != nil {
				return err
			}
			for i := range most {
				number := fmt.Sprint(i)
				below := &store.Term{
					Taxonomy: store.Categories,
					Name:     number,
					Slug:     number,
					Parent:   top.ID,
				}
				if err := tx.Put(below); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		s, err := store.Open(store.Options{})
		if err == nil {
			t.Cleanup(func() { s.Close() })
			err = s.Update(1, put)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		for search, want := range map[string]error{
			"able abroad above": nil,
			words:               filters.ErrNames,
		} {
			f := filters.AllEvents()
			f.Search = filters.ParseSearch(search)
			f.Names = true
			var found *filters.Found
			_ = s.View(func(v *store.View) error { found = f.Find(v, 0, 10); return nil })
			if err := found.Finish(t.Context(), 1<<20); !errors.Is(err, want) {
				t.Errorf("%s: %s: %v, want %v", name, search, err, want)
			}
		}
	}
}
