package feed_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/render"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write anew what the tests compare with")

// A world is the records that events lead to.
type world struct {
	series     map[int64]*store.Series
	images     map[int64]*store.Image
	venues     map[int64]*store.Venue
	organizers map[int64]*store.Organizer
	terms      map[int64]*store.Term
}

func (w world) Get(k store.Kind, id int64) store.Record {
	switch k {
	case store.AllSeries:
		return w.series[id]
	case store.Images:
		return w.images[id]
	case store.Venues:
		return w.venues[id]
	case store.Organizers:
		return w.organizers[id]
	case store.Categories, store.Tags:
		return w.terms[id]
	}
	return nil
}

func (w world) Count(store.Kind, int64) int { return 1 }

// stranger shows records as strangers see them.
func (w world) stranger() *render.Renderer {
	return &render.Renderer{
		Source: w,
		Origin: "https://termine.example.org:8443",
		API:    "https://termine.example.org:8443/cal/events/v1",
		Site:   caltime.UTC(),
		Zones:  &caltime.Zones{},
		Currency: cldr.Currency{
			Code:   "USD",
			Symbol: "$",
		},
		Locale:   cldr.Of("en"),
		Free:     "Free",
		Readable: func(p *store.Post) bool { return p.Status == store.Publish },
		Unlocked: func(e *store.Event) bool { return e.Password == "" },
	}
}

func date(text string) time.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t
}

func local(text string) store.Wall { return store.WallOf(date(text)) }

func post(id int64, status store.Status, slug string) store.Post {
	return store.Post{
		Meta: store.Meta{
			ID: id,
		},
		Author: 1,
		Status: status,
		Slug:   slug,
		Date:   date("2026-03-02 17:00:00"),
	}
}

// town is a world with some of everything, and its events.
func town() (world, []*store.Event) {
	w := world{
		series: map[int64]*store.Series{
			90: {
				Meta: store.Meta{
					ID: 90,
				},
				Event: store.Event{
					Post: post(0, store.Publish, ""),
				},
				Rule: "FREQ=WEEKLY;COUNT=4",
			},
			91: {
				Meta: store.Meta{
					ID: 91,
				},
				Event: store.Event{
					Post: post(0, store.Private, ""),
				},
				Rule: "FREQ=DAILY",
			},
		},
		images: map[int64]*store.Image{
			30: {
				Meta: store.Meta{
					ID: 30,
				},
				URL:       "https://x.example/a.JPG?a=1&b=2",
				Extension: "JPG",
				Filesize:  1234,
			},
			31: {Meta: store.Meta{ID: 31}, URL: "https://x.example/picture"},
			32: {Meta: store.Meta{ID: 32}, URL: "javascript:alert(1)", Extension: "png"},
		},
		venues: map[int64]*store.Venue{
			10: {
				Post:          post(10, store.Publish, "town-hall"),
				Name:          "Town Hall",
				Address:       "1 Main St",
				City:          "Springfield",
				State:         "IL",
				StateProvince: "IL",
				Zip:           "62701",
				Country:       "United States",
				Geo: &store.Geo{
					Lat: 39.8,
					Lng: -89.65,
				},
			},
			11: {Post: post(11, store.Draft, ""), Name: "Secret bunker", Address: "Nobody knows"},
			12: {
				Post:     post(12, store.Publish, "cafe"),
				Name:     `Café "Sur, l'eau" <1>`,
				City:     "@home",
				Province: "+Ω",
			},
		},
		organizers: map[int64]*store.Organizer{
			20: {
				Post:    post(20, store.Publish, "ann"),
				Name:    "Smith, Ann & Sons",
				Website: "https://ann.example/?a=1&b=2",
				Email:   "a@x.example",
			},
			21: {Post: post(21, store.Private, "eve"), Name: "Eve"},
			22: {
				Post:    post(22, store.Publish, "bob"),
				Name:    "=Bob",
				Website: "javascript:alert(1)",
			},
		},
		terms: map[int64]*store.Term{
			40: {Meta: store.Meta{ID: 40}, Taxonomy: store.Categories, Name: "Music"},
			41: {Meta: store.Meta{ID: 41}, Taxonomy: store.Categories, Name: "R&B, <soul>"},
			50: {Meta: store.Meta{ID: 50}, Taxonomy: store.Tags, Name: "music"},
			51: {Meta: store.Meta{ID: 51}, Taxonomy: store.Tags, Name: "Music"},
		},
	}
	own := post(1, store.Publish, "tonight")
	own.Description = "Bring a friend.\n\nDoors open at 19:00."
	own.Modified = date("2026-03-03 08:30:00")
	hard := post(2, store.Publish, "rock-roll")
	hard.Description = "Para with <a href=\"https://x.example/?a=1&b=2\">link</a>\n\n]]></description><script>\"'\\\x01\ufffe,;\r\n=1+1"
	hard.Excerpt = `It's "short" & <b>sweet</b>`
	hard.Image = 30
	hard.Origins = []string{"near.example.org?id=7", "first/ü <&>,\"@example"}
	days := post(3, store.Publish, "fair")
	days.Image = 31
	hidden := post(4, store.Publish, "members")
	hidden.Description = "The secret"
	hidden.Excerpt = "The secret in short"
	hidden.Image = 30
	draft := post(5, store.Draft, "")
	draft.Undated = true
	draft.Image = 32
	return w, []*store.Event{
		{
			Post:       own,
			Title:      "Tonight",
			Start:      local("2026-11-22 20:00:00"),
			End:        local("2026-11-22 23:00:00"),
			Timezone:   "America/New_York",
			Categories: []int64{40},
			Tags:       []int64{51, 50},
			Venues:     []int64{11, 10},
			Organizers: []int64{21, 20},
			Cost: store.Cost{
				Entries:  []string{"10", "20"},
				Symbol:   "€",
				Position: "postfix",
				Code:     "EUR",
			},
			Website:    "https://x.example/?a=1&b=2",
			VirtualURL: "https://meet.example/?a=1&b=2",
			Recurrence: &store.Recurrence{Series: 90, Start: local("2026-11-22 20:00:00")},
		},
		{
			Post:       hard,
			Title:      "=Rock & <i>Roll</i> \"Night\" -- it's &lt;5&gt; o'clock...\x02",
			Timezone:   "Europe/Paris",
			Start:      local("2026-03-29 02:30:00"),
			End:        local("2026-03-30 01:00:00"),
			Venues:     []int64{12, 10},
			Organizers: []int64{22, 20},
			Categories: []int64{41, 40},
			Cost: store.Cost{
				Entries: []string{"-5"},
			},
			Website:    "javascript:alert(1)",
			VirtualURL: "javascript:alert(2)",
			Featured:   true,
			Sticky:     true,
			ShowMap:    true,
			Recurrence: &store.Recurrence{Series: 91},
		},
		{
			Post:     days,
			Title:    "Fair",
			AllDay:   true,
			Start:    local("2026-11-27 00:00:00"),
			End:      local("2026-11-29 23:59:59"),
			Timezone: "+02:00",
		},
		{
			Post:       hidden,
			Title:      "Members only",
			AllDay:     true,
			Start:      local("2026-11-28 00:00:00"),
			End:        local("2026-11-28 23:59:59"),
			Timezone:   "Europe/Paris",
			Password:   "sealed",
			Venues:     []int64{10},
			Organizers: []int64{20},
			Categories: []int64{40},
			Tags:       []int64{50},
			Cost: store.Cost{
				Entries: []string{"99"},
			},
			Website:    "https://secret.example",
			VirtualURL: "https://secret.example/online",
			Sticky:     true,
		},
		{
			Post:     draft,
			Title:    "Not yet",
			Start:    local("2027-01-01 12:00:00"),
			End:      local("2027-01-01 12:00:00"),
			Timezone: "UTC",
		},
	}
}

