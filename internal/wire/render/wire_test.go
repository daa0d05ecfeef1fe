// Tests of the rendering against the plain model.

package render_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/jsonio"
	"almanac/internal/wire/render"
	"almanac/store"
)

// check compares a rendering with that of the model.
func check(t *testing.T, got []byte, want any) {
	t.Helper()
	body, err := jsonio.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(body, got) {
		t.Fatalf("(-model +got):\n%s", cmp.Diff(string(body), string(got)))
	}
}

func TestRendering(t *testing.T) {
	const worlds, records = 40, 40
	for seed := range uint64(worlds) {
		w := newWorld(seed)
		for range records {
			show := w.renderer(w.once(2))
			plain := model{show}
			about := render.Series{
				Series:  w.series(w.Int64N(99)),
				Text:    w.text(),
				Total:   w.IntN(200),
				Next:    pick(w, nil, w.event()),
				Earlier: pick(w, 0, w.Int64N(99)),
				Later:   pick(w, 0, w.Int64N(99)),
			}
			before := []byte("[before,")
			render := func(record store.Record, write func(b []byte) []byte, want any) {
				t.Helper()
				got, ok := bytes.CutPrefix(write(bytes.Clone(before)), before)
				if !ok {
					t.Fatalf("changed what was there before")
				}
				check(t, got, want)
				if !json.Valid(got) {
					t.Fatalf("not JSON: %s", got)
				}
				show.Source = render.Gather(w, record)
				check(t, write(nil), want) // and from gathered links
				show.Source = w
			}
			e := w.event()
			v := w.venue(w.Int64N(99))
			o := w.organizer(w.Int64N(99))
			render(e, func(b []byte) []byte { return show.Append(b, e) }, plain.event(e))
			render(v, func(b []byte) []byte { return show.Append(b, v) }, plain.venue(v))
			render(o, func(b []byte) []byte { return show.Append(b, o) }, plain.organizer(o))
			render(
				about,
				func(b []byte) []byte { return show.Append(b, about) },
				plain.series(about),
			)
			term := w.terms[pick(w, store.Categories, store.Tags)][1+w.Int64N(12)]
			links := w.once(2)
			render(
				term,
				func(b []byte) []byte { show.TermLinks = links; return show.Append(b, term) },
				plain.term(term, links),
			)
			if diff := cmp.Diff(plain.page(&e.Post, "event", "tribe_events"), show.EventPage(&e.Post)); diff != "" {
				t.Errorf("EventPage (-model +got):\n%s", diff)
			}
		}
	}
}

func TestAppendString(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `""`},
		{"plain", "Summer fair, all welcome", `"Summer fair, all welcome"`},
		{"quote behind eight", `12345678"`, `"12345678\""`},
		{"backslash", `a\b`, `"a\\b"`},
		{"short escapes", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"control characters", "\x00\x1f\x7f", "\"\\u0000\\u001f\x7f\""},
		{"HTML", "<b>&</b>", `"<b>&</b>"`},
		{"other scripts", "Fête 日本 🎆", `"Fête 日本 🎆"`},
		{"line ends to old JavaScript", "\u2028\u2029", `"\u2028\u2029"`},
		{"no UTF-8", "a\xffb\xed\xa0\x80", `"a\ufffdb\ufffd\ufffd\ufffd"`},
		{"replacement character", "\ufffd", "\"\ufffd\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, string(render.AppendString(nil, c.in))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Each byte at each place of texts of many lengths, since they are looked at in
// groups.
func TestAppendStringEverywhere(t *testing.T) {
	for _, length := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 33, 70} {
		plain := strings.Repeat("Some plain text! ", 5)[:length]
		for c := range 256 {
			for n := range length {
				text := []byte(plain)
				text[n] = byte(c)
				check(t, render.AppendString(nil, string(text)), string(text))
				if n+1 < length {
					text[n+1] = byte(c) ^ 1
					check(t, render.AppendString(nil, string(text)), string(text))
				}
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, fragment := range pieces {
		f.Add(fragment)
		f.Add("1234567" + fragment + "12345678")
	}
	f.Fuzz(func(t *testing.T, s string) {
		check(t, render.AppendString(nil, s), s)
	})
}

// TestShown compares what other documents are made of with the model of the JSON.
func TestShown(t *testing.T) {
	for seed := range uint64(200) {
		w := newWorld(seed)
		show := w.renderer(false)
		e := w.event()
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
				if v := w.venues[id]; v != nil && v.Status != store.Trash &&
					show.Readable(&v.Post) {
					want.Venues = append(want.Venues, id)
				}
			}
			for _, id := range e.Organizers {
				if o := w.organizers[id]; o != nil && o.Status != store.Trash &&
					show.Readable(&o.Post) {
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
