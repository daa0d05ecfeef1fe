// Distances on the globe.

package filters_test

import (
	"math"
	"testing"

	"almanac/filters"
	"almanac/store"
)

func TestDistances(t *testing.T) {
	t.Parallel()
	var (
		paris     = store.Geo{Lat: 48.8566, Lng: 2.3522}
		london    = store.Geo{Lat: 51.5074, Lng: -0.1278}
		newYork   = store.Geo{Lat: 40.7128, Lng: -74.0060}
		sydney    = store.Geo{Lat: -33.8688, Lng: 151.2093}
		tokyo     = store.Geo{Lat: 35.6762, Lng: 139.6503}
		suva      = store.Geo{Lat: -18.1416, Lng: 178.4419}
		apia      = store.Geo{Lat: -13.8333, Lng: -171.7667}
		northPole = store.Geo{Lat: 90}
	)
	for _, tt := range []struct {
		name       string
		a, b       store.Geo
		kilometres float64
	}{
		{"Paris and London", paris, london, 343.6},
		{"Paris and New York", paris, newYork, 5837},
		{"London and New York", london, newYork, 5570},
		{"Tokyo and Sydney", tokyo, sydney, 7823},
		{"across the date line", suva, apia, 1150},
		{"the pole from any side", northPole, store.Geo{Lat: 90, Lng: 77}, 0},
		{"the pole and the equator", northPole, store.Geo{Lng: 77}, 10007.6},
		{"half around", store.Geo{Lat: 10, Lng: 20}, store.Geo{Lat: -10, Lng: -160}, 20015.1},
		{"the same place", paris, paris, 0},
		{"the two ends of a line", store.Geo{Lng: 180}, store.Geo{Lng: -180}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			err = s.Update(1, func(tx *store.Tx) error {
				venue := &store.Venue{Post: store.Post{Status: store.Publish}, Geo: &tt.b}
				if err := tx.Put(venue); err != nil {
					return err
				}
				return tx.Put(&store.Event{
					Post: store.Post{
						Status: store.Publish,
					},
					Venues: []int64{venue.ID},
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			within := func(kilometres float64) (total int) {
				f := filters.AllEvents()
				f.Near = &filters.Near{Geo: tt.a, Kilometres: kilometres}
				s.View(func(v *store.View) error { total = f.Find(v, 0, 10).Total; return nil })
				return total
			}
			tolerance := math.Max(0.001, tt.kilometres/200)
			if within(tt.kilometres+tolerance) != 1 ||
				tt.kilometres > 0 && within(tt.kilometres-tolerance) != 0 {
				t.Errorf("not about %g km: %g by the other way", tt.kilometres, apart(tt.a, tt.b))
			}
		})
	}
}
