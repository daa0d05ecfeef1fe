package apitest

import (
	"errors"
	"testing"
	"time"

	"almanac/store"
)

// Store returns an empty store in memory. It is checked and closed when the test ends. now is its
// clock; nil is the store's default.
func Store(t testing.TB, now func() time.Time) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Check(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Records returns the records of a kind by slug, images by address.
func Records[R store.Record](t testing.TB, s *store.Store, k store.Kind) map[string]R {
	t.Helper()
	found := map[string]R{}
	err := s.View(func(v *store.View) error {
		for r := range v.Each(k) {
			var name string
			switch r := r.(type) {
			case *store.Term:
				name = r.Slug
			case *store.Image:
				name = r.URL
			default:
				name = store.PostOf(r).Slug
			}
			found[name] = r.(R)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
