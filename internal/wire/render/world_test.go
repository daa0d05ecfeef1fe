package render_test

// A world of random records, with texts that are hard to write down.

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"
	_ "time/tzdata"

	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/render"
	"almanac/store"
)

// world is a Source of its own, which holds the records by id.
type world struct {
	*rand.Rand
	parents    map[int64]*store.Event
	allSeries  map[int64]*store.Series
	images     map[int64]*store.Image
	venues     map[int64]*store.Venue
	organizers map[int64]*store.Organizer
	terms      map[store.Kind]map[int64]*store.Term
	counts     map[store.Kind]map[int64]int
}

// Get implements render.Source.
func (w *world) Get(k store.Kind, id int64) store.Record {
	switch k {
	case store.Events:
		return found(w.parents, id)
	case store.AllSeries:
		return found(w.allSeries, id)
	case store.Images:
		return found(w.images, id)
	case store.Venues:
		return found(w.venues, id)
	case store.Organizers:
		return found(w.organizers, id)
	}
	return found(w.terms[k], id)
}

func found[T store.Record](all map[int64]T, id int64) store.Record {
	if record, ok := all[id]; ok {
		return record
	}
	return nil
}

// get returns a record of a source as a T, nil if there is none.
func get[T store.Record](from render.Source, k store.Kind, id int64) T {
	record, _ := from.Get(k, id).(T)
	return record
}

func (w *world) Count(taxonomy store.Kind, id int64) int { return w.counts[taxonomy][id] }
func (w *world) linkedIDs() []int64                      { return w.ids(3) }
func pick[T any](w *world, choices ...T) T               { return choices[w.IntN(len(choices))] }
func (w *world) maybe(f func() string) string            { return pick(w, "", f()) }
func (w *world) once(n int) bool                         { return w.IntN(n) == 0 }
func (w *world) status() store.Status {
	return pick(
		w,
		store.Publish,
		store.Publish,
		store.Future,
		store.Draft,
		store.Pending,
		store.Private,
		store.Trash,
	)
}

// pieces are the parts of random texts.
var pieces = []string{
	"a", "Summer fair", " ", " ", "\n", "\n\n", "\r\n", "\r", "\t", "\x00", "\x1f", "\x7f", "\b\f", `"`, `'`, `\`, "&", "&amp;",
	"<b>", "</b>", "<p>", "</p>", "<br>", "<", ">", "<!-- wp:paragraph -->", "[gallery]", "it's", " - ", "--", "...", "3x4",
	"(tm)", "é", "Ω", "日本", "\u2028", "\u2029", "\ufeff", "\ufffd", "\U0001F386", "\xff", "\xc3", "\xed\xa0\x80", "\xf0\x90\x80",
	"&nbsp;", "&lt;/script&gt;&lt;script&gt;", "&amp;lt;!--", "https://example.org/?a=1&b=2", "/", "`", "``", ".", "x",
	"eight plain characters and more",
}

func (w *world) text() string {
	var b strings.Builder
	for range w.IntN(9) {
		b.WriteString(pick(w, pieces...))
	}
	return b.String()
}

func (w *world) optional() string { return w.maybe(w.text) }

func (w *world) date() time.Time {
	switch w.IntN(10) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(253402300799-w.Int64N(40_000), w.Int64N(1e9)).UTC()
	case 2:
		return time.Unix(-62167219200+w.Int64N(40_000), 0).UTC()
	}
	return time.Unix(w.Int64N(4e9)-1e9, w.Int64N(1e9)).UTC()
}

func (w *world) local() store.Wall {
	switch w.IntN(10) {
	case 0:
		return store.Wall(253402300799 - w.Int64N(40_000))
	case 1:
		return store.Wall(-62167219200 + w.Int64N(40_000))
	}
	return store.Wall(w.Int64N(5e9) - 1e9)
}

// ids returns links. Some lead nowhere.
func (w *world) ids(most int) []int64 {
	var ids []int64
	for range w.IntN(most + 1) {
		ids = append(ids, 1+w.Int64N(14))
	}
	return ids
}

