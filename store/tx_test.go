// The promises of Put, Remove and Try, each on its own.

package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/store/record"
)

// memory opens a store in memory, and checks it when the test ends.
func memory(t testing.TB) *Store {
	t.Helper()
	s, err := Open(Options{})
	must(t, err)
	closeAfter(t, s)
	return s
}

func closeAfter(t testing.TB, s *Store) {
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), s.Check()); err != nil {
			t.Error(err)
		}
	})
}

// update runs a transaction that must not fail.
func update(t testing.TB, s *Store, f func(*Tx) error) {
	t.Helper()
	must(t, s.Update(1, f))
}

// put puts records in a transaction of their own.
func put(t testing.TB, s *Store, records ...Record) {
	t.Helper()
	update(t, s, func(tx *Tx) error {
		for _, r := range records {
			if err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
}

func category(name string, parent int64) *Term {
	return &Term{Taxonomy: Categories, Name: name, Slug: strings.ToLower(name), Parent: parent}
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	s := memory(t)
	image := &Image{URL: "https://example.org/1.png"}
	event := &Event{Post: Post{Slug: "concert"}, Title: "Concert"}
	venue := &Venue{Post: Post{Slug: "hall", Origins: []string{"example.org?id=1"}}, Name: "Hall"}
	top := category("Top", 0)
	put(t, s, image, event, venue, top)
	below := category("Below", top.ID)
	put(t, s, below)
	deepest := category("Deepest", below.ID)
	put(t, s, deepest)
	far := time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC)

	for _, tt := range []struct {
		name   string
		record Record
		want   error  // nil: any
		says   string // part of the message
	}{
		{"slug of another", &Event{Post: Post{Slug: "concert"}}, ErrSlugTaken, `"concert" of 2`},
		{"slug of another term", &Term{
			Taxonomy: Categories,
			Slug:     "top",
		}, ErrSlugTaken, `"top" of 1`},
		{"origin of another", &Venue{
			Post: Post{
				Origins: []string{"new", "example.org?id=1"},
			},
		}, nil, `"example.org?id=1" is that of 3`},
		{"address of another", &Image{URL: image.URL}, nil, "1.png"},
		{"unknown category", &Event{Categories: []int64{top.ID, 99}}, ErrLink, "categories 99"},
		{"unknown tag", &Event{Tags: []int64{top.ID}}, ErrLink, "tags 1"},
		{"unknown venue", &Event{Venues: []int64{event.ID}}, ErrLink, "venues 2"},
		{"unknown organizer", &Event{Organizers: []int64{99}}, ErrLink, "organizers 99"},
		{"unknown parent", &Event{Parent: venue.ID}, ErrLink, "events 3"},
		{"unknown image", &Venue{Post: Post{Image: 99}}, ErrLink, "images 99"},
		{"unknown parent term", category("x", 99), ErrLink, "categories 99"},
		{"below itself", &Term{
			Meta: Meta{
				ID: top.ID,
			},
			Taxonomy: Categories,
			Slug:     "top",
			Parent:   top.ID,
		}, nil, "below itself"},
		{"below what is below it", &Term{
			Meta: Meta{
				ID: top.ID,
			},
			Taxonomy: Categories,
			Slug:     "top",
			Parent:   deepest.ID,
		}, nil, "below itself"},
		{"negative id", &Event{Post: Post{Meta: Meta{ID: -1}}}, nil, "-1"},
		{"id too large for JSON", &Event{
			Post: Post{
				Meta: Meta{
					ID: 1 << 53,
				},
			},
		}, nil, "9007199254740992"},
		{"id of another kind", &Organizer{
			Post: Post{
				Meta: Meta{
					ID: venue.ID,
				},
			},
		}, nil, "one of venues"},
		{"id of another taxonomy", &Term{
			Meta: Meta{
				ID: top.ID,
			},
			Taxonomy: Tags,
		}, nil, "one of categories"},
		{"no taxonomy", &Term{Name: "x"}, nil, "not of events"},
		{"ends before it starts", &Event{Start: 2, End: 1}, nil, "before it starts"},
		{"wall that has no form", &Event{
			End: WallOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
		}, nil, "years 0 to 9999"},
		{"start that has no form", &Event{
			Start: WallOf(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)) - 1,
		}, nil, "years 0 to 9999"},
		{"date that has no form", &Organizer{Post: Post{Date: far}}, nil, "years 0 to 9999"},
		{"change that has no form", &Event{Post: Post{Modified: far}}, nil, "years 0 to 9999"},
		{"no number", &Venue{Geo: &Geo{Lat: math.NaN()}}, nil, "not on the globe"},
		{"off the globe", &Venue{Geo: &Geo{Lng: 180.5}}, nil, "not on the globe"},
		{"stored already", event, nil, "put a copy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := tt.record.Key()
			rev := record.MetaOf(tt.record).Rev
			err := s.Update(1, func(tx *Tx) error {
				err := tx.Put(tt.record)
				if len(tx.written)+len(tx.undo) > 0 {
					t.Error("something is staged")
				}
				return err
			})
			switch {
			case err == nil:
				t.Fatal("it was put")
			case tt.want != nil && !errors.Is(err, tt.want),
				!strings.Contains(err.Error(), tt.says):
				t.Errorf("error %q, want %v that says %q", err, tt.want, tt.says)
			case tt.record.Key() != id || record.MetaOf(tt.record).Rev != rev:
				t.Errorf(
					"it has the id %d and revision %d now",
					tt.record.Key(),
					record.MetaOf(tt.record).Rev,
				)
			}
		})
	}
}

