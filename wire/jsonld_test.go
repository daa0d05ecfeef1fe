package wire_test

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

// described gives the member json_ld of a record as it stands in the answer.
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
	for _, piece := range pieces {
		f.Add(piece)
		f.Add("a" + piece + "b")
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
			return store.Post{Meta: store.Meta{ID: id}, Status: store.Publish, Date: date, Slug: s, Description: s, Image: 1}
		}
		w.images[1] = &store.Image{Meta: store.Meta{ID: 1}, URL: s}
		v := &store.Venue{
			Post: post(1), Name: s, Address: s, City: s, Country: s, Zip: s, Phone: s, Website: s, StateProvince: s, Geo: &store.Geo{Lat: 1, Lng: 2},
		}
		o := &store.Organizer{Post: post(1), Name: s, Phone: s, Website: s, Email: s}
		w.venues[1], w.organizers[1] = v, o
		e := &store.Event{Post: post(2), Title: s, Timezone: "UTC", Cost: []string{s}, CurrencySymbol: s, CurrencyCode: s, Venues: []int64{1}, Organizers: []int64{1}}
		e.Excerpt = s
		show := w.renderer(true)
		show.Origin, show.Readable = "https://example.org/"+s, func(*store.Post) bool { return true }
		for name, record := range map[string][]byte{
			"event": show.AppendEvent(nil, e), "venue": show.AppendVenue(nil, v), "organizer": show.AppendOrganizer(nil, o),
		} {
			if ld := described(t, record); bytes.ContainsRune(ld, '<') {
				t.Errorf("%s: json_ld holds what a browser looks at in a script: %s", name, ld)
			}
		}
	})
}

// What is escaped is read as what it was.
func TestJSONLDReadsAsText(t *testing.T) {
	w := newWorld(1)
	o := &store.Organizer{Post: store.Post{Status: store.Publish, Description: "1 &lt; 2"}, Phone: "</script>", Name: "<b>Ann</b>"}
	var got struct{ Description, Telephone string }
	show := w.renderer(true)
	ld := described(t, show.AppendOrganizer(nil, o))
	if err := json.Unmarshal(ld, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 < 2", "</script>"}, []string{got.Description, got.Telephone}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	show.LD = false
	if text := show.AppendOrganizer(nil, o); !bytes.Contains(text, []byte("<b>Ann</b>")) {
		t.Errorf("other members are not as they were: %s", text)
	}
}