func (w *world) post(id int64) store.Post {
	p := store.Post{
		Meta: store.Meta{
			ID: id,
		},
		Author:      w.Int64N(3),
		Status:      w.status(),
		Date:        w.date(),
		Undated:     w.once(6),
		LocalDate:   w.once(6),
		Slug:        w.optional(),
		Description: w.optional(),
		Excerpt:     w.optional(),
		Image:       w.Int64N(14),
	}
	if w.once(2) {
		p.Modified = w.date()
	}
	for range w.IntN(3) {
		p.CustomFields = p.CustomFields.With(store.CustomField{
			Key:   w.text(),
			Label: w.text(),
			Value: w.text(),
		})
	}
	for range w.IntN(3) {
		p.Origins = append(p.Origins, w.text())
	}
	return p
}

func (w *world) event() *store.Event {
	e := &store.Event{
		Post: w.post(
			pick(w, w.Int64N(1e6), w.Int64N(1e12), 9, 10, 99, 100, 999_999_999, 1e9, -7),
		),
		Title:  w.text(),
		AllDay: w.once(2),
		Start:  w.local(),
		End:    w.local(),
		Timezone: pick(
			w,
			"UTC",
			"Europe/Paris",
			"America/New_York",
			"UTC+5.5",
			"+02:00",
			"Asia/Kathmandu",
			"CET",
			"Nowhere/Else",
			"",
		),
		Cost: store.Cost{
			Entries: pick(
				w,
				nil,
				nil,
				[]string{"10"},
				[]string{"0"},
				[]string{"12.50", "7"},
				[]string{"Pay what you can"},
				[]string{"$5"},
				[]string{w.text()},
				[]string{"1,000", "3", "3.0", w.text()},
			),
			Symbol:   pick(w, "", "", "€", "CHF", `"`),
			Code:     pick(w, "", "EUR"),
			Position: pick(w, "", "prefix", "postfix", "suffix"),
			Wording:  pick(w, "", "", "10 €, reduced 7 kr", "Eintritt frei", w.text()),
		},
		Website:          w.optional(),
		NoWebsite:        w.once(2),
		ShowMap:          w.once(2),
		ShowMapLink:      w.once(2),
		HideFromListings: w.once(2),
		Sticky:           w.once(2),
		Featured:         w.once(2),
		Ticketed:         w.once(2),
		Categories:       w.ids(4),
		Tags:             w.ids(20),
		Venues:           w.linkedIDs(),
		Organizers:       w.linkedIDs(),
		Parent:           pick(w, 0, 0, 1+w.Int64N(14)),
		Password:         pick(w, "", "", "secret"),
		State:            pick(w, "", "", store.Canceled, store.Postponed),
		StateReason:      w.optional(),
		PreviousStart:    pick(w, 0, 0, w.local()),
		VirtualURL:       w.optional(),
	}
	if w.once(2) {
		e.Recurrence = &store.Recurrence{
			Series:  1 + w.Int64N(14),
			Start:   w.local(),
			Changed: pick(w, nil, []string{"title"}),
		}
	}
	return e
}

func (w *world) series(id int64) *store.Series {
	s := &store.Series{
		Meta: store.Meta{
			ID: id,
		},
		Event:   *w.event(),
		Rule:    pick(w, "", "FREQ=WEEKLY;BYDAY=TU", `"`),
		Horizon: pick(w, 0, w.local()),
		RDates:  pick(w, nil, []store.Wall{w.local()}),
		EXDates: pick(w, nil, []store.Wall{w.local(), w.local()}),
	}
	s.Event.Recurrence = nil
	return s
}

func (w *world) venue(id int64) *store.Venue {
	v := &store.Venue{
		Post:          w.post(id),
		Name:          w.optional(),
		Address:       w.optional(),
		City:          w.optional(),
		Country:       w.optional(),
		Province:      w.optional(),
		State:         w.optional(),
		Zip:           w.optional(),
		Phone:         w.optional(),
		Website:       w.optional(),
		StateProvince: w.optional(),
		ShowMap:       w.once(2),
		ShowMapLink:   w.once(2),
	}
	degrees := func() float64 {
		return pick(
			w,
			0,
			math.Copysign(0, -1),
			90,
			-180,
			w.Float64()*90,
			w.Float64()*1e-6,
			-w.Float64()*1e-9,
			1e-7,
			5e-324,
			float64(
				w.IntN(360_000_000)-180_000_000,
			)/1e6,
			float64(w.IntN(36_000)-18_000)/100,
			1e-6,
			999_999_999.999999,
			1e9,
		)
	}
	if w.once(2) {
		v.Geo = &store.Geo{Lat: degrees(), Lng: degrees()}
	}
	return v
}