// A record that is changed after it was put would be lost in the indexes.
func TestPutTwiceInOneTransaction(t *testing.T) {
	t.Parallel()
	s := memory(t)
	update(t, s, func(tx *Tx) error {
		v := &Venue{Name: "Before"}
		if err := tx.Put(v); err != nil {
			return err
		}
		if err := tx.Put(v); err == nil {
			t.Error("the same record was put again")
		}
		next := *v
		next.Name = "After"
		if err := tx.Put(&next); err != nil {
			return err
		}
		if slices.Collect(tx.ByName(Venues, "before")) != nil ||
			len(slices.Collect(tx.ByName(Venues, "after"))) != 1 {
			t.Error("found by its name of before, or not by that of now")
		}
		if c := tx.finish(); len(c.Venues) != 1 || c.Venues[0] != &next {
			t.Errorf("%d venues for the log, want the last one alone", len(c.Venues))
		}
		return nil
	})
	if n := len(s.index.records[Venues]); n != 1 {
		t.Errorf("%d venues", n)
	}
}

// A caller may try a transaction again with the records of the first attempt:
// they are new ones again, and take nobody's place.
func TestRecordsOfFailedTransactionsAreNewAgain(t *testing.T) {
	t.Parallel()
	s := memory(t)
	first := &Event{Title: "First"}
	wanted := errors.New("no")
	err := s.Update(1, func(tx *Tx) error {
		if err := tx.Put(first); err != nil {
			t.Error(err)
		}
		return wanted
	})
	if err != wanted {
		t.Fatalf("error %v, want the function's own", err)
	}
	equal(t, "after the failure", Meta{}, first.Meta)
	second := &Event{Title: "Second"}
	put(t, s, second)
	update(t, s, func(tx *Tx) error {
		return tx.Try(func() error {
			tx.Try(func() error { tx.Put(first); return wanted })
			return tx.Put(first)
		})
	})
	if first.ID == second.ID || s.index.records[Events][second.ID] != Record(second) {
		t.Errorf("events %d and %d share a place", first.ID, second.ID)
	}
}

func TestSeedsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Post: Post{Meta: Meta{ID: 100}}}, &Term{Meta: Meta{ID: 7}, Taxonomy: Tags})
	next := &Venue{}
	term := category("x", 0)
	low := &Event{Post: Post{Meta: Meta{ID: 5}}}
	put(t, s, next, term, low)
	if next.ID != 101 || term.ID != 8 || low.ID != 5 {
		t.Errorf("ids %d, %d and %d, want 101, 8 and 5", next.ID, term.ID, low.ID)
	}
}

