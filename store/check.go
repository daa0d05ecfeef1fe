// Checking a store against itself.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"almanac/store/eventindex"
)

// maxFindings is how many findings Check spells out; a store with more needs
// no list of them.
const maxFindings = 100

// Check compares every index with the records, and every record with the rules
// that Put holds it to. It returns what is wrong, joined; nil says that the
// store is sound. It holds up writers while it runs.
func (s *Store) Check() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var c checker
	c.index(s.index)
	c.records(&Reader{base: s.index}, s.state.Load().at)
	if c.more > 0 {
		c.found = append(c.found, fmt.Errorf("store: check: and %d more", c.more))
	}
	return errors.Join(c.found...)
}

// A checker collects what is wrong.
type checker struct {
	found []error
	more  int // beyond maxFindings
}

func (c *checker) report(format string, args ...any) {
	if len(c.found) == maxFindings {
		c.more++
		return
	}
	c.found = append(c.found, fmt.Errorf("store: check: "+format, args...))
}

// index makes the index again from its records and compares the two.
func (c *checker) index(x *index) {
	fresh := newIndex()
	for k := range kinds {
		for _, r := range x.records[k].All() {
			fresh.put(r)
		}
	}
	fresh.makePartitions()
	for k := range kinds {
		compareLookups(c, "slug of "+k.String(), &x.slugs[k], &fresh.slugs[k], same)
		compareLookups(c, "former slug of "+k.String(), &x.former[k], &fresh.former[k], slices.Equal)
		compareLookups(c, "origin of "+k.String(), &x.origins[k], &fresh.origins[k], same)
		compareLookups(c, "name of "+k.String(), &x.names[k], &fresh.names[k], slices.Equal)
		compareLookups(c, "count of "+k.String(), &x.counts[k], &fresh.counts[k], same)
		compareLists(c, k.String()+", newest first", &x.posts[k][0], &fresh.posts[k][0])
		compareLists(c, "unpublished "+k.String()+", newest first", &x.posts[k][1], &fresh.posts[k][1])
		for _, author := range keysOf(x.own[k].Keys(), fresh.own[k].Keys()) {
			compareLists(c, fmt.Sprintf("unpublished %s of %d, newest first", k, author), x.ownList(k, author), fresh.ownList(k, author))
		}
	}
	compareLookups(c, "address of images", &x.images, &fresh.images, same)
	compareLookups(c, "readers of image", &x.pictured, &fresh.pictured, slices.Equal)
	compareLists(c, "scheduled posts", &x.scheduled, &fresh.scheduled)
	compareLookups(c, "instance", &x.instances, &fresh.instances, same)
	compareLists(c, "series by horizon", &x.horizons, &fresh.horizons)
	compareLists(c, "series that are not published", &x.unshown, &fresh.unshown)
	for i, name := range [partitions]string{listed: "listed", unlisted: "unlisted", hidden: "hidden"} {
		c.part(name, x.partitions[i], fresh.partitions[i])
	}
}

func same[T comparable](a, b T) bool { return a == b }

// keysOf returns the keys of some maps, in order.
func keysOf[K cmp.Ordered](maps ...iter.Seq[K]) []K {
	var keys []K
	for _, some := range maps {
		keys = slices.AppendSeq(keys, some)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A lookup finds values by key.
type lookup[K, V any] interface {
	Len() int
	Get(K) V
	Keys() iter.Seq[K]
}

func compareLookups[K cmp.Ordered, V any](c *checker, what string, got, want lookup[K, V], equal func(a, b V) bool) {
	found := len(c.found)
	for _, key := range keysOf(got.Keys(), want.Keys()) {
		if g, w := got.Get(key), want.Get(key); !equal(g, w) {
			c.report("%s %v: indexed %v, by the records %v", what, key, g, w)
		}
	}
	if got.Len() != want.Len() && len(c.found) == found {
		c.report("%s: %d indexed, %d by the records", what, got.Len(), want.Len())
	}
}

// compareLists compares two lists in both ways of reading them.
func compareLists[T interface {
	comparable
	Record
}](c *checker, what string, got, want *eventindex.List[T]) {
	if got.Len() != want.Len() {
		c.report("%s: %d indexed, %d by the records", what, got.Len(), want.Len())
		return
	}
	i := 0
	for item := range got.All() {
		if w := want.At(i); item != w || got.At(i) != w {
			c.report("%s: position %d: %d indexed, %d by the records", what, i, item.Key(), w.Key())
			return
		}
		i++
	}
	if i != want.Len() {
		c.report("%s: %d yielded, %d counted", what, i, want.Len())
	}
}

// records holds every record to the rules of Put, and looks for ids and
// sequence numbers that are still to come.
func (c *checker) records(reader *Reader, at position) {
	for k := range kinds {
		next := *at.next(k)
		for _, id := range keysOf(reader.base.records[k].Keys()) {
			r := reader.base.records[k].Get(id)
			if r.Key() != id || r.Kind() != k {
				c.report("%s %d is stored as %s %d", r.Kind(), r.Key(), k, id)
			}
			if id < 1 || id >= next {
				c.report("%s %d: the next id is %d", k, id, next)
			}
			if rev := r.revision(); rev > at.Seq {
				c.report("%s %d is of transaction %d, the last one is %d", k, id, rev, at.Seq)
			}
			for _, check := range []func(Record) error{checkForm, reader.checkUnique, reader.checkLinks} {
				if err := check(r); err != nil {
					c.report("%s %d: %w", k, id, err)
				}
			}
		}
	}
}
