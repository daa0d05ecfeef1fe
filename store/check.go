// Checking a store against itself, and numbers about it for its operator.

package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"almanac/store/media"
	"almanac/store/record"
	"almanac/store/search"
	"almanac/store/wal"
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
	reader := &Reader{base: s.index}
	c.records(reader, s.state.Load().at)
	if !slices.Equal(*s.Accounts(), reader.Accounts()) {
		c.report("the accounts at once are others than the records")
	}
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
		for _, r := range x.records[k] {
			fresh.put(r)
		}
	}
	for k := range kinds {
		name := k.String()
		compareMaps(c, "slug of "+name, x.slugs[k], fresh.slugs[k], same)
		compareMaps(c, "former slug of "+name, x.former[k], fresh.former[k], slices.Equal)
		compareMaps(c, "origin of "+name, x.origins[k], fresh.origins[k], same)
		compareMaps(c, "name of "+name, x.names[k], fresh.names[k], slices.Equal)
		compareMaps(c, "count of "+name, x.counts[k], fresh.counts[k], same)
		compareMaps(c, "unpublished "+name+" of", x.own[k], fresh.own[k], slices.Equal)
		compareLists(c, name+", newest first", x.posts[k][0], fresh.posts[k][0])
		compareLists(c, "unpublished "+name+", newest first", x.posts[k][1], fresh.posts[k][1])
	}
	compareMaps(c, "events of zone", x.zones, fresh.zones, same)
	if x.sticky != fresh.sticky {
		c.report("sticky events: indexed %d, by the records %d", x.sticky, fresh.sticky)
	}
	compareMaps(c, "terms below", x.children, fresh.children, slices.Equal)
	compareMaps(c, "address of images", x.images, fresh.images, same)
	compareLists(c, "uploads, newest first", x.uploads, fresh.uploads)
	compareMaps(c, "readers of image", x.pictured, fresh.pictured, maps.Equal)
	compareMaps(c, "instance", x.instances, fresh.instances, same)
	compareLists(c, "scheduled posts", x.scheduled, fresh.scheduled)
	compareLists(c, "series by horizon", x.horizons, fresh.horizons)
	compareLists(c, "series that are not published", x.unshown, fresh.unshown)
	for _, k := range namedKinds {
		err := x.named[k].Check(func(yield func(*search.Entry[Record]) bool) {
			for _, r := range x.records[k] {
				if !yield(namedEntry(r)) {
					return
				}
			}
		})
		if err != nil {
			c.report("names of %s: %w", k, err)
		}
	}
	for i, list := range x.lists {
		err := list.Check(func(yield func(*search.Entry[*Event]) bool) {
			for _, r := range x.records[Events] {
				if e := r.(*Event); listNumber(e) == i && !yield(x.entry(e)) {
					return
				}
			}
		})
		if err != nil {
			c.report("%s events: %w", [lists]string{
				listed:   "listed",
				unlisted: "unlisted",
				hidden:   "hidden",
			}[i], err)
		}
	}
}

func same[T comparable](a, b T) bool { return a == b }

func compareMaps[K comparable, V any](
	c *checker,
	name string,
	got, want map[K]V,
	equal func(a, b V) bool,
) {
	all := maps.Clone(got)
	maps.Copy(all, want)
	for key := range all {
		g, isThere := got[key]
		if w, should := want[key]; isThere != should || !equal(g, w) {
			c.report("%s %v: indexed %v, by the records %v", name, key, g, w)
		}
	}
}

func compareLists(c *checker, name string, got, want []Record) {
	if !slices.Equal(got, want) {
		c.report(
			"%s: %d are indexed, %d by the records, or in another order",
			name,
			len(got),
			len(want),
		)
	}
}

// records holds every record to the rules of Put, and looks for ids and
// sequence numbers that are still to come.
func (c *checker) records(reader *Reader, at record.Position) {
	if err := reader.checkLogo(at.SettingsOrNone()); err != nil {
		c.report("settings: %w", err)
	}
	for k := range kinds {
		next := *at.Next(k)
		for _, id := range slices.Sorted(maps.Keys(reader.base.records[k])) {
			r := reader.base.records[k][id]
			if r.Key() != id || r.Kind() != k {
				c.report("%s %d is stored as %s %d", r.Kind(), r.Key(), k, id)
			}
			if id < 1 || id >= next {
				c.report("%s %d: the next id is %d", k, id, next)
			}
			if rev := record.MetaOf(r).Rev; rev > at.Seq {
				c.report("%s %d is of transaction %d, the last one is %d", k, id, rev, at.Seq)
			}
			for _, check := range []func(Record) error{record.CheckForm, reader.checkUnique, reader.checkLinks} {
				if err := check(r); err != nil {
					c.report("%s %d: %w", k, id, err)
				}
			}
		}
	}
}

// Stats are such numbers.
type Stats struct {
	Transactions uint64       // that were made, ever
	Records      map[Kind]int // by kind
	Unsaved      int64        // bytes of log since the last snapshot, which a start reads
	Snapshot     time.Time    // time of the last snapshot; zero without one
}

// Stats returns them as they are now.
func (s *Store) Stats() Stats {
	st := Stats{Records: map[Kind]int{}}
	_ = s.View(func(v *View) error {
		for k := range kinds {
			st.Records[k] = v.Len(k)
		}
		return nil
	})
	st.Transactions = s.Seq()
	if s.journal != nil {
		st.Unsaved = s.journal.sinceSnapshot()
		if at := s.journal.taken.Load(); at != nil {
			st.Snapshot = *at
		}
	}
	return st
}

// Sizes are the bytes of the files of a store.
type Sizes struct{ Log, Snapshots, Media int64 }

// Sizes returns them as they are now. In memory it is errors.ErrUnsupported.
func (s *Store) Sizes() (of Sizes, err error) {
	if s.journal == nil {
		return of, errors.ErrUnsupported
	}
	var add func(bytes *int64, name string, depth int)
	add = func(bytes *int64, name string, depth int) {
		names := []string(nil)
		failed := error(nil)
		if depth > 0 {
			names, failed = s.journal.Files.ReadDir(name)
		} else {
			var n int64
			n, failed = s.journal.Files.Size(name)
			*bytes += n
		}
		if !wal.IsAbsent(failed) { // it may have been removed meanwhile
			err = errors.Join(err, failed)
		}
		for _, one := range names {
			add(bytes, name+"/"+one, depth-1)
		}
	}
	add(&of.Log, wal.LogDir, 1)
	add(&of.Snapshots, wal.SnapshotDir, 2)
	add(&of.Media, media.Dir, 2)
	return of, err
}