// formats are the formats of this package's tests.
var formats = map[string]feed.Format{
	"rss":    feed.RSS,
	"legacy": feed.LegacyRSS,
	"atom":   feed.Atom,
	"json":   feed.JSON,
	"csv":    feed.CSV,
}

// write writes a document.
func write(f feed.Format, l *feed.List, r *render.Renderer, events []*store.Event) []byte {
	for _, e := range events {
		inside, _ := r.Inside(e)
		l.AddFields(inside)
	}
	b := f.Head(nil, l)
	for i, e := range events {
		if i > 0 {
			b = append(b, f.Between...)
		}
		if b = f.Event(b, r, e); f.Cells != nil {
			inside, _ := r.Inside(e)
			b = f.Cells(b, l, inside)
		}
	}
	return append(b, f.Tail...)
}

// page is a page of a list with pages before and behind it.
func page() *feed.List {
	const address = "https://termine.example.org:8443/cal/events/v1/events.atom?categories=a%26b&page="
	return &feed.List{
		Name:     `Termine & "mehr" <b>`,
		Home:     "https://termine.example.org:8443/",
		Self:     address + "2",
		Next:     address + "3",
		Previous: address + "1",
		Language: "de",
		Updated:  date("2026-03-03 08:30:00"),
	}
}

func TestDocuments(t *testing.T) {
	w, events := town()
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			for file, got := range map[string][]byte{
				"page." + name: write(f, page(), w.stranger(), events),
				"empty." + name: write(f, &feed.List{
					Name: "Empty",
					Home: "https://x.example/",
					Self: "https://x.example/f",
				}, w.stranger(), nil),
			} {
				file = filepath.Join("testdata", file)
				if *update {
					if err := os.WriteFile(file, got, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
			}
		})
	}
}

// BenchmarkEvent writes events that have some of everything.
func BenchmarkEvent(b *testing.B) {
	w, events := town()
	for name, f := range formats {
		b.Run(name, func(b *testing.B) {
			r := w.stranger()
			buf := []byte(nil)
			b.ReportAllocs()
			for b.Loop() {
				buf = buf[:0]
				for _, e := range events {
					buf = f.Event(buf, r, e)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
		})
	}
}

// Addresses that people typed have nothing in them that no address may hold.
func TestAddresses(t *testing.T) {
	w, events := town()
	e := *events[0]
	e.Website = `https://example.org/a b;c?d="e"&f=<g>`
	for _, tt := range []struct {
		format feed.Format
		want   string
	}{
		{feed.JSON, `"external_url":"https://example.org/a%20b;c?d=%22e%22&f=%3Cg%3E"`},
		{feed.Calendar, "X-ALMANAC-WEBSITE:https://example.org/a%20b;c?d=%22e%22&f=%3Cg%3E\r\n"},
	} {
		if got := string(tt.format.Event(nil, w.stranger(), &e)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: want %s in\n%s", tt.format.Extension, tt.want, got)
		}
	}
}
