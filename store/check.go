// Checking a store against itself.

package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Check compares every index with the records, and every link with what it
// leads to. It returns all that is wrong, joined; nil says that the store is
// sound. It holds up writers while it runs.
func (s *Store) Check() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fresh := newIndex()
	for _, list := range s.index.all() {
		for _, r := range list {
			fresh.put(r)
		}
	}
	var wrong []error
	differ := func(what string, got, want any) {
		wrong = append(wrong, fmt.Errorf("store: check: %s: indexed %v, of the records %v", what, got, want))
	}
	for k := range kinds {
		compareMaps(k.String()+" slugs", s.index.slugs[k], fresh.slugs[k], differ)
		compareMaps(k.String()+" origins", s.index.origins[k], fresh.origins[k], differ)
		compareMaps(k.String()+" counts", s.index.counts[k], fresh.counts[k], differ)
		compareLists(k.String()+" newest first", s.index.posts[k], fresh.posts[k], differ)
		if !maps.EqualFunc(s.index.names[k], fresh.names[k], slices.Equal) {
			differ(k.String()+" names", s.index.names[k], fresh.names[k])
		}
		for id, list := range fresh.linked[k] {
			compareLists(fmt.Sprintf("events of %s %d", k, id), s.index.linked[k][id], list, differ)
		}
		if len(s.index.linked[k]) != len(fresh.linked[k]) {
			differ("linked "+k.String(), len(s.index.linked[k]), len(fresh.linked[k]))
		}
	}
	compareMaps("image addresses", s.index.images, fresh.images, differ)
	compareLists("listed events", s.index.listed, fresh.listed, differ)
	compareLists("unlisted events", s.index.unlisted, fresh.unlisted, differ)
	return errors.Join(append(wrong, s.checkRecordsLocked()...)...)
}

func compareMaps[K, V comparable](what string, got, want map[K]V, differ func(string, any, any)) {
	if !maps.Equal(got, want) {
		differ(what, got, want)
	}
}

func compareLists[T comparable](what string, got, want *List[T], differ func(string, any, any)) {
	if got.Len() != want.Len() || !slices.Equal(slices.Collect(got.All()), slices.Collect(want.All())) {
		differ(what, got.Len(), want.Len())
		return
	}
	for i := range got.Len() {
		if got.At(i) != want.At(i) {
			differ(fmt.Sprintf("%s, position %d", what, i), got.At(i), want.At(i))
			return
		}
	}
}

// checkRecordsLocked follows every link, and looks for ids, slugs and sequence
// numbers that cannot be.
func (s *Store) checkRecordsLocked() []error {
	var wrong []error
	report := func(r Record, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("store: check: %s %d: %s", r.Kind(), r.Key(), fmt.Sprintf(format, args...)))
	}
	reader := &Reader{base: s.index}
	for k := range kinds {
		slugs := map[string]int64{}
		for id, r := range s.index.records[k] {
			if r.Key() != id || r.Kind() != k {
				report(r, "stored as %s %d", k, id)
			}
			next := s.position.NextPost
			if k.isTerm() {
				next = s.position.NextTerm
			}
			if id >= next || id < 1 {
				report(r, "the next id is %d", next)
			}
			if slug := slugOf(r); slug != "" {
				if other, ok := slugs[slug]; ok {
					report(r, "has the slug %q of %d", slug, other)
				}
				slugs[slug] = id
			}
			if err := reader.checkLinks(r); err != nil {
				report(r, "%v", err)
			}
			if e, ok := r.(*Event); ok && e.End < e.Start {
				report(r, "ends at %v, before it starts at %v", e.End, e.Start)
			}
		}
	}
	return wrong
}
