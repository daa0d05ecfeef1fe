package render

import (
	"strings"
	"testing"

	"almanac/store"
)

// The bytes of a rendering are those of the texts that the caller sees, in its own record and in
// those that it shows: of a hidden one the length is not told.
func TestBytes(t *testing.T) {
	text := strings.Repeat("word ", 1000)
	venue := &store.Venue{
		Post: store.Post{
			Meta: store.Meta{
				ID: 1,
			},
			Status:      store.Publish,
			Description: text,
		},
	}
	draft := &store.Organizer{
		Post: store.Post{
			Meta: store.Meta{
				ID: 2,
			},
			Status:      store.Draft,
			Description: text,
		},
	}
	tag := &store.Term{Meta: store.Meta{ID: 3}, Taxonomy: store.Tags, Description: text}
	event := &store.Event{
		Post:       store.Post{Description: text, Excerpt: text},
		Title:      "Fair",
		Venues:     []int64{1},
		Organizers: []int64{2},
		Tags:       []int64{3},
	}
	links := &Links{
		[]link{
			{store.Venues, 1, venue, noCount},
			{store.Organizers, 2, draft, noCount},
			{store.Tags, 3, tag, noCount},
		},
	}
	for _, tt := range []struct {
		name            string
		open, all       bool
		texts, overhead int64
	}{{"published", true, false, 4, 4}, {"draft", true, true, 5, 5}, {"locked", false, true, 0, 2}} {
		r := Renderer{
			Source:   links,
			Unlocked: func(*store.Event) bool { return tt.open },
			Readable: func(p *store.Post) bool { return tt.all || p.Status == store.Publish },
		}
		want := escapes*tt.texts*int64(
			len(text),
		) + tt.overhead*recordBytes + int64(
			len(event.Title),
		)
		if got := r.Bytes(event); got != want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, want)
		}
	}
	if got := (&Renderer{
		Source: links,
	}).Bytes(venue); got != recordBytes+escapes*int64(len(text)) {
		t.Errorf("a venue: %d bytes", got)
	}
}
