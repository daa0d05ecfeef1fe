// Near a point: events by the coordinates of their venues.

package filters

import (
	"math"

	"almanac/store"
)

// Near is the surroundings of a point: what is at most some kilometres away.
type Near struct {
	store.Geo
	Kilometres float64
}

// located reports whether a venue of the event has coordinates.
func located(v *store.View, e *store.Event) bool {
	for _, id := range e.Venues {
		if venue := v.Venue(id); venue != nil && venue.Geo != nil {
			return true
		}
	}
	return false
}

// holds reports whether a venue of the event lies in the surroundings.
func (n *Near) holds(v *store.View, e *store.Event) bool {
	for _, id := range e.Venues {
		if venue := v.Venue(id); venue != nil && venue.Geo != nil && distance(n.Geo, *venue.Geo) <= n.Kilometres {
			return true
		}
	}
	return false
}

// distance gives the kilometres between two points, on a sphere of the earth's
// mean radius.
func distance(a, b store.Geo) float64 {
	const radius, degree = 6371.0088, math.Pi / 180
	lat := math.Sin((b.Lat - a.Lat) * degree / 2)
	lng := math.Sin((b.Lng - a.Lng) * degree / 2)
	h := lat*lat + math.Cos(a.Lat*degree)*math.Cos(b.Lat*degree)*lng*lng
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
