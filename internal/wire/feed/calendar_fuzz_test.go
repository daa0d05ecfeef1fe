package feed_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/wire/feed"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// outline returns the names of the lines of a calendar, in order. It fails on lines that
// no calendar has.
func outline(t *testing.T, document []byte) (names []string) {
	t.Helper()
	text := string(document)
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\r\n") {
		t.Fatalf("not text in lines: %q", text)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		for _, c := range line {
			if c < ' ' && c != '\t' || strings.ContainsRune("\x7f\u0085\u2028\u2029", c) {
				t.Fatalf("%q in the line %q", c, line)
			}
		}
		if len(line) > 75 {
			t.Fatalf("%d octets in the line %q", len(line), line)
		}
		if rest, ok := strings.CutPrefix(line, " "); ok && lines != nil {
			lines[len(lines)-1] += rest
		} else {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		name := line[:strings.IndexAny(line+":", ":;")]
		rest := line[len(name):]
		for strings.HasPrefix(rest, ";") { // a parameter
			n := strings.IndexByte(rest, '=')
			if n < 0 || strings.ContainsAny(rest[1:n], ":;,\"") {
				t.Fatalf("no parameter in %q", line)
			}
			if name += rest[:n]; strings.HasPrefix(rest[n+1:], `"`) {
				_, rest, _ = strings.Cut(rest[n+2:], `"`)
			} else {
				rest = rest[n+1:][max(strings.IndexAny(rest[n+1:], ":;,\""), 0):]
			}
		}
		if !strings.HasPrefix(rest, ":") || name == "" {
			t.Fatalf("no value in %q", line)
		}
		if name == "BEGIN" || name == "END" {
			name += rest
		}
		names = append(names, name)
	}
	return names
}

// FuzzCalendar looks for texts that begin a line, or end a component.
func FuzzCalendar(f *testing.F) {
	f.Add("a", "b", "c", "d")
	f.Add("x\r\nBEGIN:VEVENT\r\nUID:1", "\n\nEND:VEVENT\n", `":;X="`, "http://x\r\n Y:")
	f.Add("\u2028ATTENDEE:", strings.Repeat("日本\u0085", 40), "^n\"^'", "uid;X=1:2")
	f.Add(
		"<p>\\n&#10;END:VCALENDAR&#13;&#10;</p>",
		"&#x2028;<pre>\r\nEND:VCALENDAR",
		",;",
		"\xff\xc3",
	)
	f.Fuzz(func(t *testing.T, title, description, name, id string) {
		write := func(title, description, name, id string) []byte {
			w, events := town()
			w.images[30].URL = "https://x.example/" + id
			v := &store.Venue{
				Post:          post(10, store.Publish, name),
				Name:          name,
				Address:       id + "a",
				City:          title + "c",
				Country:       name + "l",
				Province:      id + "p",
				State:         name + "s",
				StateProvince: name + "sp",
				Zip:           id + "z",
				Phone:         title + "t",
				Website:       description + "w",
			}
			v.Origins = []string{id + "v"}
			w.venues[10] = v
			w.organizers[20] = &store.Organizer{
				Post:    v.Post,
				Name:    name,
				Phone:   id + "p",
				Website: title + "w",
				Email:   description + "e",
			}
			w.terms[60] = &store.Term{Meta: store.Meta{ID: 60}, Taxonomy: store.Tags, Name: name}
			e := *events[0]
			e.Title = title
			e.Slug = id + "s"
			e.Excerpt = "x"
			e.Image = 30
			e.Website = description + "w"
			e.Description = "<b>x</b>" + description
			e.Origins = []string{id + "o"}
			e.Tags = []int64{60}
			e.Categories = []int64{60}
			e.Entries = []string{"1", name + "c"}
			e.Code = title + "c"
			s := &store.Series{Meta: store.Meta{ID: 90}, Event: e, Rule: "FREQ=DAILY"}
			e.Recurrence = &store.Recurrence{Series: 90, Start: e.Start}
			list := page()
			list.Name = title
			list.Home = name + "h"
			list.Self = id + "s"
			b := feed.Calendar.Head(nil, list)
			b = feed.Calendar.Event(b, w.stranger(), &e)
			b = feed.AppendSeries(b, w.stranger(), s, []*store.Event{&e})
			return append(b, feed.Calendar.Tail...)
		}
		got := outline(t, write(title, description, name, id))
		want := outline(t, write("t", "d", "n", "i"))
		ignore := func(names []string) []string { // costs of any text are none at times
			return slices.DeleteFunc(
				names,
				func(s string) bool { return strings.HasPrefix(s, "X-COST") },
			)
		}
		if diff := cmp.Diff(ignore(want), ignore(got)); diff != "" {
			t.Errorf("lines of harmless texts, and of these (-want +got):\n%s", diff)
		}
	})
}