func TestIDsEnd(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Post: Post{Meta: Meta{ID: record.MaxID}}})
	if err := s.Update(1, func(tx *Tx) error { return tx.Put(new(Event)) }); err == nil ||
		!strings.Contains(err.Error(), "no more ids") {
		t.Errorf("error %v", err)
	}
}

func TestRemoveRefuses(t *testing.T) {
	t.Parallel()
	s := memory(t)
	image := &Image{URL: "a"}
	top := category("Top", 0)
	put(t, s, image, top, category("Below", 1), &Event{
		Categories: []int64{2},
	}, &Organizer{
		Post: Post{
			Image: 1,
		},
	})
	for name, key := range map[string]Removal{
		"has a term below it": {
			Kind: Categories,
			ID:   top.ID,
		},
		"carried by an event": {
			Kind: Categories,
			ID:   2,
		},
		"shown": {Kind: Images, ID: image.ID},
	} {
		if err := s.Update(1, func(tx *Tx) error { return tx.Remove(key.Kind, key.ID) }); err == nil {
			t.Errorf("%s: removed", name)
		}
	}
	err := s.Update(1, func(tx *Tx) error { return tx.Remove(Tags, top.ID) })
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("a category removed as a tag: %v", err)
	}
}

// The id of a record that was put and removed in one transaction stays given: only
// the removal is in the log to tell a restart of it.
func TestIDOfARemovedRecord(t *testing.T) {
	t.Parallel()
	o := Options{Dir: t.TempDir(), Snapshot: -1}
	s, err := Open(o)
	must(t, err)
	put(t, s, &Term{Taxonomy: Tags, Name: "Rock", Slug: "rock"})
	update(t, s, func(tx *Tx) error {
		jazz := category("Jazz", 0)
		if err := tx.Put(jazz); err != nil {
			return err
		}
		return tx.Remove(Categories, jazz.ID)
	})
	must(t, s.Close(), s.Check())
	s, err = Open(o)
	must(t, err)
	closeAfter(t, s)
	folk := category("Folk", 0)
	put(t, s, folk)
	if folk.ID != 3 {
		t.Errorf("the term after two others has the id %d", folk.ID)
	}
}

// A count forgets an event that is removed in the same transaction.
func TestCountOfRemovedEvent(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, category("Music", 0), &Event{Post: Post{Status: Publish}, Categories: []int64{1, 1}})
	update(t, s, func(tx *Tx) error {
		if n := tx.Count(Categories, 1); n != 1 {
			t.Errorf("count %d of an event that names the category twice", n)
		}
		if err := tx.Remove(Events, 1); err != nil {
			return err
		}
		if n := tx.Count(Categories, 1); n != 0 {
			t.Errorf("count %d after the removal", n)
		}
		return tx.Remove(Categories, 1)
	})
}

// Two records swap what only one may have, in one transaction: the indexes are
// made from the last state of each, where the two are in each other's way.
func TestSwap(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s,
		&Venue{
			Post: Post{
				Slug:    "a",
				Origins: []string{"x"},
			},
		}, &Venue{
			Post: Post{
				Slug:    "b",
				Origins: []string{"y"},
			},
		},
		&Image{URL: "1"}, &Image{URL: "2"})
	update(t, s, func(tx *Tx) error {
		venue := func(id int64, slug, origin string) error {
			return tx.Put(&Venue{
				Post: Post{
					Meta: Meta{
						ID: id,
					},
					Slug:    slug,
					Origins: []string{origin},
				},
			})
		}
		image := func(id int64, url string) error {
			return tx.Put(&Image{
				Meta: Meta{
					ID: id,
				},
				URL: url,
			})
		}
		return errors.Join(
			venue(1, "aside", "aside"), venue(2, "a", "x"), venue(1, "b", "y"),
			image(3, "aside"), image(4, "1"), image(3, "2"))
	})
	must(t, s.Check(), s.View(func(v *View) error {
		got := []int64{
			v.BySlug(Venues, "a").Key(),
			v.BySlug(Venues, "b").Key(),
			v.ByOrigin(Venues, "x").Key(),
			v.ByOrigin(Venues, "y").Key(),
			v.ByURL("1").ID,
			v.ByURL("2").ID,
		}
		equal(t, "content", []int64{2, 1, 2, 1, 4, 3}, got)
		return nil
	}))
}

