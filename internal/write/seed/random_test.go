package seed_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"almanac/store"
)

// A writer makes random records with all values that a store accepts.
type writer struct {
	*rand.Rand
	ids map[store.Kind][]int64 // of existing records
	n   int                    // records so far
}

func pick[T any](w *writer, values ...T) T { return values[w.IntN(len(values))] }

func (w *writer) maybe() bool { return w.IntN(3) == 0 }

// text returns a text that escaping, cleaning or decoding would change.
func (w *writer) text() string {
	return pick(
		w,
		"",
		"",
		"Plain",
		`"quoted" \ 'text'`,
		"Rock &amp; Roll",
		"Tea &#038; Cake",
		" blanks ",
		"<b>Bold</b><script>x</script>",
		"Ünïcödé 日本 עברית \U0001F389",
		"a\n\r\n\tb",
		"\u2028\u0000\u007f",
		"@today+3d",
		"$hall",
		"-",
		"0",
		"null",
		"https://example.org/?a=1&b=2",
		"https://example.org/?a=1&amp;b=2",
		"1,000.50",
		"\ufffd",
	)
}

func (w *writer) some(k store.Kind) (ids []int64) {
	if known := w.ids[k]; len(known) > 0 {
		for range w.IntN(4) {
			ids = append(ids, known[w.IntN(len(known))])
		}
	}
	return ids
}

func (w *writer) one(k store.Kind) int64 {
	if ids := w.some(k); len(ids) > 0 {
		return ids[0]
	}
	return 0
}

func (w *writer) time() time.Time {
	return pick(
		w,
		noon,
		noon,
		time.Time{},
		noon.Add(time.Hour),
		noon.AddDate(-1, 0, 0).Add(123456789),
		time.Date(
			9999,
			12,
			31,
			23,
			59,
			59,
			999,
			time.UTC,
		),
		time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
	)
}

func (w *writer) slug() string {
	w.n++
	return pick(
		w,
		"",
		fmt.Sprint("slug-", w.n),
		fmt.Sprint(w.n, "__trashed"),
		"%e6%97%a5-"+fmt.Sprint(w.n),
		fmt.Sprint("No Slug! ", w.n),
	)
}

func (w *writer) post() store.Post {
	p := store.Post{
		Author: w.Int64N(4),
		Status: pick(
			w,
			store.Publish,
			store.Publish,
			store.Future,
			store.Draft,
			store.Pending,
			store.Private,
			store.Trash,
		),
		Date:        w.time(),
		Modified:    w.time(),
		Undated:     w.maybe(),
		LocalDate:   w.maybe(),
		WasDraft:    w.maybe(),
		Slug:        w.slug(),
		Description: w.text(),
		Excerpt:     w.text(),
		Image:       w.one(store.Images),
	}
	for i := range w.IntN(3) {
		f := store.CustomField{
			Key:   pick(w, "b", "a", "_ecp_custom_2") + fmt.Sprint(i),
			Label: w.text(),
			Value: w.text(),
		}
		p.CustomFields = p.CustomFields.With(f)
	}
	for range w.IntN(3) {
		w.n++
		p.Origins = append(p.Origins, fmt.Sprintf("b.example?id=%d", w.n))
	}
	return p
}

func (w *writer) localTime() store.Wall {
	return pick(
		w,
		store.WallOf(noon),
		store.WallOf(noon)+store.Wall(w.IntN(1e8)),
		store.WallOf(time.Date(2031, 3, 9, 2, 30, 0, 0, time.UTC)),
		store.WallOf(
			time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		),
		store.WallOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)),
	)
}

func (w *writer) event() *store.Event {
	start := w.localTime()
	end := w.localTime()
	e := &store.Event{
		Post:   w.post(),
		Title:  w.text(),
		AllDay: w.maybe(),
		Start:  min(start, end),
		End:    max(start, end),
		Timezone: pick(
			w,
			"UTC",
			"America/New_York",
			"Europe/Paris",
			"UTC+5.5",
			"+02:00",
			"Pacific/Apia",
			"europe/rome",
		),
		StateReason:      w.text(),
		PreviousStart:    pick(w, 0, w.localTime()),
		State:            pick(w, "", store.Canceled, store.Postponed, "later"),
		ShowMap:          w.maybe(),
		ShowMapLink:      w.maybe(),
		HideFromListings: w.maybe(),
		Sticky:           w.maybe(),
		Featured:         w.maybe(),
		Ticketed:         w.maybe(),
		Categories:       w.some(store.Categories),
		Tags:             w.some(store.Tags),
		Venues:           w.some(store.Venues),
		Organizers:       w.some(store.Organizers),
		Parent:           w.one(store.Events),
		Password:         pick(w, "", "", "open", "pbkdf2-sha256$600000$c2FsdA$aGFzaA"),
	}
	switch w.IntN(3) {
	case 0:
		e.Website = w.text()
	case 1:
		e.NoWebsite = true
	}
	if w.maybe() {
		e.Entries = []string{w.text(), "10", "$20"}[w.IntN(3):]
	}
	if w.maybe() {
		e.Symbol = pick(w, "", "€", "$")
		e.Code = pick(w, "", "EUR")
		e.Position = pick(w, "", "prefix", "suffix")
	}
	return e
}

