package render_test

// Tests of gathering.

import (
	"testing"

	"almanac/internal/render"
	"almanac/store"
)

// small is a world with one event that links to every other record.
func small() (*world, *store.Event) {
	w := newWorld(1)
	for _, p := range []*store.Post{&w.venues[3].Post, &w.organizers[4].Post} {
		p.Status = store.Publish
	}
	w.parents[9].Status = store.Publish
	w.allSeries[8].Event.Status = store.Publish
	w.venues[3].Image = 5
	w.organizers[4].Image = 6
	e := &store.Event{
		Post: store.Post{
			Meta: store.Meta{
				ID: 1,
			},
			Image: 7,
		},
		Venues:     []int64{3, 90},
		Organizers: []int64{4, 91},
		Categories: []int64{1, 92},
		Tags:       []int64{2},
		Parent:     9,
		Recurrence: &store.Recurrence{Series: 8},
	}
	return w, e
}

func TestCurrent(t *testing.T) {
	tests := []struct {
		name   string
		change func(*world)
		want   bool
	}{
		{"nothing", func(*world) {}, true},
		{
			"other records",
			func(w *world) { w.venues[8], w.images[8], w.counts[store.Tags][1] = w.venue(8), w.image(8), 99 },
			true,
		},
		{"parent", func(w *world) { w.parents[9] = &store.Event{} }, false},
		{"parent gone", func(w *world) { delete(w.parents, 9) }, false},
		{"series", func(w *world) { w.allSeries[8] = w.series(8) }, false},
		{"series gone", func(w *world) { delete(w.allSeries, 8) }, false},
		{"image", func(w *world) { w.images[7] = w.image(7) }, false},
		{"venue", func(w *world) { w.venues[3] = w.venue(3) }, false},
		{"image of the venue", func(w *world) { w.images[5] = w.image(5) }, false},
		{"venue gone", func(w *world) { delete(w.venues, 3) }, false},
		{"venue come", func(w *world) { w.venues[90] = w.venue(90) }, false},
		{"organizer", func(w *world) { w.organizers[4] = w.organizer(4) }, false},
		{"image of the organizer", func(w *world) { delete(w.images, 6) }, false},
		{"organizer come", func(w *world) { w.organizers[91] = w.organizer(91) }, false},
		{
			"category",
			func(w *world) { w.terms[store.Categories][1] = w.term(store.Categories, 1) },
			false,
		},
		{
			"category come",
			func(w *world) { w.terms[store.Categories][92] = w.term(store.Categories, 92) },
			false,
		},
		{"tag", func(w *world) { delete(w.terms[store.Tags], 2) }, false},
		{"count of the category", func(w *world) { w.counts[store.Categories][1]++ }, false},
		{"count of the tag", func(w *world) { w.counts[store.Tags][2]++ }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, e := small()
			links := render.Gather(w, e)
			test.change(w)
			if got := links.Current(w); got != test.want {
				t.Errorf("Current is %t, want %t", got, test.want)
			}
		})
	}
}

func TestCurrentOfTerm(t *testing.T) {
	w, _ := small()
	term := func(id, parent int64) *store.Term {
		return &store.Term{Meta: store.Meta{ID: id}, Taxonomy: store.Categories, Parent: parent}
	}
	all := map[int64]*store.Term{1: term(1, 2), 2: term(2, 3), 3: term(3, 50)}
	w.terms[store.Categories] = all
	for name, change := range map[string]func(){
		"two above":           func() { all[3] = term(3, 50) },
		"come above the last": func() { all[50] = term(50, 0) },
		"count":               func() { w.counts[store.Categories][1]++ },
	} {
		links := render.Gather(w, all[1])
		if !links.Current(w) {
			t.Errorf("%s: not current at first", name)
		}
		if change(); links.Current(w) {
			t.Errorf("%s: still current", name)
		}
	}
}

func TestPublic(t *testing.T) {
	w, e := small()
	if !render.Gather(w, e).Public() {
		t.Error("published records are not public")
	}
	w.parents[9].Status = store.Draft
	if render.Gather(w, e).Public() {
		t.Error("a draft parent is public")
	}
	w.parents[9].Status = store.Publish
	w.allSeries[8].Event.Status = store.Draft
	if render.Gather(w, e).Public() {
		t.Error("a draft of a series is public")
	}
	w.allSeries[8].Event.Status = store.Publish
	w.organizers[4].Status = store.Draft
	if render.Gather(w, e).Public() {
		t.Error("a draft organizer is public")
	}
	w.organizers[4].Status = store.Publish
	w.venues[3].Status = store.Private
	if render.Gather(w, e).Public() {
		t.Error("a private venue is public")
	}
}

func TestCurrentDoesNotAllocate(t *testing.T) {
	w, e := small()
	links := render.Gather(w, e)
	if n := testing.AllocsPerRun(100, func() { links.Current(w) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
