// Check finds damage: each part is broken by hand.

package store

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestCheckFinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		harm func(s *Store, x *index)
		want string
	}{
		{
			"slug missing",
			func(_ *Store, x *index) { delete(x.slugs[Events], "concert") },
			"slug of events concert",
		},
		{
			"slug too many",
			func(_ *Store, x *index) { x.slugs[Tags]["ghost"] = 9 },
			"slug of tags ghost",
		},
		{
			"slug of another",
			func(_ *Store, x *index) { x.slugs[Venues]["hall"] = 99 },
			"slug of venues hall",
		},
		{
			"origin missing",
			func(_ *Store, x *index) { delete(x.origins[Venues], "o1") },
			"origin of venues o1",
		},
		{
			"name missing",
			func(_ *Store, x *index) { delete(x.names[Organizers], "ann") },
			"name of organizers ann",
		},
		{
			"name twice",
			func(_ *Store, x *index) { x.names[Venues]["hall"] = []int64{2, 2} },
			"name of venues hall",
		},
		{
			"address missing",
			func(_ *Store, x *index) { delete(x.images, "https://x/1.png") },
			"address of images https://x/1.png",
		},
		{
			"count",
			func(_ *Store, x *index) { x.counts[Categories][1] = 2 },
			"count of categories 1: indexed 2, by the records 1",
		},
		{
			"count of nothing",
			func(_ *Store, x *index) { x.counts[Tags][77] = 1 },
			"count of tags 77",
		},
		{
			"count that is empty",
			func(_ *Store, x *index) { x.counts[Tags][77] = 0 },
			"count of tags 77",
		},
		{
			"not listed",
			func(_ *Store, x *index) { x.lists[listed].Remove(x.entry(x.records[Events][5].(*Event))) },
			"listed events",
		},
		{
			"not unlisted",
			func(_ *Store, x *index) { x.lists[unlisted].Remove(x.entry(x.records[Events][6].(*Event))) },
			"unlisted events",
		},
		{
			"not scheduled",
			func(_ *Store, x *index) { x.scheduled = x.scheduled[1:] },
			"scheduled posts",
		},
		{"an older event listed", func(_ *Store, x *index) {
			e := *x.records[Events][5].(*Event)
			x.records[Events][5] = &e
		}, "listed events"},
		{"not among the venues", func(_ *Store, x *index) { x.posts[Venues][1] = nil },
			"unpublished venues, newest first"},
		{
			"record under another id",
			func(_ *Store, x *index) { x.records[Images][50] = x.records[Images][1] },
			"images 1 is stored as images 50",
		},
		{
			"link to nothing",
			func(_ *Store, x *index) { x.remove(Venues, 2) },
			"a link leads to no record: venues 2",
		},
		{"image of nothing", func(_ *Store, x *index) { x.remove(Images, 1) }, "images 1"},
		{
			"id that is still to come",
			func(s *Store, _ *index) { s.state.Load().at.NextPost = 3 },
			"events 5: the next id is 3",
		},
		{
			"term that is still to come",
			func(s *Store, _ *index) { s.state.Load().at.NextTerm = 1 },
			"categories 1: the next id is 1",
		},
		{
			"revision that is still to come",
			func(s *Store, _ *index) { s.state.Load().at.Seq = 0 },
			"transaction 1, the last one is 0",
		},
		{"slug twice", func(_ *Store, x *index) {
			x.put(&Venue{Post: Post{Meta: Meta{ID: 3}, Slug: "hall"}, Name: "Other"})
		}, "the slug is another record's"},
		{"origin twice", func(_ *Store, x *index) {
			x.put(&Venue{Post: Post{Meta: Meta{ID: 3}, Origins: []string{"o1"}}, Name: "Other"})
		}, "is that of"},
		{"ends before it starts", func(_ *Store, x *index) {
			x.put(&Event{
				Post: Post{
					Meta: Meta{
						ID: 5,
					},
				},
				Start: 2,
				End:   1,
			})
		},
			"before it starts"},
		{
			"instance missing",
			func(_ *Store, x *index) { delete(x.instances, instanceKey{8, 3600}) },
			"instance ",
		},
		{
			"instance of the trash",
			func(_ *Store, x *index) { x.instances[instanceKey{8, 7200}] = 9 },
			"instance ",
		},
		{"horizon missing", func(_ *Store, x *index) { x.horizons = nil }, "series by horizon"},
		{"series that is not published missing", func(_ *Store, x *index) { x.unshown = nil },
			"series that are not published"},
		{
			"event of no series",
			func(_ *Store, x *index) { x.remove(AllSeries, 8) },
			"events 9: a link leads to no record: series 8",
		},
		{"an instance twice", func(_ *Store, x *index) {
			x.put(&Event{
				Post: Post{
					Meta: Meta{
						ID: 5,
					},
				},
				Recurrence: &Recurrence{
					Series: 8,
					Start:  3600,
				},
			})
		}, "events 9: 5 is the instance 1970-01-01 01:00:00 of the series 8 already"},
		{"changes in no order", func(_ *Store, x *index) {
			x.put(&Event{
				Post: Post{
					Meta: Meta{
						ID: 5,
					},
				},
				Recurrence: &Recurrence{
					Series:  8,
					Start:   1,
					Changed: []string{"venue", "title"},
				},
			})
		}, "not ascending"},
		{"dates in no order", func(_ *Store, x *index) {
			x.put(&Series{
				Meta: Meta{
					ID: 8,
				},
				EXDates: []Wall{2, 1},
			})
		},
			"series 8: the dates of a series are not ascending"},
		{"a date twice", func(_ *Store, x *index) {
			x.put(&Series{
				Meta: Meta{
					ID: 8,
				},
				RDates: []Wall{2, 2},
			})
		},
			"series 8: the dates of a series are not ascending"},
		{"a date that has no form", func(_ *Store, x *index) {
			x.put(&Series{
				Meta: Meta{
					ID: 8,
				},
				RDates: []Wall{WallOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))},
			})
		},
			"series 8: a wall clock"},
		{"a series of a stored event", func(_ *Store, x *index) {
			x.put(&Series{Meta: Meta{ID: 8}, Event: Event{Post: Post{Meta: Meta{ID: 5}}}})
		}, "series 8: what events are made of is stored as one of them"},
		{"a series of an event that ends before it starts", func(_ *Store, x *index) {
			x.put(&Series{Meta: Meta{ID: 8}, Event: Event{Start: 2, End: 1}})
		}, "series 8: it ends at"},
		{"a series at no venue", func(_ *Store, x *index) {
			x.put(&Series{
				Meta: Meta{
					ID: 8,
				},
				Event: Event{
					Venues: []int64{99},
				},
			})
		},
			"series 8: a link leads to no record: venues 99"},
		{"terms in a circle", func(_ *Store, x *index) {
			x.put(&Term{Meta: Meta{ID: 1}, Taxonomy: Categories, Parent: 2})
			x.put(&Term{Meta: Meta{ID: 2}, Taxonomy: Categories, Parent: 1})
		}, "below itself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(Options{})
			must(t, err)
			defer s.Close()
			put(t, s,
				&Image{URL: "https://x/1.png"},
				&Venue{Post: Post{Slug: "hall", Origins: []string{"o1"}, Image: 1}, Name: "Hall"},
				&Venue{Name: "Other"},
				&Organizer{Name: "Ann"},
				category("Music", 0), category("Jazz", 1), &Term{Taxonomy: Tags, Name: "Free"},
				&Event{
					Post: Post{
						Slug:   "concert",
						Status: Publish,
					},
					Categories: []int64{1},
					Venues:     []int64{2},
					Organizers: []int64{4},
				},
				&Event{Post: Post{Status: Draft}, Parent: 5},
				&Organizer{Post: Post{Status: Future}, Name: "Bea"},
				&Series{Rule: "FREQ=DAILY", Horizon: 86400},
				&Event{Recurrence: &Recurrence{Series: 8, Start: 3600}},
			)
			must(t, s.Check())
			tt.harm(s, s.index)
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("found %v, want %q", err, tt.want)
			}
		})
	}
}

// A store that is wrong everywhere does not fill the log.
func TestCheckEnds(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	must(t, err)
	defer s.Close()
	update(t, s, func(tx *Tx) error {
		for i := range 500 {
			if err := tx.Put(&Event{Post: Post{Slug: fmt.Sprint(i)}}); err != nil {
				return err
			}
		}
		return nil
	})
	clear(s.index.slugs[Events])
	text := s.Check().Error()
	if lines := strings.Count(text, "\n") + 1; lines != maxFindings+1 ||
		!strings.HasSuffix(text, "and 400 more") {
		t.Errorf("%d lines that end with %q", lines, text[len(text)-50:])
	}
}
