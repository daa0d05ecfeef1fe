package render_test

// Tests of the data for search engines as sites use it: inside of a script
// element.

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// described returns the member json_ld of a record as it stands in the answer.
func described(t *testing.T, record []byte) json.RawMessage {
	t.Helper()
	var shown struct {
		JSONLD json.RawMessage `json:"json_ld"`
	}
	if err := json.Unmarshal(record, &shown); err != nil || len(shown.JSONLD) == 0 {
		t.Fatalf("%v; no json_ld in %s", err, record)
	}
	return shown.JSONLD
}

// Every text of an event, a venue, an organizer and an image is tried in each
// place of json_ld where it is shown. Pages copy that member as it stands into a
// script element: nothing that a browser would look at there may be in it.
func FuzzJSONLD(f *testing.F) {
	for _, fragment := range pieces {
		f.Add(fragment)
		f.Add("a" + fragment + "b")
	}
	for _, s := range []string{
		"</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;/script>", "&#x3C;!--&lt;script",
		"&amp;lt;/script&amp;gt;", "<pre>&lt;/script></pre>", "&LT;/SCRIPT&GT;", "\\u003c/script>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w := newWorld(1)
		date := time.Date(2031, 3, 1, 9, 30, 0, 0, time.UTC)
		post := func(id int64) store.Post {
			return store.Post{
				Meta: store.Meta{
					ID: id,
				},
				Status:      store.Publish,
				Date:        date,
				Slug:        s,
				Description: s,
				Image:       1,
			}
		}
		w.images[1] = &store.Image{Meta: store.Meta{ID: 1}, URL: s}
		v := &store.Venue{
			Post:          post(1),
			Name:          s,
			Address:       s,
			City:          s,
			Country:       s,
			Zip:           s,
			Phone:         s,
			Website:       s,
			StateProvince: s,
			Geo: &store.Geo{
				Lat: 1,
				Lng: 2,
			},
		}
		o := &store.Organizer{Post: post(1), Name: s, Phone: s, Website: s, Email: s}
		w.venues[1], w.organizers[1] = v, o
		e := &store.Event{
			Post:     post(2),
			Title:    s,
			Timezone: "UTC",
			Cost: store.Cost{
				Entries: []string{s},
				Symbol:  s,
				Code:    s,
			},
			Venues:     []int64{1},
			Organizers: []int64{1},
		}
		e.Excerpt = s
		show := w.renderer(true)
		show.Origin = "https://example.org/" + s
		show.Readable = func(*store.Post) bool { return true }
		for name, record := range map[string][]byte{
			"event":     show.Append(nil, e),
			"venue":     show.Append(nil, v),
			"organizer": show.Append(nil, o),
		} {
			if ld := described(t, record); bytes.ContainsRune(ld, '<') {
				t.Errorf("%s: json_ld holds what a browser looks at in a script: %s", name, ld)
			}
		}
	})
}

// Escaped texts are decoded to the originals.
func TestJSONLDReadsAsText(t *testing.T) {
	w := newWorld(1)
	o := &store.Organizer{
		Post: store.Post{
			Status:      store.Publish,
			Description: "1 &lt; 2",
		},
		Phone: "</script>",
		Name:  "<b>Ann</b>",
	}
	var got struct{ Description, Telephone string }
	show := w.renderer(true)
	ld := described(t, show.Append(nil, o))
	if err := json.Unmarshal(ld, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 < 2", "</script>"}, []string{got.Description, got.Telephone}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	show.LD = false
	if text := show.Append(nil, o); !bytes.Contains(text, []byte("<b>Ann</b>")) {
		t.Errorf("other members are not as they were: %s", text)
	}
}

// Names are shown as on the page of a record, without any tag; descriptions as they
// were typed; and a price is a number, where there is one.
func TestJSONLDTexts(t *testing.T) {
	type texts struct {
		Name, Description, Price string
	}
	for _, c := range []struct {
		name  string
		event store.Event
		want  texts
	}{
		{"a script in a title", store.Event{Title: "</script><script>alert(1)</script>"},
			texts{Name: "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"}},
		{"signs in a title", store.Event{Title: "10:30 & <b>bold</b> < 5 > 3"},
			texts{Name: "10:30 &#038; &lt;b&gt;bold&lt;/b&gt; &lt; 5 &gt; 3"}},
		{"private", store.Event{
			Title: "T",
			Post: store.Post{
				Status: store.Private,
			},
		}, texts{
			Name: "Private: T",
		}},
		{"an excerpt", store.Event{
			Post: store.Post{
				Excerpt:     `It's "short" & sweet`,
				Description: "no",
			},
		},
			texts{Description: `It's "short" & sweet`}},
		{"a description", store.Event{
			Post: store.Post{
				Description: "A <b>nice</b> place.\n\nIt's \"3x4\" & more",
			},
		},
			texts{Description: `A nice place. It's "3x4" & more`}},
		{"free", store.Event{Cost: store.Cost{Entries: []string{"Free"}}}, texts{Price: "0"}},
		{"nothing", store.Event{Cost: store.Cost{Entries: []string{"0.00"}}}, texts{Price: "0"}},
		{"a range", store.Event{
			Cost: store.Cost{
				Entries: []string{"$10", "$20"},
			},
		}, texts{
			Price: "10",
		}},
		{"thousands", store.Event{
			Cost: store.Cost{
				Entries: []string{"1,000"},
			},
		}, texts{
			Price: "1000",
		}},
		{"words", store.Event{
			Cost: store.Cost{
				Entries: []string{"Pay what you can"},
			},
		}, texts{
			Price: "Pay what you can",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := c.event
			e.Timezone = "UTC"
			e.Venues = []int64{1}
			e.Organizers = []int64{1}
			w := newWorld(1)
			w.venues[1], w.organizers[1] = &store.Venue{
				Post: e.Post,
				Name: e.Title,
			}, &store.Organizer{
				Post: e.Post,
				Name: e.Title,
			}
			show := w.renderer(true)
			show.Readable = func(*store.Post) bool { return true }
			var got struct {
				texts
				Location, Organizer texts
				Offers              struct{ Price string }
			}
			if err := json.Unmarshal(described(t, show.Append(nil, &e)), &got); err != nil {
				t.Fatal(err)
			}
			got.Price = got.Offers.Price
			if diff := cmp.Diff(c.want, got.texts); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
			linked := texts{Name: c.want.Name}
			if e.Description != "no" {
				linked.Description = c.want.Description
			} else {
				linked.Description = "no"
			}
			if diff := cmp.Diff([]texts{linked, linked}, []texts{got.Location, got.Organizer}); diff != "" {
				t.Errorf("venue and organizer (-want +got):\n%s", diff)
			}
		})
	}
}