func (w *world) organizer(id int64) *store.Organizer {
	return &store.Organizer{
		Post:    w.post(id),
		Name:    w.optional(),
		Phone:   w.optional(),
		Website: w.optional(),
		Email:   w.optional(),
	}
}

func (w *world) term(k store.Kind, id int64) *store.Term {
	t := &store.Term{
		Meta: store.Meta{
			ID: id,
		},
		Taxonomy:    k,
		Name:        pick(w, w.text(), "Music", "music", "Arts & Crafts"),
		Slug:        w.text(),
		Description: w.optional(),
	}
	if k == store.Categories && w.once(2) {
		t.Parent = 1 + w.Int64N(14) // in a circle, too
	}
	return t
}

func (w *world) image(id int64) *store.Image {
	i := &store.Image{
		Meta: store.Meta{
			ID: id,
		},
		URL:       w.text(),
		Extension: w.optional(),
		Width:     w.IntN(3) * 640,
		Height:    w.IntN(3) * 480,
		Filesize:  w.Int64N(2) * 123456789,
		Original:  w.optional(),
	}
	for range w.IntN(3) {
		i.Sizes = append(i.Sizes, store.ImageSize{
			Name:      w.text(),
			Width:     w.IntN(300),
			Height:    w.IntN(300),
			MIMEType:  w.optional(),
			Filesize:  w.Int64N(2) * 999,
			Uncropped: pick(w, nil, new(bool)),
			URL:       w.text(),
		})
	}
	return i
}

// newWorld makes records with ids up to 12, so that some links lead nowhere.
func newWorld(seed uint64) *world {
	w := &world{
		Rand:       rand.New(rand.NewPCG(seed, 5)),
		parents:    map[int64]*store.Event{},
		allSeries:  map[int64]*store.Series{},
		images:     map[int64]*store.Image{},
		venues:     map[int64]*store.Venue{},
		organizers: map[int64]*store.Organizer{},
		terms:      map[store.Kind]map[int64]*store.Term{store.Categories: {}, store.Tags: {}},
		counts:     map[store.Kind]map[int64]int{store.Categories: {}, store.Tags: {}},
	}
	for id := int64(1); id <= 12; id++ {
		w.parents[id], w.allSeries[id] = &store.Event{Post: w.post(id)}, w.series(id)
		w.images[id], w.venues[id], w.organizers[id] = w.image(id), w.venue(id), w.organizer(id)
		for _, k := range []store.Kind{store.Categories, store.Tags} {
			w.terms[k][id], w.counts[k][id] = w.term(k, id), w.IntN(40)
		}
	}
	return w
}

// renderer shows what some caller may see.
func (w *world) renderer(ld bool) render.Renderer {
	site := w.zone(pick(w, "UTC", "Europe/Paris", "Pacific/Apia"))
	all := w.once(2)
	unlocked := w.once(2)
	methods := pick(w, []string{"GET"}, []string{"GET", "DELETE"})
	origin := pick(
		w,
		"http://127.0.0.1:8080",
		"https://termine.example.org",
		"http://[::1]",
		"http://[::1]:8080",
		"no scheme",
		`http://"<&>"`+"\xff",
	)
	return render.Renderer{
		Source: w,
		Origin: origin,
		API:    origin + pick(w, "/cal/events/v1", "/fr/cal/events/v1"),
		Site:   site,
		Zones:  &caltime.Zones{},
		Currency: cldr.Currency{
			Code:   "USD",
			Symbol: pick(w, "$", "", `"\`),
		},
		Locale:   cldr.Of("en"),
		Free:     "Free",
		Readable: func(p *store.Post) bool { return all || p.Status == store.Publish },
		Unlocked: func(e *store.Event) bool { return e.Password == "" || unlocked },
		Methods:  func(k store.Kind) []string { return methods },
		Wrote: pick(w, nil, nil, &render.Wrote{
			Made:    w.ids(3),
			Kept:    w.ids(3),
			Removed: w.ids(3),
		}),
		LD: ld,
	}
}

func (w *world) zone(name string) *caltime.Zone {
	z, err := caltime.LoadZone(name)
	if err != nil {
		panic(err)
	}
	return z
}
