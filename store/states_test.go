// Which callers see a change.

package store_test

import (
	"crypto/sha256"
	"testing"

	"almanac/store"
)

// seen says whose state has changed.
type seen struct{ Everybody, One, Two, Editors bool }

// A change affects the state of each caller that may see its record before or after it, and no
// other state.
func TestStates(t *testing.T) {
	t.Parallel()
	post := func(author int64, status store.Status) store.Post {
		return store.Post{
			Author: author,
			Status: status,
		}
	}
	s, err := store.Open(store.Options{})
	must(t, err)
	defer s.Close()
	state := func() (all [4][sha256.Size]byte) {
		_ = s.View(func(v *store.View) error {
			all = [4][sha256.Size]byte{v.HeadFor(0), v.HeadFor(1), v.HeadFor(2), v.Head()}
			return nil
		})
		return all
	}
	var draft, event, venue, organizer, image, term int64
	put := func(id *int64, r store.Record) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			err := tx.Put(r)
			*id = r.Key()
			return err
		}
	}
	change := func(f func(tx *store.Tx) store.Record) func(*store.Tx) error {
		return func(tx *store.Tx) error { return tx.Put(f(tx)) }
	}
	edit := func(id *int64, f func(*store.Event)) func(*store.Tx) error {
		return change(
			func(tx *store.Tx) store.Record { next := *tx.Event(*id); f(&next); return &next },
		)
	}
	everybody := seen{true, true, true, true}
	one := seen{One: true, Editors: true}
	two := seen{Two: true, Editors: true}
	nobody := seen{Editors: true}
	for _, tt := range []struct {
		name string
		do   func(*store.Tx) error
		want seen
	}{
		{"a draft", put(&draft, &store.Event{Post: post(1, store.Draft), Title: "Draft"}), one},
		{"what is published", put(&event, &store.Event{
			Post:  post(1, store.Publish),
			Title: "Event",
		}), everybody},
		{"a change of the draft", edit(&draft, func(e *store.Event) { e.Title = "Changed" }), one},
		{"a private venue", put(&venue, &store.Venue{
			Post: post(2, store.Private),
			Name: "Hall",
		}), two},
		{"it becomes that of another",
			change(func(tx *store.Tx) store.Record { next := *tx.Venue(venue); next.Author = 1; return &next }),
			seen{One: true, Two: true, Editors: true}},
		{"it becomes nobody's", change(func(tx *store.Tx) store.Record { next := *tx.Venue(venue); next.Author = 9; return &next }), one},
		{"somebody else's", put(&organizer, &store.Organizer{
			Post: post(3, store.Pending),
			Name: "Ann",
		}), nobody},
		{"a new image", put(&image, &store.Image{
			URL: "https://example.org/a.png",
		}), seen{
			Editors: true,
		}},
		{"its sizes", change(func(tx *store.Tx) store.Record { next := *tx.Image(image); next.Width = 5; return &next }), everybody},
		{"a term", put(&term, &store.Term{
			Taxonomy: store.Tags,
			Name:     "tag",
			Slug:     "tag",
		}), everybody},
		{"a term goes", func(tx *store.Tx) error { return tx.Remove(store.Tags, term) }, everybody},
		{"the draft is published", edit(&draft, func(e *store.Event) { e.Status = store.Publish }), everybody},
		{"it is trashed", edit(&draft, func(e *store.Event) { e.Status = store.Trash }), everybody},
		{"it is changed in the trash", edit(&draft, func(e *store.Event) { e.Title = "Gone" }), one},
		{"a password", edit(&event, func(e *store.Event) { e.Password = "x" }), everybody},
		{"inside of it", edit(&event, func(e *store.Event) { e.Description = "y" }), everybody},
		{"nothing", func(*store.Tx) error { return nil }, seen{}},
	} {
		before := state()
		if err := s.Update(1, tt.do); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		after := state()
		got := seen{
			before[0] != after[0],
			before[1] != after[1],
			before[2] != after[2],
			before[3] != after[3],
		}
		equal(t, tt.name, tt.want, got)
	}
	must(t, s.Check())
}

// A published record without a password shows its image to everybody, other records to their
// author.
func TestPictured(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	must(t, err)
	defer s.Close()
	put := func(r store.Record) {
		t.Helper()
		must(t, s.Update(1, func(tx *store.Tx) error { return tx.Put(r) }))
	}
	who := func(when string, want ...int64) {
		t.Helper()
		var got []int64
		_ = s.View(func(v *store.View) error {
			for account := range int64(4) {
				if v.Pictured(1, account) {
					got = append(got, account)
				}
			}
			return nil
		})
		equal(t, when, want, got)
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	put(&store.Image{URL: "https://example.org/a.png"})
	who("in nothing")
	e := store.Event{Post: store.Post{Author: 2, Status: store.Draft, Image: 1}, Title: "A"}
	put(&e)
	who("in a draft", 2)
	put(&store.Venue{Post: store.Post{Author: 3, Status: store.Private, Image: 1}, Name: "B"})
	who("in a private venue too", 2, 3)
	next := e
	next.Status = store.Publish
	next.Password = "x"
	put(&next)
	who("in an event with a password", 2, 3)
	open := next
	open.Password = ""
	put(&open)
	who("in an event without", 0, 1, 2, 3)
	gone := open
	gone.Image = 0
	put(&gone)
	who("in the venue alone", 3)
}