// instance returns an event, sometimes of a series.
func (w *writer) instance() store.Record {
	e := w.event()
	if id := w.one(store.AllSeries); id != 0 {
		w.n++
		e.Recurrence = &store.Recurrence{
			Series:  id,
			Start:   w.localTime() + store.Wall(w.n),
			Changed: pick(w, nil, []string{"all_day", "title"}),
		}
		e.Recurrence.Start = min(
			e.Recurrence.Start,
			store.WallOf(time.Date(9999, 12, 31, 0, 0, w.n, 0, time.UTC)),
		)
	}
	return e
}

// series returns a series that may have events.
func (w *writer) series() store.Record {
	s := &store.Series{
		Event: *w.event(),
		Rule:  pick(w, "", "FREQ=WEEKLY;BYDAY=TU", "FREQ=YEARLY;COUNT=3"),
	}
	s.Horizon = pick(
		w,
		0,
		max(w.localTime(), store.WallOf(noon)),
	) // limits the generated events to some hundred
	for range w.IntN(3) {
		s.RDates = append(s.RDates, w.localTime())
		s.EXDates = append(s.EXDates, w.localTime())
	}
	slices.Sort(s.RDates)
	slices.Sort(s.EXDates)
	s.RDates, s.EXDates = slices.Compact(s.RDates), slices.Compact(s.EXDates)
	return s
}

func (w *writer) venue() store.Record {
	v := &store.Venue{
		Post:          w.post(),
		Name:          w.text(),
		Address:       w.text(),
		City:          w.text(),
		Country:       w.text(),
		Province:      w.text(),
		State:         w.text(),
		Zip:           w.text(),
		Phone:         w.text(),
		Website:       w.text(),
		StateProvince: w.text(),
		ShowMap:       w.maybe(),
		ShowMapLink:   w.maybe(),
	}
	if w.maybe() {
		v.Geo = &store.Geo{
			Lat: pick(w, 0, -90, 51.123456789012345, 1e-7),
			Lng: pick(w, 0, 180, -179.99999999999997),
		}
	}
	return v
}

func (w *writer) image() store.Record {
	w.n++
	i := &store.Image{
		URL:       fmt.Sprintf("https://example.org/%d.png?a=1&b=<2>", w.n),
		Extension: pick(w, "", "png", "JPG"),
		Width:     w.IntN(2000),
		Height:    w.IntN(2),
		Filesize:  w.Int64N(2e9),
		Original:  w.text(),
	}
	for n := range w.IntN(4) {
		s := store.ImageSize{
			Name:     fmt.Sprint(pick(w, "z", "a", `"`, ""), n),
			Width:    w.IntN(9),
			Height:   w.IntN(9),
			MIMEType: w.text(),
			Filesize: w.Int64N(2),
			URL:      w.text(),
		}
		if w.maybe() {
			uncropped := w.maybe()
			s.Uncropped = &uncropped
		}
		i.Sizes = append(i.Sizes, s)
	}
	return i
}

func (w *writer) term(k store.Kind) store.Record {
	w.n++
	t := &store.Term{
		Taxonomy:    k,
		Name:        w.text(),
		Slug:        fmt.Sprintf("%v-%d", pick(w, "term", "T & x"), w.n),
		Description: w.text(),
	}
	if k == store.Categories {
		t.Parent = w.one(k)
	}
	return t
}

func (w *writer) record(k store.Kind) store.Record {
	switch k {
	case store.Events:
		return w.instance()
	case store.AllSeries:
		return w.series()
	case store.Venues:
		return w.venue()
	case store.Organizers:
		return &store.Organizer{
			Post:    w.post(),
			Name:    w.text(),
			Phone:   w.text(),
			Website: w.text(),
			Email:   w.text(),
		}
	case store.Images:
		return w.image()
	}
	return w.term(k)
}

// fill stores random records, changes some and removes others.
func (w *writer) fill(t testing.TB, s *store.Store) {
	w.ids = map[store.Kind][]int64{}
	for range 1 + w.IntN(5) {
		err := s.Update(1, func(tx *store.Tx) error {
			for range w.IntN(30) {
				k := pick(
					w,
					store.Events,
					store.Events,
					store.Events,
					store.Venues,
					store.Organizers,
					store.Categories,
					store.Tags,
					store.Images,
					store.AllSeries,
				)
				r := w.record(k)
				if err := tx.Put(r); err != nil {
					return err
				}
				w.ids[k] = append(w.ids[k], r.Key())
			}
			if id := w.one(store.Events); id != 0 && w.maybe() {
				next := *tx.Event(id)
				next.Title = "Changed"
				next.Parent = id // its own parent: the store accepts it, requests do not
				return tx.Put(&next)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
