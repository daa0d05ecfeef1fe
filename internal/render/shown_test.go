package render_test

import (
	"testing"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// TestShown compares what other documents are made of with the model of the JSON.
func TestShown(t *testing.T) {
	for seed := range uint64(200) {
		w := newWorld(seed)
		show, e := w.renderer(false), w.event()
		plain := model{show}
		if diff := cmp.Diff(plain.globalID(e.ID), show.GlobalID(e.ID)); diff != "" {
			t.Errorf("global id (-model +got):\n%s", diff)
		}
		lineage := plain.lineage(&e.Post)
		if diff := cmp.Diff(lineage[len(lineage)-1], show.UID(&e.Post)); diff != "" {
			t.Errorf("UID (-model +got):\n%s", diff)
		}
		want := &store.Event{}
		if open := show.Unlocked(e); open {
			for _, id := range e.Venues {
				if v := w.Venue(id); v != nil && show.Readable(&v.Post) {
					want.Venues = append(want.Venues, id)
				}
			}
			for _, id := range e.Organizers {
				if o := w.Organizer(id); o != nil && show.Readable(&o.Post) {
					want.Organizers = append(want.Organizers, id)
				}
			}
		}
		inside, open := show.Inside(e)
		if open != show.Unlocked(e) || !open && (inside.Title != "" || inside.Description != "") {
			t.Errorf("%+v is open: %v", inside, open)
		}
		got := &store.Event{}
		for _, v := range show.AppendVenues(nil, inside) {
			got.Venues = append(got.Venues, v.ID)
		}
		for _, o := range show.AppendOrganizers(nil, inside) {
			got.Organizers = append(got.Organizers, o.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("linked records (-want +got):\n%s", diff)
		}
	}
}