// A record that a failed Try puts in the place of a removed one goes away again.
func TestTryAfterRemove(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, category("Music", 0))
	update(t, s, func(tx *Tx) error {
		must(t, tx.Remove(Categories, 1))
		tx.Try(func() error {
			again := category("Again", 0)
			again.ID = 1
			must(t, tx.Put(again))
			return errWanted
		})
		if tx.Term(Categories, 1) != nil || tx.BySlug(Categories, "music") != nil {
			t.Error("what was removed is back")
		}
		return nil
	})
	if n := len(s.index.records[Categories]); n != 0 {
		t.Errorf("%d categories", n)
	}
}

func TestNow(t *testing.T) {
	t.Parallel()
	local := time.Date(2031, 5, 10, 10, 0, 0, 0, time.FixedZone("", 7200))
	s, err := Open(Options{Now: func() time.Time { return local }})
	must(t, err)
	closeAfter(t, s)
	want := local.UTC()
	update(t, s, func(tx *Tx) error {
		if tx.Now() != want {
			t.Errorf("a transaction at %v, want %v", tx.Now(), want)
		}
		return nil
	})
	must(t, s.View(func(v *View) error {
		if v.Now() != want {
			t.Errorf("a view at %v, want %v", v.Now(), want)
		}
		return nil
	}))
}

// Records of a name come in the order of their ids, staged ones too, from behind an id.
func TestByNameAfter(t *testing.T) {
	t.Parallel()
	s := memory(t)
	must(t, s.Update(1, func(tx *Tx) error {
		return errors.Join(tx.Put(&Venue{
			Name: "V",
		}), tx.Put(&Venue{
			Name: "V",
		}), tx.Put(&Venue{
			Name: "V",
		}))
	}))
	must(t, s.Update(1, func(tx *Tx) error {
		again := *tx.Venue(2)
		again.City = "C"
		var ids []int64
		err := errors.Join(tx.Put(&again), tx.Put(&Venue{Name: "v "}), tx.Put(&Venue{Name: "W"}))
		for v := range tx.ByNameAfter(Venues, "V", 1) {
			ids = append(ids, v.Key())
		}
		if diff := gocmp.Diff([]int64{2, 3, 4}, ids); diff != "" {
			t.Errorf("(-want, +got):\n%s", diff)
		}
		return err
	}))
}

// A transaction counts its new records of a kind, as they are by now: no changed ones, and none
// that it removed again.
func TestMade(t *testing.T) {
	t.Parallel()
	s := memory(t)
	old := category("Old", 0)
	gone := category("Gone", 0)
	put(t, s, old, gone)
	update(t, s, func(tx *Tx) error {
		next := *old
		next.Name = "Older"
		kept := category("Kept", 0)
		again := category("Again", 0)
		tag := &Term{Taxonomy: Tags, Name: "Tag", Slug: "tag"}
		err := errors.Join(
			tx.Put(&next),
			tx.Remove(Categories, gone.ID),
			tx.Put(kept),
			tx.Put(again),
			tx.Put(tag),
		)
		renamed := *kept
		renamed.Name = "Still kept"
		err = errors.Join(err, tx.Put(&renamed), tx.Remove(Categories, again.ID))
		got := map[Kind]int{}
		for _, k := range []Kind{Categories, Tags, Venues} {
			got[k] = tx.Made(k)
		}
		if diff := gocmp.Diff(map[Kind]int{Categories: 1, Tags: 1, Venues: 0}, got); diff != "" {
			t.Errorf("new records (-want +got):\n%s", diff)
		}
		return err
	})
}
