package render_test

// Benchmarks of an event as listings show most of them.

import (
	"testing"
	"time"

	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/render"
	"almanac/store"
)

// fair is a typical event, and what shows it in a listing.
func fair() (*store.Event, render.Renderer) {
	post := func(id int64, slug, description string) store.Post {
		return store.Post{
			Meta: store.Meta{
				ID: id,
			},
			Author:      1,
			Status:      store.Publish,
			Date:        time.Date(2031, 3, 1, 9, 30, 0, 0, time.UTC),
			Modified:    time.Date(2031, 3, 2, 10, 15, 12, 0, time.UTC),
			Slug:        slug,
			Description: description,
		}
	}
	start := store.WallOf(time.Date(2031, 5, 10, 14, 0, 0, 0, time.UTC))
	e := &store.Event{
		Post: post(
			4711,
			"summer-fair-on-the-green",
			"The summer fair comes to the green behind the old mill once more. "+
				"Local bands play on two stages from noon until late, and more than sixty stalls sell food, crafts and plants. "+
				"Children can ride ponies, paint pots and climb the big red fire engine. It's free for everybody under twelve.\n\n"+
				"The car park at the school is open all day. Please use the bus if you can, since the lanes are narrow. "+
				"Dogs are welcome on a lead. When it rains the bands play in the barn, and the stalls move to the market hall next door to it.",
		),
		Title:    "Summer Fair on the Green",
		Start:    start,
		End:      start + 4*60*60,
		Timezone: "Europe/London",
		Cost: store.Cost{
			Entries:  []string{"10"},
			Symbol:   "$",
			Position: "prefix",
		},
		ShowMap:     true,
		ShowMapLink: true,
		Categories:  []int64{21, 22},
		Tags:        []int64{31, 32},
		Venues:      []int64{11},
		Organizers:  []int64{12},
	}
	w := newWorld(1)
	w.venues[11] = &store.Venue{
		Post:          post(11, "the-old-mill", "A mill of 1790 with a large green behind it."),
		Name:          "The Old Mill",
		Address:       "12 Mill Lane",
		City:          "Ludlow",
		Country:       "United Kingdom",
		Zip:           "SY8 1AA",
		Phone:         "+44 1584 555 0100",
		Website:       "https://mill.example.org/",
		StateProvince: "Shropshire",
		ShowMap:       true,
		ShowMapLink:   true,
		Geo: &store.Geo{
			Lat: 52.3677,
			Lng: -2.7183,
		},
	}
	w.organizers[12] = &store.Organizer{
		Post:    post(12, "friends-of-the-mill", "We look after the mill."),
		Name:    "Friends of the Mill",
		Phone:   "+44 1584 555 0101",
		Website: "https://friends.example.org/",
		Email:   "hello@friends.example.org",
	}
	for id, name := range map[int64]string{21: "Music", 22: "Family", 31: "outdoors", 32: "food"} {
		k := store.Categories
		if id > 30 {
			k = store.Tags
		}
		w.terms[k][id] = &store.Term{Meta: store.Meta{ID: id}, Taxonomy: k, Name: name, Slug: name}
	}
	show := render.Renderer{
		Source: render.Gather(w, e),
		Origin: "http://127.0.0.1:8080",
		API:    "http://127.0.0.1:8080/cal/events/v1",
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
	return e, show
}

func BenchmarkEvent(b *testing.B) {
	for _, form := range []struct {
		name string
		ld   bool
	}{{"list", false}, {"single", true}} {
		e, show := fair()
		show.LD = form.ld
		b.Run(form.name, func(b *testing.B) {
			body := show.Append(nil, e)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				body = show.Append(body[:0], e)
			}
		})
		b.Run(form.name+"/model", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonio.Marshal(model{show}.event(e)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGather(b *testing.B) {
	e, show := fair()
	b.ReportAllocs()
	for b.Loop() {
		render.Gather(show.Source, e)
	}
}
