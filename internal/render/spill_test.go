package render_test

// Records that are rendered in parts.

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/render"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// An event with long linked records is rendered in parts: together they equal the event rendered
// at once, no part is longer than one linked record beside the least that is spilled, and nothing
// more is rendered when the reader stops.
func TestSpill(t *testing.T) {
	const text, least, linked = 30_000, 64 << 10, 40
	e, show := fair()
	e.Description = strings.Repeat("d ", 100_000)
	e.Excerpt = strings.Repeat("e ", 100_000)
	w := newWorld(1)
	e.Organizers = nil
	e.Venues = nil
	e.Categories = nil
	e.Tags = nil
	for i := range int64(linked) {
		post := store.Post{
			Meta: store.Meta{
				ID: i,
			},
			Status:      store.Publish,
			Description: strings.Repeat("x", text),
		}
		w.organizers[i], w.venues[i] = &store.Organizer{
			Post: post,
			Name: "o",
		}, &store.Venue{
			Post: post,
			Name: "v",
		}
		w.terms[store.Tags][i] = &store.Term{
			Meta:        post.Meta,
			Taxonomy:    store.Tags,
			Name:        fmt.Sprint("t", i),
			Description: post.Description,
		}
		e.Organizers = append(e.Organizers, i)
		e.Venues = append(e.Venues, i)
		e.Tags = append(e.Tags, i)
	}
	show.Source = render.Gather(w, e)
	want := string(show.Append(nil, e))
	if len(want) < 3*linked*text {
		t.Fatalf("the event has only %d bytes", len(want))
	}
	var parts []string
	show.Spill = func(b []byte) ([]byte, bool) {
		parts = append(parts, string(b))
		return b[:0], true
	}
	parts = append(parts, string(show.Append(nil, e)))
	if diff := cmp.Diff(want, strings.Join(parts, "")); diff != "" {
		t.Error("the parts are not the whole")
	}
	longest := 0
	for _, part := range parts[2:] { // before are its own texts, one each
		longest = max(longest, len(part))
	}
	if most := least + text + 5_000; longest > most || len(parts[0]) > 210_000 ||
		len(parts[1]) > 210_000 {
		t.Errorf(
			"the longest of %d parts has %d bytes, the first two %d and %d; want at most %d",
			len(parts),
			longest,
			len(parts[0]),
			len(parts[1]),
			most,
		)
	}
	spilled := 0
	show.Spill = func(b []byte) ([]byte, bool) {
		spilled += len(b)
		return b[:0], false
	}
	show.Append(nil, e)
	if spilled > len(want)/4 {
		t.Errorf("%d bytes of %d were rendered for nobody", spilled, len(want))
	}
}
