package store_test

import (
	"fmt"
	"log"
	"time"

	"almanac/store"
)

func Example() {
	s, err := store.Open(store.Options{}) // with a Dir it is durable
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	start := store.WallOf(time.Date(2031, time.May, 10, 20, 0, 0, 0, time.UTC))
	err = s.Update(1, func(tx *store.Tx) error {
		venue := &store.Venue{Post: store.Post{Status: store.Publish}, Name: "Town Hall"}
		if err := tx.Put(venue); err != nil {
			return err
		}
		return tx.Put(&store.Event{
			Post:     store.Post{Status: store.Publish, Slug: "concert"},
			Title:    "Concert",
			Start:    start,
			End:      start + 7200,
			Timezone: "Europe/Paris",
			Venues:   []int64{venue.ID},
		})
	})
	if err != nil {
		log.Fatal(err)
	}

	err = s.View(func(v *store.View) error {
		found := v.Find(&store.Query{
			Published: true,
			Start: store.Range{
				Min: start,
				Max: start + 86_400,
			},
			End:   store.Always(),
			Match: func(e *store.Event) bool { return e.Start >= start && e.Start <= start+86_400 },
		})
		for _, e := range found.Events(0, found.Total) {
			fmt.Println(e.Start, e.Title, "at", v.Venue(e.Venues[0]).Name)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: 2031-05-10 20:00:00 Concert at Town Hall
}
